"""What else could be tried: another option that treats some seats differently."""

from simkit.analysis.table import typed
from simkit.formatting import counted
from simkit.reporting.document import Step, Story
from simkit.reporting.pages import Findings, Section, axes, labels_of
from simkit.reporting.pages.commands import again, game_words, lineups, setting_texts
from simkit.reporting.text.phrases import listed
from simkit.reporting.text.strength import capital
from simkit.runs.run import Run

MOST_DEALS = 2_000
MOST = 3  # that are told first


def section(findings: Findings) -> Section | None:
    """A command for each of the first; nothing if several options were swept, or if there is none."""
    run, labels = findings.run, labels_of(findings)
    swept = [name for axis in axes(run) for name in axis.options]
    treating = {name: one for name, one in run.words.options.items() if one.treats}
    given = {*swept, *run.experiment.options}
    ready = [name for name, one in treating.items() if len(one.tries) > 1 and name not in given]
    if run.team or len(swept) > 1 or (swept and swept[0] not in treating) or not ready:
        return None
    names = listed((labels.option(name) for name in ready[:MOST]), "or")
    commands = [_command(run, name) for name in ready]
    step = Step(f"Try another rule that treats one player apart, as {names}.", "\n".join(commands[:MOST]))
    meant = {name: labels.meaning(name) for name in ready}
    others = [capital(labels.option(name)) + f" ({said})" * bool(said) + "." for name, said in meant.items()]
    text = f"Some work only together with others: {again(run, 'rules', run.experiment.game)}."
    every = Story("Commands that try each of them", "\n".join(commands))
    heading = f"{counted(len(ready), 'other rule')} treat one player apart"
    return Section(heading, [*others, text], stories=[every], steps=[step])


def _command(run: Run, name: str) -> str:
    values = ",".join(map(typed, run.words.options[name].tries))
    needed = setting_texts(run.words.unmet(name, run.experiment.options))
    words = [f"{name}={values}", *(word for text in needed for word in ("--set", text))]
    deals = ["--deals", str(min(MOST_DEALS, run.experiment.deals))]
    return again(run, "sweep", run.experiment.game, *words, *game_words(run, lineups(run)), *deals)
