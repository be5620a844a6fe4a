"""Those who look further: sets of modules planned for, games played to their end (EX-17, no. 10 and 11)."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import Table
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Decision
from strategies.exoplanet_colony.aims import target
from strategies.exoplanet_colony.rollout import Policy, candidates, is_surely_better, policy_style
from strategies.exoplanet_colony.style import AT_SKULL, style

from .asking import answer, compare, some_options, view_of, wide
from .plain_planner import PlainPlanner, brinkman, set_planner
from .positions import Position, given, id_of

SLOW = pytest.mark.slow
PATIENT = {"ruleset": "patient"}


def request(position: Position, name: str, **more: Any) -> int:
    view = view_of(position.states, position.rules_array)
    return answer(view, position.rules_array, position.legal(), name, **more)


def priced(card: int) -> Any:
    kind = type("Priced", (PlainPlanner,), {"card": card})
    return lambda view, rules, legal: kind(view, rules, legal).choose()


def saved_for(position: Position, style: Any) -> int:
    """What seat 0 saves for."""
    return int(target(position.s, position.rules, 0, int(position.s.hand[0]), style))


# set_planner.


@pytest.mark.parametrize("scenario", range(1, 5))
def test_the_planner_is_that_of_the_specification(scenario):
    for seats in range(2, 6):
        compare(set_planner, "set_planner", {"scenario": scenario}, seats, seats, [1.0] * seats)


def test_it_is_so_whatever_the_options_and_the_others():
    luck = Random(2)
    for deal in range(2):
        compare(
            set_planner, "set_planner", some_options(luck, 0.3), luck.randint(2, 5), deal, [1, 0.9, 0, 1, 1]
        )
        compare(set_planner, "set_planner", PATIENT, luck.randint(2, 5), deal, [0.8] * 5)


def test_what_a_lacking_card_costs_can_be_chosen():
    for card in (0, 5):
        compare(priced(card), "set_planner", {"scenario": 3}, 3, card, [1.0] * 3, card=str(card))


def test_the_brinkman_whom_it_follows_is_that_of_the_specification():
    for scenario in range(1, 5):
        compare(brinkman, "brinkman", {"scenario": scenario}, 1 + scenario, scenario, [1.0] * 5)


@SLOW
def test_both_are_so_in_many_games():
    seen = wide(set_planner, "set_planner", 100, compiled=True) + wide(
        brinkman, "brinkman", 100, compiled=True
    )
    assert len(seen) > 28, seen


def test_a_set_that_wins_is_saved_for_although_its_modules_help_less():
    """Water Recycler 7 and Greenhouse 16 win together; Hydroponic Farm 14 alone is worth more than either."""
    position = given({0: [7, 14, 16]}, prod=[0, -1, -2, 1])
    assert saved_for(position, style(edge=AT_SKULL)) == 14
    assert saved_for(position, style(edge=AT_SKULL, planned=2)) == 16  # nothing is lacking for it


def test_an_affordable_member_of_the_set_comes_first():
    """All three can be paid for; 14 gains more than 7, but does not belong to the set that wins."""
    position = given({0: [7, 14, 16, 32, 33, 34]}, prod=[0, -1, -2, 1])
    assert request(position, "brinkman") == request(position, "set_planner") == id_of("deploy")
    position.when("deploy")
    assert request(position, "brinkman") == id_of("card 14")
    assert request(position, "set_planner") == id_of("card 7")


# rollout.


def test_differences_must_exceed_some_standard_errors():
    differences = [3, 0, 1, -1, 2]
    gain, square, n = sum(differences), sum(d * d for d in differences), len(differences)
    ratio = np.mean(differences) / (np.std(differences, ddof=1) / np.sqrt(n))
    assert is_surely_better(gain, square, n, ratio - 0.001) and not is_surely_better(
        gain, square, n, ratio + 0.001
    )
    assert is_surely_better(4, 4, 4, 5.0), "always better by as much"
    assert not is_surely_better(0, 0, 4, 0.0) and not is_surely_better(-4, 4, 4, 0.0)


def looked_into(position: Position, policy: Policy = Policy.brinkman) -> list[int]:
    view, way = view_of(position.states, position.rules_array), policy_style(policy)
    own = request(position, policy.name)
    return candidates(view, position.rules, np.array(position.legal()), own, way).tolist()


def test_the_choices_are_the_own_one_and_all_but_pass_and_useless_items():
    position = given({0: [2, 31]}, pile=[3], prod=[-2, -2, -2, -2])  # the Printer: nothing there helps
    ids = position.legal()
    assert id_of("item") in ids
    result = looked_into(position)
    assert result[0] == request(position, "brinkman") and sorted(result) == sorted(set(result))
    good = request(position, "brinkman") == id_of("item")
    assert set(result) == set(ids) - {id_of("pass")} - (set() if good else {id_of("item")})


def test_passing_is_looked_into_where_the_policy_passes():
    position = given({0: [32]}, base="7@(0,1)", left=0)
    assert position.legal() == [id_of("pass"), id_of("plan")]
    assert looked_into(position) == [id_of("pass"), id_of("plan")]


LAST = {"base": "16@(0,1)", "prod": [0, -1, 0, 0], "loss": {1: "water"}, "alarms": [0], "events_n": 0}


def test_it_sees_that_the_last_turn_must_win():
    """There is time for one repair: the token next door wins, the Emergency here does not."""
    position = given(**LAST, left=2)
    assert request(position, "brinkman") == id_of("repair")
    assert request(position, "rollout", n="2") == id_of("move N")
    position.when("move N")
    assert request(position, "rollout", n="2") == id_of("repair")


@pytest.mark.parametrize("policy", Policy)
def test_the_policy_decides_all_but_the_choices_of_a_turn(policy):
    position, seen = Position({"scenario": 2}, 3, 5), Counter[str]()
    while not position.over:
        ids = position.legal()
        action = request(position, policy.name) if len(ids) > 1 else ids[0]
        if len(ids) > 1 and int(position.s.decision) != Decision.main:
            seen[position.decision] += 1
            assert request(position, "rollout", policy=policy.name) == action
        position.apply(action)
    assert len(seen) > 5, seen


def test_the_same_luck_makes_the_same_choice():
    """What is hidden is not in the view but dealt anew."""
    position = given({0: [7, 14]}, events_n=3, left=2)
    view = view_of(position.states, position.rules_array)
    assert (view.deck == -1).all() and (view.events == -1).all()
    luck = {request(position, "rollout", luck=7, n="2") for _ in range(2)}
    assert len(luck) == 1


def played(text: str, seats: int, deals: int) -> np.ndarray:
    lineup = [registry.player(game, first) for first in parse_lineup(f"{text}*{seats}")]
    table, numbers = Table(game, game.rules({"scenario": 4})), np.arange(1, deals + 1)
    return table.play(lineup, 1, numbers, np.zeros(deals, np.int64))["log"]["game"]["won"]


@SLOW
def test_compiled_it_decides_the_same():
    for deal in range(3):
        position = Position({"scenario": 4}, 2, deal)
        while not position.over:
            near = int(position.s.events_n) < 9 and position.decision == "main"
            if near and len(position.legal()) > 1:
                results = [
                    request(position, "rollout", compiled=first, n="3", caution="0")
                    for first in (True, False)
                ]
                assert results[0] == results[1], (deal, position.legal(), results)
            position.apply(
                request(position, "brinkman") if len(position.legal()) > 1 else position.legal()[0]
            )


@SLOW
def test_it_wins_many_games_that_the_policy_loses():
    more = played("rollout", 2, 120) - played("brinkman", 2, 120)
    assert more.mean() > 0.1
