"""For every option a position or deal in which it changes the play; its range; and what does not fit
together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.errors import UsageError
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.cardfile import CardSheet

from .engine import dealt, reached, rules_of
from .positions import Position, given, given_deal
from .test_clauses_2_setup import FIVES, RED, SIXES, YELLOW

LAST = dict(offer=[], deck=[], yellow=[53])


class Shown(NamedTuple):
    """What one sees under an option setting, and what it is for some values of the option."""

    look: Callable[[dict[str, Any]], Any]
    values: dict[Any, Any]


def deal(options: dict[str, Any], red: list[int] = RED, yellow: list[int] = YELLOW, **more: Any) -> Position:
    return given_deal(red, yellow, options=more | options)


def second(options: dict[str, Any], **more: Any) -> Position:
    """After the first player's first legal choice."""
    position = deal(options, **more)
    position.apply(position.legal()[0])
    return position


def values(position: Position) -> set[int]:
    """Total values of the masks that are legal in KEEP."""
    s = position.s
    cards = [int(position.rules.value[c]) for c in s.dealt[s.seat, : s.dealt_n[s.seat]]]
    return {sum(v for i, v in enumerate(cards) if mask >> i & 1) for mask in position.legal()}


def repaired(sentence: str, **position: Any) -> Callable[[dict[str, Any]], Position]:
    """A position after one repair, by options."""
    return lambda options: given(
        options=position.get("fixed", {}) | options, **{k: v for k, v in position.items() if k != "fixed"}
    ).when(sentence)


def cells(position: Position, *places: tuple[int, int]) -> str:
    return " ".join(position.cell(place) for place in places)


def after_redraw(options: dict[str, Any]) -> int:
    position = deal(options, mulligan="both", start_rule="keep_at_most").when("red redraws")
    return max(values(position))


def ranks_of(sentence: str, **position: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda options: repaired(sentence, **position)(options).fact("ranks")


NEUTRAL = "red repairs module 6 with scrap 21 at (2,2)"
PLACED = "red repairs module 3 with scrap 4 at (2,2)"
BY_ORIGIN = dict(grid={(2, 1): "42 R... N", (1, 1): "21 A... 2/Y", (2, 3): "39 A... 2/Y"}, red=[3, 4])
POPPED = "red repairs module 5 with scrap 4 at (2,2)"

SHOWN = {
    "start_total_first": Shown(lambda o: values(deal(o)), {0: {0}, 12: {12}, 31: {31}, 48: {31}}),
    "start_total_second": Shown(lambda o: values(second(o)), {0: {0}, 16: {16}, 25: {25}, 48: {31}}),
    "start_rule": Shown(
        lambda o: (deal(o).decision.name, len(deal(o).legal()) if deal(o).decision.name in ("keep", "draft") else 0),
        {"keep_exact": ("keep", 7), "keep_at_most": ("keep", 40), "keep_count": ("keep", 21), "deal_count": ("main", 0),
         "random_exact": ("main", 0), "draft": ("draft", 14)},
    ),
    "start_count_first": Shown(lambda o: deal(o, start_rule="deal_count").fact("red"), {0: [], 2: RED[:2], 8: RED}),
    "start_count_second": Shown(lambda o: deal(o, start_rule="deal_count").fact("yellow"), {0: [], 3: YELLOW[:3], 8: YELLOW}),
    "start_infeasible": Shown(
        lambda o: (values(deal(o, SIXES, YELLOW, start_total_first=16)), deal(o, SIXES, YELLOW, start_total_first=16).s.dealt[0, 0] == SIXES[0]),
        {"closest_below": ({12}, True), "closest": ({18}, True), "redraw": ({16}, False)},
    ),
    "start_order": Shown(lambda o: deal(o).fact("on_turn"), {"first_then_second": "red", "second_then_first": "yellow"}),
    "start_choice": Shown(lambda o: deal(o).decision.name, {"fixed": "keep", "player0_chooses": "side"}),
    "mulligan": Shown(lambda o: (deal(o).decision.name, second(o).decision.name), {"none": ("keep", "keep"), "second": ("keep", "mulligan"), "both": ("mulligan", "keep")}),
    "mulligan_cost": Shown(lambda o: 12 - after_redraw(o), {0: 0, 3: 3, 6: 6}),
    "second_bonus_population": Shown(
        lambda o: reached(o | {"start_rule": "deal_count", "uniform_population": 1}, 1, 1)[0].score.sum(), {0: 10, 1: 11, 10: 20}
    ),
    "komi_half_points": Shown(ranks_of(NEUTRAL, red=[6, 21], pop="31111|11111", fixed=dict(tie_break="none"), **LAST), {0: [1, 2], 4: [1, 1], 60: [2, 1]}),
    "first_turn_salvage_limit": Shown(
        lambda o: max(int(m).bit_count() for m in given(red=[], offer=[0, 1, 2, 18, 19], turn=0, options=o).fact("salvages")), {0: 4, 6: 2, 30: 5}
    ),
    "deal_size": Shown(lambda o: dealt(o, 1)[0].dealt_n.tolist(), {0: [0, 0], 7: [7, 7], 8: [8, 8]}),
    "initial_discards": Shown(lambda o: (lambda s: (int(s.discard_n), int(s.deck_n - s.deck_pos)))(dealt(o, 1)[0]), {0: (0, 35), 10: (10, 25), 30: (30, 5)}),
    "faceup": Shown(
        lambda o: (given(red=[], options=o).s.offer_n, given(red=[], options=o | {"salvage_limit": 30}).when_first_salvage().s.offer_n), {1: (1, 1), 5: (5, 5), 8: (8, 8)}
    ),
    "salvage_limit": Shown(lambda o: given(red=[], offer=[12, 13, 0, 3, 7], options=o).fact("salvages")[-1], {6: 16, 12: 28, 30: 31}),
    "hand_limit": Shown(lambda o: max([int(m).bit_count() for m in given(red=[36, 37], offer=[0, 1, 2, 18, 19], options=o).fact("salvages")], default=0),
                        {2: 0, 3: 1, 7: 4, 10: 4}),
    "allow_empty_salvage": Shown(lambda o: given(red=[], offer=[12], deck=[], options=o).legal(), {False: [1], True: [0, 1]}),
    "card_set": Shown(
        lambda o: cells(repaired("red repairs module 12 with scrap 13 at (2,2)", red=[12, 13], fixed=dict(cubes_same_colour=2))(o), (2, 2)),
        {"v42": "4/R", "v40": "4/R", "v40r": "4/R", "no_bonus": "2/R", "plain_top": "4/R", "late_bonus": "2/R", "removal_heavy": "3/R", "population_heavy": "3/R"},
    ),
    "bonus_origin": Shown(lambda o: cells(repaired(PLACED, **BY_ORIGIN)(o), (1, 1), (2, 3)), {"played": "2/Y 1/Y", "bonus_card": "1/Y 1/Y"}),
    "removal_rule": Shown(
        lambda o: cells(repaired("red repairs module 6 with scrap 5 at (2,2)", grid={(2, 1): "26 A.P.. 3/Y"}, red=[6, 5])(o), (2, 1)),
        {"lock": "3/Y", "skip": "0+2/Y"},
    ),
    "allow_neutral_play": Shown(lambda o: given(red=[3, 21], offer=[], deck=[], options=o).fact("pairs"), {True: [(3, 21), (21, 3)], False: []}),
    "place_on_neutral": Shown(lambda o: cells(repaired(PLACED, grid={(2, 1): "42 R... N"}, red=[3, 4])(o), (2, 1)), {True: "1/R", False: "N"}),
    "cubes_same_colour": Shown(lambda o: repaired("red chooses module 3 and scrap 4", red=[3, 4])(o).s.sel_cubes, {0: 0, 1: 1, 3: 3}),
    "cubes_per_overpay": Shown(lambda o: repaired("red chooses module 12 and scrap 31", red=[12, 31])(o).s.sel_cubes * 10
                               + repaired("red chooses module 3 and scrap 25", red=[3, 25])(o).s.sel_cubes, {0: 0, 1: 1, 3: 3}),
    "cubes_per_play": Shown(lambda o: repaired("red chooses module 3 and scrap 21", red=[3, 21])(o).s.sel_cubes, {0: 0, 1: 1, 3: 3}),
    "population_per_card": Shown(lambda o: repaired(POPPED, red=[5, 4])(o).fact("pop"), {0: "22222|22222", 1: "22322|22322", 3: "22522|22522"}),
    "rows": Shown(lambda o: repaired("red chooses module 5 and scrap 4", red=[5, 4])(o).legal()[-1], {3: 14, 5: 24, 6: 29}),
    "cols": Shown(lambda o: repaired("red chooses module 5 and scrap 4", red=[5, 4])(o).legal()[-1], {3: 14, 5: 24, 6: 29}),
    "uniform_population": Shown(lambda o: sorted({int(p) for p in dealt(o, 1)[0].pop[:10]}), {0: [1, 2, 3], 1: [1], 6: [6]}),
    "initial_votes": Shown(
        lambda o: sorted({tuple(s.vote[:10].tolist()) for s in dealt(o, 200)}, key=str)[:2] if o["initial_votes"] != "random" else len({tuple(s.vote[:10].tolist()) for s in dealt(o, 200)}) > 100,
        {"alternate": [(0, 1) * 5], "swapped": [(1, 0) * 5], "none": [(-1,) * 10], "random": True},
    ),
    "border_colours": Shown(
        lambda o: repaired(POPPED, red=[5, 4], colours="bbbbb|bbbbb" if o["border_colours"] else None)(o).fact("pop") + f" {(dealt(o, 1)[0].border_colour[:10] >= 0).all()}",
        {False: "22322|22322 False", True: "22422|22422 True"},
    ),
    "adjacency": Shown(lambda o: len(repaired("red chooses module 5 and scrap 4", grid={(2, 2): "40 N"}, red=[5, 4])(o).legal()), {"orthogonal": 4, "king": 8, "none": 24}),
    "first_cell": Shown(lambda o: len(repaired("red chooses module 5 and scrap 4", red=[5, 4])(o).legal()), {"any": 25, "centre": 1}),
    "cube_supply": Shown(lambda o: cells(repaired(PLACED, red=[3, 4])(o), (2, 2)), {0: "2/R", 1: "1/R", 80: "2/R"}),
    "play_on_after_stop": Shown(
        lambda o: repaired(PLACED, red=[3, 4, 5, 6], yellow=[18], offer=[], deck=[])(o).decision.name, {True: "main", False: "none"}
    ),
    "tie_break": Shown(
        ranks_of("red repairs module 6 with scrap 24 at (1,0)", grid={(0, 0): "39 A... 3/R", (0, 1): "21 A... 1/Y", (1, 1): "22 A... 1/Y"},
                 votes="RYRYY|RYYRY", pop="31111|21211", red=[6, 24], **LAST),
        {"cubes": [1, 2], "lines": [2, 1], "modules": [2, 1], "none": [1, 1]},
    ),
    "final_tie": Shown(ranks_of(NEUTRAL, red=[6, 21], **LAST), {"draw": [1, 1], "first": [1, 2], "second": [2, 1]}),
}  # fmt: skip

RANGES = {  # lowest, highest, default: from the data file of the specification; a list holds the names of a choice
    "card_set": (["v42", "v40", "v40r", "no_bonus", "plain_top", "late_bonus", "removal_heavy", "population_heavy"], "v42"),
    "rows": (3, 6, 5), "cols": (3, 6, 5), "uniform_population": (0, 6, 0),
    "initial_votes": (["alternate", "swapped", "random", "none"], "alternate"), "border_colours": (False,),
    "deal_size": (0, 8, 7), "initial_discards": (0, 30, 10), "faceup": (1, 8, 5),
    "start_rule": (["keep_exact", "keep_at_most", "keep_count", "deal_count", "random_exact", "draft"], "keep_exact"),
    "start_total_first": (0, 48, 12), "start_total_second": (0, 48, 16), "start_count_first": (0, 8, 2),
    "start_count_second": (0, 8, 3),
    "start_infeasible": (["closest_below", "closest", "redraw"], "closest_below"),
    "start_order": (["first_then_second", "second_then_first"], "first_then_second"),
    "start_choice": (["fixed", "player0_chooses"], "fixed"), "mulligan": (["none", "second", "both"], "none"),
    "mulligan_cost": (0, 6, 0), "second_bonus_population": (0, 10, 0), "komi_half_points": (0, 60, 0),
    "salvage_limit": (6, 30, 12), "first_turn_salvage_limit": (0, 30, 0), "hand_limit": (2, 10, 7),
    "allow_empty_salvage": (False,), "allow_neutral_play": (True,), "place_on_neutral": (True,),
    "bonus_origin": (["played", "bonus_card"], "played"), "removal_rule": (["lock", "skip"], "lock"),
    "cubes_same_colour": (0, 3, 1), "cubes_per_overpay": (0, 3, 1), "cubes_per_play": (0, 3, 0),
    "population_per_card": (0, 3, 1), "adjacency": (["orthogonal", "king", "none"], "orthogonal"),
    "first_cell": (["any", "centre"], "any"), "cube_supply": (0, 80, 0), "play_on_after_stop": (True,),
    "tie_break": (["cubes", "lines", "modules", "none"], "cubes"),
    "final_tie": (["draw", "first", "second"], "draw"),
}  # fmt: skip


@pytest.mark.parametrize("name", [o.name for o in game.options])
def test_option_changes_the_play(name: str) -> None:
    """Every option has a look at the game in which its values differ."""
    assert name in SHOWN, f"option {name} has no test: add what it changes to SHOWN"
    look, expected = SHOWN[name]
    assert {value: look({name: value}) for value in expected} == expected
    assert len({str(seen) for seen in expected.values()}) > 1, "the option changes nothing here"
    option = game.option(name)
    assert option.value(option.default) in expected, "the default is among the values looked at"
    if option.is_choice:
        assert set(expected) == {m.name for m in option.kind}, "every choice is looked at"


def test_no_test_of_an_option_that_is_gone() -> None:
    assert set(SHOWN) == set(RANGES) == {o.name for o in game.options}


@pytest.mark.parametrize("name", [o.name for o in game.options])
def test_range(name: str) -> None:
    """The options of O7-9: kind, range and default. Refusals are tested for all games (`tests/of_games`)."""
    option, (*limits, default) = game.option(name), RANGES[name]
    assert option.value(option.default) == default and option.clause.startswith("O7-")
    if not limits:
        assert option.kind is bool
    elif len(limits) == 1:
        assert sorted(m.name for m in option.kind) == sorted(limits[0])
    else:
        assert [option.low, option.high] == limits


def test_unknown_option_is_refused_with_the_closest_name() -> None:
    with pytest.raises(UsageError, match="start_total_first"):
        game.rules({"start_total_frist": 12})


@pytest.mark.parametrize(("options", "fits"), [
    (dict(deal_size=8, initial_discards=30, faceup=8), True),
    (dict(deal_size=8, initial_discards=30, faceup=9), False),
    (dict(deal_size=7, initial_discards=30, faceup=8), True),
    (dict(deal_size=0, initial_discards=0, faceup=1), True),
])  # fmt: skip
def test_enough_cards(options: dict[str, int], fits: bool) -> None:
    """O7-2.7 2 * deal_size + initial_discards + faceup <= 54."""
    if fits:
        s = reached(options, 1)[0]
        assert s.seat == -1
    else:
        with pytest.raises(UsageError):
            game.rules(options)


@pytest.mark.parametrize(("deal_size", "discards", "faceup", "fits"), [
    (7, 10, 5, True), (7, 10, 6, False), (7, 11, 5, False), (8, 10, 5, False), (8, 10, 3, True), (6, 10, 7, True),
    (6, 10, 8, False),
])  # fmt: skip
def test_enough_cards_of_a_small_set(deal_size: int, discards: int, faceup: int, fits: bool) -> None:
    """O7-2.7 the sum may be exactly the number of cards (here 29 of a designer's file), not one more."""
    sheet = CardSheet((0,) * 29, ("A..",) * 29, (), "29 cards")
    options = dict(deal_size=deal_size, initial_discards=discards, faceup=faceup)
    if fits:
        assert game.rules(options, {"cards": sheet})[0].cards == 29
    else:
        with pytest.raises(UsageError, match="O7-2.7"):
            game.rules(options, {"cards": sheet})


@pytest.mark.parametrize("limit", range(8))
def test_first_turn_salvage_limit_is_0_or_at_least_6(limit: int) -> None:
    """O7-4.7 1 to 5 are refused."""
    if 1 <= limit <= 5:
        with pytest.raises(UsageError, match="O7-4.7"):
            game.rules({"first_turn_salvage_limit": limit})
    else:
        assert game.rules({"first_turn_salvage_limit": limit})[0].first_turn_salvage_limit == limit


def test_card_set_and_card_file_exclude_each_other() -> None:
    """O7-1.4 a card file is the card set."""
    sheet = CardSheet((0,) * 40, ("A..",) * 40, (), "40 cards")
    with pytest.raises(UsageError, match="card_set"):
        game.rules({"card_set": "v40"}, {"cards": sheet})


def test_rules_are_read_only() -> None:
    """The rules record cannot be written."""
    with pytest.raises(ValueError, match="read-only"):
        rules_of({})["rows"][0] = 3


def test_infeasible_fives() -> None:
    """O7-2.10 closest and closest_below differ only where the nearest total is above."""
    for rule in ("closest_below", "closest"):
        assert values(deal({"start_infeasible": rule}, FIVES, RED)) == {10}
    assert np.unique(FIVES).size == 7
