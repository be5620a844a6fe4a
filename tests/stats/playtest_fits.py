"""Simulate the tables of playtests in `docs/ask.md`: how often the right player stays possible, wrong ones not.

Run it with `python -m tests.stats.playtest_fits` (some minutes); `test_playtest_fits.py` runs a part of it.
"""

from collections.abc import Iterator, Sequence
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import stats

import simkit
from simkit.questions.playtests import by_game, results_of, share_of
from simkit.stats.playtests import ERROR, fits

SIZES = (5, 10, 30, 100)
SERIES, SIMULATED = 1_200, 2_000  # series of each size; games of each simulated player
POOL = 30_000  # games of each player from which both are drawn
GAPS = 1 / 3  # of the cells of a sheet that are empty
PLAYERS = {
    "pig": ("hold_at(threshold=15)", "hold_at(threshold=20)", "hold_at(threshold=25)", "random"),
    "outpost_seven": ("reference_greedy", "greedy", "hoarder", "line_banker", "cube_rush", "random"),
}
SEATS = (0.5, 0.25, 0.25)  # wins of three simulated seats, beside those of people
PEOPLE = ((0.5, 0.45, 0.05, 20), (0.5, 0.45, 0.05, 200), (0.5, 0.35, 0.15, 100), (*SEATS, 100))


class Tally(NamedTuple):
    """What one series of games says."""

    covered: bool  # the interval of the first player's share holds the true one
    possible: bool  # the right player stays possible
    gaps: bool  # also if a part of the cells is empty
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
        people, simulated = results_of((cells, picks[right][:size], [part[size:] for part in picks]))
        full = fits([(people, simulated)], draws=199, seed=number)
        gaps = np.where(rng.random(people.shape) < GAPS, np.nan, people)
        some = fits([(gaps, simulated)], draws=199, seed=number)
        low, high = share_of(picks[right][:size, 0, 0])[1:3]
        left, best = int((full.p > ERROR).sum()), full.order[0] == right
        possible = bool(full.p[right] > ERROR), bool(some.p[right] > ERROR)
        yield Tally(bool(low <= shares[right] <= high), *possible, best, left)


def ruled_out(people: Sequence[float], games: int, series: int) -> tuple[float, float]:
    """Return how often a player is ruled out by who wins among three seats, and by a chi-square test."""
    rng, out = np.random.default_rng(games), []
    for number in range(series):
        own, other = (rng.choice(3, n, p=p)[:, None] for n, p in ((games, people), (SIMULATED, SEATS)))
        p = fits([(own.astype(float), [other.astype(float)])], draws=199, seed=number).p[0]
        table = [np.bincount(part[:, 0], minlength=3) for part in (own, other)]
        out.append((p <= ERROR, stats.chi2_contingency(table, correction=False).pvalue <= ERROR))
    share, usual = np.mean(out, axis=0).tolist()
    return share, usual


def main() -> None:
    """Print the tables."""
    for *people, games in PEOPLE:
        share, usual = ruled_out(people, int(games), SERIES)
        print(f"| {people} | {games} | {100 * share:.1f} % | {100 * usual:.1f} % |", flush=True)
    for game, players in PLAYERS.items():
        for size in SIZES:
            rows = np.array(list(tallies(game, size, SERIES)), float)
            *parts, best, left = rows.mean(axis=0)
            shares = " | ".join(f"{100 * part:.1f} %" for part in parts)
            print(
                f"| {game} | {size} | {shares} | {100 * best:.0f} % | {left:.1f} of {len(players)} | {len(rows):,} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
