"""O7-6 Bonuses: the docstring of each test begins with its clause."""

from __future__ import annotations

import pytest

from .engine import reached, rules_of
from .positions import given


def test_pending_by_payment_and_by_place() -> None:
    """O7-6.1 each cube placed on a bonus space, by payment or by PLACE, gives its bonus to the player on
    turn.
    """
    paid = given(
        grid={(2, 2): "18 A.. 1/Y"}, red=[9, 12], options=dict(cubes_same_colour=3)
    )  # A..R. with four cubes
    paid.when("red repairs module 9 with scrap 12 at (2,1)").then(
        cells={(2, 1): "9 5/R"}, log=dict(bonus_A=1, bonus_R=1, bonus_cascade=0)
    )
    placed = given(grid={(2, 2): "25 A..P. 3/R"}, red=[3, 4])
    placed.when("red repairs module 3 with scrap 4 at (2,1)").then(
        cells={(2, 2): "4/R"}, log=dict(bonus_A=1, bonus_P=1, bonus_cascade=1)
    )


def test_cube_on_a_plain_space_gives_nothing() -> None:
    """O7-6.1 a cube on a plain space gives no bonus, nor do the cubes that lay there before."""
    position = given(grid={(2, 2): "25 A..P. 1/R"}, red=[3, 4])
    position.when("red repairs module 3 with scrap 4 at (2,1)").then(
        cells={(2, 2): "2/R"}, log=dict(bonus_A=1, bonus_P=0), chain=1
    )


def test_all_bonuses_are_used_at_once() -> None:
    """O7-6.2 all pending bonuses are used in this turn, a bonus without target without effect; none is saved."""
    position = given(red=[9, 12], options=dict(cubes_same_colour=3)).when(
        "red repairs module 9 with scrap 12 at (2,1)"
    )
    position.then(
        log=dict(bonus_A=1, bonus_R=1, cubes_removed=0, removal_blocked=0), on_turn="yellow", pending_cells=0
    )
    for s in reached({"card_set": "late_bonus"}, 200, decision=8):
        assert not s.pending.any() and not s.pending_n.any()


CASCADE = {(2, 1): "42 R... N", (2, 3): "39 A... 2/Y", (1, 1): "21 A... 2/Y", (0, 1): "22 A... 2/Y"}


@pytest.mark.parametrize(("origin", "near", "far"), [("played", "1/Y", "2/Y"), ("bonus_card", "1/Y", "1/Y")])
def test_cross_of_a_bonus(origin: str, near: str, far: str) -> None:
    """O7-6.3 every bonus acts on the cross of the played module, also from another card; with bonus_card on
    that card's cross.
    """
    position = given(grid=CASCADE, red=[3, 4], options=dict(bonus_origin=origin)).when(
        "red repairs module 3 with scrap 4 at (2,2)"
    )
    position.then(cells={(2, 1): "1/R", (2, 3): near, (1, 1): far, (0, 1): far})


@pytest.mark.parametrize(("origin", "above"), [("played", "1/R"), ("bonus_card", "2/R")])
def test_cross_of_place(origin: str, above: str) -> None:
    """O7-6.3 PLACE on another card acts on the played module's cross, with bonus_card on its own card's."""
    grid = {(2, 1): "21 A... N", (0, 1): "36 A.. 1/R", (2, 4): "24 R... 1/R", (1, 1): "18 A.. 1/Y"}
    position = given(grid=grid, red=[3, 4], options=dict(bonus_origin=origin)).when(
        "red repairs module 3 with scrap 4 at (2,2)"
    )
    position.then(cells={(0, 1): above, (2, 4): "3/R", (2, 1): "2/R", (2, 2): "3/R"}, log=dict(bonus_A=2))


@pytest.mark.parametrize(("origin", "pop"), [("played", "22322|22322"), ("bonus_card", "22322|24222")])
def test_cross_of_pop(origin: str, pop: str) -> None:
    """O7-6.3 POP on another card acts on the played module's row and column, with bonus_card on its own
    card's.
    """
    grid = {(2, 1): "23 P... N", (1, 1): "18 A.. 1/Y", (0, 2): "19 N"}
    position = given(grid=grid, red=[3, 4], options=dict(bonus_origin=origin)).when(
        "red repairs module 3 with scrap 4 at (2,2)"
    )
    position.then(pop=pop, log=dict(bonus_P=1))


def test_place_reaches_own_and_neutral_cards() -> None:
    """O7-6.4 PLACE: one cube on each own or neutral card of row and column, the played one once; not on
    opposing cards nor elsewhere.
    """
    grid = {
        (2, 0): "19 R.. 1/R",
        (2, 3): "42 R... N",
        (1, 2): "24 R... N",
        (4, 2): "20 P.. 1/Y",
        (1, 1): "36 A.. 1/R",
        (1, 3): "37 N",
    }
    position = given(grid=grid, red=[3, 4], pop="22222|22222").when(
        "red repairs module 3 with scrap 4 at (2,2)"
    )
    position.then(cells={(2, 0): "2/R", (2, 3): "1/R", (1, 2): "1/R", (2, 2): "2/R", (4, 2): "1/Y", (1, 1): "1/R", (1, 3): "N"},
                  log=dict(cubes_by_place=4, neutral_captured=2), red_log=dict(cubes_by_place=4, captures=2), yellow_log=dict(cubes_by_place=0))  # fmt: skip


def test_place_not_on_neutral_cards() -> None:
    """O7-6.4 place_on_neutral = false: only the player's own cards."""
    grid = {(2, 1): "19 R.. 1/R", (2, 3): "42 R... N"}
    position = given(grid=grid, red=[3, 4], options=dict(place_on_neutral=False)).when(
        "red repairs module 3 with scrap 4 at (2,2)"
    )
    position.then(cells={(2, 1): "2/R", (2, 3): "N", (2, 2): "2/R"}, log=dict(neutral_captured=0))


def test_place_skips_full_cards() -> None:
    """O7-6.4 full cards are skipped."""
    position = given(grid={(2, 1): "36 A.. 3/R"}, red=[3, 4]).when(
        "red repairs module 3 with scrap 4 at (2,2)"
    )
    position.then(cells={(2, 1): "3/R", (2, 2): "2/R"}, log=dict(cubes_by_place=1))


def test_remove_takes_the_lowest_cube() -> None:
    """O7-6.5 REMOVE: the lowest cube of each opposing card in the cross; own and neutral cards keep theirs."""
    grid = {
        (2, 0): "39 A... 3/Y",
        (2, 3): "21 A... 2/R",
        (1, 2): "40 A... 4/Y",
        (3, 2): "22 N",
        (1, 1): "41 P... 2/Y",
    }
    position = given(grid=grid, red=[6, 5]).when("red repairs module 6 with scrap 5 at (2,2)")
    position.then(cells={(2, 0): "2/Y", (2, 3): "2/R", (1, 2): "3/Y", (3, 2): "N", (1, 1): "2/Y"},
                  log=dict(cubes_removed=2, removal_blocked=0), red_log=dict(cubes_removed=2), yellow_log=dict(cubes_removed=0))  # fmt: skip


def test_bonus_cube_locks() -> None:
    """O7-6.5 a bonus cube locks the cubes above it: nothing is removed from a card whose lowest cube is on a
    bonus space.
    """
    grid = {(2, 0): "39 A... 1/Y", (2, 3): "25 A..P. 4/Y", (1, 2): "26 A.P.. 3/Y", (4, 2): "27 A..R. 3/Y"}
    position = given(grid=grid, red=[6, 5]).when("red repairs module 6 with scrap 5 at (2,2)")
    position.then(
        cells={(2, 0): "1/Y", (2, 3): "4/Y", (1, 2): "3/Y", (4, 2): "2/Y"},
        log=dict(cubes_removed=1, removal_blocked=3),
    )


def test_skip_takes_the_lowest_plain_cube() -> None:
    """O7-6.5 removal_rule = skip: the lowest cube on a plain space, if any."""
    grid = {(2, 0): "39 A... 1/Y", (2, 3): "25 A..P. 4/Y", (1, 2): "26 A.P.. 3/Y", (4, 2): "27 A..R. 3/Y"}
    position = given(grid=grid, red=[6, 5], options=dict(removal_rule="skip")).when(
        "red repairs module 6 with scrap 5 at (2,2)"
    )
    position.then(
        cells={(2, 0): "1/Y", (2, 3): "0+1+3/Y", (1, 2): "0+2/Y", (4, 2): "2/Y"},
        log=dict(cubes_removed=3, removal_blocked=1),
    )


def test_card_becomes_neutral() -> None:
    """O7-6.5 a card that loses its last cube becomes neutral, possible only if all its cubes are on plain
    spaces.
    """
    grid = {(2, 1): "39 .A.. 1/Y", (2, 3): "40 .A.. 2/Y"}
    position = given(grid=grid, red=[6, 12], options=dict(card_set="plain_top")).when(
        "red repairs module 6 with scrap 12 at (2,2)"
    )
    position.then(
        cells={(2, 1): "39 N", (2, 3): "2/Y"}, log=dict(neutralised=1, removal_blocked=1), on_turn="yellow"
    )


def test_pop_counts_colour_in_row_and_column() -> None:
    """O7-6.6 POP: the cards of the bonus card's colour in row and column, any owner, neutral too; the played
    one in both.
    """
    grid = {(2, 0): "0 A.. 1/Y", (2, 4): "7 N", (1, 2): "18 A.. 1/R", (0, 2): "8 N", (1, 1): "9 N"}
    position = given(grid=grid, red=[5, 4], pop="22222|22222").when(
        "red repairs module 5 with scrap 4 at (2,2)"
    )
    position.then(pop="22522|22422", log=dict(population_added=5))


@pytest.mark.parametrize(("per_card", "pop"), [(0, "22222|22222"), (1, "22422|22322"), (3, "22822|22522")])
def test_population_per_card(per_card: int, pop: str) -> None:
    """O7-6.6 times population_per_card."""
    position = given(
        grid={(2, 1): "7 N"}, red=[5, 4], pop="22222|22222", options=dict(population_per_card=per_card)
    )
    position.when("red repairs module 5 with scrap 4 at (2,2)").then(pop=pop)


def test_border_colour_counts_in_its_line() -> None:
    """O7-6.6 with border_colours a border card of the colour counts as one more card of its own line."""
    position = given(red=[5, 4], pop="22222|22222", colours="ggbgg|ggbgg", options=dict(border_colours=True))
    position.when("red repairs module 5 with scrap 4 at (2,2)").then(pop="22422|22422")
    position = given(red=[5, 4], pop="22222|22222", colours="bbgbb|bbbbb", options=dict(border_colours=True))
    position.when("red repairs module 5 with scrap 4 at (2,2)").then(pop="22322|22422")


@pytest.mark.parametrize(("votes", "own"), [("RYYYR|YYYRY", 0), ("RYYYR|YYRRY", 1)])
def test_population_is_added_for_whoever(votes: str, own: int) -> None:
    """O7-6.6 the population is added whoever the line votes for, before the votes are checked."""
    position = given(grid={(2, 1): "36 A.. 3/Y"}, red=[5, 4], votes=votes).when(
        "red repairs module 5 with scrap 4 at (2,2)"
    )
    position.then(
        pop="22322|22322",
        votes="RYYYR|YYRRY",
        log=dict(population_added=2, population_added_own=own, population_added_opposing=2 - own),
    )


def order_position(card_set: str = "v40", **more: object):  # type: ignore[no-untyped-def]
    grid = {(0, 1): "7 ..AAR 1/Y", (1, 0): "6 R... N", (2, 0): "26 A..A. 3/R"}
    return given(grid=grid, red=[21, 22], options=dict(card_set=card_set, **more)).when(
        "red repairs module 21 with scrap 22 at (0,0)"
    )


def test_order_is_asked_only_where_it_matters() -> None:
    """O7-6.7 with PLACE and REMOVE pending and an opposing card without bonus cube in the cross: which kind
    next?
    """
    order_position().then(decision="bonus", legal=[0, 1], pending_cells=(1 << 5) + (1 << 10))
    order_position().when("red uses PLACE").then(cells={(0, 1): "N"}, decision="main")
    order_position().when("red uses REMOVE").then(cells={(0, 1): "1/R"}, decision="main")


def test_order_is_not_asked_for_a_card_outside_the_cross() -> None:
    """O7-6.7 an opposing card without bonus cube outside the cross does not matter; REMOVE goes first."""
    grid = {(1, 1): "7 ..AAR 1/Y", (1, 0): "6 R... N", (2, 0): "26 A..A. 3/R"}
    position = given(grid=grid, red=[21, 22], options=dict(card_set="v40")).when(
        "red repairs module 21 with scrap 22 at (0,0)"
    )
    position.then(decision="main", cells={(1, 1): "1/Y", (1, 0): "2/R", (2, 0): "5/R", (0, 0): "3/R"})


def test_remove_goes_first_otherwise() -> None:
    """O7-6.7 both kinds pending and no such card: REMOVE first, seen by the supply that PLACE then finds."""
    grid = {(0, 1): "39 A... 2/Y", (1, 0): "6 R... N", (2, 0): "26 A..A. 3/R"}
    options = dict(card_set="v40")
    given(grid=grid, red=[21, 22], options=options).when("red repairs module 21 with scrap 22 at (0,0)").then(
        cells={(0, 1): "1/Y"}, decision="main"
    )


def test_population_goes_first() -> None:
    """O7-6.7 while a POP is pending it is used, before the question of the order is asked."""
    grid = {(0, 1): "7 ..AAR 1/Y", (1, 0): "6 R... N", (2, 0): "26 A..A. 3/R", (3, 0): "41 P... N"}
    position = given(grid=grid, red=[21, 22], options=dict(card_set="v40"), pop="22222|22222").when(
        "red repairs module 21 with scrap 22 at (0,0)"
    )
    position.then(decision="bonus", log=dict(bonus_P=1, bonus_A=1, bonus_R=0), pop="22222|32222")


BONUS_CARD = dict(card_set="v40", bonus_origin="bonus_card")


def test_individual_bonuses_are_chosen() -> None:
    """O7-6.7 with bonus_card, two pending PLACE or REMOVE and an opposing card without bonus cube anywhere:
    which one next?
    """
    grid = {(1, 2): "39 A... N", (2, 3): "24 R... N", (1, 3): "7 ..AAR 1/Y"}
    start = given(grid=grid, red=[21, 22], options=BONUS_CARD).when(
        "red repairs module 21 with scrap 22 at (2,2)"
    )
    start.then(decision="bonus", on_turn="red", legal=[2 + 6 * 7, 2 + 6 * 13])
    start.copy_position().when("red uses (2,3,0)").then(
        cells={(1, 3): "1/R", (1, 2): "2/R", (2, 2): "3/R"}, decision="main"
    )
    start.copy_position().when("red uses (1,2,0)").then(
        cells={(1, 3): "N", (1, 2): "2/R", (2, 2): "3/R"}, decision="main"
    )


def test_individual_bonuses_of_one_kind() -> None:
    """O7-6.7 with bonus_card two pending REMOVE are a decision too, for any such card on the grid."""
    grid = {(2, 1): "42 R... N", (2, 3): "24 R... N", (0, 0): "7 ..AAR 1/Y"}
    position = given(grid=grid, red=[21, 22], options=BONUS_CARD).when(
        "red repairs module 21 with scrap 22 at (2,2)"
    )
    position.then(decision="bonus", legal=[2 + 6 * 11, 2 + 6 * 13]).when("red uses (2,3,0)").then(
        decision="main", cells={(0, 0): "1/Y"}
    )


def test_individual_bonuses_without_such_a_card() -> None:
    """O7-6.7 with bonus_card and no such opposing card: no decision, REMOVE first, then the lowest cell and
    space.
    """
    grid = {(2, 1): "42 R... N", (2, 3): "24 R... N", (1, 3): "36 A.. 2/Y"}
    given(grid=grid, red=[21, 22], options=BONUS_CARD).when(
        "red repairs module 21 with scrap 22 at (2,2)"
    ).then(decision="main", cells={(1, 3): "1/Y"})


def test_one_pending_bonus_is_no_decision() -> None:
    """O7-6.7 with bonus_card a single pending PLACE or REMOVE is used without a question."""
    grid = {(2, 3): "24 R... N", (1, 3): "7 ..AAR 1/Y"}
    given(grid=grid, red=[21, 22], options=BONUS_CARD).when(
        "red repairs module 21 with scrap 22 at (2,2)"
    ).then(decision="main", cells={(1, 3): "N"})


def test_order_with_a_supply() -> None:
    """O7-6.7 without a decision bonuses of one kind act in the order of cell and space, which a supply makes
    visible.
    """
    grid = {(1, 2): "40 A... N", (3, 2): "39 A... N", (1, 1): "36 A.. 1/R", (3, 1): "37 R.. 1/R"}
    options = dict(bonus_origin="bonus_card", cube_supply=7)
    position = given(grid=grid, red=[21, 22], options=options).when(
        "red repairs module 21 with scrap 22 at (2,2)"
    )
    position.then(cells={(2, 2): "2/R", (1, 2): "1/R", (3, 2): "1/R", (1, 1): "2/R", (3, 1): "1/R"})


def test_bonus_space_is_used_once() -> None:
    """O7-6.8 a bonus space is used at most once per game; its cube can never be removed."""
    position = given(grid={(2, 2): "36 A.. 1/R"}, red=[6, 5], yellow=[24, 22]).when(
        "red repairs module 6 with scrap 5 at (2,1)"
    )
    position.then(log=dict(bonus_A=0, bonus_R=1)).when(
        "yellow repairs module 24 with scrap 22 at (2,3)"
    ).then(cells={(2, 2): "1/R", (2, 1): "1/R"})


@pytest.mark.parametrize("rule", ["lock", "skip"])
def test_no_more_bonuses_than_bonus_spaces(rule: str) -> None:
    """O7-6.8 so all bonuses used in a game are the cubes on bonus spaces at its end."""
    options = {"removal_rule": rule, "cubes_same_colour": 3}
    rules = rules_of(options)[0]
    for s in reached(options, 500):
        used = sum(
            (int(s.grid_mask[c]) & int(rules.bonus_mask[s.grid_card[c]])).bit_count()
            for c in range(25)
            if s.grid_card[c] >= 0
        )
        assert used == s.log.game.bonus_A + s.log.game.bonus_R + s.log.game.bonus_P
