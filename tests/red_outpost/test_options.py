"""Options (RO-9): each changes what its clause says, and what a designer reads of them."""

from __future__ import annotations

import pytest

from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import DATA
from tests.of_games.options import check_data_file, check_refused, check_row

from .positions import LOCATIONS, Position, Walk, given


def start(*names, seats=2, **more):
    """Facts of the start of a game."""

    def probe(options):
        results = [Position(more | options, seats).facts()[name] for name in names]
        return results[0] if len(results) == 1 else results

    return probe


def owned(seat, **more):
    """How many special cards a seat has at the start of a game."""
    return lambda options: len(Position(more | options, 2).cards(seat))


def all_cards(position):
    """Special cards by seat."""
    return [position.cards(seat) for seat in range(position.seats)]


def stored(options):
    """Who is asked to keep a card, and from how many."""
    walk, result = Walk(options, 2), []
    while walk.decision == "card_keep":
        result.append((int(walk.s.seat), len(walk.legal())))
        walk.apply(walk.legal()[0])
    return result


def turns(key):
    """Seats of the turns of a phase, as digits."""

    def probe(options):
        position, text = Position(options, 4), ""
        while int(position.s.phase) <= key:
            text += str(int(position.s.seat)) if int(position.s.phase) == key else ""
            position.finish("turn")
        return text

    return probe


def last_round(options):
    """The round with which the game ends."""
    for number in range(4):
        position = given(phase="evening", round=number, turn=1, seat=1, options=options)
        if position.when(1, "shepherd labor_camp").over:
            return number + 1
    return None


def mood(words, worker, phase="day2", cards=(), **more):
    """The mood of a worker after an action."""

    def probe(options):
        position = given(
            {"miner": "farm"}, crystals=[0, 0], ship=[0], phase=phase, cards={0: list(cards)},
            options=options, **more,
        )  # fmt: skip
        return position.when(0, *words).named_facts()["moods"](worker)

    return probe


def gained(*words, seat=0, **more):
    """Points and crystals that an action brings."""

    def probe(options):
        position = given(seat=seat, options=options, **more)
        before = position.facts()
        after = position.when(seat, *words).facts()
        return after["vp"][seat] - before["vp"][seat], after["crystals"][seat] - before["crystals"][seat]

    return probe


def ended(name, seats=2, round=1, of=None, **more):
    """Fact of the position (of a worker) after the last Evening turn of a round."""

    def probe(options):
        position = given(
            phase="evening", round=round, turn=seats - 1, seat=seats - 1, seats=seats, options=options, **more
        )
        position.when(seats - 1, "shepherd storehouse")
        return position.named_facts()[name](of) if of else position.facts()[name]

    return probe


def bits(mask):
    return [name for i, name in enumerate(LOCATIONS) if int(mask) >> i & 1]


def layout(options):
    """How many tokens in the Morning, and whether they are the recommended ones."""
    result = bits(Position(options).s.block_morning)
    return len(result), result == ["palace", "beer_house", "spaceship"]


def rounds_alike(options):
    """Whether the tokens of the second round are those of the first."""
    position = given(phase="evening", turn=1, seat=1, options=options, crystals=[0, 0])
    before = int(position.s.block_morning)
    position.finish("turn")
    assert int(position.s.round_no) == 1
    return before == int(position.s.block_morning)


def legal(count, *words, **more):
    """Ids, or how many, after some words."""

    def probe(options):
        position = given(options=options, **more).when(0, *words)
        ids = position.legal() if position.decision != "move" or not words else None
        return len(ids) if count and ids else ids

    return probe


DISKS = {0: {"farmer": 1, "miner": 1}, 1: {"shepherd": 1}}
TIED = {"disks": {0: {"miner": 1}, 1: {"miner": 1}}, "moods": {"miner": 3}, "crystals": [0, 0], "seats": 2}
PALACE = {"palace": [4, 3, 2, 1], "crystals": [0] * 4, "vp": [0] * 4, "seats": 4}
ALONE = {"disks": {0: {"miner": 1}}, "moods": {"miner": 3}, "crystals": [0, 0]}

# option: (what is looked at, {value: what it is then}); the first value is the default
ROWS = {
    "ruleset": (
        lambda options: (layout(options)[1], owned(1)(options)),
        {"first_games": (True, 0), "random_tokens": (False, 0), "full_game": (False, 2)},
    ),
    "special_location_cards": (owned(0), {0: 0, 1: 1, 2: 2, 3: 3}),
    "special_worker_cards": (owned(1), {0: 0, 1: 1, 2: 2, 3: 3}),
    "special_location_choice": (stored, {1: [], 2: [(0, 2), (1, 2)], 3: [(0, 3), (1, 3)]}),
    "special_worker_choice": (stored, {1: [], 2: [(0, 2), (1, 2)], 3: [(0, 3), (1, 3)]}),
    "card_choice_order": (
        lambda options: stored({"special_worker_choice": 2} | options),
        {"first_to_last": [(0, 2), (1, 2)], "last_to_first": [(1, 2), (0, 2)]},
    ),
    "blocking": (
        lambda options: (*layout(options), rounds_alike(options)),
        {
            "default": (3, True, True), "random": (3, False, True), "random_each_round": (3, False, False),
            "none": (0, False, True),
        },
    ),
    "blocking_tokens": (
        lambda options: layout({"blocking": "random"} | options), {n: (n, False) for n in (3, 0, 1, 2, 4, 5)},
    ),
    "start_vp": (start("vp"), {5: [5, 5], 0: [0, 0], 20: [20, 20]}),
    "start_crystals": (start("crystals"), {1: [1, 1], 0: [0, 0], 5: [5, 5]}),
    **{
        f"seat_vp_{seat}": (start("vp", seats=4), {0: [5] * 4, 7: [5 + 7 * (i == seat) for i in range(4)]})
        for seat in range(4)
    },
    **{
        f"seat_crystals_{seat}": (
            start("crystals", seats=4), {0: [1] * 4, 4: [1 + 4 * (i == seat) for i in range(4)]},
        )
        for seat in range(4)
    },
    "disks_delta": (start("reserve", seats=4), {0: [6] * 4, -4: [2] * 4, 3: [9] * 4}),
    "rounds": (last_round, {2: 2, 1: 1, 3: 3, 4: 4}),
    "day_turns": (turns(1), {"workers": "123012", "equal": "1230"}),
    "day_order": (turns(1), {"clockwise": "123012", "snake": "123003"}),
    "first_player_pass": (turns(2), {"phase": "2301", "round": "0123", "never": "0123"}),
    "mood_track": (
        lambda options: [int(v) for v in Position(options).rules.mood_value[:3]],
        {
            "linear5": [-5, -4, -3], "linear3": [-3, -2, -1], "linear8": [-8, -7, -6],
            "progressive": [-8, -6, -4], "degressive": [-4, -4, -3],
        },
    ),
    "mood_multiplier": (ended("vp", **ALONE), {1: [8, 5], 0: [5, 5], 2: [11, 5], 3: [14, 5]}),
    "mood_reset": (
        ended("moods", of="miner", moods={"miner": 3}, crystals=[0, 0], round=0),
        {True: 0, False: 3},
    ),
    "worker_tie": (ended("vp", **TIED), {"full": [8, 8], "split": [6, 6], "none": [5, 5]}),
    "barracks_bonus": (
        lambda options: given({"miner": "mine"}, phase="morning", turn=1, flat="miner", options=options)
        .when(0, "farmer farm").named_facts()["moods"]("commissar"),
        {1: 1, 0: 0, 2: 2},
    ),
    "beer_mood": (mood(["miner beer_house"], "miner"), {2: 2, 0: 0, 1: 1, 3: 3}),
    "kitchen_mood": (mood(["miner field_kitchen"], "miner", "lunch"), {1: 1, 0: 0, 3: 3}),
    "barracks_mood": (mood(["miner barracks"], "miner", "evening"), {1: 1, 0: 0, 3: 3}),
    "palace_side_mood": (mood(["miner palace"], "commissar"), {1: 1, 0: 0, 2: 2}),
    "administration_side_mood": (mood(["miner administration"], "bureaucrat"), {1: 1, 0: 0, 2: 2}),
    "mine_mood_loss": (mood(["farmer mine"], "farmer"), {2: -2, 0: 0, 1: -1, 4: -4}),
    "camp_mood_loss": (mood(["miner labor_camp"], "miner"), {2: -2, 0: 0, 4: -4}),
    "spaceship_mood_loss": (mood(["miner spaceship"], "miner"), {1: -1, 0: 0, 3: -3}),
    "export_track": (
        gained("farmer mine", store={"coal": 2}, track={"coal": 3}),
        {"decreasing": (2, 0), "flat3": (3, 0), "increasing": (4, 0)},
    ),
    "export_bonus": (gained("farmer mine", store={"coal": 2}), {0: (3, 0), -2: (1, 0), 3: (6, 0)}),
    "export_threshold": (gained("miner mine", store={"coal": 1}), {3: (3, 0), 2: (3, 0), 4: (0, 0)}),
    "miner_coal": (
        lambda options: given(options=options).when(0, "miner mine").facts()["wheel"][0], {2: 2, 1: 1, 3: 3},
    ),
    "wheel_length": (
        lambda options: given(wheel=[1], options=options).when(0, "miner mine").facts()["wheel"][0],
        {4: 3, 2: 1, 3: 0, 8: 3},
    ),
    "wheel_vp": (gained("miner mine", wheel=[3]), {2: (2, 1), 0: (0, 1), 4: (4, 1)}),
    "wheel_crystals": (gained("miner mine", wheel=[3]), {1: (2, 1), 0: (2, 0), 2: (2, 2)}),
    "lake_two_fish": (
        lambda options: Position(options).s.lake_deck.tolist().count(2), {1: 1, 0: 0, 2: 2, 3: 3},
    ),
    "spaceship_blanks": (start("ship"), {2: 12, 0: 10, 6: 16}),
    "administration_disks": (
        legal(False, "miner administration", disks=DISKS),
        {"others": [0, 7], "any": [0, 2, 7], "none": None},
    ),
    "crystal_supply": (
        lambda options: Position({"start_crystals": 2} | options, 4).facts()["crystals"],
        {24: [2] * 4, 0: [2] * 4, 5: [2, 2, 1, 0], 60: [2] * 4},
    ),
    "crystals_per_vp": (
        lambda options: ended_with(options, crystals=[5, 0])["vp"],
        {2: [7, 5], 1: [10, 5], 3: [6, 5], 4: [6, 5]},
    ),
    **{
        f"palace_vp_{place}": (
            ended("vp", **PALACE),
            {default: [4, 2, 1, 0], 12: [12 if i == place - 1 else n for i, n in enumerate([4, 2, 1, 0])]},
        )
        for place, default in ((1, 4), (2, 2), (3, 1), (4, 0))
    },
    "palace_tie": (
        ended("vp", **PALACE | {"palace": [2, 2, 1, 0]}), {"standard": [4, 4, 1, 0], "dense": [4, 4, 2, 0]},
    ),
    "final_tie": (
        lambda options: ended_with(options, crystals=[3, 2], vp=[5, 5])["rank"],
        {"crystals": [1, 2], "shared": [1, 1]},
    ),
    "pasture_card_mood": (mood(["miner pasture", "alt card"], "miner", cards=[1]), {False: 2, True: 1}),
    "admin_card_carry": (
        ended("reserve", round=0, crystals=[0, 0], card_disk=[1], cards={0: [6]}),
        {"stays": [8, 9], "returns": [9, 9]},
    ),
    "shepherd_card_lunch": (
        legal(True, phase="lunch", at={"shepherd": "mine"}, cards={0: [13]}), {True: 7, False: 6},
    ),
    "bureaucrat_card_lunch": (legal(True, phase="lunch", cards={0: [18]}), {True: 12, False: 6}),
    **{
        f"card_{n}": (
            lambda options: all_cards(Position(options, 4)),
            {"dealt": [[]] * 4}
            | {f"seat_{i}": [[n] if seat == i else [] for seat in range(4)] for i in (n % 4, (n + 1) % 4)},
        )
        for n in range(1, 19)
    },
}  # fmt: skip


def ended_with(options, **more):
    """Facts of the end of a game with crystals in the reserve."""
    position = given(phase="evening", round=1, turn=1, seat=1, options=options, **more)
    position.when(1, "shepherd storehouse")
    if position.decision == "store_opt":
        position.when(1, "store nothing")
    return position.facts()


def test_every_option_has_a_row():
    assert sorted(ROWS) == sorted(option.name for option in game.options)
    assert all(len(values) > 1 for _, values in ROWS.values())


@pytest.mark.parametrize("name", ROWS)
def test_option_changes_what_its_clause_says(name):
    check_row(game, name, *ROWS[name])


@pytest.mark.parametrize("n", range(1, 18, 2))
def test_cards_that_are_out_are_not_dealt(n):
    """RO-2.11 if all cards of a kind but two are out, these two are dealt."""
    out = {f"card_{m}": "out" for m in range(1, 19) if m not in (n, n + 1)}
    position = Position({"special_location_cards": 1, "special_worker_cards": 1} | out, 2)
    assert sorted(all_cards(position)) == [[n], [n + 1]]


def test_options_are_those_of_the_specification():
    """RO-9: names, also of choices."""
    check_data_file(game, DATA["options"])


@pytest.mark.parametrize(
    "options",
    [
        {"rounds": 5}, {"disks_delta": -5}, {"mood_track": "linear4"}, {"crystals_per_vp": 0},
        {"special_location_choice": 0}, {"card_19": "out"}, {"card_3": "seat_4"}, {"blocking_tokens": 6},
        {"export_threshold": 1}, {"crystal_supply": 61}, {"mood_reset": "maybe"},
    ],
    ids=str,
)  # fmt: skip
def test_values_out_of_range_are_refused(options):
    check_refused(game, options)


def test_compensation_says_whom_it_treats():
    treats = {option.name: option.treats for option in game.options if option.treats}
    seats = {f"seat_{what}_{seat}": (seat,) for what in ("vp", "crystals") for seat in range(4)}
    assert {name: treats[name] for name in seats} == seats
