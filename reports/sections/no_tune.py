"""The command for a search for weights, for a run that is none."""

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.pages.commands import command_again, instead

NOTHING = "This run is no search for the weights of a strategy: the command below makes one."
TEXT = prose("""Put the name of a strategy in place of STRATEGY, and write the report of the folder that the
    command names.""")


def section(findings: Findings) -> Section | None:
    """Return the command, or None for a search for weights."""
    run = findings.run
    if run.kind == "tune":
        return None
    return instead(NOTHING, TEXT, command_again(run, "tune", run.experiment.game, "STRATEGY"))
