"""Whole games in words: the same every time, and what is told agrees with the rules.

After a wanted change of rules, strategies or words: python -m tests.exoplanet_colony.test_golden
"""

import re
from functools import cache
from itertools import pairwise

import pytest

from tests.of_games import goldens

PATIENT, ENDURANCE = {"ruleset": "patient"}, {"ruleset": "endurance"}
CASES = {  # lineup, options, deal
    "won": ("reference_greedy*3", {"scenario": 2}, 1804), "lost": ("random*4", PATIENT, 82),
}  # fmt: skip


@cache
def story(name):
    lineup, options, deal = CASES[name]
    return goldens.story("exoplanet_colony", lineup, options, deal)


def golden(name):
    return goldens.golden(f"exoplanet_colony_{name}")


each = pytest.mark.parametrize("name", CASES)


@each
def test_a_golden_game_is_told_as_recorded(name):
    assert story(name) == golden(name)


@each
def test_EX_3_1_turns_are_told_in_clockwise_order(name):
    """EX-3.1, EX-3.2: the next seat is active; every turn has an update and an event."""
    seats = int(CASES[name][0][-1])
    text = "\n".join(golden(name))
    turns = [(int(n), int(seat)) for n, seat in re.findall(r"turn (\d+): seat (\d)[,;]", text)]
    assert turns == [(n, (n - 1) % seats) for n in range(1, len(turns) + 1)]
    over = int(re.search(r"over after (\d+) turns", text)[1])
    assert over == len(turns)
    events = len(re.findall(r"; (?:critical )?event: ", text))
    updates = len(re.findall(r"(?:; |seat \d )(?:no )?update", text))
    last = {"won": 1, "lost": 0}[name]  # a game that is won ends in the Actions step
    assert updates == over - last and events == over - 1


@each
def test_EX_6_2_events_are_counted_down(name):
    left = [int(n) for line in golden(name) for n in re.findall(r"; (\d+) events? to come", line)]
    assert left[0] == 25 and all(0 <= first - other <= 1 for first, other in pairwise(left))


@each
def test_EX_4_14_player_cards_are_never_lost(name):
    """Deck, discard pile, hands and base make 36 at every look."""
    for look in "\n".join(golden(name)).split("\n\n"):
        if "in the deck" not in look:
            continue
        deck = int(re.search(r"(\d+) cards? in the deck", look)[1])
        pile = int(re.search(r"(\d+) discarded", look)[1])
        hands = re.findall(r"^    seat \d, [^,]*, on [^:]*: ([^;\n]*)", look, re.M)
        cards = sum(0 if hand == "no card" else 1 + hand.count(", ") for hand in hands)
        base = len(re.findall(r"\[\d+[RBGY]", look))
        assert deck + pile + cards + base == 36


@each
def test_EX_5_1_supplies_follow_the_story(name):
    """EX-5.1, EX-4.6, EX-6.4: from one look to the next supplies change by what is told."""
    words = ["oxygen", "water", "food", "energy"]
    text, before = dict.fromkeys(words, 0), None
    for line in golden(name):
        if "emergency level" in line and line.startswith("    "):
            now = {word: int(re.search(rf"{word} (\d+) \(", line)[1]) for word in words}
            for word in words if before else []:
                free = 0 < now[word] < 20 and before[word] > 0  # else the tracks end there
                assert not free or now[word] == before[word] + text[word], (line, text)
            text, before = dict.fromkeys(words, 0), now
        elif line.startswith("seat"):
            line = re.sub(r" works: [^;]*|switches [^;]*", "", line)
            cancelled = "has no effect" in line
            for word in words:
                changes = [int(n) for n in re.findall(rf"{word} ([+-]\d)", line)]
                built = [int(n) for n in re.findall(rf"(?:generates|gains) (\d+) {word}", line)]
                text[word] += sum(built) + (0 if cancelled else sum(changes))


@each
def test_EX_8_the_end(name):
    """EX-8.1, EX-9.1, EX-9.2: the goal, the score."""
    lines = golden(name)
    life = [line for line in lines if "emergency level" in line][-1]
    production = [int(n) for n in re.findall(r" \(([+-]\d+)\)", life)]
    missing = sum(max(0, -n) for n in production)
    left = int(
        re.search(
            r"; (\d+) events? to come",
            "\n".join(line for line in lines if "to come" in line).splitlines()[-1],
        )[1]
    )
    assert (missing == 0) == (name == "won")
    score = 1 + left if name == "won" else -missing
    verb = "wins" if name == "won" else "loses"
    assert lines[-1] == f"the team {verb}, score {score}"


def test_golden_games_show_what_happens():
    """The stories tell of every kind of thing that a team does and suffers."""
    text = "\n".join(golden("won") + golden("lost"))
    for words in (
        "scenario 1, Proxima Centauri b", "scenario 2, TRAPPIST-1e", "deploys", "works:", "pays", "moves", "gives",
        "takes", "generates", "to generate", "gains", "removes the", "Loss token from", "Emergency token from",
        "after 1 turn", "switches", "treats", "discards to recover", "discards for the hand limit",
        "discards for the event", "puts the", "falls ill", "no token is placed", "critical event", "weather:",
        "terrain:", "has run out", "becomes the deck", "plays Forecast", "puts the next events", "next: ",
        "plays Evacuation Plan", "plays Rationing Plan", "no update", "plays Contingency Plan against",
        "the event has no effect", "uses the", "as Scientist", "self_sustaining", "events_out",
    ):  # fmt: skip
        assert words in text, words


if __name__ == "__main__":
    for case in CASES:
        goldens.record(f"exoplanet_colony_{case}", story(case))
