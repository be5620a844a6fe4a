"""Checks of pairs of runs: the same deals, another seed, other rules, strategies that change seats."""

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from simkit.engine import registry
from simkit.engine.strategy import NamedChoice, Strategy, Weight
from simkit.runs.folder import Run
from simkit.stats.deals import difference_from_moments
from simkit.verify.validate.cells import ALLOWANCE, LEVEL, MAX_RUNS, MIN_RUNS, SMALL_RUN
from simkit.verify.validate.result import Result, Subject, Values, correlations, exact, measured, rate
from simkit.verify.validate.runs import Question, Runs, first_seat

REPLAYED_DEALS, SHARD = 20_000, 777  # deals that are played a second time, in shards of an odd size


def same(runs: Runs, question: Question, run: Run) -> Iterator[Result]:
    """Run A/A tests: the same deals give the same games, another seed gives differences by luck alone."""
    subject, deals = question.subject, min(REPLAYED_DEALS, runs.plays)
    repeated = runs.play(question, runs.seed, deals, SHARD)
    check = "games that differ when the same deals are played in other batches"
    yield exact(subject, check, differing(run, repeated), deals)
    shares, other_shares = first_seat(run), first_seat(runs.play(question, runs.seed + 1))
    yield _gap(subject, "difference of the share of seat 0 between two seeds", shares, other_shares, 0.0)
    yield from correlations(subject, "correlation of the same deal under two seeds", shares, other_shares)
    yield from correlations(subject, "correlation of neighbouring deals", shares[:-1], shares[1:])


def differing(run: Run, repeated: Run) -> int:
    """Return the number of games in the shorter, repeated run whose rows differ from the longer run's."""
    plays: set[int] = set()
    for table in ("games", "seats"):
        rows, repeated_rows = (getattr(played, table)() for played in (run, repeated))
        first = rows.filter(pl.col("play") < repeated.experiment.deals).collect()
        plays |= set(first.join(repeated_rows.collect(), first.columns, "anti", nulls_equal=True)["play"])
    return len(plays)


def _gap(subject: Subject, check: str, first: Values, second: Values, expected: float) -> Result:
    """Check the mean difference of two arrays of values by deal."""
    mean, variance = _moments(first - second)
    return measured(subject, check, expected, mean, math.sqrt(variance / first.size), first.size)


def _moments(values: Values) -> tuple[float, float]:
    """Return mean and sample variance."""
    return float(values.mean()), float(values.var(ddof=1))


def paired(runs: Runs, base: Question, run: Run, others: list[Question]) -> Iterator[Result]:
    """Check the difference to the first other cell with a known share, on the same deals and lineup."""
    share = base.share
    for other in others:
        if share is not None and other.share is not None and other.lineup == base.lineup:
            subject = Subject(base.game, f"{base.words} - {other.words}")
            other_shares = first_seat(runs.play(other, runs.seed))
            yield from difference(subject, first_seat(run), other_shares, share - other.share)
            return


def difference(subject: Subject, first: Values, second: Values, expected: float) -> Iterator[Result]:
    """Check the difference over all deals, and how often intervals of small parts of them cover it."""
    yield _gap(subject, "difference of the share of seat 0 on the same deals", first, second, expected)
    run_count = min(MAX_RUNS, first.size // SMALL_RUN)
    if run_count >= MIN_RUNS:
        runs = (first - second)[: SMALL_RUN * run_count].reshape(run_count, SMALL_RUN)
        intervals = [difference_from_moments(*_moments(gaps), 0.0, SMALL_RUN, bound=1.0) for gaps in runs]
        covered = np.array([interval.low <= expected <= interval.high for interval in intervals])
        check = f"{100 * LEVEL:.0f} % intervals of {SMALL_RUN} deals that cover this difference"
        yield rate(subject, check, LEVEL, covered, LEVEL, ALLOWANCE)


def rotation(runs: Runs) -> Iterator[Result]:
    """Check that rotation r of a lineup is rotation r - 1 moved by one seat, with the strategies logged."""
    for strategy in registry.scripted(runs.game).values():
        if strategy.game is None or not strategy.weights:
            continue
        lineup = [strategy.name] * (runs.game.seats[0] - 1) + [_varied(strategy)]
        subject, seats = Subject(runs.game.name, ", ".join(lineup)), len(lineup)
        rows, moved = _rows(runs, lineup), _rows(runs, lineup[1:] + lineup[:1])
        places = [lineup[(seat + turn) % seats] for seat, turn in rows.select("seat", "rotation").iter_rows()]
        wrong = int((rows["strategy"] != pl.Series(places)).sum())
        yield exact(subject, "seats whose strategy is not the one rotated there", wrong, rows.height)
        back = moved.with_columns((pl.col("rotation") + 1) % seats)
        changed = rows.join(back, on=rows.columns, how="anti", nulls_equal=True).height
        yield exact(subject, "results that change with the order of the lineup", changed, rows.height)


def _varied(strategy: Strategy) -> str:
    """Return the label of a strategy with another value of its first weight than the default."""
    name, weight = next(iter(strategy.weights.items()))
    if isinstance(weight, Weight):
        return f"{strategy.name}({name}={weight.low if weight.low != weight.default else weight.high})"
    assert isinstance(weight, NamedChoice)
    others = [member.name for member in type(weight.default) if member != weight.default]
    return f"{strategy.name}({name}={[*others, weight.default_text][0]})"


def _rows(runs: Runs, lineup: list[str]) -> pl.DataFrame:
    """Return the results of a lineup by deal, rotation and seat."""
    question = Question(runs.game.name, lineup, {}, [])
    run = runs.play(question, runs.seed, min(REPLAYED_DEALS, runs.plays))
    strategy = pl.col("strategy").cast(pl.String)
    return run.seats().select("deal", "rotation", "seat", strategy, "rank", "share", "score").collect()
