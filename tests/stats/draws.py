"""Compute the table of people's shares in `docs/ask.md`: coverage and width of `mean_interval`, games to narrow it.

Run it with `python -m tests.stats.draws` (some minutes); `test_bounded.py` computes a part of it.
"""

import numpy as np
from scipy.special import gammaln

from simkit.page.words.numbers import about
from simkit.questions.playtests import NARROW, seat_rows
from simkit.stats.bounded import mean_interval
from tests.tables.test_playtest_tables import group

VALUES = (0.0, 0.5, 1.0)
CHANCES = np.array([*(0.0, 0.001, 0.003, 0.01, 0.02, 0.05), *np.arange(0.1, 1.001, 0.05)])
PEOPLE = ((0.5, 0.0, 0.5), (0.25, 0.0, 0.75), (0.1, 0.0, 0.9), (0.25, 0.5, 0.25), (0.1, 0.8, 0.1))


def errors(games: int) -> tuple[float, float]:
    """Return the greatest chances that an interval lies below and above the true share, over CHANCES."""
    losses, draws = np.indices((games + 1, games + 1)).reshape(2, -1)
    counts = np.column_stack([losses, draws, games - losses - draws])[losses + draws <= games]
    low, high = np.transpose([mean_interval(VALUES, tuple(row)) for row in counts.tolist()])
    chances = np.array([(a, b, max(0.0, 1 - a - b)) for a in CHANCES for b in CHANCES if a + b <= 1 + 1e-9])
    ways = gammaln(games + 1) - gammaln(counts + 1).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(counts[:, None] > 0, counts[:, None] * np.log(chances), 0.0).sum(axis=2)
    likely, true = np.exp(logs + ways[:, None]), chances @ np.array(VALUES)
    below, above = (likely * (high[:, None] < true - 1e-9)), likely * (low[:, None] > true + 1e-9)
    return float(below.sum(axis=0).max()), float(above.sum(axis=0).max())


def widths_after(chances: tuple[float, ...], games: int, series: int) -> np.ndarray:
    """Return half the widths after as many more games as a first series of games asks for."""
    rng, halves = np.random.default_rng(games), []
    for _ in range(series):
        shares = rng.choice(VALUES, games, p=chances)
        more = seat_rows(group(shares.tolist(), [0.0, 1.0]), 0)[0][-1]
        if more:
            row = seat_rows(
                group([*shares, *rng.choice(VALUES, about(int(more)), p=chances)], [0.0, 1.0]), 0
            )[0]
            halves.append((row[5] - row[4]) / 2)
    return np.array(halves)


def main() -> None:
    """Print the tables."""
    for games in (1, 2, 5, 10, 20, 40):
        below, above = errors(games)
        print(f"| {games} | {100 * below:.2f} % | {100 * above:.2f} % |", flush=True)
    for chances in PEOPLE:
        for games in (5, 12, 30):
            halves = widths_after(chances, games, 500)
            ends = np.quantile(halves, [0.05, 0.5, 0.95]) * 100
            share = np.mean(halves < 1.05 * NARROW)
            print(
                f"| {chances} | {games} | {ends.round(1)} | {100 * share:.0f} % | {len(halves)} |", flush=True
            )


if __name__ == "__main__":
    main()
