"""Outpost: the options (OP-16). The default is the Basic game's; `ruleset` sets what the Expert game has."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from simkit.games.outpost.facts import DATA, MOST
from simkit.options import choice, flag, integer, plain


class Ruleset(IntEnum):
    """Basic or Expert game (OP-2.1)."""

    basic, expert = range(2)


class Tiebreak(IntEnum):
    """What breaks a tie in victory points (OP-7.3)."""

    upgrade_cost, hand_value, shared = range(3)


class Start(IntEnum):
    """The purchase order of turn 1 (OP-2.6)."""

    seat, random = range(2)


class Order(IntEnum):
    """The purchase order from turn 2 on (OP-3.3)."""

    leader_first, leader_last, random, rotate = range(4)


class StartHand(IntEnum):
    """How the cards of turn 1 come about (OP-4.5)."""

    rulebook, average, floor = range(3)


class DiscardTiming(IntEnum):
    """When hands are brought within their capacity (OP-4.8)."""

    after_actions, before_actions = range(2)


class Supply(IntEnum):
    """How many copies of each upgrade there are (OP-2.4, OP-2.5)."""

    players_minus_1, expert_chart = range(2)


class Payment(IntEnum):
    """Who chooses the cards of a payment (OP-5.12, OP-5.13)."""

    auto, explicit = range(2)


class RobotsLimit(IntEnum):
    """How many robots can be used (OP-5.22)."""

    unlimited, times_population = range(2)


class Values(IntEnum):
    """What production gives (OP-4.2)."""

    cards, average = range(2)


def in_ruleset(value: Any, ruleset: Ruleset = Ruleset.basic) -> int:
    """A number of the components in a rule set: one of a pair where the two differ."""
    return int(value[ruleset] if isinstance(value, list) else value)


_BASIC = DATA["ruleset"]["basic"]
_UPGRADES, _FACTORIES, _DISCOUNTS = DATA["upgrade"], DATA["factory"], DATA["discount"]
_MEGA, _OVERBIDS = {"mega": True}, {"secret_overbidding": True}
_TERROR, _SPIRAL = {"space_terrorism": True}, {"death_spiral": True}
_YES_NO = {"false": "no", "true": "yes"}
_COUNTED = {"false": "not counted", "true": "counted"}
_OFF_ON = {"false": "off", "true": "on"}

GAME = [
    choice("ruleset", Ruleset.basic, "OP-2.1",
           "Basic or Expert game: sets the defaults of the options in which they differ",
           label="rule set", values={"basic": "Basic game", "expert": "Expert game"}),
    integer("victory_vp", 75, 30, 120, "OP-7.1", "Victory points that end the game", label="points to win",
            values="{} VP"),
    choice("victory_tiebreak", Tiebreak.upgrade_cost, "OP-7.3", "What breaks a tie in victory points",
           label="tie-break", values={"upgrade_cost": "cost of the upgrades", "hand_value": "value of the hand",
                                      "shared": "nothing"}),
    integer("max_turns", 100, 20, 250, "OP-7.4", "Turns after which the game is ended", label="most turns"),
    choice("initial_order", Start.seat, "OP-2.6", "Purchase order of turn 1", label="order of the first turn",
           values={"seat": "by seat", "random": "drawn"}),
    choice("purchase_order", Order.leader_first, "OP-3.3", "Purchase order from turn 2 on",
           label="order of later turns", values={"random": "drawn", "rotate": "rotating"}),
]  # fmt: skip

START = [
    integer("start_population", 3, 1, 10, "OP-2.2", "Population at the start"),
    integer("start_ore", 2, 0, 10, "OP-2.2", "Ore factories at the start",
            label="ore factories at the start"),
    integer("start_water", 1, 0, 10, "OP-2.2", "Water factories at the start",
            label="water factories at the start"),
    integer("first_turn_ore_cards", _BASIC["first_turn_ore_cards"], -1, 10, "OP-4.5",
            "Ore cards of turn 1, -1 = as produced", label="ore cards of the first turn"),
    integer("first_turn_water_cards", _BASIC["first_turn_water_cards"], -1, 10, "OP-4.5",
            "Water cards of turn 1, -1 = as produced", label="water cards of the first turn"),
    choice("start_hand", StartHand.rulebook, "OP-4.5", "How the cards of turn 1 come about",
           label="opening hands", values={"rulebook": "drawn", "average": "of average value",
                                          "floor": "drawn again below a least value"}),
    integer("start_hand_floor", 0, 0, 20, "OP-4.5",
            "Least value of the cards of turn 1 with start_hand = floor",
            label="least value of an opening hand", values="{} credits", needs={"start_hand": "floor"}),
    integer("late_seat_ore_cards", 0, 0, 3, "OP-4.5",
            "Extra ore cards on turn 1 for each place in the purchase order",
            label="ore cards for later seats", values="{} for each place", treats=tuple(range(1, MOST)),
            needs={"initial_order": "seat"}),
    flag("first_turn_water_deal", _BASIC["first_turn_water_deal"], "OP-5.23",
         "All cards for a water factory on turn 1", label="water deal", values=_OFF_ON),
]  # fmt: skip

HANDS = [
    integer("hand_capacity_base", _BASIC["hand_capacity_base"], 3, 30, "OP-4.7",
            "Hand capacity without upgrades", label="hand capacity", values="{} cards"),
    integer("capacity_warehouse", _BASIC["capacity_warehouse"], 0, 10, "OP-4.7",
            "Hand capacity of a warehouse", label="hand capacity of a warehouse"),
    integer("capacity_outpost", _BASIC["capacity_outpost"], 0, 10, "OP-4.7",
            "Hand capacity of an outpost", label="hand capacity of an outpost"),
    choice("discard_timing", DiscardTiming.after_actions, "OP-4.8",
           "When hands are brought within their capacity", label="discarding"),
    flag("research_counts", _BASIC["research_counts"], "OP-4.6", "Research cards count for the capacity",
         label="research cards in the capacity", values=_COUNTED),
    flag("microbiotics_counts", _BASIC["microbiotics_counts"], "OP-4.6",
         "Microbiotics cards count for the capacity", label="microbiotics cards in the capacity", values=_COUNTED),
    choice("production_values", Values.cards, "OP-4.2", "Cards, or an IOU of average value for every card",
           label="production gives", values={"cards": "cards", "average": "IOUs of average value"}),
    flag("mega", _BASIC["mega"], "OP-4.4", "Mega-cards", label="mega-cards", values=_OFF_ON),
    integer("mega_min_factories", 4, 4, 8, "OP-4.4", "Operated factories needed for mega-cards",
            label="factories for a mega-card", needs=_MEGA),
    integer("mega_supply", 0, 0, 20, "OP-4.4", "Mega-cards of a product, 0 = no limit",
            label="mega-cards of a product", needs=_MEGA),
]  # fmt: skip

MARKET = [
    choice("supply_rule", Supply.players_minus_1, "OP-2.4", "Copies of each upgrade",
           label="copies of an upgrade",
           values={"players_minus_1": "one fewer than players", "expert_chart": "by the Expert chart"}),
    integer("supply_delta", 0, -2, 3, "OP-2.4", "Copies more of each upgrade (in all 0 to 7)",
            label="more copies of an upgrade", values="{:+}"),
    integer("market_size_delta", 0, -2, 3, "OP-3.6",
            "Cards more on the market than players (in all at least 1)",
            label="more cards on the market", values="{:+}"),
    integer("duplicate_limit_delta", 0, -2, 3, "OP-3.8",
            "Copies more of a type on the market (in all at least 1)",
            label="more copies on the market", values="{:+}"),
    integer("phase2_vp", 10, 5, 30, "OP-3.5", "Victory points that begin phase 2", label="points for phase 2",
            values="{} VP"),
    integer("phase3_vp", _BASIC["phase3_vp"], -1, 75, "OP-3.5",
            "Victory points that begin phase 3, -1 = from the Expert chart", label="points for phase 3",
            values="{} VP"),
    flag("phase_auto_advance", _BASIC["phase_auto_advance"], "OP-3.9",
         "An exhausted phase is followed by the next one", label="exhausted phase ends", values=_YES_NO),
    flag("auction_reentry", True, "OP-5.5", "Who has passed may bid again", label="bids after a pass",
         values={"false": "forbidden", "true": "allowed"}),
    integer("min_bid_increment", 1, 1, 20, "OP-5.5", "Least raise of a bid", label="least raise"),
    integer("max_upgrades_per_turn", 0, 0, 5, "OP-5.9",
            "Upgrades that a player may win in a turn, 0 = no limit", label="most upgrades in a turn"),
    choice("payment", Payment.auto, "OP-5.12", "Who chooses the cards of a payment", label="payments",
           values={"auto": "by the automatic payer", "explicit": "card by card"}),
]  # fmt: skip

COLONIES = [
    integer("pop_max_base", 5, 3, 10, "OP-5.20", "Population maximum without upgrades",
            label="population maximum"),
    integer("pop_nodule", 3, 0, 8, "OP-5.20", "Population maximum of a nodule",
            label="population of a nodule"),
    integer("pop_outpost", 5, 0, 10, "OP-5.20", "Population maximum of an outpost",
            label="population of an outpost"),
    integer("pop_cost", 10, 1, 20, "OP-5.19", "Cost of a population unit", label="cost of population"),
    integer("pop_cost_ecoplants", 5, 1, 20, "OP-5.19", "Cost of a population unit with ecoplants",
            label="cost of population with ecoplants"),
    integer("robot_cost", 10, 1, 20, "OP-5.21", "Cost of a robot", label="cost of a robot"),
    choice("robots_limit", RobotsLimit.unlimited, "OP-5.22", "How many robots can be used",
           label="usable robots", values={"unlimited": "all", "times_population": "population for each robots card"}),
    integer("bonus_robots", _BASIC["bonus_robots"], 0, 3, "OP-5.8", "Robots that come with a robots card",
            label="robots with a robots card"),
    flag("robots_man_specials", False, "OP-6.2", "Robots may operate specials",
         label="robots operate specials", values=_YES_NO),
]  # fmt: skip

COMPONENTS = [
    *(integer(f"cost_{name}", in_ruleset(its["cost"]), 5, 100, "OP-5.15",
              f"Cost of a factory of {plain(name)}", label=f"cost of {plain(name)} factories")
      for name, its in _FACTORIES.items()),
    *(integer(f"vp_{name}", its["vp"], 0, 5, "OP-3.1",
              f"Victory points of an operated factory of {plain(name)}",
              label=f"points of {plain(name)} factories") for name, its in _FACTORIES.items()),
    *(integer(f"upgrade_cost_{name}", in_ruleset(its["cost"]), 5, 400, "OP-1.4",
              f"Printed cost of the {plain(name)}", label=f"cost of the {plain(name)}")
      for name, its in _UPGRADES.items()),
    *(integer(f"upgrade_vp_{name}", its["vp"], 0, 40, "OP-1.4", f"Victory points of the {plain(name)}",
              label=f"points of the {plain(name)}") for name, its in _UPGRADES.items()),
    *(integer(name, in_ruleset(its["credits"]), 0, 30, "OP-5.7",
              f"Discount on the {plain(its['on'])} for each {plain(its['owned'])} card",
              label=f"discount on the {plain(its['on'])} per {plain(its['owned'])}")
      for name, its in _DISCOUNTS.items()),
]  # fmt: skip

OPTIONAL_RULES = [
    flag("secret_overbidding", False, "OP-8.3", "Bids beyond the hand are legal; the winner may default",
         label="secret overbidding", values=_OFF_ON),
    integer("overbid_ceiling", 999, 200, 999, "OP-8.3", "Highest legal bid with secret_overbidding",
            label="highest bid", needs=_OVERBIDS),
    flag("space_terrorism", False, "OP-8.4", "Players may attack upgrades and factories", values=_OFF_ON),
    integer("terrorism_destroy_factor", 2, 1, 4, "OP-8.4", "Costs that an attack must spend net of defence",
            label="an attack must spend", values="{} times the cost", needs=_TERROR),
    integer("terrorism_defence_factor", 2, 1, 4, "OP-8.4", "How much a credit of defence counts",
            label="a credit of defence counts", values="{} credits", needs=_TERROR),
    flag("death_spiral", False, "OP-8.6", "Fewer victory points end the game once all upgrades are gone",
         values=_OFF_ON),
    integer("death_spiral_step", 10, 5, 20, "OP-8.6", "Victory points fewer each turn",
            label="points fewer each turn of the death spiral", values="{} VP", needs=_SPIRAL),
]  # fmt: skip

OPTIONS = [*GAME, *START, *HANDS, *MARKET, *COLONIES, *COMPONENTS, *OPTIONAL_RULES]


def preset(ruleset: Ruleset) -> dict[str, Any]:
    """What a rule set sets: its own table, and the numbers in which components differ (OP-2.1)."""
    numbers = {
        **{f"upgrade_cost_{name}": its["cost"] for name, its in _UPGRADES.items()},
        **{f"cost_{name}": its["cost"] for name, its in _FACTORIES.items()},
        **{name: its["credits"] for name, its in _DISCOUNTS.items()},
    }
    pairs = {name: in_ruleset(pair, ruleset) for name, pair in numbers.items() if isinstance(pair, list)}
    return {**DATA["ruleset"][ruleset.name], **pairs}


PRESETS = {"ruleset": {ruleset.name: preset(ruleset) for ruleset in Ruleset}}
