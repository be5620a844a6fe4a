"""Whole games in words: the same every time, and every fact in them as the specification has it."""

import re

import pytest

from tests.of_games import goldens

CARD = r"(blue|green|purple) (\d) [.ARP]+"


def story(seed):
    return goldens.story("outpost_seven", "reference_greedy*2", seed=seed)


def golden(seed):
    return goldens.golden(f"outpost_seven_{seed}")


SEEDS = [1, 8]
each_golden = pytest.mark.parametrize("seed", SEEDS)


@each_golden
def test_a_golden_game_is_told_as_recorded(seed):
    assert story(seed) == golden(seed)


def acts(seed):
    """(seat, what it does) in order."""
    result = (
        re.match(r"seat (\d) \(\w+\) (keeps|salvages|repairs|places|uses) (.*)", line)
        for line in golden(seed)
    )
    return [(int(m[1]), m[2], m[3]) for m in result if m]


def values(text):
    return [(colour, int(value)) for colour, value in re.findall(CARD, text)]


@each_golden
def test_O7_2_9_the_first_keeps_12_and_the_second_16(seed):
    stored = {seat: sum(v for _, v in values(text)) for seat, what, text in acts(seed) if what == "keeps"}
    assert stored == {0: 12, 1: 16}


@each_golden
def test_O7_3_turns_alternate_until_one_cannot_play(seed):
    turns = [seat for seat, what, _ in acts(seed) if what in ("salvages", "repairs")]
    first_repeat = next((i for i in range(1, len(turns)) if turns[i] == turns[i - 1]), len(turns))
    assert turns[:2] == [0, 1] and len(set(turns[first_repeat - 1 :])) <= 1
    assert 25 <= len(turns) <= 49


@each_golden
def test_O7_4_1_a_salvage_is_worth_12_at_most_and_comes_from_the_offer(seed):
    offer = []
    for line in golden(seed):
        if "offer:" in line:
            offer = re.findall(CARD.replace("(", "(?:", 1).replace(r"(\d)", r"\d"), line)
        taken = re.match(r"seat \d \(\w+\) salvages (.*)", line)
        if taken:
            cards = re.findall(r"(?:blue|green|purple) \d [.ARP]+", taken[1])
            assert sum(v for _, v in values(taken[1])) <= 12
            assert all(cards.count(card) <= offer.count(card) for card in cards)


@each_golden
def test_O7_5_5_cubes_are_one_for_the_colour_and_one_for_each_point_overpaid(seed):
    repairs = [text for _, what, text in acts(seed) if what == "repairs"]
    for text in repairs:
        (colour, module), (other, scrap) = values(text)
        assert scrap >= module
        assert int(re.search(r": (\d) cube", text)[1]) == min(module, (colour == other) + scrap - module)
    assert 14 <= len(repairs) <= 19


@each_golden
def test_O7_8_2_the_score_is_the_population_that_votes_for_the_player(seed):
    lines = golden(seed)
    end = max(i for i, line in enumerate(lines) if "score: red" in line)
    border = [re.match(r"\s+(\d+) ([RY]) \|", line) for line in lines[end - 12 : end]]
    votes = [(int(m[1]), m[2]) for m in border if m] + [
        (int(n), owner) for n, owner in re.findall(r"(\d+) ([RY])", lines[end - 1])
    ]
    assert len(votes) == 10
    text = {
        owner: int(n)
        for owner, n in zip("RY", re.search(r"red (\d+), yellow (\d+)", lines[end]).groups(), strict=True)
    }
    assert text == {owner: sum(n for n, who in votes if who == owner) for owner in "RY"}
    best = "RY".index(max(text, key=text.get))
    assert lines[-2 + best].endswith(" wins")
