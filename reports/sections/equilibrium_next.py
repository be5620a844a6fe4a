"""The next step after a page about best choices: a fair value for the strategy chosen most, or more deals."""

from simkit.analysis.table import TWINS
from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, at_setting
from simkit.reporting.pages.commands import command_again, fair_command, game_words
from simkit.runs.run import Run


def section(findings: Findings) -> Section | None:
    """Return the step, or None for a run without equilibria."""
    if not findings.equilibrium.width:
        return None
    run, mixes = findings.run, at_setting(findings, findings.equilibrium_mixes)
    row = at_setting(findings, findings.equilibrium).row(0, named=True)
    best, *_ = mixes.filter(seat=0)["strategy"][0].split(TWINS)
    command = fair_command(run, [[best, best]]) or _fair_value(run, best)
    if command:
        return Section(step=Step(f"Find the value that is fair between two {best} players.", command))
    deals = ["--deals", str(4 * row["deals"]), "-o", f"{run.place}-longer"]
    command = command_again(run, "run", f"{run.place}/experiment.toml", *deals)
    return Section(step=Step("Play on with more deals, in another folder.", command))


def _fair_value(run: Run, best: str) -> str | None:
    """Return the command that searches for the fair value of the first number that favours a seat."""
    free = {name: option for name, option in run.words.options.items() if name not in run.experiment.options}
    for name, option in free.items():
        if option.treats and option.kind == "integer" and len(option.tries) > 1:
            vary = ["--vary", f"{name}={min(option.tries)}:{max(option.tries)}"]
            words = [*vary, *game_words(run, []), "--lineup", f"{best},{best}"]
            return command_again(run, "fair", run.experiment.game, *words)
    return None
