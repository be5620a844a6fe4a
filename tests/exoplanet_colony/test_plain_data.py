"""Other component data (EX-10: events, scenarios, costs and effects of modules) are played alike too: places,
amounts and levels that the cards of the game do not have."""

from contextlib import contextmanager
from copy import deepcopy
from random import Random

import pytest

from . import lockstep
from .lockstep import Pair, builder, busy, differing_columns, hoarder, long_options, random_options, uniform
from .plain_data import COLOURS, DATA, NAMES

PLACES = [*COLOURS, *(f"{name}_or_hub" for name in COLOURS), "hub", "here", "any", "farthest"]
KINDS = ["supply", "supply", "loss", "loss", "loss", "emergency", "draw", "discard", "pawns_home", "scenario"]


def any_op(luck, inside):
    kind = luck.choice(KINDS[:-1] if inside else KINDS)
    more = {
        "supply": {"resource": luck.choice(NAMES), "amount": luck.randint(-6, 6)},
        "loss": {"resource": luck.choice(NAMES), "where": luck.choice(PLACES)},
        "emergency": {"where": luck.choice(PLACES)},
        "scenario": {"key": luck.choice(["weather", "terrain", "critical"])},
        "pawns_home": {},
    }
    return {"op": kind} | more.get(
        kind, {"who": luck.choice(["active", "each"]), "amount": luck.randint(0, 3)}
    )


def change(luck):
    """Give events and scenarios other contents; often modules too."""
    for event in DATA["normal_events"] + DATA["critical_events"]:
        ill = [op for op in event["ops"] if op["op"] == "health"]
        event["ops"][:] = ill + [any_op(luck, False) for _ in range(luck.randint(0, 4 - len(ill)))]
        luck.shuffle(event["ops"])
    for scenario in DATA["scenarios"]:
        for key in ("weather", "terrain", "critical"):
            scenario[key][:] = [any_op(luck, True) for _ in range(luck.randint(0, 4))]
        scenario["production"][:] = [luck.randint(-5, 1) for _ in NAMES]
        scenario["supply"][:] = [luck.choice((0, 3, 13, 20, 20, 20)) for _ in NAMES]
        scenario |= {icon: luck.randint(0, 3) for icon in ("radiation", "pressure", "humidity")}
    for module in DATA["modules"] if luck.random() < 0.7 else []:
        colours = luck.choices(range(4), k=luck.randint(0, 3))
        module["cost"][:] = [colours.count(i) for i in range(4)]
        module["effect"][:] = luck.choices((-3, -2, -1, 0, 0, 1, 2, 3), k=4)


@contextmanager
def other_data(luck):
    """Component data changed in place, and as they were afterwards."""
    kinds = ("normal_events", "critical_events", "scenarios", "modules")
    copied = deepcopy({kind: DATA[kind] for kind in kinds})
    lockstep.rules_of.cache_clear()
    try:
        change(luck)
        yield
    finally:
        for kind in kinds:
            for now, before in zip(DATA[kind], copied[kind], strict=True):
                for name, value in before.items():
                    if isinstance(value, list):
                        now[name][:] = value
                    else:
                        now[name] = value
        lockstep.rules_of.cache_clear()


def play_changed(number, games):
    luck, pairs = Random(number), []
    with other_data(luck):
        for i in range(games):
            options = (long_options if i % 2 else random_options)(luck)
            policy = luck.choice((uniform, busy, builder, hoarder))
            pairs.append(Pair(options, luck.randint(2, 5), 1000 * number + i, policy).play())
            assert pairs[-1].differing_rows() == []
    assert differing_columns(pairs) == []


@pytest.mark.parametrize("number", range(8))
def test_other_data_are_played_alike(number):
    """EX-2.2, EX-2.9, EX-4.4, EX-5.3, EX-6.4 to EX-6.8."""
    play_changed(number, 4)


@pytest.mark.slow
@pytest.mark.proof("games.exoplanet_colony", "strategies.exoplanet_colony")
@pytest.mark.parametrize("part", range(4))
def test_many_other_data_are_played_alike(part):
    """EX-2.2, EX-2.9, EX-4.4, EX-5.3, EX-6.4 to EX-6.8."""
    for number in range(8 + part, 28, 4):
        play_changed(number, 20)
