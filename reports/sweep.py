"""The sweep page: fairness along the options varied, the setting nearest to fair, and how it feels."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe, axes
from simkit.reporting.terminal import SEAT_KEYS, Part, brief_document, cells_stopped, is_rotated, rows_of_run
from simkit.reporting.text.phrases import Row

MATCH_KEYS = ("strategy", "share", "low", "high", "games", "failed", "deals")


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[Part]:
    """Yield how the cells ended, and the rows of the run."""
    yield from cells_stopped(findings)
    yield from rows_of_run(findings, whole)


def document(findings: Findings, brief: Report) -> Row:
    """Return the JSON document: the answer, and the shares of seats and strategies by cell."""
    run, seats = findings.run, findings.seat_shares.partition_by("cell", as_dict=True)
    met = any(map(is_rotated, run.cells))
    matches = findings.strategy_shares.partition_by("cell", as_dict=True) if met else {}
    verdicts = dict(findings.first_player_advantage.select("cell", "verdict").iter_rows())
    cells = [
        {"cell": cell.index, "options": cell.varied, "lineup": ", ".join(cell.labels), "n": cell.plays}
        | {"deals": cell.deals, "verdict": verdicts[cell.index]}
        | {"strategies": _rows(matches[cell.index,], MATCH_KEYS) if is_rotated(cell) else []}
        | {"seats": _rows(seats[cell.index,], SEAT_KEYS)}
        for cell in run.cells
    ]
    front = {"run": run.place, "game": run.experiment.game, "seed": run.experiment.seed, "confidence": 0.95}
    confirmed = findings.confirmed.rows(named=True)
    return brief_document(brief) | front | {"cells": cells, "confirmed": confirmed}


def _rows(table: pl.DataFrame, keys: tuple[str, ...]) -> list[Row]:
    return table.select(name for name in keys if name in table.columns).rows(named=True)


recipe = Recipe(
    "sweep report",
    """
    answer next_steps
    All settings: confirmed verdict_map verdicts best_choices seats cures
    Players: who skill
    What else changes: tornado changes
    Length: length load
    Tension: drama yardsticks endings scores
    Luck: beginners luck kingmaking
    What goes with winning: pieces components
    Games worth a look: stories
    """,
    needs="an option that varies (simkit sweep)",
    fits=lambda findings: bool(axes(findings.run)),
    of_team="""
    answer next_steps
    All settings: confirmed verdict_map verdicts
    Players: who
    What else changes: tornado changes
    Length: length load yardsticks
    How games end: endings scores beginners luck
    Who contributes: contributions
    Members and components: crew pieces components
    Games worth a look: stories
    """,
    terminal=terminal,
    document=document,
)
