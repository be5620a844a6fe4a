"""The rules play as a second implementation does, made from the specification alone: every legal id of every
decision, all that is known after every action, the result, every column of the log and of the trace."""

from collections import Counter
from functools import cache
from random import Random

import pytest

from simkit.errors import UsageError
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import DATA, Decision, End

from .lockstep import (
    LONG,
    Pair,
    builder,
    busy,
    differing_columns,
    hoarder,
    in_range,
    long_options,
    random_options,
    uniform,
)
from .plain_counts import GAMES, SEATS
from .plain_data import CHARACTERS, ISSUES, ITEMS, PLANS, fits, settings

SMALL = {
    "remove_modules": 12,
    "normals_per_pile": 7,
    "recover_cards": 1,
}  # items, plans and issues come often
CREW = dict(enumerate(["medic", "engineer", "architect", "scientist", "comms_officer"]))
FIRST_CREW = {f"character_{seat}": name for seat, name in CREW.items()}
SECOND_CREW = FIRST_CREW | {
    "character_0": "biochemist",
    "character_1": "pilot",
    "character_3": "quartermaster",
}
ANYWHERE, NO_CREW = {"deploy_anywhere": True}, {"characters": "none"}
ALARM = LONG | {"piles": 5, "criticals_per_pile": 3, "normals_per_pile": 0, "track_2": 0, "supply_offset": 6}
ALARM |= {"production_offset": 2}
NEAR = {"medic_range": "module", "character_0": "medic", "recover_cards": 4, "n_items": 0, "n_plans": 0}
HOARD = LONG | SMALL | {"hand_limit": 10, "initial_hand": 5, "recover_cards": 4}
TIGHT = {"win_production": -1, "track_1": 0, "supply_offset": 4, "production_offset": 1}
RARE = [  # options, seats, who plays
    (LONG | SMALL | FIRST_CREW, 3, busy), (LONG | SMALL | FIRST_CREW | {"medic_range": "module"}, 2, uniform),
    (LONG | SMALL | SECOND_CREW | {"deploy_anywhere": True}, 4, busy), (LONG | SMALL | SECOND_CREW, 5, uniform),
    (LONG | FIRST_CREW | {"scenario": 4, "item_cost": 1, "draw_cards": 3}, 5, busy), (LONG | SMALL, 2, builder),
    ({"win_production": -1, "scenario": 2}, 2, builder), ({"win_production": -1, "scenario": 4}, 5, builder),
    ({"ruleset": "patient", "win_production": 1}, 3, builder), ({"ruleset": "introductory"}, 4, builder),
    (TIGHT, 2, builder), (TIGHT | {"scenario": 3}, 3, builder), (TIGHT | {"scenario": 2}, 4, builder),
    ({"emergency_tokens": 1, "criticals_per_pile": 3, "normals_per_pile": 0, **LONG}, 4, uniform),
    ({"scenario": 3, "initial_choice": 4, "hand_limit": 3, "initial_hand": 3, "start_player": -1}, 5, uniform),
    (HOARD | FIRST_CREW, 2, hoarder), (HOARD | NO_CREW, 2, hoarder),
    (HOARD | SECOND_CREW, 3, hoarder), (HOARD | FIRST_CREW | {"track_1": 4}, 4, hoarder),
    (ALARM, 3, busy), (ALARM | {"deploy_anywhere": True}, 2, busy), (LONG | SMALL | ANYWHERE, 5, busy),
    (HOARD | FIRST_CREW | ANYWHERE, 2, hoarder), (HOARD | ANYWHERE | NO_CREW, 3, hoarder),
    (HOARD | SECOND_CREW | ANYWHERE, 4, hoarder), (HOARD | FIRST_CREW, 5, hoarder),
    (LONG | SMALL | NEAR, 3, busy), (LONG | SMALL | NEAR, 2, busy),
    (LONG | SMALL | {"initial_hand": 6, "hand_limit": 8, "n_plans": 1, "late_seat_cards": 2}, 5, busy),
]  # fmt: skip
PRESETS = list(DATA["presets"]["ruleset"])
QUICK, WIDE = 60, 660


def setting(number):
    """Options, seats and who plays; a few by hand, then random ones."""
    if number < len(RARE):
        return RARE[number]
    luck = Random(number)
    kind = number % 4
    if kind == 0:
        options = {"scenario": luck.randint(1, 4), "ruleset": luck.choice(PRESETS)}
    else:
        options = random_options(luck) if kind == 1 else long_options(luck)
    return options, luck.randint(2, 5), luck.choice((uniform, busy, busy, builder, hoarder))


@cache
def played(number):
    options, seats, policy = setting(number)
    return Pair(options, seats, number, policy).play()


def everything():
    return [played(number) for number in range(QUICK)]


@pytest.mark.parametrize("part", range(6))
def test_games_are_played_alike(part):
    """EX-2 to EX-9, EX-11: legal ids, seats, decks, hands, base, crew, levels after every action."""
    for number in range(part, QUICK, 6):
        assert End[played(number).plain.reason] == played(number).s.log.game.end_reason


def test_columns_are_counted_alike():
    """EX-9.2, EX-19.1 every column of both tables."""
    assert differing_columns(everything()) == []


def test_traces_are_alike():
    """EX-19.2."""
    for pair in everything():
        assert pair.differing_rows() == [], pair.where


def test_games_show_every_kind_of_decision():
    """EX-11.2 what these games never ask is not compared by them."""
    met = sum((pair.met for pair in everything()), Counter())
    assert set(met) == {first.name for first in Decision if first}
    assert min(met.values()) >= 3, met


def test_games_show_all_cards_and_effects():
    """EX-1.8, EX-1.9, EX-1.11, EX-4.12, EX-6.4, EX-7.3: all of them occur, and often."""
    pairs = everything()

    def total(name):
        return sum(pair.plain.log.game[name] for pair in pairs)

    def seen(name):
        return sum((pair.plain.log.seen[name] for pair in pairs), Counter())

    designs = {"item": ITEMS.values(), "plan": PLANS.values(), "ability": CHARACTERS}
    often = {f"{kind} {name}": total(f"{kind}_{name}") for kind, names in designs.items() for name in names}
    assert min(often.values()) >= 15, often
    assert set(seen("issues")) == set(ISSUES) and min(seen("issues").values()) >= 5
    assert len(seen("ops")) == 8 and min(seen("ops").values()) >= 15
    assert set(seen("windows")) == {"main", "start", "act", "update", "event"}
    assert min(seen("windows").values()) >= 10


def test_games_show_every_column():
    """EX-19.1 a column that is always 0 is not compared."""
    logs = [pair.plain.log for pair in everything()]
    assert [name for name in GAMES if not any(log.game[name] for log in logs)] == []
    assert [name for name in SEATS if not any(own[name] for log in logs for own in log.seat)] == []
    for name, n in (("end_reason", 3), ("end_step", 4), ("defeat", 5)):
        assert len({log.game[name] for log in logs}) == n, name


def test_settings_are_accepted_alike():
    """EX-10.2."""
    luck, refused = Random(1), 0
    for _ in range(300):
        options = in_range(luck)
        try:
            game.rules(options)
        except UsageError:
            refused += 1
            assert not fits(settings(options)), options
        else:
            assert fits(settings(options)), options
    assert 50 < refused < 250


def test_options_are_resolved_alike():
    """EX-10, EX-10.1."""
    luck = Random(2)
    for _ in range(100):
        options = random_options(luck)
        assert game.resolve(options) == settings(options)


@pytest.mark.slow
@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony")
@pytest.mark.parametrize("part", range(8))
def test_many_games_are_played_alike(part):
    """EX-2 to EX-9, EX-11, EX-19, with many more random options."""
    for first in range(QUICK + part, WIDE, 800):
        pairs = [Pair(*three(number)).play() for number in range(first, min(first + 800, WIDE), 8)]
        assert differing_columns(pairs) == []
        for pair in pairs:
            assert pair.differing_rows() == [], pair.where


def three(number):
    options, seats, policy = setting(number)
    return options, seats, number, policy
