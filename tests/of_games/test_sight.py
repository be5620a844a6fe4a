"""What every published game keeps alike of views and redeals.

A view hides what it should and nothing else; a redeal looks the same, is sound and repeatable, and plays on.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.rule_helpers import OVER
from simkit.games.lunar_outpost.facts import ACTIVE, FACE_DOWN, FACE_UP, IN_HAND
from simkit.games.outpost.facts import REAL
from simkit.games.outpost_seven.facts import Decision
from simkit.verify.check import random_settings
from tests.lunar_outpost.walk import RAZE

from .driver import driver
from .sight import changed, redealt, seen
from .stepping import copied, luck, rules_of

UNSEEN = ("log", "since", "lead", "lead_turn")  # what stories and logs keep, and views leave blank
Places = dict[str, tuple[Any, Any]]  # by field: whether each place is hidden, whether it is open


def events_to_come(s: Any, seat: int) -> Places:
    """Exoplanet Colony: those next events that a Forecast showed are known to all (EX-12.3)."""
    place = np.arange(s.events.size)
    visible = (place >= s.events_n - s.events_known) & (place < s.events_n)
    return {"events": (~visible, visible)}


def cards_of_others(s: Any, seat: int) -> Places:
    """Lunar Outpost: other hands, and cards that others have, discarded unseen or never had (LO-16)."""
    own = np.arange(s.hand.shape[0]) == seat
    visible = np.isin(s.event_where, [ACTIVE, FACE_UP, IN_HAND + seat, FACE_DOWN + seat])
    hands = np.broadcast_to(own[:, None], s.hand.shape)
    return {
        "hand": (~hands & (np.arange(own.size) < s.seats)[:, None], hands),
        "event_where": (~visible, visible),
    }


def real_cards_of_others(s: Any, seat: int) -> Places:
    """Outpost: other real cards and their value; IOUs and mega-cards are open (OP-9.12)."""
    own, others = np.arange(s.wealth.size) == seat, np.arange(s.wealth.size) < s.seats
    others &= ~own
    real = np.arange(s.hand.shape[1]) < REAL
    hands = others[:, None] & real, own[:, None] | (others[:, None] & ~real)
    return {"hand": hands, "wealth": (others, own)}


def unseen_cards_of_the_other(s: Any, seat: int) -> Places:
    """Outpost Seven: kept and dealt cards of the other that are not public yet, and the total to keep (O7-2.6)."""
    other, places = np.arange(2)[:, None] != seat, Places()
    for name in ("hand", "start_cards", "dealt"):
        cards = s[name] if name == "dealt" else np.where(s[name] >= 0, s[name], 0)
        public = (s[name] >= 0) & (s.revealed[cards] > 0) if name != "dealt" else np.zeros_like(other)
        held = s[name] >= 0
        places[name] = (other & ~public & (held | (name == "dealt")), held & (~other | public))
    keeps = s.seat == seat and s.decision == Decision.keep
    return places | {"keep_total": (not keeps, keeps)}


class Secrets(NamedTuple):
    """What a game hides, and under which options and numbers of seats that is looked at."""

    fields: tuple[str, ...]  # hidden from every seat
    places: Callable[[Any, int], Places] | None  # of a state: hidden from a seat
    kinds: int  # so many kinds of decision are met
    settings: list[tuple[dict[str, Any], int]]


PATIENT = {"ruleset": "patient"}
SPIES = {"intel_cost": 1, "starting_intel": 2, "starting_intel_extra": 1, "tiles_trim": 20, "dome_output": 2}
WAR = RAZE | {"starting_intel": 2, "starting_intel_extra": 2, "tiles_trim": 16, "intel_cost": 1}
CARDS = {f"card_{n}": f"seat_{n % 2}" for n in range(1, 19)} | {"lake_two_fish": 2, "spaceship_blanks": 4}
BONUS = {
    "card_set": "plain_top",
    "bonus_origin": "bonus_card",
    "removal_rule": "skip",
    "cubes_same_colour": 3,
}
SECRETS = {
    "exoplanet_colony": Secrets(("deck", "since"), events_to_come, 28, [
        (PATIENT, 2), (PATIENT | {"criticals_per_pile": 2}, 4), (PATIENT | {"piles": 13, "normals_per_pile": 3}, 3),
        ({"ruleset": "endurance", "initial_choice": 2, "remove_modules": 5}, 5),
    ]),
    "lunar_outpost": Secrets(("event_deck", "stack", "leaders", "leaders_n", "score"), cards_of_others, 15, [
        (SPIES, 2), (SPIES | {"tile_choice": 3}, 4), (WAR, 3),
    ]),
    "outpost": Secrets(("draw", "leaders"), real_cards_of_others, 10, [
        ({}, 2), ({"ruleset": "expert", "payment": "explicit"}, 5), ({"secret_overbidding": True, "max_turns": 25}, 3),
        ({"space_terrorism": True, "death_spiral": True, "mega": True}, 4),
    ]),
    "outpost_seven": Secrets(("deck", "lead", "lead_turn"), unseen_cards_of_the_other, 7, [
        ({}, 2), ({"start_choice": "player0_chooses", "mulligan": "both"}, 2), (BONUS, 2),
        ({"start_rule": "draft", "second_bonus_population": 2}, 2),
        ({"mulligan": "second", "start_infeasible": "redraw", "rows": 4, "cols": 6, "initial_votes": "none"}, 2),
    ]),
    "red_outpost": Secrets(("lake_deck", "ship_deck", "card_deck"), None, 20, [
        (CARDS | {"blocking": "random"}, 2), (CARDS, 4), ({"special_location_choice": 3}, 3),
    ]),
}  # fmt: skip
GAMES = [name for name in registry.games() if registry.game(name).words.provenance]


def kind(game, s):
    return int(s["decision" if "decision" in game.state_dtype.names else "phase"])


def legal(game, states, rules):
    ids = np.zeros(game.max_actions, np.int64)
    return ids[: driver(game).legal(states, rules, ids)].tolist()


def play_on(game, states, rules, seed):
    """Yield the positions of a game that random choices play to its end, the given one first."""
    generator, rng = np.random.default_rng(seed), luck(game, seed, 0)
    while states[0]["seat"] != OVER:
        yield states
        driver(game).step(states, rules, rng, int(generator.choice(legal(game, states, rules))))


def positions(game, rules, seats, every):
    """Some positions of a random game, and the first one of each kind of decision."""
    states, kinds = np.zeros(1, game.state_dtype), set()
    driver(game).start(states, rules, luck(game, 1, seats), seats)
    for n, s in enumerate(play_on(game, states, rules, seats)):
        if n % every == 0 or kind(game, s[0]) not in kinds:
            kinds.add(kind(game, s[0]))
            yield copied(s)


def check_view(game, states, rules, seat, generator):
    """A change of what is hidden leaves the view byte for byte; a change of anything open changes it."""
    before, secrets = seen(game, states, rules, seat).tobytes(), SECRETS[game.name]
    places = secrets.places(states[0], seat) if secrets.places else {}
    for name in set(game.state_dtype.names) - {"seats", "log", *places}:
        hidden = np.full(states[name].shape[1:], name in secrets.fields)
        places[name] = hidden, ~hidden
    for name, masks in places.items():
        for mask, is_open in zip(masks, (False, True), strict=True):
            chosen = np.flatnonzero(mask)
            for place in generator.choice(chosen, min(3, chosen.size), replace=False).tolist():
                number = int(states[name].reshape(-1)[place])
                other = changed(states, name, place, number ^ 1 if is_open else -int(number != -1))
                shows = seen(game, other, rules, seat).tobytes() != before
                assert shows == is_open, f"{name}[{place}] and seat {seat}"
    other = np.frombuffer(bytearray(states.tobytes()), game.state_dtype)
    other["log"] = 1
    assert seen(game, other, rules, seat).tobytes() == before, f"seat {seat} sees the log"


@pytest.mark.parametrize("name", GAMES)
def test_no_peeking(name):
    """A seat sees all that is open and nothing that is hidden, at nearly every kind of decision."""
    game, generator, kinds = registry.game(name), np.random.default_rng(1), set()
    for options, seats in SECRETS[name].settings:
        rules = rules_of(game, options)
        for n, states in enumerate(positions(game, rules, seats, 181)):
            kinds.add(kind(game, states[0]))
            for seat in {int(states[0]["seat"]), n % seats}:
                check_view(game, states, rules, seat, generator)
    assert len(kinds) >= SECRETS[name].kinds, len(kinds)


SETTINGS = [(name, *setting) for name in GAMES for setting in SECRETS[name].settings]
RANDOM = [
    (name, options, registry.game(name).seats[0] + number % 2)
    for name in GAMES
    for number, options in enumerate(random_settings(registry.game(name), 4, 11))
]


@pytest.mark.parametrize(
    ("name", "options", "seats"), [*SETTINGS, *(pytest.param(*row, marks=pytest.mark.slow) for row in RANDOM)]
)
def test_redealt_states_are_sound_repeatable_and_play_on(name, options, seats):
    """A redeal looks the same to the seat, whose choices stay; it owes nothing to the truth, and breaks no rule."""
    game = registry.game(name)
    rules, seats = rules_of(game, options), min(seats, game.seats[1])
    for n, states in enumerate(positions(game, rules, seats, 41)):
        seat, unseen = n % seats, [field for field in UNSEEN if field in game.state_dtype.names]
        copy = redealt(game, states, rules, seat, n + 1)
        assert seen(game, copy, rules, seat).tobytes() == seen(game, states, rules, seat).tobytes()
        assert redealt(game, copy, rules, seat, n + 1).tobytes() == copy.tobytes()
        if states[0]["seat"] == seat:
            assert legal(game, copy, rules) == legal(game, states, rules)
        blank = copied(copy)
        for field in unseen:
            copy[field] = states[field]
        assert game.problems(copy[0], rules[0]) == []
        if n % 5 == 0:
            for start in (copy, blank):
                for _ in play_on(game, start, rules, n):
                    pass
            assert game.problems(copy[0], rules[0]) == []
            assert game.team or 1 in copy[0]["rank"][:seats]
