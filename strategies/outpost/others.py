"""Strategies for Outpost (OP-13).

All know what an upgrade is worth to them in credits, and bid up to that. They differ in that worth and in what they build.
"""

from simkit.games.outpost import game
from simkit.games.outpost.auctions import least_bid
from simkit.games.outpost.facts import (
    ATTACK,
    DONE,
    ECOPLANTS,
    F_CHEMICALS,
    HEAVY,
    JOIN,
    JUMP,
    LABORATORY,
    LET_BE,
    LIBRARY,
    MINIMUM,
    NODULE,
    ORBITAL,
    ORDINARY,
    OUTPOST,
    PASS,
    RESEARCH,
    ROBOTS,
    SCIENTISTS,
    SITES,
    TYPES,
    WAREHOUSE,
    DiscardTiming,
    Kind,
    RobotsLimit,
)
from simkit.games.outpost.holdings import capacity, discount, room
from simkit.jit import rule
from simkit.strategy import Weight, strategy
from strategies.outpost.estimates import (
    exact_price,
    expected_hand,
    free_operators,
    income,
    turns_left,
    worst_place,
)
from strategies.outpost.reference import WIN_WORTH, is_legal, reference_answer, reference_bid, reference_worth
from strategies.outpost.shopper import shopper


@rule
def wins_with(view, rules, seat, t):
    """Whether the upgrade's victory points would be enough to end the game."""
    return int(view.score[seat]) + int(rules.vp[t]) >= view.threshold


@rule
def best_average(view, rules, seat):
    """Average and cost of the best factory that technology allows, research cards set aside."""
    best = 1 if view.upgrades[seat, HEAVY] == 0 else 2
    best = 3 if view.upgrades[seat, LABORATORY] > 0 else best
    return int(rules.average[rules.site_product[best]]), int(rules.factory_cost[best])


@rule
def likes_reference(view, rules, seat, f, cost, w, memo):
    """New chemicals first, ore last (OP-S0)."""
    return 1.0 + f


@rule
def likes_payback(view, rules, seat, f, cost, w, memo):
    """Credits until the presumed end and victory points, less the cost."""
    left = max(0, turns_left(view, rules, memo) - 1)
    gain = left * int(rules.average[rules.site_product[f]]) + vp_worth(view, rules, w, memo) * int(
        rules.site_vp[f]
    )
    return (gain - cost) / cost


@rule
def vp_worth(view, rules, w, memo):
    """Credits for a victory point: more in later phases, most at the presumed end."""
    if turns_left(view, rules, memo) <= 2:
        return w.last
    return w.first if view.phase == 1 else w.second if view.phase == 2 else w.third


@rule
def slots_worth(view, rules, seat, places, cost, w, memo):
    """Worth of new operator places: those likely to be used, each with the best factory until the presumed end."""
    average, factory = best_average(view, rules, seat)
    left = max(0, turns_left(view, rules, memo) - 1)
    used = min(float(places), income(view, rules, seat) / 40 * left)
    spare = room(view, rules, seat)
    used = used if spare <= 0 else max(0.0, min(used, used - 0.5 * spare))
    return max(0.0, used * (average * left + 2 * vp_worth(view, rules, w, memo) - factory - cost))


@rule
def special_gain(view, rules, seat, t):
    """Income of a special, less that of the place its operator leaves."""
    left = (
        worst_place(view, rules, seat)
        if free_operators(view, rules, seat) <= 0 and room(view, rules, seat) < 0
        else 0
    )
    return int(rules.average[rules.site_product[t - 5]]) - left


@rule
def discounts_worth(view, rules, seat, owner):
    """0.6 of each discount for every target type still to be had that the player lacks (OP-13.8)."""
    total = 0.0
    for t in range(TYPES):
        if view.upgrades[seat, t] == 0 and view.supply[t] + view.market[t] > 0:
            total += 0.6 * int(rules.discount[owner, t])
    return total


@rule
def horizon_worth(view, rules, seat, t, w, memo):
    """Victory points, income until the presumed end, places, discounts, room for cards (OP-13.8)."""
    if wins_with(view, rules, seat, t):
        return float(WIN_WORTH)
    left = max(0, turns_left(view, rules, memo) - 1)
    total = vp_worth(view, rules, w, memo) * int(rules.vp[t]) + w.spill * spilt(view, rules, seat)
    if t == LIBRARY:
        total += discounts_worth(view, rules, seat, 0)
    elif t == WAREHOUSE:
        total += w.room * int(rules.capacity_warehouse) * overflow(view, rules, seat)
    elif t == HEAVY:
        total += discounts_worth(view, rules, seat, 1)
        if view.upgrades[seat, HEAVY] == 0:
            total += 7 * min(6.0, income(view, rules, seat) / 40 * left / 2) * w.technology
    elif t == NODULE:
        total += w.slots * slots_worth(view, rules, seat, int(rules.pop_nodule), int(rules.pop_cost), w, memo)
    elif t == SCIENTISTS:
        total += int(rules.average[RESEARCH]) * left * w.income
    elif t == ORBITAL:
        total += 17 * left * w.income
    elif t == ROBOTS:
        total += w.slots * slots_worth(
            view, rules, seat, 4 + int(view.population[seat]) // 2, int(rules.robot_cost), w, memo
        )
    elif t == LABORATORY:
        total += 13 * left * w.income + 2 * vp_worth(view, rules, w, memo)
    elif t == ECOPLANTS:
        total += discounts_worth(view, rules, seat, 2) + 5 * max(0, room(view, rules, seat))
    elif t == OUTPOST:
        total += (
            w.slots * slots_worth(view, rules, seat, int(rules.pop_outpost), int(rules.pop_cost), w, memo)
            + 10 * left * w.income
        )
        total += w.room * int(rules.capacity_outpost) * overflow(view, rules, seat)
    else:
        total += special_gain(view, rules, seat, t) * left * w.income
    return total


@rule
def spilt(view, rules, seat):
    """Credits about to be discarded for want of capacity: cards beyond it, at the mean value of the hand (OP-4.8)."""
    load = int(view.load[seat])
    beyond = load - capacity(view, rules, seat)
    if rules.discard_timing == DiscardTiming.before_actions:
        for site in range(SITES):
            beyond += int(view.operated[seat, site])
    return int(view.wealth[seat]) * min(max(0, beyond), load) / max(1, load)


@rule
def overflow(view, rules, seat):
    """How much the hand strains its capacity, 0 to 1."""
    return min(1.0, max(0.0, int(view.load[seat]) / max(1, capacity(view, rules, seat)) - 0.3))


HORIZON = {
    "first": Weight(4.0, 0.0, 40.0, "Credits for a victory point in phase 1"),
    "second": Weight(5.0, 0.0, 40.0, "... in phase 2"),
    "third": Weight(7.0, 0.0, 40.0, "... in phase 3"),
    "last": Weight(12.0, 0.0, 80.0, "... in the presumed last two turns"),
    "income": Weight(1.0, 0.0, 4.0, "Share of the income until the presumed end that counts"),
    "slots": Weight(1.0, 0.0, 4.0, "Share of the worth of new operator places that counts"),
    "technology": Weight(1.0, 0.0, 8.0, "Share of the worth of building titanium that counts"),
    "spill": Weight(
        0.2, 0.0, 2.0, "Share of the credits about to be discarded that an upgrade is worth paying"
    ),
    "room": Weight(3.0, 0.0, 40.0, "Credits for a place in a strained hand"),
}
values_horizon = shopper(horizon_worth, likes_payback)


@strategy(game, **HORIZON)
def horizon_valuer(view, rules, legal, w, rng, scratch, memo):
    """Rate upgrades and factories by what they earn until the presumed end, and by victory points (OP-13.8)."""
    return values_horizon(view, rules, legal, w, memo)


# factory_builder


@rule
def worth_of_places(view, rules, seat, t, w, memo):
    """Only what gives places for operators, once all are used (OP-13.1)."""
    if t in (NODULE, OUTPOST, ROBOTS) and room(view, rules, seat) <= 0:
        return reference_worth(view, rules, seat, t) + w.places
    return -1


builds_factories = shopper(worth_of_places, likes_reference)


@strategy(
    game, places=Weight(20, 0, 300, "Credits beyond the reference player's worth for places of operators")
)
def factory_builder(view, rules, legal, w, rng, scratch, memo):
    """Ignore the auctions except for places of operators; build all that can be built (OP-13.1)."""
    return builds_factories(view, rules, legal, w, memo)


# vp_shopper


@rule
def worth_by_vp(view, rules, seat, t, w, memo):
    """So much for a victory point, a little for the first copy (OP-13.2)."""
    if wins_with(view, rules, seat, t):
        return WIN_WORTH
    return w.vp * int(rules.vp[t]) + (w.first if view.upgrades[seat, t] == 0 else 0)


shops_for_vp = shopper(worth_by_vp, likes_reference)


@strategy(
    game,
    vp=Weight(8, 0, 60, "Credits for a victory point"),
    first=Weight(10, 0, 200, "Credits for the first copy of an upgrade"),
)
def vp_shopper(view, rules, legal, w, rng, scratch, memo):
    """Rate upgrades by their victory points only (OP-13.2)."""
    return shops_for_vp(view, rules, legal, w, memo)


# titanium_rush


@rule
def worth_in_a_rush(view, rules, seat, t, w, memo):
    """Heavy equipment early; until enough titanium stands, little else (OP-13.3)."""
    worth = reference_worth(view, rules, seat, t)
    if t == HEAVY and view.upgrades[seat, HEAVY] == 0 and view.turn <= w.early:
        return worth + w.heavy
    if view.factories[seat, 2] < w.enough and t != HEAVY and t != NODULE and t < ORDINARY:
        return worth * w.others // 100
    return worth + (w.late if t >= OUTPOST else 0)


@rule
def likes_titanium(view, rules, seat, f, cost, w, memo):
    """Titanium before all else until there is enough (OP-13.3)."""
    return 10.0 if f == 2 and view.factories[seat, 2] < w.enough else 1.0 + f


rushes = shopper(worth_in_a_rush, likes_titanium)


@strategy(
    game,
    heavy=Weight(30, 0, 200, "Credits more for the first heavy equipment in the early turns"),
    early=Weight(6, 0, 50, "Last of the early turns"),
    enough=Weight(6, 0, 40, "Titanium factories that are enough"),
    others=Weight(70, 0, 200, "Percent of the usual worth of other upgrades before that"),
    late=Weight(20, 0, 200, "Credits more for outposts and specials"),
)
def titanium_rush(view, rules, legal, w, rng, scratch, memo):
    """Heavy equipment and titanium first, then outposts and stations (OP-13.3)."""
    return rushes(view, rules, legal, w, memo)


# research_chemist


@rule
def worth_of_research(view, rules, seat, t, w, memo):
    """Libraries, scientists and laboratories; stations once there is chemistry (OP-13.4)."""
    worth = reference_worth(view, rules, seat, t)
    if t == LIBRARY:
        return max(worth, w.library)
    if t == SCIENTISTS or (t == LABORATORY and view.upgrades[seat, LABORATORY] == 0):
        return worth + w.research
    return worth + (w.stations if t >= ORDINARY and view.factories[seat, F_CHEMICALS] >= w.chemistry else 0)


chemist = shopper(worth_of_research, likes_reference)


@strategy(
    game,
    library=Weight(20, 0, 100, "Credits for a data library"),
    research=Weight(25, 0, 200, "Credits more for scientists and the first laboratory"),
    chemistry=Weight(3, 0, 40, "New chemicals factories from which on stations are wanted more"),
    stations=Weight(30, 0, 300, "... by so many credits"),
)
def research_chemist(view, rules, legal, w, rng, scratch, memo):
    """Research cards for new chemicals, chemistry for stations (OP-13.4)."""
    return chemist(view, rules, legal, w, memo)


# robot_baron


@rule
def worth_of_robots(view, rules, seat, t, w, memo):
    """The first robots card above all, then nodules (OP-13.5)."""
    worth = reference_worth(view, rules, seat, t)
    if t == ROBOTS and view.upgrades[seat, ROBOTS] == 0:
        limited = w.base + w.each * int(view.population[seat])
        return max(worth, limited if rules.robots_limit == RobotsLimit.times_population else w.robots)
    return max(worth, w.nodule) if t == NODULE else worth


@rule
def likes_mass(view, rules, seat, f, cost, w, memo):
    """Cheap factories in numbers once there are robots."""
    average = int(rules.average[rules.site_product[f]])
    return average / cost if view.upgrades[seat, ROBOTS] > 0 and f < 2 else average / cost / 2


breeds_robots = shopper(worth_of_robots, likes_mass)


@strategy(
    game,
    robots=Weight(130, 0, 400, "Credits for the first robots card without a limit"),
    base=Weight(80, 0, 400, "... with one"),
    each=Weight(10, 0, 50, "... and for each population unit"),
    nodule=Weight(45, 0, 200, "Credits for a nodule"),
)
def robot_baron(view, rules, legal, w, rng, scratch, memo):
    """Robots at almost any price, then ore and water in masses (OP-13.5)."""
    return breeds_robots(view, rules, legal, w, memo)


# denier


@rule(allocates=True)
def denies(view, rules, w):
    """Whether to raise on what the high bidder wants more: a small loss if the card stays with the denier (OP-13.6)."""
    seat, t, bidder = int(view.seat), int(view.lot), int(view.bidder)
    due = max(0, least_bid(view, rules) - discount(view, rules, seat, t))
    if due > view.wealth[seat] or exact_price(view, rules, seat, due) - due > w.loss:
        return False
    theirs = min(reference_worth(view, rules, bidder, t), expected_hand(view, rules, bidder)) + discount(
        view, rules, bidder, t
    )
    return theirs > int(view.bid) + w.margin and 100 * reference_worth(
        view, rules, seat, t
    ) >= w.own * least_bid(view, rules)


@rule(allocates=True)
def jump_of(view, rules):
    """By how much to jump at once: to what the strongest of the others may bid, if the own worth reaches that far."""
    seat, t = int(view.seat), int(view.lot)
    second = 0
    for other in range(view.seats):
        if other != seat:
            hand = int(expected_hand(view, rules, other))
            second = max(
                second, min(reference_worth(view, rules, other, t), hand) + discount(view, rules, other, t)
            )
    own = min(reference_worth(view, rules, seat, t), int(view.wealth[seat])) + discount(view, rules, seat, t)
    raised = min(second, 1000) - least_bid(view, rules)
    return raised if raised > 0 and least_bid(view, rules) + raised <= own else 0


@strategy(
    game,
    loss=Weight(3, 0, 50, "Most credits of surplus when a raise wins"),
    own=Weight(80, 0, 300, "Least own worth in percent of the raise"),
    margin=Weight(3, 0, 100, "Credits that the high bidder is thought to have left"),
    jumps=Weight(1, 0, 1, "1 = jumps to the estimated highest bid of the others"),
)
def denier(view, rules, legal, w, rng, scratch, memo):
    """The reference player, but nobody gets a card cheaply (OP-13.6)."""
    if view.kind == Kind.bid and legal[0] == PASS:
        if w.jumps and is_legal(legal, JUMP) and memo[6] != view.bid:
            memo[5] = jump_of(view, rules)
            memo[6] = view.bid
            if memo[5] > 0:
                return JUMP
        if reference_bid(view, rules, legal) == MINIMUM or denies(view, rules, w):
            return MINIMUM
        return PASS
    if view.kind == Kind.jump_hi:
        return memo[5] // 16
    if view.kind == Kind.jump_lo:
        return memo[5] % 16
    return reference_answer(view, rules, legal)


# sandbagger


@rule
def would_lead(view, seat, vp):
    """Whether so many more victory points make the seat the first in the purchase order."""
    for other in range(view.seats):
        if other != seat and view.score[other] > int(view.score[seat]) + vp:
            return False
    return True


@rule
def worth_behind(view, rules, seat, t, w, memo):
    """Upgrades of little use besides their points are left alone while they would give the lead (OP-13.7)."""
    worth = reference_worth(view, rules, seat, t) + (w.warehouse if t == WAREHOUSE else 0)
    idle = t in (LIBRARY, ECOPLANTS, ORBITAL)
    early = turns_left(view, rules, memo) > w.late
    return worth * w.shy // 100 if early and idle and would_lead(view, seat, int(rules.vp[t])) else worth


@rule
def likes_behind(view, rules, seat, f, cost, w, memo):
    """No ore sites for the sake of a point while that would give the lead."""
    early = turns_left(view, rules, memo) > w.late
    return 0.0 if early and f == 0 and view.turn > 6 and would_lead(view, seat, 1) else 1.0 + f


stays_behind = shopper(worth_behind, likes_behind)


@strategy(
    game,
    late=Weight(4, 0, 30, "Turns left from which on the lead is taken"),
    warehouse=Weight(15, 0, 200, "Credits more for a warehouse"),
    shy=Weight(60, 0, 100, "Percent of its worth for an upgrade that would give the lead too early"),
)
def sandbagger(view, rules, legal, w, rng, scratch, memo):
    """Avoid the lead until the end is near (OP-13.7)."""
    return stays_behind(view, rules, legal, w, memo)


# avenger


@rule
def leader_of(view):
    """The other seat with the most victory points, lowest first."""
    best = -1
    for seat in range(view.seats):
        if seat != view.seat and (best < 0 or view.score[seat] > view.score[best]):
            best = seat
    return best


@rule
def quarry(view, owner):
    """The leader's moon base, cruiser or station that is not immune, -1 none."""
    for t in range(TYPES - 1, ORDINARY - 1, -1):
        if view.upgrades[owner, t] > view.immune[owner, t]:
            return t
    return -1


@rule
def needed(view, rules, owner, item, w):
    """Credits that an attack must spend, with the defence to be expected."""
    defence = w.defence * expected_hand(view, rules, owner) * int(rules.terrorism_defence_factor)
    return int(rules.terrorism_destroy_factor) * int(rules.cost[item]) + int(defence)


@rule
def attacks(view, rules, w):
    """Only the leader, only if it is about to win, only if the hand reaches (OP-13.9)."""
    owner = leader_of(view)
    if view.threshold - int(view.score[owner]) > w.danger or view.score[owner] <= view.score[view.seat]:
        return False
    item = quarry(view, owner)
    return item >= 0 and view.wealth[view.seat] >= needed(view, rules, owner, item, w)


@rule
def spends(view, rules, legal, w):
    """Cards until the attack, or the own defence, is strong enough; the cheapest first."""
    cost = (
        int(rules.cost[view.target]) if view.target < TYPES else int(rules.factory_cost[view.target - TYPES])
    )
    net = int(view.force[0]) - int(rules.terrorism_defence_factor) * int(view.force[1])
    goal = int(rules.terrorism_destroy_factor) * cost
    if view.side == 0 and view.answer_at < 0:
        goal = needed(view, rules, int(view.victim), int(view.target), w)
    enough = net >= goal if view.side == 0 else net < goal
    return DONE if enough and legal[legal.size - 1] == DONE else legal[0]


@rule
def joins(view, rules):
    """Join an attack on the leader, or defend an own item, when the own hand makes the difference (OP-13.9)."""
    cost = (
        int(rules.cost[view.target]) if view.target < TYPES else int(rules.factory_cost[view.target - TYPES])
    )
    net = int(view.force[0]) - int(rules.terrorism_defence_factor) * int(view.force[1])
    short = int(rules.terrorism_destroy_factor) * cost - net
    wealth = int(view.wealth[view.seat])
    if view.victim == view.seat:
        return (
            JOIN + 1
            if short <= 0 and int(rules.terrorism_defence_factor) * wealth > -short and wealth >= -short
            else LET_BE
        )
    return JOIN if view.victim == leader_of(view) and 0 < short <= min(wealth, wealth // 4 + 20) else LET_BE


AVENGER = {
    **HORIZON,
    "danger": Weight(12, 0, 80, "Victory points that the leader lacks at most when it is attacked"),
    "defence": Weight(0.5, 0.0, 1.0, "Share of the owner's expected hand thought to be spent on defence"),
}


@strategy(game, **AVENGER)
def avenger(view, rules, legal, w, rng, scratch, memo):
    """The horizon valuer, who stops a leader about to win where terrorism is allowed (OP-13.9)."""
    if view.kind == Kind.main and is_legal(legal, ATTACK) and attacks(view, rules, w):
        return ATTACK
    if view.kind == Kind.t_player:
        return leader_of(view) if is_legal(legal, leader_of(view)) else legal[0]
    if view.kind == Kind.t_item:
        wanted = quarry(view, int(view.victim))
        return wanted if wanted >= 0 else legal[0]
    if view.kind == Kind.t_card:
        return spends(view, rules, legal, w)
    if view.kind == Kind.t_response:
        return joins(view, rules)
    return values_horizon(view, rules, legal, w, memo)
