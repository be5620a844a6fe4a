"""Runs made up for tests in which strategies meet, with exactly the results that a test asks for."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from made import MANIFEST, MadeRun

from simkit.engine.strategy import Named
from simkit.runs.experiment import Cell, parse


def met_run(
    folder: Path, edges: list[tuple[str, str, float]], deals: int = 200, goals: Sequence[int] = ()
) -> MadeRun:
    """Each pair: the first wins exactly this share of its games, whatever the seat; a mirror: the first player
    does. `goals`: of each pair the value of the option `goal`, the first of them the baseline.
    """
    cells: list[Cell] = []
    games: list[dict[str, Any]] = []
    seats: list[dict[str, Any]] = []
    for index, (one, other, won) in enumerate(edges):
        named, rotations = (Named(one, {}), Named(other, {})), 1 + (one != other)
        first = cells[-1].first_play + cells[-1].plays if cells else 0
        varied = {"goal": goals[index]} if goals else {}
        base = bool(goals) and goals[index] == goals[0]
        cells.append(Cell(index, "made", 2, varied, varied, named, rotations, deals, first, rotations, base))
        for deal, rotation in itertools.product(range(deals), range(rotations)):
            play = first + deal * rotations + rotation
            key = {"play": play, "cell": index, "deal": deal, "rotation": rotation}
            winner = (
                rotation if deal < won * deals else 1 - rotation
            )  # the first strategy sits in seat `rotation`
            length = {"turns": 9, "decisions": 9, "end_reason": "goal", "first": 0}
            games.append(key | {"winner": winner, "draw": False} | length)
            for seat in range(2):
                who = {"seat": seat, "strategy": (one, other)[(seat + rotation) % 2]}
                won_it = {"share": float(seat == winner), "rank": 1 + (seat != winner), "score": 0}
                seats.append(key | who | won_it)
    kinds = dict.fromkeys(("cell", "rotation", "winner", "seat", "first", "rank"), pl.Int32)
    for name, rows in (("games", games), ("seats", seats)):
        known = {column: kind for column, kind in kinds.items() if column in rows[0]}
        pl.DataFrame(rows, schema_overrides=known).write_parquet(folder / f"{name}.parquet")
    keys = {"question": "Who is best?", "game": "made", "deals": deals}
    swept = {"sweep": {"goal": sorted({*goals})}, "baseline": {"goal": goals[0]}} if goals else {}
    asked = parse(keys | swept | {"lineups": [[one, other] for one, other, _ in edges]})
    return MadeRun(folder, asked, MANIFEST, cells)
