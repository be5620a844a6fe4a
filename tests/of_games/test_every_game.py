"""Promises that every published game keeps alike."""

from itertools import product

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.verify.check import random_settings

from .goldens import check_compiled_games
from .logs import check_meanings, tables_of
from .options import check_labels, check_needs, check_refused, check_value_labels

GAMES = [name for name in registry.games() if registry.game(name).words.provenance]
every_game = pytest.mark.parametrize("name", GAMES)


def ended(game, options, deals=3):
    """The ends of some games of random players."""
    lineup = registry.players(game, parse_lineup(f"random*{game.seats[0]}"))
    return GameTable(game, game.rules(options)).play(lineup, 3, np.arange(deals), np.zeros(deals, np.int64))


@every_game
def test_options_have_labels_and_need_what_can_be_had(name):
    """Labels of options and of their values are plain words, each its own."""
    for check in (check_labels, check_value_labels, check_needs):
        check(registry.game(name))


@every_game
def test_values_of_no_sense_or_out_of_range_are_refused(name):
    game = registry.game(name)
    for option in game.options:
        wrong = [option.low - 1, option.high + 1, "many", 2.5, True, None]
        if option.kind is bool or option.is_choice:
            wrong = ["maybe", "", -1] + ([option.names[0].upper()] if option.is_choice else [2])
        for value in wrong:
            check_refused(game, {option.name: value})


@every_game
def test_columns_have_meanings_of_their_own(name):
    game = registry.game(name)
    for table in tables_of(game, game.seats[0], np.arange(3), ended(game, {})):
        check_meanings(table)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *product(GAMES, [0]),
        *(pytest.param(*row, marks=pytest.mark.slow) for row in product(GAMES, [1, 2, 3])),
    ],
)
def test_compiled_games_are_the_same(name, number):
    """What compiled rules play is, byte for byte, what they play as plain Python."""
    game = registry.game(name)
    options = [{}, *random_settings(game, 3, 8)][number]
    check_compiled_games(game, options, game.seats[0] + number % 2)


@pytest.mark.slow
@every_game
def test_every_end_of_every_range_is_playable(name):
    """Each option at both ends; no invariant is broken at the end of the game, and the game has a reason to end."""
    game, refused = registry.game(name), []
    for option in game.options:
        for value in {option.low, option.high}:
            chosen = {option.name: option.value(value)}
            try:
                states = ended(game, chosen)
            except UsageError:
                refused.append(option.name)  # values that only others allow
                continue
            for state in states:
                assert int(state.seat) == -1 and int(state.log.game.end_reason) > 0, chosen
                assert game.problems(state, game.rules(chosen)[0]) == [], chosen
    assert len(refused) <= 3, refused
