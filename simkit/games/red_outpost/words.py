"""Red Outpost in words: the table, and what is done and what comes of it (plain Python)."""

from collections.abc import Callable
from typing import Any

from simkit.engine.game import HIDDEN, SECRET
from simkit.engine.options import to_words
from simkit.engine.rule_helpers import OVER
from simkit.formatting import counted
from simkit.games.red_outpost import facts
from simkit.games.red_outpost.facts import MOVE, SHIFT, Card, Decision, Disk, Palace, Phase, Store

PLACES = ["Pasture", "Palace", "Farm", "Beer House", "Storehouse", "Administration", "Spaceship", "Mine",
          "Field Kitchen", "Lake", "Labor Camp", "Barracks"]  # fmt: skip
PEOPLE = [name.capitalize() for name in facts.WORKER_NAMES]
GOODS = facts.RESOURCE_NAMES
PHASES = {Phase.day1: "Day 1", Phase.day2: "Day 2"}
BETWEEN = (Decision.card_keep, Decision.lunch_down, Decision.barr_from, Decision.barr_to)  # turns
CATCH = ["no fish", "1 fish", "2 fish and good mood"]
PUBLIC = ["produced", "added", "exports", "exports_of", "export_vp", "wheel_rewards", "vp_mood"]


def places(mask: int) -> str:
    """Return, e.g., `Palace, Beer House`."""
    return ", ".join(name for place, name in enumerate(PLACES) if mask >> place & 1) or "nothing"


def card_name(card: int) -> str:
    """Return, e.g., `card 4 (Beer House)`."""
    return f"card {card} ({to_words(Card(card).name)})"


def show(s: Any, rules: Any) -> str:
    """Return the head of a phase: workers and moods, the storehouse, every seat."""
    seats = [_seat(s, rules, seat) for seat in range(s.seats)]
    if s.seat == OVER:
        return "\n".join(["at the end:", *seats])
    phase = PHASES.get(Phase(int(s.phase)), Phase(int(s.phase)).name.capitalize())
    blocked = {Phase.morning: s.block_morning, Phase.evening: s.block_evening}.get(Phase(int(s.phase)), 0)
    turn = "" if s.decision in BETWEEN else f", turn {s.turn_no + 1}"
    head = f"round {s.round_no + 1}, {phase}{turn}; first-player token: seat {s.token}"
    workers = [f"{name} {_mood(s, rules, w)} {PLACES[s.wloc[w]]}{' (flat)' * int(s.tired[w])}"
               for w, name in enumerate(PEOPLE)]  # fmt: skip
    goods = [f"{name} {s.store[r]} (exported {s.epos[r]})" for r, name in enumerate(GOODS)]
    return "\n".join(
        [
            head + (f"; blocked: {places(int(blocked))}" if blocked else ""),
            "workers: " + "; ".join(workers),
            "storehouse: " + ", ".join(goods),
            *seats,
        ]
    )


def _mood(s: Any, rules: Any, worker: int) -> str:
    return f"{rules.mood_value[s.mood[worker]]:+d}"


def _seat(s: Any, rules: Any, seat: int) -> str:
    """Return, e.g., `seat 0: 7 VP, 1 crystal, 8 disks, wheel 2/4; Miner 1; card 4 (Beer House)`."""
    disks = [f"{PEOPLE[w]} {n}" for w, n in enumerate(s.infl[seat] + s.pcry[seat]) if n]
    parts = [
        f"seat {seat}: {s.score[seat]} VP",
        f"{counted(int(s.crystals[seat]), 'crystal')}, {counted(int(s.reserve[seat]), 'disk')} left",
        f"wheel {s.wheel[seat]} of {rules.wheel_length}",
    ]
    parts += [", ".join(disks)] if disks else []
    parts += [f"{s.palace[seat]} at the Palace"] if s.palace[seat] else []
    parts += [card_name(card + 1) for card in range(facts.CARDS) if s.card_owner[card] == seat]
    return "; ".join(parts)


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    """Return the action and its outcome in words."""
    done = SECRET if action == HIDDEN else NARRATE[Decision(int(s.decision))](s, action)
    return "; ".join(part for part in [done, *_outcome(s, rules, after)] if part)


def _move(s: Any, action: int) -> str:
    worker, place = MOVE.worker(action), MOVE.location(action)
    stays = " again" if s.wloc[worker] == place else ""
    return f"{PEOPLE[worker]} to the {PLACES[place]}{stays}"


def _disk(s: Any, action: int) -> str:
    return {
        Disk.normal: "places the disk",
        Disk.store: "puts the disk on card 6",
        Disk.release: "places the disk and the one on card 6",
        Disk.forgo: "keeps the disk (card 11)",
    }[Disk(action)]


def _palace(s: Any, action: int) -> str:
    if action < Palace.portrait:
        return ["gives nothing", "donates a crystal"][action]
    return f"puts a crystal on the {PEOPLE[action - Palace.portrait]}"


def _store(s: Any, action: int) -> str:
    if action == Store.nothing:
        return "leaves the storehouse as it is"
    if action < Store.sell:
        return f"gives {GOODS[action - Store.mood]} for mood"
    if action < Store.buy:
        return f"gives {GOODS[action - Store.sell]} for a crystal"
    return f"pays a crystal for {GOODS[action - Store.buy]}"


def _admin(s: Any, action: int) -> str:
    if not SHIFT.has(action):
        return "moves no disk"
    return f"takes from seat {SHIFT.seat(action)} a disk on the {PEOPLE[SHIFT.worker(action)]}"


def _worker(gives: str, nothing: str) -> Callable[[Any, int], str]:
    """Return the words of a decision with ids 0 for nothing and 1 + worker."""
    return lambda s, action: f"{gives} {PEOPLE[action - 1]}" if action else nothing


def _either(*texts: str) -> Callable[[Any, int], str]:
    return lambda s, action: texts[action]


def _good(says: str) -> Callable[[Any, int], str]:
    return lambda s, action: f"{says} {GOODS[action]}"


def _source(s: Any, action: int) -> str:
    return "draws" if action == 0 else f"takes {CATCH[action - 1]} from the discard pile (card 10)"


NARRATE: dict[Decision, Callable[[Any, int], str]] = {
    Decision.card_keep: lambda s, action: f"keeps {card_name(action + 1)}",
    Decision.lunch_down: _worker("lays down the", "lays nobody down"),
    Decision.move: _move,
    Decision.disk: _disk,
    Decision.alt: lambda s, action: f"uses card {s.cur_loc + 1}" if action else "acts as usual",
    Decision.palace: _palace,
    Decision.farm_res: _good("grows"),
    Decision.beer_gain: _worker("pays a crystal; better mood for the", "swaps no moods"),
    Decision.beer_lose: lambda s, worker: f"worse mood for the {PEOPLE[worker]}",
    Decision.store_opt: _store,
    Decision.store_gain: lambda s, worker: f"better mood for the {PEOPLE[worker]}",
    Decision.store_lose: lambda s, worker: f"worse mood for the {PEOPLE[worker]}",
    Decision.admin_from: _admin,
    Decision.admin_to: lambda s, worker: f"puts it on the {PEOPLE[worker]}",
    Decision.ship_res: _good("picks"),
    Decision.ship_export: lambda s, a: f"ships one of each, {GOODS[a - 1]} abroad" if a else "ships nothing",
    Decision.lake_pre: _either("leaves the lake as it is", "shuffles the lake first"),
    Decision.lake_src: _source,
    Decision.lake_pick: lambda s, action: f"takes {CATCH[s.lake_held[action]]}",
    Decision.lake_post: _either("leaves the lake as it is", "shuffles the lake"),
    Decision.miner_extra: lambda s, a: f"one more {GOODS[a - 1]} (card 16)" if a else "no more",
    Decision.commissar_donate: _either("gives nothing", "donates a crystal (card 17)"),
    Decision.fish_worker: _worker("the Fisherman takes along the", "takes nobody along"),
    Decision.fish_loc: lambda s, place: f"to the {PLACES[place]}",
    Decision.barr_from: _worker("takes a disk from the", "moves no disk"),
    Decision.barr_to: lambda s, worker: f"puts it on the {PEOPLE[worker]}",
}


def _outcome(s: Any, rules: Any, after: Any) -> list[str]:
    """Return what was produced, exported and won, as logged."""
    before, now, parts = s.log.game, after.log.game, []
    seat = int(s.seat)
    for name, verb in (("produced", "produces"), ("added", "adds")):
        new = now[name].astype(int) - before[name]
        goods = [f"{n} {GOODS[r]}" for r, n in enumerate(new) if n]
        parts += [f"{verb} {', '.join(goods)}"] if goods else []
    if now.exports > before.exports:
        which = [GOODS[r] for r, n in enumerate(now.exports_of - before.exports_of) if n]
        parts.append(f"exports {', '.join(which)} for {now.export_vp - before.export_vp} VP")
    if now.wheel_rewards > before.wheel_rewards:
        parts.append("the wheel comes round")
    if after.round_no > s.round_no or after.seat == OVER:
        mood = [int(a.vp_mood - b.vp_mood) for a, b in zip(after.log.seat, s.log.seat, strict=True)]
        parts.append(f"moods score {', '.join(f'{points:+d}' for points in mood[: s.seats])}")
    elif after.score[seat] != s.score[seat]:
        parts.append(f"now {after.score[seat]} VP")
    return parts
