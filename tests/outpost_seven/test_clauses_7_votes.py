"""O7-7 Votes and O7-8 End and scoring: the docstring of each test begins with its clause."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .engine import Play, reached
from .positions import Position, given

LAST = dict(offer=[], deck=[], yellow=[53])  # red's repair is the last turn


def test_cubes_of_a_line() -> None:
    """O7-7.1 after all bonuses of a repair the cubes of each player are counted in every line."""
    for s in reached({"removal_rule": "skip"}, 300, np.arange(300) % 60):
        for line in range(10):
            cells = [c for c in range(25) if c // 5 == line or 5 + c % 5 == line]
            for seat in range(2):
                counted = sum(int(s.grid_mask[c]).bit_count() for c in cells if s.grid_owner[c] == seat)
                assert counted == s.cubes[seat, line]


def test_lines_through_cards_of_the_cross_are_counted() -> None:
    """O7-7.1 a bonus changes cubes on other lines than those of the played module, and these are checked too."""
    position = given(grid={(2, 0): "19 R.. 1/R", (1, 0): "20 P.. 1/Y"}, votes="RYRYR|YRYRY", red=[3, 4])
    position.when("red repairs module 3 with scrap 4 at (2,1)").then(
        cells={(2, 0): "2/R"}, votes="RYRYR|RRYRY", log=dict(vote_flips=1)
    )


def test_majority_gets_the_token() -> None:
    """O7-7.2 strictly more cubes in a line gets its token; on equality, 0-0 included, the token stays."""
    grid = {(2, 0): "21 A... 2/Y", (2, 1): "39 A... 1/R"}
    start = given(grid=grid, votes="RYYYR|YRYRY", red=[5, 4, 7, 12], pop="22222|22222")
    start.copy_position().when("red repairs module 5 with scrap 4 at (2,2)").then(
        votes="RYYYR|YRRRY", log=dict(vote_flips=1)
    )
    start.copy_position().when("red repairs module 5 with scrap 12 at (2,2)").then(
        votes="RYRYR|YRRRY", log=dict(vote_flips=2)
    )


def test_untouched_line_keeps_its_token() -> None:
    """O7-7.2 a neutral module changes no token, nor does an unowned line get an owner from 0-0."""
    position = given(red=[6, 21], votes="-----|-----", options=dict(initial_votes="none")).when(
        "red repairs module 6 with scrap 21 at (2,2)"
    )
    position.then(votes="-----|-----", scores=[0, 0], log=dict(vote_flips=0))
    position = given(red=[6, 5], votes="-----|-----", options=dict(initial_votes="none")).when(
        "red repairs module 6 with scrap 5 at (2,2)"
    )
    position.then(votes="--R--|--R--", scores=[4, 0], log=dict(vote_flips=2))


def test_only_the_final_state_counts() -> None:
    """O7-7.3 only the state after all bonuses counts: a line that red wins between payment and REMOVE flips
    once.
    """
    grid = {(2, 0): "39 A... 2/Y", (1, 3): "21 A... 1/Y"}
    position = given(
        grid=grid, votes="RYYYR|YRYYY", red=[9, 12], options=dict(cubes_same_colour=2, cubes_per_overpay=2)
    )
    position.when("red chooses module 9 and scrap 12")
    before = position.fact("votes")
    position.apply(11)
    position.then(votes="RYRYR|YRYYY", cells={(2, 1): "5/R", (2, 0): "1/Y"}, log=dict(vote_flips=1))
    assert before == "RYYYR|YRYYY"


def test_votes_are_not_checked_between_bonuses() -> None:
    """O7-7.3 while the order of the bonuses is being decided no token has moved yet."""
    grid = {(0, 1): "7 ..AAR 1/Y", (1, 0): "6 R... N", (2, 0): "26 A..A. 3/R"}
    position = given(grid=grid, votes="YYRYR|RYYRY", red=[21, 22], options=dict(card_set="v40"))
    position.when("red repairs module 21 with scrap 22 at (0,0)").then(
        decision="bonus", votes="YYRYR|RYYRY", scores=position.fact("scores")
    )
    position.when("red uses PLACE").then(votes="RRRYR|RYYRY", log=dict(vote_flips=2))


def test_tokens_flip_only_towards_the_player_on_turn() -> None:
    """O7-7.4 in no game does a token go to anybody but the player on turn, nor does he gain opposing cubes."""
    flips = 0
    for deal in range(12):
        play = Play.begin(
            {"initial_votes": ["alternate", "none"][deal % 2], "card_set": "plain_top"}, seed=8, deal=deal
        )
        for before, _ in play.steps(np.random.default_rng(deal)):
            was, seat = before[0], int(before[0].seat)
            if was.decision >= 5:
                changed = was.vote != play.s.vote
                flips += int(changed.sum())
                assert (play.s.vote[changed] == seat).all()
                assert (
                    play.s.on_grid[1 - seat] <= was.on_grid[1 - seat]
                    and play.s.on_grid[seat] >= was.on_grid[seat]
                )
    assert flips > 100


def test_hands_do_not_matter_at_the_end() -> None:
    """O7-8.1 the game ends with O7-3.6; cards left in hands do not matter."""
    for left in ([], [53], [0]):
        position = given(red=[6, 21], yellow=left, offer=[], deck=[], pop="22222|22223").when(
            "red repairs module 6 with scrap 21 at (2,2)"
        )
        position.then(
            decision="none", ranks=[2, 1], scores=[10, 11], log=dict(hand_cards_left=len(left), decided_by=0)
        )


def test_score() -> None:
    """O7-8.2 the score is the population of the lines whose token shows the player; the higher one wins."""
    position = given(red=[6, 21], pop="12345|67891", votes="RYYRR|YRYRY", **LAST).when(
        "red repairs module 6 with scrap 21 at (2,2)"
    )
    position.then(scores=[1 + 4 + 5 + 7 + 9, 2 + 3 + 6 + 8 + 1], ranks=[1, 2], decided_by="population", log=dict(margin=6, population_total=46),
                  red_log=dict(lines_won=5), yellow_log=dict(lines_won=5))  # fmt: skip
    position = given(
        red=[6, 21], pop="12345|67891", votes="R---R|YRYRY", options=dict(initial_votes="none"), **LAST
    )
    position.when("red repairs module 6 with scrap 21 at (2,2)").then(scores=[22, 15], ranks=[1, 2])


def test_score_counts_the_last_repair() -> None:
    """O7-8.2 the votes and population of the last repair count."""
    position = given(red=[5, 4], pop="22222|22222", **LAST).when("red repairs module 5 with scrap 4 at (3,2)")
    position.then(scores=[2 * 3 + 3 + 2 * 2 + 3, 2 + 2 + 2 + 0], decision="none", ranks=[1, 2])


TIED = {(0, 0): "39 A... 3/R", (0, 1): "21 A... 1/Y", (1, 1): "22 A... 1/Y"}


def tied(options: dict[str, Any], pop: str = "31111|21211") -> Position:
    """Population 7 : 7; cubes 3 : 2, lines 4 : 6 (rows R Y R Y Y, columns R Y Y R Y), modules 1 : 2 for red
    and yellow.
    """
    position = given(grid=TIED, votes="RYRYY|RYYRY", pop=pop, red=[6, 24], options=options, **LAST)
    return position.when("red repairs module 6 with scrap 24 at (1,0)")


@pytest.mark.parametrize(
    ("tie_break", "ranks", "decided"),
    [
        ("cubes", [1, 2], "tie_break"),
        ("lines", [2, 1], "tie_break"),
        ("modules", [2, 1], "tie_break"),
        ("none", [1, 1], "draw"),
    ],
)
def test_tie_break(tie_break: str, ranks: list[int], decided: str) -> None:
    """O7-8.3 with equal population more cubes win, or more tokens, or more owned cards, or nothing."""
    tied(dict(tie_break=tie_break)).then(scores=[7, 7], ranks=ranks, decided_by=decided, log=dict(margin=0))


@pytest.mark.parametrize("tie_break", ["cubes", "lines", "modules"])
def test_population_goes_before_the_tie_break(tie_break: str) -> None:
    """O7-8.3 the tie-break counts only with equal population."""
    tied(dict(tie_break=tie_break), pop="41111|21211").then(
        scores=[8, 7], ranks=[1, 2], decided_by="population"
    )
    tied(dict(tie_break=tie_break), pop="31111|22211").then(
        scores=[7, 8], ranks=[2, 1], decided_by="population"
    )


@pytest.mark.parametrize(
    ("final_tie", "first", "ranks", "decided"),
    [
        ("draw", "red", [1, 1], "draw"),
        ("first", "red", [1, 2], "final_tie"),
        ("first", "yellow", [2, 1], "final_tie"),
        ("second", "red", [2, 1], "final_tie"),
        ("second", "yellow", [1, 2], "final_tie"),
    ],
)
def test_still_tied(final_tie: str, first: str, ranks: list[int], decided: str) -> None:
    """O7-8.4 still tied: a draw, or the role named by final_tie wins."""
    position = given(red=[6, 21], first=first, pop="11111|11111", options=dict(final_tie=final_tie), **LAST)
    position.when("red repairs module 6 with scrap 21 at (2,2)").then(
        scores=[5, 5], ranks=ranks, decided_by=decided
    )


def test_tie_break_goes_before_the_final_tie() -> None:
    """O7-8.4 the final tie counts only after the tie-break."""
    tied(dict(final_tie="second")).then(ranks=[1, 2], decided_by="tie_break")


@pytest.mark.parametrize(
    ("komi", "first", "final", "ranks", "decided"),
    [
        (3, "red", [7, 6.5], [1, 2], "population"),  # 7 : 5, komi 1.5
        (4, "red", [7, 7], [1, 1], "draw"),
        (5, "red", [7, 7.5], [2, 1], "population"),
        (0, "yellow", [7, 5], [1, 2], "population"),
        (60, "yellow", [37, 5], [1, 2], "population"),
    ],
)
def test_komi(komi: int, first: str, final: list[float], ranks: list[int], decided: str) -> None:
    """O7-8.5 komi_half_points adds half that number to the second player's score before comparing; `score`
    is logged without it (O7-8.2), `final_score` with it.
    """
    position = given(
        red=[6, 21],
        first=first,
        pop="31111|11111",
        options=dict(komi_half_points=komi, tie_break="none"),
        votes="RYRYR|YRYRY",
        **LAST,
    )
    position.when("red repairs module 6 with scrap 21 at (2,2)").then(
        scores=[7, 5],
        ranks=ranks,
        decided_by=decided,
        log=dict(margin=2),
        red_log=dict(final_score=final[0]),
        yellow_log=dict(final_score=final[1]),
    )


def test_komi_against_the_first_player_in_the_other_seat() -> None:
    """O7-8.5 the second player is the one by role."""
    position = given(red=[6, 21], first="yellow", pop="11111|11113", options=dict(komi_half_points=5), **LAST)
    position.when("red repairs module 6 with scrap 21 at (2,2)").then(
        scores=[5, 7], ranks=[1, 2], decided_by="population"
    )
