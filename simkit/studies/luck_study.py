"""A luck study: deals of a run played again with the luck of the setup, of play or of choices drawn anew.

A stream of luck is of the setup by its name (deal/...), of play (nature/...), or of a seat's own choices.
Each deal is played with every combination of old and new luck of the kinds that the game has; the one with
all luck as it was must be what the log says.
"""

import json
from io import BytesIO
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from simkit.analysis.luck import STREAMS
from simkit.engine.game import Game
from simkit.errors import UsageError
from simkit.runs.cell_player import STATES_BYTES, Seating, seating
from simkit.runs.experiment import Cell
from simkit.runs.narrate import changed_since
from simkit.runs.run import LUCK_STUDY, Run
from simkit.runs.storage import atomic, checksums

FEWEST = 100  # deals of a study: intervals of fewer are too narrow
KINDS = {"setup": ("deal",), "play": ("nature",), "choices": ("choice", "blunder")}  # and their streams
COLUMNS: dict[str, Any] = {"cell": pl.Int32, "deal": pl.Int64, "rotation": pl.Int32, "seat": pl.Int32}
COLUMNS |= dict.fromkeys(KINDS, pl.Boolean) | {"share": pl.Float64}


def streams_of(game: Game) -> dict[str, list[str]]:
    """Of each kind of luck that a game has the names of its streams; any strategy may choose by chance."""
    named = [name.partition("/") for name in game.streams]
    every = {kind: [name for head, _, name in named if head in heads] for kind, heads in KINDS.items()}
    return {kind: names for kind, names in every.items() if names or kind == "choices"}


def write(run: Run, deals: int) -> None:
    """Study the first deals of the cells to look at, and keep what came of it in the folder of the run."""
    if run.experiment.keep_going:
        why = "games that fail have no winner"
        raise UsageError(f"{run.place}: a run that keeps going has no luck study: {why}")
    if not run.manifest["finished"]:
        raise UsageError(f"{run.place}: a luck study is of a whole run; run it again to finish it")
    looked = looked_at(run)
    if (fewest := min(cell.deals for cell in looked)) < FEWEST:
        raise UsageError(f"{run.place}: a luck study needs {FEWEST} deals or more, the run has {fewest}")
    places = [seating(run.experiment, cell) for cell in looked]
    table, content = (
        pl.concat(_study(run, place, min(deals, place.cell.deals)) for place in places),
        BytesIO(),
    )
    table.write_parquet(content, metadata={STREAMS: json.dumps(streams_of(places[0].table.game))})
    try:
        atomic.put(run.folder / LUCK_STUDY, content.getvalue())
        checksums.note(run.folder, {LUCK_STUDY: checksums.digest(run.folder / LUCK_STUDY)})
    except OSError as error:
        raise UsageError(f"{run.place}: cannot write there: {error.strerror or error}") from error


def looked_at(run: Run) -> list[Cell]:
    """The cells of the baseline; without one those of the first setting."""
    setting = next((cell.varied for cell in run.cells if cell.baseline), run.cells[0].varied)
    return [cell for cell in run.cells if cell.varied == setting]


def _study(run: Run, place: Seating, deals: int) -> pl.DataFrame:
    """The share of every seat in all plays of each deal, a rotation of each deal in turn."""
    games = np.array([np.arange(deals), np.arange(deals) % place.cell.rotations])
    kinds, parts = list(streams_of(place.table.game)), list[pl.DataFrame]()
    for anew in product((False, True), repeat=len(kinds)):
        redrawn = [kind for kind, new in zip(kinds, anew, strict=True) if new]
        place.table.redraw(*(stream for kind in redrawn for stream in KINDS[kind]))
        rows = _rows(place.cell, games, _shares(place, games))
        drawn = {kind: pl.lit(kind in redrawn if kind in kinds else None, pl.Boolean) for kind in KINDS}
        parts.append(
            rows.with_columns(**drawn).select(pl.col(name).cast(kind) for name, kind in COLUMNS.items())
        )
    place.table.redraw()
    _check(run, place.cell, parts[0])
    return pl.concat(parts)


def _shares(place: Seating, games: np.ndarray) -> np.ndarray:
    """The shares of the seats, of a team of the one that it is: [game, seat]."""
    most, ranks = max(1, STATES_BYTES // place.table.game.state_dtype.itemsize), list[np.ndarray]()
    for first in range(0, games.shape[1], most):
        states = place.table.play(place.lineup, place.seed, *games[:, first : first + most])
        ranks.append(states["rank"][:, : place.cell.seats])
    won = np.concatenate(ranks) == 1
    if place.cell.target is not None:
        return np.asarray(won[:, :1], np.float64)
    winners = np.maximum(1, won.sum(axis=1, keepdims=True))
    return np.asarray(won / winners, np.float64)


def _rows(cell: Cell, games: np.ndarray, shares: np.ndarray) -> pl.DataFrame:
    many, seats = shares.shape
    deals, rotations = (np.repeat(one, seats) for one in games)
    place = {"deal": deals, "rotation": rotations, "seat": np.tile(np.arange(seats), many)}
    return pl.DataFrame(place | {"share": shares.ravel()}).with_columns(cell=pl.lit(cell.index))


def _check(run: Run, cell: Cell, again: pl.DataFrame) -> None:
    """Refuse games that, with their own luck, are no longer what the log says."""
    key, deals = ["deal", "rotation", "seat"], again["deal"].n_unique()
    logged = run.only([cell.index]).between(0, deals).seats().filter(pl.col("cell") == cell.index)
    known = logged.select(pl.col(key).cast(pl.Int64), logged="share").collect(engine="streaming")
    both = again.select(pl.col(key).cast(pl.Int64), "share").join(known, on=key, how="left")
    other = both.filter(pl.col("share").ne_missing(pl.col("logged"))).sort(key)
    if other.height:
        where = f"deal {other['deal'][0]} of cell {cell.index}"
        raise UsageError(f"{run.place}: {where} is no longer played as the log says: {changed_since(run)}")
