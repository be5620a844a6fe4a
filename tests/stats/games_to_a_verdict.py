"""Simulate the tables of `simkit/stats/README.md`: games to a verdict, and how often a verdict is wrong.

Run it with `python -m tests.stats.games_to_a_verdict` (some minutes); `test_verdicts.py` runs a part of it.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from simkit.runs.plan import schedule
from simkit.stats.sprt import score_of_elo
from simkit.stats.verdicts import Evidence, evidence, evidence_of_cell

BAR, SPRT, MARGIN = math.log(20), 2.944, 0.02
CLAIMS = ("FAIR", "BORDERLINE", "UNFAIR")
NEVER = np.iinfo(np.int64).max


class Runs(NamedTuple):
    """Simulated runs of single games: the analysis at which each first reached something, NEVER if none."""

    ends: np.ndarray  # games at each analysis
    won: np.ndarray  # [run, analysis, seat] games won
    reached: np.ndarray  # [claim, run] by CLAIMS
    unequal: np.ndarray  # [run]

    @property
    def first(self) -> np.ndarray:
        """The analysis of the first claim."""
        return self.reached.min(axis=0)

    @property
    def verdicts(self) -> np.ndarray:
        """The place in CLAIMS of each verdict, of two at once BORDERLINE; -1: not settled."""
        together = (self.reached == self.first).sum(axis=0) > 1
        claim = np.where(together, CLAIMS.index("BORDERLINE"), self.reached.argmin(axis=0))
        return np.where(self.first == NEVER, -1, claim)

    def games(self, analysis: np.ndarray) -> np.ndarray:
        """The games of some analyses; of those that never came the most that were played."""
        return self.ends[np.minimum(analysis, len(self.ends) - 1)]


def simulate(shares: Sequence[float], most: int, runs: int, seed: int = 1) -> Runs:
    """Play runs of single games up to `most`, analysed by the tool's own schedule."""
    ends, rng, fair = np.array(schedule(most)), np.random.default_rng(seed), 1 / len(shares)
    steps = [rng.multinomial(step, shares, runs) for step in np.diff([0, *ends])]
    won = np.stack(steps, axis=1).cumsum(axis=1)
    seats = [np.stack([ends - mine, mine], axis=-1) for mine in np.moveaxis(won, -1, 0)]
    expected: Evidence = evidence_of_cell([evidence([0, 1], counts, fair, MARGIN) for counts in seats])
    reached = [first(expected.fair), first(expected.borderline), first(expected.unfair)]
    return Runs(ends, won, np.stack(reached), first(expected.unequal))


def first(logs: np.ndarray, bar: float = BAR) -> np.ndarray:
    """The first analysis at which each run [run, analysis] reaches the bar."""
    there = logs >= bar
    return np.where(there.any(axis=1), there.argmax(axis=1), NEVER)


def sprts(of: Runs, near: float, far: float) -> tuple[np.ndarray, np.ndarray]:
    """Two sequential tests (Wald 1945) of 1/2 + near against 1/2 + far, and of the same on the other side.

    Returns the analysis at which both have ended, or one of them for `far`, and whether one did.
    """
    ups = math.log((0.5 + far) / (0.5 + near)), math.log((0.5 - far) / (0.5 - near))
    ratios = [of.won @ np.array(ups), of.won @ np.array(ups[::-1])]
    off, near_by = first(np.maximum(*ratios), SPRT), first(-np.maximum(*ratios), SPRT)
    return np.minimum(off, near_by), off < near_by


def moved(seats: int, off: float, alone: bool) -> list[float]:
    """Shares of which one is off and all others make up for it, or which are all off."""
    fair = 1 / seats
    if alone or seats % 2:
        return [fair + off, *[fair - off / (seats - 1)] * (seats - 1)]
    return [fair + off] * (seats // 2) + [fair - off] * (seats // 2)


def wrong(off: float) -> list[str]:
    """The claims that are wrong of a game in which the farthest seat is so far off."""
    truths = [off < MARGIN, MARGIN / 2 < off < 1.5 * MARGIN, off > MARGIN]
    return [claim for claim, true in zip(CLAIMS, truths, strict=True) if not true]


def print_costs(runs: int) -> None:
    print("| true share | verdict | games | median | 95 % by | NOT EQUAL | SPRTs 50 : 52 | SPRTs 51 : 53 |")
    for share, most in [(0.5, 100_000), (0.51, 200_000), (0.515, 400_000), (0.52, 200_000), (0.53, 200_000),
                        (0.54, 60_000), (0.56, 20_000), (0.6, 10_000)]:  # fmt: skip
        of = simulate([share, 1 - share], most, runs)
        games, unequal = of.games(of.first), of.games(of.unequal)
        message = [f"{claim} {(of.verdicts == place).mean():.1%}" for place, claim in enumerate(CLAIMS)]
        message.append(f"open {(of.verdicts == -1).mean():.1%}")
        tests = [sprts(of, near, far) for near, far in ((0.0, 0.02), (0.01, 0.03))]
        cells = [f"{of.games(end).mean():,.0f} (off {off.mean():.1%})" for end, off in tests]
        expected = f"{unequal.mean():,.0f} ({(of.unequal < NEVER).mean():.1%})"
        middle, late = np.quantile(games, [0.5, 0.95])
        print(f"| {share} | {', '.join(message)} | {games.mean():,.0f} | {middle:,.0f} | {late:,.0f} | {expected} |",
              " | ".join(cells), "|", flush=True)  # fmt: skip


def print_errors(runs: int, most: int = 100_000) -> None:
    print("\n| seats | off | wrong verdicts | a wrong claim at any analysis | NOT EQUAL, if equal |")
    for seats in (2, 4):
        for off in (0.0, 0.01, 0.0101, 0.015, 0.0199, 0.02, 0.0201, 0.025, 0.0299, 0.03, 0.04):
            for alone in (True, False)[: 1 if seats == 2 or not off else 2]:
                of = simulate(moved(seats, off, alone), most, runs, seed=2)
                places = [CLAIMS.index(claim) for claim in wrong(off)]
                verdicts = [f"{CLAIMS[place]} {(of.verdicts == place).mean():.1%}" for place in places]
                ever = [f"{CLAIMS[place]} {(of.reached[place] < NEVER).mean():.1%}" for place in places]
                equal = "" if off else f"{(of.unequal < NEVER).mean():.1%}"
                how = "one seat" if alone else "all seats"
                print(
                    f"| {seats} | {off} {how} | {', '.join(verdicts)} | {', '.join(ever)} | {equal} |",
                    flush=True,
                )


RESULTS = np.array([0, 0.25, 0.5, 0.75, 1])  # of a deal of two games
EVEN_PAIRS = np.array([0.06, 0.2, 0.48, 0.2, 0.06])


def match_games(lead: float, ends: np.ndarray, elos: tuple[float, float], runs: int) -> np.ndarray:
    """The games of simulated matches with a lead in Elo, by the likelihood ratio for large samples."""
    rng, low, high = np.random.default_rng(3), *map(score_of_elo, elos)
    tilt = brentq(lambda x: tilted(x) @ RESULTS - score_of_elo(lead), -9, 9)
    counts = np.zeros((runs, RESULTS.size))
    games, before = np.full(runs, 2.0 * ends[-1]), 0
    for deals in ends:
        going = np.flatnonzero(games == 2 * ends[-1])
        if not going.size:
            break
        counts[going] += rng.multinomial(deals - before, tilted(tilt), going.size)
        mean = counts[going] @ RESULTS / deals
        variance = np.maximum(counts[going] @ RESULTS**2 / deals - mean**2, 1e-4)
        ratio = deals * (high - low) * (mean - (low + high) / 2) / variance
        games[going[np.abs(ratio) >= SPRT]] = 2 * deals
        before = deals
    return games


def tilted(tilt: float) -> np.ndarray:
    parts = EVEN_PAIRS * np.exp(tilt * RESULTS)
    return np.asarray(parts / parts.sum())


def print_matches(runs: int, most: int = 200_000) -> None:
    print("\n| lead in Elo | games of a match of 0 against 10 Elo | after every 10 deals |")
    for lead in (0.0, 5.0, 10.0, 20.0, 40.0):
        by_schedule, often = (
            match_games(lead, ends, (0.0, 10.0), runs).mean()
            for ends in (np.array(schedule(most)), np.arange(10, most // 2, 10))
        )
        print(
            f"| {lead:g} | {by_schedule:,.0f} | {often:,.0f} ({by_schedule / often - 1:+.0%}) |", flush=True
        )


if __name__ == "__main__":
    print_costs(1_000)
    print_errors(1_000)
    print_matches(6_000)
