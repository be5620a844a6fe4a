"""Red Outpost: what goes on by itself, what is legal, what carries it out (RO-10)."""

from simkit.engine.compile.jit import bit, rule
from simkit.engine.rule_helpers import OVER, offer, offer_set
from simkit.games.red_outpost import cards, lake, locations, moves, spaceship, turns
from simkit.games.red_outpost.facts import EVERYONE, RESOURCES, WORKERS, Decision, Stage
from simkit.games.red_outpost.setup import lay_out


@rule
def setup(s, rules, rng):
    """Lay out the start and go on to the first decision (RO-2)."""
    lay_out(s, rules, rng)
    go_on(s, rules, rng)


@rule
def go_on(s, rules, rng):
    """Carry out all that needs no decision, until a seat decides or the game is over (RO-3.8, RO-10.5)."""
    while s.decision == Decision.none and s.seat != OVER:
        if s.stage <= Stage.turn or s.stage >= Stage.end_turn:
            go_on_between(s, rules, rng)
        else:
            go_on_turn(s, rules, rng)


@rule
def go_on_between(s, rules, rng):
    """Go on between turns: dealing, phases, card 9 and card 12."""
    stage = s.stage
    if stage == Stage.turn:
        turns.begin_turn(s, rules)
    elif stage == Stage.end_turn:
        turns.end_turn(s)
    elif stage == Stage.end_phase:
        turns.end_phase(s, rules)
    elif stage == Stage.sleepers:
        cards.go_on_sleepers(s)
    elif stage == Stage.close_phase:
        turns.close_phase(s, rules)
    elif stage == Stage.phase:
        turns.begin_phase(s, rules, rng)
    elif stage == Stage.keep:
        cards.go_on_keeping(s, rules, rng)
    else:
        cards.go_on_laying_down(s)


@rule
def go_on_turn(s, rules, rng):
    """Go on within a turn, in the order of RO-10.5."""
    stage = s.stage
    if stage == Stage.disk:
        moves.go_on_disk(s)
    elif stage == Stage.alt:
        locations.go_on_alt(s)
    elif stage == Stage.visit:
        locations.visit(s, rules, rng)
    elif stage == Stage.extra:
        cards.go_on_extra(s)
    elif stage == Stage.donate:
        cards.go_on_donating(s)
    elif stage == Stage.fisher:
        cards.go_on_fishing(s)
    elif stage == Stage.lake_draw:
        lake.go_on_drawing(s, rng)
    elif stage == Stage.lake_pick:
        lake.go_on_picking(s, rules, rng)
    elif stage == Stage.lake_post:
        lake.go_on_after_catch(s)
    else:
        spaceship.go_on_exporting(s)


@rule
def legal(s, rules, out):
    """Write the legal action ids of the seat to decide, ascending (RO-10.2)."""
    decision = s.decision
    if decision == Decision.move:
        return moves.legal_move(s, out)
    if decision == Decision.store_opt:
        return locations.legal_store(s, rules, out)
    if decision == Decision.admin_from:
        return locations.legal_admin_from(s, rules, out)
    if decision == Decision.palace:
        return locations.legal_palace(s, out)
    if decision == Decision.beer_gain:
        return offer(out, 0, WORKERS)
    if decision == Decision.beer_lose or decision == Decision.store_lose:
        return offer_set(out, EVERYONE & ~bit(s.gain_w))
    if decision == Decision.store_gain:
        return offer(out, 0, WORKERS - 1)
    if decision == Decision.admin_to:
        return offer_set(out, EVERYONE & ~(bit(s.cur_w) | bit(s.adm_w)))
    if decision == Decision.farm_res or decision == Decision.ship_res:
        return offer(out, 0, RESOURCES - 1)
    if decision == Decision.ship_export:
        return offer(out, 0, RESOURCES)
    return legal_rare(s, out)


@rule
def legal_rare(s, out):
    """Write the options of special cards and of the Fisherman."""
    decision = s.decision
    if decision == Decision.disk:
        return moves.legal_disk(s, out)
    if decision == Decision.lake_src:
        return lake.legal_lake_src(s, out)
    if decision == Decision.miner_extra:
        return cards.legal_extra(s, out)
    if decision == Decision.fish_worker:
        return cards.legal_fish_worker(out)
    if decision == Decision.fish_loc:
        return offer_set(out, cards.free_places(s))
    if decision == Decision.lunch_down:
        return cards.legal_standing(s, out)
    if decision == Decision.card_keep:
        return cards.legal_keep(s, out)
    if decision == Decision.barr_from:
        return cards.legal_barr_from(s, s.seat, out)
    if decision == Decision.barr_to:
        return offer_set(out, cards.asleep(s) & ~bit(s.adm_w))
    return offer(out, 0, 1)


@rule
def apply(s, rules, action, rng):
    """Carry out one legal action, then all that follows from it (RO-10)."""
    decision = s.decision
    s.decision = Decision.none
    if decision == Decision.move:
        moves.move(s, action)
    elif decision == Decision.store_opt:
        locations.use_store(s, rules, action)
    elif decision == Decision.admin_from:
        locations.take_disk(s, action)
    elif decision == Decision.admin_to:
        locations.put_disk(s, action)
    elif decision == Decision.palace:
        locations.give_at_palace(s, action)
    elif decision == Decision.beer_gain:
        locations.pay_for_swap(s, action)
    elif decision == Decision.beer_lose or decision == Decision.store_lose:
        locations.swap(s, rules, action)
    elif decision == Decision.store_gain:
        locations.choose_gainer(s, action)
    elif decision == Decision.ship_res:
        spaceship.take_ship(s, rules, action)
    elif decision == Decision.lake_pre:
        lake.shuffle_before(s, action, rng)
    elif decision == Decision.lake_pick:
        lake.pick_lake(s, rules, action, rng)
    elif decision == Decision.lake_post:
        lake.shuffle_after(s, action, rng)
    else:
        apply_card(s, rules, decision, action, rng)
    go_on(s, rules, rng)


@rule
def apply_card(s, rules, decision, action, rng):
    """Apply the decisions that special cards bring."""
    if decision == Decision.disk:
        moves.place_disk(s, action)
    elif decision == Decision.alt:
        locations.replace(s, rules, action)
    elif decision == Decision.farm_res:
        locations.farm(s, rules, action)
    elif decision == Decision.ship_export:
        spaceship.export_one_of_four(s, rules, action)
    elif decision == Decision.lake_src:
        lake.draw_lake(s, action, rng)
    elif decision == Decision.miner_extra:
        cards.produce_extra(s, rules, action)
    elif decision == Decision.commissar_donate:
        cards.donate_extra(s, action)
    elif decision == Decision.fish_worker:
        cards.choose_moved(s, action)
    elif decision == Decision.fish_loc:
        cards.move_other(s, action)
    elif decision == Decision.lunch_down:
        cards.lay_down(s, action)
    elif decision == Decision.card_keep:
        cards.keep(s, action)
    elif decision == Decision.barr_from:
        cards.choose_source(s, action)
    else:
        cards.move_own_disk(s, action)
