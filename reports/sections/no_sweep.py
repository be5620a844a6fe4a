"""The commands for a sweep, for a run of one setting."""

from simkit.reporting.pages import Findings, Section, axes, prose
from simkit.reporting.pages.commands import command_again, game_words, instead, lineups

NOTHING = prose("""This run has one setting of the rules, so there is nothing to see along options: the
    commands below list the options and vary one.""")
TEXT = prose("""Pick an option from the list, put it in place of OPTION and the range to try in place of
    LOW:HIGH, and write the report of that run.""")


def section(findings: Findings) -> Section | None:
    """Return the commands, or None for a sweep."""
    run, game = findings.run, findings.run.experiment.game
    if axes(run):
        return None
    words = game_words(run, lineups(run)[:2])
    commands = (
        f"{command_again(run, 'rules', game)}\n{command_again(run, 'sweep', game, 'OPTION=LOW:HIGH', *words)}"
    )
    return instead(NOTHING, TEXT, commands)
