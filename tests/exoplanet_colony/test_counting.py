"""What is reckoned by a short cut is what the plain way says, in random positions under random options."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from simkit.content.strategies.exoplanet_colony.aims import best_deploy, needed, plain_keep, target, wins_by
from simkit.content.strategies.exoplanet_colony.style import style
from simkit.content.strategies.exoplanet_colony.values import ABOVE, BELOW, POINT, SOON, WINS, change

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.deploy import can_deploy, deployable, has_space
from simkit.games.exoplanet_colony.facts import CARDS, COLOURED, RESOURCES
from tests.of_games.stepping import start

from .lockstep import random_options


def positions(count: int) -> Iterator[tuple[Any, Any, Random]]:
    """A seat with a large hand, with productions near the goal or far from it."""
    for deal in range(count):
        luck = Random(deal)
        options = random_options(luck) | {"initial_choice": 0}
        states, _ = start(game, options, 2, deal)
        s, most = states[0], luck.choice([1, 3, 8])
        goal = int(game.rules(options)[0].win_production)
        s.hand[0] = sum({1 << luck.randrange(CARDS) for _ in range(luck.randint(1, 9))})
        for r in range(RESOURCES):
            s.production[r] = min(max(goal + luck.randint(-most, 1), -8), 8)
            s.supply[r] = luck.randint(0, 20)
        yield s, game.rules(options)[0], luck


def test_a_change_of_a_production_is_the_difference_of_its_values():
    for s, rules, luck in positions(60):
        way = style(scarcity=luck.randint(0, 20))
        for r in range(RESOURCES):
            now, goal = int(s.production[r]), int(rules.win_production)
            scarce = now < goal and int(s.supply[r]) + SOON * now <= 0
            step = POINT * way.scarcity if scarce else BELOW

            def worth(production: int, goal: int = goal, step: int = step) -> int:
                return ABOVE * (production - goal) if production >= goal else step * (production - goal)

            for n in range(-6, 7):
                assert change(s, rules, r, n, way) == worth(now + n) - worth(now)


@pytest.mark.slow
@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony")
def test_whether_anything_can_be_deployed_or_wins():
    deploys, wins = set(), set()
    for s, rules, luck in positions(400):
        extra = luck.randint(0, 1)
        cards = deployable(s, rules, int(s.hand[0]), extra)
        deploys.add(can_deploy(s, rules, 0, extra))
        assert can_deploy(s, rules, 0, extra) == (has_space(s, rules, 0) and cards != 0)
        wins.add(wins_by(s, rules, 0, extra))
        assert wins_by(s, rules, 0, extra) == (best_deploy(s, rules, 0, extra, style())[1] >= WINS)
    assert deploys == wins == {False, True}


@pytest.mark.slow
@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony")
def test_cards_that_are_needed_are_those_of_the_lowest_worth():
    chosen = 0
    for s, rules, _ in positions(300):
        way, hand = style(), int(s.hand[0])
        card = target(s, rules, 0, hand, way)
        if card < 0:
            continue
        expected = 0
        for i, cost in enumerate(rules.cost[card].tolist()):
            cards = [c for c in range(CARDS) if (hand & COLOURED[i] & ~(1 << card)) >> c & 1]
            chosen += 0 < cost < len(cards)
            cards.sort(key=lambda c: plain_keep(s, rules, c, way))
            expected |= sum(1 << c for c in cards[:cost])
        assert needed(s, rules, hand, card, way) == expected
    assert chosen > 0
