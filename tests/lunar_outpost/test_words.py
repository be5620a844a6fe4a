"""What is told of a game: every action in words, every position as a drawn map; nothing that is hidden."""

import re

import pytest

from simkit.games.lunar_outpost import game
from tests.of_games.stepping import numbers

from .positions import given
from .walk import BUILDINGS, EVENTS, FIGHT, RAZE, TILES, Map, Walk, busy, copied, uniform

NAMES = [row["name"] for row in EVENTS]
CARDS = {"intel_cost": 1, "starting_intel": 2, "starting_intel_extra": 1, "tile_choice": 2}
GAMES = [  # options, seats, who plays, deal
    (RAZE | CARDS | {"tiles_trim": 20}, 3, busy, 1), (FIGHT | {"tiles_trim": 20}, 2, busy, 4),
    (CARDS | {"tiles_trim": 12}, 4, uniform, 2),
]  # fmt: skip
MARKS = "DESBTW"


def told_of(options, seats, policy, deal):
    """Every action: state before it, id, state after it, the words."""
    walk = Walk(options, seats, deal, policy)
    before = copied(walk.states)
    for b, action, f in walk.steps():
        yield b, action, f, game.describe(before[0], walk.rules[0], action, walk.s)
        before = copied(walk.states)


def test_words_agree_with_the_log():
    """As many of each thing are told as the log counts."""
    for options, seats, policy, deal in GAMES:
        story = "\n".join(message for *_, message in told_of(options, seats, policy, deal))
        log = numbers(game.game_fields, Walk(options, seats, deal, policy).to_the_end().s.log.game)
        counted = {
            "generates a cube": "generated", "extracts a cube": "extracted", "terrain slot": "stored_terrain",
            "discloses ": "disclosed", "prevents a card": "prevented", "buys intel": "intel_bought",
            "recruits a troop": "recruits", "relocates the": "relocations", "moves a troop": "moves",
            "resolves the conflict": "conflict_tiles", "is razed": "razed", "is eliminated": "eliminated",
            "withstands": "siege_repelled", "places a deposit tile": "deposits_placed",
            **{f"builds a {name} ": f"build_{name}" for name in BUILDINGS if name != "excavator"},
            "builds an excavator ": "build_excavator",
            **{f"the {name} is razed": f"razed_{name}" for name in BUILDINGS},
        }  # fmt: skip
        wrong = {words: (story.count(words), log[name]) for words, name in counted.items()}
        assert not [words for words, (message, n) in wrong.items() if message != n], wrong
        assert len(re.findall(r"places an? \w+ tile", story)) == log["tiles_placed"]
        assert 2 * story.count("an own troop and one of seat") == log["troops_lost_step1"]
        assert sum(int(n) for n in re.findall(r" for (\d+) cubes?", story)) == log["spent"]


def test_outcomes_are_told():
    """What a purchase costs and where it stands; a tile that fits nowhere; a fight and an elimination."""

    def message(position, action):
        before = copied(position.states)
        position.apply(action)
        return game.describe(before[0], position.rules, action, position.s)

    laden = {"tiles": "18@(-1,1)/0", "slots": {0: 2}, "phase": "spend"}
    assert message(given(**laden), 8) == f"buys intel for 2 cubes: {NAMES[given(**laden).s.event_deck[31]]}"
    assert message(given(**laden).when("spend excavator"), 4) == "builds an excavator on tile 4 for 2 cubes"
    assert (
        message(given(**laden, events={14: 1}).when("spend silo", "target 4"), 0)
        == "builds a silo on tile 4 for 1 cube"
    )
    lost = given("21@(-1,2)/2 + 22@(0,2)/3 + 23@(2,-2)/5 + 24@(1,-2)/0", phase="generate", draw=[47])
    assert message(lost, 48) == "draws tile 47 (location), which fits nowhere"
    W2 = given(troops={0: [0, 3]})
    assert message(W2, 0) == "resolves the conflict on tile 0; the dome is razed; seat 0 is eliminated"
    W1 = given("18@(-1,1)/0", {4: "0 barricade"}, troops={0: [0, 2]})
    assert message(W1, 0) == "resolves the conflict on tile 0; the building withstands 2 troops"
    W9 = given(hands={0: [1, 9]})
    assert message(W9, 6) == f"prevents a card: {NAMES[9]}"
    assert message(W9, 0) == f"discloses {NAMES[1]} (production)"
    W4b = given("18@(-1,1)/0", {4: "0 excavator"}, phase="extract").when("extract 25")
    assert message(W4b, 0) == "extracts a cube from deposit 2 with the excavator on 4, stores it on tile 0"
    E20 = given(draw=[46, 47, 18], phase="place", options={"tile_choice": 3})
    assert (
        message(E20, 1)
        == "draws tile 46 (location), tile 47 (location), tile 18 (location); takes tile 47 (location)"
    )


def test_points_of_a_hidden_hand_are_not_told():
    """LO-12.2, LO-16: of a seat with unseen cards only the points of its buildings are shown."""
    for card, points in ((1, 5), (0, 3)):
        position = given(hands={1: [card]})
        assert f"seat 1: {points} VP;" in game.show(position.s, position.rules)
        view = copied(position.states)[0]
        game.observe(copied(position.states)[0], position.rules, 0, view)
        shown = game.show(view, position.rules)
        assert "seat 1: 3 VP of buildings;" in shown and "intel: unseen" in shown
        assert NAMES[card] not in shown


# The drawn map.


def drawn(walk):
    shown = game.show(walk.s, walk.rules[0]).splitlines()
    first = next(i for i, line in enumerate(shown) if re.match(r"^[ \\/0-9.#*DESBTW+\-]+$", line))
    last = next(i for i, line in enumerate(shown) if "tiles in the stack" in line)
    return shown[first:last]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_the_map_is_drawn_as_it_lies(number):
    """Every tile once, in the column and the row where it lies, with its contents and its passable edges."""
    walk = Walk(*(GAMES[number][i] for i in (0, 1, 3, 2)))
    for turn in (1, 7, 15, 24):
        walk.until("spend", turn=turn)
        s, lines, ground = walk.now, drawn(walk), Map(walk.now)
        left = min(2 * s.q[t] + s.r[t] for t in ground.tiles)
        rows = {}
        for t in ground.tiles:
            column, tile = 6 * (2 * s.q[t] + s.r[t] - left), ground.tile(t)
            what = {"deposit": f"*{s.cubes[t]}", "barren": "#"}.get(tile["kind"], ".")
            what = f"{MARKS[s.btype[t]]}{s.bowner[t]}" if s.btype[t] >= 0 else what
            stored = s.st_b[t] + s.st_t[t]
            what = f"{t} {what}" + (f" +{stored}" if stored else "")
            at = [
                i for i, line in enumerate(lines)
                if re.match(re.escape(what) + r"(?![0-9+])", line[column + 1 :])
                and not line[column : column + 1].isdigit()
            ]  # fmt: skip
            assert at, f"{what} is not drawn:\n" + "\n".join(lines)
            row = at[0]
            rows.setdefault(s.r[t], set()).add(row)
            below = "".join(
                line[column + 1 : column + 11].ljust(10) for line in lines[row + 1 : row + 2]
            ).strip()
            extra = "/".join(map(str, s.troops[t][: walk.seats])) if any(s.troops[t]) else ""
            extra += f"^{tile['defence']}" * (tile["defence"] > 0) + f"o{tile['slots']}" * (tile["slots"] > 0)
            assert not extra or below == extra, f"tile {t}: {below!r}, not {extra!r}"
            around = {0: (row, 11, "-"), 3: (row, 0, "-"), 1: (row - 1, 9, "/"), 2: (row - 1, 3, "\\")}
            for d, (y, x, mark) in around.items():
                if d in (0, 3):
                    assert (lines[y][column + x : column + x + 1] == mark) == ground.passable(t, d), (t, d)
                elif ground.passable(t, d):
                    assert lines[y][column + x] == mark, (t, d)
        assert all(len(result) == 1 for result in rows.values())
        assert [min(rows[r]) for r in sorted(rows)] == sorted(min(result) for result in rows.values())


def test_the_table_of_a_position():
    """Turn, stack, deck, pile, events in force and who disclosed them, seats with what they have."""
    position = given(
        "18@(-1,1)/0 + 36@(-2,1)/0", {4: "0 barracks"}, slots={0: 2}, troops={4: [2, 0], 2: [0, 1]},
        hands={0: [2, 8], 1: [31]}, events={9: 1}, phase="spend",
    )  # fmt: skip
    shown = game.show(position.s, position.rules)
    for part in (
        "turn 3: seat 0; 42 tiles in the stack, 28 event cards, 92 cubes in the pile",
        "events: Material shortage (construction, seat 1)",
        "seat 0: 5 VP; 2 cubes; dome 0, barracks 4; 2 troops; intel: Rich veins, Prefabricated domes",
        "seat 1: 6 VP; 0 cubes; dome 1; 1 troop; intel: Wall of honour", "D0 +2", "2/0", "0/1", "^1",
    ):  # fmt: skip
        assert part in shown, part
    assert "map: board index" not in shown
    assert "map: board index" in game.show(Walk({}, 2, 0).s, position.rules)


def test_eliminated_seats_are_told():
    """LO-5.10 what the table says of a seat that is out."""
    position = given("18@(2,0)/0", fallen={1: 4}, seats=3)
    assert "seat 1: eliminated in turn 4" in game.show(position.s, position.rules)


def test_names_are_those_of_the_data_file():
    """Every event has a name of its own, no name is part of another."""
    assert len(set(NAMES)) == 32 and len(TILES) == 48
    assert not [(name, other) for name in NAMES for other in NAMES if name != other and name in other]
