"""Options (EX-10): each changes what its clause says, and what a designer reads of them."""

import pytest

from simkit.errors import UsageError
from simkit.games.exoplanet_colony import game
from tests.of_games.options import check_data_file, check_row

from .option_rows import DATA, FULL, LEVEL, LONG_TRACK, ROWS, allowances, cast, hands, starts
from .positions import IDS, Position, given, rules_of
from .walk import CHARACTERS, MODULES, Walk


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
    ({"production_offset": 3}, ["production_offset = 3", "-3 to 2"]), ({"track_0": 0}, ["track_0 = 0", "1 to 6"]),
    ({"character_0": "doctor"}, ["character_0", "doctor"]), ({"ruleset": "advanced"}, ["ruleset", "advanced"]),
]  # fmt: skip


@pytest.mark.parametrize(("options", "words"), REFUSED, ids=[str(options) for options, _ in REFUSED])
def test_what_does_not_fit_is_refused(options, words):
    with pytest.raises(UsageError) as error:
        game.rules(options)
    message = str(error.value)
    assert "\n" not in message and len(message) < 200
    assert not [word for word in words if word not in message], message


@pytest.mark.parametrize("name", ["character_5", "advanced_mode", "track_8"])
def test_unknown_options_are_refused(name):
    with pytest.raises(UsageError, match=f"unknown option of exoplanet_colony '{name}'"):
        game.rules({name: 1})


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
    names = set()
    for s in starts(options, 4, 60):
        crew = cast(s)
        assert crew[1] == "pilot" and crew[3] == "none" and len({*crew}) == 4
        names |= {crew[0], crew[2]}
    assert names >= {*CHARACTERS} - {"pilot", "medic"} and "pilot" not in names
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
    first, other = (Walk(patient | chosen, seats, 2).to_the_end() for chosen in (options, without))
    assert first.trail == other.trail and first.s["score"].tolist() == other.s["score"].tolist()
    assert not whole or first.states.tobytes() == other.states.tobytes()


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
            chosen = {option.name: option.value(value)}
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


# What is said about options.


def test_options_are_those_of_the_data_file():
    """EX-10: names, also of choices."""
    check_data_file(game, DATA["options"])


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
        assert (option.names, option.value(option.default)) == (values, values[0])


def test_compensation_says_whom_it_treats():
    """EX-9.3: what is not the same for all seats."""
    treats = {option.name: option.treats for option in game.options if option.treats}
    everybody = (0, 1, 2, 3, 4)
    assert treats == {f"character_{seat}": (seat,) for seat in range(5)} | {
        "late_seat_cards": everybody, "start_player": everybody,
    }  # fmt: skip


def test_modules_of_the_data_file_are_those_of_the_tests():
    assert sorted(MODULES) == list(range(28))
