"""Strategies: the reference player's rules one by one (OP-S0); all play legally; one is stronger than the
reference."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.games.outpost import game
from tests.of_games.asking import answer

from .positions import given, rules_of

SLOW = pytest.mark.slow


MAIN = [
    ("opens what is worth most beyond its price", dict(hands=["W10 W9 W9 W9"],
     market={"nodule": 1, "heavy_equipment": 1}, seats=3), "open nodule"),
    ("not what is worth less", dict(hands=["W10 W10"], market={"data_library": 1},
     upgrades={0: {"data_library": 1}}), "buy ore"),
    ("a second library is worth 12", dict(hands=["W8 W8"], market={"data_library": 1},
     upgrades={0: {"data_library": 1}}, population=[3]), "end"),
    ("water deal below 20", dict(hands=["O5 O5 O4 O4"], options={"ruleset": "expert"}), "deal"),
    ("mans sites first", dict(hands=["W10"], factories={0: {"ore": 5}}), "buy population"),
    ("builds the best factory with a free operator", dict(hands=["T10 T10 T10"],
     upgrades={0: {"heavy_equipment": 1}}, factories={0: {}}), "buy titanium"),
    ("with an operator to be bought: cost of both", dict(hands=["T10 T10"]), "buy ore"),
    ("not enough for both", dict(hands=["T10 W9"]), "end"),
    ("replaces a worse place when full",
     dict(hands=["T10 T10 T10"], population=[5], factories={0: {"ore": 5}},
     upgrades={0: {"heavy_equipment": 1}}), "buy titanium"),
    ("but not for a little more", dict(hands=["T10 T10"], population=[5], factories={0: {"ore": 5}}), "end"),
]  # fmt: skip


@pytest.mark.parametrize(("title", "facts", "expected"), MAIN, ids=[row[0] for row in MAIN])
def test_reference_main(title, facts, expected):
    position = given(**facts)
    assert answer(position) == position.action(expected)


def test_reference_bids_up_to_worth_and_hand():
    """MIN while the price is within worth (a first nodule: 45) and hand; never JUMP."""
    position = given(["W10 W10 W10 W9 W9", "OM40 W8 W7"], market={"nodule": 1}).when(0, "open nodule")
    assert answer(position) == 1
    position.when(0, "bid")
    while position.decision == "bid":
        position.apply(answer(position))
    position.then(upgrades={0: {"nodule": 1}}, log={"jump_bids": 0, "bids": 21, "credits_paid": 48})


def test_reference_quantities():
    """As many operators as are missing, one factory."""
    position = given(["W10 W10 W10"], factories={0: {"ore": 5}}).when(0, "buy population")
    assert answer(position) == 2
    assert answer(given(["W10 W10 W10"]).when(0, "buy ore")) == 1


def test_reference_discards_the_least_value_for_its_room():
    position = given(["O1 O2 O3 W5 W5 mega:W"], factories={0: {}, 1: {}}).when(0, "end").when(1, "end")
    assert answer(position) == position.action("drop O1")


@pytest.mark.proof("games.outpost", "strategies.outpost")
@SLOW
@pytest.mark.parametrize("ruleset", ["basic", "expert"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_horizon_valuer_beats_the_reference(ruleset, seats):
    """Its share of the wins is above 1/k, with the interval over deals (OP-13)."""
    lineup = registry.players(game, parse_lineup(f"horizon_valuer, reference_greedy*{seats - 1}"))
    table, deals, shares = GameTable(game, rules_of({"ruleset": ruleset})), np.arange(120), []
    for shift in range(seats):
        wins = table.play(lineup, 5, deals, np.full(len(deals), shift))["rank"] == 1
        shares.append(wins[:, -shift % seats] / wins.sum(axis=1))
    share = np.mean(shares, axis=0)
    assert share.mean() - 2.6 * share.std() / np.sqrt(len(deals)) > 1 / seats


@pytest.mark.proof("games.outpost", "strategies.outpost")
@SLOW
def test_a_denier_that_blunders_into_a_jump_goes_on_with_a_legal_one():
    players = registry.players(game, parse_lineup("denier(blunder=0.1)*4"))
    deals = np.arange(20)
    states = GameTable(game, game.rules()).play(players, 7, deals, deals % 4)
    assert (states["seat"] == -1).all()


@pytest.mark.proof("games.outpost", "strategies.outpost")
@SLOW
def test_avenger_attacks_a_leader_about_to_win():
    """Where attacks are cheap enough to be affordable, some are tried, and some succeed."""
    table = GameTable(game, rules_of({"space_terrorism": True, "terrorism_destroy_factor": 1}))
    lineup = registry.players(game, parse_lineup("avenger(danger=30, defence=0.1)*4"))
    log = table.play(lineup, 1, np.arange(60), np.zeros(60, np.int64))["log"]["game"]
    assert log["attacks"].sum() > 0 and 0 < log["items_destroyed"].sum() <= log["attacks"].sum()
