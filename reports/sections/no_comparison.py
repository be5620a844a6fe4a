"""The command for a comparison of rules, for a run without a baseline and other rule sets."""

from simkit.reporting.pages import Findings, Section, axes, prose
from simkit.reporting.pages.commands import command_again, game_words, instead, lineups, setting_texts
from simkit.runs.run import Run

NOTHING = prose("""This run has no baseline with other rule sets beside it, so there is nothing to compare:
    the commands below play rule sets on the same deals.""")
SWEEP_TEXT = "The first setting of this run as the base, the others against it:"
PLACEHOLDER_TEXT = "Pick an option from the list and a value to compare with the rulebook's:"


def section(findings: Findings) -> Section | None:
    """Return the command, or None for a run with a comparison."""
    if findings.comparisons.height:
        return None
    text = SWEEP_TEXT if axes(findings.run) else PLACEHOLDER_TEXT
    return instead(NOTHING, text, _commands(findings.run))


def _commands(run: Run) -> str:
    """Return the comparison of the run's settings; for a run of one setting, with a placeholder."""
    game, players = run.experiment.game, game_words(run, lineups(run)[:2])
    settings = list({repr(cell.varied): setting_texts(cell.varied) for cell in run.cells}.values())
    if len(settings) < 2:
        compare = command_again(run, "compare", game, "--to", "OPTION=VALUE", *players)
        return f"{command_again(run, 'rules', game)}\n{compare}"
    base, *others = settings
    words = [word for text in base for word in ("--base", text)]
    words += [word for setting in others for word in ("--to", ",".join(setting))]
    return command_again(run, "compare", game, *words, *players)
