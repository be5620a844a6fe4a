"""Sweeps that might help: other options that treat some seats differently."""

from simkit.analysis.table import typed
from simkit.formatting import counted
from simkit.reporting.document import Story
from simkit.reporting.pages import Findings, Section, axes, labels_of
from simkit.reporting.pages.commands import command_again, game_words, lineups, setting_texts
from simkit.reporting.text.phrases import capital, listed
from simkit.runs.run import Run

MAX_DEALS = 2_000


def section(findings: Findings) -> Section | None:
    """Return a command for each option, or None after a sweep of several options or without candidates."""
    run, labels = findings.run, labels_of(findings)
    swept = [name for axis in axes(run) for name in axis.options]
    seat_options = {name: option for name, option in run.words.options.items() if option.treats}
    fixed = {*swept, *run.experiment.options}
    candidates = [
        name for name, option in seat_options.items() if len(option.tries) > 1 and name not in fixed
    ]
    if run.team or len(swept) > 1 or (swept and swept[0] not in seat_options) or not candidates:
        return None
    commands = [_command(run, name) for name in candidates]
    names = capital(listed(map(labels.option, candidates)))
    rest = command_again(run, "rules", run.experiment.game)
    text = f"{names}. Some work only together with others ({rest} says with which)."
    all_commands = Story("Commands that try each of them", command="\n".join(commands))
    heading = f"{counted(len(candidates), 'other rule')} could compensate one player"
    return Section(heading, [text], stories=[all_commands])


def _command(run: Run, name: str) -> str:
    values = ",".join(map(typed, run.words.options[name].tries))
    needed = setting_texts(run.words.unmet(name, run.experiment.options))
    words = [f"{name}={values}", *(word for text in needed for word in ("--set", text))]
    deals = ["--deals", str(min(MAX_DEALS, run.experiment.deals))]
    return command_again(run, "sweep", run.experiment.game, *words, *game_words(run, lineups(run)), *deals)
