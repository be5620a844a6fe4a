"""What is told of every published game is words: no id, no name of a field, no empty part of a sentence.

That words say nothing that a seat cannot know is tested in `tests/engine/test_perspective.py`.
"""

import re

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.rule_helpers import OVER
from simkit.verify.check import random_settings

from .driver import driver
from .stepping import copied, luck, rules_of
from .test_sight import GAMES, SECRETS, kind, legal

ODD = re.compile(r"_|\n|None|; ;|^;|;$|: ?$|\(\)|\S  |(?:slot|seat|tile|card) -")


@pytest.mark.parametrize("name", GAMES)
def test_every_action_and_every_position_are_told_in_words(name):
    game, generator, kinds = registry.game(name), np.random.default_rng(2), set()
    for options, seats in [*SECRETS[name].settings, (random_settings(game, 1, 5)[0], game.seats[0])]:
        rules, rng, states = rules_of(game, options), luck(game, 2, seats), np.zeros(1, game.state_dtype)
        driver(game).start(states, rules, rng, seats)
        for _ in range(400):
            if states[0]["seat"] == OVER:
                break
            before, action = copied(states), int(generator.choice(legal(game, states, rules)))
            driver(game).step(states, rules, rng, action)
            message = game.describe(before[0], rules[0], action, states[0])
            assert not ODD.search(message), message
            kinds |= {kind(game, before[0])} if message else set()
        shown = game.show(states[0], rules[0])
        assert "_" not in shown and "None" not in shown and shown.strip(), shown
    assert len(kinds) >= SECRETS[name].kinds / 2, len(kinds)
