"""A game narrated as one seat sees it says nothing that the seat cannot know."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.game import Game, Log, describe_number
from simkit.engine.perspective import Perspective
from simkit.engine.rule_helpers import observe_open
from simkit.engine.table import GameTable
from simkit.errors import PlayError
from simkit.runs import experiment, narrate
from simkit.runs.plan import make_plan
from tests import sealed_bids

BIDS = [14, 3, 20]
HIDING = [of for of in registry.games().values() if of.observe is not observe_open]
SETTINGS = {
    "outpost": [{"payment": "explicit"}, {"ruleset": "expert"}],
    "outpost_seven": [{}, {"start_rule": "keep_count"}, {"start_rule": "draft"}],
}


def narrated(game: Game, actions: list[int], seat: int | None) -> list[str]:
    """The moves of a game, as narrated for a seat."""
    place = SimpleNamespace(table=GameTable(game, game.rules()), seed=1)
    place.cell = SimpleNamespace(seats=game.seats[0])
    place.lineup = [SimpleNamespace(label="random")] * game.seats[0]
    turns = narrate.Recording(place, 0, 0, actions).turns(seat)
    return [f"seat {move.seat} {move.what}" for turn in turns for move in turn.moves]


def test_sealed_bids_are_narrated_only_to_those_who_see_them():
    assert narrated(sealed_bids.game, BIDS, None) == ["seat 0 bids 14", "seat 1 bids 3", "seat 2 bids 20"]
    assert narrated(sealed_bids.game, BIDS, 1) == ["seat 0 bids -1", "seat 1 bids 3", "seat 2 bids 20"]
    assert narrated(sealed_bids.game, BIDS, 2) == ["seat 0 bids -1", "seat 1 bids -1", "seat 2 bids 20"]


def test_a_game_without_words_says_that_the_choice_is_secret():
    silent = replace(sealed_bids.game, describe=describe_number)
    assert narrated(silent, BIDS, 1)[:2] == ["seat 0 chooses in secret", "seat 1 plays 3"]


def test_an_action_that_observe_leaks_is_narrated():
    leaking = replace(sealed_bids.game, observe=observe_all)
    assert narrated(leaking, BIDS, 1)[0] == "seat 0 bids 14"


def observe_all(s, rules, seat, view):
    observe_open(s, rules, seat, view)


def test_words_may_read_what_the_log_makes_public_and_no_more():
    logging = replace(
        sealed_bids.game, describe=lambda s, rules, action, after: f"{after.log.game.decisions}"
    )

    def counted(s, rules, action, rng):
        s.log.game.decisions += 5
        sealed_bids.apply(s, rules, action, rng)

    hiding, public = (replace(logging, apply=counted, log=Log(public=names)) for names in ([], ["decisions"]))
    assert narrated(hiding, BIDS, 1) == ["seat 0 0", "seat 1 0", "seat 2 0"]
    assert narrated(public, BIDS, 1) == ["seat 0 5", "seat 1 10", "seat 2 15"]


def test_a_public_field_that_the_log_lacks_is_refused():
    with pytest.raises(Exception, match=r"unknown field of the log of sealed_bids.*'prices'.*decisions"):
        replace(sealed_bids.game, log=Log(public=["prices"]))


@pytest.mark.parametrize(
    ("game", "setting"),
    [
        pytest.param(
            of, setting, id=f"{of.name}-{'-'.join(setting) or 'default'}", marks=[pytest.mark.slow][:place]
        )
        for of in HIDING
        for place, setting in enumerate(SETTINGS.get(of.name, [{}]))
    ],
)
def test_what_looks_the_same_to_a_seat_is_narrated_in_the_same_words(game, setting):
    """At steps of a random game: deals that the seat holds possible, in which it sees the same come of it."""
    rng, compared = np.random.default_rng(5), 0
    for deal in range(DEALS):
        seats = game.seats[0] if deal % 2 else game.default_seats
        for step in steps(GameTable(game, game.rules(setting)), deal, seats, rng):
            compared += compare_twins(*step, rng)
    assert compared > DEALS


DEALS, STEPS, FIRST, EVERY, ALTERNATIVES = 4, 90, 8, 7, 4


def steps(table: GameTable, deal: int, seats: int, rng: np.random.Generator):
    """Some steps of a random game: the table, states before and after, the action and the luck before."""
    game, rules = table.game, table.rules[0]
    s, ids = np.zeros(1, game.state_dtype)[0], np.zeros(game.max_actions, np.int64)
    luck = table.open_luck(2, deal)
    s.seats = seats
    game.setup(s, rules, luck)
    for number in range(STEPS):
        if s.seat < 0:
            return
        before, stored = s.copy(), luck.copy()
        action = int(rng.choice(ids[: game.legal(s, rules, ids)]))
        game.apply(s, rules, action, luck)
        if number % EVERY == 0 or number < FIRST:
            yield table, before, action, stored, s


def compare_twins(table: GameTable, s, action: int, luck, after, rng: np.random.Generator) -> int:
    """Compare the words for deals and actions that look the same to a seat; how many there were."""
    game, rules, compared = table.game, table.rules[0], 0
    seat = int(rng.choice([seat for seat in range(s.seats) if seat != s.seat]))
    eyes, ids = Perspective(table, seat), np.zeros(game.max_actions, np.int64)
    view, message = eyes.state(after).tobytes(), None
    for _ in range(2):
        twin = np.zeros(1, game.state_dtype)[0]
        game.observe(s, rules, seat, twin)
        game.redeal(twin, rules, seat, np.array([rng.integers(2**60)], np.uint64))
        twin["log"] = s["log"]
        legal = ids[: game.legal(twin, rules, ids)].tolist()
        for other in {int(first) for first in rng.choice(legal, ALTERNATIVES)} | ({action} & {*legal}):
            then = twin.copy()
            game.apply(then, rules, other, luck.copy())
            if eyes.state(then).tobytes() == view:
                message = message or words(eyes, s, action, luck, after)
                assert words(eyes, twin, other, luck, then) == message
                compared += 1
    return compared


def words(eyes: Perspective, s, action: int, luck, after) -> tuple[str, str]:
    return eyes.describe(s, action, luck, after)[1], eyes.show(after)


@pytest.mark.parametrize("function", ["describe", "show", "observe"])
def test_a_function_that_fails_while_narrating_is_named_with_its_line(function):
    failing = replace(sealed_bids.game, **{function: lambda *given: 1 // 0})
    with pytest.raises(PlayError, match=r"sealed_bids: the narration fails: ZeroDivisionError"):
        narrated(failing, BIDS, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "lineup", "line"),
    [
        ("outpost_seven", "random*2", "seat 0 (red) keeps 2 cards"),
        ("outpost_seven", "random*2", "seat 0 (red) repairs with blue 6 A.PRA., scrapping unseen: 0 cubes"),
        ("outpost", "random*3", "            hand unseen: ore x2 + water"),
        ("outpost", "random*3", "seat 2 settles 1 colonist; paid with ore 3 + water 7"),
        ("lunar_outpost", "random*3", "seat 0 buys intel for 2 cubes: unseen"),
        ("kuhn_poker", "random*2", "    seat 0: unseen, 1 in  seat 1: king, 1 in"),
    ],
)
def test_the_words_for_another_seat_say_what_it_can_know(game, lineup, line):
    assert line in story_for_seat_1(game, lineup)


@cache
def story_for_seat_1(game, lineup):
    keys = {"question": "?", "game": game, "deals": 1, "seed": 3, "lineups": [lineup]}
    request = experiment.parse(keys)
    return list(narrate.narrate(request, make_plan(request).cells[0], 0, telling=narrate.Telling(as_seat=1)))
