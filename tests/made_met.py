"""Runs made up for tests in which strategies meet, with exactly the results that a test gives."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
from synthetic import MANIFEST, MadeRun

from simkit.engine.lineups import Named
from simkit.runs.experiment import parse
from simkit.runs.plan import Cell


def met_run(
    folder: Path,
    edges: list[tuple[str, str, float]],
    deals: int = 200,
    goals: Sequence[int] = (),
    rotate: bool = True,
) -> MadeRun:
    """Return a run with a cell per pair, in which the first strategy wins exactly this share of the games.

    In a mirror the first player wins it. `goals`: the option `goal` of each pair, the first of them the
    baseline. `rotate`: whether each deal is played with both seatings.
    """
    cells: list[Cell] = []
    games: list[dict[str, Any]] = []
    seats: list[dict[str, Any]] = []
    for index, (strategy, opponent, won) in enumerate(edges):
        named, rotations = (Named(strategy, {}), Named(opponent, {})), 1 + (rotate and strategy != opponent)
        first = cells[-1].first_play + cells[-1].plays if cells else 0
        varied = {"goal": goals[index]} if goals else {}
        base = bool(goals) and goals[index] == goals[0]
        cells.append(Cell(index, "made", 2, varied, varied, named, rotations, deals, first, rotations, base))
        for deal, rotation in itertools.product(range(deals), range(rotations)):
            play = first + deal * rotations + rotation
            key = {"play": play, "cell": index, "deal": deal, "rotation": rotation}
            # The first strategy sits in seat `rotation`.
            winner = rotation if deal < won * deals else 1 - rotation
            length = {"turns": 9, "decisions": 9, "end_reason": "goal", "first": 0}
            games.append(key | {"winner": winner, "draw": False} | length)
            for seat in range(2):
                seating = {"seat": seat, "strategy": (strategy, opponent)[(seat + rotation) % 2]}
                outcome = {"share": float(seat == winner), "rank": 1 + (seat != winner), "score": 0}
                seats.append(key | seating | outcome)
    kinds = dict.fromkeys(("cell", "rotation", "winner", "seat", "first", "rank"), pl.Int32)
    for name, rows in (("games", games), ("seats", seats)):
        schema = {column: kind for column, kind in kinds.items() if column in rows[0]}
        pl.DataFrame(rows, schema_overrides=schema).write_parquet(folder / f"{name}.parquet")
    keys = {"question": "Who is best?", "game": "made", "deals": deals}
    swept = {"sweep": {"goal": sorted({*goals})}, "baseline": {"goal": goals[0]}} if goals else {}
    experiment = parse(keys | swept | {"lineups": [[strategy, opponent] for strategy, opponent, _ in edges]})
    return MadeRun(folder, experiment, MANIFEST, cells)
