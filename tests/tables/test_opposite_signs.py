"""Simpson's paradox in every table that says what goes with winning: the sign within seats and strategies.

The stronger group (a seat, or a strategy in both seats) has a thing seldom, the weaker one often, and in either
group those that have it win more: pooled over the groups, to have it seems to lose.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from made_pieces import event, made_pieces
from synthetic import Story, made_stories, with_words

from simkit.tables.findings import Findings, all_findings

DEALS = 1500
OFFERS = [event(piece, "offered", 2, last=2) for piece in ("card", "other")]
NAMES = {"card": {"suit": "red"}, "other": {"suit": "none"}}
LOGS = [(by, sign, seed) for by in ("seat", "strategy") for sign in (1, -1) for seed in (1, 2)]
# Columns by which a table names what it is about, and the thing under each of its names.
ABOUT = {"column": ("card", "own_card", "badge"), "piece": ("card",), "thing": ("card",), "name": ("red",)}
ABOUT |= {"of": ("red",)}


def games(by: str, sign: int, seed: int) -> list[tuple[Story, list[dict[str, Any]]]]:
    """Games of two seats; `sign`: whether the thing helps or harms those who have it."""
    rng, built = np.random.default_rng(seed), []
    strong, rare, help_ = rng.uniform(0.72, 0.76), rng.uniform(0.1, 0.15), rng.uniform(0.12, 0.15)
    often = (rare, 1 - rare) if sign > 0 else (1 - rare, rare)  # the strong, the weak
    for deal in range(DEALS):
        for turned in (False, True)[: 1 + (by == "strategy")]:
            has = rng.random(2) < often
            wins = bool(rng.random() < strong + sign * help_ * (int(has[0]) - int(has[1])))
            order = (1, 0) if turned else (0, 1)
            own = tuple(int(has[first]) for first in order)
            share = tuple(int(wins == (first == 0)) for first in order)
            points = tuple(10 * first + int(rng.integers(10)) for first in own)
            story = Story([(0, 0), (0, 0), points], share, deal, log={"card": own, "own_card": own})
            taken = [event("card" if own[seat] else "other", "taken", 2, seat) for seat in (0, 1)]
            built.append((story, [*OFFERS, *taken]))
    return built


EVERYDAY = [pytest.param(log, marks=[pytest.mark.slow] * (log[-1] > 1)) for log in LOGS]


@pytest.fixture(scope="module", params=EVERYDAY, ids=str)
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Findings, int]:
    by, sign, seed = request.param
    lineup = ["made", "made"] if by == "seat" else ["a", "b"]
    run = made_pieces(tmp_path_factory.mktemp("opposite"), games(by, sign, seed), NAMES, lineup=lineup)
    rows = pl.read_parquet(run.folder / "games.parquet")
    sold = {f"{part}_card": pl.lit(10) for part in ("sold", "price", "printed")}
    rows.with_columns(**sold).write_parquet(run.folder / "games.parquet")
    return Findings(run), sign


def gap(rows: pl.DataFrame) -> float:
    first, other = (rows.filter(pl.col("card") == has)["share"].mean() for has in (1, 0))
    return float(first) - float(other)  # type: ignore[arg-type]


def test_the_made_up_logs_say_the_opposite_when_pooled(log: tuple[Findings, int]) -> None:
    result, sign = log
    seats = result.run.seats().collect()
    assert sign * gap(seats) < -0.1
    for _, group in seats.group_by("seat", "strategy"):
        assert sign * gap(group) > 0.05


def test_every_table_of_differences_has_the_sign_within(log: tuple[Findings, int]) -> None:
    """Every finding with a `difference`, so that a new table is asked too."""
    result, sign = log
    names = set()
    for name in sorted(all_findings()):
        table = getattr(result, name)
        for about, things in ABOUT.items():
            if {"difference", about} <= set(table.columns):
                for row in table.filter(pl.col(about).is_in(things)).rows(named=True):
                    assert sign * row["difference"] > 0.05, (name, row)
                    names.add(name)
    assert names >= {"components", "ownership", "pieces", "piece_kinds"}


def test_owners_whatever_the_standing_are_set_against_others_of_their_seat(log: tuple[Findings, int]) -> None:
    result, sign = log
    assert sign * result.pieces.filter(piece="card")["raw"][0] > 0.05


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_member_is_compared_among_games_with_the_same_seating(sign: int, seed: int, tmp_path: Path) -> None:
    """The team wins more often with b first, where the badge is seldom (often) red; red helps (harms)."""
    rng, stories = np.random.default_rng(seed), []
    for deal in range(DEALS):
        for base, red in ((0.7, 0.15), (0.3, 0.85)) if sign > 0 else ((0.7, 0.85), (0.3, 0.15)):
            has = rng.random() < red
            won = int(rng.random() < base + sign * 0.12 * (has - 0.5))
            badge = ("red", "blue") if has else ("blue", "blue")
            stories.append(Story([(won, won)], (won, won), deal, log={"badge": badge}))  # type: ignore[dict-item]
    built = made_stories(tmp_path, stories, ["b", "a"])
    run = replace(built, cells=[replace(built.cells[0], target=0.5)])
    run = with_words(run, roles=["badge"])
    row = Findings(run).members.filter(name="red").row(0, named=True)
    seats = run.seats().filter(seat=0).collect()
    red_ones, others = (seats.filter((pl.col("badge") == "red") == has)["share"].mean() for has in (1, 0))
    assert sign * (red_ones - others) < -0.1  # type: ignore[operator]
    assert row["difference_low"] < sign * 0.12 < row["difference_high"]
    assert sign * row["difference"] > 0 and row["difference"] == row["share"] - row["without_share"]
