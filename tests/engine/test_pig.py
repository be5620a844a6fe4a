"""Pig: its clauses, and the chance to win that dynamic programming gives."""

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.lineups import parse_strategy
from simkit.engine.table import GameTable
from simkit.games import pig

GAMES = 400_000
# two seats, both hold at 20 or at the goal: exact, by dynamic programming; Neller & Presser print .5347
FIRST_WINS = 0.53469833


def play(lineup, games, seed=1, **options):
    players = registry.players(pig.game, [named for text in lineup for named in parse_strategy(text)])
    return GameTable(pig.game, pig.game.rules(options)).play(
        players, seed, np.arange(games), np.zeros(games, np.int64)
    )


def test_the_first_seat_wins_as_often_as_dynamic_programming_says():
    share = (play(["hold_at*2"], GAMES)["rank"][:, 0] == 1).mean()
    assert abs(share - FIRST_WINS) < 4 * (FIRST_WINS * (1 - FIRST_WINS) / GAMES) ** 0.5


def exact_first_share(goal, faces):
    """The same by dynamic programming for small goals: both always roll once and hold (threshold 1)."""
    win = {}  # chance of the seat to roll, by its score and the other's
    for own in range(goal - 1, -1, -1):
        for other in range(goal - 1, -1, -1):
            win[own, other] = None
    for _ in range(3000):
        change = 0.0
        for own, other in win:
            total = 0.0
            for face in range(1, faces + 1):
                new = own if face == 1 else own + face
                total += 1.0 if new >= goal else 1 - (win[other, new] or 0.0)
            change = max(change, abs(total / faces - (win[own, other] or 0.0)))
            win[own, other] = total / faces
        if change < 1e-12:
            break
    return win[0, 0]


def test_options_change_the_chance_as_dynamic_programming_says():
    expected, games = exact_first_share(goal=8, faces=4), 100_000
    share = (play(["hold_at(threshold=1)*2"], games, goal=8, faces=4)["rank"][:, 0] == 1).mean()
    assert abs(share - expected) < 4 * (expected * (1 - expected) / games) ** 0.5


@pytest.mark.parametrize("seats", range(2, 11))
def test_any_number_of_seats_from_2_to_10_plays(seats):
    states = play([f"hold_at*{seats}"], 500, goal=30)
    assert ((states["rank"][:, :seats] == 1).sum(axis=1) == 1).all() and (
        states["rank"][:, seats:] == 0
    ).all()
    assert (states["score"].max(axis=1) >= 30).all()


def position(seats=2, **fields):
    states = np.zeros(1, pig.game.state_dtype)
    s = states[0]
    s.seats = seats
    for name, value in fields.items():
        s[name] = value
    return s


def act(s, action, **options):
    table = GameTable(pig.game, pig.game.rules(options))
    pig.apply(s, table.rules[0], action, table.open_luck(1, 0))
    return s


def test_PIG_1_holding_at_the_goal_wins_at_once():
    s = act(position(score=[90] + [0] * 9, turn_total=10, last_roll=6), pig.HOLD)
    assert s.seat == -1 and s.score[0] == 100 and list(s.rank[:2]) == [1, 2]


def test_PIG_2_the_die_has_as_many_faces_as_the_option_says():
    states = play(["hold_at(threshold=1)*2"], 2_000, faces=20, goal=1000, bust=0)
    assert states["log"]["seat"]["best_turn"].max() == 20


def test_PIG_3_the_bust_face_loses_the_points_of_the_turn_and_the_turn():
    s = position(score=[40] + [0] * 9, turn_total=15, last_roll=6)
    pig.roll(s, GameTable(pig.game, pig.game.rules()).rules[0], 1)
    assert (s.seat, s.score[0], s.turn_total, s.log.game.busts) == (1, 40, 0, 1)


def test_PIG_4_a_turn_starts_with_a_roll():
    out = np.zeros(2, np.int64)
    rules = GameTable(pig.game, pig.game.rules()).rules[0]
    assert pig.legal(position(), rules, out) == 1 and out[0] == pig.ROLL
    assert pig.legal(position(last_roll=3, turn_total=3), rules, out) == 2 and list(out) == [
        pig.HOLD,
        pig.ROLL,
    ]


def test_problems_are_named():
    rules = GameTable(pig.game, pig.game.rules()).rules[0]
    assert "the game goes on" in pig.problems(position(score=[100] + [0] * 9), rules)[0]
    assert "no score has reached" in pig.problems(position(seat=-1), rules)[0]
    assert "points without a roll" in pig.problems(position(turn_total=3), rules)[0]
