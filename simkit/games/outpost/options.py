"""Outpost: the options (OP-16). The default is the Basic game's; `ruleset` sets what the Expert game has."""

from enum import IntEnum
from types import SimpleNamespace
from typing import Any

from simkit.engine.options import Option, choice, flag, integer, to_words
from simkit.games.outpost.facts import DATA, MOST

Ruleset = IntEnum("Ruleset", "basic expert", start=0)
Tiebreak = IntEnum("Tiebreak", "upgrade_cost hand_value shared", start=0)
Start = IntEnum("Start", "seat random", start=0)
Order = IntEnum("Order", "leader_first leader_last random rotate", start=0)
StartHand = IntEnum("StartHand", "rulebook average floor", start=0)
DiscardTiming = IntEnum("DiscardTiming", "after_actions before_actions", start=0)
Supply = IntEnum("Supply", "players_minus_1 expert_chart", start=0)
Payment = IntEnum("Payment", "auto explicit", start=0)
RobotsLimit = IntEnum("RobotsLimit", "unlimited times_population", start=0)
Values = IntEnum("Values", "cards average", start=0)


def in_ruleset(value: Any, ruleset: Ruleset = Ruleset.basic) -> int:
    """Return a number of the components in a rule set, one of a pair where the two differ."""
    return int(value[ruleset] if isinstance(value, list) else value)


def number(name: str, default: Any, low: int, high: int, clause: str, meaning: str, **more: Any) -> Option:
    """Return a whole-number option; its default label is the meaning in small letters."""
    label = meaning[0].lower() + meaning[1:]
    return integer(name, in_ruleset(default), low, high, clause, meaning, **{"label": label} | more)


basic = SimpleNamespace(**DATA["ruleset"]["basic"])
_UPGRADES, _FACTORIES, _DISCOUNTS = DATA["upgrade"], DATA["factory"], DATA["discount"]
_MEGA, _OVERBIDS = {"mega": True}, {"secret_overbidding": True}
_TERROR, _SPIRAL = {"space_terrorism": True}, {"death_spiral": True}
_NO_LIMIT, _PRODUCED = {"0": "no limit"}, {"-1": "as produced"}
_ON = {"false": "off", "true": "on"}
_COUNT = {"false": "not counted", "true": "counted"}
_ALLOWED = {"false": "forbidden", "true": "allowed"}

OPTIONS = [
    # the game
    choice("ruleset", Ruleset.basic, "OP-2.1",
           "Basic or Expert game: sets the defaults of the options in which they differ",
           label="rule set", values={"basic": "Basic game", "expert": "Expert game"}),
    number("victory_vp", 75, 30, 120, "OP-7.1", "Victory points that end the game", values="{} VP"),
    choice("victory_tiebreak", Tiebreak.upgrade_cost, "OP-7.3", "What breaks a tie in victory points",
           label="tie-break",
           values={"upgrade_cost": "cost of upgrades", "hand_value": "value of hands", "shared": "nothing"}),
    number("max_turns", 100, 20, 250, "OP-7.4", "Turns after which the game is ended"),
    choice("initial_order", Start.seat, "OP-2.6", "Purchase order of turn 1", label="order of the first turn",
           values={"seat": "by seat", "random": "drawn"}),
    choice("purchase_order", Order.leader_first, "OP-3.3", "Purchase order from turn 2 on",
           label="order of later turns", values={"random": "drawn", "rotate": "rotating"}),
    # the start
    number("start_population", 3, 1, 10, "OP-2.2", "Population at the start"),
    number("start_ore", 2, 0, 10, "OP-2.2", "Ore factories at the start"),
    number("start_water", 1, 0, 10, "OP-2.2", "Water factories at the start"),
    number("first_turn_ore_cards", basic.first_turn_ore_cards, -1, 10, "OP-4.5",
           "Ore cards of turn 1, -1 = as produced", label="ore cards of the first turn", values=_PRODUCED),
    number("first_turn_water_cards", basic.first_turn_water_cards, -1, 10, "OP-4.5",
           "Water cards of turn 1, -1 = as produced", label="water cards of the first turn",
           values=_PRODUCED),
    choice("start_hand", StartHand.rulebook, "OP-4.5", "How the cards of turn 1 come about",
           label="opening hands",
           values={"rulebook": "drawn", "average": "of average value", "floor": "drawn for a least value"}),
    number("start_hand_floor", 0, 0, 20, "OP-4.5",
           "Least value of the cards of turn 1 with start_hand = floor",
           label="least value of an opening hand", needs={"start_hand": "floor"}),
    number("late_seat_ore_cards", 0, 0, 3, "OP-4.5",
           "Extra ore cards on turn 1 for each place in the purchase order",
           label="ore cards for later seats", values="{} for each place", treats=tuple(range(1, MOST)),
           needs={"initial_order": "seat"}),
    flag("first_turn_water_deal", basic.first_turn_water_deal, "OP-5.23",
         "All cards for a water factory on turn 1", label="water deal", values=_ON),
    # hands and production
    number("hand_capacity_base", basic.hand_capacity_base, 3, 30, "OP-4.7", "Hand capacity without upgrades"),
    number("capacity_warehouse", basic.capacity_warehouse, 0, 10, "OP-4.7", "Hand capacity of a warehouse"),
    number("capacity_outpost", basic.capacity_outpost, 0, 10, "OP-4.7", "Hand capacity of an outpost"),
    choice("discard_timing", DiscardTiming.after_actions, "OP-4.8",
           "When hands are brought within their capacity", label="discarding"),
    flag("research_counts", basic.research_counts, "OP-4.6", "Research cards count for the capacity",
         label="research cards in the capacity", values=_COUNT),
    flag("microbiotics_counts", basic.microbiotics_counts, "OP-4.6",
         "Microbiotics cards count for the capacity", label="microbiotics in the capacity", values=_COUNT),
    choice("production_values", Values.cards, "OP-4.2", "Cards, or an IOU of average value for every card",
           label="production gives", values={"cards": "cards", "average": "IOUs of average value"}),
    flag("mega", basic.mega, "OP-4.4", "Mega-cards", label="mega-cards", values=_ON),
    number("mega_min_factories", 4, 4, 8, "OP-4.4", "Operated factories needed for mega-cards", needs=_MEGA),
    number("mega_supply", 0, 0, 20, "OP-4.4", "Mega-cards of a product, 0 = no limit", needs=_MEGA,
           label="mega-cards of a product", values=_NO_LIMIT),
    # market, auctions and payments
    choice("supply_rule", Supply.players_minus_1, "OP-2.4", "Copies of each upgrade",
           label="copies of an upgrade",
           values={"players_minus_1": "one fewer than players",
                   "expert_chart": "as printed for the Expert game"}),
    number("supply_delta", 0, -2, 3, "OP-2.4", "Copies of each upgrade beyond the rule (in all 0 to 7)",
           label="more copies of an upgrade", values="{:+}"),
    number("market_size_delta", 0, -2, 3, "OP-3.6",
           "Cards on the market beyond one for each player (in all at least 1)",
           label="more cards on the market", values="{:+}"),
    number("duplicate_limit_delta", 0, -2, 3, "OP-3.8",
           "Copies of a type on the market beyond the rule (in all at least 1)",
           label="more copies on the market", values="{:+}"),
    number("phase2_vp", 10, 5, 30, "OP-3.5", "Victory points that begin phase 2", values="{} VP"),
    number("phase3_vp", basic.phase3_vp, -1, 75, "OP-3.5",
           "Victory points that begin phase 3, -1 = as printed for the Expert game",
           label="victory points that begin phase 3",
           values={"-1": "as printed for the Expert game", "{}": "{} VP"}),
    flag("phase_auto_advance", basic.phase_auto_advance, "OP-3.9",
         "An exhausted phase is followed by the next one", label="end of an exhausted phase", values=_ON),
    flag("auction_reentry", True, "OP-5.5", "Who has passed may bid again", label="bids after a pass",
         values=_ALLOWED),
    number("min_bid_increment", 1, 1, 20, "OP-5.5", "Least raise of a bid"),
    number("max_upgrades_per_turn", 0, 0, 5, "OP-5.9",
           "Upgrades that a player may win in a turn, 0 = no limit", label="most upgrades in a turn",
           values=_NO_LIMIT),
    choice("payment", Payment.auto, "OP-5.12", "Who chooses the cards of a payment", label="payments",
           values={"auto": "by the automatic payer", "explicit": "card by card"}),
    # colonies
    number("pop_max_base", 5, 3, 10, "OP-5.20", "Population maximum without upgrades"),
    number("pop_nodule", 3, 0, 8, "OP-5.20", "Population maximum of a nodule"),
    number("pop_outpost", 5, 0, 10, "OP-5.20", "Population maximum of an outpost"),
    number("pop_cost", 10, 1, 20, "OP-5.19", "Cost of a population unit"),
    number("pop_cost_ecoplants", 5, 1, 20, "OP-5.19", "Cost of a population unit with ecoplants"),
    number("robot_cost", 10, 1, 20, "OP-5.21", "Cost of a robot"),
    choice("robots_limit", RobotsLimit.unlimited, "OP-5.22", "How many robots can be used",
           label="usable robots",
           values={"unlimited": "all", "times_population": "the population for each robots card"}),
    number("bonus_robots", basic.bonus_robots, 0, 3, "OP-5.8", "Robots that come with a robots card"),
    flag("robots_man_specials", False, "OP-6.2", "Robots may operate specials",
         label="robots as operators of specials", values=_ALLOWED),
    # numbers of the components
    *(number(f"cost_{f}", its["cost"], 5, 100, "OP-5.15", f"Cost of a factory of {to_words(f)}")
      for f, its in _FACTORIES.items()),
    *(number(f"vp_{f}", its["vp"], 0, 5, "OP-3.1", f"Victory points of an operated factory of {to_words(f)}")
      for f, its in _FACTORIES.items()),
    *(number(f"upgrade_cost_{u}", its["cost"], 5, 400, "OP-1.4", f"Printed cost of the {to_words(u)}")
      for u, its in _UPGRADES.items()),
    *(number(f"upgrade_vp_{u}", its["vp"], 0, 40, "OP-1.4", f"Victory points of the {to_words(u)}")
      for u, its in _UPGRADES.items()),
    *(number(name, its["credits"], 0, 30, "OP-5.7",
             f"Discount on the {to_words(its['on'])} for each {to_words(its['owned'])} card")
      for name, its in _DISCOUNTS.items()),
    # optional rules
    flag("secret_overbidding", False, "OP-8.3", "Bids beyond the hand are legal; the winner may default",
         values=_ON),
    number("overbid_ceiling", 999, 200, 999, "OP-8.3", "Highest legal bid with secret_overbidding",
           label="highest bid", needs=_OVERBIDS),
    flag("space_terrorism", False, "OP-8.4", "Players may attack upgrades and factories", values=_ON),
    number("terrorism_destroy_factor", 2, 1, 4, "OP-8.4", "Costs that an attack must spend net of defence",
           needs=_TERROR),
    number("terrorism_defence_factor", 2, 1, 4, "OP-8.4", "How much a credit of defence counts",
           needs=_TERROR),
    flag("death_spiral", False, "OP-8.6", "Fewer victory points end the game once all upgrades are gone",
         values=_ON),
    number("death_spiral_step", 10, 5, 20, "OP-8.6", "Victory points fewer each turn", needs=_SPIRAL),
]  # fmt: skip


def preset(ruleset: Ruleset) -> dict[str, Any]:
    """Return what a rule set sets: its own table, and the numbers that differ (OP-2.1)."""
    numbers = {
        **{f"upgrade_cost_{u}": its["cost"] for u, its in _UPGRADES.items()},
        **{f"cost_{f}": its["cost"] for f, its in _FACTORIES.items()},
        **{name: its["credits"] for name, its in _DISCOUNTS.items()},
    }
    pairs = {name: in_ruleset(pair, ruleset) for name, pair in numbers.items() if isinstance(pair, list)}
    return {**DATA["ruleset"][ruleset.name], **pairs}


PRESETS = {"ruleset": {ruleset.name: preset(ruleset) for ruleset in Ruleset}}
