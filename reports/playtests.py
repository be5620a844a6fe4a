"""The page of playtests: games of people beside simulated ones."""

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import study_document
from simkit.reporting.text.phrases import Row

TABLES = ("playtests", "playtest_seats", "playtest_fits")


def document(findings: Findings, brief: Report) -> Row:
    """Return the JSON document."""
    tables = {name: getattr(findings, name).to_dicts() for name in TABLES}
    return study_document(findings, brief) | tables


CHAPTERS = "playtests\nSeats: playtests\nSimulated games: seats length\nPlayers: who"
NEEDS = "a run of simkit playtests"
recipe = Recipe(
    "playtests", CHAPTERS, NEEDS, lambda findings: findings.playtests.width > 0, document=document
)
