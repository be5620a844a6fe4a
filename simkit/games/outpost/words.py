"""Outpost in words: the table, and what is done and what comes of it (plain Python)."""

from __future__ import annotations

from typing import Any

from simkit.game import OVER
from simkit.games.outpost.facts import (
    ATTACK,
    BUY,
    DONE,
    END,
    FACTORIES,
    IOU,
    ITEM_FACTORY,
    JUMP,
    KINDS,
    MEGA,
    NOBODY,
    OPEN,
    ORDINARY,
    PASS,
    POPULATION,
    REAL,
    ROBOT,
    UPGRADES,
    WATER_DEAL,
    Kind,
)
from simkit.games.outpost.tables import PRODUCT_NAMES

PHASES = {1: "upgrades 1 to 4", 2: "upgrades 1 to 10", 3: "all upgrades"}
SITES = [*FACTORIES, *UPGRADES[ORDINARY:]]


def plain(name: str) -> str:
    return name.replace("_", " ")


def counted(n: int, one: str, more: str = "") -> str:
    """`1 robot`, `2 robots`."""
    return f"{n} {one if n == 1 else more or one + 's'}"


def card_name(rules: Any, kind: int) -> str:
    """`titanium 13`, `mega water 30`, `ore IOU 3`."""
    product, value = plain(PRODUCT_NAMES[rules.product_of[kind]]), int(rules.value[kind])
    return (
        f"mega {product} {value}"
        if MEGA <= kind < IOU
        else f"{product} IOU {value}"
        if kind >= IOU
        else f"{product} {value}"
    )


def card_list(rules: Any, counts: Any) -> str:
    """Cards by kind, product by product: `ore 1, 3 + water 7`."""
    parts = []
    for product, name in enumerate(PRODUCT_NAMES):
        values = [
            str(int(rules.value[k]))
            for k in range(REAL)
            if rules.product_of[k] == product
            for _ in range(int(counts[k]))
        ]
        parts += [f"{plain(name)} {', '.join(values)}"] if values else []
    parts += [card_name(rules, k) for k in range(REAL, KINDS) for _ in range(int(counts[k]))]
    return " + ".join(parts) or "nothing"


def show(s: Any, rules: Any) -> str:
    """The head of a turn: market, then every colony in purchase order."""
    if s.seat == OVER:
        return "\n".join(["at the end:", *(_colony(s, rules, int(seat)) for seat in s.order[: s.seats])])
    market = [
        f"{plain(UPGRADES[t])} {rules.cost[t]}" + (f" x{n}" if n > 1 else "")
        for t, n in enumerate(s.market)
        if n
    ]
    head = f"turn {s.turn}, phase {s.phase} ({PHASES[int(s.phase)]}); market: {', '.join(market) or 'empty'}"
    return "\n".join([head, *(_colony(s, rules, int(seat)) for seat in s.order[: s.seats])])


def _colony(s: Any, rules: Any, seat: int) -> str:
    sites = [
        f"{plain(name)} {s.operated[seat, i]}/{_owned(s, seat, i)}"
        for i, name in enumerate(SITES)
        if _owned(s, seat, i)
    ]
    staff = counted(int(s.population[seat]), "colonist") + (
        f", {counted(int(s.robots[seat]), 'robot')}" if s.robots[seat] else ""
    )
    cards = [
        plain(UPGRADES[t]) + (f" x{n}" if n > 1 else "")
        for t, n in enumerate(s.upgrades[seat, :ORDINARY])
        if n
    ]
    lines = [
        f"seat {seat}: {s.score[seat]} VP; {staff}; operated: {', '.join(sites)}"
        + (f"; {', '.join(cards)}" if cards else "")
    ]
    return "\n".join([*lines, f"        hand {card_list(rules, s.hand[seat])} = {s.wealth[seat]}"])


def _owned(s: Any, seat: int, site: int) -> int:
    return int(s.factories[seat, site]) if site < 5 else int(s.upgrades[seat, 5 + site])


def describe(s: Any, rules: Any, action: int, after: Any) -> str:
    """The action and what came of it; nothing for a step whose next one tells the whole."""
    tell = {
        Kind.main: _main, Kind.qty: _quantity, Kind.bid: _bid, Kind.jump_lo: _jump, Kind.pay: _pay, Kind.mega: _mega,
        Kind.discard: _discard, Kind.assign: _assign, Kind.honor: _honor, Kind.t_item: _aim, Kind.t_card: _spend, Kind.t_response: _respond,
    }.get(Kind(int(s.kind)))  # fmt: skip
    told = tell(s, rules, action) if tell else ""
    return "; ".join(part for part in [told, *_outcome(s, rules, after)] if part)


def _main(s: Any, rules: Any, action: int) -> str:
    if action == END:
        return "ends the turn"
    if action < BUY:
        t = action - OPEN
        return f"puts up a card for auction: {plain(UPGRADES[t])}, printed cost {rules.cost[t]}"
    return {WATER_DEAL: "hands in all cards for a water factory", ATTACK: "plans an attack"}.get(action, "")


def _quantity(s: Any, rules: Any, n: int) -> str:
    thing = int(s.thing)
    if thing == POPULATION:
        return f"settles {counted(n, 'colonist')}"
    if thing == ROBOT:
        return f"buys {counted(n, 'robot')}"
    return (
        f"builds {counted(n, plain(FACTORIES[thing]) + ' factory', plain(FACTORIES[thing]) + ' factories')}"
    )


def _bid(s: Any, rules: Any, action: int) -> str:
    if action == JUMP:
        return ""
    if action == PASS:
        return "passes"
    again = " again" if int(s.passed) >> int(s.seat) & 1 else ""
    return f"bids{again} {_least(s, rules)}"


def _least(s: Any, rules: Any) -> int:
    return int(rules.cost[s.lot]) if s.bidder == NOBODY else int(s.bid) + int(rules.min_bid_increment)


def _jump(s: Any, rules: Any, action: int) -> str:
    return f"jumps to {_least(s, rules) + 16 * int(s.jump_hi) + action}"


def _pay(s: Any, rules: Any, kind: int) -> str:
    return f"lays down {card_name(rules, kind)}"


def _mega(s: Any, rules: Any, m: int) -> str:
    return f"takes {counted(m, 'mega-card')} of {plain(PRODUCT_NAMES[rules.mega_product[s.mega_at]])}"


def _discard(s: Any, rules: Any, kind: int) -> str:
    return f"has no room for {card_name(rules, kind)}"


def _assign(s: Any, rules: Any, n: int) -> str:
    """Only what stands idle; what is operated is told at the head of the next turn."""
    site = len(SITES) - 1 - int(s.assign_at)
    idle = _owned(s, int(s.seat), site) - n
    return f"leaves {idle} of {idle + n} {plain(SITES[site])} without operators" if idle else ""


def _honor(s: Any, rules: Any, action: int) -> str:
    return "honours the bid" if action else "does not honour the bid"


def _item(item: int) -> str:
    return (
        plain(UPGRADES[item]) if item < ITEM_FACTORY else f"{plain(FACTORIES[item - ITEM_FACTORY])} factory"
    )


def _aim(s: Any, rules: Any, item: int) -> str:
    return f"attacks seat {s.victim}: {_item(item)}"


def _spend(s: Any, rules: Any, kind: int) -> str:
    side = "defence" if s.side else "attack"
    return "" if kind == DONE else f"spends {card_name(rules, kind)} on {side}"


def _respond(s: Any, rules: Any, action: int) -> str:
    return ["keeps out of it", "joins the attack", "defends"][action]


def _outcome(s: Any, rules: Any, after: Any) -> list[str]:
    """What the auction, the payment or the attack came to."""
    before, now, told = s.log.game, after.log.game, []
    if now.sold > before.sold:
        winner = next(seat for seat in range(s.seats) if after.won[seat] > s.won[seat])
        t = next(t for t in range(len(UPGRADES)) if now.sold_by_type[t] > before.sold_by_type[t])
        told.append(f"the {plain(UPGRADES[t])} goes to seat {winner} for {now.price[t] - before.price[t]}")
    if now.defaults > before.defaults:
        told.append(f"seat {s.bidder} defaults and may not bid again this turn")
    if now.payments > before.payments and s.kind != Kind.pay:
        told += _payment(s, rules, after)
    if s.target != NOBODY and after.target == NOBODY:
        verb = (
            "is destroyed"
            if now.items_destroyed > before.items_destroyed
            else "survives, and is safe for the rest of the turn"
        )
        told.append(f"the {_item(int(s.target))} of seat {s.victim} {verb}")
    return told


def _payment(s: Any, rules: Any, after: Any) -> list[str]:
    """The cards that were paid, and what they were worth too much."""
    lost = int(after.log.game.credits_overpaid - s.log.game.credits_overpaid)
    for seat in range(s.seats):
        if after.wealth[seat] < s.wealth[seat]:
            told = f"paid with {card_list(rules, s.hand[seat] - after.hand[seat])}"
            return [told + (f", {counted(lost, 'credit')} lost" if lost else "")]
    return []
