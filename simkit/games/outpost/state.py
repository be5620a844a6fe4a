"""Outpost: the state of a game, and what is logged of it (OP-10, OP-15)."""

from simkit.engine.fields import CATEGORY, SEAT, Field, members, place, scalar
from simkit.engine.options import to_words
from simkit.games.outpost import facts
from simkit.games.outpost.facts import FACTORIES, KINDS, LIMIT, MEGAS, MOST, PRODUCTS, REAL, SITES, TYPES

STATE = [
    scalar("decision", facts.Decision, "What is being decided"),
    scalar("step", facts.Step, "Part of the turn"),
    scalar("phase", "i1", "Phase of the market, 1 to 3"),
    scalar("turn", "i2", "Turn, from 1"),
    scalar("at", "i1", "Place in the purchase order of the seat whose step it is", place("order")),
    scalar("threshold", "i2", "Victory points that end the game now"),
    scalar("phase3_vp", "i2", "Victory points that begin phase 3"),
    scalar("force_phase", "i1", "1 = the next turn is at least one phase higher"),
    Field("order", "i1", (MOST,), "Purchase order of the turn [place]", value=SEAT),
    Field("supply", "i1", (TYPES,), "Copies not yet on the market [upgrade]"),
    Field("market", "i1", (TYPES,), "Copies on the market [upgrade]"),
    Field("destroyed", "i1", (TYPES,), "Copies destroyed [upgrade]"),
    Field("supply_start", "i1", (TYPES,), "Copies at the start [upgrade]"),
    Field("discard", "i1", (REAL,), "Discarded cards [kind]"),
    Field("pile", "i1", (PRODUCTS,), "Cards in the draw pile [product]"),
    Field("mega_out", "i2", (MEGAS,), "Mega-cards in all hands [mega]"),
    Field("hand", "i2", (MOST, KINDS), "Cards in hand; real kinds of others -1 in a view [seat, kind]"),
    Field("cards", "i2", (MOST, PRODUCTS), "Cards in hand, IOUs and mega-cards included [seat, product]"),
    Field("wealth", "i4", (MOST,), "Value of the hand, credits; of others -1 in a view [seat]"),
    Field("load", "i2", (MOST,), "Capacity units in hand [seat]"),
    Field("upgrades", "i1", (MOST, TYPES), "Upgrades owned [seat, upgrade]"),
    Field("factories", "i2", (MOST, FACTORIES), "Factories owned [seat, factory]"),
    Field("operated", "i2", (MOST, SITES), "Operated sites [seat, site]"),
    Field("population", "i2", (MOST,), "Population [seat]"),
    Field("robots", "i2", (MOST,), "Robots [seat]"),
    Field("bought", "i1", (MOST,), "1 = has bought or spent something this turn [seat]"),
    Field("won", "i1", (MOST,), "Upgrades won this turn [seat]"),
    Field("barred", "i1", (MOST,), "1 = has defaulted this turn [seat]"),
    Field("immune", "i2", (MOST, facts.ITEMS), "Copies immune this turn [seat, item]"),
    scalar("thing", "i1", "What is bought in QTY, -1 none", CATEGORY),
    scalar("lot", "i1", "Upgrade in auction, -1 none", CATEGORY),
    scalar("bidder", "i1", "High bidder, -1 none", SEAT),
    scalar("bid_at", "i1", "Place in the purchase order of the next to bid", place("order")),
    scalar("passes", "i1", "Passes in a row since the last bid"),
    scalar("bid", "i4", "High bid, credits"),
    scalar("passed", "i2", "Bit p set = seat p has passed in this auction", members("seat")),
    scalar("jump_hi", "i1", "First part of a jump bid, -1 none", CATEGORY),
    scalar("due", "i4", "Credits to pay"),
    scalar("paid", "i4", "Credits paid so far"),
    scalar("payer", "i1", "Seat that pays, -1 none", SEAT),
    scalar("research_due", "i1", "Research cards that the payment still needs"),
    scalar(
        "purpose", "i1", "What the payment is for: factory, population, robots, upgrade, penalty", CATEGORY
    ),
    scalar("goods", "i1", "Thing or upgrade paid for", CATEGORY),
    scalar("pieces", "i1", "Pieces paid for"),
    scalar("assign_at", "i1", "Site that gets its operators, -1 none", CATEGORY),
    scalar("assign_left", "i2", "Operators still to place"),
    scalar("specials_least", "i2", "Specials that must still be operated, 0 or less: none"),
    scalar("specials_most", "i2", "Specials that can still be operated"),
    scalar("mega_at", "i1", "Next mega-card product to ask about", CATEGORY),
    Field("mega_take", "i1", (MEGAS,), "Mega-cards chosen [mega]"),
    scalar("victim", "i1", "Owner of the attacked item, -1 none", SEAT),
    scalar("target", "i1", "Attacked item, -1 none", CATEGORY),
    scalar(
        "answer_at",
        "i1",
        "Place in the order of the next to answer an attack, -1 the attacker spends",
        place("order"),
    ),
    scalar("side", "i1", "Side spent on: 0 attack, 1 defence", CATEGORY),
    scalar("spent", "i2", "Cards spent by the seat in this decision"),
    Field("force", "i4", (2,), "Credits spent on attack and defence [side]"),
    Field("order_turn1", "i1", (MOST,), "Purchase order of turn 1 [place]", value=SEAT),
    # From here on nothing is seen by a strategy: `observe` copies what stands before the draw piles.
    Field("draw", "i1", (REAL,), "Draw piles, -1 in a view [kind]"),
    Field("leaders", "i2", (LIMIT + 1,), "Bit p set = seat p led at the end of the turn [turn]"),
]


def _each(name: str, part: str, names: list[str], meaning: str) -> Field:
    """Return a field with a column for each thing."""
    return Field(name, "i4", (len(names),), meaning, {f"{part}_{name}": to_words(name) for name in names})


GAME_LOG = [
    scalar("auctions", "i4", "Auctions opened"),
    scalar("bids", "i4", "Bids, opening and jump bids included"),
    scalar("jump_bids", "i4", "Bids above the least legal one"),
    scalar("reentries", "i4", "Bids by a seat that had passed in the same auction"),
    scalar("sold", "i4", "Upgrades sold"),
    _each("sold_by_type", "sold", facts.UPGRADE_NAMES, "Cards sold: {}"),
    _each("price", "price", facts.UPGRADE_NAMES, "Sum of the winning bids, credits: {}"),
    _each("printed", "printed", facts.UPGRADE_NAMES, "Sum of the printed costs of those sold, credits: {}"),
    scalar("sold_to_non_opener", "i4", "Upgrades won by another seat than the opener"),
    scalar("cards_produced", "i4", "Cards received from production, opening hands included"),
    scalar("cards_discarded", "i4", "Cards discarded beyond the hand capacity"),
    scalar("credits_discarded", "i4", "Value of these cards, credits"),
    scalar("payments", "i4", "Payments made, penalties included; a default without a penalty is none"),
    scalar("credits_paid", "i4", "Value of the cards paid, credits"),
    scalar("credits_overpaid", "i4", "Credits paid beyond what was due"),
    _each("pay", "pay", ["factory", "pop", "robot", "upgrade"], "Payments by purpose: {}"),
    scalar("pop_bought", "i4", "Population units bought"),
    scalar("robots_bought", "i4", "Robots bought"),
    _each("fac", "fac", facts.FACTORY_NAMES, "Factories bought with money: {}"),
    scalar("die_rolls", "i4", "Rolls of the market die, failures included"),
    scalar("die_rerolls", "i4", "Rolls that led to no card"),
    scalar("slots_left_empty", "i4", "Market places left empty, sum over turns"),
    scalar("ious", "i4", "Cards given as IOU"),
    scalar("reshuffles", "i4", "Discard piles made a draw pile"),
    Field("phase2_turn", "i4", (), "First turn in phase 2 or 3, null = never", never=-1),
    Field("phase3_turn", "i4", (), "First turn in phase 3, null = never", never=-1),
    scalar("leader_changes", "i4", "Changes of the sole leader at the end of turns"),
    scalar("winner_led_at_half", "i1", "1 = a winner was among the leaders after half of the turns"),
    scalar("margin", "i4", "Victory points between the first and the second seat"),
    scalar("auto_advances", "i4", "Phases begun because the one before was exhausted"),
    scalar("megas", "i4", "Mega-cards taken"),
    scalar("water_deals", "i4", "Water deals"),
    scalar("defaults", "i4", "Winning bids not honoured, with or without a penalty"),
    scalar("attacks", "i4", "Attacks"),
    scalar("items_destroyed", "i4", "Upgrades and factories destroyed"),
    scalar("credits_on_attack", "i4", "Credits spent on attack"),
    scalar("credits_on_defence", "i4", "Credits spent on defence"),
]

SEAT_LOG = [
    scalar("initial_order", "i4", "Place in the purchase order of turn 1, 0-based"),
    scalar("income", "i4", "Credits drawn in production over the game"),
    scalar("upgrades", "i4", "Upgrades at the end"),
    scalar("factories", "i4", "Factories at the end"),
    scalar("population", "i4", "Population at the end"),
    scalar("robots", "i4", "Robots at the end"),
    scalar("opening_credits", "i4", "Credits drawn on turn 1"),
    scalar("auction_credits", "i4", "Sum of the winning bids, credits"),
    scalar("overpaid", "i4", "Credits paid beyond what was due"),
    scalar("discarded", "i4", "Credits discarded beyond the hand capacity"),
    _each("owned", "own", facts.UPGRADE_NAMES, "Upgrades at the end: {}"),
]

TRACE_LOG = [
    scalar("place", "i1", "Place in the purchase order of the next turn, 0-based"),
    scalar("cards_held", "i4", "Cards in hand when the next turn's actions begin"),
    scalar("credits", "i4", "Their value, credits"),
    scalar("upgrades_owned", "i4", "Upgrades owned"),
    scalar("sites", "i4", "Operated sites"),
]
