"""EX-1 components: each test is titled by its clause. Numbers are those of the specification's tables."""

from __future__ import annotations

from collections import Counter

import pytest

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import Op, Where, Who

from .positions import CHARACTERS, ISSUES, Position, given, rules_of

QUIET = [0, 1]
# EX-13.1: cards, colour, cost [R, B, G, Y], effect [O, W, F, E], icon and the resource it adds to.
MODULES = [
    ([0, 1], 0, [0, 1, 0, 1], [2, -1, 0, 0], None),
    ([2, 3], 0, [0, 0, 1, 1], [2, 0, 0, -1], None),
    ([4, 5], 0, [1, 0, 0, 1], [0, 0, 0, -1], ("pressure", 0)),
    ([6], 0, [0, 1, 1, 0], [1, -1, 1, 0], None),
    ([7, 8], 1, [1, 0, 1, 0], [0, 2, 0, -1], None),
    ([9, 10], 1, [0, 1, 0, 1], [0, 0, 0, -1], ("humidity", 1)),
    ([11, 12], 1, [1, 0, 0, 1], [0, 2, 0, -1], None),
    ([13], 1, [1, 0, 0, 1], [-1, 2, 0, 0], None),
    ([14, 15], 2, [0, 2, 0, 0], [1, 0, 2, -1], None),
    ([16, 17], 2, [0, 1, 1, 0], [0, -1, 2, 0], None),
    ([18, 19], 2, [1, 0, 1, 0], [-1, 0, 2, 0], None),
    ([20], 2, [0, 1, 1, 0], [0, 0, 2, -1], None),
    ([21, 22], 3, [1, 0, 0, 1], [0, 0, 0, 0], ("radiation", 3)),
    ([23, 24], 3, [1, 0, 1, 0], [0, 0, 0, 0], ("pressure", 3)),
    ([25, 26], 3, [1, 0, 1, 1], [0, 0, 0, 2], None),
    ([27], 3, [0, 0, 2, 0], [0, 0, -1, 2], None),
]  # fmt: skip
# EX-13.2: production, supply, icons, lists of ops.
SCENARIOS = {
    1: ([-2, -2, -2, -2], 13, {"radiation": 2, "pressure": 1, "humidity": 2}, "E+1", "O-1 F-1", "E-4 loss E yellow"),
    2: ([-2, -2, -2, -3], 13, {"radiation": 3, "pressure": 1, "humidity": 1}, "E+1 O-1", "F-1 W-1", "O-3 loss E yellow"),
    3: ([-2, -3, -2, -2], 13, {"radiation": 1, "pressure": 3, "humidity": 1}, "E-1 W-1", "W-2", "W-3 loss W blue"),
    4: ([-2, -2, -3, -3], 15, {"radiation": 1, "pressure": 2, "humidity": 3}, "O-1 E-1", "F-2", "F-3 loss O red"),
}  # fmt: skip
# EX-13.2b: what each event does.
EVENTS = [
    "", "", "O+2", "W+2", "F+2", "E+2", "draw active 1", "discard active 1", "discard each 1",
    "O-2", "W-2", "F-2", "E-2", "O-1 W-1 F-1 E-1",
    "loss O farthest", "loss O red", "loss O blue", "loss O green", "loss W green", "loss W yellow",
    "loss W blue", "loss F green", "loss F blue", "loss E yellow", "loss E red",
    *(f"health {name}" for name in ISSUES[:6]), *["weather"] * 4, *["terrain"] * 3, "pawns_home",
    "emergency farthest", "emergency farthest", "emergency hub", "emergency red_or_hub",
    "emergency yellow_or_hub", "emergency farthest O-2",
    "loss W farthest loss W green", "loss F farthest loss F green", "loss O farthest loss O red",
    "loss E farthest loss E yellow", "critical", "critical", "E-5", "F-3 W-3", "health acute discard each 1",
]  # fmt: skip


def ops_in_words(rules, row):
    """The ops of an event or of a list of the scenario (54 weather, 55 terrain, 56 critical)."""
    words = []
    for kind, what, amount, where in zip(
        rules.op_kind[row], rules.op_what[row], rules.op_amount[row], rules.op_where[row], strict=True
    ):
        name = Op(int(kind)).name
        place, what = Where(int(where)).name, int(what)
        words.append({
            "none": lambda what=what: "",
            "supply": lambda what=what, n=int(amount): f"{'OWFE'[what]}{n:+d}",
            "loss": lambda what=what, place=place: f"loss {'OWFE'[what]} {place}",
            "emergency": lambda place=place: f"emergency {place}",
            "draw": lambda what=what, n=int(amount): f"draw {Who(what).name} {n}",
            "discard": lambda what=what, n=int(amount): f"discard {Who(what).name} {n}",
            "health": lambda what=what: f"health {ISSUES[what]}",
            "pawns_home": lambda: "pawns_home",
            "scenario": lambda what=what: ["weather", "terrain", "critical"][what],
        }[name]())  # fmt: skip
    return " ".join(word for word in words if word)


def test_EX_1_1_resources_and_colours():
    """EX-1.1 oxygen red, water blue, food green, energy yellow: what a card of a colour generates."""
    for card, resource in ((0, 0), (7, 1), (14, 2), (21, 3)):
        supply = [5, 5, 5, 5]
        supply[resource] += 2
        given({0: [card]}, supply=[5] * 4).when("generate").then(supply=supply)


def test_EX_1_2_supply_stays_on_its_track():
    """EX-1.2 0..20."""
    full = given(supply=[20, 19, 18, 3], prod=[3, 3, 3, -5], at="update", events=QUIET)
    full.then(supply=[20, 20, 20, 0], level=1)
    given(supply=[20, 20, 20, 1], at="event", events=[2, *QUIET]).then(supply=[20, 20, 20, 1])
    given(supply=[20, 20, 20, 1], at="event", events=[51, *QUIET]).then(supply=[20, 20, 20, 0])


def test_EX_1_3_production_stays_on_its_track():
    """EX-1.3 -5..+3, by actions and by events."""
    given({0: [14, 7, 8]}, prod=[3, -1, 0, 0]).then(cannot=["deploy"])
    given({0: [14, 7, 8]}, prod=[2, -1, 0, 0]).then(can=["deploy"])
    given(base="16@(0,1)", prod=[-1, -5, 0, 0], at="event", events=[18, 0]).then(prod=[-1, -5, 0, 0])
    given(base="16@(0,1)", prod=[-1, -4, 0, 0], at="event", events=[18, 0]).then(prod=[-1, -5, 0, 0])


@pytest.mark.parametrize(("supply", "left"), [([9, 9, 9, 9], 4), ([0, 9, 9, 9], 3), ([0, 0, 9, 9], 2)])
def test_EX_1_4_emergency_track(supply, left):
    """EX-1.4 4, 3, 2 actions, then the skull: level 3."""
    assert int(rules_of()[0].skull) == 3
    given(supply=supply).then(left=left)


@pytest.mark.parametrize(
    ("options", "track"),
    [
        ({}, [4, 3, 2]),
        ({"track_1": 0}, [4]),
        ({"track_0": 2, "track_1": 0, "track_2": 3}, [2]),
        ({"track_2": 0, "track_3": 5}, [4, 3]),
        ({f"track_{i}": 6 - i % 6 for i in range(8)}, [6, 5, 4, 3, 2, 1, 6, 5]),
        ({"track_3": 6, "track_4": 1}, [4, 3, 2, 6, 1]),
    ],
)
def test_EX_1_4_options_of_the_track(options, track):
    """EX-1.4 the skull is the first level with option 0, level 8 if none is; nothing behind it counts."""
    assert int(rules_of(options)[0].skull) == len(track)
    for level in range(min(5, len(track))):
        supply = [0 if i < min(level, 3) else 9 for i in range(4)]
        alarms = [0] * (level - min(level, 3))
        given(options=options, supply=supply, alarms=alarms).then(level=level, left=track[level])
    if len(track) < 5:
        dying = [0] * (len(track) - 1) + [1] + [9] * (4 - len(track))
        lost = given(options=options, supply=dying, prod=[-1] * 4, at="update")
        lost.then(over=True, end="skull", level=len(track))


def test_EX_1_5_tokens():
    """EX-1.5 3 Loss tokens per resource, 3 Shutdown, 3 Emergency; by options others."""
    given().then(loss_left=[3] * 4, shut_left=3, emerg_left=3)
    options = {"loss_tokens": 1, "shutdown_tokens": 0, "emergency_tokens": 5}
    given(options=options).then(loss_left=[1] * 4, shut_left=0, emerg_left=5)
    position = given(base="16@(0,1)", loss={1: "water"}, options=options, at="event", events=[18, 0])
    position.then(prod=[-2, -4, 0, -2], log={"loss_skipped": 1})
    given(base="16@(0,1)", pawns={0: 1}, options=options).then(cannot=["switch"])


def test_EX_1_6_player_deck():
    """EX-1.6 36 cards: seven modules per colour, items, plans; items never pay nor generate."""
    rules = rules_of()[0]
    colours = Counter(colour for cards, colour, *_ in MODULES for _ in cards)
    assert colours == {0: 7, 1: 7, 2: 7, 3: 7} and rules.cost.shape == rules.effect.shape == (28, 4)
    start = Position()
    cards = [*start.facts()["deck"], *(c for seat in (0, 1) for c in start.named_facts()["hands"](seat))]
    assert sorted(cards) == list(range(36))
    items = given({0: [14, 7, 28, 29, 30, 31]}, supply=[9] * 4).then(cannot=["deploy"], can=["generate"])
    items.when("generate").then(legal=["card 7", "card 14"])
    given({0: [28, 29, 30, 31]}).then(cannot=["deploy", "generate"])
    plan = given({0: [14, 7, 33]}).when("generate")
    plan.then(legal=["card 7", "card 14", "card 33"]).when("card 33").then(decision="gen_res")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_EX_1_7_modules(scenario):
    """EX-1.7 colour, cost, effect with the icon's value on the scenario card (EX-13.1)."""
    rules = rules_of({"scenario": scenario})[0]
    for cards, _, cost, effect, icon in MODULES:
        whole = list(effect)
        if icon:
            whole[icon[1]] += SCENARIOS[scenario][2][icon[0]]
        for card in cards:
            assert rules.cost[card].tolist() == cost, card
            assert rules.effect[card].tolist() == whole, card


@pytest.mark.parametrize(("colour", "demand"), [(0, 15), (1, 12), (2, 16), (3, 15)])
def test_EX_1_7_colour_demand(colour, demand):
    """EX-1.7 the costs of all modules (EX-13.1)."""
    assert int(rules_of()[0].cost[:, colour].sum()) == demand


def test_EX_1_7_a_deployed_icon():
    """EX-1.7 an Atmosphere Processor in scenario 3 gives three oxygen."""
    position = given({0: [4, 0, 21]}, options={"scenario": 3}).when("deploy", "card 4", "dir S")
    position.settle().then(prod=[1, -3, -2, -3], modules=[4])


def test_EX_1_8_items():
    """EX-1.8 First Aid Kit 28, Tool Kit 29, Supply Capsule 30, 3D Printer 31."""
    hand = {0: [28, 29, 30, 31]}
    position = given(hand, issues={1: "flu"}, alarms=[0], pile=[5]).when("item")
    position.then(legal=["card 28", "card 29", "card 30", "card 31"])
    given(hand, issues={1: "flu"}, alarms=[0], pile=[5]).when("item", "card 28").then(issues={1: ""})
    given(hand, issues={1: "flu"}, alarms=[0], pile=[5]).when("item", "card 29").then(alarms=[])
    capsule = given(hand, pile=[5]).when("item", "card 30", "res food").then(supply=[13, 13, 17, 13])
    capsule.when("item", "card 5").then(hands={0: [5, 28, 29]})


def test_EX_1_9_plans():
    """EX-1.9 Evacuation 32, Forecast 33, Rationing 34, Contingency 35."""
    plans = given({0: [32, 33, 34, 35]}, "16@(0,1)", at="update").then(decision="plan_window")
    plans.then(legal=["pass", "card 32", "card 33", "card 34"])
    event = given({0: [32, 33, 34, 35]}, "16@(0,1)", at="event").then(legal=["pass", "card 35"])
    event.then(decision="plan_window")


def test_EX_1_10_hub():
    """EX-1.10 slot 0 has no card, no colour, no switch; pawns meet on it, tokens lie on it."""
    position = given({0: [1]}, alarms=[0]).then(
        cells=[(0, 0)], modules=[], can=["give", "repair"], cannot=["switch"]
    )
    assert int(position.s.slot_card[0]) == -1
    given(base="16@(0,1)", pawns={0: 1}).when("move S").then(pawns={0: 0})
    coloured = given(base="16@(0,1)", at="event", events=[20, 0]).then(log={"loss_skipped": 1})
    coloured.then(prod=[-2, -3, 0, -2])


def test_EX_1_11_characters():
    """EX-1.11 eight, each once."""
    assert CHARACTERS == [
        "medic", "engineer", "architect", "pilot", "scientist", "comms_officer", "biochemist", "quartermaster",
    ]  # fmt: skip
    met = set()
    for deal in range(30):
        drawn = [Position(seats=5, deal=deal).named_facts()["characters"](seat) for seat in range(5)]
        assert len(set(drawn)) == 5
        met |= set(drawn)
    assert met == set(CHARACTERS)


def test_EX_1_12_events():
    """EX-1.12 39 normal, 15 critical; what each does (EX-13.2b)."""
    rules = rules_of()[0]
    assert len(EVENTS) == 54
    for event, words in enumerate(EVENTS):
        assert ops_in_words(rules, event) == words, event
    kinds = Counter(EVENTS[:39])
    assert kinds[""] == 2 and kinds["weather"] == 4 and kinds["terrain"] == 3
    assert sum(words.startswith("loss") for words in EVENTS[:39]) == 11
    assert sum(words.startswith("health") for words in EVENTS[:39]) == 6


def test_EX_1_12_normal_and_critical():
    """EX-1.12 ids 0-38 and 39-53."""
    position = given(at="event", events=[38, 39])
    position.then(log={"normal_events": 1, "critical_events": 0}).end_turn()
    position.then(log={"normal_events": 1, "critical_events": 1})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_EX_1_13_scenarios(scenario):
    """EX-1.13 start productions and supplies, lists of ops (EX-13.2)."""
    production, supply, _, *lists = SCENARIOS[scenario]
    given(options={"scenario": scenario}).then(prod=production, supply=[supply] * 4)
    rules = rules_of({"scenario": scenario})[0]
    assert [ops_in_words(rules, 54 + key) for key in range(3)] == lists


def test_EX_1_14_reference_cards():
    """EX-1.14 no reference cards in state and components."""
    names = [*rules_of().dtype.names, *game.state_dtype.names]
    assert not [name for name in names if "reference" in name]
