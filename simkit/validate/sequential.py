"""Does looking all the time mislead? One long run is cut into smaller ones, and each is looked at after every deal."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from simkit.game import Known
from simkit.runlog import Run
from simkit.stats.betting import log_capital, log_capital_below
from simkit.stats.verdicts import evidence
from simkit.validate.result import Result, Subject, measured
from simkit.validate.runs import Question

RATE, MARGIN, EDGE = 0.05, 0.02, 1e-9
LENGTH, REPLICATIONS, FEWEST = 500, 2_000, 20  # deals of a run, runs at most, runs at least


def checks(run: Run, question: Question) -> Iterator[Result]:
    """For seat 0, if its share is known: how many runs ever show an interval without the known value, or a wrong verdict."""
    times = min(REPLICATIONS, run.experiment.deals // LENGTH)
    known = next((one for one in question.known if one.column == "share" and one.seat == 0), None)
    if known is None or times < FEWEST:
        return
    of, error = Subject(run.experiment.game, question.words), math.sqrt(RATE * (1 - RATE) / times)
    values, counts = _looks(run, times)
    for said, wrong in (
        ("interval without the known share", _missed(values, counts, known)),
        ("verdict", _wrong(run, values, counts, known)),
    ):
        found = float(wrong.any(axis=1).mean())
        yield measured(
            of,
            f"{LENGTH}-deal runs with a wrong {said} at any look",
            0.0,
            found,
            error,
            times,
            allowance=RATE,
        )


def _looks(run: Run, times: int) -> tuple[np.ndarray, np.ndarray]:
    """The values seen, and counts[run, look, value] after each deal."""
    rows = run.seats().filter((pl.col("seat") == 0) & (pl.col("deal") < times * LENGTH))
    means = rows.group_by("deal").agg(pl.col("share").mean()).sort("deal").collect()["share"].to_numpy()
    values, place = np.unique(means, return_inverse=True)
    return values, np.eye(len(values))[place.reshape(times, LENGTH)].cumsum(axis=1)


def _missed(values: np.ndarray, counts: np.ndarray, known: Known) -> np.ndarray:
    """Whether the 95 % confidence sequence leaves the known share out, by run and look."""
    bar = math.log(2 / RATE)
    return np.asarray(
        (log_capital(values, counts, known.value) >= bar)
        | (log_capital_below(values, counts, known.value) >= bar)
    )


def _wrong(run: Run, values: np.ndarray, counts: np.ndarray, known: Known) -> np.ndarray:
    """Whether the verdict is UNFAIR although the share is just within the margin: the case in which an error is likeliest."""
    fair = 1 / run.cells[0].seats
    found = evidence(values, counts, fair, max(MARGIN, abs(known.value - fair) + EDGE))
    return np.asarray(found.unfair >= math.log(1 / RATE))
