"""Next steps after a page about best choices: a fair value for the strategies chosen most, and more deals."""

from simkit.analysis.table import TWINS
from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, at_setting
from simkit.reporting.pages.commands import command_again, game_words

MAX_HALF_WIDTH = 0.01  # widest half interval without advice to play more deals


def section(findings: Findings) -> Section | None:
    """Return the steps, or None for a run without equilibria."""
    if not findings.equilibrium.width:
        return None
    run, mixes = findings.run, at_setting(findings, findings.equilibrium_mixes)
    row = at_setting(findings, findings.equilibrium).row(0, named=True)
    best, *_ = mixes.filter(seat=0)["strategy"][0].split(TWINS)
    lineup = ["--lineup", ",".join([best, best])]
    command = command_again(
        run, "fair", run.experiment.game, "--vary", "OPTION=LOW:HIGH", *game_words(run, []), *lineup
    )
    text = "Find the value of a rule at which two of the player chosen most have equal chances."
    steps = [Step(text, command)]
    if (row["high"] - row["low"]) / 2 > MAX_HALF_WIDTH:
        text = "Play on with more deals, in another folder."
        deals = ["--deals", str(4 * row["deals"]), "-o", f"{run.place}-longer"]
        steps.append(Step(text, command_again(run, "run", f"{run.place}/experiment.toml", *deals)))
    return Section(steps=steps)
