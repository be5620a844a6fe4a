"""Outpost: broken invariants in words (OP-11; plain Python)."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from simkit.engine.rule_helpers import OVER
from simkit.games.outpost import facts
from simkit.games.outpost.facts import Decision, Step, Thing, Upgrade
from simkit.games.outpost.holdings import capacity, housing
from simkit.games.outpost.options import DiscardTiming, RobotsLimit

COLONY = ("upgrades", "factories", "operated", "population", "robots", "load", "order")
Checks = Iterator[tuple[str, Any]]  # what is wrong, and whether it is


def problems(s: Any, rules: Any) -> list[str]:
    """Return the rules of OP-11 that a position breaks, in words."""
    now = SimpleNamespace(**{name: s[name] for name in s.dtype.names})
    options = SimpleNamespace(**{name: rules[name] for name in rules.dtype.names})
    checks = (_cards, _market, _turn, _colonies, _auction)
    return [problem for check in checks for problem, broken in check(now, options) if broken]


def _cards(now: Any, rules: Any) -> Checks:
    """OP-11.1, .2: cards are conserved; the counts kept beside the hands agree with them."""
    hand, product = now.hand.astype(np.int64), rules.product_of
    least = min(hand.min(), now.draw.min(), now.discard.min())
    real = hand[:, : facts.REAL].sum(axis=0) + now.draw + now.discard
    yield "OP-11.1 a pile or a hand holds less than nothing", least < 0
    yield "OP-11.1 draw piles, discards and hands do not make up the decks", (real != rules.copies).any()
    too_many = rules.mega_supply and now.mega_out.max() > rules.mega_supply
    strange = (hand[:, facts.MEGA : facts.IOU].sum(axis=0) != now.mega_out).any()
    yield "OP-11.2 mega-cards in hands are not those given out", too_many or strange
    piles = np.bincount(product[: facts.REAL], weights=now.draw, minlength=facts.PRODUCTS)
    cards = hand @ (product[:, np.newaxis] == np.arange(facts.PRODUCTS))
    yield "OP-9.12 the piles counted by product and by kind differ", (now.pile != piles).any()
    yield "OP-4 wealth kept and counted differ", (now.wealth != hand @ rules.value).any()
    yield "OP-4 load kept and counted differ", (now.load != hand @ rules.units).any()
    yield "OP-9.12 hands counted by product and by kind differ", (now.cards != cards).any()


def _market(now: Any, rules: Any) -> Checks:
    """OP-11.3, .4, .13: upgrades are conserved, the market keeps its limits."""
    owned, sold = now.upgrades.astype(np.int64).sum(axis=0), now.log["game"]["sold"]
    lost = (now.supply + now.market + now.destroyed + owned != now.supply_start).any()
    copies, size = now.seats // 2 + rules.duplicate_limit_delta, now.seats + rules.market_size_delta
    yield "OP-11.3 upgrades are lost or doubled", lost or min(now.supply.min(), now.market.min()) < 0
    yield "OP-11.3 too many copies of a type on the market", now.market.max() > max(1, copies)
    yield "OP-11.3 too many cards on the market", now.market.sum() > max(1, size)
    seen = now.market + now.destroyed + owned
    early = (now.phase < 2 and seen[4:].any()) or (now.phase < 3 and seen[facts.ORDINARY :].any())
    yield "OP-11.4 an upgrade came before its phase", early
    unpaid = now.decision == Decision.pay and now.payer != facts.NOBODY and sold > owned.sum()
    differ = not rules.space_terrorism and owned.sum() != sold - unpaid
    yield "OP-11.13 upgrades owned and upgrades sold differ", differ


def _turn(now: Any, rules: Any) -> Checks:
    """OP-11.5, .13, .14: order, turn and phase."""
    order, log = sorted(now.order[: now.seats].tolist()), now.log["game"]
    inside = 1 <= now.turn <= rules.max_turns and 1 <= now.phase <= 3
    yield "OP-11.5 the purchase order is no permutation", order != list(range(now.seats))
    yield "OP-11.13 turn or phase out of range", not inside
    yield "OP-11.13 turns played and counted differ", now.seat == OVER and log["turns"] != now.turn
    yield "OP-11.14 more defaults than players in each turn", log["defaults"] > now.turn * now.seats


def _colonies(now: Any, rules: Any) -> Checks:
    """OP-11.6 to .9, .12: sites, population, hands within capacity, victory points."""
    sites = np.hstack([now.factories, now.upgrades[:, facts.ORDINARY :]])
    strange = (now.operated > sites).any() or min(now.operated.min(), now.factories.min()) < 0
    owned = now.upgrades[:, : facts.ORDINARY] @ rules.vp[: facts.ORDINARY]
    points = owned + now.operated @ rules.site_vp
    yield "OP-11.6 more sites are operated than owned", strange
    yield "OP-11.12 victory points kept and counted differ", (points != now.score).any()
    table = SimpleNamespace(**vars(now) | {name: getattr(now, name).tolist() for name in COLONY})
    for place, seat in enumerate(table.order[: now.seats]):
        yield from _colony(table, rules, place, seat)


def _colony(now: Any, rules: Any, place: int, seat: int) -> Checks:
    own, population, passed = now.upgrades[seat], now.population[seat], place < now.at
    assigned = now.step > Step.operators or (now.step == Step.operators and passed)
    may_wait = not assigned and (rules.space_terrorism or population <= rules.start_population)
    crowded = population > housing(now, rules, seat) + sum(own[facts.ORDINARY :])
    yield f"OP-11.7 seat {seat}: more population than housing", crowded and not may_wait
    if assigned:
        yield from _operators(now, rules, seat)
    if not rules.space_terrorism:
        yield from _technology(now, seat)
    early = rules.discard_timing == DiscardTiming.before_actions
    done = passed and now.step in (Step.early_discard, Step.late_discard)
    done |= early and now.step == Step.actions and not rules.space_terrorism
    done |= now.seat == OVER and not early
    yield (
        f"OP-11.8 seat {seat}: hand beyond its capacity",
        done and now.load[seat] > capacity(now, rules, seat),
    )


def _operators(now: Any, rules: Any, seat: int) -> Checks:
    """OP-11.6: everything that can be operated is."""
    own, population, robots = now.upgrades[seat], now.population[seat], now.robots[seat]
    sites, specials, operated = sum(now.factories[seat]), sum(own[facts.ORDINARY :]), now.operated[seat]
    if rules.robots_limit == RobotsLimit.times_population:
        robots = min(robots, own[Upgrade.robots] * population)
    can = specials if rules.robots_man_specials else min(specials, population)
    most = min(can + sites, population + robots)
    yield f"OP-11.6 seat {seat}: {sum(operated)} sites are operated, not {most}", sum(operated) != most
    strange = not rules.robots_man_specials and sum(operated[facts.FACTORIES :]) > population
    yield f"OP-11.6 seat {seat}: more specials operated than population", strange


def _technology(now: Any, seat: int) -> Checks:
    """OP-11.9."""
    own, sites = now.upgrades[seat], now.factories[seat]
    research = sites[Thing.research] and not own[Upgrade.laboratory]
    titanium = sites[Thing.titanium] and not own[Upgrade.heavy_equipment] and not own[Upgrade.outpost]
    yield f"OP-11.9 seat {seat}: research factories without a laboratory", research
    yield f"OP-11.9 seat {seat}: titanium factories without heavy equipment or outpost", titanium


def _auction(now: Any, rules: Any) -> Checks:
    """OP-11.10, .11: payments can be made, bids can be paid."""
    broke = now.decision == Decision.pay and now.due > 0 and now.wealth[now.payer] <= 0
    yield "OP-11.10 a payment cannot be made", broke
    if now.lot != facts.NOBODY and now.bidder != facts.NOBODY and not rules.secret_overbidding:
        most = now.wealth[now.bidder] + now.upgrades[now.bidder] @ rules.discount[:, now.lot]
        strange = not rules.cost[now.lot] <= now.bid <= most
        yield "OP-11.11 the high bid is beyond the hand, or below the printed cost", strange
