"""The counters of the log against what a game does, stepped and counted from outside (OP-15.1)."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from simkit.engine.table import GameTable
from simkit.games.outpost import game
from simkit.games.outpost.facts import FACTORY_NAMES, REAL, UPGRADE_NAMES, Decision
from simkit.runs import experiment, log
from simkit.runs.plan import make_plan
from tests.of_games.stepping import positions

from .positions import batch, rules_of

NAMED = [
    "turns", "decisions", "end_reason", "auctions", "bids", "jump_bids", "reentries", "sold",
    "sold_to_non_opener",
    *(f"sold_{name}" for name in UPGRADE_NAMES), "cards_produced", "cards_discarded", "credits_paid",
    "credits_overpaid", "credits_discarded",
    "payments", "pay_factory", "pay_pop", "pay_robot", "pay_upgrade", "pop_bought", "robots_bought",
    *(f"fac_{name}" for name in FACTORY_NAMES),
    "die_rolls", "die_rerolls", "slots_left_empty", "ious", "reshuffles", "phase2_turn", "phase3_turn",
    "leader_changes", "winner_led_at_half",
]  # fmt: skip


def table(options, lineup, games=30):
    request = experiment.parse(
        {"question": "?", "game": "outpost", "deals": games, "lineups": [lineup], "options": options}
    )
    cell = make_plan(request).cells[0]
    states = batch(options, lineup, games)
    deals, still = np.arange(games), np.zeros(games, np.int64)
    return log.games_table(game, cell, deals, still, states), log.seats_table(
        game, cell, deals, still, states
    )


def test_columns_have_the_names_of_the_specification():
    games, seats = table({}, "reference_greedy*4")
    assert set(NAMED) <= set(games.column_names)
    assert {"score", "initial_order", "income", "upgrades", "factories", "population", "robots"} <= set(
        seats.column_names
    )


def test_a_phase_that_never_came_is_null():
    games, _ = table({"max_turns": 20}, "random*2", 60)
    phase3 = games["phase3_turn"].to_pylist()
    assert (
        None in phase3
        and -1 not in phase3
        and min(x for x in games["phase2_turn"].to_pylist() if x is not None) > 1
    )


@pytest.mark.slow
@pytest.mark.proof("games.outpost", "strategies.outpost")
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ruleset": "expert"},
        {"payment": "explicit"},
        {"mega": True, "auction_reentry": False},
        {"secret_overbidding": True, "max_turns": 20},
    ],
)
def test_counters_against_a_game_counted_from_outside(options):
    """Auctions, bids, jumps, re-entries, purchases and discards as decided; credits as hands change."""
    for deal in range(2):
        counted, previous, last = Counter(), None, None
        for s, _ in positions(GameTable(game, rules_of(options)), deal, 3):
            if previous is not None:
                note(counted, previous, s)
            previous, last = s.copy(), s
        log = last.log.game
        for name in ("auctions", "jump_bids", "credits_discarded", "cards_discarded", "turns"):
            assert counted[name] == int(log[name]), name
        assert counted["sold"] == int(log.sold) == int(last.upgrades.sum())
        assert int(log.payments) == int(log.pay.sum()) + counted["penalties"]
        assert int(log.pay[3]) == int(log.sold)
        assert int(log.defaults) == counted["defaults"] >= counted["penalties"]
        assert int(log.fac.sum()) >= int(log.pay[0]) and int(log.pop_bought) >= int(log.pay[1])
        start, end = 3 * 3, int(last.population.sum())
        assert end == start + int(log.pop_bought)
        spent = int(log.credits_paid) + int(log.credits_discarded) + int(last.wealth.sum())
        assert spent == int(last["log"]["seat"]["income"].sum()) or log.water_deals  # a water deal is neither
        assert int(log.die_rolls) - int(log.die_rerolls) >= int(log.sold)


def note(counted, before, after):
    kind = Decision(int(before["decision"]))
    counted["auctions"] += kind == Decision.main and int(after["lot"]) >= 0
    counted["jump_bids"] += kind == Decision.jump_lo
    if kind == Decision.discard:
        missing = before["hand"][before["seat"]].astype(int) - after["hand"][before["seat"]].astype(int)
        counted["cards_discarded"] += 1
        if (missing >= 0).all():  # no production in between
            counted["credits_discarded"] += int(
                before["wealth"][before["seat"]] - after["wealth"][before["seat"]]
            )
        else:
            counted["credits_discarded"] += int(
                after["log"]["game"]["credits_discarded"] - before["log"]["game"]["credits_discarded"]
            )
    barred = int(after["barred"].sum()) > int(before["barred"].sum())  # a default (OP-8.3)
    counted["defaults"] += barred
    counted["penalties"] += barred and after["wealth"].sum() < before["wealth"].sum()
    counted["sold"] += int(after["upgrades"].sum()) - int(before["upgrades"].sum())
    counted["turns"] += int(after["log"]["game"]["turns"]) - int(before["log"]["game"]["turns"])


def test_leaders_are_counted_at_the_end_of_turns():
    """Changes between sole leaders; a winner among the leaders at the end of turn (turns - 1) div 2 + 1."""
    for state in batch({}, "random*3", 40):
        turns = int(state["log"]["game"]["turns"])
        sets = [int(x) for x in state["leaders"][1 : turns + 1]]
        sole = [x for x in sets if x & (x - 1) == 0]
        assert int(state["log"]["game"]["leader_changes"]) == sum(a != b for a, b in itertools.pairwise(sole))
        winners = {seat for seat in range(3) if state["rank"][seat] == 1}
        led = any(sets[(turns - 1) // 2] >> seat & 1 for seat in winners)
        assert bool(state["log"]["game"]["winner_led_at_half"]) == led


def test_scores_and_cards_of_final_states():
    """The score is the victory points; all cards are somewhere."""
    states = batch({}, "reference_greedy*4", 30)
    copies = rules_of()[0].copies
    for state in states:
        assert (state["hand"][:, :REAL].sum(axis=0) + state["draw"] + state["discard"] == copies).all()
        assert max(state["score"][:4]) >= 75 and (state["rank"][:4] == 1).sum() >= 1
