"""Outpost in words: the table, and what is done and what comes of it (plain Python)."""

from typing import Any

import numpy as np

from simkit.engine.game import HIDDEN
from simkit.engine.options import to_words
from simkit.engine.rule_helpers import OVER
from simkit.formatting import counted
from simkit.games.outpost import facts, holdings
from simkit.games.outpost.auctions import least_bid
from simkit.games.outpost.facts import JUMP, Bid, Decision, Honor, Main, Side, Thing

MAIN: dict[int, str] = {
    Main.end: "ends the turn",
    Main.water_deal: "hands in all cards for a water factory",
    Main.attack: "plans an attack",
}
PHASES = {1: "upgrades 1 to 4", 2: "upgrades 1 to 10", 3: "all upgrades"}
NAMES = (facts.PRODUCT_NAMES, facts.UPGRADE_NAMES, facts.SITE_NAMES, facts.FACTORY_NAMES)
PRODUCTS, UPGRADES, SITES, FACTORIES = ([to_words(name) for name in names] for names in NAMES)
PUBLIC = ["sold", "sold_by_type", "price", "defaults", "payments", "items_destroyed"]


def several(name: str, n: int) -> str:
    """Return, e.g., `warehouse`, `warehouse x2`."""
    return f"{name} x{n}" if n > 1 else name


def card_name(rules: Any, kind: int) -> str:
    """Return, e.g., `titanium 13`, `mega water 30`, `ore IOU 3`."""
    product, value = PRODUCTS[rules.product_of[kind]], int(rules.value[kind])
    if kind >= facts.IOU:
        return f"{product} IOU {value}"
    return f"mega {product} {value}" if kind >= facts.MEGA else f"{product} {value}"


def card_list(rules: Any, counts: Any) -> str:
    """Return cards by kind, product by product: `ore 1, 3 + water 7`."""
    held: dict[str, list[str]] = {}
    cards = np.repeat(np.arange(facts.KINDS), np.maximum(counts, 0))
    for kind in cards[cards < facts.REAL]:
        held.setdefault(PRODUCTS[rules.product_of[kind]], []).append(str(rules.value[kind]))
    parts = [f"{product} {', '.join(values)}" for product, values in held.items()]
    parts += [card_name(rules, kind) for kind in cards[cards >= facts.REAL]]
    return " + ".join(parts) or "nothing"


def show(s: Any, rules: Any) -> str:
    """Return the head of a turn: the market, then every colony in purchase order."""
    colonies = [_colony(s, rules, int(seat)) for seat in s.order[: s.seats]]
    if s.seat == OVER:
        return "\n".join(["at the end:", *colonies])
    market = [several(f"{UPGRADES[t]} {rules.cost[t]}", n) for t, n in enumerate(s.market) if n]
    head = f"turn {s.turn}, phase {s.phase} ({PHASES[int(s.phase)]}); market: {', '.join(market) or 'empty'}"
    return "\n".join([head, *colonies])


def _colony(s: Any, rules: Any, seat: int) -> str:
    """Return two lines: points, staff, sites and upgrades; the hand."""
    sites = [(name, s.operated[seat, site], holdings.owned(s, seat, site)) for site, name in enumerate(SITES)]
    operated = ", ".join(f"{name} {n}/{own}" for name, n, own in sites if own)
    robots = f", {counted(int(s.robots[seat]), 'robot')}" if s.robots[seat] else ""
    staff = counted(int(s.population[seat]), "colonist") + robots
    upgrades = [several(UPGRADES[t], n) for t, n in enumerate(s.upgrades[seat, : facts.ORDINARY]) if n]
    head = f"seat {seat}: {s.score[seat]} VP; {staff}; operated: {operated}"
    colony = "; ".join(filter(None, [head, ", ".join(upgrades)]))
    return f"{colony}\n        hand {_hand(s, rules, seat)}"


def _hand(s: Any, rules: Any, seat: int) -> str:
    """Return, e.g., `ore 1, 3 + water 7 = 11`, or the backs of a hidden hand: `unseen: ore x2 + water`."""
    if s.wealth[seat] >= 0:
        return f"{card_list(rules, s.hand[seat])} = {s.wealth[seat]}"
    return f"unseen: {_backs(s.cards[seat])}"


def _backs(counts: Any) -> str:
    return " + ".join(several(PRODUCTS[product], n) for product, n in enumerate(counts) if n > 0) or "nothing"


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    """Return the action and its outcome; nothing for a step that the next one describes."""
    decision = Decision(int(s.decision))
    narrate = NARRATE.get(decision)
    done = narrate(s, rules, action) if narrate and action != HIDDEN else UNSEEN.get(decision, "")
    return "; ".join(filter(None, [done, *_outcome(s, rules, after)]))


def _main(s: Any, rules: Any, action: int) -> str:
    if Main.open <= action < Main.buy:
        t = action - Main.open
        return f"puts up a card for auction: {UPGRADES[t]}, printed cost {rules.cost[t]}"
    return MAIN.get(action, "")


def _quantity(s: Any, rules: Any, n: int) -> str:
    if s.thing == Thing.population:
        return f"settles {counted(n, 'colonist')}"
    if s.thing == Thing.robot:
        return f"buys {counted(n, 'robot')}"
    factory = FACTORIES[s.thing]
    return f"builds {counted(n, f'{factory} factory', f'{factory} factories')}"


def _bid(s: Any, rules: Any, action: int) -> str:
    suffix = " again" if s.passed >> s.seat & 1 else ""
    return {Bid.jump: "", Bid.drop: "passes"}.get(Bid(action), f"bids{suffix} {least_bid(s, rules)}")


def _assign(s: Any, rules: Any, n: int) -> str:
    """Return what stands idle; operated sites follow at the head of the next turn."""
    own = holdings.owned(s, s.seat, s.assign_at)
    return f"leaves {own - n} of {own} {SITES[s.assign_at]} without operators" if own > n else ""


def _item(item: int) -> str:
    return UPGRADES[item] if item < facts.ITEM_FACTORY else f"{FACTORIES[item - facts.ITEM_FACTORY]} factory"


def _spend(s: Any, rules: Any, kind: int) -> str:
    return "" if kind == facts.DONE else f"spends {card_name(rules, kind)} on {Side(int(s.side)).name}"


NARRATE = {
    Decision.main: _main,
    Decision.qty: _quantity,
    Decision.bid: _bid,
    Decision.jump_lo: lambda s, rules, low: f"jumps to {least_bid(s, rules) + JUMP.pack(s.jump_hi, low)}",
    Decision.pay: lambda s, rules, kind: f"lays down {card_name(rules, kind)}",
    Decision.mega: lambda s, rules, m: (
        f"takes {counted(m, 'mega-card')} of {SITES[rules.mega_site[s.mega_at]]}"
    ),
    Decision.discard: lambda s, rules, kind: f"has no room for {card_name(rules, kind)}",
    Decision.assign: _assign,
    Decision.honor: lambda s, rules, a: "honours the bid" if a == Honor.pay else "does not honour the bid",
    Decision.t_item: lambda s, rules, item: f"attacks seat {s.victim}: {_item(item)}",
    Decision.t_card: _spend,
    Decision.t_response: lambda s, rules, a: ["keeps out of it", "joins the attack", "defends"][a],
}
UNSEEN = {Decision.discard: "has no room for a card"}


def _outcome(s: Any, rules: Any, after: Any) -> list[str]:
    """Return the outcome of the auction, the payment or the attack."""
    before, now, parts = s.log.game, after.log.game, []
    if now.sold > before.sold:
        winner = next(seat for seat in range(s.seats) if after.won[seat] > s.won[seat])
        t = next(t for t in range(len(UPGRADES)) if now.sold_by_type[t] > before.sold_by_type[t])
        parts.append(f"seat {winner} gets the {UPGRADES[t]} for {now.price[t] - before.price[t]}")
    if now.defaults > before.defaults:
        defaulter = next(seat for seat in range(s.seats) if after.barred[seat] > s.barred[seat])
        parts.append(f"seat {defaulter} defaults and may not bid again this turn")
    if now.payments > before.payments and s.decision != Decision.pay:
        parts += _payment(s, rules, after)
    if s.target != facts.NOBODY and after.target == facts.NOBODY:
        destroyed = now.items_destroyed > before.items_destroyed
        end = "is destroyed" if destroyed else "survives, and is safe for the rest of the turn"
        parts.append(f"the {_item(int(s.target))} of seat {s.victim} {end}")
    return parts


def _payment(s: Any, rules: Any, after: Any) -> list[str]:
    """Return the cards that were paid, and the excess of their worth."""
    lost = int(after.log.game.credits_overpaid - s.log.game.credits_overpaid)
    for seat in range(s.seats):
        fewer = s.cards[seat] - after.cards[seat]
        if after.wealth[seat] < s.wealth[seat]:
            paid = card_list(rules, s.hand[seat] - after.hand[seat])
        elif after.wealth[seat] < 0 < fewer.max():  # a hand that cannot be seen
            vanished = s.hand[seat, facts.REAL :] - after.hand[seat, facts.REAL :]
            shed = np.concatenate([after.discard - s.discard, vanished])
            paid = card_list(rules, shed) if shed.min() >= 0 else _backs(fewer)
        else:
            continue
        return [f"paid with {paid}" + (f", {counted(lost, 'credit')} lost" if lost else "")]
    return []
