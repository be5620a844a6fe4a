"""The page of playtests: games of people beside simulated ones."""

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import study_document
from simkit.reporting.text.phrases import TableRow

from .sections.length import length
from .sections.playtests import playtests
from .sections.seats import seats
from .sections.who import who

TABLES = ("playtests", "playtest_seats", "playtest_fits")


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    tables = {name: getattr(findings, name).to_dicts() for name in TABLES}
    return study_document(findings, brief) | tables


recipe = Recipe(
    "playtests",
    brief=[playtests],
    chapters={"Seats": [playtests], "Simulated games": [seats, length], "Players": [who]},
    needs="a run of simkit playtests",
    fits=lambda findings: findings.playtests.width > 0,
    document=document,
)
