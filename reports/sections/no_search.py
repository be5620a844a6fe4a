"""The commands for a search for a fair value, for a run that is none."""

from simkit.reporting.pages import Findings, Section, prose
from simkit.reporting.pages.commands import command_again, fair_command, game_words, instead, lineups

NOTHING = "This run is no search for a fair value: the commands below make one."
TEXT = prose("""Pick an option from the list, put it in place of OPTION and the range to try in place of
    LOW:HIGH, and write the report of the folder that the command names.""")


def section(findings: Findings) -> Section | None:
    """Return the commands, or None for a search."""
    run, game = findings.run, findings.run.experiment.game
    if run.kind == "fair":
        return None
    usual = command_again(run, "fair", game, "--vary", "OPTION=LOW:HIGH", *game_words(run, lineups(run)[:2]))
    commands = f"{command_again(run, 'rules', game)}\n{fair_command(run) or usual}"
    return instead(NOTHING, TEXT, commands)
