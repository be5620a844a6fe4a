"""The fair-value page: the measured curve, the fair value with its interval, the check on fresh deals."""

from collections.abc import Iterator

import polars as pl
import polars.selectors as cs

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import SEAT_KEYS, Part, study_document
from simkit.reporting.text.fairness import best_of_all, best_table, caution_about_players, of_each_seat
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import percent, span
from simkit.reporting.text.perspective import beyond_two, side_of
from simkit.reporting.text.phrases import TableRow, seat_name

from .sections.fair_check import fair_check
from .sections.fair_looks import fair_looks
from .sections.fair_value import fair_value
from .sections.luck import luck
from .sections.who import who


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[Part]:
    """Yield the results at the best whole numbers, and with three or more seats those of every seat."""
    yield ""
    yield rows_at_best(findings)
    if beyond_two(findings):
        yield ""
        yield [_seat(findings, row) for row in of_each_seat(findings).rows(named=True)]
    if caution := caution_about_players(findings.run):
        yield f"\nBeware: {caution}"


def rows_at_best(findings: Findings) -> list[TableRow]:
    """Return the results at the best whole number of each option and lineup."""
    return [_row(findings, row) for row in findings.cached(best_table).rows(named=True)]


def _row(findings: Findings, row: TableRow) -> TableRow:
    labels, is_checked = labels_of(findings), row["share"] is not None
    lineup = labels.of_column("lineup") or str
    none = "none exactly" if row["whole"] == str(row["best"]) else "none"  # within the margin it may be fair
    value = none if row["value"] is None else f"{row['value']:.1f}"
    front = {"lineup": lineup(row["lineup"]), "option": labels.option(row["option"])}
    front |= {"fair value": value, "95 % interval": row["interval"], "fair whole number": row["whole"]}
    shares_there = {f"{side_of(findings.run).name} there": percent(row["share"]) if is_checked else ""}
    if beyond_two(findings):
        there = findings.seat_shares.filter(pl.col("cell").eq_missing(row["cell"]))
        shares_there = {"all players there": " / ".join(map(percent, there["share"]))}
    checked = {"fresh deals": row["deals"] if is_checked else "", "verdict": row["verdict"] or ""}
    return front | shares_there | checked


def _seat(findings: Findings, row: TableRow) -> TableRow:
    """Return the row of a seat on fresh deals; its interval holds jointly and at every interim analysis."""
    labels = labels_of(findings)
    setting = {labels.option(name): row[name] for name in findings.run.search.vary}
    lineup = (labels.of_column("lineup") or str)(row["lineup"])
    interval = span(row["joint_low"], row["joint_high"], scale=100)
    numbers = {"share": percent(row["share"]), "95 % interval": interval, "fair": percent(row["fair"])}
    return {"lineup": lineup, **setting, "player": seat_name(row["seat"]), **numbers}


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    vary, values = findings.run.search.vary, findings.fair_values
    columns = [*vary, "lineup", "share", "low", "high", "adjusted", "failed", "deals", "verdict"]
    best = values.filter(lineup=values["lineup"][-1]).select("option", "best")
    return study_document(findings, brief) | {
        "vary": vary,
        "margin": findings.run.experiment.margin,
        "fair_values": values.rows(named=True),
        "best": dict(best.iter_rows()),
        "best_is_fair": best_of_all(findings).is_fair,
        "checked": findings.first_player_advantage.select(_existing(columns)).rows(named=True),
        "seats": findings.seat_shares.select(_existing([*vary, "lineup", *SEAT_KEYS])).rows(named=True),
    }


def _existing(names: list[str]) -> cs.Selector:
    """Select the columns that a run has: `failed` exists only if it keeps going."""
    return cs.by_name(*names, require_all=False)


recipe = Recipe(
    "what would be fair",
    brief=[fair_value],
    chapters={"On fresh deals": [fair_check], "What was measured": [fair_looks], "Players": [who, luck]},
    needs="a search of simkit fair",
    fits=lambda findings: findings.run.kind == "fair",
    terminal=terminal,
    document=document,
)
