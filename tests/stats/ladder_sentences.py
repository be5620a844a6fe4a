"""How often a ladder says each of its sentences, and how often one is false, for true advantages.

Run it with `python -m tests.stats.ladder_sentences` (a minute); `test_ladder_sentences.py` runs a part of it.
Games of two rungs against themselves are drawn, not played: n deals of the plain one and n of the strong one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from simkit.page.words.skill import skill
from simkit.stats.deals import wilson
from simkit.stats.verdicts import NOT_SETTLED, evidence, evidence_of_cell, threshold, verdict

MARGIN = 0.02
TRUTHS = [(0, 0), (3, 3), (6, 6), (0, 1), (3, 4), (3, 2), (0, 3), (3, 6), (3, 0), (6, 3), (6.3, 3.1), (3, -3)]
DEALS = {
    "demo": (2_400, 480),
    "usual": (20_000, 1_000),
    "report": (30_000, 1_500),
    "precise": (30_000, 30_000),
}
# The mark of each sentence, and whether it is true of the advantages before and after.
SENTENCES: dict[str, Callable[[float, float], bool]] = {
    "is worth little": lambda before, after: max(abs(before), abs(after)) < MARGIN,
    "stays the same": lambda before, after: abs(after - before) < MARGIN,
    "reverses": lambda before, after: before * after < 0,
    "shrinks": lambda before, after: abs(after) < abs(before),
    "grows": lambda before, after: abs(after) > abs(before),
    " falls from": lambda before, after: after < before,
    " rises from": lambda before, after: after > before,
    "is there between": lambda before, after: after != 0,
    "is not settled whether": lambda before, after: True,
}


@cache
def row(wins: int, deals: int, rung: int) -> dict[str, Any]:
    """The row of the first seat in `rung_answers`, after so many wins on so many deals."""
    low, high = wilson(wins / deals, deals)
    seats = [evidence([0, 1], counts, 0.5, MARGIN) for counts in ([deals - wins, wins], [wins, deals - wins])]
    cell = evidence_of_cell(seats)
    word = verdict(cell, threshold([float(cell.strongest)])) if deals >= 20 else NOT_SETTLED
    front = {"strategy": f"rung {rung}", "rung": rung, "searches": rung == 1, "setting": "", "seat": 0}
    front |= {"family": ("scripted", "search")[rung]}
    return front | {"fair": 0.5, "share": wins / deals, "low": low, "high": high, "verdict": word}


def frequencies(
    truth: tuple[float, float], deals: tuple[int, int], runs: int, seed: int = 1
) -> dict[str, float]:
    """The part of so many ladders with each sentence, and with a false one; truth: in percentage points."""
    rng, (before, after) = np.random.default_rng(seed), (points / 100 for points in truth)
    plain, strong = rng.binomial(deals[0], 0.5 + before, runs), rng.binomial(deals[1], 0.5 + after, runs)
    counts: Counter[str] = Counter()
    for (first, best), times in Counter(zip(plain.tolist(), strong.tolist(), strict=True)).items():
        text = skill([row(first, deals[0], 0), row(best, deals[1], 1)], str, False, MARGIN)
        (mark,) = [mark for mark in SENTENCES if mark in text]
        counts[mark] += times
        counts["false"] += times * (
            not SENTENCES[mark](before, after) or not _rightly_called(text, before, after)
        )
    return {mark: counts[mark] / runs for mark in [*SENTENCES, "false"]}


def _rightly_called(text: str, before: float, after: float) -> bool:
    """Whether there is an advantage, or disadvantage, where one is named."""
    off = after if "is there between" in text or not before else before
    return ("disadvantage" not in text or off < 0) and (" advantage" not in text or off > 0)


def main(runs: int = 20_000) -> None:
    """Print a table per number of deals."""
    for name, deals in DEALS.items():
        print(f"{name}: {deals[0]:,} and {deals[1]:,} deals, {runs:,} ladders each; percent")
        print(
            "from to".ljust(12), *(mark.replace("is ", "")[:14].rjust(14) for mark in [*SENTENCES, "false"])
        )
        for truth in TRUTHS:
            parts = frequencies(truth, deals, runs).values()
            print(f"{truth[0]:g} {truth[1]:g}".ljust(12), *(f"{100 * part:14.1f}" for part in parts))


if __name__ == "__main__":
    main()
