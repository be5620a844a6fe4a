"""Two runs held against each other: the same deals, other luck, other rules, strategies that move."""

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from simkit.engine import registry
from simkit.engine.strategy import Strategy, Weight
from simkit.runs.run import Run
from simkit.stats.deals import paired_difference
from simkit.verify.validate.cells import ALLOWANCE, FEWEST, LEVEL, MOST, SMALL
from simkit.verify.validate.result import Result, Subject, Values, correlations, exact, measured, rate
from simkit.verify.validate.runs import Question, Runs, first_seat

AGAIN, SHARD = 20_000, 777  # deals played again, in shards of an odd size
RESULT = ["rank", "share", "score"]


def same(runs: Runs, question: Question, run: Run) -> Iterator[Result]:
    """A/A tests: on the same deals the cell is the same games; on other luck it differs by luck alone."""
    of, deals = question.subject, min(AGAIN, runs.plays)
    again = runs.play(question, runs.seed, deals, SHARD)
    said = "games that differ when the same deals are played in other batches"
    yield exact(of, said, differing(run, again), deals)
    here, there = first_seat(run), first_seat(runs.play(question, runs.seed + 1))
    yield _gap(of, "difference of the share of seat 0 between two seeds", here, there, 0.0)
    yield from correlations(of, "correlation of the same deal under two seeds", here, there)
    yield from correlations(of, "correlation of neighbouring deals", here[:-1], here[1:])


def differing(run: Run, again: Run) -> int:
    """The games of the shorter run whose rows are not those of the longer one."""
    found: set[int] = set()
    for table in ("games", "seats"):
        here, there = (getattr(one, table)().drop("cell") for one in (run, again))
        long, short = here.filter(pl.col("play") < again.experiment.deals).collect(), there.collect()
        if long.height != short.height:
            return int(again.experiment.deals)
        apart = pl.any_horizontal(long[name].ne_missing(short[name]) for name in long.columns)
        found |= set(short.filter(short.select(apart).to_series())["play"])
    return len(found)


def _gap(of: Subject, said: str, here: Values, there: Values, known: float) -> Result:
    gap, error = paired_difference(here, there), math.sqrt(float((here - there).var(ddof=1)) / here.size)
    return measured(of, said, known, gap.difference, error, gap.deals)


def paired(runs: Runs, base: Question, run: Run, others: list[Question]) -> Iterator[Result]:
    """The first other cell of the lineup whose share of seat 0 is known, played on the deals of `run`."""
    known = base.share
    for other in others:
        if known is not None and other.share is not None and other.lineups == base.lineups:
            of = Subject(base.game, f"{base.words} - {other.words}")
            there = first_seat(runs.play(other, runs.seed))
            yield from difference(of, first_seat(run), there, known - other.share)
            return


def difference(of: Subject, here: Values, there: Values, known: float) -> Iterator[Result]:
    """The difference of all deals, and how often the intervals of many small parts of them cover it."""
    yield _gap(of, "difference of the share of seat 0 on the same deals", here, there, known)
    times = min(MOST, here.size // SMALL)
    if times >= FEWEST:
        parts = (one[: SMALL * times].reshape(times, SMALL) for one in (here, there))
        found = [paired_difference(a, b, bound=1.0) for a, b in zip(*parts, strict=True)]
        held = np.array([one.low <= known <= one.high for one in found])
        said = f"{100 * LEVEL:.0f} % intervals of {SMALL} deals that cover this difference"
        yield rate(of, said, LEVEL, held, LEVEL, ALLOWANCE)


def rotation(runs: Runs) -> Iterator[Result]:
    """Equal strategies under two labels change places without a trace; others take their results along."""
    for one in registry.strategies(runs.game).values():
        if one.game is not None and one.weights:
            plain, twin, other = _labels(one)
            front = [plain] * (runs.game.seats[0] - 1)
            yield _equal(runs, [*front, twin])
            yield from _unequal(runs, [*front, other])


def _equal(runs: Runs, lineup: list[str]) -> Result:
    rows = _rows(runs, lineup)
    ways = rows.group_by("deal", "seat").agg(pl.struct(RESULT).n_unique().alias("ways"))
    changed = ways.filter(pl.col("ways") > 1)["deal"].n_unique()
    said = "deals that change when equal strategies change places"
    return exact(Subject(runs.game.name, ", ".join(lineup)), said, changed, rows["deal"].n_unique())


def _unequal(runs: Runs, lineup: list[str]) -> Iterator[Result]:
    """Rotation r of a lineup is rotation r - 1 of it moved by one seat; the log names who sat where."""
    of, seats = Subject(runs.game.name, ", ".join(lineup)), len(lineup)
    here, moved = _rows(runs, lineup), _rows(runs, lineup[1:] + lineup[:1])
    places = [lineup[(seat + turn) % seats] for seat, turn in here.select("seat", "rotation").iter_rows()]
    wrong = int((here["strategy"] != pl.Series(places)).sum())
    yield exact(of, "seats whose strategy is not the one rotated there", wrong, here.height)
    back = moved.with_columns((pl.col("rotation") + 1) % seats)
    lost = here.height - here.join(back, on=here.columns, how="semi", nulls_equal=True).height
    yield exact(of, "results that change with the order of the lineup", lost, here.height)


def _labels(one: Strategy) -> tuple[str, str, str]:
    """A strategy, the same with a default written out, and another one."""
    name, weight = next(iter(one.weights.items()))
    if isinstance(weight, Weight):
        other = f"{weight.low if weight.low != weight.default else weight.high}"
    else:
        other = next((m.name for m in type(weight.default) if m != weight.default), weight.shown)
    return one.name, f"{one.name}({name}={weight.shown})", f"{one.name}({name}={other})"


def _rows(runs: Runs, lineup: list[str]) -> pl.DataFrame:
    run = runs.play(lineup, runs.seed, min(AGAIN, runs.plays))
    strategy = pl.col("strategy").cast(pl.String)
    return run.seats().select("deal", "rotation", "seat", strategy, *RESULT).collect()
