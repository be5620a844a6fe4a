"""The command for a design search, for a run that is none."""

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.pages.commands import command_again, game_words, instead, lineups

NOTHING = "This run is no search for rules that meet wishes: the command below makes one."
TEXT = prose("""Put options with their ranges in place of OPTION=LOW:HIGH (--vary may be repeated), columns of
    the games table in place of COLUMN, and write the report of the folder that the command names.""")


def section(findings: Findings) -> Section | None:
    """Return the command, or None for a design search."""
    run = findings.run
    if run.kind == "design":
        return None
    words = ["--vary", "OPTION=LOW:HIGH", "--wish", "fairness", "--wish", "COLUMN=LOW:HIGH"]
    own = game_words(run, lineups(run)[:2])
    return instead(NOTHING, TEXT, command_again(run, "design", run.experiment.game, *words, *own))
