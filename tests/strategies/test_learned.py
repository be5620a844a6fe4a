"""Learned players: they take the best action by their net, or improve on another strategy by it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from versus import decisions

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_strategy
from simkit.engine.table import GameTable, Player
from tests.made_nets import made_net, made_player

TOYS = ("tic_tac_toe", "pig", pytest.param("high_card", marks=pytest.mark.slow))
SEATS = {"tic_tac_toe": 2, "high_card": 3, "pig": 2}


@cache
def net(name: str, **keys: Any) -> Any:
    return made_net(registry.game(name), SEATS[name], **keys)


def games(game: Game, players: list[Player], deals: int = 8, compiled: bool = True) -> list[Any]:
    """All that a log says of games on the same deals."""
    numbers = np.arange(deals)
    states = GameTable(game, game.rules()).play(players, 3, numbers, 0 * numbers, compiled=compiled)
    return [states[name].tobytes() for name in game.state_dtype.names]


def scripted(name: str, text: str) -> Player:
    return registry.player(registry.game(name), parse_strategy(text)[0], SEATS[name])


@pytest.mark.parametrize("name", TOYS)
def test_learned_players_decide_alike_with_and_without_the_compiler(name: str) -> None:
    game = registry.game(name)
    for base in ("", registry.default_policy(game)):
        players = [made_player(game, net(name), SEATS[name], base)] * SEATS[name]
        assert games(game, players) == games(game, players, compiled=False)


def test_a_sure_win_is_taken_whatever_the_net_expects() -> None:
    """All other actions lead to positions of the same worth: the weights are zero."""
    game = registry.game("tic_tac_toe")
    player = made_player(game, net("tic_tac_toe", size=0), 2)
    taken = 0
    for s, rules, action in decisions(game, "blank, random", 30, blank=_Seated(player)):
        wins = [cell for cell in range(9) if s.board[cell] == 0 and _wins(game, s, rules, cell)]
        assert not wins or action in wins
        taken += bool(wins)
    assert taken > 10


def _wins(game: Game, s: Any, rules: Any, cell: int) -> bool:
    after, mover = s.copy(), int(s.seat)
    game.step(after, rules, cell, None)
    return bool(after["rank"][mover] == 1 and after["rank"][1 - mover] != 1)


class _Seated:
    """A player in place of a strategy."""

    def __init__(self, player: Player) -> None:
        self.seated = player

    def player(self, game: Game, weights: Any) -> Player:
        return self.seated


def test_among_equal_actions_the_choice_is_by_chance() -> None:
    game = registry.game("tic_tac_toe")
    players = [made_player(game, net("tic_tac_toe", size=0), 2)] * 2
    trail = np.zeros(9, np.int64)
    first = set()
    for deal in range(60):
        GameTable(game, game.rules()).play(players, 3, np.array([deal]), np.array([0]), trail)
        first.add(int(trail[0]))
    assert first == set(range(9))


def test_a_cautious_player_plays_as_its_base_and_a_bold_one_as_its_net() -> None:
    game = registry.game("pig")
    base, alone = scripted("pig", "hold_at"), made_player(game, net("pig"), 2)
    cautious, bold = (made_player(game, net("pig"), 2, "hold_at", caution=text) for text in ("2", "0"))
    assert games(game, [cautious] * 2) == games(game, [base] * 2)
    assert games(game, [bold] * 2) == games(game, [alone] * 2) != games(game, [base] * 2)


def test_the_caution_and_the_redeals_of_the_training_hold_unless_others_are_given() -> None:
    game = registry.game("pig")
    trained, given = net("pig", caution=1.95, samples=5), {"caution": "0", "samples": "1"}
    assert games(game, [made_player(game, trained, 2, "hold_at")] * 2) == games(
        game, [scripted("pig", "hold_at")] * 2
    )
    single, five = made_player(game, trained, 2, **given), made_player(game, trained, 2)
    assert games(game, [single] * 2) == games(game, [made_player(game, net("pig"), 2)] * 2)
    assert games(game, [five] * 2) == games(game, [made_player(game, net("pig"), 2, samples="5")] * 2)
    assert games(game, [five] * 2) != games(game, [single] * 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("kind", ["search", "tree"])
def test_searches_by_a_learned_player_decide_alike_with_and_without_the_compiler(
    name: str, kind: str
) -> None:
    game, packed = registry.game(name), net(name)
    weights, policy = {"leaf": "made", "budget": "8", "horizon": "2"}, made_player(game, packed, SEATS[name])
    search = registry.strategy(game, kind).player(game, weights, policy, packed)
    players = [search, *[scripted(name, "random")] * (SEATS[name] - 1)]
    assert games(game, players, 3) == games(game, players, 3, compiled=False)
