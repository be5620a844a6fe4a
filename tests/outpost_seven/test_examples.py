"""The worked examples of the specification (O7-14): rulebook examples W1 to W6, edge cases T1 to T15."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import pytest

from .positions import given, given_deal

EMPTY = dict(offer=[], deck=[])


class Row(NamedTuple):
    """A position, then sentences, each with the facts that hold after it."""

    title: str
    given: dict[str, Any]
    play: list[tuple[str, dict[str, Any]]]


BY_T2 = {(2, 3): "5 P... 2/Y", (2, 4): "42 R... N", (3, 4): "7 A..P. 2/Y", (3, 2): "8 A.P.. 2/Y"}
BY_T5 = {(0, 1): "7 ..AAR 1/Y", (1, 0): "6 R... N", (2, 0): "26 A..A. 3/R"}

ROWS = [
    Row(
        "W1 connect and pay (O7-5.1 to O7-5.7, O7-6.5)",
        dict(grid={(2, 2): "20 P.. 2/Y"}, votes="RYYYR|YRYRY", red=[43, 42]),
        [
            ("red chooses module 42 and scrap 43", dict(decision="cell", may_go_to=[(1, 2), (2, 1), (2, 3), (3, 2)], sel_cubes=2)),
        ],
    ),
    Row(
        "W1 the same repair with its bonus and votes",
        dict(grid={(2, 2): "20 P.. 2/Y"}, votes="RYYYR|YRYRY", red=[43, 42]),
        [
            (
                "red repairs module 42 with scrap 43 at (2,3)",
                dict(cells={(2, 3): "42 2/R", (2, 2): "20 1/Y"}, votes="RYRYR|YRYRY", red=[], log=dict(
                    cubes_by_payment=4, overpay_points=1, scrap_same_colour=1, bonus_R=1, cubes_removed=1, vote_flips=1)),
            ),
        ],
    ),
    Row(
        "W2 neutral (O7-5.8)",
        dict(grid={(2, 2): "20 P.. 2/Y"}, votes="RYYYR|YRYRY", red=[40, 22]),
        [
            (
                "red repairs module 40 with scrap 22 at (2,1)",
                dict(cells={(2, 1): "40 N", (2, 2): "20 2/Y"}, votes="RYYYR|YRYRY",
                     log=dict(neutral_plays=1, bonus_A=0, bonus_R=0, bonus_P=0, vote_flips=0)),
            ),
        ],
    ),
    Row(
        "W3 PLACE (O7-6.4)",
        dict(
            grid={(0, 0): "27 A..R. 3/Y", (1, 0): "3 A... 2/Y", (1, 1): "42 R... 2/R", (2, 0): "49 A.A.RP 1/Y",
                  (2, 1): "10 A...P 2/R", (2, 2): "39 A... 2/R"},
            red=[21, 22],
        ),
        [
            (
                "red repairs module 21 with scrap 22 at (1,2)",
                dict(cells={(1, 2): "21 2/R", (1, 1): "3/R", (2, 2): "3/R", (2, 1): "2/R", (0, 0): "3/Y", (1, 0): "2/Y", (2, 0): "1/Y"},
                     log=dict(bonus_A=1, cubes_by_place=3, chain_max=1, bonus_cascade=0)),
            ),
        ],
    ),
    Row(
        "W4 REMOVE (O7-6.5)",
        dict(
            grid={(0, 1): "26 A.P.. 3/Y", (1, 0): "3 A... 2/Y", (2, 0): "49 A.A.RP 4/Y", (3, 0): "42 2/R"},
            votes="YYYRR|YYYRY", red=[6, 5],
        ),
        [
            (
                "red repairs module 6 with scrap 5 at (0,0)",
                dict(cells={(0, 1): "3/Y", (1, 0): "1/Y", (2, 0): "3/Y", (3, 0): "2/R", (0, 0): "1/R"}, votes="YYYRR|YYYRY",
                     log=dict(cubes_removed=2, removal_blocked=1, vote_flips=0)),
            ),
        ],
    ),
    Row(
        "W5 POP (O7-6.6)",
        dict(
            grid={(0, 1): "28 A...P 3/Y", (0, 2): "34 A..APR 3/Y", (1, 0): "3 3/Y", (1, 1): "45 3/R", (2, 1): "42 2/R"},
            pop="31322|32311", red=[20, 18],
        ),
        [
            (
                "red repairs module 20 with scrap 18 at (0,0)",
                dict(cells={(0, 0): "20 1/R"}, pop="61322|42311",
                     log=dict(population_added=4, population_added_opposing=4, population_added_own=0, bonus_P=1)),
            ),
        ],
    ),
    Row(
        "T1 cap (O7-5.6)",
        dict(red=[0, 12]),
        [("red repairs module 0 with scrap 12 at (2,2)", dict(log=dict(cubes_by_payment=3, overpay_points=3, scrap_same_colour=1)))],
    ),
    Row(
        "T2 capture and cascade, origin played (O7-6.3 to O7-6.5)",
        dict(grid=BY_T2, red=[21, 22]),
        [
            (
                "red repairs module 21 with scrap 22 at (2,2)",
                dict(cells={(2, 2): "2/R", (2, 4): "1/R", (2, 3): "1/Y", (3, 2): "1/Y", (3, 4): "2/Y"},
                     log=dict(neutral_captured=1, bonus_cascade=1, chain_max=2)),
            ),
        ],
    ),
    Row(
        "T2 capture and cascade, origin bonus_card",
        dict(grid=BY_T2, red=[21, 22], options=dict(bonus_origin="bonus_card")),
        [
            (
                "red repairs module 21 with scrap 22 at (2,2)",
                dict(cells={(2, 2): "2/R", (2, 4): "1/R", (2, 3): "1/Y", (3, 4): "1/Y", (3, 2): "2/Y"}),
            ),
        ],
    ),
    Row(
        "T3 chain (O7-6.4)",
        dict(grid={(0, 1): "49 A.A.RP 2/R", (0, 2): "24 R... 3/Y"}, red=[21, 22]),
        [
            (
                "red repairs module 21 with scrap 22 at (0,0)",
                dict(cells={(0, 0): "3/R", (0, 1): "4/R", (0, 2): "3/Y"}, votes="RYRYR|RRYRY",
                     log=dict(bonus_A=2, bonus_R=0, chain_max=2, bonus_cascade=1, cubes_by_place=4)),
            ),
        ],
    ),
    Row(
        "T4 lock (O7-6.5)",
        dict(grid={(0, 1): "29 A.R.. 4/Y"}, red=[6, 5, 24, 22], yellow=[45], offer=[50]),
        [
            ("red repairs module 6 with scrap 5 at (0,0)", dict(cells={(0, 1): "3/Y"}, log=dict(cubes_removed=1, removal_blocked=0))),
            ("yellow salvages 50", dict(cells={(0, 1): "3/Y"})),
            ("red repairs module 24 with scrap 22 at (1,1)", dict(cells={(0, 1): "3/Y"}, log=dict(cubes_removed=1, removal_blocked=1))),
        ],
    ),
    Row(
        "T4 skip: space 1 is removed, and filled again by the next PLACE",
        dict(grid={(0, 0): "6 R... 1/R", (0, 1): "29 A.R.. 3/Y"}, red=[24, 22], yellow=[3, 4], options=dict(removal_rule="skip")),
        [
            ("red repairs module 24 with scrap 22 at (1,1)", dict(cells={(0, 1): "0+2/Y"}, log=dict(cubes_removed=1, removal_blocked=0))),
            ("yellow repairs module 3 with scrap 4 at (0,2)", dict(cells={(0, 1): "3/Y", (0, 2): "2/Y"})),
        ],
    ),
    Row(
        "T5 order matters, REMOVE first (O7-6.7)",
        dict(grid=BY_T5, red=[21, 22], options=dict(card_set="v40")),
        [
            ("red repairs module 21 with scrap 22 at (0,0)", dict(decision="bonus", legal=[0, 1], on_turn="red",
             cells={(0, 0): "2/R", (1, 0): "1/R", (2, 0): "4/R", (0, 1): "1/Y"})),
            ("red uses REMOVE", dict(cells={(0, 1): "1/R", (0, 0): "3/R", (1, 0): "2/R", (2, 0): "5/R"}, on_turn="yellow",
             log=dict(neutralised=1, neutral_captured=2))),
        ],
    ),
    Row(
        "T5 order matters, PLACE first",
        dict(grid=BY_T5, red=[21, 22], options=dict(card_set="v40")),
        [
            ("red repairs module 21 with scrap 22 at (0,0)", dict(decision="bonus")),
            ("red uses PLACE", dict(cells={(0, 1): "N", (0, 0): "3/R", (1, 0): "2/R", (2, 0): "5/R"}, on_turn="yellow")),
        ],
    ),
    Row(
        "T5 without the card at (2,0) there is no decision",
        dict(grid={cell: card for cell, card in BY_T5.items() if cell != (2, 0)}, red=[21, 22], options=dict(card_set="v40")),
        [("red repairs module 21 with scrap 22 at (0,0)", dict(decision="main", on_turn="yellow", cells={(0, 1): "N", (0, 0): "2/R", (1, 0): "1/R"}))],
    ),
    Row(
        "T6 tie keeps the token (O7-7.2)",
        dict(
            grid={(2, 0): "39 A... 2/R", (2, 1): "3 A... 2/Y"}, votes="RYYYR|RYYRY",
            red=[21, 22], yellow=[6, 5],
        ),
        [
            ("red repairs module 21 with scrap 22 at (1,0)", dict(cells={(2, 0): "3/R"}, votes="RRRYR|RYYRY")),
            ("yellow repairs module 6 with scrap 5 at (3,0)", dict(cells={(2, 0): "2/R"}, votes="RRRYR|RYYRY")),
        ],
    ),
    Row(
        "T8 hand full (O7-4.2, O7-3.3)",
        dict(red=[17, 35, 53, 16, 34, 52, 15]),
        [
            ("red chooses module 17 and scrap 35", dict(decision="cell")),
        ],
    ),
    Row(
        "T9 stopping (O7-3.5, O7-3.6)",
        dict(red=[0], yellow=[18, 19, 20, 21], on_turn="yellow", grid={(2, 2): "40 N"}, **EMPTY),
        [
            ("yellow repairs module 18 with scrap 19 at (2,1)", dict(on_turn="yellow", stopped=["red"])),
            ("yellow repairs module 20 with scrap 21 at (2,3)", dict(on_turn="nobody", decision="none", stopped=["red", "yellow"],
             end_reason="both_stopped", log=dict(hand_cards_left=1, solo_turns=1))),
        ],
    ),
    Row(
        "T10 last cards (O7-4.5)",
        dict(red=[0, 1, 2, 18, 19, 20], yellow=[36, 37, 38, 39, 40, 41, 42], offer=[7, 12], deck=[], on_turn="yellow"),
        [
            ("yellow repairs module 36 with scrap 37 at (2,2)", dict(salvages=[1, 2])),
            ("red salvages 7", dict(offer=[12], salvages=[1], on_turn="yellow", red=[0, 1, 2, 18, 19, 20, 7])),
            ("yellow salvages 12", dict(offer=[], salvages=[], on_turn="red")),
        ],
    ),
    Row(
        "T11 crossing counted once (O7-6.4)",
        dict(grid={(2, 1): "42 R... N", (1, 2): "24 R... N"}, red=[3, 4]),
        [("red repairs module 3 with scrap 4 at (2,2)", dict(cells={(2, 2): "3 2/R"}, log=dict(bonus_A=1, cubes_by_place=3)))],
    ),
    Row(
        "T13 POP from another card (O7-6.3, O7-6.6)",
        dict(
            grid={(2, 3): "46 A...P 4/R", (2, 1): "42 R... N", (0, 2): "41 P... 1/Y", (1, 3): "39 N", (1, 2): "5 P... 1/Y"},
            pop="22222|22222", red=[3, 4],
        ),
        [
            (
                "red repairs module 3 with scrap 4 at (2,2)",
                dict(cells={(2, 3): "46 5/R"}, pop="22422|22322", log=dict(bonus_P=1, bonus_R=1, bonus_cascade=2, population_added=3)),
            ),
        ],
    ),
    Row(
        "T15 full card (O7-6.4)",
        dict(grid={(2, 3): "36 A.. 3/R", (2, 4): "5 P... 1/Y", (1, 2): "42 R... N"}, red=[3, 4]),
        [("red repairs module 3 with scrap 4 at (2,2)", dict(cells={(2, 3): "3/R", (2, 4): "1/Y"}, log=dict(cubes_by_place=2)))],
    ),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_worked_example(row: Row) -> None:
    position = given(**row.given)
    for sentence, facts in row.play:
        position.when(sentence).then(**facts)


def masks(values: list[int], *wanted: tuple[int, ...]) -> set[int]:
    """Masks over the values whose cards are one of the wanted combinations."""
    n = len(values)
    subsets = {
        sum(1 << i for i in chosen): tuple(sorted(values[i] for i in chosen))
        for k in range(n + 1)
        for chosen in combinations(range(n), k)
    }
    return {mask for mask, subset in subsets.items() if subset in {tuple(sorted(w)) for w in wanted}}


W6_VALUES, W6_CARDS = [6, 6, 5, 4, 4, 3, 3], [12, 13, 7, 3, 4, 0, 1]
OTHER = [48, 49, 43, 39, 40, 36, 37]


def test_w6_starting_hands_for_12() -> None:
    """W6 starting hands of 12 (O7-2.9)."""
    legal = given_deal(W6_CARDS, OTHER).legal()
    assert set(legal) == masks(W6_VALUES, (6, 6), (5, 4, 3), (6, 3, 3)) and len(legal) == 7


def test_w6_starting_hands_for_16() -> None:
    """W6 starting hands of 16 (O7-2.9)."""
    position = given_deal(OTHER, W6_CARDS)
    position.apply(position.legal()[0])
    assert (
        set(position.legal()) == masks(W6_VALUES, (6, 6, 4), (6, 4, 3, 3), (5, 4, 4, 3))
        and len(position.legal()) == 8
    )


T7_OFFER = [12, 13, 0, 3, 7]  # values 6 6 3 4 5


def test_t7_with_room_for_one_card() -> None:
    """T7 salvage subsets with six cards in hand (O7-4.1, O7-4.2)."""
    given(red=[36, 37, 38, 39, 40, 41], offer=T7_OFFER).then(salvages=[1, 2, 4, 8, 16])


def test_t7_with_two_cards_in_hand() -> None:
    """T7 salvage subsets with two cards in hand (O7-4.1, O7-4.2)."""
    given(red=[36, 37], offer=T7_OFFER).then(
        salvages=[1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 17, 18, 20, 24, 28]
    )


def test_t8_only_repairs() -> None:
    """T8 with a full hand only repairs are legal (O7-4.2, O7-3.3)."""
    given(red=[17, 35, 53, 16, 34, 52, 15]).then(salvages=[])


def test_t9_red_on_turn_stops() -> None:
    """T9 red to move with one card has stopped; yellow makes two repairs in a row (O7-3.5)."""
    before = given(grid={(2, 2): "40 N"}, red=[0, 1, 2], yellow=[18, 19, 20, 21, 22, 23], **EMPTY)
    before.when("red repairs module 0 with scrap 1 at (2,1)").when(
        "yellow repairs module 18 with scrap 19 at (2,3)"
    )
    before.then(stopped=["red"], on_turn="yellow").when("yellow repairs module 20 with scrap 21 at (1,3)")
    before.then(stopped=["red"], on_turn="yellow").when(
        "yellow repairs module 22 with scrap 23 at (3,3)"
    ).then(end_reason="both_stopped")


def test_t12_no_exact_subset() -> None:
    """T12 no exact subset: the best total below, all its subsets (O7-2.10)."""
    fives_and_a_six, sixes, fives = (
        [7, 8, 9, 10, 11, 25, 12],
        [13, 14, 15, 16, 17, 30, 31],
        [25, 26, 27, 28, 29, 43, 44],
    )
    eleven = given_deal(fives_and_a_six, sixes)
    assert set(eleven.legal()) == masks([5, 5, 5, 5, 5, 5, 6], (5, 6)) and len(eleven.legal()) == 6
    eleven.apply(eleven.legal()[0])
    assert set(eleven.legal()) == masks([6] * 7, (6, 6)) and len(eleven.legal()) == 21
    fifteen = given_deal([0, 1, 2, 3, 4, 5, 6], fives)
    fifteen.apply(fifteen.legal()[0])
    assert set(fifteen.legal()) == masks([5] * 7, (5, 5, 5)) and len(fifteen.legal()) == 35


def test_t14_token_pattern() -> None:
    """T14 token pattern (O7-2.4)."""
    s = given_deal(W6_CARDS, OTHER).s
    assert [line for line in range(10) if s.vote[line] == 0] == [0, 2, 4, 6, 8]
