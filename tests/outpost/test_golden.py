"""Whole games in words: the same every time, and what is told agrees with the rules."""

import re

import pytest

from tests.of_games import goldens

CASES = {"basic": {}, "expert": {"ruleset": "expert"}}


def story(name):
    return goldens.story("outpost", "reference_greedy*2, random", CASES[name])


each = pytest.mark.parametrize("name", CASES)


def golden(name):
    return goldens.golden(f"outpost_{name}")


@each
def test_a_golden_game_is_told_as_recorded(name):
    assert story(name) == golden(name)


@each
def test_OP_5_5_bids_rise_within_an_auction(name):
    bid = 0
    for line in golden(name):
        if "puts up a card" in line:
            bid = 0
        match = re.search(r"(?:bids|bids again|jumps to) (\d+)", line)
        if match:
            assert int(match[1]) > bid
            bid = int(match[1])


@each
def test_OP_5_10_what_is_paid_covers_what_is_due(name):
    text = 0
    for line in golden(name):
        match = re.search(r"for (\d+); paid with (.*?)(?:, (\d+) credits? lost)?$", line)
        if match:
            paid = sum(int(value) for value in re.findall(r"\d+", match[2]))
            assert paid - int(match[3] or 0) <= int(match[1])
            text += 1
    assert text > 10


@each
def test_OP_7_2_the_most_points_win(name):
    lines = [line for line in golden(name) if ": rank " in line]
    scores = {
        int(re.search(r"rank (\d)", line)[1]): int(re.search(r"score (\d+)", line)[1]) for line in lines
    }
    assert scores[1] == max(scores.values()) >= 75
