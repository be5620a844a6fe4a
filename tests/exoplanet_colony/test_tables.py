"""Component tables (EX-1, EX-13.1, EX-13.2): the rules have the data file's numbers, and these are those of the
specification, copied here."""

from collections import Counter

import pytest

from simkit.engine.components import reconstructed_tables
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import DATA, Issue, Item, Key, Op, Plan, Where, Who

from .positions import Position, given, rules_of
from .walk import CHARACTERS, COLOURS, EVENTS, ISSUES, MODULES, RESOURCES

# EX-13.1: copies, colour, cost, effect on oxygen, water, food, energy
SHEET = """
Electrolyser            2 red    blue yellow        +2 -1 0 0
CO2 Scrubber            2 red    green yellow       +2 0 0 -1
Atmosphere Processor    2 red    red yellow         pressure 0 0 -1
Algae Photobioreactor   1 red    blue green         +1 -1 +1 0
Water Recycler          2 blue   red green          0 +2 0 -1
Vapour Condenser        2 blue   blue yellow        0 humidity 0 -1
Ice Drill               2 blue   red yellow         0 +2 0 -1
Sabatier Reactor        1 blue   red yellow         -1 +2 0 0
Hydroponic Farm         2 green  blue blue          +1 0 +2 -1
Greenhouse              2 green  blue green         0 -1 +2 0
Insect Farm             2 green  red green          -1 0 +2 0
Aquaponics              1 green  blue green         0 0 +2 -1
Solar Array             2 yellow red yellow         0 0 0 radiation
Wind Turbine            2 yellow red green          0 0 0 pressure
Radioisotope Generator  2 yellow red green yellow   0 0 0 +2
Biomass Generator       1 yellow green green        0 0 -1 +2
"""
ICONS = {  # EX-13.2
    1: {"radiation": 2, "pressure": 1, "humidity": 2}, 2: {"radiation": 3, "pressure": 1, "humidity": 1},
    3: {"radiation": 1, "pressure": 3, "humidity": 1}, 4: {"radiation": 1, "pressure": 2, "humidity": 3},
}  # fmt: skip
SCENARIOS = {  # EX-13.2: name, productions, supply, weather, terrain, critical
    1: ("Proxima Centauri b", [-2, -2, -2, -2], 13, "E+1", "O-1 F-1", "E-4 energy on yellow"),
    2: ("TRAPPIST-1e", [-2, -2, -2, -3], 13, "E+1 O-1", "F-1 W-1", "O-3 energy on yellow"),
    3: ("Kepler-442b", [-2, -3, -2, -2], 13, "E-1 W-1", "W-2", "W-3 water on blue"),
    4: ("LHS 1140 b", [-2, -2, -3, -3], 15, "O-1 E-1", "F-2", "F-3 oxygen on red"),
}
NORMAL = """
2 nothing | 1 O+2 | 1 W+2 | 1 F+2 | 1 E+2 | 1 active draws 1 | 1 active discards 1 | 1 each discards 1
1 O-2 | 1 W-2 | 1 F-2 | 1 E-2 | 1 O-1 W-1 F-1 E-1
1 oxygen on farthest | 1 oxygen on red | 1 oxygen on blue | 1 oxygen on green
1 water on green | 1 water on yellow | 1 water on blue | 1 food on green | 1 food on blue
1 energy on yellow | 1 energy on red
1 ill ankle | 1 ill flu | 1 ill insomnia | 1 ill anxiety | 1 ill migraine | 1 ill infection
4 weather | 3 terrain | 1 pawns home
"""
CRITICAL = """
2 emergency on farthest | 1 emergency on hub | 1 emergency on red_or_hub | 1 emergency on yellow_or_hub
1 emergency on farthest O-2 | 1 water on farthest water on green | 1 food on farthest food on green
1 oxygen on farthest oxygen on red | 1 energy on farthest energy on yellow
2 critical | 1 E-5 | 1 F-3 W-3 | 1 ill acute each discards 1
"""


def sheet():
    """The modules of the table: name, copies, colour, cost, effect with icons by name."""
    for line in SHEET.strip().splitlines():
        name, rest = line[:23].strip(), line[23:].split()
        cost = rest[2:-4]
        yield name, int(rest[0]), rest[1], [cost.count(colour) for colour in COLOURS], rest[-4:]


def in_words(op):
    """An op of the data file in the words of the tables above."""
    kind = op["op"]
    if kind == "supply":
        return f"{op['resource'][0].upper()}{op['amount']:+d}"
    if kind in ("loss", "emergency"):
        return f"{op.get('resource', kind)} on {op['where']}"
    if kind in ("draw", "discard"):
        return f"{op['who']} {kind}s {op['amount']}"
    return {"health": f"ill {op.get('issue')}", "pawns_home": "pawns home"}.get(kind) or op["key"]


def listed(ops):
    return " ".join(map(in_words, ops)) or "nothing"


def counted(text):
    """How often each content of an event is there."""
    parts = [part.strip() for line in text.strip().splitlines() for part in line.split("|")]
    return Counter({part.split(" ", 1)[1]: int(part.split(" ", 1)[0]) for part in parts})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_modules_are_those_of_the_specification(scenario):
    """EX-13.1, EX-1.7: colour, cost, effect with the icon of the scenario; ids in the order of the table."""
    rules, card = rules_of({"scenario": scenario})[0], 0
    for name, copies, colour, cost, effect in sheet():
        worth = [ICONS[scenario].get(part) or int(part) for part in effect]
        for _ in range(copies):
            assert (MODULES[card]["name"], MODULES[card]["colour"]) == (name, colour)
            assert rules.cost[card].tolist() == cost, name
            assert rules.effect[card].tolist() == worth, name
            card += 1
    assert card == 28 == len(MODULES)


def test_the_demand_for_colours():
    """EX-13.1: red 15, blue 12, green 16, yellow 15; seven modules of each colour."""
    assert rules_of()[0].cost.sum(axis=0).tolist() == [15, 12, 16, 15]
    assert Counter(row["colour"] for row in MODULES.values()) == dict.fromkeys(COLOURS, 7)
    assert all(2 <= sum(row["cost"]) <= 3 for row in MODULES.values())


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenarios_are_those_of_the_specification(scenario):
    """EX-13.2, EX-1.13."""
    name, production, supply, *lists = SCENARIOS[scenario]
    row, rules = DATA["scenarios"][scenario - 1], rules_of({"scenario": scenario})[0]
    assert row["name"] == name
    assert rules.start_production.tolist() == production and rules.start_supply.tolist() == [supply] * 4
    assert {icon: row[icon] for icon in ICONS[scenario]} == ICONS[scenario]
    assert [listed(row[key]) for key in ("weather", "terrain", "critical")] == lists


def test_events_are_those_of_the_specification():
    """EX-13.2b, EX-1.12: 39 normal and 15 critical ones."""
    ops = [listed(event["ops"]) for event in EVENTS]
    assert [event["id"] for event in EVENTS] == list(range(54))
    assert Counter(ops[:39]) == counted(NORMAL) and Counter(ops[39:]) == counted(CRITICAL)
    assert (sum(counted(NORMAL).values()), sum(counted(CRITICAL).values())) == (39, 15)
    assert sum(op.startswith(("oxygen on", "water on", "food on", "energy on")) for op in ops[:39]) == 11
    assert sum("emergency" in op for op in ops[39:]) == 6


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ops_of_the_rules_are_those_of_the_data_file(scenario):
    """EX-6.4: events, then weather, terrain and critical of the scenario."""
    rules, row = rules_of({"scenario": scenario})[0], DATA["scenarios"][scenario - 1]
    lists = [*(event["ops"] for event in EVENTS), row["weather"], row["terrain"], row["critical"]]
    assert rules.op_kind.shape == (57, max(map(len, lists)))
    for at, ops in enumerate(lists):
        results = []
        for i in range(rules.op_kind.shape[1]):
            kind, what = Op(int(rules.op_kind[at, i])), int(rules.op_what[at, i])
            amount, where = int(rules.op_amount[at, i]), Where(int(rules.op_where[at, i])).name
            op = {"op": kind.name}
            op |= {"resource": RESOURCES[what]} if kind in (Op.supply, Op.loss) else {}
            op |= {"amount": amount} if kind in (Op.supply, Op.draw, Op.discard) else {}
            op |= {"where": where} if kind in (Op.loss, Op.emergency) else {}
            op |= {"who": Who(what).name} if kind in (Op.draw, Op.discard) else {}
            op |= {"issue": Issue(what).name} if kind == Op.health else {}
            op |= {"key": Key(what).name} if kind == Op.scenario else {}
            results += [op] if kind != Op.none else []
        assert results == [dict(op) for op in ops], at


def test_issues_are_on_one_event_each():
    """EX-7.2: seven issues, six on normal cards, Acute Illness on a critical one."""
    where = {op["issue"]: event["id"] for event in EVENTS for op in event["ops"] if op["op"] == "health"}
    assert where == dict(zip(ISSUES, [25, 26, 27, 28, 29, 30, 53], strict=True))
    assert ISSUES == ["ankle", "flu", "insomnia", "anxiety", "migraine", "infection", "acute"]
    assert [first.name for first in Issue] == ISSUES


def test_items_plans_and_characters():
    """EX-1.8, EX-1.9, EX-1.11: ids 28-31, 32-35; eight characters."""
    items = {"first_aid_kit": 28, "tool_kit": 29, "supply_capsule": 30, "printer": 31}
    plans = {"evacuation": 32, "forecast": 33, "rationing": 34, "contingency": 35}
    for kind, wanted, enum in (("items", items, Item), ("plans", plans, Plan)):
        assert {row["design"]: card for row in DATA[kind] for card in row["card_ids"]} == wanted
        assert {first.name: int(first) for first in enum} == wanted
    assert CHARACTERS == [
        "medic", "engineer", "architect", "pilot", "scientist", "comms_officer", "biochemist", "quartermaster",
    ]  # fmt: skip


def test_numbers_of_the_board():
    """EX-1.2 to EX-1.5: tracks, actions by level, tokens."""
    assert DATA["resources"]["order"] == ["oxygen", "water", "food", "energy"]
    assert DATA["resources"]["colours"] == ["red", "blue", "green", "yellow"]
    tracks = DATA["tracks"]
    assert (tracks["supply_max"], tracks["production_min"], tracks["production_max"]) == (20, -5, 3)
    rules, s = rules_of()[0], Position().s
    assert rules.track.tolist() == [4, 3, 2, 0, 0, 0, 0, 0] and int(rules.skull) == 3
    assert s.loss_left.tolist() == [3] * 4 and (int(s.shut_left), int(s.emerg_left)) == (3, 3)
    assert int(rules.event_cards) == int(s.events_n) == 25


@pytest.mark.parametrize("event", range(54))
def test_every_event_can_be_revealed(event):
    """EX-6.1: from a full position each event runs through, and is done with or lies before a player."""
    base = "0@(0,1) 7@(1,0) 16@(0,-1) 21@(-1,0)"
    position = given(
        {0: [1, 2], 1: [3, 28]}, base, prod=[0, 0, 0, -1], supply=[12] * 4, pawns={0: 3}, events=[event],
        at="event",
    ).settle()  # fmt: skip
    assert position.problems() == [] and int(position.s.seen) >> event & 1
    assert (event in position.event_pile()) == (event not in [25, 26, 27, 28, 29, 30, 53])
    change = {0: 0, 1: 0, 2: 0, 3: 0}
    for op in EVENTS[event]["ops"]:
        ops = DATA["scenarios"][0][op["key"]] if op["op"] == "scenario" else [op]
        for first in ops:
            if first["op"] == "supply":
                change[RESOURCES.index(first["resource"])] += first["amount"]
    position.then(supply=[12 + change[r] for r in range(4)])


def test_provenance_says_what_is_reconstructed():
    """EX-14: all card faces are told as reconstructed."""
    options = {option.name: option.value(option.default) for option in game.options}
    text = reconstructed_tables(game.words.provenance(options, []))
    for name in ("modules", "items", "plans", "characters", "health issues", "normal events", "scenarios"):
        assert any(line.startswith(name) for line in text), (name, text)
    assert "reconstructed" in game.words.rules
