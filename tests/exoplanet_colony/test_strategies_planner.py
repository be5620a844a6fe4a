"""Those who look further: sets of modules planned for (EX-17, no. 10), games played on by a search."""

from random import Random
from typing import Any

import numpy as np
import pytest
from simkit.content.strategies.exoplanet_colony.aims import target
from simkit.content.strategies.exoplanet_colony.style import AT_SKULL, style

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.games.exoplanet_colony import game

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


@pytest.mark.slow
@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony", "strategies.search")
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


@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony", "strategies.search")
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


# search.


def played(text: str, seats: int, deals: int) -> np.ndarray:
    lineup = [registry.player(game, first) for first in parse_lineup(f"{text}*{seats}")]
    table, numbers = GameTable(game, game.rules({"scenario": 4})), np.arange(1, deals + 1)
    return table.play(lineup, 1, numbers, np.zeros(deals, np.int64))["log"]["game"]["won"]


@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony", "strategies.search")
@SLOW
def test_a_search_wins_many_games_that_its_policy_loses():
    more = played("search", 2, 120) - played("brinkman", 2, 120)
    assert more.mean() > 0.1
