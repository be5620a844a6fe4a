"""The reference player against a second one in plain Python, at every decision of games stepped through."""

from collections import Counter
from random import Random

import pytest

from simkit.games.exoplanet_colony.facts import Decision

from .asking import compare, some_options, wide
from .plain_greedy import choose

SLOW = pytest.mark.slow
NAME = "reference_greedy"
KINDS = {first.name for first in Decision} - {"none"}
PATIENT = {"ruleset": "patient"}
LONG = {"ruleset": "endurance", "initial_choice": 3}


@pytest.mark.parametrize("scenario", range(1, 5))
def test_the_reference_player_is_that_of_the_specification(scenario):
    for seats in range(2, 6):
        compare(choose, NAME, {"scenario": scenario}, seats, seats, [1.0] * seats)


@pytest.mark.slow
@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony")
def test_it_is_so_whatever_the_others_do():
    seen = Counter[str]()
    for deal in range(2):
        for seats in range(2, 6):
            seen += compare(choose, NAME, PATIENT, seats, deal, [0.0] * seats)
            seen += compare(choose, NAME, LONG, seats, deal, [0.0, 0.9, 0.9, 0.9, 0.0])
    assert len(seen) > 25, seen


def test_it_is_so_with_any_options():
    luck = Random(1)
    for deal in range(12):
        follow = [luck.choice([0.0, 0.5, 0.95, 1.0])] * 5
        compare(choose, NAME, some_options(luck, 0.3), luck.randint(2, 5), deal, follow)


def test_a_relay_is_begun_for_a_card_that_cannot_be_taken():
    """EX-13.3 M8 asks whether partners on other modules hold what is wanted, not whether it may be taken."""
    cast = {"character_0": "comms_officer", "character_1": "architect"}
    for deal in range(8):
        compare(choose, NAME, {"transfer": "give"} | cast | PATIENT, 2 + deal % 4, deal, [0.9] * 5)


@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony")
@SLOW
def test_every_kind_of_decision_is_compared():
    seen = wide(choose, NAME, 400)
    assert seen.keys() == KINDS, KINDS - seen.keys()
