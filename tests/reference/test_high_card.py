"""High card: its clauses, what is hidden, and the exact chances of a right and of the naive shuffle."""

from fractions import Fraction

import numpy as np
import pytest

from reference.positions import act, exact_answer, given, legal, play, problems, start, table
from simkit.engine import rng
from simkit.games.reference import high_card

game = high_card.game
ORDERS = [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]


class Open(Exception):
    """A draw whose result the script does not say."""


def every_way(monkeypatch, outcome):
    """The chance of each outcome, by going through every result of every draw of `chance.below`."""
    chances, scripts = {}, [()]
    while scripts:
        script, sizes = scripts.pop(), []

        def below(stream, n, script=script, sizes=sizes):
            if len(sizes) == len(script):
                raise Open(n)
            sizes.append(n)
            return script[len(sizes) - 1]

        monkeypatch.setattr(rng, "below", below)
        try:
            result = outcome()
        except Open as draw:
            scripts += [(*script, value) for value in range(draw.args[0])]
        else:
            chances[result] = chances.get(result, 0) + Fraction(1, int(np.prod(sizes)))
    return chances


def naive(stream, cards, n):
    """Swap each card with any: not every order is equally likely."""
    for i in range(n):
        other = rng.below(stream, n)
        cards[i], cards[other] = cards[other], cards[i]


def dealt():
    """The number of the order of the cards, and the seat that wins where they are dealt."""
    s = act(game, start(game), 0, 1, 2)
    return int(s.log.game.shuffled), int(np.argmax(s.rank == 1))


@pytest.mark.parametrize(
    ("shuffle", "orders", "shares"),
    [
        (rng.shuffle, [Fraction(1, 6)] * 6, [Fraction(1, 3)] * 3),
        (naive, [Fraction(n, 27) for n in (4, 5, 5, 5, 4, 4)], [Fraction(n, 27) for n in (8, 10, 9)]),
    ],
)
def test_exact_chances_of_orders_and_shares_of_seats_by_shuffle(monkeypatch, shuffle, orders, shares):
    monkeypatch.setattr(high_card, "shuffle", shuffle)
    chances = every_way(monkeypatch, dealt)
    assert [sum(p for (order, _), p in chances.items() if order == n) for n in range(6)] == orders
    assert [sum(p for (_, seat), p in chances.items() if seat == n) for n in range(3)] == shares


def test_the_known_answers_are_those_of_a_right_shuffle_and_of_free_choice():
    dealt = {"dealt": True}
    assert [exact_answer(game, "share", "random*3", n, None, dealt) for n in range(3)] == [1 / 3] * 3
    assert [exact_answer(game, "shuffled", "random*3", None, n, dealt) for n in range(6)] == [1 / 6] * 6
    for lineup in ("random*3", "tied*3", "indifferent*3"):
        assert [exact_answer(game, "taken", lineup, None, n) for n in range(6)] == [1 / 6] * 6


def test_HIGH_1_the_row_has_each_card_once_in_any_order():
    states = play(game, "random*3", 300)
    assert {tuple(map(int, s["card"])) for s in states} == set(ORDERS)
    assert start(game).seat == 0 and list(start(game).taker) == [-1, -1, -1]


@pytest.mark.parametrize(("number", "cards"), list(enumerate(ORDERS)))
def test_orders_are_numbered_as_the_log_says(number, cards):
    assert high_card.order_of(np.array(cards)) == number


@pytest.mark.parametrize(
    ("seat", "taker", "dealt", "places"),
    [
        (0, [-1, -1, -1], False, [0, 1, 2]),
        (1, [-1, 0, -1], False, [0, 2]),
        (2, [1, 0, -1], False, [2]),
        (0, [-1, -1, -1], True, [0]),
        (1, [0, -1, -1], True, [1]),
    ],
)
def test_HIGH_2_any_card_left_or_the_next_in_the_row(seat, taker, dealt, places):
    assert legal(game, given(game, seat=seat, taker=taker), dealt=dealt) == places


def test_HIGH_3_the_highest_card_wins_and_every_seat_scores_its_own():
    s = act(game, given(game, card=(2, 3, 1)), 2, 0, 1)
    assert (s.seat, list(s.score), list(s.rank)) == (-1, [1, 2, 3], [3, 2, 1])
    assert (s.log.game.taken, s.log.game.turns) == (3, 3)  # along the row sit seats 1, 2, 0


def test_nobody_sees_a_card_and_a_redeal_gives_any_order():
    view, stream, orders = np.zeros(1, game.state_dtype), np.array([5], np.uint64), set()
    game.observe(given(game, card=(3, 1, 2)), table(game).rules[0], 1, view[0])
    assert list(view[0].card) == [0, 0, 0]
    for _ in range(100):
        game.redeal(view[0], table(game).rules[0], 1, stream)
        orders.add(tuple(map(int, view[0].card)))
    assert orders == set(ORDERS)


def test_problems_are_named():
    assert problems(game, given(game, card=(1, 1, 3))) == ["the row does not have each card once"]
    assert problems(game, given(game, taker=(0, 0, -1))) == ["a seat has taken two cards"]
