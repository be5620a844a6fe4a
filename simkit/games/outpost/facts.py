"""Outpost: its words, options, state and log (OP-1, OP-9, OP-10, OP-15, OP-16)."""

from __future__ import annotations

import tomllib
from enum import IntEnum
from pathlib import Path
from typing import Any

from simkit.fields import Field, scalar
from simkit.options import Option, choice, flag, integer

DATA: dict[str, Any] = tomllib.loads((Path(__file__).parent / "components.toml").read_text(encoding="utf-8"))
UPGRADES: tuple[str, ...] = tuple(DATA["upgrades"])
FACTORIES: tuple[str, ...] = tuple(DATA["factories"])

MOST = 10  # seats
PRODUCTS = 9
ORE, WATER, TITANIUM, RESEARCH, MICROBIOTICS, NEW_CHEMICALS = 0, 1, 2, 3, 4, 5
KINDS, REAL, MEGA, IOU = 69, 57, 57, 60  # card kinds: 0..56 real, 57..59 mega-cards, 60..68 IOUs (OP-1.3)
TYPES, ORDINARY = 13, 10  # upgrades; the last three are special (OP-1.1)
LIBRARY, WAREHOUSE, HEAVY, NODULE, SCIENTISTS, ORBITAL, ROBOTS, LABORATORY, ECOPLANTS, OUTPOST = range(10)
SITES = 8  # five factories, three specials
F_TITANIUM, F_RESEARCH, F_CHEMICALS = 2, 3, 4
POPULATION, ROBOT = 5, 6  # what is bought besides the factories 0..4
LIMIT = 250  # factories of a kind, population, robots of a seat (OP-1.5)
MOST_AT_ONCE = 64  # pieces of one purchase (OP-5.17)
WIDEST_RAISE = 1023  # a bid is at most so much above the least one (OP-9.4)
NOBODY = -1
FOR_FACTORY, FOR_POP, FOR_ROBOT, FOR_UPGRADE, FOR_PENALTY = range(5)  # what a payment is for

# Action ids (OP-9).
END, OPEN, BUY, WATER_DEAL, ATTACK = 0, 1, 14, 21, 22  # of MAIN; OPEN + upgrade, BUY + thing
PASS, MINIMUM, JUMP = 0, 1, 2  # of BID
DEFAULT, HONOR = 0, 1  # of HONOR
DONE = 69  # of T_CARD
LET_BE, JOIN, DEFEND = 0, 1, 2  # of T_RESPONSE
ITEM_FACTORY = 13  # of T_ITEM: upgrades 0..12, then factories


class Kind(IntEnum):
    """What is being decided (OP-9.1)."""

    none = 0
    main = 1
    qty = 2
    bid = 3
    jump_hi = 4
    jump_lo = 5
    pay = 6
    mega = 7
    discard = 8
    assign = 9
    honor = 10
    t_player = 11
    t_item = 12
    t_card = 13
    t_response = 14


class Step(IntEnum):
    """The part of a turn that goes round the table (OP-3.0)."""

    setup = 0
    production = 3
    early_discard = 4
    actions = 5
    operators = 6
    late_discard = 7


class End(IntEnum):
    """Why the game ended (OP-7)."""

    unfinished = 0
    victory = 1
    turn_cap = 2
    death_spiral = 3


class Ruleset(IntEnum):
    """Basic or Expert game (OP-2.1)."""

    basic = 0
    expert = 1


class Tiebreak(IntEnum):
    """What breaks a tie in victory points (OP-7.3)."""

    upgrade_cost = 0
    hand_value = 1
    shared = 2


class Start(IntEnum):
    """The purchase order of turn 1 (OP-2.6)."""

    seat = 0
    random = 1


class Order(IntEnum):
    """The purchase order from turn 2 on (OP-3.3)."""

    leader_first = 0
    leader_last = 1
    random = 2
    rotate = 3


class StartHand(IntEnum):
    """How the cards of turn 1 come about (OP-4.5)."""

    rulebook = 0
    average = 1
    floor = 2


class DiscardTiming(IntEnum):
    """When hands are brought within their capacity (OP-4.8)."""

    after_actions = 0
    before_actions = 1


class Supply(IntEnum):
    """How many copies of each upgrade there are (OP-2.4, OP-2.5)."""

    players_minus_1 = 0
    expert_chart = 1


class Payment(IntEnum):
    """Who chooses the cards of a payment (OP-5.12, OP-5.13)."""

    auto = 0
    explicit = 1


class RobotsLimit(IntEnum):
    """How many robots can be used (OP-5.22)."""

    unlimited = 0
    times_population = 1


class Values(IntEnum):
    """What production gives (OP-4.2)."""

    cards = 0
    average = 1


def _basic(value: Any) -> int:
    """The number of the Basic game where the two rule sets differ."""
    return int(value[0] if isinstance(value, list) else value)


_BASIC = DATA["ruleset"]["basic"]
_COST, _VP = DATA["upgrade"]["cost"], DATA["upgrade"]["vp"]
_WORDS = [name.replace("_", " ") for name in UPGRADES]

OPTIONS: list[Option] = [
    choice("ruleset", Ruleset.basic, "OP-2.1", "Basic or Expert game: sets the defaults of the options in which they differ"),
    integer("victory_vp", 75, 30, 120, "OP-7.1", "Victory points that end the game"),
    choice("victory_tiebreak", Tiebreak.upgrade_cost, "OP-7.3", "What breaks a tie in victory points"),
    integer("max_turns", 100, 20, 250, "OP-7.4", "Turns after which the game is ended"),
    choice("initial_order", Start.seat, "OP-2.6", "Purchase order of turn 1"),
    choice("purchase_order", Order.leader_first, "OP-3.3", "Purchase order from turn 2 on"),
    integer("start_population", 3, 1, 10, "OP-2.2", "Population at the start"),
    integer("start_ore", 2, 0, 10, "OP-2.2", "Ore factories at the start"),
    integer("start_water", 1, 0, 10, "OP-2.2", "Water factories at the start"),
    integer("first_turn_ore_cards", _BASIC["first_turn_ore_cards"], -1, 10, "OP-4.5", "Ore cards of turn 1, -1 = as produced"),
    integer("first_turn_water_cards", _BASIC["first_turn_water_cards"], -1, 10, "OP-4.5", "Water cards of turn 1, -1 = as produced"),
    choice("start_hand", StartHand.rulebook, "OP-4.5", "How the cards of turn 1 come about"),
    integer("start_hand_floor", 0, 0, 20, "OP-4.5", "Least value of the cards of turn 1 with start_hand = floor"),
    integer("late_seat_ore_cards", 0, 0, 3, "OP-4.5", "Extra ore cards on turn 1 for each place in the purchase order"),
    flag("first_turn_water_deal", _BASIC["first_turn_water_deal"], "OP-5.23", "All cards for a water factory on turn 1"),
    integer("hand_capacity_base", _BASIC["hand_capacity_base"], 3, 30, "OP-4.7", "Hand capacity without upgrades"),
    integer("capacity_warehouse", _BASIC["capacity_warehouse"], 0, 10, "OP-4.7", "Hand capacity of a warehouse"),
    integer("capacity_outpost", _BASIC["capacity_outpost"], 0, 10, "OP-4.7", "Hand capacity of an outpost"),
    choice("discard_timing", DiscardTiming.after_actions, "OP-4.8", "When hands are brought within their capacity"),
    flag("research_counts", _BASIC["research_counts"], "OP-4.6", "Research cards count for the capacity"),
    flag("microbiotics_counts", _BASIC["microbiotics_counts"], "OP-4.6", "Microbiotics cards count for the capacity"),
    integer("pop_max_base", 5, 3, 10, "OP-5.20", "Population maximum without upgrades"),
    integer("pop_nodule", 3, 0, 8, "OP-5.20", "Population maximum of a nodule"),
    integer("pop_outpost", 5, 0, 10, "OP-5.20", "Population maximum of an outpost"),
    choice("supply_rule", Supply.players_minus_1, "OP-2.4", "Copies of each upgrade"),
    integer("supply_delta", 0, -2, 3, "OP-2.4", "Copies more of each upgrade (in all 0 to 7)"),
    integer("market_size_delta", 0, -2, 3, "OP-3.6", "Cards more on the market than players (in all at least 1)"),
    integer("duplicate_limit_delta", 0, -2, 3, "OP-3.8", "Copies more of a type on the market (in all at least 1)"),
    integer("phase2_vp", 10, 5, 30, "OP-3.5", "Victory points that begin phase 2"),
    integer("phase3_vp", _BASIC["phase3_vp"], -1, 75, "OP-3.5", "Victory points that begin phase 3, -1 = from the Expert chart"),
    flag("phase_auto_advance", _BASIC["phase_auto_advance"], "OP-3.9", "An exhausted phase is followed by the next one"),
    flag("auction_reentry", True, "OP-5.5", "Who has passed may bid again"),
    integer("min_bid_increment", 1, 1, 20, "OP-5.5", "Least raise of a bid"),
    integer("max_upgrades_per_turn", 0, 0, 5, "OP-5.9", "Upgrades that a player may win in a turn, 0 = no limit"),
    choice("payment", Payment.auto, "OP-5.12", "Who chooses the cards of a payment"),
    integer("cost_ore", 10, 5, 100, "OP-5.15", "Cost of an ore factory"),
    integer("cost_water", 20, 5, 100, "OP-5.15", "Cost of a water factory"),
    integer("cost_titanium", 30, 5, 100, "OP-5.15", "Cost of a titanium factory"),
    integer("cost_research", _BASIC["cost_research"], 5, 100, "OP-5.15", "Cost of a research factory"),
    integer("cost_new_chemicals", 60, 5, 100, "OP-5.15", "Cost of a new chemicals factory"),
    integer("vp_ore", 1, 0, 5, "OP-3.1", "Victory points of an operated ore factory"),
    integer("vp_water", 1, 0, 5, "OP-3.1", "Victory points of an operated water factory"),
    integer("vp_titanium", 2, 0, 5, "OP-3.1", "Victory points of an operated titanium factory"),
    integer("vp_research", 2, 0, 5, "OP-3.1", "Victory points of an operated research factory"),
    integer("vp_new_chemicals", 3, 0, 5, "OP-3.1", "Victory points of an operated new chemicals factory"),
    *(integer(f"upgrade_cost_{u}", _basic(c), 5, 400, "OP-1.4", f"Printed cost of the {w}") for u, c, w in zip(UPGRADES, _COST, _WORDS, strict=True)),
    *(integer(f"upgrade_vp_{u}", v, 0, 40, "OP-1.4", f"Victory points of the {w}") for u, v, w in zip(UPGRADES, _VP, _WORDS, strict=True)),
    integer("disc_dl_scientists", 10, 0, 30, "OP-5.7", "Discount of a data library on scientists"),
    integer("disc_dl_laboratory", 10, 0, 30, "OP-5.7", "Discount of a data library on a laboratory"),
    integer("disc_he_warehouse", 5, 0, 30, "OP-5.7", "Discount of heavy equipment on a warehouse"),
    integer("disc_he_nodule", 5, 0, 30, "OP-5.7", "Discount of heavy equipment on a nodule"),
    integer("disc_he_outpost", _BASIC["disc_he_outpost"], 0, 30, "OP-5.7", "Discount of heavy equipment on an outpost"),
    integer("disc_eco_outpost", 10, 0, 30, "OP-5.7", "Discount of ecoplants on an outpost"),
    integer("pop_cost", 10, 1, 20, "OP-5.19", "Cost of a population unit"),
    integer("pop_cost_ecoplants", 5, 1, 20, "OP-5.19", "Cost of a population unit with ecoplants"),
    integer("robot_cost", 10, 1, 20, "OP-5.21", "Cost of a robot"),
    choice("robots_limit", RobotsLimit.unlimited, "OP-5.22", "How many robots can be used"),
    integer("bonus_robots", _BASIC["bonus_robots"], 0, 3, "OP-5.8", "Robots that come with a robots card"),
    flag("robots_man_specials", False, "OP-6.2", "Robots may operate specials"),
    choice("production_values", Values.cards, "OP-4.2", "Cards, or an IOU of average value for every card"),
    flag("mega", _BASIC["mega"], "OP-4.4", "Mega-cards"),
    integer("mega_min_factories", 4, 4, 8, "OP-4.4", "Operated factories needed for mega-cards"),
    integer("mega_supply", 0, 0, 20, "OP-4.4", "Mega-cards of a product, 0 = no limit"),
    flag("secret_overbidding", False, "OP-8.3", "Bids beyond the hand are legal; the winner may default"),
    integer("overbid_ceiling", 999, 200, 999, "OP-8.3", "Highest legal bid with secret_overbidding"),
    flag("space_terrorism", False, "OP-8.4", "Players may attack upgrades and factories"),
    integer("terrorism_destroy_factor", 2, 1, 4, "OP-8.4", "Costs that an attack must spend net of defence"),
    integer("terrorism_defence_factor", 2, 1, 4, "OP-8.4", "How much a credit of defence counts"),
    flag("death_spiral", False, "OP-8.6", "Fewer victory points end the game once all upgrades are gone"),
    integer("death_spiral_step", 10, 5, 20, "OP-8.6", "Victory points fewer each turn"),
]  # fmt: skip

TABLES = [
    Field("value", "i2", (KINDS,), "Value of a card, credits [kind]"),
    Field("product_of", "i1", (KINDS,), "Product of a card [kind]"),
    Field("units", "i1", (KINDS,), "Capacity units of a card [kind]"),
    Field("payer_weight", "i8", (KINDS,), "How gladly the automatic payer gives a card (OP-5.12) [kind]"),
    Field("copies", "i1", (REAL,), "Cards in the deck [kind]"),
    Field("start", "i1", (PRODUCTS + 1,), "First kind of a product [product]"),
    Field("average", "i2", (PRODUCTS,), "Average value of a card, credits [product]"),
    Field("mega_product", "i1", (3,), "Product of a mega-card [mega]"),
    Field("cost", "i2", (TYPES,), "Printed cost, credits [upgrade]"),
    Field("vp", "i2", (TYPES,), "Victory points [upgrade]"),
    Field("factory_cost", "i2", (5,), "Cost, credits [factory]"),
    Field("site_vp", "i2", (SITES,), "Victory points of an operated site [site]"),
    Field("site_product", "i1", (SITES,), "Product of a site [site]"),
    Field(
        "discount",
        "i2",
        (3, TYPES),
        "Discount of a data library, heavy equipment, ecoplants, credits [owner, upgrade]",
    ),
    Field("chart_first_ten", "i1", (MOST + 1,), "Expert copies of upgrades 1 to 10 [seats]"),
    Field("chart_last_three", "i1", (MOST + 1,), "Expert copies of upgrades 11 to 13 [seats]"),
    Field("chart_phase3", "i1", (MOST + 1,), "Expert victory points that begin phase 3 [seats]"),
]

STATE = [
    scalar("kind", Kind, "What is being decided"),
    scalar("step", Step, "Part of the turn"),
    scalar("phase", "i1", "Phase of the market, 1 to 3"),
    scalar("turn", "i2", "Turn, from 1"),
    scalar("at", "i1", "Place in the purchase order of the seat whose step it is"),
    scalar("threshold", "i2", "Victory points that end the game now"),
    scalar("phase3_vp", "i2", "Victory points that begin phase 3"),
    scalar("force_phase", "i1", "1 = the next turn is at least one phase higher"),
    Field("order", "i1", (MOST,), "Purchase order of the turn [place]"),
    Field("supply", "i1", (TYPES,), "Copies not yet on the market [upgrade]"),
    Field("market", "i1", (TYPES,), "Copies on the market [upgrade]"),
    Field("destroyed", "i1", (TYPES,), "Copies destroyed [upgrade]"),
    Field("supply_start", "i1", (TYPES,), "Copies at the start [upgrade]"),
    Field("discard", "i1", (REAL,), "Discarded cards [kind]"),
    Field("pile", "i1", (PRODUCTS,), "Cards in the draw pile [product]"),
    Field("mega_out", "i2", (3,), "Mega-cards in all hands [mega]"),
    Field("hand", "i2", (MOST, KINDS), "Cards in hand; real kinds of others -1 in a view [seat, kind]"),
    Field("cards", "i2", (MOST, PRODUCTS), "Cards in hand, IOUs and mega-cards included [seat, product]"),
    Field("wealth", "i4", (MOST,), "Value of the hand, credits; of others -1 in a view [seat]"),
    Field("load", "i2", (MOST,), "Capacity units in hand [seat]"),
    Field("upgrades", "i1", (MOST, TYPES), "Upgrades owned [seat, upgrade]"),
    Field("factories", "i2", (MOST, 5), "Factories owned [seat, factory]"),
    Field("operated", "i2", (MOST, SITES), "Operated sites [seat, site]"),
    Field("population", "i2", (MOST,), "Population [seat]"),
    Field("robots", "i2", (MOST,), "Robots [seat]"),
    Field("bought", "i1", (MOST,), "1 = has bought or spent something this turn [seat]"),
    Field("won", "i1", (MOST,), "Upgrades won this turn [seat]"),
    Field("barred", "i1", (MOST,), "1 = has defaulted this turn [seat]"),
    Field("immune", "i2", (MOST, 18), "Copies immune this turn [seat, item]"),
    scalar("thing", "i1", "What is bought in QTY: factory 0-4, 5 population, 6 robots; -1 none"),
    scalar("lot", "i1", "Upgrade in auction, -1 none"),
    scalar("bidder", "i1", "High bidder, -1 none"),
    scalar("bid_at", "i1", "Place in the purchase order of the next to bid"),
    scalar("passes", "i1", "Passes in a row since the last bid"),
    scalar("bid", "i4", "High bid, credits"),
    scalar("passed", "i2", "Bit p set = seat p has passed in this auction"),
    scalar("jump_hi", "i1", "First part of a jump bid, -1 none"),
    scalar("due", "i4", "Credits to pay"),
    scalar("paid", "i4", "Credits paid so far"),
    scalar("payer", "i1", "Seat that pays, -1 none"),
    scalar("research_due", "i1", "Research cards that the payment still needs"),
    scalar(
        "purpose", "i1", "What the payment is for: 0 factory, 1 population, 2 robots, 3 upgrade, 4 penalty"
    ),
    scalar("goods", "i1", "Factory or upgrade paid for"),
    scalar("pieces", "i1", "Pieces paid for"),
    scalar("assign_at", "i1", "Place in the order of sites, -1 none"),
    scalar("assign_left", "i2", "Operators still to place"),
    scalar("specials_done", "i2", "Specials operated so far"),
    scalar("specials_least", "i2", "Specials that must be operated"),
    scalar("specials_most", "i2", "Specials that can be operated"),
    scalar("mega_at", "i1", "Next mega-card product to ask about"),
    Field("mega_take", "i1", (3,), "Mega-cards chosen [mega]"),
    scalar("victim", "i1", "Owner of the attacked item, -1 none"),
    scalar("target", "i1", "Attacked item, -1 none"),
    scalar(
        "answer_at",
        "i1",
        "Place in the purchase order of the next to answer an attack, -1 the attacker spends",
    ),
    scalar("side", "i1", "Side spent on: 0 attack, 1 defence"),
    scalar("spent", "i2", "Cards spent by the seat in this decision"),
    Field("force", "i4", (2,), "Credits spent on attack and defence [side]"),
    Field("order_turn1", "i1", (MOST,), "Purchase order of turn 1 [place]"),
    # From here on nothing is seen by a strategy: `observe` copies what stands before the draw piles.
    Field("draw", "i1", (REAL,), "Draw piles, -1 in a view [kind]"),
    Field("leaders", "i2", (LIMIT + 1,), "Bit p set = seat p led at the end of the turn [turn]"),
]


def _each(part: str, names: tuple[str, ...] = UPGRADES) -> dict[str, str]:
    """A column for each thing, with its words."""
    return {f"{part}_{name}": name.replace("_", " ") for name in names}


GAME_LOG = [
    scalar("auctions", "i4", "Auctions opened"),
    scalar("bids", "i4", "Bids, opening and jump bids included"),
    scalar("jump_bids", "i4", "Bids above the least legal one"),
    scalar("reentries", "i4", "Bids by a seat that had passed in the same auction"),
    scalar("sold", "i4", "Upgrades sold"),
    Field("sold_by_type", "i4", (TYPES,), "Cards sold: {}", _each("sold")),
    Field("price", "i4", (TYPES,), "Sum of the winning bids, credits: {}", _each("price")),
    Field("printed", "i4", (TYPES,), "Sum of the printed costs of those sold, credits: {}", _each("printed")),
    scalar("sold_to_non_opener", "i4", "Upgrades won by another seat than the opener"),
    scalar("cards_produced", "i4", "Cards received from production, opening hands included"),
    scalar("cards_discarded", "i4", "Cards discarded beyond the hand capacity"),
    scalar("credits_discarded", "i4", "Value of these cards, credits"),
    scalar("payments", "i4", "Payments made"),
    scalar("credits_paid", "i4", "Value of the cards paid, credits"),
    scalar("credits_overpaid", "i4", "Credits paid beyond what was due"),
    Field("pay", "i4", (4,), "Payments by purpose: {}", _each("pay", ("factory", "pop", "robot", "upgrade"))),
    scalar("pop_bought", "i4", "Population units bought"),
    scalar("robots_bought", "i4", "Robots bought"),
    Field("fac", "i4", (5,), "Factories bought with money: {}", _each("fac", FACTORIES)),
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
    scalar("defaults", "i4", "Bids not honoured"),
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
    Field("owned", "i4", (TYPES,), "Upgrades at the end: {}", _each("own")),
]

TRACE_LOG = [
    scalar("place", "i1", "Place in the purchase order of the next turn, 0-based"),
    scalar("cards_held", "i4", "Cards in hand when the next turn's actions begin"),
    scalar("credits", "i4", "Their value, credits"),
    scalar("upgrades_owned", "i4", "Upgrades owned"),
    scalar("sites", "i4", "Operated sites"),
]
