"""A player of Lunar Outpost that buys intel and times every event (LO-19, spymaster)."""

from simkit.engine.compile.jit import bit_count, lowest_bit, rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.facts import (
    BUY_INTEL,
    CONSTRUCT,
    DONE,
    HANDLED,
    MODS,
    NOBODY,
    Building,
    Mod,
    Phase,
)
from simkit.games.lunar_outpost.scoring import troops_on_map
from simkit.games.lunar_outpost.spending import targets
from simkit.games.lunar_outpost.works import income, of_type

from .answers import answers
from .build import spend_worth, spends
from .closing import best_points
from .features import is_last_turn, live_deposits, living, producers, turns_left

KEPT_TURNS = 3  # last turns, in which nothing is disclosed
RICH = 2  # live deposits that put an excavator before intel
LEAST = -1e9  # less than any benefit


@rule
def of_kind(s, seat, kind):
    """Return the number of buildings of a type that a seat has."""
    return bit_count(of_type(s, int(s.own[seat]), kind))


@rule
def count_of(s, rules, mod, seat):
    """Return how many things of a seat a modifier concerns, negative if it harms them."""
    if mod == Mod.dome_rate:
        return of_kind(s, seat, Building.dome.value)
    if mod == Mod.excavator_rate:
        return live_deposits(s, rules, seat)
    if mod == Mod.transport_self_only or mod == Mod.transport_rough:
        count = producers(s, rules, seat)
        return count if mod == Mod.transport_rough else -count
    if mod == Mod.defence_all:
        return bit_count(int(s.own[seat]))
    if mod == Mod.tower_support:
        return of_kind(s, seat, Building.tower.value)
    if mod == Mod.move_rough or mod == Mod.no_move:
        count = troops_on_map(s, rules, seat)
        return count if mod == Mod.move_rough else -count
    return of_kind(s, seat, mod - Mod.vp_dome) if mod >= Mod.vp_dome else 0


@rule
def is_price(mod):
    """Return whether a modifier changes a price."""
    return Mod.cost_all <= mod <= Mod.cost_relocate or mod == Mod.cost_troop or mod == Mod.cost_intel


@rule
def lead_in(s, rules, mod):
    """Return the own count of a modifier over the mean of the living opponents."""
    seat, own, theirs = s.seat, 0.0, 0.0
    for other in range(s.seats):
        if s.alive[other]:
            price = is_price(mod)
            n = -income(s, rules, other) / 3.0 if price else 1.0 * count_of(s, rules, mod, other)
            own += n if other == seat else 0.0
            theirs += n if other != seat else 0.0
    return own - theirs / (living(s) - 1)


@rule
def benefit(s, rules, card):
    """Return what disclosing a card does for the decider more than for the others."""
    before, total = s.active_event[rules.event_category[card]], 0.0
    for mod in range(MODS):
        delta = int(rules.event_delta[card, mod])
        if before != NOBODY:
            delta -= rules.event_delta[before, mod]
        if delta != 0:
            total += delta * lead_in(s, rules, mod)
    return total


@rule
def picks_event(view, rules, w):
    """Decide INTEL: the card of the highest benefit less its points, if worth it or with a full hand."""
    seat, best, most = view.seat, HANDLED, LEAST
    if turns_left(view) <= KEPT_TURNS:
        return HANDLED
    for slot in range(view.hand_n[seat]):
        card = view.hand[seat, slot]
        worth = benefit(view, rules, card) - rules.event_points[card]
        if worth > most:
            best, most = slot, worth
    return best if most > w.benefit or view.hand_n[seat] >= rules.intel_limit else HANDLED


@rule
def has_rich_target(view, rules):
    """Return whether an excavator could be built next to several live deposits."""
    left = targets(view, rules, view.seat, Building.excavator.value, NOBODY)
    while left != 0:
        if bit_count(int(view.link[lowest_bit(left)] & view.live)) >= RICH:
            return True
        left &= left - 1
    return False


@rule
def goes_before(view, rules, action):
    """Return whether a purchase goes before intel: a dome, or an excavator with several live deposits."""
    if action == CONSTRUCT + Building.dome:
        return True
    return action == CONSTRUCT + Building.excavator and has_rich_target(view, rules)


@rule
def spies(view, rules, legal, w):
    """Decide SPEND: with enough income purchases before intel, then intel, then as the reference."""
    if is_last_turn(view):
        return best_points(view, rules, legal)
    best, most, intel = DONE, LEAST, False
    for i in range(legal.size):
        intel |= legal[i] == BUY_INTEL
        if goes_before(view, rules, legal[i]):
            worth = spend_worth(view, rules, legal[i], False)
            if worth > most:
                best, most = legal[i], worth
    if not intel or income(view, rules, view.seat) < w.income:
        return spends(view, rules, legal, False)
    return BUY_INTEL if best == DONE else best


@strategy(
    game,
    allocates=False,
    income=Weight(2, 0, 20, "Income, cubes a turn, from which intel goes before most buildings"),
    benefit=Weight(1.0, -20.0, 20.0, "Benefit above its points for which a card is disclosed"),
)
def spymaster(view, rules, legal, w):
    """Buy intel early; disclose what helps itself more than the others (LO-19)."""
    if view.phase == Phase.spend:
        return spies(view, rules, legal, w)
    if view.phase == Phase.intel:
        return picks_event(view, rules, w)
    return answers(view, rules, legal, False)
