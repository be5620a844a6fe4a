"""Checks of games with known answers: their cells, and pairs of runs that must agree or differ by luck alone.

For intervals and evidence a long run is cut into many small ones.
"""

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from simkit.engine import registry
from simkit.engine.game import KnownAnswer
from simkit.engine.strategy import NamedChoice, Strategy, Weight
from simkit.runs.folder import Run
from simkit.stats.betting import log_capital
from simkit.stats.deals import difference_from_moments
from simkit.stats.verdicts import evidence
from simkit.tables.findings import Findings, as_text
from simkit.tables.length import draws, lengths, scores
from simkit.tables.reading import deal_counts, deal_sums, means, moment, moments, shares
from simkit.tables.seats import seat_shares
from simkit.verify.validate.runs import (
    ROUNDING,
    Comparison,
    KnownCell,
    Runs,
    Subject,
    Values,
    correlations,
    exact,
    first_seat,
    judge_random_value,
    rate,
)

LEVEL, ALLOWANCE = 0.95, 0.01
SMALL_RUN, LONG_RUN = 100, 500  # deals of a small run analysed once, and of one analysed after every deal
MAX_RUNS, MIN_RUNS = 2_000, 20  # number of small runs
MARGIN, EDGE = 0.02, 1e-9
REPLAYED_DEALS, SHARD = 20_000, 777  # deals that are played a second time, in shards of an odd size


def cell_checks(run: Run, question: KnownCell) -> Iterator[Comparison]:
    """Yield the checks of known values, of the analysis tables against the log, of intervals and evidence."""
    for answer in question.known_answers:
        rows, value = _rows_of_answer(run, answer)
        row = deal_sums(rows, ["cell"], {"value": value.mean()}).collect().row(0, named=True)
        (mean, variance), deals = moment(row, "value"), row["deals"]
        yield judge_random_value(
            question.subject, answer.words, answer.value, mean, math.sqrt(variance / deals), deals
        )
    differ, n = _tables_against_log(run)
    yield exact(question.subject, "values of the analysis that differ from the log", differ, n)
    yield from intervals(run, question)
    yield from interim_analyses(run, question)


def _rows_of_answer(run: Run, answer: KnownAnswer) -> tuple[pl.LazyFrame, pl.Expr]:
    """Return the rows of the log that a known answer refers to, and its value in each row."""
    rows = run.games() if answer.seat is None else run.seats().filter(pl.col("seat") == answer.seat)
    column = as_text(answer.column) if isinstance(answer.equals, str) else pl.col(answer.column)
    return rows, (column == answer.equals if answer.equals is not None else column).cast(pl.Float64)


def _tables_against_log(run: Run) -> tuple[int, int]:
    """Return how many values of the analysis differ from plain means of the log, and their number."""
    means = pl.col("share", "score").cast(pl.Float64).mean()
    seats = run.seats().group_by("seat").agg(means).sort("seat").collect()
    judged = run.judged_rows(run.seats()).group_by("seat").agg(pl.col("share").mean()).sort("seat").collect()
    judged = judged.head(1) if run.team else judged
    games = run.games().select(pl.col("draw", "turns", "decisions").cast(pl.Float64).mean()).collect().row(0)
    findings = Findings(run)
    of_seats = [*seat_shares(findings).sort("seat")["share"], *scores(findings).sort("seat")["mean"]]
    reported = [*of_seats, draws(findings)["share"][0], *lengths(findings)["mean"]]
    plain = [*judged["share"], *seats["score"], *games]
    return sum(abs(a - b) > ROUNDING for a, b in zip(reported, plain, strict=True)), len(plain)


def intervals(run: Run, question: KnownCell) -> Iterator[Comparison]:
    """Check how often intervals cover the known share or score of the first and the last seat."""
    run_count, last = min(MAX_RUNS, run.experiment.deals // SMALL_RUN), run.cells[0].seats - 1
    seats = {0, last} if last > 1 else {0}
    for answer in question.known_answers:
        if answer.column in ("share", "score") and answer.seat in seats and run_count >= MIN_RUNS:
            check = f"{100 * LEVEL:.0f} % intervals of {SMALL_RUN} deals that cover the {answer.words}"
            yield rate(
                question.subject, check, LEVEL, _covers_known_value(run, answer, run_count), LEVEL, ALLOWANCE
            )


def _covers_known_value(run: Run, answer: KnownAnswer, run_count: int) -> np.ndarray:
    """Return whether the interval of each small run covers the known value."""
    rows, value = _rows_of_answer(run, answer)
    small = rows.with_columns((pl.col("deal") // SMALL_RUN).alias("small")).filter(
        pl.col("small") < run_count
    )
    if answer.column == "share":
        ends = shares(moments(deal_counts(small, ["small"], value.mean()).collect(), ["small"]))
    else:
        ends = means(deal_sums(small, ["small"], {"value": value.mean()}).collect(), "value")
    return ends.select(pl.lit(answer.value).is_between("low", "high")).to_series().to_numpy()


def interim_analyses(run: Run, question: KnownCell) -> Iterator[Comparison]:
    """Check how many runs analysed after every deal ever miss the known share or have a wrong verdict.

    The likeliest wrong verdict is UNFAIR for a share just within the margin.
    """
    share, run_count, wrong = question.share, min(MAX_RUNS, run.experiment.deals // LONG_RUN), 1 - LEVEL
    if share is None or run_count < MIN_RUNS:
        return
    values, index = np.unique(first_seat(run)[: run_count * LONG_RUN], return_inverse=True)
    counts = np.eye(len(values))[index.reshape(run_count, LONG_RUN)].cumsum(axis=1)  # [run, analysis, value]
    above, below = log_capital(values, counts, share), log_capital(1 - values, counts, 1 - share)
    capital = np.maximum(above, below)
    fair = run.cells[0].fair
    unfair = evidence(values, counts, fair, max(MARGIN, abs(share - fair) + EDGE)).unfair
    missed, misjudged = capital >= math.log(2 / wrong), unfair >= math.log(1 / wrong)
    for failure, failed in (("an interval without the known share", missed), ("a wrong verdict", misjudged)):
        check = f"runs of {LONG_RUN} deals with {failure} at any interim analysis"
        yield rate(question.subject, check, 0.0, np.any(failed, axis=1), wrong, wrong)


# Pairs of runs: the same deals, another seed, other rules, strategies that change seats.


def same(runs: Runs, question: KnownCell, run: Run) -> Iterator[Comparison]:
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


def _gap(subject: Subject, check: str, first: Values, second: Values, expected: float) -> Comparison:
    """Check the mean difference of two arrays of values by deal."""
    mean, variance = _moments(first - second)
    return judge_random_value(subject, check, expected, mean, math.sqrt(variance / first.size), first.size)


def _moments(values: Values) -> tuple[float, float]:
    """Return mean and sample variance."""
    return float(values.mean()), float(values.var(ddof=1))


def check_paired_difference(
    runs: Runs, base: KnownCell, run: Run, others: list[KnownCell]
) -> Iterator[Comparison]:
    """Check the difference to the first other cell with a known share, on the same deals and lineup."""
    share = base.share
    for other in others:
        if share is not None and other.share is not None and other.lineup == base.lineup:
            subject = Subject(base.game, f"{base.words} - {other.words}")
            other_shares = first_seat(runs.play(other, runs.seed))
            yield from difference(subject, first_seat(run), other_shares, share - other.share)
            return


def difference(subject: Subject, first: Values, second: Values, expected: float) -> Iterator[Comparison]:
    """Check the difference over all deals, and how often intervals of small parts of them cover it."""
    yield _gap(subject, "difference of the share of seat 0 on the same deals", first, second, expected)
    run_count = min(MAX_RUNS, first.size // SMALL_RUN)
    if run_count >= MIN_RUNS:
        runs = (first - second)[: SMALL_RUN * run_count].reshape(run_count, SMALL_RUN)
        intervals = [difference_from_moments(*_moments(gaps), 0.0, SMALL_RUN, bound=1.0) for gaps in runs]
        covered = np.array([interval.low <= expected <= interval.high for interval in intervals])
        check = f"{100 * LEVEL:.0f} % intervals of {SMALL_RUN} deals that cover this difference"
        yield rate(subject, check, LEVEL, covered, LEVEL, ALLOWANCE)


def rotation(runs: Runs) -> Iterator[Comparison]:
    """Check that rotation r of a lineup is rotation r - 1 moved by one seat, with the strategies logged."""
    for strategy in registry.scripted(runs.game).values():
        if strategy.game is None or not strategy.weights:
            continue
        lineup = [strategy.name] * (runs.game.seats[0] - 1) + [_with_other_weight(strategy)]
        subject, seats = Subject(runs.game.name, ", ".join(lineup)), len(lineup)
        rows, moved = _rows_of_lineup(runs, lineup), _rows_of_lineup(runs, lineup[1:] + lineup[:1])
        places = [lineup[(seat + turn) % seats] for seat, turn in rows.select("seat", "rotation").iter_rows()]
        wrong = int((rows["strategy"] != pl.Series(places)).sum())
        yield exact(subject, "seats whose strategy is not the one rotated there", wrong, rows.height)
        back = moved.with_columns((pl.col("rotation") + 1) % seats)
        changed = rows.join(back, on=rows.columns, how="anti", nulls_equal=True).height
        yield exact(subject, "results that change with the order of the lineup", changed, rows.height)


def _with_other_weight(strategy: Strategy) -> str:
    """Return the label of a strategy with another value of its first weight than the default."""
    name, weight = next(iter(strategy.weights.items()))
    if isinstance(weight, Weight):
        return f"{strategy.name}({name}={weight.low if weight.low != weight.default else weight.high})"
    assert isinstance(weight, NamedChoice)
    others = [member.name for member in type(weight.default) if member != weight.default]
    return f"{strategy.name}({name}={[*others, weight.default_text][0]})"


def _rows_of_lineup(runs: Runs, lineup: list[str]) -> pl.DataFrame:
    """Return the results of a lineup by deal, rotation and seat."""
    question = KnownCell(runs.game.name, lineup, {}, [])
    run = runs.play(question, runs.seed, min(REPLAYED_DEALS, runs.plays))
    strategy = pl.col("strategy").cast(pl.String)
    return run.seats().select("deal", "rotation", "seat", strategy, "rank", "share", "score").collect()
