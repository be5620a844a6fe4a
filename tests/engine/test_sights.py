"""What a seat sees along a game: the views of `observe`, the legal actions, and what may follow each of them."""

from __future__ import annotations

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.perspective import Perspective
from simkit.engine.rng import open_streams
from simkit.engine.sights import CHOICES, LUCK, MOVER, OPEN, look
from simkit.engine.table import GameTable

SEED, DEAL = 3, 4
GAMES = ["pig", "kuhn_poker", "hidden_traitor"]


def played(name: str) -> tuple[GameTable, int, np.ndarray]:
    """Return a table, the number of seats, and the actions of a game at it."""
    game = registry.game(name)
    table, seats, trail = GameTable(game, game.rules({})), game.default_seats, np.full(4096, -1)
    lineup = registry.players(game, parse_lineup(f"random*{seats}"))
    table.play(lineup, SEED, np.array([DEAL]), np.array([0]), trail)
    return table, seats, trail[trail >= 0]


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_sees_what_observe_writes_and_knows_luck_and_legal_actions(name: str) -> None:
    table, seats, trail = played(name)
    eyes, game = Perspective(table, 1), table.game
    seen = look(table, seats, 1, SEED, DEAL, trail)
    s, rng = np.zeros(1, game.state_dtype)[0], table.open_luck(SEED, DEAL)
    s.seats = seats
    game.begin(s, table.rules[0], rng, 0)
    for k, action in enumerate(trail):
        view = np.zeros(1, game.state_dtype)[0]
        game.observe(s, table.rules[0], 1, view)
        assert seen.views[k].tobytes() == view.tobytes() and seen.truth[k].tobytes() == s.tobytes()
        legal, luck = eyes.legal(s), rng.copy()
        assert (seen.steps[k, MOVER], seen.steps[k, CHOICES]) == (s.seat, len(legal))
        game.step(s, table.rules[0], int(action), rng)
        assert seen.steps[k, LUCK] == (rng.tobytes() != luck.tobytes())
    assert not seen.legal and len(seen.views) == len(trail) + 1


@pytest.mark.parametrize("name", GAMES)
def test_words_for_an_action_of_another_seat_are_open_only_where_it_can_be_known(name: str) -> None:
    table, seats, trail = played(name)
    eyes, game = Perspective(table, 1), table.game
    seen = look(table, seats, 1, SEED, DEAL, trail)
    for k in np.flatnonzero((seen.steps[:, CHOICES] > 1) & (seen.steps[:, OPEN] == 1)):
        luck = table.open_luck(SEED, DEAL)
        s = np.zeros(1, game.state_dtype)[0]
        s.seats = seats
        game.begin(s, table.rules[0], luck, 0)
        for action in trail[:k]:
            game.step(s, table.rules[0], int(action), luck)
        assert eyes.action(s, int(trail[k]), luck, seen.truth[k + 1]) == trail[k]


def test_a_hidden_choice_of_another_seat_is_not_open() -> None:
    table, seats, trail = played("hidden_traitor")
    assert not look(table, seats, 1, SEED, DEAL, trail).steps[:, OPEN].all()


@pytest.mark.parametrize("name", GAMES)
def test_futures_show_nothing_that_the_seat_does_not_know(name: str) -> None:
    """Games that look alike to the seat have the same futures, whatever is hidden."""
    table, seats, trail = played(name)
    seen = look(table, seats, 1, SEED, DEAL, trail)
    mine = [k for k in range(len(trail)) if seen.steps[k, MOVER] == 1 and seen.steps[k, CHOICES] > 1]
    now = look(table, seats, 1, SEED, DEAL, trail[: mine[-1]])
    view = now.views[-1]
    for action, futures in zip(now.legal, now.futures, strict=True):
        for luck, future in enumerate(futures, 1):
            state, rng = view.copy(), np.zeros(1, table.game.rng_dtype)
            table.game.redeal(state, table.rules[0], 1, np.array([luck], np.uint64))
            open_streams(rng.view(np.uint64), luck, 0, table.names)
            table.game.step(state, table.rules[0], action, rng[0])
            expected = np.zeros(1, table.game.state_dtype)[0]
            table.game.observe(state, table.rules[0], 1, expected)
            assert future.tobytes() == expected.tobytes()
