"""O7-1 Components: the docstring of each test begins with its clause."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simkit.games.outpost_seven import game

from .engine import dealt, reached, rules_of
from .positions import given, layout

# Written out from the data file of the specification, not from the code.
SETS = {
    "v42": "A.. R.. P.. A... A... P... R... A..P. A.P.. A..R. A...P A.R.. A.AR.P A.A.RP A.RPA. A.PRA. A..APR A.A.PR",
    "v40": "A.. R.. P.. A... A... P... R... ..AAR A..A. A..R. A...P A.P.. A.AR.P A.A.RP A.RPA. A.PRA. A..APR .AA.RP",
    "v40r": "A.. R.. P.. A... A... P... R... ..AAR A..A. A..R. A...P A.R.. A.AR.P A.A.RP A.RPA. A.PRA. A..APR .AA.RP",
    "no_bonus": "... ... ... .... .... .... .... ..... ..... ..... ..... ..... ...... ...... ...... ...... ...... ......",
    "plain_top": ".A. .R. .P. .A.. .A.. .P.. .R.. .A.P. .AP.. .A.R. .A..P .AR.. .AAR.P .AA.RP .ARPA. .APRA. .A.APR .AA.PR",
    "late_bonus": "..A ..R ..P ...A ...A ...P ...R ...PA ..P.A ...RA ..A.P ..R.A ..AARP .AA.RP ..RPAA ..PRAA ..AAPR .AA.PR",
    "removal_heavy": "R.. R.. P.. A... R... P... R... R..P. A.P.. R..R. A...P A.R.. A.RR.P R.A.RP A.RPA. R.PRA. A..RPR A.R.PR",
    "population_heavy": "P.. R.. P.. A... P... P... R... P..P. A.P.. P..R. A...P A.R.. A.PR.P P.A.RP A.RPP. P.PRA. A..APR A.P.PR",
}
VALUES = [3] * 3 + [4] * 4 + [5] * 5 + [6] * 6


def test_colours_and_values() -> None:
    """O7-1.1 54 cards: three colours, each with 3, 4, 5, 6 copies of the values 3, 4, 5, 6."""
    rules = rules_of()[0]
    assert rules.cards == 54
    pairs = Counter(zip(rules.colour[:54].tolist(), rules.value[:54].tolist(), strict=True))
    assert pairs == {(colour, value): value for colour in range(3) for value in (3, 4, 5, 6)}


def test_card_ids() -> None:
    """O7-1.2 id = 18 * colour + k, by rising value within a colour."""
    rules = rules_of()[0]
    for card in range(54):
        assert (rules.colour[card], rules.value[card]) == (card // 18, VALUES[card % 18])


@pytest.mark.parametrize("card_set", SETS)
def test_as_many_spaces_as_the_value(card_set: str) -> None:
    """O7-1.3 a card of value v has v spaces, each plain or with one bonus; the mask of bonus spaces fits."""
    rules = rules_of({"card_set": card_set})[0]
    for card in range(54):
        assert all(rules.bonus[card, space] in (0, 1, 2, 3) for space in range(rules.value[card]))
        assert not rules.bonus[card, rules.value[card] :].any()
        assert rules.bonus_mask[card] == sum(1 << space for space in range(6) if rules.bonus[card, space])


def test_spaces_fill_from_the_top_and_each_letter_is_its_bonus() -> None:
    """O7-1.3 A places a cube, R removes one, P adds population; space 0 is the top one."""
    start = given(grid={(2, 2): "18 A.. 2/Y"}, red=[0, 1, 2, 3, 4, 5, 6], pop="22222|22222")
    start.copy_position().when("red repairs module 3 with scrap 4 at (2,1)").then(
        cells={(2, 1): "2/R"}, log=dict(bonus_A=1, bonus_R=0, bonus_P=0)
    )
    start.copy_position().when("red repairs module 6 with scrap 4 at (2,1)").then(
        cells={(2, 2): "1/Y"}, log=dict(bonus_A=0, bonus_R=1, bonus_P=0)
    )
    start.copy_position().when("red repairs module 5 with scrap 4 at (2,1)").then(
        pop="22322|23222", log=dict(bonus_A=0, bonus_R=0, bonus_P=1)
    )


@pytest.mark.parametrize("card_set", SETS)
def test_card_set(card_set: str) -> None:
    """O7-1.4 the layouts of every set, the same in all three colours."""
    rules = rules_of({"card_set": card_set})[0]
    assert [layout(rules, card) for card in range(54)] == SETS[card_set].split() * 3


def test_v42_counts() -> None:
    """O7-1.4 v42 has 20 A, 10 R, 11 P and 45 plain spaces per colour and a bonus on every top space; it is
    the default.
    """
    rules = rules_of()[0]
    icons = Counter("".join(layout(rules, card) for card in range(18)))
    assert icons == {"A": 20, "R": 10, "P": 11, ".": 45}
    assert all(rules.bonus[card, 0] for card in range(54))
    assert game.option("card_set").value(game.option("card_set").default) == "v42"


def test_population_cards() -> None:
    """O7-1.5 15 cards: five with one icon, five with two, five with three."""
    rules = rules_of()[0]
    assert rules.population_cards == 15
    assert Counter(rules.icons[:15].tolist()) == {1: 5, 2: 5, 3: 5}


def test_one_vote_token_per_line() -> None:
    """O7-1.6 one two-sided token per line, and none elsewhere."""
    for s in reached({"rows": 4, "cols": 6}, 50):
        assert set(s.vote[:10].tolist()) <= {0, 1} and set(s.vote[10:].tolist()) <= {-1}


FULL = {(0, c): f"{card} 6/R" for c, card in enumerate([12, 13, 14, 15, 16])} | {
    (1, c): f"{card} 6/R" for c, card in enumerate([30, 31])
}


def test_cubes_are_not_limited_by_default() -> None:
    """O7-1.7 more than 40 cubes are possible by default, and noted."""
    start = given(grid=FULL, red=[0, 1, 2], yellow=[48], offer=[], deck=[])
    start.when("red repairs module 0 with scrap 1 at (1,2)")
    start.then(
        decision="none",
        cells={(1, 2): "2/R"},
        log=dict(cubes_over_40=1, cubes_max=44),
        red_log=dict(cubes_on_grid=44),
    )


def test_cube_supply_bounds_the_payment() -> None:
    """O7-1.7 a cube that the supply cannot give is not placed by payment, nor its bonus used."""
    start = given(grid={(2, 2): "39 A... 3/R"}, red=[0, 3, 21], options=dict(cube_supply=4))
    start.when("red repairs module 0 with scrap 3 at (2,1)").then(
        cells={(2, 1): "1/R", (2, 2): "3/R"}, log=dict(cubes_by_payment=4, bonus_A=1, cubes_by_place=0)
    )
    start = given(grid={(2, 2): "39 A... 3/R"}, red=[0, 3, 21], options=dict(cube_supply=3))
    start.when("red repairs module 0 with scrap 3 at (2,1)").then(
        cells={(2, 1): "N"}, log=dict(bonus_A=0, cubes_by_place=0, neutral_plays=0)
    )


def test_cube_supply_order() -> None:
    """O7-1.7 PLACE supplies the cross left to right, then top to bottom."""
    grid = {(2, 1): "36 1/R", (2, 3): "37 1/R", (1, 2): "24 1/R", (3, 2): "42 1/R"}
    order = [
        (2, 1),
        (2, 2),
        (2, 3),
        (1, 2),
        (3, 2),
    ]  # four cubes lie there, one is paid, the rest of the supply follows this order
    for left in range(6):
        start = given(grid=grid, red=[3, 4], options=dict(cube_supply=5 + left), turn=4)
        start.when("red repairs module 3 with scrap 4 at (2,2)")
        start.then(
            cells={cell: "2/R" if i < left else "1/R" for i, cell in enumerate(order)},
            log=dict(cubes_by_place=left),
        )


def test_removed_cubes_return_to_the_supply() -> None:
    """O7-1.7 removed cubes return to their owner, who can place them again."""
    start = given(grid={(2, 2): "39 A... 3/Y"}, red=[6, 5], yellow=[18, 19], options=dict(cube_supply=3))
    start.when("red repairs module 6 with scrap 5 at (2,1)").then(cells={(2, 2): "2/Y"})
    start.when("yellow repairs module 19 with scrap 18 at (2,3)").then(cells={(2, 3): "1/Y"})


def test_population_tokens_are_no_limit() -> None:
    """O7-1.8 population is not limited by the tokens; more than 100 is noted."""
    start = given(
        grid={(2, 2): "18 A.. 2/Y"}, red=[5, 4], yellow=[48], offer=[], deck=[], pop="2 2 99 2 2|2 98 2 2 2"
    )
    start.when("red repairs module 5 with scrap 4 at (2,1)")
    start.then(
        pop="2 2 100 2 2|2 99 2 2 2", decision="none", log=dict(population_over_100=1, population_total=215)
    )


def test_lines_and_cells() -> None:
    """O7-1.9 cell = row * columns + column; lines are rows from the top, then columns from the left."""
    rules = rules_of({"rows": 4, "cols": 6})[0]
    assert (rules.cells, rules.lines, rules.cross_size) == (24, 10, 9)
    for cell in range(24):
        assert (rules.row_of[cell], rules.col_of[cell]) == (cell // 6, 4 + cell % 6)
    position = given(grid={(3, 5): "36 2/R"}, options=dict(rows=4, cols=6))
    assert position.s.grid_card[23] == 36 and np.flatnonzero(position.s.cubes[0]).tolist() == [3, 9]


def test_cross_of_a_cell() -> None:
    """O7-1.9 the cross of a cell: its row left to right, then its column top to bottom, the cell itself once."""
    rules = rules_of()[0]
    assert rules.cross[12, :9].tolist() == [10, 11, 12, 13, 14, 2, 7, 17, 22]
    for cell in range(25):
        assert sorted(rules.cross[cell, :9].tolist()) == sorted(
            {c for c in range(25) if c // 5 == cell // 5 or c % 5 == cell % 5}
        )


def test_every_line_of_any_grid_has_a_card() -> None:
    """O7-1.9 every line of a grid of 3 to 6 rows and columns has population."""
    for rows in (3, 4, 5, 6):
        s = dealt({"rows": rows, "cols": 9 - rows}, 1)[0]
        assert all(1 <= p <= 3 for p in s.pop[:9]) and not s.pop[9:].any()
