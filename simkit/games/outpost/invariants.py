"""Outpost: broken invariants in words (OP-11; plain Python)."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.game import OVER
from simkit.games.outpost.facts import (
    F_RESEARCH,
    F_TITANIUM,
    HEAVY,
    IOU,
    LABORATORY,
    MEGA,
    NOBODY,
    NODULE,
    ORDINARY,
    OUTPOST,
    REAL,
    ROBOTS,
    WAREHOUSE,
    DiscardTiming,
    Kind,
    RobotsLimit,
    Step,
)

READ = (
    "seats", "seat", "kind", "step", "phase", "turn", "at", "order", "supply", "market", "destroyed", "supply_start", "discard", "draw",
    "pile", "mega_out", "hand", "cards", "wealth", "load", "upgrades", "factories", "operated", "population", "robots", "score", "barred",
    "lot", "bidder", "bid", "payer", "due", "assign_at", "immune",
)  # fmt: skip
COLONY = ("upgrades", "factories", "operated", "population", "robots", "load", "order")
WHERE = ("seats", "seat", "step", "at")
OPTIONS = (
    "pop_max_base", "pop_nodule", "pop_outpost", "space_terrorism", "start_population", "hand_capacity_base", "capacity_warehouse",
    "capacity_outpost", "discard_timing", "robots_limit", "robots_man_specials",
)  # fmt: skip


def problems(s: Any, rules: Any) -> list[str]:
    """What of OP-11 does not hold in a position."""
    now = SimpleNamespace(**{name: s[name] for name in READ})
    now.log = s["log"]["game"]
    return [
        *_cards(now, rules),
        *_market(now, rules),
        *_turn(now, rules),
        *_colonies(now, rules),
        *_auction(now, rules),
    ]


def _cards(now: Any, rules: Any) -> Iterator[str]:
    """OP-11.1, .2: cards are conserved; the counts kept beside the hands agree with them."""
    hand = now.hand.astype(np.int64)
    if (hand < 0).any() or (now.draw < 0).any() or (now.discard < 0).any():
        yield "OP-11.1 a pile or a hand holds less than nothing"
    if (hand[:, :REAL].sum(axis=0) + now.draw + now.discard != rules["copies"]).any():
        yield "OP-11.1 draw piles, discards and hands do not make up the decks"
    if (hand[:, MEGA:IOU].sum(axis=0) != now.mega_out).any() or (
        rules["mega_supply"] and (now.mega_out > rules["mega_supply"]).any()
    ):
        yield "OP-11.2 mega-cards in hands are not those given out"
    product = rules["product_of"]
    if (now.pile != np.bincount(product[:REAL], weights=now.draw, minlength=9)).any():
        yield "OP-9.12 the piles counted by product and by kind differ"
    for name, weights in (("wealth", rules["value"]), ("load", rules["units"])):
        if (getattr(now, name) != hand @ weights.astype(np.int64)).any():
            yield f"OP-4 {name} kept and counted differ"
    if (now.cards != hand @ (product[:, np.newaxis] == np.arange(9)).astype(np.int64)).any():
        yield "OP-9.12 hands counted by product and by kind differ"


def _market(now: Any, rules: Any) -> Iterator[str]:
    """OP-11.3, .4, .13: upgrades are conserved, the market keeps its limits."""
    owned = now.upgrades.astype(np.int64).sum(axis=0)
    if (
        (now.supply + now.market + now.destroyed + owned != now.supply_start).any()
        or (now.supply < 0).any()
        or (now.market < 0).any()
    ):
        yield "OP-11.3 upgrades are lost or doubled"
    seats = int(now.seats)
    if now.market.max() > max(1, seats // 2 + int(rules["duplicate_limit_delta"])):
        yield "OP-11.3 too many copies of a type on the market"
    if now.market.sum() > max(1, seats + int(rules["market_size_delta"])):
        yield "OP-11.3 too many cards on the market"
    seen = now.market + now.destroyed + owned
    if (now.phase < 2 and seen[4:].any()) or (now.phase < 3 and seen[ORDINARY:].any()):
        yield "OP-11.4 an upgrade came before its phase"
    if not rules["space_terrorism"] and owned.sum() != now.log["sold"] - (
        now.payer != NOBODY and now.kind == Kind.pay and _pays_upgrade(now)
    ):
        yield "OP-11.13 upgrades owned and upgrades sold differ"


def _pays_upgrade(now: Any) -> bool:
    return bool(now.log["sold"] > now.upgrades.sum())


def _turn(now: Any, rules: Any) -> Iterator[str]:
    """OP-11.5, .13, .14: order, turn and phase."""
    if sorted(int(seat) for seat in now.order[: now.seats]) != list(range(now.seats)):
        yield "OP-11.5 the purchase order is no permutation"
    if not 1 <= now.turn <= rules["max_turns"] or not 1 <= now.phase <= 3:
        yield "OP-11.13 turn or phase out of range"
    if now.seat == OVER and now.log["turns"] != now.turn:
        yield "OP-11.13 turns played and counted differ"
    if now.log["defaults"] > int(now.turn) * int(now.seats):
        yield "OP-11.14 more defaults than players in each turn"


def _colonies(now: Any, rules: Any) -> Iterator[str]:
    """OP-11.6 to .9, .12: sites, population, hands within capacity, victory points."""
    owned = np.concatenate([now.factories, now.upgrades[:, ORDINARY:]], axis=1)
    if (now.operated > owned).any() or (now.operated < 0).any() or (now.factories < 0).any():
        yield "OP-11.6 more sites are operated than owned"
    vp = (
        now.upgrades[:, :ORDINARY].astype(np.int64) @ rules["vp"][:ORDINARY]
        + now.operated.astype(np.int64) @ rules["site_vp"]
    )
    if (vp != now.score).any():
        yield "OP-11.12 victory points kept and counted differ"
    options = {name: rules[name].item() for name in OPTIONS}
    table = SimpleNamespace(
        **{name: getattr(now, name).tolist() for name in COLONY},
        **{name: int(getattr(now, name)) for name in WHERE},
    )
    for place, seat in enumerate(table.order[: table.seats]):
        yield from _colony(table, options, place, seat)


def _colony(now: Any, options: dict[str, int], place: int, seat: int) -> Iterator[str]:
    """OP-11.6 to .9 for one seat."""
    own, population = now.upgrades[seat], now.population[seat]
    base = (
        options["pop_max_base"] + own[NODULE] * options["pop_nodule"] + own[OUTPOST] * options["pop_outpost"]
    )
    specials, terror = sum(own[ORDINARY:]), options["space_terrorism"]
    assigned = now.step > Step.operators or (now.step == Step.operators and place < now.at)
    housed = population <= base + specials
    if not housed and (assigned or not (terror or population <= options["start_population"])):
        yield f"OP-11.7 seat {seat}: more population than housing"
    if assigned:
        yield from _operators(now, options, seat, specials)
    if not terror:
        yield from _technology(now, seat)
    capacity = (
        options["hand_capacity_base"]
        + own[WAREHOUSE] * options["capacity_warehouse"]
        + own[OUTPOST] * options["capacity_outpost"]
    )
    early = options["discard_timing"] == DiscardTiming.before_actions
    done = now.step in (Step.early_discard, Step.late_discard) and place < now.at
    kept = (early and now.step == Step.actions and not terror) or (now.seat == OVER and not early)
    if (done or kept) and now.load[seat] > capacity:
        yield f"OP-11.8 seat {seat}: hand beyond its capacity"


def _operators(now: Any, options: dict[str, int], seat: int, specials: int) -> Iterator[str]:
    """OP-11.6: everything that can be operated is."""
    population, robots, sites = now.population[seat], now.robots[seat], sum(now.factories[seat])
    if options["robots_limit"] == RobotsLimit.times_population:
        robots = min(robots, now.upgrades[seat][ROBOTS] * population)
    most = min(min(specials, population) + sites, population + robots)
    if options["robots_man_specials"]:
        most = min(specials + sites, population + robots)
    if sum(now.operated[seat]) != most:
        yield f"OP-11.6 seat {seat}: {sum(now.operated[seat])} sites are operated, not {most}"
    if not options["robots_man_specials"] and sum(now.operated[seat][5:]) > population:
        yield f"OP-11.6 seat {seat}: more specials operated than population"


def _technology(now: Any, seat: int) -> Iterator[str]:
    """OP-11.9."""
    own, sites = now.upgrades[seat], now.factories[seat]
    if sites[F_RESEARCH] and not own[LABORATORY]:
        yield f"OP-11.9 seat {seat}: research factories without a laboratory"
    if sites[F_TITANIUM] and not own[HEAVY] and not own[OUTPOST]:
        yield f"OP-11.9 seat {seat}: titanium factories without heavy equipment or outpost"


def _auction(now: Any, rules: Any) -> Iterator[str]:
    """OP-11.10, .11: payments can be made, bids can be paid."""
    if now.kind == Kind.pay and now.due > 0 and now.wealth[now.payer] <= 0:
        yield "OP-11.10 a payment cannot be made"
    if now.lot == NOBODY or now.bidder == NOBODY or rules["secret_overbidding"]:
        return
    off = now.upgrades[now.bidder, [0, 2, 8]].astype(np.int64) @ rules["discount"][:, now.lot]
    if now.bid > now.wealth[now.bidder] + off or now.bid < rules["cost"][now.lot]:
        yield "OP-11.11 the high bid is beyond the hand, or below the printed cost"
