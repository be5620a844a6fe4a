"""Yardsticks: length, openness, load and leniency of reference games, and the rank of a run among them."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.table import cells_to_look_at
from simkit.engine.toml_files import read_toml

YARDSTICKS_FILE = Path(__file__).with_name("yardsticks.toml")
ERRS = 0.2  # error rate of the beginner whose share is a measure
LATE = 0.9  # progress with a tenth of the game left
BEYOND_OTHERS = 0.05  # minimum distance of unusual values from the others' range, relative to it
ENOUGH = 3  # minimum number of other games for a value to be unusual
MeasureValue = tuple[float, float, float]  # value, low and high (95 %)
# measure -> finding, column, and prefix of the ends of its interval
PLAIN = {
    "per_turn": ("load", "per_turn", "per_turn_"),
    "branching": ("load", "branching", "branching_"),
    "wait": ("load", "wait", "wait_"),
    "lead_changes": ("lead_changes", "mean", ""),
    "decided": ("decided_at", "mean", ""),
    "slope": ("runaway", "slope", ""),
    "draws": ("draws", "share", ""),
}
TEAM_MEASURES = ("decisions", "per_turn", "branching", "wait", "team_beginner")
TRACED = {"load", "lead_changes", "decided_at", "runaway"}
YARDSTICKS_SCHEMA = (
    texts("measure") | reals("value", "low", "high", "least", "most") | whole("others") | texts("unusual")
)


def yardstick_measures(findings: Findings, cell: int) -> dict[str, MeasureValue]:
    """Return the measures of a cell that the run provides.

    decisions: per player and game. per_turn, branching, wait: as in `load`. lead_changes, decided, slope,
    draws: means of `lead_changes`, `decided_at`, `runaway`, `draws`. late: how often the leader with a tenth
    of the game left does not win. beginner: share of a player with errors in one of five decisions, relative
    to its fair share; team_beginner: share of a team with one such player, relative to the team's. king:
    kingmaking of the last seat.
    """
    values = {name: value for name, value in _measures(findings, cell) if None not in value}
    return {name: values[name] for name in TEAM_MEASURES if name in values} if findings.run.team else values


def _measures(findings: Findings, cell: int) -> Iterator[tuple[str, Any]]:
    seats = int(findings.cells.filter(cell=cell)["seats"][0])
    for row in findings.lengths.filter(cell=cell, measure="decisions").rows(named=True):
        yield "decisions", _scaled_ends(row, "mean", "", seats)
    for name, (table, column, ends) in PLAIN.items():
        if not findings.run.team or name in TEAM_MEASURES:
            yield from (
                (name, _scaled_ends(row, column, ends)) for row in _measure_rows(findings, table, cell)
            )
    late = [] if findings.run.team else _measure_rows(findings, "predictability", cell)
    for row in late:
        if round(row["progress_high"], 2) == LATE:
            yield "late", (1 - row["share"], 1 - row["high"], 1 - row["low"])
    beginners = findings.beginners
    rows = beginners.filter(seats=seats, errs=ERRS).rows(named=True) if beginners.width else []
    measure = "team_beginner" if findings.run.team else "beginner"
    yield from ((measure, _scaled_ends(row, "share", "", row["fair"])) for row in rows if row["fair"])
    kings = _measure_rows(findings, "kingmaking", cell)
    yield from (("king", _scaled_ends(row, "king", "king_")) for row in kings if row["role"] == "last")


def _measure_rows(findings: Findings, name: str, cell: int) -> list[dict[str, Any]]:
    if (name in TRACED or name == "predictability") and not findings.run.experiment.trace:
        return []
    baseline = findings.at_baseline()  # less of its trace has to be read
    source = baseline if cell in baseline.cells["cell"] else findings
    table: pl.DataFrame = getattr(source, name)
    return table.filter(cell=cell).rows(named=True) if table.width else []


def _scaled_ends(row: dict[str, Any], column: str, ends: str, by: float = 1) -> tuple[Any, ...]:
    values = row[column], row[f"{ends}low"], row[f"{ends}high"]
    return tuple(None if value is None else value / by for value in values)


@cache
def measured_games() -> list[dict[str, Any]]:
    """Return the reference games by number of seats, as stored in the file."""
    return list(read_toml(YARDSTICKS_FILE)["measured"])


@finding
def yardsticks(findings: Findings) -> pl.DataFrame:
    """Per measure of the first cell to look at: its value, and the range of the other games.

    others: number of other games that have the measure. unusual: "more" where the whole interval lies above
    all others, by a twentieth of their range or more, "less" where below; null where it lies among them or
    fewer than three others have the measure.
    """
    rows = []
    for name, ends in yardstick_measures(findings, cells_to_look_at(findings.run)[0]).items():
        others = [
            row for row in measured_games() if row["game"] != findings.run.experiment.game and name in row
        ]
        games, values = len({row["game"] for row in others}), [row[name][0] for row in others]
        least, most = (min(values), max(values)) if values else (None, None)
        rows.append((name, *ends, least, most, games, _unusual(ends, values) if games >= ENOUGH else None))
    return pl.DataFrame(rows, schema=YARDSTICKS_SCHEMA, orient="row")


def _unusual(ends: MeasureValue, values: list[float]) -> str | None:
    least, most = min(values), max(values)
    if ends[1] > most and ends[0] - most >= BEYOND_OTHERS * (most - least):
        return "more"
    return "less" if ends[2] < least and least - ends[0] >= BEYOND_OTHERS * (most - least) else None
