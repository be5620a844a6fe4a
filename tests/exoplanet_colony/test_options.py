"""Options (EX-10): each changes what its clause says, and what a designer reads of them."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from simkit import catalogue, cli
from simkit.chance import open_streams, purposes
from simkit.errors import UsageError
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony import tables as components
from simkit.kernel import Table
from simkit.steps import driver
from simkit.strategy import parse_lineup
from tests.of_games.options import check_labels, check_row, check_value_labels

from .positions import IDS, Position, given, members, rules_of
from .walk import CHARACTERS, MODULES, Walk

DATA = tomllib.loads(Path(components.__file__).with_name("components.toml").read_text(encoding="utf-8"))
QUIET = [0, 1, 2, 3, 4, 5, 31, 32, 33, 34]  # events that take nothing
LEVEL = [0, 0, 0, -1]  # productions of which none runs low
FULL = {"supply": [20] * 4, "prod": LEVEL}
LONG_TRACK = {f"track_{level}": 4 for level in range(8)}


def of_start(look, seats=2, **more):
    """What is looked at of the position before the first decision."""
    return lambda options: look(Position(more | options, seats))


def start_levels(position):
    facts = position.facts()
    return facts["prod"][0], facts["supply"][0], facts["score"][0], facts["events_n"]


def presets(options):
    """EX-10.1 productions and supplies of scenario 1, deficit, events, actions by level."""
    return *start_levels(Position(options)), allowances({})(options)


def scenario(options):
    """EX-2.1, EX-13.2 levels, the effects of four modules with an icon, supplies after a terrain event."""
    start = Position(options).facts()
    effects = [int(rules_of(options)[0].effect[card, r]) for card, r in ((4, 0), (9, 1), (21, 3), (23, 3))]
    after = given(events=[35], at="event", supply=[9] * 4, options=options).settle().facts()
    return start["prod"], start["supply"][0], effects, after["supply"]


def allowances(extra):
    """EX-1.4, EX-3.3 actions at level 0, 1, ... as long as the game goes on there."""

    def probe(options):
        chosen = {"emergency_tokens": 6} | extra | options
        found = []
        for level in range(8):
            zeros = min(level, 3)
            supply = [0] * zeros + [9] * (4 - zeros)
            some = {"supply": supply, "alarms": [0] * (level - zeros), "prod": LEVEL}
            found.append(int(given(**some, options=chosen).s.actions_left))
            hit = given(**some, events=[41], at="event", options=chosen).settle()
            if hit.over:
                return found
        return found

    return probe


def event_piles(options):
    """EX-2.5 critical events of each pile, from the bottom, and the number of cards."""
    found, chosen = set(), game.resolve(options)
    size = chosen["normals_per_pile"] + chosen["criticals_per_pile"]
    for deal in range(5):
        s = Position(options, deal=deal).s
        deck = s.events[: s.events_n].tolist()
        assert len(set(deck)) == len(deck)
        piles = [deck[i : i + size] for i in range(0, len(deck), size)]
        found.add((len(deck), tuple(sum(event >= 39 for event in pile) for pile in piles)))
    assert len(found) == 1
    return found.pop()


def updates(options):
    """EX-3.6 supply of energy after each of six turns of three seats."""
    position = given(turn=1, seats=3, events=[0, 1, 38], **FULL, options={"event_per": "round"} | options)
    return [int(position.end_turn().s.supply[3]) for _ in range(6)]


def events(options):
    """EX-3.6 events left after each of six turns of three seats."""
    position = given(turn=1, seats=3, events=QUIET[:6], **FULL, options=options)
    return [int(position.end_turn().s.events_n) for _ in range(6)]


def graced(options):
    """EX-3.6 the turns, of twelve, in which an event is revealed."""
    chosen = {"piles": 2, "normals_per_pile": 7, "criticals_per_pile": 0} | options
    position, found = given(turn=1, events=QUIET, **FULL, options=chosen), []
    for turn in range(1, 13):
        left = int(position.s.events_n)
        found += [turn] if int(position.end_turn().s.events_n) < left else []
    return found


def hands(position):
    return position.facts()["sizes"]


def hands_by_seats(options):
    return [hands(Position(options, seats)) for seats in (2, 3, 4, 5)]


def choice_of_hand(options):
    """EX-2.7 who discards from how many cards, the hands kept, the discard pile."""
    position, asked = Position(options), []
    while position.decision == "start_discard":
        asked.append((int(position.s.seat), len(position.legal())))
        position.apply(position.legal()[0])
    return asked, hands(position), int(position.s.discard_n)


def limit(options):
    """EX-4.13 the hand with which a card drawn makes one discard; with a migraine."""
    found = []
    for issues in ({}, {0: "migraine"}):
        n = next(
            n for n in range(11)
            if given({0: list(range(n))}, issues=issues, options={"initial_hand": 0} | options)
            .when("draw").decision == "hand_discard"
        )  # fmt: skip
        found.append(n)
    return found


def starts(options, seats, deals):
    """States at the first decision of many deals, compiled."""
    states, rng = np.zeros(1, game.state_dtype), np.zeros(1, game.rng_dtype)
    for deal in range(deals):
        states[:] = np.zeros((), game.state_dtype)
        open_streams(rng.view(np.uint64), 1, deal, purposes(game.purposes))
        driver(game).start(states, rules_of(options), rng, seats)
        yield states[0]


def cast(s):
    """The characters of the seats by name."""
    return [["none", *CHARACTERS][who] for who in s.character[: s.seats].tolist()]


def firsts(options):
    """EX-2.8 the start players of many deals of three seats."""
    return {int(s.first) for s in starts(options, 3, 30)}


def casts(options):
    """EX-2.6 the characters of four seats in many deals."""
    found = set()
    for s in starts(options, 4, 60):
        named = [one for one in cast(s) if one != "none"]
        assert len(set(named)) == len(named)
        found |= {*cast(s)}
    return found


def cast_of(seat):
    """The characters of one seat, and whether another seat ever has the one that is named."""

    def probe(options):
        own, others = set(), set()
        for s in starts(options, 5, 60):
            own.add(cast(s)[seat])
            others |= {one for other, one in enumerate(cast(s)) if other != seat}
        return own, sorted({*CHARACTERS} - others), "none" in others

    return probe


def drawn(options):
    """EX-4.2 cards that a Draw brings, actions and draws that it counts."""
    position = given(options=options).when("draw").settle()
    log = position.logged()
    return hands(position)[0], int(position.s.actions_left), log["draws"], log["cards_drawn"]


def transfers(options):
    """EX-4.3 what of giving and taking is legal; of the Relay."""
    ways = []
    here = given({0: [1], 1: [2]}, options=options)
    ways += [word for word in ("give", "take") if IDS[word] in here.legal()]
    far = given(
        {0: [1], 1: [2]}, "7@(0,1)", pawns={1: 1}, characters={0: "comms_officer"}, options=options
    )  # fmt: skip
    assert not {IDS["give"], IDS["take"]} & {*far.legal()}
    if IDS["ability"] in far.legal():
        far.apply(IDS["ability"])
        ways += [f"relay {word}" for word in ("give", "take") if IDS[word] in far.legal()]
    return ways


def spaces(options):
    """EX-4.4 the cells in which a module may be deployed."""
    position = given({0: [14, 7, 11]}, "16@(0,1) 21@(1,0)", options=options).when("deploy", "card 14")
    if position.decision == "deploy_dir":
        return {0: [word - 16 for word in position.legal()]}
    found = {}
    for slot in position.legal():
        other = given({0: [14, 7, 11]}, "16@(0,1) 21@(1,0)", options=options)
        found[slot - 70] = [d - 16 for d in other.when("deploy", "card 14", slot).legal()]
    return found


def generated(options):
    """EX-4.6, EX-4.10 supply of Generate, of a plan, of the Biochemist."""
    some = {"supply": [5] * 4, "prod": LEVEL, "options": options}
    one = given({0: [0]}, **some).when("generate").settle()
    wild = given({0: [32]}, **some).when("generate", "card 32", "res food").settle()
    more = given({0: [0]}, **some, characters={0: "biochemist"}).when("ability").settle()
    return [int(p.s.supply.sum()) - 20 for p in (one, wild, more)]


def recovery(options):
    """EX-4.9 the least hand with which one may recover, and the hand that is left of five cards."""
    least = next(
        n for n in range(6)
        if IDS["recover"] in given({0: [0, 1, 2, 3, 4][:n]}, issues={0: "flu"}, options=options).legal()
    )  # fmt: skip
    position = given({0: [0, 1, 2, 3, 4]}, issues={0: "flu"}, options=options).when("recover").settle()
    assert not position.s.issues[0]
    return least, hands(position)[0]


def medic(options):
    """EX-4.10 the seats that the Medic can treat."""
    issues = {0: "flu", 1: "ankle", 2: "anxiety"}
    some = {"issues": issues, "pawns": {2: 1}, "characters": {0: "medic"}, "seats": 3}
    return [a - 20 for a in given(base="7@(0,1)", **some, options=options).when("ability").legal()]


def price_of_an_item(options):
    """EX-4.11 actions left after an item, with four and with one, and whether it can be used with none."""
    found = []
    for left in (4, 1, 0):
        position = given({0: [30, 1]}, left=left, supply=[9] * 4, prod=LEVEL, options=options)
        if position.decision != "main" or IDS["item"] not in position.legal():
            found.append(None)
            continue
        position.when("item", "res food")
        found.append(int(position.s.actions_left) if position.s.active == 0 else 0)
    return found


def capsule(options):
    position = given({0: [30]}, supply=[5] * 4, prod=LEVEL, options=options).when("item", "res food")
    return int(position.s.supply[2]) - 5


def windows(options):
    """EX-4.12 who is asked, in a turn of seat 0, for the plans of both seats."""
    chosen = {"hand_limit": 10} | options
    some = {"prod": LEVEL, "supply": [9] * 4, "base": "7@(0,1)", "events": [13], "options": chosen}
    position = given({0: [32, 35], 1: [33, 34]}, **some, at="start")
    asked = []
    while int(position.s.turn_no) == 1:
        if position.decision == "plan_window":
            asked.append((position.facts()["step"], int(position.s.seat)))
            position.when("pass")
        else:
            position.when("draw" if position.s.actions_left > 2 else "pass")
    return asked


def losses(options):
    """EX-6.5 Loss tokens on the board, and for how many on the base another one is placed."""
    n = int(Position(options).s.loss_left[2])
    found = []
    for k in range(n + 1):
        position = given(base="7@(0,1)", loss={1: " ".join(["oxygen"] * k)}, prod=[2, 0, 0, -1], events=[16],
                         at="event", options=options).settle()  # fmt: skip
        found += [k] if position.logged()["loss_placed"] else []
    return n, found


def alarms(options):
    """EX-6.6 Emergency tokens on the board, and for how many on the base another one is placed."""
    chosen = LONG_TRACK | options
    n = int(Position(chosen).s.emerg_left)
    found = []
    for k in range(n + 1):
        position = given(alarms=[0] * k, events=[41], at="event", **FULL, options=chosen).settle()
        found += [k] if position.logged()["emergencies_placed"] else []
    return n, found


def switches(options):
    """EX-4.8 how many modules that are off let another one be switched off, and one of them on."""
    base = " ".join(f"{card}@(0,{y})" for y, card in enumerate([21, 22, 23, 24, 7, 8, 11], start=1))
    n = int(Position(options).s.shut_left)
    off, on = [], []
    for k in range(n + 1):
        some = {"base": base, "off": list(range(1, k + 1)), "prod": [0, 0, 0, -1], "options": options}
        off += [k] if IDS["switch"] in given(**some, pawns={0: 7}).legal() else []
        on += [k] if IDS["switch"] in given(**some, pawns={0: 1}).legal() and k else []
    return n, off, on


def illness(options):
    """EX-7.3 who is ill after Acute Illness, hands (each discards one), the event discard pile."""
    position = given({0: [0, 1], 1: [2, 3]}, events=[53], at="event", **FULL, options=options).settle()
    facts = position.facts()
    return members(position.s.issues[0]), facts["sizes"], facts["event_pile"]


def deck(position):
    """Cards in the deck and in hands by kind, and the cards that left."""
    s = position.s
    cards = s.deck[: s.deck_n].tolist() + [card for hand in s.hand for card in members(hand)]
    kinds = [sum(low <= card < high for card in cards) for low, high in ((0, 28), (28, 32), (32, 36))]
    assert sorted([*cards, *members(s.removed)]) == list(range(36))
    return kinds


ALL = {*CHARACTERS}
NONE_LEFT: list[str] = []
DEFAULT_CAST = ALL, NONE_LEFT, False
TRACK = [4, 3, 2]

# option: (what is looked at, {value: what it is then}); the first value is the default
ROWS = {
    "ruleset": (
        presets,
        {
            "rulebook": (-2, 13, -8, 25, TRACK), "introductory": (-1, 15, -4, 25, TRACK),
            "patient": (-1, 18, -4, 25, [4, 4, 3, 3, 2, 2]), "endurance": (-1, 18, -12, 40, [4] * 8),
        },
    ),
    "scenario": (
        scenario,
        {
            1: ([-2, -2, -2, -2], 13, [1, 2, 2, 1], [8, 9, 8, 9]),
            2: ([-2, -2, -2, -3], 13, [1, 1, 3, 1], [9, 8, 8, 9]),
            3: ([-2, -3, -2, -2], 13, [3, 1, 1, 3], [9, 7, 9, 9]),
            4: ([-2, -2, -3, -3], 15, [2, 3, 1, 2], [9, 9, 7, 9]),
        },
    ),
    "production_offset": (
        of_start(start_levels),
        {0: (-2, 13, -8, 25), -3: (-5, 13, -20, 25), -1: (-3, 13, -12, 25), 1: (-1, 13, -4, 25),
         2: (0, 13, 26, 25)},
    ),
    "supply_offset": (
        of_start(start_levels),
        {0: (-2, 13, -8, 25), -10: (-2, 3, -8, 25), 1: (-2, 14, -8, 25), 6: (-2, 19, -8, 25)},
    ),
    "win_production": (
        of_start(start_levels),
        {0: (-2, 13, -8, 25), -2: (-2, 13, 26, 25), -1: (-2, 13, -4, 25), 1: (-2, 13, -12, 25),
         2: (-2, 13, -16, 25), 3: (-2, 13, -20, 25)},
    ),
    "track_0": (allowances({}), {4: [4, 3, 2], 1: [1, 3, 2], 6: [6, 3, 2]}),
    "track_1": (allowances({}), {3: [4, 3, 2], 0: [4], 1: [4, 1, 2], 6: [4, 6, 2]}),
    "track_2": (allowances({}), {2: [4, 3, 2], 0: [4, 3], 1: [4, 3, 1], 6: [4, 3, 6]}),
    **{
        f"track_{level}": (
            allowances({f"track_{before}": 5 for before in range(3, level)}),
            {0: TRACK + [5] * (level - 3)} | {n: TRACK + [5] * (level - 3) + [n] for n in (1, 4, 6)},
        )
        for level in range(3, 8)
    },
    "piles": (event_piles, {5: (25, (1,) * 5), 1: (5, (1,)), 6: (30, (1,) * 6), 9: (45, (1,) * 9)}),
    "normals_per_pile": (
        event_piles, {4: (25, (1,) * 5), 0: (5, (1,) * 5), 1: (10, (1,) * 5), 7: (40, (1,) * 5)},
    ),
    "criticals_per_pile": (
        event_piles, {1: (25, (1,) * 5), 0: (20, (0,) * 5), 2: (30, (2,) * 5), 3: (35, (3,) * 5)},
    ),
    "grace_turns": (graced, {n: list(range(n + 1, 13)) for n in (0, 1, 5, 10)}),
    "update_per": (updates, {"turn": [19, 18, 17, 16, 15, 14], "round": [20, 20, 19, 19, 19, 18]}),
    "event_per": (events, {"turn": [24, 23, 22, 21, 20, 19], "round": [25, 25, 24, 24, 24, 23]}),
    "initial_hand": (of_start(hands, 3), {2: [2] * 3, 0: [0] * 3, 3: [3] * 3, 6: [6] * 3}),
    "hand_by_seats": (
        hands_by_seats,
        {False: [[2] * 2, [2] * 3, [2] * 4, [2] * 5], True: [[4] * 2, [3] * 3, [2] * 4, [2] * 5]},
    ),
    "late_seat_cards": (
        of_start(hands, 4), {0: [2, 2, 2, 2], 1: [2, 3, 4, 5], 2: [2, 4, 6, 6]},
    ),
    "initial_choice": (
        choice_of_hand,
        {0: ([], [2, 2], 0), 1: ([(0, 3), (1, 3)], [2, 2], 2),
         4: ([(0, 6), (0, 5), (0, 4), (0, 3), (1, 6), (1, 5), (1, 4), (1, 3)], [2, 2], 8)},
    ),
    "hand_limit": (limit, {6: [6, 4], 3: [3, 1], 7: [7, 5], 10: [10, 8]}),
    "start_player": (firsts, {0: {0}, -1: {0, 1, 2}, 1: {1}, 2: {2}, 3: {0}, 4: {1}}),
    "characters": (casts, {"random": ALL, "none": {"none"}}),
    **{
        f"character_{seat}": (
            cast_of(seat),
            {"any": DEFAULT_CAST, "none": ({"none"}, NONE_LEFT, False)}
            | {name: ({name}, [name], False) for name in CHARACTERS},
        )
        for seat in range(5)
    },
    "draw_cards": (drawn, {1: (1, 3, 1, 1), 2: (2, 3, 1, 2), 3: (3, 3, 1, 3)}),
    "transfer": (
        transfers,
        {"both": ["give", "take", "relay give", "relay take"], "give": ["give", "relay give"],
         "take": ["take", "relay take"], "none": []},
    ),
    "deploy_anywhere": (
        spaces, {False: {0: [2, 3]}, True: {0: [2, 3], 1: [0, 1, 3], 2: [0, 1, 2]}},
    ),
    "generate_amount": (generated, {n: [n, n, n + 1] for n in (2, 1, 3, 4)}),
    "recover_cards": (recovery, {2: (2, 3), 0: (0, 5), 1: (1, 4), 4: (4, 1)}),
    "medic_range": (medic, {"any": [0, 1, 2], "module": [0, 1]}),
    "item_cost": (price_of_an_item, {0: [4, 1, 0], 1: [3, 0, None]}),
    "item_supply_amount": (capsule, {n: n for n in (4, 1, 3, 8)}),
    "offturn_plans": (
        windows,
        {
            True: [("actions", 0), ("actions", 1), ("actions", 1), ("actions", 1), ("update", 0),
                   ("update", 1), ("event", 0)],
            False: [("actions", 0), ("update", 0), ("event", 0)],
        },
    ),
    "loss_tokens": (losses, {n: (n, list(range(n))) for n in (3, 0, 1, 6)}),
    "emergency_tokens": (alarms, {n: (n, list(range(n))) for n in (3, 0, 1, 6)}),
    "shutdown_tokens": (
        switches, {n: (n, list(range(n)), list(range(1, n + 1))) for n in (3, 0, 1, 6)},
    ),
    "health": (illness, {True: ([6], [1, 1], []), False: ([], [1, 1], [53])}),
    "remove_modules": (of_start(deck), {n: [28 - n, 4, 4] for n in (0, 1, 12)}),
    "n_items": (of_start(deck), {n: [28, n, 4] for n in (4, 0, 1, 3)}),
    "n_plans": (of_start(deck), {n: [28, 4, n] for n in (4, 0, 1, 3)}),
}  # fmt: skip


def test_every_option_is_tested():
    assert sorted(ROWS) == sorted(option.name for option in game.options)
    assert len(ROWS) == 47
    assert all(len(values) > 1 for _, values in ROWS.values())


@pytest.mark.parametrize("name", ROWS)
def test_option_changes_what_its_clause_says(name):
    check_row(game, name, *ROWS[name])


TABLES = {  # the component tables that an option changes; no other option changes any
    "scenario": {"start_production", "start_supply", "effect", "op_what", "op_amount", "op_where", "op_kind"},
    "production_offset": {"start_production"}, "supply_offset": {"start_supply"},
    **{f"track_{level}": {"track", "skull"} for level in range(8)},
    "piles": {"event_cards"}, "normals_per_pile": {"event_cards"}, "criticals_per_pile": {"event_cards"},
    "initial_hand": {"hand_cards"}, "hand_by_seats": {"hand_cards"}, "late_seat_cards": {"hand_cards"},
    "hand_limit": {"hand_cards"}, **{f"character_{seat}": {"cast"} for seat in range(5)},
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in ROWS if name != "ruleset"])
def test_an_option_changes_nothing_else(name):
    """EX-10.3 no option changes another clause: of the rules in force only its own numbers differ."""
    plain, own = rules_of({})[0], {name} | TABLES.get(name, set())
    for value in ROWS[name][1]:
        rules = rules_of({name: value})[0]
        changed = {field for field in game.rules_dtype.names if (rules[field] != plain[field]).any()}
        assert changed <= own, (value, changed)


# Presets (EX-10.1).


def test_presets_are_those_of_the_specification():
    patient = {"production_offset": 1, "supply_offset": 5}
    tracks = {"patient": [4, 4, 3, 3, 2, 2, 0, 0], "endurance": [4] * 8}
    wanted = {
        "rulebook": {}, "introductory": {"production_offset": 1, "supply_offset": 2},
        "patient": patient, "endurance": patient | {"win_production": 2, "normals_per_pile": 7},
    }  # fmt: skip
    for name, sets in wanted.items():
        track = {f"track_{i}": n for i, n in enumerate(tracks.get(name, []))}
        assert game.resolve({"ruleset": name}) == game.resolve(sets | track) | {"ruleset": name}


@pytest.mark.parametrize("preset", ["introductory", "patient", "endurance"])
def test_explicit_values_win_over_presets(preset):
    """EX-10.1, also a value that is the default of the option."""
    explicit = {"production_offset": 0, "supply_offset": -3, "track_1": 3, "win_production": 1}
    chosen = game.resolve({"ruleset": preset} | explicit)
    assert {name: chosen[name] for name in explicit} == explicit
    other = game.resolve({"ruleset": preset})
    assert all(chosen[name] == other[name] for name in chosen if name not in explicit)


# Refusals (EX-10.2).

REFUSED = [
    ({"piles": 10}, ["piles = 10", "normals_per_pile = 4", "40", "39"]),
    ({"piles": 6, "normals_per_pile": 7}, ["piles = 6", "normals_per_pile = 7", "42", "39"]),
    ({"ruleset": "endurance", "piles": 15}, ["piles = 15", "normals_per_pile = 7"]),
    ({"piles": 8, "criticals_per_pile": 2}, ["piles = 8", "criticals_per_pile = 2", "16", "15"]),
    ({"piles": 6, "criticals_per_pile": 3}, ["18", "15"]),
    ({"normals_per_pile": 0, "criticals_per_pile": 0}, ["normals_per_pile", "criticals_per_pile", "0"]),
    ({"initial_hand": 5, "hand_limit": 4}, ["initial_hand = 5", "hand_limit = 4"]),
    ({"initial_hand": 4, "hand_limit": 3}, ["initial_hand = 4", "hand_limit = 3"]),
    ({"character_0": "medic", "character_1": "medic"}, ["character_0", "character_1", "medic"]),
    ({"character_2": "pilot", "character_4": "pilot"}, ["character_2", "character_4", "pilot"]),
    ({"production_offset": 3}, ["production_offset = 3", "-3 to 2"]),
    ({"supply_offset": -11}, ["supply_offset = -11", "-10 to 6"]), ({"win_production": 4}, ["-2 to 3"]),
    ({"track_0": 0}, ["track_0 = 0", "1 to 6"]), ({"track_7": 7}, ["track_7 = 7", "0 to 6"]),
    ({"scenario": 5}, ["scenario = 5"]), ({"piles": 0}, ["piles = 0"]), ({"piles": 16}, ["1 to 15"]),
    ({"normals_per_pile": 8}, ["0 to 7"]), ({"criticals_per_pile": 4}, ["0 to 3"]),
    ({"grace_turns": 11}, ["0 to 10"]), ({"update_per": "day"}, ["update_per", "day"]),
    ({"initial_hand": 7}, ["0 to 6"]), ({"late_seat_cards": 3}, ["0 to 2"]),
    ({"initial_choice": 5}, ["0 to 4"]), ({"hand_limit": 2}, ["3 to 10"]), ({"hand_limit": 11}, ["3 to 10"]),
    ({"start_player": 5}, ["-1 to 4"]), ({"characters": "all"}, ["characters", "all"]),
    ({"character_0": "doctor"}, ["character_0", "doctor"]),
    ({"draw_cards": 0}, ["1 to 3"]), ({"transfer": "swap"}, ["transfer", "swap"]),
    ({"deploy_anywhere": "maybe"}, ["deploy_anywhere", "maybe"]), ({"generate_amount": 5}, ["1 to 4"]),
    ({"recover_cards": 5}, ["0 to 4"]), ({"medic_range": "base"}, ["medic_range", "base"]),
    ({"item_cost": 2}, ["0 to 1"]), ({"item_supply_amount": 0}, ["1 to 8"]),
    ({"loss_tokens": 7}, ["0 to 6"]), ({"emergency_tokens": -1}, ["0 to 6"]),
    ({"shutdown_tokens": 7}, ["0 to 6"]), ({"remove_modules": 13}, ["0 to 12"]), ({"n_items": 5}, ["0 to 4"]),
    ({"n_plans": -1}, ["0 to 4"]), ({"ruleset": "advanced"}, ["ruleset", "advanced"]),
    ({"health": 2}, ["health"]),
]  # fmt: skip


@pytest.mark.parametrize(("options", "words"), REFUSED, ids=[str(options) for options, _ in REFUSED])
def test_what_does_not_fit_is_refused(options, words):
    with pytest.raises(UsageError) as told:
        game.rules(options)
    message = str(told.value)
    assert "\n" not in message and len(message) < 200
    assert not [word for word in words if word not in message], message


@pytest.mark.parametrize("name", ["character_5", "advanced_mode", "track_8"])
def test_unknown_options_are_refused(name):
    with pytest.raises(UsageError, match=f"unknown option of exoplanet_colony '{name}'"):
        game.rules({name: 1})


@pytest.mark.parametrize("options", [options for options, _ in REFUSED[::4]], ids=str)
def test_the_command_line_refuses_in_one_line(options, capsys):
    """Exit code 2, one line on stderr, nothing played."""
    sets = [part for name, value in options.items() for part in ("--set", f"{name}={value}")]
    with pytest.raises(SystemExit) as end:
        cli.main(["play", "exoplanet_colony", "--lineup", "random*3", *sets])
    printed = capsys.readouterr()
    assert end.value.code == 2 and printed.out == ""
    assert len(printed.err.strip().splitlines()) == 1 and "Traceback" not in printed.err


ALLOWED = [
    {"piles": 15, "normals_per_pile": 2}, {"piles": 13, "normals_per_pile": 3},
    {"piles": 5, "normals_per_pile": 7, "criticals_per_pile": 3}, {"initial_hand": 3, "hand_limit": 3},
    {"piles": 1, "normals_per_pile": 0}, {"character_0": "none", "character_1": "none"},
    {f"character_{seat}": name for seat, name in enumerate(CHARACTERS[:5])},
    {"piles": 15, "normals_per_pile": 0, "criticals_per_pile": 1},
]  # fmt: skip


@pytest.mark.parametrize("options", ALLOWED, ids=str)
def test_what_just_fits_is_played(options):
    """EX-10.2 the bounds themselves are allowed."""
    walk = Walk(options, 5, 1).to_the_end()
    assert walk.problems() == []


# Together with others (EX-10.3).


@pytest.mark.parametrize(
    ("options", "seats", "sizes", "choices"),
    [
        ({"initial_hand": 3, "late_seat_cards": 1, "hand_limit": 4, "start_player": 1}, 3, [4, 3, 4], 0),
        ({"initial_hand": 3, "hand_by_seats": True, "initial_choice": 2}, 2, [5, 5], 4),
        ({"initial_hand": 6, "hand_by_seats": True}, 2, [6, 6], 0),
        ({"initial_hand": 6, "hand_by_seats": True, "hand_limit": 10, "late_seat_cards": 2}, 2, [8, 10], 0),
        (
            {"initial_hand": 1, "hand_by_seats": True, "late_seat_cards": 1, "start_player": 2},
            3,
            [3, 4, 2],
            0,
        ),
        ({"initial_hand": 0, "initial_choice": 4}, 5, [0] * 5, 20),
        ({"initial_hand": 0, "late_seat_cards": 2, "start_player": 4}, 5, [2, 4, 6, 6, 0], 0),
        ({"initial_hand": 2, "initial_choice": 3, "hand_limit": 3}, 4, [2] * 4, 12),
    ],
)
def test_starting_hands(options, seats, sizes, choices):
    """EX-2.7, E19: min(limit, hand + late x place + by seats); the deal is larger by the choice."""
    position, n = Position(options, seats), 0
    dealt = hands(position)
    assert dealt == [size + options.get("initial_choice", 0) for size in sizes]
    while position.decision == "start_discard":
        position.apply(position.legal()[-1])
        n += 1
    assert (hands(position), n, int(position.s.discard_n)) == (sizes, choices, choices)


def test_a_deck_that_is_dealt_out():
    """EX-2.7, EX-4.14: dealt in turn order until the deck is empty; the discards become the deck."""
    options = {"initial_hand": 6, "initial_choice": 4, "remove_modules": 12, "n_items": 0, "n_plans": 0}
    position = Position(options, 5)
    assert hands(position) == [4, 3, 3, 3, 3] and int(position.s.deck_n) == 0
    assert position.decision == "main"
    assert IDS["draw"] not in position.legal()
    some = Position(options | {"initial_hand": 2, "start_player": 3}, 5)
    assert hands(some) == [3, 3, 3, 4, 3] and int(some.s.seat) == 3
    while some.decision == "start_discard":
        some.apply(some.legal()[0])
    assert (hands(some), int(some.s.discard_n), int(some.s.deck_n)) == ([2] * 5, 6, 0)
    some.when("draw")
    assert (int(some.s.deck_n), int(some.s.discard_n), some.logged()["reshuffles"]) == (5, 0, 1)


@pytest.mark.parametrize(
    ("options", "prod", "supply"),
    [
        ({"scenario": 2, "production_offset": -3}, [-5, -5, -5, -5], [13] * 4),
        ({"scenario": 4, "supply_offset": 6}, [-2, -2, -3, -3], [20] * 4),
        ({"scenario": 3, "production_offset": 2, "supply_offset": -10}, [0, -1, 0, 0], [3] * 4),
        ({"ruleset": "introductory", "scenario": 4}, [-1, -1, -2, -2], [17] * 4),
    ],
)
def test_levels_are_clipped_to_the_tracks(options, prod, supply):
    """EX-2.2."""
    facts = Position(options).facts()
    assert (facts["prod"], facts["supply"]) == (prod, supply)


@pytest.mark.parametrize("goal", [-1, 0, 1, 2, 3])
def test_the_goal_is_reached(goal):
    """EX-8.1, EX-9.2 deploying up to the goal wins, one short of it does not; the deficit is counted from it."""
    for short in (0, 1):
        prod = [goal, goal, goal, goal - 2]
        if short:
            prod[0] -= 1
        hand, options = [25, 0, 16, 26], {"win_production": goal}
        position = given({0: hand}, prod=prod, options=options)
        position.when("deploy", "card 25", "dir N", "card 0", "card 16", "card 26")
        if short:
            position.then(over=False, score=[-1, -1])
        else:
            position.then(end="self_sustaining", rank=[1, 1], score=[26, 26])


@pytest.mark.parametrize(
    ("options", "most"),
    [
        ({}, 26), ({"grace_turns": 4}, 30), ({"event_per": "round"}, 3 * 26),
        ({"event_per": "round", "grace_turns": 10, "piles": 1}, 6 * 3 + 9),
        ({"piles": 1, "normals_per_pile": 0}, 2), ({"update_per": "round"}, 26),
    ],
)  # fmt: skip
def test_length(options, most):
    """EX-6.2 at most grace_turns + (E + 1) turns, with `event_per` = round times K; E9 events_out."""
    chosen = LONG_TRACK | {"loss_tokens": 0, "emergency_tokens": 0, "health": False} | options
    position = Position(chosen | {"characters": "none", "n_plans": 0, "production_offset": 1}, 3)
    position.s.supply[:] = 20
    turns = 0
    while not position.over:
        position.passing()
        position.s.supply[:] = 20
        turns = int(position.s.turn_no)
    assert position.facts()["end"] == "events_out"
    rounds = 3 * ((most + 2) // 3) if "event_per" in options else most
    assert turns == rounds


def test_an_update_of_a_round_with_grace():
    """EX-3.6, E20: both steps once a round; no event in turn 2, one in turn 3."""
    options = {"update_per": "round", "event_per": "round", "grace_turns": 3}
    position = given(turn=1, seats=3, events=[0, 1], **FULL, options=options)
    seen = [
        (int(s.supply[3]), int(s.events_n)) for s in (position.end_turn().s for _ in range(6))
    ]  # fmt: skip
    assert seen == [(20, 25), (20, 25), (19, 25), (19, 25), (19, 25), (18, 24)]


def test_an_infection_acts_in_updates_of_the_own_turn_alone():
    """EX-3.6 with updates once a round."""
    for seat, falls in ((0, 0), (1, 1)):
        position = given(
            issues={seat: "infection"}, seat=1, prod=LEVEL, supply=[9] * 4, events=[0],
            options={"update_per": "round"},
        ).end_turn()  # fmt: skip
        position.then(supply=[9 - falls, 9 - falls, 9, 8])


def test_draws_under_a_small_limit():
    """E21: `draw_cards` = 3 with a hand below its limit: after each card too many one is discarded."""
    position = given({0: [0, 1]}, options={"draw_cards": 3, "hand_limit": 3}).when("draw").settle()
    position.then(sizes=[3, 0], log={"cards_drawn": 3, "limit_discards": 2, "draws": 1}, left=3)


def test_recover_and_medic_together():
    """EX-4.9, EX-4.10: nobody pays where `recover_cards` = 0; the Medic reaches his own module."""
    options = {"recover_cards": 0, "medic_range": "module"}
    some = {"issues": {1: "flu"}, "base": "7@(0,1)", "characters": {0: "medic"}, "options": options}
    given(**some, pawns={1: 1}).then(cannot=["ability", "recover"])
    given(**some).then(can=["ability"]).when("ability").then(issues={1: ""}, left=3)
    given(**some | {"issues": {0: "flu ankle"}}).when("recover", "heal flu").then(issues={0: "ankle"}, left=3)


def test_items_that_cost_an_action():
    """EX-4.11 each costs an action; a plan stays free."""
    options = {"item_cost": 1, "item_supply_amount": 8}
    position = given({0: [30, 33]}, supply=[5, 9, 9, 15], prod=LEVEL, left=1, options=options)
    position.when("plan", "perm 021").then(left=1, can=["item"])
    position.when("item", "res energy").then(supply=[5, 9, 9, 19], step="actions", seat=1)


@pytest.mark.parametrize(
    ("options", "deployed"), [({"deploy_anywhere": True}, (0, 3)), ({}, (1, 0))], ids=["anywhere", "here"]
)
def test_the_architect_deploys_where_others_may(options, deployed):
    """EX-4.4, EX-4.10 the option holds for the ability too."""
    position = given(
        {0: [14, 7, 28]}, "16@(0,1) 21@(0,2)", characters={0: "architect"}, options=options
    ).when("ability", "card 14")  # fmt: skip
    position.when(*(["slot 2", "dir N"] if options else ["dir E"])).settle()
    position.then(cells=[(0, 0), (0, 1), (0, 2), deployed])


@pytest.mark.parametrize("anywhere", [False, True])
def test_a_pawn_without_space(anywhere):
    """EX-4.4, EX-11.2: on a module with four neighbours there is space with `deploy_anywhere` alone."""
    base = "0@(0,1) 16@(1,0) 21@(0,-1) 12@(-1,0)"
    some = {"prod": [0, 0, 0, -1], "options": {"deploy_anywhere": anywhere}}
    position = given({0: [8, 2, 17]}, base, **some)
    position.then(**{"can" if anywhere else "cannot": ["deploy"]})
    own = given({0: [8, 2, 17]}, base, **some, characters={0: "architect"})
    own.then(**{"can" if anywhere else "cannot": ["ability"]})
    if anywhere:
        position.when("deploy", "card 8").then(legal=[f"slot {slot}" for slot in (1, 2, 3, 4)])


def test_no_tokens_at_all():
    """EX-12.4.9 with `health` = 0 and `loss_tokens` = 0: production never falls but by deploying and switching."""
    options = {"ruleset": "endurance", "health": False, "loss_tokens": 0, "emergency_tokens": 0}
    for deal in range(3):
        walk = Walk(options, 3, deal)
        for before, action, after in walk.steps():
            assert not any(after.issues) and not sum(after.slot_emerg)
            fell = any(b > a for b, a in zip(before.production, after.production, strict=True))
            built = after.slots > before.slots or after.off != before.off
            assert built or not fell, (before.kind, action)


def test_the_skull_ends_the_track():
    """E26: what stands behind the skull means nothing."""
    options = {"track_0": 2, "track_1": 0, "track_2": 3}
    assert allowances({})(options) == [2]
    position = given(supply=[1, 9, 9, 9], events=[9], at="event", prod=LEVEL, options=options).settle()
    position.then(end="skull", defeat="depletion")


def test_named_characters_are_not_drawn():
    """EX-2.6 `any` takes from those that no seat names; `none` takes nobody; seats not taken mean nothing."""
    options = {"character_1": "pilot", "character_3": "none", "character_4": "medic"}
    found = set()
    for s in starts(options, 4, 60):
        crew = cast(s)
        assert crew[1] == "pilot" and crew[3] == "none" and len({*crew}) == 4
        found |= {crew[0], crew[2]}
    assert found >= {*CHARACTERS} - {"pilot", "medic"} and "pilot" not in found
    alone = {"characters": "none", "character_2": "medic"}
    assert cast(Position(alone, 3).s) == ["none", "none", "medic"]


SAME = [  # options that mean nothing there; the game is the same
    ({"character_3": "medic", "character_4": "none"}, {}, 3, False), ({"start_player": 2}, {}, 2, False),
    ({"start_player": 4}, {"start_player": 1}, 3, False), ({"track_4": 5, "track_7": 1}, {}, 2, True),
    ({"hand_by_seats": True}, {}, 4, False), ({"ruleset": "rulebook"}, {}, 3, True),
    ({"characters": "none", "medic_range": "module"}, {"characters": "none"}, 4, True),
    ({"n_items": 0, "item_cost": 1, "item_supply_amount": 8}, {"n_items": 0}, 2, True),
    ({"n_plans": 0, "offturn_plans": False}, {"n_plans": 0}, 3, True),
    ({"health": False, "recover_cards": 0}, {"health": False}, 3, True),
    ({"criticals_per_pile": 0, "emergency_tokens": 5}, {"criticals_per_pile": 0}, 2, False),
]  # fmt: skip


@pytest.mark.parametrize(("options", "without", "seats", "whole"), SAME, ids=[str(row[0]) for row in SAME])
def test_options_without_effect_change_nothing(options, without, seats, whole):
    """EX-10.3 every decision and every result are the same."""
    patient = {"ruleset": "patient"} if "ruleset" not in options and "track_4" not in options else {}
    one, other = (Walk(patient | chosen, seats, 2).to_the_end() for chosen in (options, without))
    assert one.trail == other.trail and one.s["score"].tolist() == other.s["score"].tolist()
    assert not whole or one.states.tobytes() == other.states.tobytes()


def test_options_share_the_luck_of_the_deal():
    """EX-12.2 whatever the options, cards, events and characters come in the same order."""

    def order(options):
        """Player cards, critical events, characters; the whole deck, since nobody is dealt a card."""
        s = Position({"initial_hand": 0} | options, 5, 3).s
        deck = s.deck[: s.deck_n].tolist()[::-1]
        return deck, [e for e in s.events[: s.events_n].tolist() if e >= 39], s.character.tolist()

    cards, criticals, crew = order({})
    for option in game.options:
        for value in {option.low, option.high}:
            chosen = {option.name: option.shown(value)}
            chosen |= {"normals_per_pile": 2} if option.name == "piles" else {}
            deck, events, own = order(chosen)
            if option.name not in ("initial_hand", "hand_by_seats", "late_seat_cards", "initial_choice"):
                assert deck == [card for card in cards if card in deck], option.name
            if option.name == "piles":
                assert (events + criticals)[: len(criticals)] == criticals or events == criticals[:1]
            elif option.name == "criticals_per_pile":
                assert len(events) in (0, 15)
            else:
                assert events == criticals, option.name
            assert own == crew or option.name.startswith("character"), option.name


def test_every_end_of_every_range_is_playable():
    """EX-10 each option at both ends; no invariant is broken at the end of the game."""
    player = catalogue.player(game, parse_lineup("random")[0])
    for number, option in enumerate(game.options):
        seats = 2 + number % 4
        for value in sorted({option.low, option.high}):
            chosen = {option.name: option.shown(value)}
            chosen |= {"normals_per_pile": 2} if option.name == "piles" else {}
            rules = game.rules(chosen)
            table, deals = Table(game, rules), np.arange(number, number + 3)
            for state in table.play([player] * seats, 3, deals, np.zeros(3, np.int64)):
                assert int(state.seat) == -1 and game.problems(state, rules[0]) == [], (option.name, value)


# What is said about options.


def test_options_are_those_of_the_data_file():
    """EX-10: names in the order of the table, ranges, defaults and clauses."""
    assert {*DATA["options"]} == {option.name for option in game.options}
    for option in game.options:
        row = DATA["options"][option.name]
        assert option.clause == row["clause"], option.name
        assert option.shown(option.default) == row["default"], option.name
        if row["type"] == "int":
            assert (option.low, option.high) == (row["min"], row["max"]), option.name
        elif row["type"] == "choice":
            assert list(option.names) == row["choices"], option.name
        else:
            assert option.kind is bool


INTS = {  # EX-10: range, default
    "scenario": (1, 4, 1), "production_offset": (-3, 2, 0), "supply_offset": (-10, 6, 0),
    "win_production": (-2, 3, 0), "track_0": (1, 6, 4), "track_1": (0, 6, 3), "track_2": (0, 6, 2),
    **{f"track_{level}": (0, 6, 0) for level in range(3, 8)}, "piles": (1, 15, 5),
    "normals_per_pile": (0, 7, 4), "criticals_per_pile": (0, 3, 1), "grace_turns": (0, 10, 0),
    "initial_hand": (0, 6, 2), "late_seat_cards": (0, 2, 0), "initial_choice": (0, 4, 0),
    "hand_limit": (3, 10, 6), "start_player": (-1, 4, 0), "draw_cards": (1, 3, 1),
    "generate_amount": (1, 4, 2), "recover_cards": (0, 4, 2), "item_cost": (0, 1, 0),
    "item_supply_amount": (1, 8, 4), "loss_tokens": (0, 6, 3), "emergency_tokens": (0, 6, 3),
    "shutdown_tokens": (0, 6, 3), "remove_modules": (0, 12, 0), "n_items": (0, 4, 4), "n_plans": (0, 4, 4),
}  # fmt: skip
FLAGS = {"hand_by_seats": False, "deploy_anywhere": False, "offturn_plans": True, "health": True}
CAST = ["any", "none", *CHARACTERS]
CHOICES = {  # the first one is the default
    "ruleset": ["rulebook", "introductory", "patient", "endurance"], "update_per": ["turn", "round"],
    "event_per": ["turn", "round"], "characters": ["random", "none"],
    "transfer": ["both", "give", "take", "none"], "medic_range": ["any", "module"],
    **{f"character_{seat}": CAST for seat in range(5)},
}  # fmt: skip


def test_options_are_those_of_the_specification():
    """EX-10: the table of the specification, copied here."""
    assert len(INTS) + len(FLAGS) + len(CHOICES) == len(game.options)
    for name, (low, high, default) in INTS.items():
        option = game.option(name)
        assert (option.kind, option.low, option.high, option.default) == (int, low, high, default), name
    for name, default in FLAGS.items():
        assert (game.option(name).kind, game.option(name).default) == (bool, int(default))
    for name, values in CHOICES.items():
        option = game.option(name)
        assert (option.names, option.shown(option.default)) == (values, values[0])


def test_every_option_has_a_label_of_its_own():
    check_labels(game)


def test_every_choice_has_a_label_for_each_value():
    check_value_labels(game)


def test_compensation_says_whom_it_treats():
    """EX-9.3: what is not the same for all seats."""
    treats = {option.name: option.treats for option in game.options if option.treats}
    everybody = (0, 1, 2, 3, 4)
    assert treats == {f"character_{seat}": (seat,) for seat in range(5)} | {
        "late_seat_cards": everybody, "start_player": everybody,
    }  # fmt: skip


def test_modules_of_the_data_file_are_those_of_the_tests():
    assert sorted(MODULES) == list(range(28))
