"""Given a position, when an action is carried out, then: what the rule tests of the small games share."""

import numpy as np

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable


def table(game, **options):
    return GameTable(game, game.rules(options))


def start(game, **options):
    """The first position of deal 0."""
    at = table(game, **options)
    s = np.zeros(1, game.state_dtype)[0]
    s.seats = game.seats[0]
    game.setup(s, at.rules[0], at.open_luck(1, 0))
    return s


def given(game, options=None, **fields):
    """The first position with some fields changed."""
    s = start(game, **(options or {}))
    for name, value in fields.items():
        s[name] = value
    return s


def act(game, s, *actions, **options):
    """The position after some actions."""
    at = table(game, **options)
    luck = at.open_luck(1, 0)
    for action in actions:
        game.step(s, at.rules[0], action, luck)  # as the kernel does, which counts turns
    return s


def legal(game, s, **options):
    at = table(game, **options)
    return at.ids[: game.legal(s, at.rules[0], at.ids)].tolist()


def problems(game, s, **options):
    return game.problems(s, table(game, **options).rules[0])


def play(game, lineup, deals, seed=1, **options):
    """Final states of some deals, through the kernel."""
    players = registry.players(game, parse_lineup(lineup))
    return table(game, **options).play(players, seed, np.arange(deals), np.zeros(deals, np.int64))


def exact_answer(game, column, lineup="random*2", seat=None, equals=None, options=None):
    """The value that the game says is known."""
    wanted = (column, lineup, seat, equals, options or {})
    (result,) = [
        k.value for k in game.known_answers if (k.column, k.lineup, k.seat, k.equals, k.options) == wanted
    ]
    return result
