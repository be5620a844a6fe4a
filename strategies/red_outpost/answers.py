"""All decisions except MOVE of players of Red Outpost that look one decision ahead (RO-12.2)."""

from functools import cache

from simkit.engine.compile.jit import bit, rule
from simkit.games.red_outpost.cards import asleep, donate_extra, produce_extra
from simkit.games.red_outpost.facts import (
    EVERYONE,
    NO,
    NOBODY,
    SHIFT,
    WORKERS,
    Decision,
    Disk,
    Resource,
    Store,
)
from simkit.games.red_outpost.goods import add_cube, pay_crystal, produce
from simkit.games.red_outpost.locations import give_at_palace, make, replace, use_store
from simkit.games.red_outpost.moods import shift_mood, visit_mood
from simkit.games.red_outpost.scoring import mood_worth
from simkit.games.red_outpost.spaceship import export_one_of_four

from .values import staking, step_worth, totalling
from .whatif import LEAST, choosing, try_out


@cache
def answering(measure):
    """Return the rule for all decisions except MOVE (RO-12.2)."""
    swaps, swap_loser, trades = swapping(measure)
    shifts, shift_target = shifting(shift_gaining(measure))
    best_effect = effecting(measure)

    @rule
    def answers(view, rules, legal, mind, w, copy):
        kind = view.decision
        if kind == Decision.beer_gain or kind == Decision.store_gain:
            return swaps(view, rules, mind, w, copy)
        if kind == Decision.beer_lose or kind == Decision.store_lose:
            return swap_loser(view, rules, legal, mind, w, copy)
        if kind == Decision.store_opt:
            return trades(view, rules, legal, mind, w, copy)
        if kind == Decision.admin_from or kind == Decision.barr_from:
            return shifts(view, rules, legal, mind, w, copy)
        if kind == Decision.admin_to or kind == Decision.barr_to:
            return shift_target(view, rules, legal, mind, w, copy)
        if kind == Decision.disk or kind == Decision.lake_src:
            return preferred(legal, kind)
        if has_effect(kind):
            return best_effect(view, rules, legal, mind, w, copy)
        return legal[0]

    return answers


@rule
def has_effect(kind):
    """Return whether a choice has a certain effect on M."""
    alt = kind == Decision.alt or kind == Decision.palace or kind == Decision.farm_res
    ship = kind == Decision.ship_res or kind == Decision.ship_export or kind == Decision.lake_pick
    return alt or ship or kind == Decision.miner_extra or kind == Decision.commissar_donate


@rule
def preferred(legal, kind):
    """Decide the disk: release, else forgo; the lake: the best fish that was discarded (RO-12.2)."""
    first, second = (Disk.release, Disk.forgo) if kind == Decision.disk else (3, 2)
    for wanted in (first, second):
        for i in range(legal.size):
            if legal[i] == wanted:
                return wanted
    return 0


@cache
def swapping(measure):
    """Return the rules for gain and loss of mood and for the use of the Storehouse (RO-5.4, RO-5.5)."""
    stake, total = staking(measure), totalling(measure)

    @rule
    def best_swap(s, rules, mind, w):
        """Return the first best pair, and what it adds to M."""
        loser, least_lost, next_lost = NOBODY, LEAST, LEAST
        for loses in range(WORKERS):
            change = stake(s, loses, 0, mind, w) * step_worth(s, rules, loses, -1)
            if change > least_lost:
                loser, least_lost, next_lost = loses, change, least_lost
            else:
                next_lost = max(next_lost, change)
        gainer, most = NOBODY, LEAST
        for gains in range(WORKERS):
            change = stake(s, gains, 0, mind, w) * step_worth(s, rules, gains, 1)
            change += next_lost if gains == loser else least_lost
            if change > most:
                gainer, most = gains, change
        return gainer, most

    @rule
    def swaps(view, rules, mind, w, copy):
        gainer, change = best_swap(view, rules, mind, w)
        if view.decision == Decision.store_gain:
            return gainer
        try_out(copy, view)
        pay_crystal(copy, copy.seat)
        better = total(copy, rules, mind, w) + change > total(view, rules, mind, w)
        return 1 + gainer if better else NO

    @rule
    def loss(view, rules, worker, mind, w, copy):
        return stake(view, worker, 0, mind, w) * step_worth(view, rules, worker, -1)

    @rule
    def trade_worth(view, rules, action, mind, w, copy):
        """Return M after a use of the Storehouse."""
        try_out(copy, view)
        use_store(copy, rules, action)
        swap = best_swap(copy, rules, mind, w)[1] if Store.mood <= action < Store.sell else 0
        return total(copy, rules, mind, w) + swap

    return swaps, choosing(loss), choosing(trade_worth)


@cache
def shift_gaining(measure):
    """Return the rule for what moving a disk adds to M; the position is restored."""
    stake = staking(measure)

    @rule
    def shift_gain(s, rules, seat, source, target, mind, w):
        before = stake(s, source, 0, mind, w) * int(mood_worth(s, rules, source))
        before += stake(s, target, 0, mind, w) * int(mood_worth(s, rules, target))
        s.infl[seat, source] -= 1
        s.infl[seat, target] += 1
        after = stake(s, source, 0, mind, w) * int(mood_worth(s, rules, source))
        after += stake(s, target, 0, mind, w) * int(mood_worth(s, rules, target))
        s.infl[seat, source] += 1
        s.infl[seat, target] -= 1
        return after - before

    return shift_gain


def shifting(shift_gain, least=0):
    """Return the rules to move a disk for a gain above `least`.

    Disks are moved at the Administration and by card 12 (RO-5.6, RO-6.12).
    """

    @rule
    def shifts(view, rules, legal, mind, w, copy):
        try_out(copy, view)
        best, most = NO, least
        for i in range(legal.size):
            if legal[i] == NO:
                continue
            seat, source, targets = disk_of(view, legal[i])
            for target in range(WORKERS):
                if targets >> target & 1:
                    gain = shift_gain(copy, rules, seat, source, target, mind, w)
                    if gain > most:
                        best, most = legal[i], gain
        return best

    @rule
    def target_gain(view, rules, target, mind, w, copy):
        """Return the gain of moving the chosen disk there."""
        try_out(copy, view)
        seat = view.adm_q if view.decision == Decision.admin_to else view.seat
        return shift_gain(copy, rules, seat, view.adm_w, target, mind, w)

    return shifts, choosing(target_gain)


@rule
def disk_of(view, action):
    """Return seat and worker of a disk that may be moved, and the workers to which it may go (bit w)."""
    if view.decision == Decision.barr_from:
        return view.seat, action - 1, asleep(view) & ~bit(action - 1)
    source = SHIFT.worker(action)
    return SHIFT.seat(action), source, EVERYONE & ~(bit(source) | bit(view.cur_w))


@cache
def effecting(measure):
    """Return the rule that takes the choice after whose effect M is highest."""
    total = totalling(measure)

    @rule
    def effect_worth(view, rules, action, mind, w, copy):
        try_out(copy, view)
        take_effect(copy, rules, action)
        return total(copy, rules, mind, w)

    return choosing(effect_worth)


@rule
def take_effect(s, rules, action):
    """Carry out the certain effect of a choice; of a spaceship card only the cube (RO-12.2)."""
    kind = s.decision
    if kind == Decision.alt:
        take_place(s, rules, action)
    elif kind == Decision.palace:
        give_at_palace(s, action)
    elif kind == Decision.farm_res:
        produce(s, rules, action, 1)
    elif kind == Decision.ship_res:
        add_cube(s, rules, action)
    elif kind == Decision.ship_export:
        export_one_of_four(s, rules, action)
    elif kind == Decision.lake_pick:
        card = s.lake_held[action]
        produce(s, rules, Resource.fish.value, rules.lake_fish[card])
        shift_mood(s, rules, s.cur_w, rules.lake_mood[card])
    elif kind == Decision.miner_extra:
        produce_extra(s, rules, action)
    else:
        donate_extra(s, action)


@rule
def take_place(s, rules, action):
    """Carry out the certain part of a normal visit, or the card in its place (RO-4.3)."""
    if action == NO:
        visit_mood(s, rules)
        make(s, rules)
    else:
        replace(s, rules, action)
