"""Simulate the table of playtests in `docs/ask.md`: how often the right player stays possible and fits best.

Run it with `python -m tests.stats.playtest_fits` (some minutes); `test_playtest_fits.py` runs a part of it.
"""

from collections.abc import Iterator, Sequence
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import polars as pl

import simkit
from simkit.analysis.playtests import ERROR, by_game, codes_of, seat_rows
from simkit.stats.playtests import fits

SIZES = (10, 30, 100)
SERIES, SIMULATED = 1_200, 2_000  # series of each size; games of each simulated player
POOL = 30_000  # games of each player from which both are drawn
PLAYERS = {
    "pig": ("hold_at(threshold=15)", "hold_at(threshold=20)", "hold_at(threshold=25)", "random"),
    "outpost_seven": ("reference_greedy", "greedy", "hoarder", "line_banker", "cube_rush", "random"),
}


class Tally(NamedTuple):
    """What one series of games says."""

    covered: bool  # the exact interval of the first player's share holds the true one
    possible: bool  # the right player stays possible
    best: bool  # it fits best
    left: int  # players that remain possible


def played(game: str, players: Sequence[str], deals: int, seed: int) -> tuple[list[Any], list[np.ndarray]]:
    """Return the cells and games of mirror lineups."""
    keys = {"game": game, "question": "Who wins?", "deals": deals, "seed": seed}
    with TemporaryDirectory() as folder:
        lineups = [[name, name] for name in players]
        run = simkit.run(keys | {"lineups": lineups}, confirm=False, out=folder, progress=False).run
        seats = run.seats().select("play", "cell", "seat", "share", "score")
        rows = seats.join(run.games().select("play", "turns"), on="play").collect().lazy()
        return run.cells, [by_game(rows.filter(pl.col("cell") == cell.index), 2) for cell in run.cells]


def tallies(game: str, size: int, series: int, pool: int = POOL) -> Iterator[Tally]:
    """Yield the tally of each series of `size` games, drawn from each player in turn."""
    cells, games = played(game, PLAYERS[game], pool, seed=1)
    rng, shares = np.random.default_rng(size), [part[:, 0, 0].mean() for part in games]
    for number in range(series):
        right = number % len(games)
        picks = [part[rng.choice(len(part), size + SIMULATED, replace=False)] for part in games]
        group = (cells, picks[right][:size], [part[size:] for part in picks])
        _, total, p, _ = fits([codes_of(group)], draws=199, seed=number)
        possible, best = p > ERROR, int(total.argmin()) == right
        low, high = seat_rows(group, right)[0][4:6]
        covered = bool(low <= shares[right] <= high)
        yield Tally(covered, bool(possible[right]), best, int(possible.sum()))


def main() -> None:
    """Print the table."""
    for game, players in PLAYERS.items():
        for size in SIZES:
            rows = np.array(list(tallies(game, size, SERIES)), float)
            covered, possible, best, left = rows.mean(axis=0)
            print(
                f"| {game} | {size} | {100 * covered:.1f} % | {100 * possible:.1f} % | {100 * best:.0f} % |"
                f" {left:.1f} of {len(players)} | {len(rows):,} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
