"""The command for a screen of options, for a run that is none."""

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.pages.commands import command_again, game_words, instead, lineups

NOTHING = "This run is no screen of many options: the command below makes one."
TEXT = prose("""It turns every option of the game; --options NAME,NAME=LOW:HIGH picks some. Write the report
    of the folder that it names.""")


def section(findings: Findings) -> Section | None:
    """Return the command, or None for a screen."""
    run = findings.run
    if run.kind == "screen":
        return None
    words = game_words(run, lineups(run)[:2])
    return instead(NOTHING, TEXT, command_again(run, "screen", run.experiment.game, *words))
