"""Tree search against games with exact answers: Nim, tic-tac-toe and Kuhn poker."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from reference.test_kuhn_poker import value
from versus import decisions, lineup

from simkit.engine.table import GameTable
from simkit.games.reference import kuhn_poker as kuhn
from simkit.games.reference.nim import MOST
from simkit.games.reference.nim import game as nim
from simkit.games.reference.tic_tac_toe import game as tic_tac_toe
from tests.everyday import everyday

pytestmark = [pytest.mark.slow, pytest.mark.proof("games.reference", "strategies")]

# All positions to win with heaps of up to 3, except those of 10 and 11 objects: on 4 and 1 of 20 deals a
# budget of 5,000 is not enough for (1, 3, 3, 3) and (2, 3, 3, 3).
WINNING = [
    heaps
    for heaps in itertools.combinations_with_replacement(range(4), 4)
    if np.count_nonzero(heaps) > 1 and sum(heaps) < 10 and np.bitwise_xor.reduce(heaps) != 0
]


def first_action(game, text, options, deal=0):
    trail = np.full(game.max_steps, -1, np.int64)
    table = GameTable(game, game.rules(options))
    table.play(lineup(game, text), 3, np.array([deal]), np.zeros(1, np.int64), trail)
    return int(trail[0])


@pytest.mark.parametrize(("heaps",), everyday([(heaps,) for heaps in WINNING], 7, 3), ids=str)
def test_in_nim_it_leaves_heaps_whose_exclusive_or_is_zero(heaps):
    options = {f"heap_{i + 1}": size for i, size in enumerate(heaps)}
    for deal in range(3):
        action = first_action(nim, "tree(budget=5000), random", options, deal)
        left = list(heaps)
        left[action // MOST] -= action % MOST + 1
        assert np.bitwise_xor.reduce(left) == 0


@pytest.mark.parametrize(("opponent", "deals"), everyday([("random", 60), ("random", 500)], 1))
def test_it_loses_at_most_one_in_a_thousand_games_of_tic_tac_toe(opponent, deals):
    players, table = (
        lineup(tic_tac_toe, f"tree(budget=5000), {opponent}"),
        GameTable(tic_tac_toe, tic_tac_toe.rules()),
    )
    shifts = np.tile([0, 1], deals)
    states = table.play(players, 3, np.repeat(np.arange(deals), 2), shifts)
    lost = states["rank"][np.arange(shifts.size), shifts] != 1
    assert lost.sum() <= shifts.size // 1_000  # with caution it may follow its random policy into a loss


def test_it_draws_every_game_of_tic_tac_toe_against_itself():
    players, table = lineup(tic_tac_toe, "tree(budget=5000)*2"), GameTable(tic_tac_toe, tic_tac_toe.rules())
    states = table.play(players, 3, np.arange(100), np.zeros(100, np.int64))
    assert (states["rank"] == 1).all()


def chances(text, deals):
    """The chances that a strategy bets or calls, as counted: [seat][card] -> (when nobody has bet, else)."""
    counts = np.zeros((2, kuhn.CARDS, 2, 2), int)  # [seat, card, whether a bet is answered, action]
    for seat in (0, 1):
        for s, _, action in decisions(kuhn.game, f"{text}, random", deals, shift=seat):
            counts[seat, s.card[seat], int(s.bettor != kuhn.NOBODY), action] += 1
    return [
        {
            card: tuple(_chance(counts[seat, card, answers]) for answers in (0, 1))
            for card in range(kuhn.CARDS)
        }
        for seat in (0, 1)
    ]


def _chance(actions):
    """The chance of a bet; 0 where the strategy never decides."""
    passes, bets = map(int, actions)
    return Fraction(bets, max(1, passes + bets))


def exploitability(strategy):
    """What the best answers to a strategy win of it in a hand, mean over the seats; 0 at an equilibrium."""
    first, second = strategy
    pairs = itertools.product((0, 1), repeat=2)
    answers = [dict(enumerate(answer)) for answer in itertools.product(list(pairs), repeat=kuhn.CARDS)]
    best_first = max(value(answer, second)[0] for answer in answers)
    return (best_first - min(value(first, answer)[0] for answer in answers)) / 2


HALVES = dict.fromkeys(range(kuhn.CARDS), (Fraction(1, 2), Fraction(1, 2)))


def test_the_exploitability_of_kuhns_equilibrium_is_zero_and_that_of_random_play_is_not():
    third = Fraction(1, 3)
    first = {kuhn.JACK: (0, 0), kuhn.QUEEN: (0, third), kuhn.KING: (0, 1)}
    second = {kuhn.JACK: (third, 0), kuhn.QUEEN: (0, third), kuhn.KING: (1, 1)}
    assert exploitability([first, second]) == 0 < exploitability([HALVES, HALVES])


@pytest.mark.parametrize(("budget", "deals"), everyday([(50, 150), (50, 600), (200, 600), (800, 600)], 1))
def test_in_kuhn_poker_it_is_less_exploitable_than_random_play(budget, deals):
    assert exploitability(chances(f"tree(budget={budget})", deals)) < exploitability([HALVES, HALVES])
