"""What every published game keeps alike of redeals: they look the same, are sound and repeatable, and play on."""

from itertools import product

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.game import OVER
from simkit.verify.check import random_settings

from .driver import driver
from .sight import redealt, seen
from .stepping import copied, luck, rules_of

GAMES = [name for name in registry.games() if registry.game(name).words.provenance]
UNSEEN = ("log", "since", "lead", "lead_turn")  # what stories and logs keep, and views leave blank


def legal(game, states, rules):
    ids = np.zeros(game.max_actions, np.int64)
    return ids[: driver(game).legal(states, rules, ids)].tolist()


def play_on(game, states, rules, seed):
    """Yield the positions of a game that random choices play to its end, the given one first."""
    generator, rng = np.random.default_rng(seed), luck(game, seed, 0)
    while states[0]["seat"] != OVER:
        yield states
        driver(game).step(states, rules, rng, int(generator.choice(legal(game, states, rules))))


def positions(game, rules, seats, every):
    """Some positions of a random game."""
    states = np.zeros(1, game.state_dtype)
    driver(game).start(states, rules, luck(game, 1, seats), seats)
    return [copied(s) for n, s in enumerate(play_on(game, states, rules, seats)) if n % every == 0]


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *product(GAMES, [0]),
        *(pytest.param(*row, marks=pytest.mark.slow) for row in product(GAMES, [1, 2, 3, 4])),
    ],
)
def test_redealt_states_are_sound_repeatable_and_play_on(name, number):
    """A redeal looks the same to the seat, whose choices stay; it owes nothing to the truth, and breaks no rule."""
    game = registry.game(name)
    rules = rules_of(game, [{}, *random_settings(game, 4, 11)][number])
    seats = min(game.seats[0] + number % 2, game.seats[1])
    for n, states in enumerate(positions(game, rules, seats, 41)):
        seat, unseen = n % seats, [field for field in UNSEEN if field in game.state_dtype.names]
        copy = redealt(game, states, rules, seat, n + 1)
        assert seen(game, copy, rules, seat).tobytes() == seen(game, states, rules, seat).tobytes()
        assert redealt(game, copy, rules, seat, n + 1).tobytes() == copy.tobytes()
        if states[0]["seat"] == seat:
            assert legal(game, copy, rules) == legal(game, states, rules)
        blank = copied(copy)
        for field in unseen:
            copy[field] = states[field]
        assert game.problems(copy[0], rules[0]) == []
        if n % 5 == 0:
            for start in (copy, blank):
                for _ in play_on(game, start, rules, n):
                    pass
            assert game.problems(copy[0], rules[0]) == []
            assert game.team or 1 in copy[0]["rank"][:seats]
