"""The command for a match, for a run that is none."""

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.pages.commands import command_again, instead

NOTHING = "This run is no match of two strategies: the command below plays one."
TEXT = prose("""Put the names of the two strategies in place of A and B, and write the report of the folder
    that the command names.""")


def section(findings: Findings) -> Section | None:
    """Return the command, or None for a match."""
    if findings.match.width:
        return None
    return instead(
        NOTHING, TEXT, command_again(findings.run, "match", findings.run.experiment.game, "A", "B")
    )
