"""The match page: which of two strategies is stronger and by how many Elo, with the course of the test."""

from collections.abc import Iterator

from simkit.analysis import Findings
from simkit.analysis.deals import ALWAYS
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import Part, study_document
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import percent, span
from simkit.reporting.text.phrases import TableRow, seat_name

from .sections.luck import luck
from .sections.match import match
from .sections.match_course import match_course
from .sections.who import who


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[Part]:
    """Yield the shares by strategy and seat, and the deals by score."""
    yield ""
    yield [_row(row) for row in labels_of(findings).label(findings.match_seats).rows(named=True)]
    yield f"\nDeals by score, from 0 to 1: {', '.join(map(str, findings.match_results['deals']))}."


def _row(row: TableRow) -> TableRow:
    interval = span(row["low"], row["high"], scale=100)
    front = {"strategy": row["strategy"], "as": seat_name(row["seat"]), "share": percent(row["share"])}
    return front | {"95 % interval": interval, "games": row["games"]}


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    (row,) = findings.match.drop(ALWAYS, strict=False).rows(named=True)
    counts = findings.match_results.select("result", "deals").rows(named=True)
    seats = findings.match_seats.drop(ALWAYS, strict=False).rows(named=True)
    front = study_document(findings, brief) | {"seed": findings.run.experiment.seed}
    return front | {**row, "results": counts, "seats_won": seats}


recipe = Recipe(
    "match report",
    brief=[match],
    chapters={"The match": [match_course], "Players": [who, luck]},
    needs="a run of simkit match",
    fits=lambda findings: findings.match.width > 0,
    terminal=terminal,
    document=document,
)
