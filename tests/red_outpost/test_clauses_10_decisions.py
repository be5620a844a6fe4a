"""RO-10 decision points and action ids: the docstring of each test begins with its clause."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import Decision

from .positions import WORKERS, Position, Walk, copied, given, moves, rules_of

# kind: size of the range of ids, most legal ids (RO-10.2)
KINDS = {
    "card_keep": (18, 3), "lunch_down": (7, 7), "move": (72, 60), "disk": (4, 3), "alt": (2, 2),
    "palace": (8, 8),
    "farm_res": (4, 4), "beer_gain": (7, 7), "beer_lose": (6, 5), "store_opt": (13, 13), "store_gain": (6, 6),
    "store_lose": (6, 5), "admin_from": (25, 21), "admin_to": (6, 4), "ship_res": (4, 4),
    "ship_export": (5, 5),
    "lake_pre": (2, 2), "lake_src": (4, 4), "lake_pick": (2, 2), "lake_post": (2, 2), "miner_extra": (5, 4),
    "commissar_donate": (2, 2), "fish_worker": (7, 6), "fish_loc": (12, 9), "barr_from": (7, 3),
    "barr_to": (6, 4),
}  # fmt: skip
ALL_CARDS = {f"card_{n}": f"seat_{n % 2}" for n in range(1, 19)}
COUNT = [
    (2, ALL_CARDS | {"rounds": 4, "blocking": "random"}),
    (3, ALL_CARDS | {"rounds": 2, "administration_disks": "any", "start_crystals": 5}),
    (4, {"special_location_choice": 3, "special_worker_choice": 2, "blocking": "none", "rounds": 1}),
]


def test_forced_moves_are_no_decisions():
    """RO-10.1 T31: an empty storehouse and no crystal: one decision in the turn."""
    given(crystals=[0, 0]).when(0, "miner storehouse").then(decided=1, seat=1, decision="move")


def test_forced_decisions_draw_no_random_number():
    """RO-10.1 decisions are those with more than one legal id; only these are asked of a player."""
    options = {"start_crystals": 0, "rounds": 1}
    rules = rules_of(options)
    player = registry.player(game, parse_lineup("random")[0], 2)
    trail = np.full(game.max_steps, -1, np.int64)
    deals, still = np.zeros(1, np.int64), np.zeros(1, np.int64)
    final = GameTable(game, rules).play([player] * 2, 1, deals, still, trail, compiled=False)[0]
    position, decided = Position(options), 0
    for action in trail[trail >= 0].tolist():
        decided += len(position.legal()) > 1
        game.apply(position.s, position.rules, action, position.rng[0])
    assert position.over and decided == int(final.log.game.decisions) < len(trail[trail >= 0])
    assert position.s.score.tolist() == final.score.tolist()


def test_kinds():
    """RO-10.2 the kinds in the order of the table; 242 ids of a flat encoding."""
    assert [kind.name for kind in Decision if kind != Decision.none] == list(KINDS)
    assert sum(size for size, _ in KINDS.values()) == 242


def test_ids_of_random_games():
    """RO-10.2 every kind is met; ids ascend within the range of their kind, never more than the most."""
    most: Counter[str] = Counter()
    for deal, (seats, options) in enumerate(COUNT):
        walk = Walk(options, seats, deal)
        for kind, seat, ids, _ in walk.steps():
            size, limit = KINDS[kind]
            assert ids[0] >= 0 and ids[-1] < size and len(ids) <= limit, (kind, ids)
            assert 0 <= seat < seats
            most[kind] = max(most[kind], len(ids))
    rare = {"ship_export", "barr_to", "store_lose", "store_gain", "card_keep"}
    assert set(KINDS) - set(most) <= rare - {"card_keep"}
    assert most["move"] == 60 and most["card_keep"] == 3


@pytest.mark.parametrize(
    ("kind", "make"),
    [
        ("move", lambda: Position({"blocking": "none"})),
        ("disk", lambda: given(cards={0: [6, 11]}, card_disk=[1]).when(0, "miner labor_camp")),
        ("palace", lambda: given(cards={0: [2]}).when(0, "miner palace")),
        ("farm_res", lambda: given(cards={0: [3]}).when(0, "miner farm")),
        ("beer_gain", lambda: given().when(0, "miner beer_house")),
        ("beer_lose", lambda: given().when(0, "miner beer_house", "beer farmer")),
        ("store_opt", lambda: given(store=dict.fromkeys(("wool", "wheat", "fish", "coal"), 1)).when(
            0, "miner storehouse")),
        ("store_gain", lambda: given(store={"wool": 1}).when(0, "miner storehouse", "mood wool")),
        ("store_lose", lambda: given(store={"wool": 1}).when(
            0, "miner storehouse", "mood wool", "better farmer")),
        ("admin_from", lambda: full_house("any").when(0, "miner administration")),
        ("admin_to", lambda: full_house("any").when(0, "miner administration", "take 0 farmer")),
        ("ship_res", lambda: given(ship=[9]).when(0, "miner spaceship")),
        ("ship_export", lambda: given(cards={0: [7]}, ship=[0], store=dict.fromkeys(
            ("wool", "wheat", "fish", "coal"), 1)).when(0, "miner spaceship")),
        ("lake_src", lambda: given(cards={0: [10]}, lake=[0, 0, 1]).when(0, "miner lake")),
        ("miner_extra", lambda: given(cards={0: [16]}).when(0, "miner labor_camp")),
        ("fish_worker", lambda: given(cards={0: [15]}).when(0, "fisherman mine")),
        ("fish_loc", lambda: given(cards={0: [15]}).when(0, "fisherman mine", "along miner")),
    ],
)  # fmt: skip
def test_most_legal_ids(kind, make):
    """RO-10.2 positions with as many ids as there can be."""
    position = make()
    assert position.decision == kind and len(position.legal()) == KINDS[kind][1]


def full_house(which):
    """Four seats with a disk on every worker."""
    disks = {seat: dict.fromkeys(WORKERS, 1) for seat in range(4)}
    options = {"administration_disks": which, "disks_delta": 3}
    return given(seats=4, disks=disks, options=options)


def test_most_moves_and_disks():
    """RO-10.2 48 moves with the default tokens and no cards; 16 ids of ADMIN_FROM of others' disks."""
    position = given({"miner": "mine", "farmer": "farm"}, phase="day1", turn=0)
    assert len(position.legal()) == 48
    assert full_house("others").when(0, "miner administration").legal() == [
        0, *(1 + 6 * q + w for q in (1, 2, 3) for w in (0, 1, 2, 4, 5)),
    ]  # fmt: skip


def test_move_ids():
    """RO-10.2 worker * 12 + location."""
    assert moves("bureaucrat", "beer_house") == [63] and moves("fisherman", "lake") == [33]
    Position({"blocking": "none"}).then(
        legal=[12 * w + place for w in range(6) for place in (0, 1, 2, 3, 4, 5, 6, 7, 9, 10)]
    )


def test_chance_comes_after_the_move():
    """RO-10.3 the draw belongs to the turn; a turn is resumed from nothing but the state."""
    walk = Walk(ALL_CARDS | {"rounds": 1, "blocking": "random"}, 2, 5)
    other = Walk(ALL_CARDS | {"rounds": 1, "blocking": "random"}, 2, 5)
    middle = 0
    for kind, _, _, action in walk.steps():
        other.states = copied(other.states)
        other.s = other.states[0]
        game.apply(other.s, other.rules, action, other.rng[0])
        middle += kind not in ("move", "card_keep")
    assert other.states.tobytes() == walk.states.tobytes() and middle > 15


def test_pairs():
    """RO-10.4 all thirty pairs of a swap can be chosen, element by element."""
    pairs = set()
    for gain in WORKERS:
        position = given().when(0, "miner beer_house", f"beer {gain}")
        pairs |= {(WORKERS.index(gain), lose) for lose in position.legal()}
    assert len(pairs) == 30 and all(gain != lose for gain, lose in pairs)


def test_most_decisions_of_a_turn():
    """RO-10.5 eight: Lake, Fisherman, cards 10 and 15, card 6 holding a disk."""
    position = given(cards={0: [6, 10, 15]}, card_disk=[1], lake=[0, 1, 2])
    position.when(0, "fisherman lake", "disk normal", "leave", "fetch 1", "second", "leave")
    position.when(0, "along miner", "at mine").then(decided=8, seat=1, decision="move")


def test_order_within_a_turn():
    """RO-10.5 MOVE, DISK, ALT, the location, then cards 16, 17, 15."""
    position = given(cards={0: [1, 6]}, card_disk=[1]).when(0, "miner pasture").then(decision="disk")
    position.when(0, "disk normal").then(decision="alt").when(0, "alt card").then(decision="move")
    commissar = given(cards={0: [6, 17]}, card_disk=[1], crystals=[2, 1]).when(0, "commissar palace")
    commissar.then(decision="disk").when(0, "disk release").then(decision="palace")
    commissar.when(0, "palace nothing").then(decision="commissar_donate")
    given(cards={0: [8, 16]}).when(0, "miner mine", "alt card").then(decision="move", seat=1)
    ship = given(cards={0: [7]}, ship=[10], store=dict.fromkeys(("wool", "wheat", "fish"), 1))
    ship.when(0, "miner spaceship", "pick coal").then(decision="ship_export", crystals=[2, 1])


def test_few_decisions_of_a_game():
    """RO-10.5 with two rounds fewer than 410."""
    assert game.max_steps > 810
    for deal in range(2):
        walk = Walk(ALL_CARDS, 2, deal)
        assert sum(len(ids) > 1 for _, _, ids, _ in walk.steps()) < 410
