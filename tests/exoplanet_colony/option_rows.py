"""What each option of Exoplanet Colony changes: a row for each, looked at in games (EX-10)."""

import tomllib
from pathlib import Path

import numpy as np
from of_games.driver import driver

from simkit.engine.rng import open_streams, purposes
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony import tables as components

from .positions import IDS, Position, given, members, rules_of
from .walk import CHARACTERS

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
        results = []
        for level in range(8):
            zeros = min(level, 3)
            supply = [0] * zeros + [9] * (4 - zeros)
            some = {"supply": supply, "alarms": [0] * (level - zeros), "prod": LEVEL}
            results.append(int(given(**some, options=chosen).s.actions_left))
            hit = given(**some, events=[41], at="event", options=chosen).settle()
            if hit.over:
                return results
        return results

    return probe


def event_piles(options):
    """EX-2.5 critical events of each pile, from the bottom, and the number of cards."""
    result, chosen = set(), game.resolve(options)
    size = chosen["normals_per_pile"] + chosen["criticals_per_pile"]
    for deal in range(5):
        s = Position(options, deal=deal).s
        deck = s.events[: s.events_n].tolist()
        assert len(set(deck)) == len(deck)
        piles = [deck[i : i + size] for i in range(0, len(deck), size)]
        result.add((len(deck), tuple(sum(event >= 39 for event in pile) for pile in piles)))
    assert len(result) == 1
    return result.pop()


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
    position, result = given(turn=1, events=QUIET, **FULL, options=chosen), []
    for turn in range(1, 13):
        left = int(position.s.events_n)
        result += [turn] if int(position.end_turn().s.events_n) < left else []
    return result


def hands(position):
    return position.facts()["sizes"]


def hands_by_seats(options):
    return [hands(Position(options, seats)) for seats in (2, 3, 4, 5)]


def choice_of_hand(options):
    """EX-2.7 who discards from how many cards, the hands kept, the discard pile."""
    position, decided = Position(options), []
    while position.decision == "start_discard":
        decided.append((int(position.s.seat), len(position.legal())))
        position.apply(position.legal()[0])
    return decided, hands(position), int(position.s.discard_n)


def limit(options):
    """EX-4.13 the hand with which a card drawn makes one discard; with a migraine."""
    results = []
    for issues in ({}, {0: "migraine"}):
        n = next(
            n for n in range(11)
            if given({0: list(range(n))}, issues=issues, options={"initial_hand": 0} | options)
            .when("draw").decision == "hand_discard"
        )  # fmt: skip
        results.append(n)
    return results


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
    names = set()
    for s in starts(options, 4, 60):
        named = [first for first in cast(s) if first != "none"]
        assert len(set(named)) == len(named)
        names |= {*cast(s)}
    return names


def cast_of(seat):
    """The characters of one seat, and whether another seat ever has the one that is named."""

    def probe(options):
        own, others = set(), set()
        for s in starts(options, 5, 60):
            own.add(cast(s)[seat])
            others |= {first for other, first in enumerate(cast(s)) if other != seat}
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
    results = {}
    for slot in position.legal():
        other = given({0: [14, 7, 11]}, "16@(0,1) 21@(1,0)", options=options)
        results[slot - 70] = [d - 16 for d in other.when("deploy", "card 14", slot).legal()]
    return results


def generated(options):
    """EX-4.6, EX-4.10 supply of Generate, of a plan, of the Biochemist."""
    some = {"supply": [5] * 4, "prod": LEVEL, "options": options}
    first = given({0: [0]}, **some).when("generate").settle()
    wild = given({0: [32]}, **some).when("generate", "card 32", "res food").settle()
    more = given({0: [0]}, **some, characters={0: "biochemist"}).when("ability").settle()
    return [int(p.s.supply.sum()) - 20 for p in (first, wild, more)]


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
    results = []
    for left in (4, 1, 0):
        position = given({0: [30, 1]}, left=left, supply=[9] * 4, prod=LEVEL, options=options)
        if position.decision != "main" or IDS["item"] not in position.legal():
            results.append(None)
            continue
        position.when("item", "res food")
        results.append(int(position.s.actions_left) if position.s.active == 0 else 0)
    return results


def capsule(options):
    position = given({0: [30]}, supply=[5] * 4, prod=LEVEL, options=options).when("item", "res food")
    return int(position.s.supply[2]) - 5


def windows(options):
    """EX-4.12 who is asked, in a turn of seat 0, for the plans of both seats."""
    chosen = {"hand_limit": 10} | options
    some = {"prod": LEVEL, "supply": [9] * 4, "base": "7@(0,1)", "events": [13], "options": chosen}
    position = given({0: [32, 35], 1: [33, 34]}, **some, at="start")
    decided = []
    while int(position.s.turn_no) == 1:
        if position.decision == "plan_window":
            decided.append((position.facts()["step"], int(position.s.seat)))
            position.when("pass")
        else:
            position.when("draw" if position.s.actions_left > 2 else "pass")
    return decided


def losses(options):
    """EX-6.5 Loss tokens on the board, and for how many on the base another one is placed."""
    n = int(Position(options).s.loss_left[2])
    results = []
    for k in range(n + 1):
        position = given(base="7@(0,1)", loss={1: " ".join(["oxygen"] * k)}, prod=[2, 0, 0, -1], events=[16],
                         at="event", options=options).settle()  # fmt: skip
        results += [k] if position.logged()["loss_placed"] else []
    return n, results


def alarms(options):
    """EX-6.6 Emergency tokens on the board, and for how many on the base another one is placed."""
    chosen = LONG_TRACK | options
    n = int(Position(chosen).s.emerg_left)
    results = []
    for k in range(n + 1):
        position = given(alarms=[0] * k, events=[41], at="event", **FULL, options=chosen).settle()
        results += [k] if position.logged()["emergencies_placed"] else []
    return n, results


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
