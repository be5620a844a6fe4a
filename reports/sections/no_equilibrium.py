"""The command for an equilibrium, for a run that has none."""

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.pages.commands import command_again, game_words, instead

NOTHING = prose("""Best choices follow where every strategy met every one, itself too, in both of two seats:
    the command below plays that.""")
TEXT = "Write the report of the folder that the command names."


def section(findings: Findings) -> Section | None:
    """Return the command, or None for a run with equilibria."""
    if findings.equilibrium.width:
        return None
    run = findings.run
    names = dict.fromkeys(label for cell in run.cells for label in cell.labels)
    strategies = ["--strategies", ",".join(names)] if len(names) > 1 else []
    command = command_again(run, "equilibrium", run.experiment.game, *strategies, *game_words(run, []))
    return instead(NOTHING, TEXT, command)
