"""Ratings, landscape and cycles of a run: on runs made up so that the answer is known, and on games of Pig."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import MANIFEST, MadeRun, made_run

from simkit.engine.lineups import Named
from simkit.runs import experiment, runner
from simkit.runs.experiment import parse
from simkit.runs.folder import open_run
from simkit.runs.plan import Cell
from simkit.stats.plackett_luce import ELO, plackett_luce, ratings
from simkit.tables import reading
from simkit.tables.findings import Findings
from tests.stats.two_seats import bradley_terry


def _raced(
    folder: Path,
    lineups: list[list[str]],
    strength: dict[str, float],
    deals: int = 600,
    rotate: bool = True,
    wins: bool = False,
) -> MadeRun:
    """Games decided by a race: strength of the strategy, 0.3 less for every later player, and luck; `wins`:
    only the winner is ranked.
    """
    rng = np.random.default_rng(1)
    cells: list[Cell] = []
    rows = []
    for lineup in lineups:
        first = cells[-1].first_play + cells[-1].plays if cells else 0
        turns = len(lineup) if rotate else 1
        named = tuple(Named(name, {}) for name in lineup)
        cells.append(Cell(len(cells), "made", len(lineup), {}, {}, named, turns, deals, first, turns, False))
        for play, (deal, rotation) in enumerate(itertools.product(range(deals), range(turns))):
            seats = [lineup[(seat + rotation) % len(lineup)] for seat in range(len(lineup))]
            speed = np.array([strength[name] - 0.3 * seat for seat, name in enumerate(seats)]) + rng.gumbel(
                size=len(seats)
            )
            rank = np.argsort(np.argsort(-speed)) + 1
            rank = np.where(rank == 1, 1, 2) if wins else rank
            key = (first + play, cells[-1].index, deal, rotation)
            rows += [
                (*key, seat, name, int(rank[seat]), float(rank[seat] == 1)) for seat, name in enumerate(seats)
            ]
    names = ["play", "cell", "deal", "rotation", "seat", "strategy", "rank", "share"]
    seats = pl.DataFrame(rows, schema=names, orient="row").with_columns(
        pl.col("cell", "rotation", "seat").cast(pl.Int32)
    )
    folder.mkdir(parents=True, exist_ok=True)
    seats.with_columns(score=pl.lit(0)).write_parquet(folder / "seats.parquet")
    games = seats.filter(share=1.0).select("play", "cell", "deal", "rotation", winner="seat")
    rest = {"draw": False, "first": 0, "turns": 1, "decisions": 1, "end_reason": "race"}
    games.with_columns(**{name: pl.lit(value) for name, value in rest.items()}).write_parquet(
        folder / "games.parquet"
    )
    keys = {"question": "Who is best?", "game": "made", "deals": deals, "lineups": lineups}
    return MadeRun(folder, parse(keys), MANIFEST, cells)


PAIRS = [["a", "b"], ["a", "c"], ["b", "c"]]
STRENGTH = {"a": 0.5, "b": 0.0, "c": -0.5}


def _elo(table: pl.DataFrame) -> dict[str, float]:
    return dict(table.select("name", "elo").iter_rows())


def test_two_seats_are_rated_by_the_model_over_all_deals(tmp_path: Path) -> None:
    run = _raced(tmp_path, PAIRS, STRENGTH)
    whole = Findings(run).ratings
    wide = run.seats().collect().pivot("seat", index=["play", "deal"], values=["strategy", "share"])
    won = wide["share_0"].to_numpy().astype(int)
    first, second = (["abc".index(name) for name in wide[f"strategy_{seat}"]] for seat in range(2))
    expected = ratings(bradley_terry("abc", first, second, won, 0 * won, 1 - won, wide["deal"].to_numpy()))
    rows = whole.filter(pl.col("kind") == "strategy")
    assert rows["name"].to_list() == ["a", "b", "c"]
    assert rows.select("elo", "low", "high").to_numpy() == pytest.approx(
        np.array([single[1:] for single in expected]), abs=1e-3
    )
    assert rows["games"].to_list() == [2400] * 3 and rows["deals"].to_list() == [600] * 3
    seat = whole.filter(pl.col("name") == "seat 1").row(0, named=True)
    assert seat["low"] < -0.3 * ELO < seat["high"] and seat["games"] == 3600


def test_blocks_of_deals_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = _raced(tmp_path, PAIRS[:1], STRENGTH, deals=2500)
    whole = Findings(run).ratings
    monkeypatch.setattr(reading, "BLOCK_GAMES", 10)
    assert len(list(reading.log_blocks(run))) == 3
    pieces = Findings(run).ratings
    assert pieces.select("elo", "low", "high").to_numpy() == pytest.approx(
        whole.select("elo", "low", "high").to_numpy(), abs=1e-6
    )


def test_three_seats_are_rated_by_all_ranks_or_by_who_won(tmp_path: Path) -> None:
    run = _raced(tmp_path / "ranks", [["a", "b", "c"]], STRENGTH, deals=1500)
    only = _raced(tmp_path / "wins", [["a", "b", "c"]], STRENGTH, deals=1500, wins=True)
    for table in (Findings(run).ratings, Findings(only).ratings):
        for name, low, high in (
            table.filter(pl.col("kind") == "strategy").select("name", "low", "high").iter_rows()
        ):
            assert low - 12 < ELO * STRENGTH[name] < high + 12
        assert table["seats"].to_list() == [3] * 6
    wide = run.seats().collect().pivot("seat", index="play", values=["strategy", "rank"])
    seated = [
        ["abc".index(name) for name in row] for row in wide.select(f"strategy_{s}" for s in range(3)).rows()
    ]
    ranks = wide.select(f"rank_{s}" for s in range(3)).to_numpy()
    expected = ratings(plackett_luce("abc", seated, ranks, places=1))  # who won, of the games with all ranks
    result = _elo(Findings(only).ratings)
    assert [result[first.name] for first in expected] == pytest.approx(
        [first.elo for first in expected], abs=1e-3
    )


@pytest.mark.parametrize("lineup", [["a", "b"], ["a", "b", "c"]])
def test_without_rotation_the_reason_is_given_in_place_of_numbers(tmp_path: Path, lineup: list[str]) -> None:
    run = _raced(tmp_path, [lineup], STRENGTH, deals=50, rotate=False)
    table = Findings(run).ratings
    assert table["elo"].is_null().all() and table["low"].is_null().all()
    assert table["reason"].str.contains("cannot be told apart").all() and table["name"].to_list() == lineup
    assert table["reason"].str.contains("rotate").all()
    landscape = Findings(run).landscape
    assert landscape["nash"].is_null().all() and landscape["reason"].is_not_null().all()
    assert Findings(run).cycles.height == 0


def test_lineups_given_both_ways_round_need_no_rotation(tmp_path: Path) -> None:
    run = _raced(tmp_path, [["a", "b"], ["b", "a"]], STRENGTH, rotate=False)
    assert Findings(run).ratings["reason"].is_null().all()
    assert Findings(run).landscape["nash"].to_list() == pytest.approx([1, 0])


def test_a_strategy_that_never_lost_is_named(tmp_path: Path) -> None:
    run = _raced(tmp_path, [["a", "b"]], {"a": 100, "b": 0}, deals=30)
    assert Findings(run).ratings["reason"].str.contains("a never lost to b").all()


def test_strategies_that_were_not_linked_by_games_are_not_rated(tmp_path: Path) -> None:
    strength = {"a": 0.1, "b": 0, "c": 0.1, "d": 0}
    run = _raced(tmp_path, [["a", "b"], ["c", "d"]], strength, deals=100)
    assert Findings(run).ratings["reason"].str.contains("no games link").all()
    assert Findings(run).landscape["reason"].str.contains("never met").all()


def test_mirrors_alone_have_nothing_to_rate(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5], deals=20)
    assert (
        Findings(run).ratings.height == 0
        and Findings(run).landscape.height == 0
        and Findings(run).cycles.height == 0
    )


def test_a_made_up_run_where_the_seat_decides_rates_the_strategies_alike(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "b"]], [0.6])
    table = Findings(run).ratings
    assert _elo(table)["a"] == pytest.approx(0, abs=1e-6) and _elo(table)["seat 1"] < -50
    assert Findings(run).landscape["nash"].to_list() == pytest.approx([0.5, 0.5])


def test_each_setting_of_a_sweep_is_rated_apart(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "b"]], [0.6, 0.5], sweep={"goal": [10, 20]})
    assert Findings(run).ratings["setting"].unique(maintain_order=True).to_list() == [
        "goal = 10",
        "goal = 20",
    ]
    assert Findings(run).landscape["setting"].n_unique() == 2


def test_the_landscape_of_rock_paper_scissors(tmp_path: Path) -> None:
    run = _circle(tmp_path)
    table = Findings(run).landscape
    assert table["nash"].to_list() == pytest.approx([1 / 3] * 3, abs=0.05)
    assert table["cyclic_part"][0] > 0.9
    assert table["dominated_by"].is_null().all()
    (row,) = Findings(run).cycles.iter_rows(named=True)
    assert (row["first"], row["second"], row["third"]) == ("rock", "scissors", "paper")
    assert (
        0
        < row["low"]
        < row["strength"]
        == pytest.approx(min(row[k] for k in ("first_second", "second_third", "third_first")) - 0.5)
    )


def _circle(folder: Path) -> MadeRun:
    """Each wins 70 % against the next."""
    cells = []
    tables: dict[str, list[pl.DataFrame]] = {"games": [], "seats": []}
    for index, pair in enumerate([("rock", "scissors"), ("scissors", "paper"), ("paper", "rock")]):
        run = _raced(folder / str(index), [list(pair)], {pair[0]: np.log(7 / 3), pair[1]: 0.0})
        for name, rows in (("games", run.games()), ("seats", run.seats())):
            tables[name].append(rows.with_columns(cell=pl.lit(index, pl.Int32)).collect())
        cells.append(Cell(index, "made", 2, {}, {}, run.cells[0].lineup, 2, 600, 1200 * index, 2, False))
    for name, parts in tables.items():
        pl.concat(parts).write_parquet(folder / f"{name}.parquet")
    return MadeRun(folder, run.experiment, MANIFEST, cells)


def test_a_ladder_has_one_strategy_that_matters_and_the_rest_are_dominated(tmp_path: Path) -> None:
    table = Findings(_raced(tmp_path, PAIRS, {"a": 1.0, "b": 0.0, "c": -1.0})).landscape
    assert table["strategy"].to_list() == ["a", "b", "c"]
    assert table["nash"].to_list() == pytest.approx([1, 0, 0], abs=1e-6)
    assert table["dominated_by"].to_list() == [None, "a", "a"] and table["strictly"].to_list() == [
        None,
        True,
        True,
    ]
    assert table["cyclic_part"][0] < 0.05


def test_games_of_pig_give_the_same_tables_as_any_run(tmp_path: Path) -> None:
    keys = {
        "question": "Who?",
        "game": "pig",
        "deals": 300,
        "seed": 3,
        "lineups": [["hold_at", "hold_at(threshold=10)", "random"]],
    }
    run = open_run(runner.run(experiment.parse(keys), tmp_path / "pig"))
    table = Findings(run).ratings
    assert table["name"].to_list() == [
        "hold_at",
        "hold_at(threshold=10)",
        "random",
        "seat 0",
        "seat 1",
        "seat 2",
    ]
    assert table["reason"].is_null().all() and (table["low"] <= table["elo"]).all()


def test_the_first_of_the_mirrors_is_the_first_of_the_ranking(tmp_path: Path) -> None:
    """a is the stronger; the first player is worth much more to b, which says nothing about strength."""
    run = _raced(tmp_path, [["a", "b"], ["a", "a"], ["b", "b"]], {"a": 1.0, "b": 0.0})
    seats = pl.read_parquet(tmp_path / "seats.parquet")
    mirror = pl.when(pl.col("cell") == 2).then((pl.col("seat") == 0).cast(pl.Float64))
    late = pl.col("deal") % 10 == 0
    flipped = pl.when((pl.col("cell") == 2) & late).then((pl.col("seat") == 1).cast(pl.Float64))
    seats.with_columns(share=pl.coalesce(flipped, mirror, "share")).write_parquet(tmp_path / "seats.parquet")
    findings = Findings(run)
    assert findings.mirrors["strategy"].to_list() == findings.ranking["strategy"].to_list() == ["a", "b"]
    assert findings.mirrors["share"][0] < findings.mirrors["share"][1]
    rated = dict(findings.ratings.filter(kind="strategy").select("name", "elo").iter_rows())
    assert findings.mirrors["elo"].to_list() == [rated["a"], rated["b"]]
