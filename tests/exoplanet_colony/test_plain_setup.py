"""The beginning of a game is what EX-2 says, and every outcome of chance is as likely as any other like it."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from of_games.driver import driver

from simkit.engine.rng import open_streams, purposes
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Character

from .lockstep import cards, random_options
from .plain_data import settings
from .plain_game import Luck
from .plain_setup import CRITICAL, faults, sizes

DEALS = 1_200


def setups(options, seats, deals):
    """The luck of many setups."""
    rules, drive, names = game.rules(options), driver(game), purposes(game.purposes)
    states, rng = np.zeros(1, game.state_dtype), np.zeros(1, game.rng_dtype)
    for deal in deals:
        states[:] = np.zeros(1, game.state_dtype)
        open_streams(rng.view(np.uint64), 1, deal, names)
        drive.start(states, rules, rng, seats)
        s = states[0]
        yield Luck(
            int(s.first), [Character(int(n)).name for n in s.character[:seats]],
            [cards(int(hand)) for hand in s.hand[:seats]], s.deck[: s.deck_n].tolist(), cards(int(s.removed)),
            s.events[: s.events_n].tolist(), list,
        )  # fmt: skip


def z_values(counts, among, deals, chance):
    """How far each count is from its mean, in standard errors."""
    error = (deals * chance * (1 - chance)) ** 0.5
    return {first: (counts[first] - deals * chance) / error for first in among}


def uniform(counts, among, deals, chance):
    worst = max(z_values(counts, among, deals, chance).items(), key=lambda pair: abs(pair[1]))
    assert abs(worst[1]) < 4.5, worst
    assert not set(counts) - set(among)


def test_setups_under_random_options():
    """EX-2.3, EX-2.5 to EX-2.8."""
    luck = Random(5)
    for deal in range(150):
        options, seats = random_options(luck), luck.randint(2, 5)
        for first in setups(options, seats, (deal, deal + 1)):
            assert faults(settings(options), seats, first) == [], (options, seats)


def test_a_deck_may_be_dealt_out():
    """EX-2.7 one card at a time in turn order, until the deck is empty."""
    few = {"remove_modules": 12, "n_items": 0, "n_plans": 0, "initial_hand": 4, "start_player": 3}
    assert sizes(settings(few), 5, 3) == [3, 3, 3, 4, 3]
    assert all(faults(settings(few), 5, first) == [] for first in setups(few, 5, range(20)))


def test_every_card_lies_anywhere():
    """EX-2.3."""
    hands, tops, bottoms = Counter(), Counter(), Counter()
    for first in setups({}, 3, range(DEALS)):
        hands.update(first.hands[1])
        tops[first.deck[-1]] += 1
        bottoms[first.deck[0]] += 1
    for counts, chance in ((hands, 2 / 36), (tops, 1 / 36), (bottoms, 1 / 36)):
        uniform(counts, range(36), DEALS, chance)


def test_every_card_may_leave():
    """EX-2.3 modules, items and plans apart."""
    missing, options = Counter(), {"remove_modules": 7, "n_items": 1, "n_plans": 3}
    for first in setups(options, 2, range(DEALS)):
        missing.update(first.removed)
    for kind, chance in ((range(28), 7 / 28), (range(28, 32), 3 / 4), (range(32, 36), 1 / 4)):
        uniform(Counter({c: missing[c] for c in kind}), kind, DEALS, chance)


@pytest.mark.parametrize("options", [{}, {"piles": 3, "normals_per_pile": 2, "criticals_per_pile": 2}])
def test_every_event_comes_anywhere_in_its_pile(options):
    """EX-2.5."""
    full = settings(options)
    normals, criticals = full["normals_per_pile"], full["criticals_per_pile"]
    size = normals + criticals
    places, first, last = Counter(), Counter(), Counter()
    pairs = Counter()
    for single in setups(options, 3, range(DEALS)):
        places.update(place for place, event in enumerate(single.events) if event >= CRITICAL)
        first[single.events[-1]] += 1
        last[single.events[0]] += 1
        marks = [event >= CRITICAL for event in single.events]
        pairs[marks[0], marks[size]] += 1
    uniform(places, range(full["piles"] * size), DEALS, criticals / size)
    for counts in (first, last):
        normal, critical = Counter(), Counter()
        for event, n in counts.items():
            (critical if event >= CRITICAL else normal)[event] = n
        uniform(normal, range(39), DEALS, normals / size / 39)
        uniform(critical, range(39, 54), DEALS, criticals / size / 15)
    p = criticals / size  # piles are shuffled independently
    for marks, n in pairs.items():
        chance = (p if marks[0] else 1 - p) * (p if marks[1] else 1 - p)
        assert abs(n - DEALS * chance) < 4.5 * (DEALS * chance * (1 - chance)) ** 0.5


def test_every_character_comes_to_every_seat():
    """EX-2.6 those that no seat names, in the seats that name none."""
    options = {"character_0": "none", "character_2": "pilot", "character_4": "medic"}
    seen, pairs = [Counter() for _ in range(4)], Counter()
    for first in setups(options, 4, range(DEALS)):
        for seat, name in enumerate(first.characters):
            seen[seat][name] += 1
        pairs[first.characters[1], first.characters[3]] += 1
    others = ["medic", "engineer", "architect", "scientist", "comms_officer", "biochemist", "quartermaster"]
    assert seen[0] == {"none": DEALS} and seen[2] == {"pilot": DEALS}  # seat 4 is not taken: a Medic may come
    uniform(seen[1], others, DEALS, 1 / 7)
    uniform(seen[3], others, DEALS, 1 / 7)
    uniform(pairs, [(a, b) for a in others for b in others if a != b], DEALS, 1 / 42)


def test_every_seat_may_start():
    """EX-2.8."""
    uniform(
        Counter(first.first for first in setups({"start_player": -1}, 5, range(DEALS))),
        range(5),
        DEALS,
        1 / 5,
    )
