"""Red Outpost: broken invariants in words (RO-13; plain Python)."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.engine.rule_helpers import OVER
from simkit.games.red_outpost.facts import (
    BARRACKS,
    FISH_CARDS,
    KITCHEN,
    NOBODY,
    RESOURCES,
    WORKERS,
    Card,
    Decision,
    Disk,
    Phase,
)
from simkit.games.red_outpost.options import DayTurns
from simkit.games.red_outpost.turns import turns_of_phase


def problems(s: Any, rules: Any) -> list[str]:
    """Return the rules of RO-13 that a position breaks, in words."""
    now = SimpleNamespace(**{name: s[name] for name in s.dtype.names})
    checks = (_disks, _crystals, _cubes, _decks, _workers, _wheel, _turns, _points, _cards)
    return [problem for check in checks for problem in check(now, rules)]


def _mine(now: Any, values: Any) -> Any:
    return values[: now.seats].astype(np.int64)


def _disks(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.1."""
    disks = now.reserve + now.infl.sum(axis=1) + now.card_disk
    if (_mine(now, disks) != rules.disks[now.seats]).any() or min(now.reserve.min(), now.infl.min()) < 0:
        yield "RO-13.1 disks are lost or doubled"


def _crystals(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.2, .11."""
    held = int(now.crystals.sum() + now.palace.sum() + now.pcry.sum())
    if held + now.crystals_left != rules.crystal_supply:
        yield "RO-13.2 crystals are lost or doubled"
    if min(now.crystals.min(), now.palace.min(), now.pcry.min()) < 0 or (
        rules.crystal_supply > 0 and now.crystals_left < 0
    ):
        yield "RO-13.11 a stock of crystals is below 0"


def _cubes(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.3, .14: cubes that came are those that went or lie in the storehouse."""
    if now.store.min() < 0 or now.store.max() >= rules.export_threshold:
        yield "RO-13.3 the storehouse holds a complete set, or less than nothing"
    if (now.epos > rules.export_spaces).any():
        yield "RO-13.3 more cubes on an export track than it has fixed spaces"
    log = now.log["game"]
    came = int(log["produced"].sum() + log["added"].sum())
    fours = int(log["card_uses"][Card.spaceship - 1])
    sold = int(log["store_mood"] + log["store_to_crystal"])
    went = sold + (int(log["exports"]) - fours) * int(rules.export_threshold) + RESOURCES * fours
    if came != went + now.store.sum():
        yield "RO-13.3 cubes are lost or doubled"
    if ((now.put_by != NOBODY).sum(axis=1) != now.store).any():
        yield "RO-13.14 a cube in the storehouse without the seat that put it"


def _decks(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.4."""
    held = [kind for kind in now.lake_held if kind != NOBODY]
    deck = [*now.lake_deck[: now.lake_n], *held]
    if (np.bincount(deck, minlength=3) + now.lake_disc != rules.lake_count).any():
        yield "RO-13.4 lake cards are lost or doubled"
    between = now.decision in (Decision.move, Decision.none)
    if between and (now.lake_n == 0 or now.lake_disc[1] + now.lake_disc[2] == FISH_CARDS):
        yield "RO-13.4 the lake was not shuffled when all fish were caught"
    ship = np.bincount(now.ship_deck[: now.ship_n].astype(np.int64), minlength=len(now.ship_disc))
    if (ship + now.ship_disc != rules.ship_count).any():
        yield "RO-13.4 spaceship cards are lost or doubled"


def _workers(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.5, .8, .13."""
    places = 1 << now.wloc.astype(np.int64)
    ordinary = [int(place) for place in places if place not in (BARRACKS, KITCHEN)]
    if now.card_owner[Card.farmer - 1] == NOBODY and len(set(ordinary)) < len(ordinary):
        yield "RO-13.5 two workers at an ordinary location"
    if now.mood.min() < 0 or now.mood.max() >= rules.mood_spaces:
        yield "RO-13.8 a mood beyond the track"
    begins = now.turn_no == 0 and now.phase == Phase.day1 and now.decision == Decision.move
    alone = begins and now.card_owner[Card.fisherman - 1] == NOBODY
    if alone and (places == BARRACKS).sum() != WORKERS - now.seats:
        yield "RO-13.13 the wrong number of workers slept in"


def _wheel(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.7: rewards of the whole table, as steps are counted by type."""
    if now.wheel.min() < 0 or now.wheel.max() >= rules.wheel_length:
        yield "RO-13.7 a marker beyond the wheel"
    steps = int(now.log["game"]["produced"].sum() + 3 * now.log["game"]["card_uses"][Card.mine - 1])
    rewards = int(now.log["game"]["wheel_rewards"])
    if steps != rewards * int(rules.wheel_length) + int(now.wheel.sum()):
        yield "RO-13.7 the rewards of the wheel are not those of its steps"


def _turns(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.6, .9."""
    log = now.log["game"]
    if log["no_legal_move"]:
        yield "RO-13.9 a seat had no legal move"
    phase = now.decision == Decision.move and now.seat != OVER
    laid = now.card_owner[Card.field_kitchen - 1] != NOBODY and now.phase == Phase.lunch
    if phase and not laid and now.tired.sum() != now.turn_no:
        yield "RO-13.6 workers lie flat that have not been moved"
    if now.seat == OVER:
        days = 2 * (WORKERS // now.seats * now.seats if rules.day_turns == DayTurns.equal else WORKERS)
        if log["turns"] != rules.rounds * (3 * now.seats + days):
            yield "RO-13.9 the wrong number of turns"
    elif now.turn_no > turns_of_phase(now, rules):
        yield "RO-13.9 more turns than the phase has"


def _points(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.10, .12: points are those of their sources, cards and seats agree."""
    own = now.log["seat"][: now.seats]
    sources = sum(own[f"vp_{source}"] for source in ("wheel", "export", "mood", "palace", "crystals"))
    if (_mine(now, now.score) != rules.seat_vp[: now.seats] + sources).any():
        yield "RO-13.10 points are not those of their sources"
    if own["vp_export"].sum() != now.log["game"]["export_vp"]:
        yield "RO-13.10 exports of the seats are not those of the game"


def _cards(now: Any, rules: Any) -> Iterator[str]:
    """RO-13.14, RO-2.11."""
    if now.card_owner.max() >= now.seats or now.card_owner.min() < NOBODY:
        yield "RO-13.14 a special card of a seat that is not there"
    if now.decision == Decision.disk and now.card_disk.max() > Disk.store:
        yield "RO-13.1 more than one disk on card 6"
