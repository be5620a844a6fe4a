"""What turns a game: leads that last, the largest swings; and what a story knows of each turn."""

import pytest

from simkit.errors import UsageError
from simkit.runs import experiment, narrate, runner
from simkit.runs.folder import open_run
from simkit.tables.course import TurningPoint, turning_points


def leads(scores):
    return [(p.turn, p.seat, p.turns, p.for_good) for p in turning_points(scores) if p.kind == "lead"]


def test_a_lead_that_is_shared_later_is_not_for_good():
    (last,) = turning_points([(1, 0), (1, 2), (1, 3), (3, 3)])
    assert (last.turn, last.turns, last.alone, last.for_good) == (2, 3, 2, False)
    (between,) = turning_points([(1, 0), (1, 2), (2, 2), (2, 3)])
    assert (between.turns, between.alone, between.for_good) == (3, 1, False)


def test_a_lead_counts_if_it_lasts_once_round_the_table():
    """Seat 1 leads for one turn (not told), then for two turns, then seat 0 to the end."""
    gaps = [1, 2, 1, -1, 1, 2, -1, -2, 1, 2, 3]  # of seat 0 over seat 1
    assert leads([(10 + gap, 10) for gap in gaps]) == [(5, 0, 2, False), (7, 1, 2, False), (9, 0, 3, True)]


def test_the_first_lead_is_no_change_and_a_tie_leaves_the_lead_where_it_was():
    assert leads([(1, 0), (1, 1), (2, 1)]) == []
    assert leads([(0, 0), (0, 1), (1, 1), (2, 1)]) == [(4, 0, 1, True)]


def test_a_lead_taken_in_the_last_turn_counts():
    assert leads([(1, 0), (1, 0), (1, 3)]) == [(3, 1, 1, True)]


def test_of_many_leads_the_longest_and_the_last_are_told():
    held = [2, 3, 2, 4, 2, 5, 2]  # turns for which the two lead by turns
    scores = [(1, 0) if place % 2 == 0 else (0, 1) for place, turns in enumerate(held) for _ in range(turns)]
    assert leads(scores) == [(8, 1, 4, False), (14, 1, 5, False), (19, 0, 2, True)]


def test_swings_are_the_largest_gains_on_the_mean_of_the_others():
    """Three seats: seat 2 gains 9 where the others gain 0 and 3 (7.5 on their mean), all else is small."""
    scores = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 4, 9), (2, 4, 9), (2, 5, 9), (2, 5, 10)]
    assert [point for point in turning_points(scores) if point.kind == "swing"] == []
    assert turning_points(scores)[-1] == TurningPoint(4, 2, "lead", 4, 7.5, True, 4)
    steady = [
        (20 + seven, 0, first) for seven, first in ((0, 0), (1, 0), (1, 1), (1, 9), (2, 9), (2, 10), (3, 10))
    ]
    assert turning_points(steady) == [TurningPoint(4, 2, "swing", 0, 8.0, False)]


def test_what_has_no_turning_points_says_so():
    assert turning_points([(1, 0), (2, 0), (3, 0)]) == []
    for scores in ([], [(1,)], [(1, 2), (1, 2, 3)]):
        with pytest.raises(UsageError, match="two seats or more"):
            turning_points(scores)


@pytest.mark.parametrize(("game", "seats"), [("outpost_seven", 2), ("red_outpost", 3), ("pig", 2)])
def test_a_story_knows_of_each_turn_what_the_trace_says(tmp_path, game, seats):
    request = {"question": "?", "game": game, "deals": 2, "trace": 2, "lineups": [f"random*{seats}"]}
    run = open_run(runner.run(experiment.parse(request), tmp_path / "run"))
    for play in (0, 1):
        trace = run.turns().filter(play=play).sort("turn", "seat").collect()
        text = [row for turn in narrate.turns(run, play)[1:] for row in turn.rows]
        assert trace.select(list(text[0])).rows(named=True) == text


@pytest.mark.parametrize(("game", "seats"), [("outpost_seven", 2), ("lunar_outpost", 3), ("pig", 2)])
def test_a_story_knows_the_scores_after_each_move_up_to_those_of_the_turns_end(tmp_path, game, seats):
    request = {"question": "?", "game": game, "deals": 1, "lineups": [f"random*{seats}"]}
    run = open_run(runner.run(experiment.parse(request), tmp_path / "run"))
    text = narrate.turns(run, 0)
    built = 0
    for turn in text[1:]:
        assert len(turn.after) == len(turn.moves) and turn.after[-1] == turn.rows
        built += sum(first != two for first, two in zip(turn.after, turn.after[1:], strict=False))
    assert built > 0
