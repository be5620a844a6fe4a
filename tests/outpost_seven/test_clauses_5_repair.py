"""O7-5 Repair: the docstring of each test begins with its clause."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from simkit.games.outpost_seven.facts import PAIR, Decision

from .engine import reached
from .positions import given


def test_scrap_is_worth_at_least_the_module() -> None:
    """O7-5.1 a module and another card, the scrap, worth at least as much; any two cards allow one order."""
    given(red=[0, 3, 21, 43], offer=[], deck=[]).then(
        pairs=[(0, 3), (0, 21), (0, 43), (3, 21), (3, 43), (21, 3), (21, 43)]
    )
    for first, other in product((0, 3, 7, 12), (18, 21, 25, 30)):
        assert given(red=[first, other], offer=[], deck=[]).fact("pairs")


def test_all_pairs_of_a_hand() -> None:
    """O7-5.1 every ordered pair of two different slots that the values allow, and no other, in random hands."""
    for s in reached({}, 300, np.arange(300) % 40, seed=2):
        if s.decision == Decision.main:
            position = given()
            position.states[0] = s
            values = [int(position.rules.value[c]) for c in s.hand[s.seat, : s.hand_n[s.seat]]]
            pairs = [
                PAIR + 10 * m + x
                for m in range(len(values))
                for x in range(len(values))
                if m != x and values[x] >= values[m]
            ]
            assert [a for a in position.legal() if a >= PAIR] == pairs


def test_empty_cell() -> None:
    """O7-5.2 the module goes to an empty cell of the grid."""
    grid = {
        (r, c): f"{9 * r + 3 * c + 1} N" for r in range(3) for c in range(3) if (r, c) not in ((0, 1), (2, 2))
    }
    start = given(grid=grid, red=[2, 0], options=dict(rows=3, cols=3)).when(
        "red chooses module 2 and scrap 0"
    )
    start.then(may_go_to=[(0, 1), (2, 2)])
    start.apply(8)
    start.then(cells={(2, 2): "2 1/R"} | dict(grid.items()))


def test_first_cell() -> None:
    """O7-5.3 on the empty grid any cell, or only the one at (R div 2, C div 2) with first_cell = centre."""
    given(red=[0, 2]).when("red chooses module 0 and scrap 2").then(
        may_go_to=[(r, c) for r in range(5) for c in range(5)]
    )
    for rows, cols in ((5, 5), (4, 6), (3, 4)):
        position = given(red=[0, 2], options=dict(rows=rows, cols=cols, first_cell="centre"))
        position.when("red chooses module 0 and scrap 2").then(may_go_to=[(rows // 2, cols // 2)])


CORNERS = {(0, 0): "40 N", (4, 4): "41 N"}
AROUND = {
    "orthogonal": [(0, 1), (1, 0), (3, 4), (4, 3)],
    "king": [(0, 1), (1, 0), (1, 1), (3, 3), (3, 4), (4, 3)],
    "none": [(r, c) for r in range(5) for c in range(5) if (r, c) not in CORNERS],
}


@pytest.mark.parametrize("first_cell", ["any", "centre"])
@pytest.mark.parametrize("adjacency", AROUND)
def test_adjacency(first_cell: str, adjacency: str) -> None:
    """O7-5.3 later modules go next to one: sharing an edge, with `king` also a corner, with `none` anywhere."""
    position = given(grid=CORNERS, red=[0, 2], options=dict(adjacency=adjacency, first_cell=first_cell))
    position.when("red chooses module 0 and scrap 2").then(may_go_to=AROUND[adjacency])


def test_adjacency_in_play() -> None:
    """O7-5.3 the game keeps the cells next to the station as it grows, with every adjacency."""
    for adjacency, around in (("orthogonal", 4), ("king", 8), ("none", 24)):
        position = given(red=[0, 2, 3, 4], yellow=[18], options=dict(adjacency=adjacency)).when(
            "red repairs module 0 with scrap 2 at (2,2)"
        )
        position.when(f"yellow salvages {position.s.offer[0]}").when("red chooses module 3 and scrap 4")
        assert len(position.legal()) == around


def test_adjacency_does_not_wrap() -> None:
    """O7-5.3 the right end of a row is not next to the left end of the next one; the frontier grows in play."""
    position = given(grid={(1, 4): "40 N"}, red=[0, 2, 3, 4], yellow=[18]).when(
        "red chooses module 0 and scrap 2"
    )
    position.then(may_go_to=[(0, 4), (1, 3), (2, 4)])
    position.apply(8)
    position.when(f"yellow salvages {position.s.offer[0]}").when("red chooses module 3 and scrap 4")
    position.then(may_go_to=[(0, 3), (0, 4), (1, 2), (2, 3), (2, 4)])


def test_frontier_after_the_centre() -> None:
    """O7-5.3 first_cell = centre binds only the first module."""
    position = given(red=[0, 2, 3, 4], yellow=[18], options=dict(first_cell="centre")).when(
        "red repairs module 0 with scrap 2 at (2,2)"
    )
    position.when(f"yellow salvages {position.s.offer[0]}").when("red chooses module 3 and scrap 4").then(
        may_go_to=[(1, 2), (2, 1), (2, 3), (3, 2)]
    )


def test_scrap_goes_to_the_discard_pile() -> None:
    """O7-5.4 the scrap goes face up to the discard pile, the module to the grid; both leave the hand."""
    position = given(red=[0, 36, 2, 37], offer=[12], deck=[])
    pile = position.fact("discard")
    position.when("red repairs module 36 with scrap 37 at (0,0)").then(
        discard=[*pile, 37], red=[0, 2], cells={(0, 0): "36 2/R"}
    )
    assert (
        position.s.revealed[37] and position.s.revealed[36] and position.view(1)[0].discard[len(pile)] == 37
    )


CUBES = [
    # module, scrap, same colour, per overpay, per play, cubes
    (4, 3, 1, 1, 0, 1),
    (4, 21, 1, 1, 0, 0),
    (0, 25, 1, 1, 0, 2),
    (0, 7, 1, 1, 0, 3),
    (3, 12, 1, 1, 0, 3),
    (3, 30, 1, 1, 0, 2),
    (3, 12, 0, 1, 0, 2),
    (3, 12, 3, 0, 0, 3),
    (3, 30, 3, 0, 0, 0),
    (12, 13, 2, 1, 0, 2),
    (3, 25, 1, 2, 0, 2),
    (3, 25, 1, 3, 0, 3),
    (7, 12, 0, 3, 0, 3),
    (7, 30, 1, 0, 2, 2),
    (7, 13, 1, 1, 1, 3),
    (12, 31, 1, 1, 3, 3),
    (12, 13, 3, 3, 3, 6),
]


@pytest.mark.parametrize(("module", "scrap", "colour", "overpay", "play", "cubes"), CUBES)
def test_number_of_cubes(module: int, scrap: int, colour: int, overpay: int, play: int, cubes: int) -> None:
    """O7-5.5 cubes = cubes_per_play + cubes_same_colour for the same colour + cubes_per_overpay per point
    overpaid.
    """
    options = dict(
        cubes_same_colour=colour, cubes_per_overpay=overpay, cubes_per_play=play, card_set="no_bonus"
    )
    position = (
        given(red=[module, scrap], options=options)
        .when(f"red chooses module {module} and scrap {scrap}")
        .then(sel_cubes=cubes)
    )
    position.apply(12)
    position.then(
        cells={(2, 2): f"{module} {cubes}/R" if cubes else f"{module} N"}, log=dict(cubes_by_payment=cubes)
    )


@pytest.mark.parametrize(
    ("module", "scrap", "options", "cubes"),
    [
        (0, 12, {}, 3),
        (0, 30, {}, 3),
        (3, 12, dict(cubes_per_overpay=3), 4),
        (3, 21, dict(cubes_per_play=3, cubes_per_overpay=3), 3),
        (12, 13, dict(cubes_per_play=3, cubes_same_colour=3), 6),
    ],
)
def test_no_more_cubes_than_spaces(module: int, scrap: int, options: dict[str, int], cubes: int) -> None:
    """O7-5.6 no card takes more cubes than it has spaces; what was overpaid is still counted in full."""
    position = given(red=[module, scrap], options=options | dict(card_set="no_bonus"))
    position.when(f"red chooses module {module} and scrap {scrap}").then(sel_cubes=cubes)
    position.apply(12)
    overpaid = int(position.rules.value[scrap]) - int(position.rules.value[module])
    position.then(cells={(2, 2): f"{module} {cubes}/R"}, log=dict(overpay_points=overpaid))


def test_highest_free_space() -> None:
    """O7-5.7 cubes go to the highest free space: 1, 2, 3 cubes fill the spaces 0, 0-1, 0-2; gaps are filled
    first.
    """
    for cubes in (1, 2, 3):
        options = dict(card_set="no_bonus", cubes_per_play=cubes, cubes_same_colour=0)
        position = given(red=[12, 13], options=options).when("red repairs module 12 with scrap 13 at (2,2)")
        assert position.s.grid_mask[12] == (1 << cubes) - 1
    position = given(grid={(2, 2): "29 A.R.. 0+2/R"}, red=[3, 4], options=dict(removal_rule="skip"))
    position.when("red repairs module 3 with scrap 4 at (2,1)").then(cells={(2, 2): "3/R"})
    position = given(grid={(2, 2): "49 A.A.RP 0+2+4/R"}, red=[3, 4], options=dict(removal_rule="skip"))
    position.when("red repairs module 3 with scrap 4 at (2,1)").then(cells={(2, 2): "0+1+2+4/R"})


def test_neutral_module() -> None:
    """O7-5.8 equal value of another colour: the card lies there without cubes and owner, without bonus and
    vote.
    """
    position = given(grid={(2, 2): "20 P.. 1/Y"}, red=[6, 21]).when(
        "red repairs module 6 with scrap 21 at (2,3)"
    )
    position.then(
        cells={(2, 3): "6 N", (2, 2): "1/Y"},
        on_turn="yellow",
        log=dict(neutral_plays=1, cubes_by_payment=1, bonus_R=0),
        red_log=dict(neutral_plays=1),
    )


def test_neutral_play_forbidden() -> None:
    """O7-5.8 allow_neutral_play = false forbids pairs that pay no cube."""
    given(red=[3, 21, 40, 43], options=dict(allow_neutral_play=False), offer=[], deck=[]).then(
        pairs=[(3, 43), (21, 43), (40, 43)]
    )
    given(red=[3, 4, 21], options=dict(allow_neutral_play=False), offer=[], deck=[]).then(
        pairs=[(3, 4), (4, 3)]
    )
    given(
        red=[3, 4, 25], options=dict(allow_neutral_play=False, cubes_per_overpay=0), offer=[], deck=[]
    ).then(pairs=[(3, 4), (4, 3)])
    given(red=[3, 21], options=dict(allow_neutral_play=False, cubes_per_play=1), offer=[], deck=[]).then(
        pairs=[(3, 21), (21, 3)]
    )


def test_a_hand_may_be_unable_to_repair() -> None:
    """O7-5.8 without neutral plays a hand may hold cards and still not be able to repair."""
    given(red=[3, 21, 40], offer=[12], options=dict(allow_neutral_play=False)).then(legal=[1])


def test_ownership() -> None:
    """O7-5.9 a card belongs to the player whose cubes it carries, who laid it does not matter; cubes never
    mix.
    """
    position = (
        given(red=[6, 21], yellow=[3, 4])
        .when("red repairs module 6 with scrap 21 at (2,2)")
        .then(cells={(2, 2): "6 N"})
    )
    position.when("yellow repairs module 3 with scrap 4 at (2,1)").then(
        cells={(2, 2): "6 1/Y", (2, 1): "2/Y"}, log=dict(neutral_captured=1)
    )
    for s in reached({"card_set": "plain_top"}, 300, np.arange(300) % 60):
        for cell in range(25):
            assert (s.grid_owner[cell] == -1) == (s.grid_mask[cell] == 0)


def test_neutral_again() -> None:
    """O7-5.9 a card without cubes is neutral, also one that lost them: anybody may capture it."""
    position = given(
        grid={(2, 2): "36 .A. 1/Y"}, red=[6, 12], yellow=[3, 13], options=dict(card_set="plain_top")
    )
    position.when("red repairs module 6 with scrap 12 at (2,1)").then(
        cells={(2, 2): "36 N"}, log=dict(neutralised=1)
    )
    position.when("yellow repairs module 3 with scrap 13 at (3,2)").then(
        cells={(2, 2): "36 1/Y"}, log=dict(neutral_captured=1)
    )


def test_all_cubes_before_the_first_bonus() -> None:
    """O7-5.10 all cubes are placed before the first bonus: PLACE puts its cube below the paid ones."""
    position = given(red=[15, 12], options=dict(cubes_same_colour=3)).when(
        "red repairs module 15 with scrap 12 at (2,1)"
    )
    position.then(
        cells={(2, 1): "15 4/R"},
        log=dict(cubes_by_payment=3, bonus_A=1, bonus_P=1, bonus_R=1, cubes_by_place=1, chain_max=3),
    )


def test_supply_goes_to_the_payment_first() -> None:
    """O7-5.10 with a supply of three the payment takes all of it, before a PLACE could use it on the card to
    the left.
    """
    position = given(grid={(2, 2): "36 A.. 1/R"}, red=[0, 3], options=dict(cube_supply=3))
    position.when("red repairs module 0 with scrap 3 at (2,3)").then(
        cells={(2, 3): "0 2/R", (2, 2): "36 1/R"}, log=dict(cubes_by_place=0)
    )
