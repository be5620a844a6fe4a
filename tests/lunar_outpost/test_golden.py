"""Whole games in words: the same every time, and what is told agrees with the rules.

After a wanted change of rules or words: python -m tests.lunar_outpost.test_golden
"""

import re
from functools import cache
from itertools import pairwise

import pytest

from tests.of_games import goldens

from .walk import EVENTS, RAZE

WAR = RAZE | {"tiles_trim": 20, "starting_intel": 1}
CASES = {"duel": (2, 384), "war": (3, 666)}  # seats, deal: short games with conflicts of all kinds


@cache
def story(name):
    seats, deal = CASES[name]
    return goldens.story("lunar_outpost", f"random*{seats}", WAR, deal)


def golden(name):
    return goldens.golden(f"lunar_outpost_{name}")


each = pytest.mark.parametrize("name", CASES)


@each
def test_a_golden_game_is_told_as_recorded(name):
    assert story(name) == golden(name)


@each
def test_LO_3_3_turns_are_told_in_clockwise_order(name):
    """LO-3.3, LO-3.4 the next living seat becomes active; the turns are numbered."""
    seats, _ = CASES[name]
    turns = [
        (int(n), int(seat))
        for line in golden(name)
        for n, seat in re.findall(r"turn (\d+): seat (\d);", line)
    ]
    out = {
        int(seat): i for i, line in enumerate(golden(name)) for seat in re.findall(r"seat (\d) is elim", line)
    }
    at = [i for i, line in enumerate(golden(name)) if re.search(r"turn \d+: seat \d;", line)]
    assert [n for n, _ in turns] == list(range(2, len(turns) + 2))
    for (_, first), (_, other), where in zip(turns, turns[1:], at[1:], strict=False):
        between = [(first + k) % seats for k in range(1, seats + 1)]
        assert other == next(seat for seat in between if out.get(seat, 10_000) > where)


@each
def test_LO_8_4_a_tile_is_placed_in_every_turn(name):
    """LO-8: a tile a turn, with the next board index, until the stack is empty or the turn is cut short."""
    placed = [int(n) for line in golden(name) for n in re.findall(r"places a \w+ tile as (\d+)", line)]
    first = 2 * CASES[name][0]
    assert placed == list(range(first, first + len(placed)))
    left = [int(n) for line in golden(name) for n in re.findall(r"(\d+) tiles in the stack", line)]
    assert left[0] == 48 - first - 20 and all(0 <= single - other <= 1 for single, other in pairwise(left))


@each
def test_LO_9_3_cubes_are_never_lost(name):
    """LO-1.7 what is on the map and in the pile makes 100 at every look."""
    analyses = "\n".join(golden(name)).split("cubes in the pile")
    for look in analyses[:-1]:
        pile = int(look.rsplit(", ", 1)[1])
        drawn = look.rsplit("\n\n", 1)[-1]
        shown = [int(n) for n in re.findall(r"\*(\d+)", drawn.split("terrain slot; ")[-1])]
        shown += [int(n) for n in re.findall(r"(?:[DESBTW]\d|[.#]) \+(\d+)", drawn)]
        assert pile + sum(shown) == 100


@each
def test_LO_12_3_the_most_points_win(name):
    goldens.check_most_points_win(golden(name), CASES[name][0])


def test_golden_games_show_what_happens_in_fights():
    """The stories tell of each kind of outcome."""
    text = "\n".join(golden("duel") + golden("war"))
    for words in (
        "resolves the conflict", "an own troop and one of seat", "withstands", "is razed", "is eliminated",
        "recruits a troop", "relocates the", "discloses", "prevents a card", "buys intel", "terrain slot",
        "generates a cube", "builds a tower", "moves a troop", "elimination", "last_tile",
    ):  # fmt: skip
        assert words in text, words
    assert any(row["name"] in text for row in EVENTS)


if __name__ == "__main__":
    for case in CASES:
        goldens.record(f"lunar_outpost_{case}", story(case))
