"""What is told of a game: every action in words, every position as a drawn base; nothing that is hidden."""

import re
from functools import cache

import pytest

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import CARD_NAMES, CHARACTER_NAMES, DATA
from tests.of_games.stepping import numbers

from .positions import Position, given, id_of
from .walk import ITEMS, PLANS, Walk, copied

PATIENT = {"ruleset": "patient"}
GAMES = [  # options, seats, deal
    (PATIENT, 4, 1), (PATIENT | {"draw_cards": 2, "initial_choice": 2}, 3, 2), ({"ruleset": "endurance"}, 5, 3),
    ({"ruleset": "endurance", "character_0": "engineer", "character_1": "comms_officer"}, 2, 4),
    (PATIENT | {"character_0": "architect", "character_1": "medic", "deploy_anywhere": True}, 3, 6),
    (PATIENT | {"update_per": "round", "event_per": "round", "recover_cards": 0}, 3, 8),
    (PATIENT | {"character_0": "biochemist", "character_1": "quartermaster", "scenario": 3}, 2, 9),
]  # fmt: skip
each = pytest.mark.parametrize("number", range(len(GAMES)))


@cache
def told_of(number):
    """Every action of a game: state before it, id, state after it, the words."""
    options, seats, deal = GAMES[number]
    walk, result = Walk(options, seats, deal), []
    before = copied(walk.states)
    for b, action, f in walk.steps():
        result.append((b, action, f, game.describe(before[0], walk.rules[0], action, walk.s)))
        before = copied(walk.states)
    return result


@each
def test_words_agree_with_the_log(number):
    """As many of each thing are told as the log counts."""
    options, seats, deal = GAMES[number]
    log = numbers(game.game_fields, Walk(options, seats, deal).to_the_end().s.log.game)
    story = "\n".join(message for *_, message in told_of(number))
    bare = re.sub(r" \([^()]*\)", "", story)  # without colours of cards and what events say
    counted = {
        r" at \(-?\d+,-?\d+\), ": "deploys", r" works: ": "deploys", r"generates \d": "generates",
        r"^moves (?:north|east|south|west) to ": "moves", r"^switches .* on \(": "switch_on",
        r"^switches .* off \(": "switch_off", r"^gives .* to seat \d": "gives", r"^takes .* from seat \d": "takes",
        r"^treats ": "health_removed", r"falls ill: ": "health_drawn", r"removes the \w+ Loss token": "loss_fixed",
        r"removes the Emergency token": "emergencies_fixed", r"discards for the hand limit": "limit_discards",
        r"discards for the event": "event_discards", r"becomes the deck": "reshuffles",
        r"critical event: ": "critical_events", r"; the event has no effect": "events_cancelled",
        r" to generate$": "wild_gens", r"pays \w+ Plan|pays Forecast": "wild_pays",
        **{f"uses the {re.escape(CARD_NAMES[card])}": f"item_{name}" for card, name in ITEMS.items()},
        **{f"plays {re.escape(CARD_NAMES[card])}": f"plan_{name}" for card, name in PLANS.items()},
        **{f"^as {row['name']}": f"ability_{row['design']}" for row in DATA["characters"]},
    }  # fmt: skip
    results = {words: len(re.findall(words, story, re.M)) for words in counted}
    wrong = {
        words: (results[words], log[name]) for words, name in counted.items() if results[words] != log[name]
    }
    assert not wrong, wrong
    assert (
        len(re.findall(r"(?:^|; )(?:critical )?event: ", story, re.M))
        == log["normal_events"] + log["critical_events"]
    )
    assert len(re.findall(r"\w+ Loss token on (?:the Hub|\d)", bare)) == log["loss_placed"]
    assert len(re.findall(r"Emergency token on (?:the Hub|\d)", bare)) == log["emergencies_placed"]
    matches = re.findall(r"(?:generates|gains) (\d+) \w+", story)
    assert sum(map(int, matches)) == log["supply_made"]
    idle = sum(int(n) for n in re.findall(r"stops with (\d+) action", story))
    assert idle == log["idle_actions"]
    drawn = re.findall(r"draws ([A-Z3][^;\n]*)", bare)
    assert sum(1 + part.count(", ") + part.count(" and ") for part in drawn) == log["cards_drawn"]
    of_others = re.findall(r"^plays .* of seat \d|^plays .* against", story, re.M)
    assert len(of_others) >= log["plans_offturn"]


def message(position, *words):
    """What is told of the last of some decisions, one right after the other."""
    for word in words:
        before = copied(position.states)
        position.apply(id_of(word))
    return game.describe(before[0], position.rules, id_of(words[-1]), position.s)


BASE = "16@(0,1) 21@(1,0)"  # Greenhouse, Solar Array


def test_actions_in_words():
    """What is done, with cards, colours, cells and amounts."""
    hand = {0: [14, 7, 11, 33, 30], 1: [2, 28]}
    assert (
        message(given(hand), "deploy", "card 14", "dir N")
        == "deploys Hydroponic Farm (green) at (0,1), north of the Hub"
    )
    paid = given(hand, BASE, pawns={0: 1})
    assert (
        message(paid, "deploy", "card 14", "dir E")
        == "deploys Hydroponic Farm (green) at (1,1), east of 1 Greenhouse"
    )
    assert message(paid, "card 7") == "pays Water Recycler (blue) for Hydroponic Farm"
    works = "pays Forecast for Hydroponic Farm; 3 Hydroponic Farm works: oxygen +1, food +2, energy -1"
    assert message(paid, "card 33") == works
    assert message(given(hand, deck=[5]), "draw") == "draws Atmosphere Processor (red)"
    assert message(given(hand), "give", "seat 1", "card 30") == "gives Supply Capsule to seat 1"
    assert message(given(hand), "take", "seat 1", "card 2") == "takes CO2 Scrubber (red) from seat 1"
    assert message(given(hand), "generate", "card 14") == "generates 2 food with Hydroponic Farm (green)"
    full = given(hand, supply=[9, 9, 19, 9])
    assert message(full, "generate", "card 14") == "generates 1 food with Hydroponic Farm (green)"
    wild = given(hand)
    assert message(wild, "generate", "card 33") == "discards Forecast to generate"
    assert message(wild, "res water") == "generates 2 water"
    assert message(given(hand, supply=[9, 18, 9, 9]), "item", "card 30", "res water") == "gains 2 water"
    assert message(given(hand, BASE), "move N") == "moves north to 1 Greenhouse"
    off = given(hand, BASE, pawns={0: 1})
    assert message(off, "switch") == "switches 1 Greenhouse off (water +1, food -2)"
    assert message(off, "switch") == "switches 1 Greenhouse on (water -1, food +2)"
    assert message(given(events=[0]), "pass") == (
        "stops with 4 actions left; update: oxygen -2, water -2, food -2, energy -2; event: Quiet Sol (nothing happens)"
    )


def test_characters_in_words():
    hand = {0: [14, 7], 1: [2]}
    assert message(given(hand, characters={0: "scientist"}, deck=[5, 28]), "ability") == (
        "as Scientist; draws Atmosphere Processor (red) and First Aid Kit"
    )
    quartermaster = given(hand, characters={0: "quartermaster"}, pile=[5, 28])
    assert message(quartermaster, "ability") == "as Quartermaster takes First Aid Kit from the discard pile"
    medic = given(hand, characters={0: "medic"}, issues={1: "flu"})
    assert message(medic, "ability", "seat 1", "heal flu") == "treats Influenza of seat 1"
    pilot = given(hand, BASE, characters={0: "pilot"})
    assert message(pilot, "ability", "slot 2") == "goes to 2 Solar Array"
    relay = given(hand, BASE, characters={0: "comms_officer"}, pawns={1: 2})
    assert message(relay, "ability") == "as Communications Officer"
    assert message(relay, "take", "seat 1", "card 2") == "takes CO2 Scrubber (red) from seat 1"
    biochemist = given(hand, characters={0: "biochemist"})
    assert message(biochemist, "ability", "card 7") == "generates 3 water with Water Recycler (blue)"


def test_tokens_in_words():
    """EX-19 where tokens are placed, and how many turns they were there."""
    base = "16@(0,1) 17@(1,0)"
    position = given(base=base, events=[18], at="event", supply=[20] * 4)
    assert message(position, "slot 2") == "puts the water Loss token on 2 Greenhouse"
    position.end_turn()
    assert position.decision == "main" and int(position.s.active) == 0
    words = message(position, "move E", "repair", "token water")
    assert words == "removes the water Loss token from 2 Greenhouse after 2 turns"
    alone = given(base="16@(0,1)", events=[46], supply=[20] * 4)
    assert message(alone, "pass").endswith(
        "critical event: Crop Blight (food Loss token on the farthest module, food Loss token on a green module);"
        " food Loss token on 1 Greenhouse; food Loss token on 1 Greenhouse"
    )
    nowhere = given(events=[15], supply=[20] * 4)
    assert message(nowhere, "pass").endswith(
        "event: Worn Filter (oxygen Loss token on a red module); no token is placed"
    )
    hub = given(events=[43], supply=[20] * 4)
    assert message(hub, "pass").endswith(
        "critical event: Reactor Alarm (Emergency token on a yellow module or the Hub); Emergency token on the Hub"
    )


def test_plans_in_words():
    """EX-19 plans with their window; in the turn of another seat whose turn it is."""
    hands = {0: [32, 14], 1: [33, 34, 35]}
    start = given(hands, BASE, at="start")
    assert message(start, "card 32") == "plays Evacuation Plan at the start of the turn"
    assert message(start, "seat 1", "slot 1") == "moves seat 1 to 1 Greenhouse"
    assert message(start, "card 33") == "plays Forecast at the start of the turn of seat 0"
    start.to("plan_window", 1)
    ration = given(hands, BASE, at="update", events=[10]).to("plan_window", 1)
    words = message(ration, "card 34")
    assert words.startswith("plays Rationing Plan before the update in the turn of seat 0")
    act = given(hands, BASE).when("draw")
    assert message(act, "card 33") == "plays Forecast between two actions of seat 0"
    event = given({1: [35]}, BASE, events=[10], at="event")
    assert message(event, "card 35") == "plays Contingency Plan against Burst Pipe; the event has no effect"
    passed = given({1: [35]}, BASE, events=[10], at="event")
    assert message(passed, "pass") == "plays no plan against Burst Pipe"
    own = given({0: [32, 33]}, BASE)
    assert message(own, "plan", "card 32") == "plays Evacuation Plan"
    look = given({0: [33]}, events=[10, 0, 39])
    assert message(look, "plan", "card 33", "perm 201") == (
        "puts the next events in the order Fire in the Base, Burst Pipe, Quiet Sol"
    )


def test_ends_in_words():
    won = given({0: [25, 0, 16, 26]}, prod=[0, 0, 0, -2])
    assert message(won, "deploy", "card 25", "dir N", "card 0", "card 16", "card 26").endswith(
        "1 Radioisotope Generator works: energy +2; all productions are at the goal"
    )
    lost = given(supply=[1, 1, 1, 9])
    assert message(lost, "pass").endswith(
        "oxygen has run out; water has run out; food has run out; the emergency level is at the skull"
    )
    late = given(events_n=0, supply=[20] * 4)
    assert message(late, "pass").endswith("no event is left")


def test_updates_in_words():
    """EX-5.1 with the productions before the event; EX-7.3 with an infection; EX-3.6 without one."""
    hit = given(base="16@(0,1)", events=[18], supply=[20] * 4)
    assert "update: oxygen -2, water -3, energy -2; event: Irrigation Leak" in message(hit, "pass")
    sick = given(issues={0: "infection"}, events=[0], supply=[20] * 4)
    assert (
        "update: oxygen -2, water -2, food -2, energy -2, then oxygen -1, water -1 by the infection"
        in message(sick, "pass")
    )
    round_ = given(events=[0], options={"update_per": "round"})
    assert message(round_, "pass") == "stops with 4 actions left; event: Quiet Sol (nothing happens)"


# The drawn base and the table.


@each
def test_the_base_is_drawn_as_it_lies(number):
    """Every module once, in the column and the row where it lies, with its tokens, its name and the pawns."""
    options, seats, deal = GAMES[number]
    walk = Walk(options, seats, deal)
    for turn in (1, 8, 15, 22, 35):
        walk.until("main", turn=turn)
        s = walk.now
        lines = game.show(walk.s, walk.rules[0]).splitlines()
        last = next(i for i, line in enumerate(lines) if "emergency level" in line)
        drawn = [line for line in lines[:last] if not line.startswith(("base: ", "scenario "))]
        left, rows = min(s.slot_x[: s.slots]), {}
        for slot in range(s.slots):
            name = "Hub" if slot == 0 else f"{slot}{'RBGY'[s.slot_card[slot] // 7]}"
            marks = "x" * (s.off >> slot & 1)
            marks += "".join(letter * n for letter, n in zip("owfe", s.slot_loss[slot], strict=True))
            marks += "!" * s.slot_emerg[slot]
            what = f"[{name}{' ' * bool(marks)}{marks}]"
            column = 18 * (s.slot_x[slot] - left)
            at = [i for i, line in enumerate(drawn) if line[column : column + len(what)] == what]
            assert len(at) == 1, f"{what}\n" + "\n".join(drawn)
            rows.setdefault(-s.slot_y[slot], set()).add(at[0])
            below = "".join(line[column : column + 18].ljust(18) for line in drawn[at[0] + 1 : at[0] + 3])
            assert all(f"@{seat}" in below for seat in range(seats) if s.pawn[seat] == slot)
            called = CARD_NAMES[s.slot_card[slot]][:15] if slot else ""
            assert called in below
        assert all(len(row) == 1 for row in rows.values())
        order = [min(rows[y]) for y in sorted(rows)]
        assert order == sorted(order)


def test_the_table_of_a_position():
    """Base, turn, levels, decks, seats with characters, places, hands and issues."""
    position = given(
        {0: [14, 28], 1: [33]}, "16@(0,1) 25@(0,-1)", pile=[2, 7], loss={1: "water food"}, alarms=[0], off=[2],
        pawns={1: 1}, characters={0: "medic"}, issues={1: "flu"}, events=[0, 39], events_n=12, known_events=2,
        supply=[9, 0, 4, 20],
    )  # fmt: skip
    assert game.show(position.s, position.rules).splitlines() == [
        "[1G wf]", " Greenhouse", " @1", "[Hub !]", " @0", "[2Y x]", " Radioisotope Ge.",
        "turn 15: seat 0, 2 actions; emergency level 2, the skull is 3;"
        " oxygen 9 (-2), water 0 (-4), food 4 (-1), energy 20 (-2)",
        "29 cards in the deck, 2 discarded, Water Recycler (blue) on top; 12 events to come, next: Quiet Sol, Fire in the Base",
        "seat 0, Medic, on the Hub: Hydroponic Farm (green), First Aid Kit",
        "seat 1, no character, on 1 Greenhouse: Forecast; has Influenza",
    ]  # fmt: skip


@pytest.mark.parametrize("scenario", [1, 2, 3, 4])
def test_the_beginning_names_the_scenario(scenario):
    """EX-19 scenario with its icons, the goal, characters; the legend stands once."""
    names = ["Proxima Centauri b", "TRAPPIST-1e", "Kepler-442b", "LHS 1140 b"]
    position = Position({"scenario": scenario, "win_production": 1}, 5)
    shown = game.show(position.s, position.rules)
    first, legend = shown.splitlines()[:2]
    assert first.startswith(f"scenario {scenario}, {names[scenario - 1]}: radiation ")
    assert first.endswith("goal: all productions 1 or more") and legend.startswith("base: ")
    cast = [int(who) for who in position.s.character]
    assert all(f"seat {seat}, {CHARACTER_NAMES[who]}, on the Hub: " in shown for seat, who in enumerate(cast))
    later = given(events_n=20)
    assert "base: " not in game.show(later.s, later.rules)


def test_names_differ():
    """Cards, characters and issues have names of their own; copies share theirs."""
    assert len({*CARD_NAMES}) == 16 + 4 + 4 and len({*CHARACTER_NAMES}) == 9
    assert not [
        first for first in CHARACTER_NAMES for other in CHARACTER_NAMES if first != other and first in other
    ]
