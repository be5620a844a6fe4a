"""Seats: equal strategies under two labels may change places without a trace; unequal ones take their results along."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from simkit import catalogue
from simkit.runlog import Run
from simkit.strategy import Strategy, Weight
from simkit.validate.result import Result, Subject, exact
from simkit.validate.runs import Runs

DEALS = 20_000
RESULT = ["rank", "share", "score"]


def checks(runs: Runs) -> Iterator[Result]:
    """For each strategy of the game's own that has weights."""
    for one in catalogue.strategies(runs.game).values():
        if one.game is not None and one.weights:
            yield from _checks_of(runs, one)


def _checks_of(runs: Runs, one: Strategy) -> Iterator[Result]:
    seats = runs.game.seats[0]
    plain, twin, other = _labels(one)
    yield _equal(runs, [plain] * (seats - 1) + [twin])
    yield from _unequal(runs, [plain] * (seats - 1) + [other])


def _equal(runs: Runs, lineup: list[str]) -> Result:
    """Every rotation of a deal between equal strategies has the same results."""
    results = _rows(runs, lineup).group_by("deal", "seat").agg(pl.struct(RESULT).n_unique().alias("ways"))
    changed = results.filter(pl.col("ways") > 1)["deal"].n_unique()
    return exact(
        Subject(runs.game.name, ", ".join(lineup)),
        "deals that change when equal strategies change places",
        changed,
        _deals(runs),
    )


def _unequal(runs: Runs, lineup: list[str]) -> Iterator[Result]:
    """Rotation r of a lineup is rotation r - 1 of the lineup moved by one seat; the log names who sat where."""
    of, seats = Subject(runs.game.name, ", ".join(lineup)), len(lineup)
    here, moved = _rows(runs, lineup), _rows(runs, lineup[1:] + lineup[:1])
    places = [lineup[(seat + turn) % seats] for seat, turn in here.select("seat", "rotation").iter_rows()]
    wrong = int((here["strategy"] != pl.Series(places)).sum())
    yield exact(of, "seats whose strategy is not the one rotated there", wrong, here.height)
    back = moved.with_columns((pl.col("rotation") + 1) % seats)
    kept = here.join(back, on=here.columns, how="semi", nulls_equal=True)
    yield exact(
        of, "results that change with the order of the lineup", here.height - kept.height, here.height
    )


def _deals(runs: Runs) -> int:
    return min(DEALS, runs.plays)


def _labels(one: Strategy) -> tuple[str, str, str]:
    """A strategy, the same with a default written out, and another one."""
    name, weight = next(iter(one.weights.items()))
    if isinstance(weight, Weight):
        values = [str(weight.default), str(weight.low if weight.low != weight.default else weight.high)]
    else:
        values = [
            weight.default.name,
            next((m.name for m in type(weight.default) if m != weight.default), weight.default.name),
        ]
    return one.name, f"{one.name}({name}={values[0]})", f"{one.name}({name}={values[1]})"


def _rows(runs: Runs, lineup: list[str]) -> pl.DataFrame:
    """The results of every seat in every rotation of a lineup."""
    run: Run = runs.play([lineup], {}, runs.seed, _deals(runs))
    kept = run.seats().select("deal", "rotation", "seat", pl.col("strategy").cast(pl.String), *RESULT)
    return kept.collect()
