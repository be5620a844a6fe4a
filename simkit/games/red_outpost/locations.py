"""Red Outpost: the actions of visits (RO-4.3, RO-4.5, RO-5)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import add, offer
from simkit.games.red_outpost.facts import (
    NO,
    RESOURCES,
    SHIFT,
    WORKERS,
    Card,
    Decision,
    Location,
    Palace,
    Resource,
    Stage,
    Store,
    Worker,
)
from simkit.games.red_outpost.goods import (
    add_cube,
    crystals_to_give,
    donate,
    gain_crystals,
    pay_crystal,
    produce,
    remove,
    turn_wheel,
)
from simkit.games.red_outpost.lake import begin_lake
from simkit.games.red_outpost.moods import shift_mood, swap_mood, visit_mood
from simkit.games.red_outpost.moves import owns
from simkit.games.red_outpost.options import Disks
from simkit.games.red_outpost.spaceship import draw_ship


@rule
def go_on_alt(s):
    """Ask about cards 1, 4 and 8, which may replace the whole action (RO-4.3)."""
    s.stage = Stage.visit
    here = s.cur_loc
    pasture = here == Location.pasture and owns(s, Card.pasture)
    beer = here == Location.beer_house and owns(s, Card.beer_house)
    if pasture or beer or (here == Location.mine and owns(s, Card.mine)):
        s.decision = Decision.alt


@rule
def replace(s, rules, action):
    """Use the card's effect instead of the action, if chosen (RO-6.1, RO-6.4, RO-6.8)."""
    if action == 0:
        return
    s.stage = Stage.extra
    if s.cur_loc == Location.pasture:
        if rules.pasture_card_mood:
            visit_mood(s, rules)
        shift_mood(s, rules, s.cur_w, 2)
        s.log.game.card_uses[Card.pasture - 1] += 1
    elif s.cur_loc == Location.beer_house:
        gain_crystals(s, rules, s.seat, 2)
        s.log.game.card_uses[Card.beer_house - 1] += 1
    else:
        turn_wheel(s, rules, 3)
        shift_mood(s, rules, s.cur_w, -1)
        s.log.game.card_uses[Card.mine - 1] += 1


@rule
def visit(s, rules, rng):
    """Apply the printed mood change, then the action of the location (RO-4.4, RO-4.5)."""
    visit_mood(s, rules)
    s.stage = Stage.extra
    here, has_crystal = s.cur_loc, s.crystals[s.seat] > 0
    if here == Location.spaceship:
        draw_ship(s, rules, rng)
    elif here == Location.lake:
        begin_lake(s)
    elif here == Location.palace and has_crystal:
        s.decision = Decision.palace
    elif here == Location.farm and owns(s, Card.farm):
        s.decision = Decision.farm_res
    elif here == Location.beer_house and has_crystal:
        s.decision = Decision.beer_gain
    elif here == Location.storehouse:
        s.store_left = 2 if owns(s, Card.storehouse) else 1
        s.store_first = 1
        s.decision = Decision.store_opt
    elif here == Location.administration and s.cur_w != Worker.bureaucrat:
        s.decision = Decision.admin_from if rules.administration_disks != Disks.none else Decision.none
    else:
        make(s, rules)


@rule
def make(s, rules):
    """What a visit gives without a choice (RO-5.1, RO-5.3, RO-5.6, RO-5.8, RO-5.11); also used by players."""
    here = s.cur_loc
    if here == Location.pasture:
        produce(s, rules, Resource.wool.value, 1)
    elif here == Location.farm:
        produce(s, rules, Resource.wheat.value, 1)
    elif here == Location.mine:
        produce(s, rules, Resource.coal.value, rules.miner_coal if s.cur_w == Worker.miner else 1)
    elif here == Location.labor_camp:
        produce(s, rules, Resource.wheat.value, 1)
        produce(s, rules, Resource.wool.value, 1)
        produce(s, rules, Resource.fish.value, 1)
    elif here == Location.administration and s.cur_w == Worker.bureaucrat:
        gain_crystals(s, rules, s.seat, 1)


@rule
def legal_palace(s, out):
    """Write nothing, donate, and with card 2 a crystal on a portrait (RO-5.2, RO-6.2)."""
    last = Palace.portrait + WORKERS - 1 if owns(s, Card.palace) else Palace.donate.value
    return offer(out, NO, last)


@rule
def give_at_palace(s, action):
    """Give a crystal to the Palace or a portrait (RO-5.2, RO-6.2)."""
    if action == Palace.donate:
        donate(s, s.seat)
    elif action >= Palace.portrait:
        s.crystals[s.seat] -= 1
        s.pcry[s.seat, action - Palace.portrait] += 1
        s.log.game.card_uses[Card.palace - 1] += 1


@rule
def farm(s, rules, resource):
    """Add a cube of any type by card 3 (RO-6.3)."""
    if resource != Resource.wheat:
        s.log.game.card_uses[Card.farm - 1] += 1
    produce(s, rules, resource, 1)


@rule
def pay_for_swap(s, action):
    """Pay the crystal of the Beer House and choose the worker who gains mood (RO-5.4)."""
    if action > 0:
        pay_crystal(s, s.seat)
        s.log.game.beer_swaps += 1
        s.gain_w = action - 1
        s.decision = Decision.beer_lose


@rule
def swap(s, rules, worker):
    """Choose the other worker of a swap (RO-5.4, RO-5.5)."""
    swap_mood(s, rules, s.gain_w, worker)


@rule
def legal_store(s, rules, out):
    """Write the options at the Storehouse (RO-5.5, RO-6.5)."""
    n, gives = add(out, 0, Store.nothing), crystals_to_give(s, rules, 1) > 0
    for resource in range(RESOURCES):
        if s.store[resource] > 0 and s.store_first:
            n = add(out, n, Store.mood + resource)
        if s.store[resource] > 0 and gives:
            n = add(out, n, Store.sell + resource)
        if s.crystals[s.seat] > 0:
            n = add(out, n, Store.buy + resource)
    return n


@rule
def use_store(s, rules, action):
    """Trade a cube for mood or a crystal, or a crystal for a cube (RO-5.5, RO-6.5)."""
    if action == Store.nothing:
        return
    log = s.log.game
    if action < Store.sell:
        remove(s, action - Store.mood, False)
        log.store_mood += 1
        s.decision = Decision.store_gain
        return
    if action < Store.buy:
        remove(s, action - Store.sell, False)
        gain_crystals(s, rules, s.seat, 1)
        log.store_to_crystal += 1
    else:
        pay_crystal(s, s.seat)
        add_cube(s, rules, action - Store.buy)
        log.store_from_crystal += 1
    if not s.store_first:
        log.card_uses[Card.storehouse - 1] += 1
    s.store_left -= 1
    s.store_first = 0
    if s.store_left > 0:
        s.decision = Decision.store_opt


@rule
def choose_gainer(s, worker):
    """Choose the worker who gains mood for a cube (RO-5.5)."""
    s.gain_w = worker
    s.decision = Decision.store_lose


@rule
def legal_admin_from(s, rules, out):
    """Write no, and the disks that may be moved (RO-5.6)."""
    n = add(out, 0, NO)
    for seat in range(s.seats):
        if seat != s.seat or rules.administration_disks == Disks.any:
            for worker in range(WORKERS):
                if worker != s.cur_w and s.infl[seat, worker] > 0:
                    n = add(out, n, SHIFT.pack(seat, worker))
    return n


@rule
def take_disk(s, action):
    """Choose the disk to move (RO-5.6)."""
    if action != NO:
        s.adm_q, s.adm_w = SHIFT.seat(action), SHIFT.worker(action)
        s.decision = Decision.admin_to


@rule
def put_disk(s, worker):
    """Put the disk on its new portrait (RO-5.6)."""
    s.infl[s.adm_q, s.adm_w] -= 1
    s.infl[s.adm_q, worker] += 1
    s.log.game.admin_moves += 1
    if s.adm_q != s.seat:
        s.log.seat[s.adm_q].disks_shifted += 1
