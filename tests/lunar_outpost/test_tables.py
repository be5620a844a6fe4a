"""Component tables (LO-1, LO-2.2, LO-13): the rules have the data file's numbers, and these are plausible."""

from collections import Counter

import numpy as np
import pytest

from simkit.engine.components import reconstructed_tables
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import DATA, Mod

from .positions import Position, given, rules_of
from .walk import BUILDINGS, EVENTS, MODIFIERS, STEPS, TILES, Walk

KINDS = ["start", "deposit", "barren", "location"]
NUMBERS = ["cost", "defence", "vp", "tokens", "storage"]
LAYOUTS = {seats: DATA["setup"][f"p{seats}"] for seats in (2, 3, 4)}


def patterns(letters):
    """A tile's six letters in all rotations; two tiles are alike if one of these is the same."""
    return {letters[k:] + letters[:k] for k in range(6)}


def test_tiles_are_those_of_the_data_file():
    """LO-1.3."""
    rules = rules_of()[0]
    assert [row["id"] for row in TILES] == list(range(48))
    assert [KINDS[k] for k in rules.tile_kind] == [row["kind"] for row in TILES]
    for name in ("cubes", "slots", "defence"):
        assert rules[f"tile_{name}"].tolist() == [row[name] for row in TILES]


def test_the_box():
    """LO-1.3, LO-13.4: 40 cubes on ten deposits, ten slots, eight tiles with a bonus, all fourteen patterns."""
    kinds = Counter(row["kind"] for row in TILES)
    assert kinds == {"start": 4, "deposit": 10, "barren": 4, "location": 30}
    assert Counter(row["cubes"] for row in TILES if row["kind"] == "deposit") == {3: 4, 4: 4, 6: 2}
    assert sum(row["cubes"] for row in TILES) == 40 and sum(row["slots"] for row in TILES) == 10
    assert Counter(row["defence"] for row in TILES) == {0: 40, 1: 6, 2: 2}
    assert len({min(patterns(row["edges"])) for row in TILES}) == 14
    passable = sum(row["edges"].count("P") for row in TILES) / (6 * 48)
    assert 0.6 < passable < 0.7
    box = DATA["box"]
    assert (box["terrain_tiles"], box["resource_tokens"], box["building_tokens"]) == (48, 100, 72)
    assert box["events"] + box["category_cards"] == box["event_cards"] == 36
    slots = sum(row["tokens"] * row["storage"] for row in DATA["buildings"]["list"])
    assert 4 * slots + 10 + 40 == 98  # LO-1.7: no more can be off the pile with four players


def test_buildings_are_those_of_the_data_file():
    """LO-1.5, LO-1.6: dome 4/3/3, excavator 2/1/1, silo 2/1/1, barracks 3/2/2, tower 3/2/2, barricade 2/4/1."""
    rules = rules_of()[0]
    for name in NUMBERS:
        assert rules[name].tolist() == [row[name] for row in DATA["buildings"]["list"]]
    message = {row["name"]: (row["cost"], row["defence"], row["vp"]) for row in DATA["buildings"]["list"]}
    assert message == {
        "dome": (4, 3, 3), "excavator": (2, 1, 1), "silo": (2, 1, 1), "barracks": (3, 2, 2),
        "tower": (3, 2, 2), "barricade": (2, 4, 1),
    }  # fmt: skip
    assert rules.tokens.tolist() == [3] * 6 and rules.storage.tolist() == [2, 0, 2, 0, 0, 0]


def test_numbers_of_buildings_come_from_the_options():
    """LO-14 `<building>_<number>`: 30 numbers, each in its place."""
    options = {}
    for place, name in enumerate(BUILDINGS):
        options |= {f"{name}_cost": 8 - place, f"{name}_defence": 6 - place, f"{name}_vp": place}
        options |= {f"{name}_tokens": 1 + place % 5, f"{name}_storage": place % 5}
    rules = rules_of(options)[0]
    for number in NUMBERS:
        assert rules[number].tolist() == [options[f"{name}_{number}"] for name in BUILDINGS]


@pytest.mark.parametrize(
    ("letters", "choices"),
    [("PPPPPP", [0]), ("PRPRPR", [0, 1]), ("PPRPPR", [0, 1, 2]), ("PPPPRR", list(range(6))), ("RRRRRR", [0])],
)
def test_rotations_that_look_different(letters, choices):
    """E10, LO-8.6: rotations that show the same letters are one choice, named by the smallest."""
    turns = rules_of()[0].tile_turns
    alike = [row["id"] for row in TILES if row["edges"] == letters]
    assert alike
    for tile in alike:
        assert [rho for rho in range(6) if int(turns[tile]) >> rho & 1] == choices


def test_rotations_of_all_tiles():
    """LO-8.6 every rotation looks like exactly one of those that are offered, none of which is larger."""
    rules = rules_of()[0]
    for row in TILES:
        offered = [rho for rho in range(6) if int(rules.tile_turns[row["id"]]) >> rho & 1]
        shown = rules.tile_edges[row["id"]].tolist()
        assert len(offered) == len(set(shown)) == len(patterns(row["edges"]))
        assert all(shown.index(edges) in offered for edges in shown)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_layouts(seats):
    """LO-2.2: starting tiles first; each touches two deposits over passable edges, each deposit two of them."""
    s = Position(seats=seats).s
    placed = [(int(s.tile_id[t]), int(s.q[t]), int(s.r[t]), int(s.rot[t])) for t in range(2 * seats)]
    assert int(s.n_tiles) == 2 * seats
    assert placed == [(row["tile"], row["q"], row["r"], row["rot"]) for row in LAYOUTS[seats]]
    at = {(q, r): t for t, (_, q, r, _) in enumerate(placed)}
    for t, (_, q, r, rho) in enumerate(placed):
        near = {d: at[q + dq, r + dr] for d, (dq, dr) in enumerate(STEPS) if (q + dq, r + dr) in at}
        edges = TILES[placed[t][0]]["edges"]
        assert all(edges[(d - rho) % 6] == "P" for d in near)
        others = [u for u in near.values() if (u < seats) != (t < seats)]
        assert len(others) == 2 and (t >= seats or len(near) == 2)
    assert [TILES[tile]["kind"] for tile, *_ in placed] == ["start"] * seats + ["deposit"] * seats
    assert s.cubes[: 2 * seats].tolist() == [0] * seats + [3] * seats
    assert int(s.stack_n) == {2: 44, 3: 42, 4: 40}[seats]


def test_names_of_cells():
    """E11, LO-8.7: the ten empty cells of the layout for two."""
    s = Position().s
    cells = {int(s.cells[i]): (int(s.cell_q[i]), int(s.cell_r[i])) for i in range(int(s.n_cells))}
    assert cells == {
        0: (1, 1), 3: (-1, 1), 4: (-1, 2), 5: (0, 2), 6: (2, -1), 7: (2, -2), 8: (1, -2), 9: (0, -1),
        15: (-1, 0), 18: (2, 0),
    }  # fmt: skip


def test_modifiers_are_those_of_the_data_file():
    """LO-13.1."""
    rules = rules_of()[0]
    assert [row["name"] for row in MODIFIERS] == [first.name for first in Mod] and len(MODIFIERS) == 27
    for field, name in (("mod_base", "base"), ("mod_least", "min"), ("mod_most", "max")):
        assert rules[field].tolist() == [row[name] for row in MODIFIERS]
    assert all(row["min"] <= row["base"] <= row["max"] for row in MODIFIERS)


@pytest.mark.parametrize(
    ("option", "modifier"),
    [("dome_output", "dome_rate"), ("excavator_output", "excavator_rate"), ("tower_bonus", "tower_support")],
)
def test_options_that_replace_a_base(option, modifier):
    """LO-13.1 the option replaces the base of its modifier, which events change and limits hold."""
    up = next(row["id"] for row in EVENTS if row["effects"].get(modifier) == 1)
    down = next(row["id"] for row in EVENTS if row["effects"].get(modifier) == -1)
    for value in (0, 1, 2):
        for event, mod in ((None, value), (up, min(value + 1, 2)), (down, max(value - 1, 0))):
            events = {} if event is None else {event: 0}
            given(events=events, options={option: value}).then(mod={modifier: mod})


def test_events_are_those_of_the_data_file():
    """LO-1.9, LO-13.3: 32 events, eight a category, 33 points; every modifier in one category only."""
    rules = rules_of()[0]
    assert [row["id"] for row in EVENTS] == list(range(32))
    assert rules.event_category.tolist() == [row["category"] for row in EVENTS]
    assert rules.event_points.tolist() == [row["vp"] for row in EVENTS]
    assert Counter(row["category"] for row in EVENTS) == dict.fromkeys(range(4), 8)
    assert sum(row["vp"] for row in EVENTS) == 33 and {row["vp"] for row in EVENTS} == {0, 1, 2}
    delta = np.zeros((32, 27), int)
    for row in EVENTS:
        for name, change in row["effects"].items():
            delta[row["id"], Mod[name]] = change
    assert (rules.event_delta == delta).all() and (delta != 0).any(axis=1).all()
    categories = [{EVENTS[e]["category"] for e in np.flatnonzero(delta[:, mod])} for mod in range(27)]
    assert max(map(len, categories)) == 1
    assert [Mod(mod).name for mod, result in enumerate(categories) if not result] == ["cost_barracks"]


@pytest.mark.parametrize("event", range(32))
def test_an_active_event_changes_its_modifiers(event):
    """LO-13.1 base and deltas, within the limits; no other modifier changes."""
    s = given(events={event: 1}).s
    for mod, row in enumerate(MODIFIERS):
        value = row["base"] + EVENTS[event]["effects"].get(row["name"], 0)
        assert int(s.mod[mod]) == min(max(value, row["min"]), row["max"]), row["name"]


def test_decks_hold_every_card_once():
    """LO-2.3, LO-2.6: what is not in the layout is in the stack; all 32 events are in the deck."""
    for seats in (2, 3, 4):
        for deal in range(3):
            s = Walk({}, seats, deal).now
            assert sorted(s.stack[: s.stack_n] + s.tile_id[: s.n_tiles]) == list(range(48))
            assert sorted(s.event_deck[: s.event_n]) == list(range(32))


def test_shuffles_are_uniform():
    """LO-2.3, LO-2.6: every tile is as likely to come first, every event too; the deals are independent."""
    tiles, events, pairs = Counter(), Counter(), Counter()
    for deal in range(1100):
        s = Walk({}, 2, deal).s
        tile, event = int(s.stack[s.stack_n - 1]), int(s.event_deck[s.event_n - 1])
        tiles[tile] += 1
        events[event] += 1
        pairs[tile % 2, event % 2] += 1
    assert len(tiles) == 44 and sum((n - 25) ** 2 / 25 for n in tiles.values()) < 90
    assert len(events) == 32 and sum((n - 34.375) ** 2 / 34.375 for n in events.values()) < 75
    assert all(220 < n < 330 for n in pairs.values())


def test_provenance_says_what_is_reconstructed():
    """LO-22: buildings, prices, tiles, layouts, modifiers and events are told as reconstructed."""
    options = {option.name: option.value(option.default) for option in game.options}
    text = game.words.provenance(options, [])
    assert reconstructed_tables(text) == [
        "buildings", "prices", "terrain kinds", "tiles", "setup", "modifiers", "categories", "events",
    ]  # fmt: skip
    assert [line for line in text if line.endswith(": rulebook")] == ["box: rulebook", "players: rulebook"]
    for name in reconstructed_tables(text):
        table = DATA[name.replace(" ", "_")]
        assert table["provenance"] == "reconstructed" and len(table["note"]) > 40
    assert "reconstructed" in game.words.rules
