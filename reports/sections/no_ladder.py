"""The command for a ladder, for a run that is none."""

from simkit.reporting.pages import Findings, Section
from simkit.reporting.pages.commands import command_again, instead

NOTHING = "This run is no ladder: the command below plays one."
TEXT = "Write the report of the folder that the command names."


def section(findings: Findings) -> Section | None:
    """Return the command, or None for a ladder."""
    run = findings.run
    if run.kind == "ladder":
        return None
    return instead(NOTHING, TEXT, command_again(run, "ladder", run.experiment.game))
