"""Invariants (RO-13) over random games with random options; broken ones are told."""

from __future__ import annotations

import pytest

from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import Decision
from simkit.verify.check import random_settings

from .positions import RESOURCES, WORKERS, Walk, given

SETTINGS = random_settings(game, 60, 3)
CARDED = {f"card_{n}": f"seat_{n % 3}" for n in range(1, 19)}
FAST = [
    {}, {"ruleset": "full_game"}, CARDED | {"blocking": "random"},
    CARDED | {"wheel_length": 2, "export_threshold": 4, "crystal_supply": 0, "start_crystals": 5},
    CARDED | {"disks_delta": -4, "crystal_supply": 6, "day_turns": "equal", "admin_card_carry": "returns"},
    {"special_location_choice": 3, "special_worker_choice": 3, "blocking": "random_each_round"},
    {"special_location_cards": 3, "special_worker_cards": 3, "mood_track": "linear3", "mood_reset": False},
    *SETTINGS[:4],
]  # fmt: skip
SHARED = ["turns", "exports", "foreign_cubes_exported", "wheel_rewards", "crystals_gained", "crystals_paid"]


def sums_agree(walk):
    """RO-17.1: the seats table adds up to the games table."""
    log, seats = walk.game_log(), [walk.seat_log(seat) for seat in range(walk.seats)]
    assert not [name for name in SHARED if log[name] != sum(own[name] for own in seats)]
    per_thing = [name for name in log if name.startswith(("visits_", "moved_"))]
    assert len(per_thing) == 18
    assert not [name for name in per_thing if log[name] != sum(own[name] for own in seats)]
    assert sum(log[f"produced_{r}"] for r in RESOURCES) == sum(own["cubes_produced"] for own in seats)
    assert sum(log[f"added_{r}"] for r in RESOURCES) == sum(own["cubes_added"] for own in seats)
    assert sum(log[f"exports_{r}"] for r in RESOURCES) == log["exports"]
    assert log["export_vp"] == sum(own["vp_export"] for own in seats)
    assert log["palace_donations"] == sum(own["donated"] for own in seats)
    assert log["turns"] == sum(v for name, v in log.items() if name.startswith("visits_"))
    assert sum(v for name, v in log.items() if name.startswith("vp_at_")) == sum(
        own["vp_wheel"] + own["vp_export"] for own in seats
    )
    assert log["round_mood_vp"] == sum(log[f"mood_{w}"] for w in WORKERS)
    assert log["crystals_gained"] >= 0 and log["no_legal_move"] == 0


def export_points(walk):
    """RO-13.10 the VP of exports as the tracks and the numbers of exports say."""
    rules, log, total = walk.rules, walk.game_log(), 0
    for r, name in enumerate(RESOURCES):
        n, fixed = log[f"exports_{name}"], int(rules.export_spaces[r])
        values = [int(rules.export_value[r, min(k, fixed)]) + int(rules.export_bonus) for k in range(n)]
        total += sum(values)
        assert int(walk.s.epos[r]) == min(n, fixed)
    return total


def check_game(options, seats, deal):
    """One random game: RO-13 after every action, RO-17.1 at the end."""
    walk = Walk(options, seats, deal)
    where, used = f"{options}, {seats} seats, deal {deal}", [0] * seats
    tracks, donated = [0] * 4, [0] * 4
    for kind, seat, _, action in walk.steps():
        assert walk.problems() == [], f"{walk.problems()} ({where})"
        used[seat] += kind == "alt" and action == 1 and int(walk.s.cur_loc) == 7
        now, gifts = walk.s.epos.tolist(), walk.s.palace.tolist()
        assert all(a <= b for a, b in zip(tracks, now, strict=True)), where  # RO-13.3
        assert all(a <= b for a, b in zip(donated, gifts, strict=True)), where  # RO-13.11
        tracks, donated = now, gifts
    assert walk.problems() == [], f"{walk.problems()} ({where})"
    sums_agree(walk)
    assert export_points(walk) == walk.game_log()["export_vp"], where
    for seat in range(seats):
        own = walk.seat_log(seat)
        steps = own["cubes_produced"] + 3 * used[seat]
        assert own["wheel_rewards"] == steps // int(walk.rules.wheel_length), where  # RO-13.7
        assert own["vp_wheel"] == own["wheel_rewards"] * int(walk.rules.wheel_vp), where
        points = sum(own[f"vp_{source}"] for source in ("wheel", "export", "mood", "palace", "crystals"))
        assert int(walk.s.score[seat]) == int(walk.rules.seat_vp[seat]) + points, where


@pytest.mark.parametrize("number", range(len(FAST)))
def test_random_games_are_sound(number):
    """RO-13, RO-17.1."""
    check_game(FAST[number], 2 + number % 3, number)


@pytest.mark.slow
@pytest.mark.proof("games.red_outpost", "strategies.red_outpost")
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_many_random_games_are_sound(seats):
    """RO-13, RO-17.1, with many settings at every number of seats."""
    for deal, options in enumerate([*FAST, *SETTINGS]):
        check_game(options, seats, deal)


@pytest.mark.parametrize("seats", [2, 4])
def test_flat_workers(seats):
    """RO-13.5, .6, .9 without cards: flats are turns taken, at available locations; all flat after a Day."""
    walk, before = Walk({"rounds": 1}, seats, 4), ()
    for kind, _, _, _ in walk.steps():
        s = walk.s
        if kind == "move":
            assert int(s.tired.sum()) == int(s.turn_no)
            if before and before[0] in (1, 3) and int(s.phase) != before[0]:
                assert before[1] == 5  # the sixth turn was the last one: all six lay flat
            before = int(s.phase), int(s.turn_no)
        open_now = 0b011011111111 | 1 << 10
        if int(s.phase) == 2:
            open_now = 1 << 8
        elif int(s.phase) == 0:
            open_now = 0b11011111111 & ~int(s.block_morning)
        elif int(s.phase) == 4:
            open_now = (0b11011111111 | 1 << 11) & ~int(s.block_evening)
        else:
            open_now = 0b11011111111
        for w in range(6):
            assert not s.tired[w] or open_now >> int(s.wloc[w]) & 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_relabelled_seats(seats):
    """RO-13.12 with the seats and the first player moved on by one, the same actions give the same game."""
    options = {"blocking": "random", "rounds": 1} | CARDED
    first, other = Walk(options, seats, 7), Walk(options, seats, 7)
    s = other.s
    s.token = s.seat = 1
    s.card_owner[:] = [(int(owner) + 1) % seats if owner >= 0 else -1 for owner in s.card_owner]
    for kind, seat, ids, action in first.steps():
        assert kind == Decision(int(s.decision)).name and int(s.seat) == (seat + 1) % seats
        same = [moved_on(kind, a, seats) for a in ids]
        assert sorted(same) == other.legal()
        game.apply(s, other.rules, moved_on(kind, action, seats), other.rng[0])
    for name in ("score", "rank", "crystals", "palace", "wheel", "reserve"):
        assert first.s[name][:seats].tolist() == [s[name][(seat + 1) % seats] for seat in range(seats)]
    assert first.game_log() == {
        **other.game_log(), "crystals_gained": first.game_log()["crystals_gained"]
    }  # fmt: skip
    for seat in range(seats):
        assert first.seat_log(seat) == other.seat_log((seat + 1) % seats)


def moved_on(kind, action, seats):
    """The action with the next seat in place of each."""
    if kind != "admin_from" or action == 0:
        return action
    seat, worker = divmod(action - 1, 6)
    return 1 + (seat + 1) % seats * 6 + worker


def sound():
    """Some disks, cubes, crystals and cards, nothing wrong."""
    return given(
        {"miner": "mine", "farmer": "farm"}, flat="miner", disks={0: {"miner": 2}, 1: {"farmer": 1}},
        portraits={0: {"miner": 1}}, store={"coal": 2, "fish": 1}, track={"coal": 1}, wheel=[1, 2],
        palace=[1, 0], cards={0: [2, 13]}, lake=[0, 1, 2], vp=[9, -3], seat=1,
    )  # fmt: skip


DAMAGE = {
    "RO-13.1": lambda s: s.infl.__setitem__((0, 3), 5),
    "RO-13.2": lambda s: s.crystals.__setitem__(1, 9),
    "RO-13.3": lambda s: s.store.__setitem__(3, 3),
    "RO-13.4": lambda s: s.lake_disc.__setitem__(0, 0),
    "RO-13.5": lambda s: s.wloc.__setitem__(1, 7),
    "RO-13.6": lambda s: s.tired.__setitem__(4, 1),
    "RO-13.7": lambda s: s.wheel.__setitem__(0, 3),
    "RO-13.8": lambda s: s.mood.__setitem__(2, 11),
    "RO-13.9": lambda s: s.log.game.__setattr__("no_legal_move", 1),
    "RO-13.10": lambda s: s.score.__setitem__(1, 4),
    "RO-13.11": lambda s: s.__setattr__("crystals_left", -1),
    "RO-13.14": lambda s: s.card_owner.__setitem__(4, 3),
}


@pytest.mark.parametrize("clause", DAMAGE)
def test_damage_is_told(clause):
    """A sound position is damaged in one place, and the problem is named."""
    position = sound()
    assert position.problems() == []
    DAMAGE[clause](position.s)
    assert any(problem.startswith(clause) for problem in position.problems()), position.problems()


def test_damage_of_spaceship_deck_and_cubes_is_told():
    """RO-13.4, .14: a lost spaceship card, a cube without the seat that put it."""
    position = sound()
    position.s.ship_disc[3] += 1
    position.s.put_by[3, 1] = -1
    result = position.problems()
    assert any(p.startswith("RO-13.4") for p in result) and any(p.startswith("RO-13.14") for p in result)
