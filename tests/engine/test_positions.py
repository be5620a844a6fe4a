"""Positions: what seats saw at the decisions of played games, whatever room there is, and how the games ended."""

import numpy as np
import pytest

from simkit.engine import positions as module
from simkit.engine import registry
from simkit.engine.lineups import parse_strategy
from simkit.engine.positions import record_positions, results
from simkit.engine.table import GameTable

UNSEEN = -1


def recorded(name, seats=2, games=40, **chances):
    """All positions of some random games, part by part put together; the games are numbered throughout."""
    game = registry.game(name)
    lineup = registry.players(game, parse_strategy(f"random*{seats}"))
    deals, shifts = np.arange(games), np.zeros(games, np.int64)
    parts, first = [], 0
    for part in record_positions(GameTable(game, game.rules({})), lineup, 3, deals, shifts, **chances):
        copied = part._replace(views=part.views.copy(), games=part.games + first)
        parts.append(copied)
        first += len(part.shares)
    return type(parts[0])(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def test_the_views_are_those_of_the_decisions_in_the_order_of_play():
    played = recorded("tic_tac_toe")
    stones = (played.views["board"] != 0).sum(axis=1)
    assert stones.tolist() == played.numbers.tolist()  # one stone a decision, from an empty board
    assert played.seats.tolist() == played.deciders.tolist() == (played.numbers % 2).tolist()
    assert (np.diff(played.games) >= 0).all()
    assert np.unique(played.games).tolist() == list(range(40))


def test_a_view_hides_what_its_seat_does_not_see():
    played = recorded("kuhn_poker", others=1.0)
    cards, rows = played.views["card"], np.arange(len(played.seats))
    assert (cards[rows, 1 - played.seats] == UNSEEN).all()
    assert (cards[rows, played.seats] != UNSEEN).all()
    assert (played.seats == played.deciders).mean() == 0.5


@pytest.mark.parametrize("room", [{"BYTES": 2_000}, {"TRAIL": 0}], ids=["little room", "a short trail"])
def test_the_room_makes_no_difference(monkeypatch, room):
    whole = recorded("kuhn_poker", others=0.5)
    for name, value in room.items():
        monkeypatch.setattr(module, name, value)
    parted = recorded("kuhn_poker", others=0.5)
    assert all(own.tobytes() == other.tobytes() for own, other in zip(whole, parted, strict=True))


def test_positions_are_chosen_by_chance():
    every, some = (
        recorded("tic_tac_toe", games=300),
        recorded("tic_tac_toe", games=300, keep=0.25, others=0.1),
    )
    own = some.seats == some.deciders
    assert 0.2 < own.sum() / len(every.seats) < 0.3
    assert 0.07 < (~own).sum() / len(every.seats) < 0.13


def test_results_are_shares_of_the_win_and_margins_over_the_best_other_seat():
    game = registry.game("pig")
    states = np.zeros(2, game.state_dtype)
    states["seats"] = 3
    states["rank"][:, :3] = [[1, 2, 3], [1, 1, 3]]
    states["score"][:, :3] = [[100, 80, 7], [50, 50, 20]]
    shares, margins = results(game, states)
    assert shares.tolist() == [[1, 0, 0], [0.5, 0.5, 0]]
    assert margins.tolist() == [[20, -20, -93], [0, 0, -30]]


def test_the_result_of_a_team_is_its_own():
    game = registry.game("rope_bridge")
    states = np.zeros(2, game.state_dtype)
    states["seats"] = 2
    states["rank"][:, :2] = [[1, 1], [0, 0]]
    states["score"][:, :2] = [[4, 4], [-2, -2]]
    shares, margins = results(game, states)
    assert shares.tolist() == [[1, 1], [0, 0]]
    assert margins.tolist() == [[4, 4], [-2, -2]]
