"""Race to six: its clauses, and the shares of every seat."""

from fractions import Fraction

import pytest

from reference.positions import act, exact_answer, given, legal, play, problems
from simkit.games.reference import race_to_six as race

game = race.game


def rolled(face, seat=0, seats=3):
    s = given(game, seats=seats, seat=seat)
    race.roll(s, game.rules()[0], face)
    return s


def test_RACE_1_a_turn_is_one_roll_without_a_choice():
    assert legal(game, given(game)) == [race.ROLL]


@pytest.mark.parametrize(("face", "seat", "then"), [(1, 0, 1), (5, 1, 2), (3, 2, 0)])
def test_RACE_1_the_die_goes_round(face, seat, then):
    s = rolled(face, seat)
    assert (s.seat, s.last_roll) == (then, face)


def test_RACE_1_a_roll_is_a_turn():
    s = act(game, given(game, seats=3, seat=1), race.ROLL)
    assert (s.log.game.turns, s.log.seat[1].turns) == (1, 1)


def test_RACE_2_the_die_has_as_many_faces_as_the_option_says():
    faces = {int(act(game, given(game), race.ROLL, faces=2).last_roll)}
    assert faces <= {1, 2}
    assert set(play(game, "random*2", 200, faces=9)["last_roll"]) == {9}


@pytest.mark.parametrize(("seat", "ranks"), [(0, [1, 2, 2]), (1, [2, 1, 2]), (2, [2, 2, 1])])
def test_RACE_3_the_highest_face_wins_and_the_others_share_the_second_rank(seat, ranks):
    s = rolled(6, seat)
    assert (s.seat, list(s.rank[:3]), s.score[seat]) == (-1, ranks, 1)


def test_problems_are_named():
    assert problems(game, given(game, last_roll=6)) == ["the race does not end with the highest face"]


@pytest.mark.parametrize(
    ("seats", "printed"),
    [
        (2, [Fraction(6, 11), Fraction(5, 11)]),
        (3, [Fraction(n, 91) for n in (36, 30, 25)]),
        (10, {0: 0.198769, 9: 0.038523}),
    ],
)
def test_the_shares_are_those_printed_and_add_up_to_one(seats, printed):
    shares = [exact_answer(game, "share", f"random*{seats}", seat=seat) for seat in range(seats)]
    assert sum(shares) == pytest.approx(1, abs=1e-12)
    for seat, value in printed.items() if isinstance(printed, dict) else enumerate(printed):
        assert shares[seat] == pytest.approx(float(value), abs=1e-6)


def test_the_shares_solve_the_equation_of_the_first_roll():
    """Seat 0 wins at once, or becomes the last of the seats that are left to roll."""
    for seats in (2, 5, 10):
        first, last = race.share(0, seats), race.share(seats - 1, seats)
        assert first == pytest.approx(1 / 6 + 5 / 6 * last)
