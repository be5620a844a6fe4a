"""Helpers that rules call: actions added in any order, turns ended by hand, actions that everybody sees."""

import dataclasses
from enum import IntEnum

import numpy as np
import pytest
from numba import types

import simkit as sk
from simkit.engine.compile.jit import EntryPoint
from simkit.engine.kernel import NUMBERS
from simkit.engine.perspective import Perspective
from simkit.engine.stepper import trace_games
from simkit.engine.strategy import random
from simkit.engine.table import GameTable
from simkit.errors import PlayError

SEATS, ROUNDS, CARDS, HIDDEN = 2, 2, 3, -1
End = IntEnum("End", "rounds")


# Adding actions


def added(out, ids):
    """Add ids to `out` one after the other; return their number."""
    n = 0
    for i in range(ids.size):
        n = sk.add(out, n, ids[i])
    return n


ADDED = sk.rule(added)
COMPILED = EntryPoint(
    lambda out, ids: ADDED(out, ids), types.int64(NUMBERS, NUMBERS), "added", allocates=False
)


@pytest.mark.parametrize("function", [ADDED, COMPILED], ids=["plain", "compiled"])
@pytest.mark.parametrize(
    "ids, expected",
    [
        ([], []),
        ([5], [5]),
        ([1, 2, 9], [1, 2, 9]),
        ([9, 2, 1], [1, 2, 9]),
        ([4, 0, 4, 7, 0, 5], [0, 4, 5, 7]),
    ],
)
def test_actions_may_be_added_in_any_order_and_twice(function, ids: list, expected: list) -> None:
    out = np.full(8, -1)
    n = function(out, np.array(ids, np.int64))
    assert out[:n].tolist() == expected and (out[n:] == -1).all()


@pytest.mark.parametrize("function", [ADDED, COMPILED], ids=["plain", "compiled"])
def test_more_actions_than_there_is_room_for_are_counted_and_not_written(function) -> None:
    memory = np.full(4, -1)
    assert function(memory[:2], np.array([3, 1, 2])) == 3
    assert memory.tolist() == [1, 3, -1, -1]


def test_actions_may_be_added_after_a_range() -> None:
    out = np.zeros(6, np.int64)
    n = sk.add(out, sk.offer(out, 4, 6), 1)
    assert out[:n].tolist() == [1, 4, 5, 6]


def test_a_pass_may_be_added_after_a_set_that_is_counted_from_an_id() -> None:
    out = np.zeros(6, np.int64)
    n = sk.add(out, sk.offer_set(out, 0b101, 34), 0)
    assert out[:n].tolist() == [0, 34, 36]


# A game of rounds: each seat plays a card in secret; whoever won a round leads the next one.


@sk.rule
def setup(s, rules, rng):
    s.card[:] = HIDDEN


@sk.rule
def legal(s, rules, out):
    return sk.offer(out, 0, CARDS - 1)


@sk.rule
def apply(s, rules, action, rng):
    sk.end_turn(s)
    play(s, rules, action, rng)


@sk.rule
def play(s, rules, action, rng):
    s.card[s.seat] = action
    if s.card[1 - s.seat] == HIDDEN:
        s.seat = sk.next_seat(s)
        return
    winner = 0 if s.card[0] >= s.card[1] else 1
    s.score[winner] += 1
    s.round_no += 1
    s.card[:] = HIDDEN
    s.seat = winner
    if s.round_no == ROUNDS:
        sk.rank_by_score(s)
        sk.end(s, End.rounds)


@sk.rule
def late_apply(s, rules, action, rng):
    """End the turn after the game."""
    apply(s, rules, action, rng)
    sk.end_turn(s)


@sk.rule
def observe(s, rules, seat, view):
    sk.clone_before(view, s, "log")
    view.card[1 - seat] = HIDDEN


GAME = sk.Game(
    name="rounds", title="Rounds", seats=(SEATS, SEATS), end_reasons=End, options=[], max_actions=CARDS,
    state=[sk.Field("card", "i1", (SEATS,), "Card played, -1 = none or hidden [seat]"),
           sk.scalar("round_no", "i1", "Rounds played")],
    setup=setup, legal=legal, apply=apply, observe=observe,
)  # fmt: skip


def turns(game: sk.Game) -> tuple[list[int], int]:
    """Return the seats of the turns of one game, and the number of turns that a seat took."""
    table, deals = GameTable(game, game.rules()), np.arange(1)
    lineup = [random.player(game)] * SEATS
    (traced,) = trace_games(table, lineup, 2, deals, np.zeros(1, np.int64))
    moved = traced.rows[traced.rows["steps"] > 0]
    return moved["seat"].tolist(), int(traced.states[0]["log"]["seat"]["turns"].sum())


def test_two_turns_of_a_seat_in_a_row_are_two_turns() -> None:
    """The last card of a round and the first of the next one may be those of one seat."""
    seats, counted = turns(GAME)
    assert len(seats) == counted == SEATS * ROUNDS and seats[1] == seats[2]
    assert turns(dataclasses.replace(GAME, apply=play))[1] == SEATS * ROUNDS - 1


def test_turns_that_the_log_of_a_seat_does_not_count_are_refused_with_the_cure() -> None:
    with pytest.raises(
        sk.UsageError, match=r"end_turn\(s\) counts in the field 'turns' of Log\(seat=...\): add"
    ):
        dataclasses.replace(GAME, log=sk.Log(seat=[]))


def test_a_turn_that_ends_after_the_game_is_refused_with_the_cure() -> None:
    with pytest.raises(PlayError, match=r"say end_turn\(s\) before end\(s, REASON\)"):
        turns(dataclasses.replace(GAME, apply=late_apply))


# Actions that everybody sees


def narrated(game: sk.Game) -> list[int]:
    """Return the first action as each seat knows it, where seat 0 plays card 2."""
    table = GameTable(game, game.rules())
    before, rng = np.zeros(1, game.state_dtype)[0], table.open_luck(1, 0)
    before.seats = SEATS
    game.begin(before, table.rules[0], rng, 0)
    after = before.copy()
    game.step(after, table.rules[0], 2, rng)
    return [Perspective(table, seat).action(before, 2, rng, after) for seat in range(SEATS)]


def test_an_action_in_secret_is_shown_to_its_seat_alone() -> None:
    assert narrated(GAME) == [2, sk.HIDDEN]


def test_a_public_action_is_shown_to_all() -> None:
    assert narrated(dataclasses.replace(GAME, public_actions=True)) == [2, 2]


def test_views_have_the_last_action_of_each_seat_and_none_at_first() -> None:
    game = dataclasses.replace(GAME, public_actions=True)
    table = GameTable(game, game.rules())
    for compiled in (True, False):
        trail = np.full(SEATS * ROUNDS, -1)
        lineup, zero = [random.player(game)] * SEATS, np.zeros(1, np.int64)
        (state,) = table.play(lineup, 1, zero, zero, trail, compiled=compiled)
        first, second = trail[-2:]
        assert sorted(state.last_action.tolist()) == sorted([first, second])
    s = np.zeros(1, game.state_dtype)[0]
    s.seats = SEATS
    game.begin(s, table.rules[0], table.open_luck(1, 0), 0)
    assert s.last_action.tolist() == [-1, -1]
