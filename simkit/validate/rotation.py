"""Seats: equal strategies under two labels may change places without a trace; unequal ones take their results along."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from simkit import catalogue
from simkit.runlog import Run
from simkit.strategy import Strategy, Weight
from simkit.validate.result import Result, exact
from simkit.validate.runs import Runs

DEALS = 20_000
RESULT = ["rank", "share", "score"]


def checks(runs: Runs) -> Iterator[Result]:
    """For each strategy of the game's own that has weights."""
    for one in catalogue.strategies(runs.game).values():
        if one.game is not None and one.weights:
            yield from _checks_of(runs, one)


def _checks_of(runs: Runs, one: Strategy) -> Iterator[Result]:
    name, seats, deals = runs.game.name, runs.game.seats[0], min(DEALS, runs.plays)
    plain, twin, other = _labels(one)
    twins = _rows(runs, [plain] * (seats - 1) + [twin], deals)
    changed = twins.group_by("deal", "seat").agg(pl.struct(RESULT).n_unique().alias("ways")).filter(pl.col("ways") > 1)
    yield exact(name, f"deals that change when {plain} and {twin} change places", changed["deal"].n_unique(), deals)
    mixed = [plain] * (seats - 1) + [other]
    here, moved = _rows(runs, mixed, deals), _rows(runs, mixed[1:] + mixed[:1], deals)
    places = [mixed[(seat + turn) % seats] for seat, turn in here.select("seat", "rotation").iter_rows()]
    wrong = (here["strategy"] != pl.Series(places)).sum()
    yield exact(name, f"seats whose strategy is not the one rotated there ({', '.join(mixed)})", int(wrong), here.height)
    back = moved.with_columns((pl.col("rotation") + 1) % seats)
    kept = here.join(back, on=here.columns, how="semi", nulls_equal=True)
    yield exact(name, f"results that change with the order of the lineup ({', '.join(mixed)})", here.height - kept.height, here.height)


def _labels(one: Strategy) -> tuple[str, str, str]:
    """A strategy, the same with a default written out, and another one."""
    name, weight = next(iter(one.weights.items()))
    if isinstance(weight, Weight):
        values = [str(weight.default), str(weight.low if weight.low != weight.default else weight.high)]
    else:
        values = [weight.default.name, next((m.name for m in type(weight.default) if m != weight.default), weight.default.name)]
    return one.name, f"{one.name}({name}={values[0]})", f"{one.name}({name}={values[1]})"


def _rows(runs: Runs, lineup: list[str], deals: int) -> pl.DataFrame:
    """The results of every seat in every rotation of a lineup."""
    run: Run = runs.play([lineup], {}, runs.seed, deals)
    kept = run.seats().select("deal", "rotation", "seat", pl.col("strategy").cast(pl.String), *RESULT)
    return kept.collect()
