"""Whole games in words are told as they were recorded, the same every time.

After a wanted change of rules, strategies or words: PYTHONPATH=tests python -m tests.of_games.test_goldens
"""

import pytest

from simkit.engine import registry
from tests.lunar_outpost.walk import RAZE

from . import goldens

WAR = RAZE | {"tiles_trim": 20, "starting_intel": 1}
FULL = {"ruleset": "full_game", "special_location_choice": 2}
CASES = {  # file: game, lineup, options, deal, seed
    "exoplanet_colony_won": ("exoplanet_colony", "reference_greedy*3", {"scenario": 2}, 1804),
    "exoplanet_colony_lost": ("exoplanet_colony", "random*4", {"ruleset": "patient"}, 82),
    "lunar_outpost_duel": ("lunar_outpost", "random*2", WAR, 384),
    "lunar_outpost_war": ("lunar_outpost", "random*3", WAR, 666),
    "outpost_basic": ("outpost", "reference_greedy*2, random"),
    "outpost_expert": ("outpost", "reference_greedy*2, random", {"ruleset": "expert"}),
    "outpost_seven_1": ("outpost_seven", "reference_greedy*2", {}, 0, 1),
    "outpost_seven_8": ("outpost_seven", "reference_greedy*2", {}, 0, 8),
    "red_outpost_first": ("red_outpost", "random*2"),
    "red_outpost_full": ("red_outpost", "random*3", FULL),
}


@pytest.mark.parametrize("name", CASES)
def test_a_golden_game_is_told_as_recorded(name):
    """So is its result, in which scores of a game without a team fall with the rank."""
    lines = goldens.story(*CASES[name])
    assert lines == goldens.golden(name)
    if not registry.game(CASES[name][0]).team:
        goldens.check_most_points_win(lines, sum(": rank " in line for line in lines))


def test_every_published_game_has_a_golden_game():
    published = {name for name in registry.games() if registry.game(name).words.provenance}
    assert {game for game, *_ in CASES.values()} == published


if __name__ == "__main__":
    for name, case in CASES.items():
        goldens.record(name, goldens.story(*case))
