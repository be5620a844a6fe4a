"""Kuhn poker: its clauses, what is hidden, and the equilibrium."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from reference.positions import act, exact_answer, given, play, problems, start, table
from simkit.games.reference import kuhn_poker as kuhn

game = kuhn.game
J, Q, K = kuhn.JACK, kuhn.QUEEN, kuhn.KING
PASS, BET = kuhn.PASS, kuhn.BET
DEALS = list(itertools.permutations((J, Q, K), 2))


def test_KUHN_1_each_seat_has_another_card_and_a_point_in():
    result = {tuple(map(int, s["card"])) for s in play(game, "nash*2", 500)}
    assert result == set(DEALS)
    assert list(start(game).stake) == [1, 1] and start(game).seat == 0


@pytest.mark.parametrize(
    ("cards", "actions", "scores", "reason"),
    [
        ((K, Q), [PASS, PASS], [1, -1], "showdown"),  # KUHN-2, KUHN-4
        ((J, Q), [PASS, PASS], [-1, 1], "showdown"),
        ((J, K), [BET, PASS], [1, -1], "fold"),  # KUHN-3: a bluff that works
        ((J, K), [BET, BET], [-2, 2], "showdown"),  # KUHN-3: a bluff that is called
        ((K, J), [PASS, BET, PASS], [-1, 1], "fold"),
        ((K, J), [PASS, BET, BET], [2, -2], "showdown"),
    ],
)
def test_KUHN_2_to_4_bets_folds_and_cards_shown(cards, actions, scores, reason):
    s = act(game, given(game, card=cards), *actions)
    assert (s.seat, list(s.score), s.log.game.end_reason) == (-1, scores, kuhn.End[reason])
    assert list(s.rank) == ([1, 2] if scores[0] > 0 else [2, 1])


@pytest.mark.parametrize(("actions", "seat"), [([PASS], 1), ([BET], 1), ([PASS, BET], 0)])
def test_KUHN_2_who_is_to_answer(actions, seat):
    assert act(game, given(game), *actions).seat == seat


@pytest.mark.parametrize("seat", [0, 1])
def test_the_view_does_not_change_with_the_other_card(seat):
    views = []
    for other in {J, Q, K} - {Q}:
        s, view = given(game, card=(Q, other) if seat == 0 else (other, Q)), np.zeros(1, game.state_dtype)
        game.observe(s, table(game).rules[0], seat, view[0])
        views.append(view.tobytes())
        assert view[0].card[seat] == Q and view[0].card[1 - seat] == kuhn.UNSEEN
    assert views[0] == views[1]


def test_redeal_gives_the_other_either_of_the_two_cards_equally_often():
    view, stream, result = given(game, card=(Q, kuhn.UNSEEN)), np.array([5], np.uint64), []
    for _ in range(400):
        view.card[1] = kuhn.UNSEEN
        game.redeal(view, table(game).rules[0], 0, stream)
        result.append(int(view.card[1]))
    assert set(result) == {J, K} and abs(result.count(J) - 200) < 4 * 10


def test_problems_are_named():
    assert problems(game, given(game, card=(Q, Q))) == ["the two cards are not two of the three"]
    assert problems(game, given(game, score=[1, 0])) == ["the scores do not add up to 0"]
    assert problems(game, given(game, stake=[2, 1])) == ["the stakes do not fit the bets"]


def nash(alpha):
    """Chances to bet or call: [seat][card] -> (when nobody has bet, against a bet)."""
    third = Fraction(1, 3)
    first = {J: (alpha, 0), Q: (0, alpha + third), K: (3 * alpha, 1)}
    return [first, {J: (third, 0), Q: (0, third), K: (1, 1)}]


def hand(first, second, cards):
    """(value to the first, chance that the first wins) of one deal between two tables of chances."""
    a, b = cards
    better = 1 if a > b else -1
    bets, calls = first[a]
    answers, raises = second[b][1], second[b][0]
    ends = [
        (bets * answers, 2 * better),
        (bets * (1 - answers), 1),
        ((1 - bets) * (1 - raises), better),
        ((1 - bets) * raises * calls, 2 * better),
        ((1 - bets) * raises * (1 - calls), -1),
    ]
    assert sum(chance for chance, _ in ends) == 1
    return sum(chance * won for chance, won in ends), sum(chance for chance, won in ends if won > 0)


def value(first, second):
    return tuple(
        sum(part) / Fraction(6) for part in zip(*(hand(first, second, cards) for cards in DEALS), strict=True)
    )


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_the_equilibrium_is_worth_minus_an_eighteenth_and_nobody_gains_by_leaving_it(alpha):
    first, second = nash(alpha)
    assert value(first, second) == (Fraction(-1, 18), Fraction(25, 54) + alpha / 6)
    ways = [
        dict(zip((J, Q, K), way, strict=True))
        for way in itertools.product(itertools.product((0, 1), repeat=2), repeat=3)
    ]
    assert max(value(way, second)[0] for way in ways) == Fraction(-1, 18)
    assert min(value(first, way)[0] for way in ways) == Fraction(-1, 18)


@pytest.mark.parametrize(
    ("lineup", "alpha"),
    [
        ("nash*2", Fraction(1, 5)),
        ("nash(alpha=0)*2", Fraction(0)),
        ("nash(alpha=0), nash(alpha=0.333333)", Fraction(1, 6)),
    ],
)
def test_the_known_answers_are_those_of_the_equilibrium(lineup, alpha):
    worth, wins = value(*nash(alpha))
    assert exact_answer(game, "score", lineup, seat=0) == pytest.approx(float(worth))
    assert exact_answer(game, "share", lineup, seat=0) == pytest.approx(float(wins), abs=1e-6)


def test_the_strategy_nash_bets_and_calls_as_often_as_the_table_says():
    states = play(game, "nash(alpha=0.25)*2", 60_000)
    first, second = nash(Fraction(1, 4))
    for card in (J, Q, K):
        mine = states[states["card"][:, 0] == card]
        opened = mine["bettor"] == 0
        assert opened.mean() == pytest.approx(float(first[card][0]), abs=0.015)
        against = mine[mine["bettor"] == 1]
        assert (against["stake"][:, 0] == 2).mean() == pytest.approx(float(first[card][1]), abs=0.04)
        theirs = states[states["card"][:, 1] == card]
        checked, bet = theirs[theirs["bettor"] != 0], theirs[theirs["bettor"] == 0]
        assert (checked["bettor"] == 1).mean() == pytest.approx(float(second[card][0]), abs=0.02)
        assert (bet["stake"][:, 1] == 2).mean() == pytest.approx(float(second[card][1]), abs=0.04)
