"""Rule sets on the same deals: the difference found against the one known, and how often its intervals cover it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from simkit.runlog import Run
from simkit.stats.deals import paired_difference
from simkit.validate.coverage import ALLOWANCE, FEWEST, LEVEL, REPLICATIONS, SMALL
from simkit.validate.result import Result, Subject, measured
from simkit.validate.runs import Question, Runs
from simkit.validate.same import Values, first_seat


def checks(runs: Runs, base: Question, run: Run, others: list[Question]) -> Iterator[Result]:
    """The first other cell of the same lineup whose share of seat 0 is known, played on the deals of `run`."""
    known = _share(base)
    for other in others:
        value = _share(other)
        if known is not None and value is not None and other.lineups == base.lineups:
            there = runs.play(other.lineups, other.options, runs.seed)
            of = Subject(runs.game.name, f"{base.words} - {other.words}")
            yield from _difference(of, first_seat(run), first_seat(there), known - value)
            return


def _share(question: Question) -> float | None:
    return next(
        (one.value for one in question.known if (one.column, one.seat, one.equals) == ("share", 0, None)),
        None,
    )


def _difference(of: Subject, here: Values, there: Values, known: float) -> Iterator[Result]:
    """The difference of all deals, and the intervals of many small parts of them."""
    gap, error = paired_difference(here, there), math.sqrt(float((here - there).var(ddof=1)) / here.size)
    yield measured(
        of, "difference of the share of seat 0 on the same deals", known, gap.difference, error, gap.deals
    )
    times = min(REPLICATIONS, here.size // SMALL)
    if times >= FEWEST:
        parts = [slice(SMALL * i, SMALL * (i + 1)) for i in range(times)]
        found = [paired_difference(here[part], there[part], bound=1.0) for part in parts]
        covered = sum(one.low <= known <= one.high for one in found) / times
        said = f"{100 * LEVEL:.0f} % intervals of {SMALL} deals that cover this difference"
        yield measured(of, said, LEVEL, covered, math.sqrt(LEVEL * (1 - LEVEL) / times), times, ALLOWANCE)
