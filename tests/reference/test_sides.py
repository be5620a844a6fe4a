"""Games in which two sides win together: their clauses, what is hidden, and the exact chances of both sides."""

import itertools
from collections import Counter

import numpy as np
import pytest

from reference.positions import act, given, legal, play, start, table
from simkit.engine.playout import judging
from simkit.engine.positions import results
from simkit.engine.table import FailedGame, _lose
from simkit.games.reference import hidden_traitor, one_against_many, partners
from simkit.runs.log import shares
from simkit.verify.check.inspections import _sides

HIDING, PARTNERS, TRAITOR = one_against_many.game, partners.game, hidden_traitor.game
DEALS = 4_000


def sides(s):
    return [int(seat.side) for seat in s.log.seat[: s.seats]]


# One against many


def test_ONE_1_a_lot_or_a_rule_says_who_is_the_hider():
    hiders = Counter(int(s["hider"]) for s in play(HIDING, "random*3", 600))
    assert set(hiders) == {0, 1, 2} and min(hiders.values()) > 150
    s = start(HIDING, fixed=True)
    assert (s.hider, s.seat, s.first, sides(s)) == (0, 0, 0, [0, 1, 1])


def test_ONE_2_the_hider_hides_one_of_the_numbers():
    s = start(HIDING, fixed=True, numbers=6)
    assert legal(HIDING, s, numbers=6) == [0, 1, 2, 3, 4, 5]
    assert act(HIDING, s, 4, numbers=6).hidden == 5


@pytest.mark.parametrize(
    ("actions", "seat", "open_numbers"),
    [
        ([2], 1, [0, 1, 2, 3]),
        ([2, 0], 2, [1, 2, 3]),
        ([2, 0, 3], 1, [1, 2]),  # past the hider
    ],
)
def test_ONE_3_the_seekers_name_numbers_in_turn(actions, seat, open_numbers):
    how = {"fixed": True, "guesses": 2}
    s = act(HIDING, start(HIDING, **how), *actions, **how)
    assert (s.seat, legal(HIDING, s, **how)) == (seat, open_numbers)


@pytest.mark.parametrize(
    ("actions", "ranks", "reason"),
    [
        ([2, 2], [3, 1, 1], "number_named"),
        ([2, 0, 2], [3, 1, 1], "number_named"),
        ([2, 0, 1], [1, 2, 2], "never_named"),
    ],
)
def test_ONE_4_the_seekers_win_together_if_the_number_is_named(actions, ranks, reason):
    s = act(HIDING, start(HIDING, fixed=True), *actions, fixed=True)
    assert (s.seat, list(s.rank[:3]), s.log.game.end_reason) == (-1, ranks, one_against_many.End[reason])


# Partners


def test_PARTNERS_1_partners_sit_opposite_each_other():
    assert sides(start(PARTNERS)) == [0, 1, 0, 1]


def test_PARTNERS_2_each_seat_gets_another_card():
    hands = [tuple(map(int, start(PARTNERS).card))] + [
        tuple(s["card"]) for s in play(PARTNERS, "random*4", 200)
    ]
    assert all(len(set(hand)) == 4 and min(hand) >= 1 and max(hand) <= 8 for hand in hands)


def test_PARTNERS_3_a_card_is_exchanged_once_for_one_that_nobody_has_had():
    s = act(PARTNERS, given(PARTNERS, card=(1, 2, 3, 4)), partners.EXCHANGE)
    assert (s.exchanged[0], s.swapped[0], s.seat) == (1, 1, 1) and s.card[0] in (5, 6, 7, 8)
    s = act(PARTNERS, given(PARTNERS, card=(1, 2, 3, 4)), partners.KEEP)
    assert (s.card[0], s.exchanged[0], s.swapped[0]) == (1, 0, 0)


@pytest.mark.parametrize(
    ("cards", "handicap", "ranks"),
    [
        ((8, 1, 7, 2), 0, [1, 3, 1, 3]),
        ((1, 8, 2, 7), 0, [3, 1, 3, 1]),
        ((8, 1, 7, 2), 12, [1, 1, 1, 1]),  # 15 less 12 against 3
        ((8, 1, 7, 2), 13, [3, 1, 3, 1]),
    ],
)
def test_PARTNERS_4_the_higher_sum_wins_less_the_handicap(cards, handicap, ranks):
    s = act(PARTNERS, given(PARTNERS, card=cards), *[partners.KEEP] * 4, handicap=handicap)
    assert list(s.rank) == ranks


# Hidden traitor


def test_TRAITOR_1_one_seat_is_the_traitor():
    roles = [tuple(map(int, s["role"][:4])) for s in play(TRAITOR, "random*4", 400)]
    assert {sum(role) for role in roles} == {1} and len(set(roles)) == 4
    assert sides(start(TRAITOR)) == list(start(TRAITOR).role[:3])


def after_naming(role, *actions, **options):
    """A game of four seats with these roles after some numbers."""
    s = given(TRAITOR, role=(*role, *[0] * 5), present=(1, 1, 1, 1, 0, 0, 0, 0, 0), seats=4)
    return act(TRAITOR, s, *actions, **options)


def test_TRAITOR_2_all_name_a_number_in_secret():
    s = after_naming((0, 0, 1, 0), 3, 2)
    view = np.zeros(1, TRAITOR.state_dtype)
    TRAITOR.observe(s, table(TRAITOR).rules[0], 0, view[0])
    assert (s.seat, legal(TRAITOR, s)) == (2, [0, 1, 2, 3])
    assert list(view[0].named[:4]) == [3, -1, -1, -1] and list(view[0].role[:4]) == [0, -1, -1, -1]


@pytest.mark.parametrize(("numbers", "exiled"), [((0, 0, 0, 0), 0), ((1, 1, 1, 0), 3), ((3, 3, 0, 0), 2)])
def test_TRAITOR_3_the_sum_exiles_a_seat_and_shows_its_role(numbers, exiled):
    s = after_naming((0, 1, 0, 0), *numbers)
    assert [seat for seat in range(4) if not s.present[seat]] == [exiled]
    view = np.zeros(1, TRAITOR.state_dtype)
    TRAITOR.observe(s, table(TRAITOR).rules[0], 1, view[0])
    assert view[0].role[exiled] == s.role[exiled]


def test_TRAITOR_4_at_night_whom_the_traitor_points_at_goes():
    s = after_naming((0, 1, 0, 0), 0, 0, 0, 0, nights=True)  # seat 0 is exiled
    assert (s.night, s.seat, legal(TRAITOR, s, nights=True)) == (1, 1, [2, 3])
    s = act(TRAITOR, s, 3, 1, 1, nights=True)  # seat 1 is the traitor
    assert list(s.present[:4]) == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("role", "numbers", "options", "ranks", "reason"),
    [
        ((1, 0, 0, 0), (0, 0, 0, 0), {}, [4, 1, 1, 1], "traitor_exiled"),
        ((0, 1, 0, 0), (0, 0, 0, 0), {"days": 1}, [2, 1, 2, 2], "traitor_left"),
        ((0, 1, 0, 0), (0, 0, 0, 0, 2, 0, 0), {}, [2, 1, 2, 2], "traitor_left"),  # two are left
    ],
)
def test_TRAITOR_5_the_crew_wins_together_if_the_traitor_is_exiled_in_time(
    role, numbers, options, ranks, reason
):
    s = after_naming(role, *numbers, **options)
    assert (s.seat, list(s.rank[:4])) == (-1, ranks)
    assert s.log.game.end_reason == hidden_traitor.End[reason]


# Sides: their share of the win, against exact chances


def side_shares(game, seats, options, deals=DEALS):
    """Share of the first side in each deal at random play."""
    states = play(game, f"random*{seats}", deals, **options)
    won, first = shares(game, states, seats), states["log"]["seat"]["side"][:, :seats] == 0
    own, other = (np.where(side, won, 0).max(axis=1) for side in (first, ~first))
    assert np.allclose(own + other, 1) and np.allclose(won, np.where(first, own[:, None], other[:, None]))
    return own


def hider_wins(seats, numbers, guesses):
    return max(0.0, 1 - guesses * (seats - 1) / numbers)


MIXES = [
    *(
        (HIDING, seats, {"numbers": numbers, "guesses": guesses}, hider_wins(seats, numbers, guesses))
        for seats, numbers, guesses in [(3, 4, 1), (3, 9, 2), (4, 3, 1), (4, 12, 2), (5, 8, 1), (5, 9, 2), (5, 30, 3)]
    ),
    *(
        (PARTNERS, 4, {"cards": cards, "handicap": handicap}, partners.first_side(cards, handicap))
        for cards, handicap in [(8, 0), (8, 2), (9, -3), (10, 5), (12, 1), (14, -7)]
    ),
    *(
        (TRAITOR, seats, {"days": days, "nights": nights}, hidden_traitor.caught(seats, days, nights))
        for seats, days, nights in [(3, 8, False), (4, 8, False), (4, 1, True), (5, 8, True), (6, 2, False), (7, 3, True), (9, 8, True)]
    ),
]  # fmt: skip


@pytest.mark.parametrize(("game", "seats", "options", "exact"), MIXES)
def test_the_share_of_a_side_is_within_4_standard_errors_of_its_exact_value(game, seats, options, exact):
    won = side_shares(game, seats, options)
    error = max(float(won.std()), 1e-9) / np.sqrt(won.size)
    assert abs(won.mean() - exact) <= 4 * error + 1e-12


@pytest.mark.parametrize(
    ("ranks", "sides", "expected"),
    [
        ([1, 2, 2], [0, 1, 1], [1, 0, 0]),
        ([2, 1, 1], [0, 1, 1], [0, 1, 1]),
        ([1, 1, 1], [0, 1, 1], [0.5, 0.5, 0.5]),  # both sides share the win, whatever their sizes
        ([1, 3, 1, 3], [0, 1, 0, 1], [1, 0, 1, 0]),
        ([1, 2, 3, 4], [0, 0, 1, 1], [1, 1, 0, 0]),  # a side wins with any of its seats
        ([0, 0, 0], [0, 1, 1], [0, 0, 0]),  # nobody wins
    ],
)
def test_sides_share_the_win_and_the_share_of_a_seat_is_that_of_its_side(ranks, sides, expected):
    states = np.zeros(1, HIDING.state_dtype)
    states["rank"][0, : len(ranks)] = ranks
    states["log"]["seat"]["side"][0, : len(sides)] = sides
    assert shares(HIDING, states, len(ranks))[0].tolist() == expected


def test_the_equilibrium_of_the_traitor_does_not_depend_on_what_one_side_names():
    """One seat that names a random number makes the lottery uniform, whatever the others name."""
    for fixed in itertools.product(range(4), repeat=3):
        totals = Counter((sum(fixed) + number) % 4 for number in range(4))
        assert set(totals.values()) == {1} and len(totals) == 4


@pytest.mark.parametrize(
    ("ranks", "scores", "worth"),
    [
        ([1, 3, 1, 3], [4, -4, 2, -4], [(1, 8), (0, -8), (1, 6), (0, -8)]),  # partners are no rivals
        ([1, 1, 1, 1], [3, 3, 3, 3], [(0.5, 0)] * 4),  # both sides win
    ],
)
def test_search_and_learning_value_a_win_of_the_side_as_a_whole_win(ranks, scores, worth):
    states = np.zeros(1, PARTNERS.state_dtype)
    states["seats"], states["seat"], states["rank"], states["score"] = 4, -1, ranks, scores
    judge, (won, margins) = judging(PARTNERS), results(PARTNERS, states)
    for seat, (share, margin) in enumerate(worth):
        assert judge(states[0], seat) == (share, margin)
        assert (won[0, seat], margins[0, seat]) == (share, margin)


@pytest.mark.parametrize(
    ("sides", "at_fault", "ranks"),
    [
        ([0, 1, 1], 1, [1, 2, 2]),  # the partner loses, too
        ([0, 1, 1], 0, [3, 1, 1]),
        ([0, 0, 0], 1, [0, 0, 0]),  # no sides yet: nobody wins
    ],
)
def test_the_side_of_a_seat_at_fault_loses(sides, at_fault, ranks):
    states = np.zeros(1, HIDING.state_dtype)
    states["log"]["seat"]["side"][0, :3] = sides
    _lose(HIDING, states[0], FailedGame(0, at_fault, True, "broken"), 3)
    assert states["rank"][0, :3].tolist() == ranks


@pytest.mark.parametrize(
    ("sides", "ranks", "fault"),
    [
        ([0, 1, 1], [1, 2, 2], []),
        (
            [0, 0, 0],
            [1, 2, 2],
            ["nobody is on the side 'seekers' at the end", "some seats of the side 'hider' win"],
        ),
        ([0, 1, 1], [2, 1, 2], ["some seats of the side 'seekers' win, others do not"]),
    ],
)
def test_the_check_finds_a_side_without_seats_and_one_that_does_not_win_together(sides, ranks, fault):
    states = np.zeros(1, HIDING.state_dtype)
    states["seats"], states["log"]["seat"]["side"][0, :3], states["rank"][0, :3] = 3, sides, ranks
    faults = list(_sides(HIDING, states[0]))
    assert len(faults) == len(fault) and all(
        text.startswith(part) for text, part in zip(faults, fault, strict=True)
    )
