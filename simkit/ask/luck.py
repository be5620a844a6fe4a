"""Luck study: deals of a run replayed with new luck of the setup, of play or of choices.

The name of a stream says its kind of luck: the setup (deal/...), play (nature/...), or a seat's own choices.
Each deal is played with every combination of old and new luck of the kinds that the game has. The games with
all luck unchanged must agree with the log.
"""

import json
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from simkit.engine.game import SIDE, Game
from simkit.errors import UsageError
from simkit.runs.folder import LUCK_STUDY, Run
from simkit.runs.log import shares
from simkit.runs.narrate import describe_changes
from simkit.runs.plan import Cell
from simkit.runs.play import STATES_BYTES, Seating, seating
from simkit.runs.storage import checksums
from simkit.tables.findings import cells_to_look_at
from simkit.tables.luck import STREAMS

FEWEST = 100  # deals; intervals from fewer deals are too narrow
KINDS = {
    "setup": ("deal",),
    "play": ("nature",),
    "choices": ("choice", "blunder"),
}  # kind of luck -> prefixes of its streams
COLUMNS: dict[str, Any] = {"cell": pl.Int32, "deal": pl.Int64, "rotation": pl.Int32, "seat": pl.Int32}
COLUMNS |= dict.fromkeys(KINDS, pl.Boolean) | {"share": pl.Float64}


def streams_of(game: Game) -> dict[str, list[str]]:
    """Return the names of the streams by kind of luck; every game has choices."""
    named = [name.partition("/") for name in game.streams]
    streams = {kind: [name for head, _, name in named if head in heads] for kind, heads in KINDS.items()}
    return {kind: names for kind, names in streams.items() if names or kind == "choices"}


def write(run: Run, deals: int) -> None:
    """Study the first deals of the baseline cells, and write the table to the folder of the run."""
    if run.experiment.keep_going:
        reason = "failed games have no winner"
        raise UsageError(f"{run.place}: a run with --keep-going has no luck study: {reason}")
    if not run.manifest.finished:
        raise UsageError(f"{run.place}: a luck study needs a finished run; run it again to finish it")
    cells = run.only(cells_to_look_at(run)).cells
    if (fewest := min(cell.deals for cell in cells)) < FEWEST:
        raise UsageError(f"{run.place}: a luck study needs {FEWEST} deals or more, the run has {fewest}")
    players = [seating(run.experiment, cell) for cell in cells]
    table = pl.concat(_study(run, player, min(deals, player.cell.deals)) for player in players)
    streams = json.dumps(streams_of(players[0].table.game))
    try:
        checksums.attach(run.folder, LUCK_STUDY, table, **{STREAMS: streams})
    except OSError as error:
        raise UsageError(f"{run.place}: cannot write there: {error.strerror or error}") from error


def _study(run: Run, player: Seating, deals: int) -> pl.DataFrame:
    """Return the share of every seat in all replays of each deal, one rotation per deal in turn."""
    games = np.array([np.arange(deals), np.resize(player.cell.turns, deals)])
    kinds, parts = list(streams_of(player.table.game)), list[pl.DataFrame]()
    for flags in product((False, True), repeat=len(kinds)):
        redrawn = dict(zip(kinds, flags, strict=True))
        player.table.redraw(*(stream for kind in kinds if redrawn[kind] for stream in KINDS[kind]))
        drawn = {kind: pl.lit(redrawn.get(kind), pl.Boolean) for kind in KINDS}
        rows = _rows(player.cell, games, _shares(player, games)).with_columns(**drawn)
        parts.append(rows.select(pl.col(name).cast(kind) for name, kind in COLUMNS.items()))
    player.table.redraw()
    _check(run, player.cell, parts[0])
    return pl.concat(parts)


def _shares(player: Seating, games: np.ndarray) -> np.ndarray:
    """Return the shares [game, seat]; with a single column, of a team or of the first of two sides."""
    game, parts = player.table.game, list[np.ndarray]()
    batch = max(1, STATES_BYTES // game.state_dtype.itemsize)
    for first in range(0, games.shape[1], batch):
        states = player.table.play(player.lineup, player.seed, *games[:, first : first + batch])
        parts.append(_judged_columns(game, states, shares(game, states, player.cell.seats)))
    return np.concatenate(parts)


def _judged_columns(game: Game, states: np.ndarray, won: np.ndarray) -> np.ndarray:
    """Return the column of a team or of the first of two sides, half where nobody wins; else all columns."""
    if not game.rival_sides:
        return won[:, : 1 if game.team else None]
    is_first = states["log"]["seat"][SIDE][:, : won.shape[1]] == game.rival_sides[0]
    return np.asarray((won * is_first).max(axis=1) + 0.5 * ~won.any(axis=1))[:, np.newaxis]


def _rows(cell: Cell, games: np.ndarray, shares: np.ndarray) -> pl.DataFrame:
    """Return the shares as rows by deal, rotation and seat."""
    count, seats = shares.shape
    deals, rotations = (np.repeat(column, seats) for column in games)
    columns = {"deal": deals, "rotation": rotations, "seat": np.tile(np.arange(seats), count)}
    return pl.DataFrame(columns | {"share": shares.ravel()}).with_columns(cell=pl.lit(cell.index))


def _check(run: Run, cell: Cell, replayed: pl.DataFrame) -> None:
    """Raise UsageError where a game with unchanged luck no longer agrees with the log."""
    key, deals = ["deal", "rotation", "seat"], replayed["deal"].n_unique()
    logged = run.only([cell.index]).between(0, deals).seats().filter(pl.col("cell") == cell.index)
    logged = run.judged_rows(logged) if run.sides else logged
    logged_shares = logged.select(pl.col(key).cast(pl.Int64), logged="share").collect(engine="streaming")
    both = replayed.select(pl.col(key).cast(pl.Int64), "share").join(logged_shares, on=key, how="left")
    differing = both.filter(pl.col("share").ne_missing(pl.col("logged"))).sort(key)
    if differing.height:
        location = f"deal {differing['deal'][0]} of cell {cell.index}"
        raise UsageError(
            f"{run.place}: {location} is no longer played as the log says: {describe_changes(run)}"
        )
