"""Exoplanet Colony: the course of a turn, what is legal, what carries it out (EX-3, EX-11)."""

from simkit.engine.compile.jit import bit, bit_count, rule
from simkit.engine.game import OVER, offer_set
from simkit.games.exoplanet_colony import base, cards, crew, deploy, events, life, plans, tokens
from simkit.games.exoplanet_colony import setup as start
from simkit.games.exoplanet_colony.facts import (
    AMOUNTS,
    CARD,
    DIR,
    DIRECTIONS,
    HEALTH,
    NOBODY,
    PERM,
    RES,
    SEAT,
    SLOT,
    TOKEN,
    Act,
    Character,
    Decision,
    End,
    Issue,
    Stage,
    Step,
)
from simkit.games.exoplanet_colony.options import Per
from simkit.games.exoplanet_colony.scoring import finish

INSOMNIA, ACUTE, ANKLE = AMOUNTS["insomnia_actions"], AMOUNTS["acute_actions"], AMOUNTS["ankle_extra_cost"]


@rule
def setup(s, rules, rng):
    """Lay out the start and go on to the first decision (EX-2)."""
    start.lay_out(s, rules, rng)
    go_on(s, rules, rng)


@rule
def go_on(s, rules, rng):
    """Carry out all that needs no decision, until a seat must decide or the game is over.

    Hands above their limit come first (EX-4.13), then cards still to be drawn, then the choice in progress.
    """
    while s.seat != OVER:
        if s.over != NOBODY:
            if cards.ask_limit(s, rules):
                return
        elif s.to_draw > 0:
            cards.draw_next(s, rng)
        elif s.decision != Decision.none:
            return
        else:
            advance(s, rules)


@rule
def advance(s, rules):
    """Go on to the next stage of the turn (EX-3.2)."""
    if s.stage == Stage.finish:
        finish_choice(s)
    if s.stage == Stage.act:
        if plans.ask_window(s, rules, 1):
            return
        enter(s, Stage.main.value)
    if s.stage == Stage.main:
        ask_main(s, rules)
    else:
        advance_turn(s, rules)


@rule
def advance_turn(s, rules):
    """Go on to the next stage, outside the choices of a turn."""
    stage = s.stage
    if stage == Stage.start:
        if not plans.ask_window(s, rules, 0):
            allow_actions(s, rules)
    elif stage == Stage.update:
        if not takes_place(s, rules.update_per) or not plans.ask_window(s, rules, 0):
            update(s, rules)
    elif stage == Stage.reveal:
        reveal(s, rules)
    elif stage == Stage.event:
        if not plans.ask_window(s, rules, 0):
            enter(s, Stage.ops.value)
    elif stage == Stage.ops:
        if events.is_done(s, rules):
            end_turn(s)
        else:
            events.next_op(s, rules)
    elif stage == Stage.begin:
        begin_turn(s)
    elif not start.ask_hands(s):
        enter(s, Stage.begin.value)


@rule
def enter(s, stage):
    """Enter a stage."""
    s.stage = stage
    s.seats_asked = 0


@rule
def takes_place(s, per):
    """Return whether a step takes place: in each turn, or in the last of a round (EX-3.6)."""
    return per == Per.turn or (s.active + 1) % s.seats == s.first


@rule
def begin_turn(s):
    """Begin a turn with a window for plans (EX-3.2)."""
    s.turn_no += 1
    s.step = Step.actions
    s.skip_update = 0
    sick = s.issues[s.active] != 0
    s.log.game.sick_turns += sick
    s.log.seat[s.active].sick_turns += sick
    s.log.seat[s.active].turns += 1
    enter(s, Stage.start.value)


@rule
def allow_actions(s, rules):
    """Set the number of actions of the turn (EX-3.3)."""
    level, lost = s.level, 0
    if crew.is_ill(s, s.active, Issue.insomnia.value):
        lost += INSOMNIA
    if crew.is_ill(s, s.active, Issue.acute.value):
        lost += ACUTE
    s.actions_left = max(1, rules.track[level] - lost)
    s.log.game.allowance += s.actions_left
    s.log.game.turns_in_emergency += level > 0
    s.log.game.turns_on_brink += level == rules.skull - 1
    enter(s, Stage.main.value)


@rule
def ask_main(s, rules):
    """Ask for an action, an item or a plan; end the step when there is none (EX-3.4)."""
    if s.actions_left == 0 and free_choices(s, rules) == 0:
        end_actions(s)
    else:
        s.seat, s.decision = s.active, Decision.main


@rule
def end_actions(s):
    """End the Actions step; unused actions are lost (EX-3.4)."""
    s.log.game.idle_actions += s.actions_left
    s.log.seat[s.active].idle_actions += s.actions_left
    s.actions_left = 0
    s.step = Step.update
    enter(s, Stage.update.value)


@rule
def finish_choice(s):
    """Pay for a finished choice of MAIN; others may play plans (EX-3.4, EX-4.12)."""
    s.actions_left -= s.price
    enter(s, Stage.act.value if s.actions_left > 0 else Stage.main.value)


@rule
def update(s, rules):
    """Carry out step 2, unless it is left out (EX-5, EX-3.6, EX-4.12)."""
    if takes_place(s, rules.update_per) and not s.skip_update:
        life.update(s, rules)
    if s.seat != OVER:
        s.step = Step.event
        enter(s, Stage.reveal.value)


@rule
def reveal(s, rules):
    """Carry out step 3, unless it is left out: an event, or defeat without one (EX-6.1, EX-6.2)."""
    if s.turn_no <= rules.grace_turns or not takes_place(s, rules.event_per):
        end_turn(s)
    elif s.events_n == 0:
        finish(s, rules, End.events_out)
    else:
        events.reveal(s)
        enter(s, Stage.event.value)


@rule
def end_turn(s):
    """Pass the turn to the next seat (EX-3.1)."""
    game = s.log.game
    s.event = NOBODY
    game.turns += 1
    game.loss_turns += game.loss_placed - game.loss_fixed
    game.emergency_turns += game.emergencies_placed - game.emergencies_fixed
    s.active = (s.active + 1) % s.seats
    enter(s, Stage.begin.value)


@rule
def legal(s, rules, out):
    """Write the legal action ids of the seat to decide, ascending (EX-11.2)."""
    decision = s.decision
    if decision == Decision.main:
        return offer_set(out, main_set(s, rules))
    if decision == Decision.plan_window:
        return offer_window(s, out)
    first, members = options_of(s, rules)
    n = offer_set(out, members)
    for i in range(n):
        out[i] += first
    return n


@rule
def offer_window(s, out):
    """Write the ids of passing and of the plans that can be played now (EX-4.12)."""
    n = offer_set(out, plans.usable_plans(s, s.seat) << 1)
    for i in range(n, 0, -1):
        out[i] = out[i - 1] - 1 + CARD
    out[0] = Act.pass_
    return n + 1


@rule
def main_set(s, rules):
    """Return the legal actions of the active seat, bit of the action id (EX-11.2)."""
    acts = bit(Act.pass_) | free_choices(s, rules)
    return acts | actions(s, rules) if s.actions_left > 0 else acts


@rule
def free_choices(s, rules):
    """Return items and plans, which need no action left (EX-3.4)."""
    seat = s.active
    acts = (plans.usable_plans(s, seat) != 0) << Act.plan
    if s.actions_left >= rules.item_cost:
        acts |= (crew.usable_items(s, rules, seat) != 0) << Act.item
    return acts


@rule
def actions(s, rules):
    """Return the choices that cost an action, bit of the action id (EX-11.2)."""
    seat, slot = s.active, s.pawn[s.active]
    hand, near = int(s.hand[seat]), cards.partners(s, seat, False)
    acts = moves(s, seat)
    acts |= cards.can_draw(s) << Act.draw
    acts |= (cards.givable_to(s, rules, seat, near) != 0) << Act.give
    acts |= (cards.takeable_from(s, rules, near) != 0) << Act.take
    acts |= deploy.can_deploy(s, rules, seat, 0) << Act.deploy
    acts |= (crew.generators(s, hand) != 0) << Act.generate
    acts |= (tokens.tokens_on(s, slot) != 0) << Act.repair
    acts |= tokens.can_switch(s, rules, slot) << Act.switch
    acts |= ((s.issues[seat] != 0) & (bit_count(hand) >= rules.recover_cards)) << Act.recover
    return acts | crew.can_use_ability(s, rules, seat) << Act.ability


@rule
def move_price(s, seat):
    """Return the actions that a Move costs (EX-4.5, EX-7.3)."""
    return 1 + ANKLE if crew.is_ill(s, seat, Issue.ankle.value) else 1


@rule
def moves(s, seat):
    """Return the moves to a neighbour that can be paid, bit of the action id (EX-4.5)."""
    if s.actions_left < move_price(s, seat):
        return 0
    return (~base.free_directions(s, s.pawn[seat]) & bit(DIRECTIONS) - 1) << Act.move


@rule
def options_of(s, rules):
    """Return the first id of a decision after MAIN, and the set of legal ids from there (EX-11.2)."""
    decision, seat = s.decision, s.active
    hand = int(s.hand[s.seat])
    if decision == Decision.deploy_card:
        return CARD, deploy.deployable(s, rules, hand, int(s.substitutes))
    if decision == Decision.deploy_pay:
        return CARD, deploy.payments(s)
    if decision == Decision.deploy_dir:
        return DIR, base.free_directions(s, s.slot)
    if decision == Decision.gen_card:
        return CARD, crew.generators(s, hand)
    if decision == Decision.take_card:
        return CARD, int(s.hand[s.partner])
    if decision == Decision.take_partner:
        return SEAT, cards.takeable(s, rules, seat, s.relay)
    if decision == Decision.give_partner:
        return SEAT, cards.givable(s, rules, seat, s.relay)
    if decision == Decision.plan_card:
        return CARD, plans.usable_plans(s, seat)
    if decision == Decision.item_card:
        return CARD, crew.usable_items(s, rules, seat)
    if decision == Decision.gen_res or decision == Decision.item_res:
        return RES, life.below_full(s)
    if decision == Decision.repair_token:
        return TOKEN, tokens.tokens_on(s, s.slot)
    if decision == Decision.event_place:
        return SLOT, int(s.places)
    if decision >= Decision.plan_seat:
        return options_of_plans(s, decision, hand)
    return options_of_crew(s, rules, decision, hand)


@rule
def options_of_plans(s, decision, hand):
    """Return the options of plans, or the cards of the own hand."""
    if decision == Decision.plan_seat:
        return SEAT, bit(s.seats) - 1
    if decision == Decision.plan_slot:
        return SLOT, base.all_slots(s) & ~bit(s.pawn[s.partner])
    if decision == Decision.plan_perm:
        return PERM, bit(6 if plans.looked_at(s) == 3 else 2) - 1
    return CARD, hand


@rule
def options_of_crew(s, rules, decision, hand):
    """Return the options of abilities, items and health issues, or the cards of the own hand."""
    if decision == Decision.issue:
        return HEALTH, int(s.issues[s.partner])
    if decision == Decision.ability_seat:
        return SEAT, crew.ill_seats(s, crew.medic_is_near(rules))
    if decision == Decision.item_seat:
        return SEAT, crew.ill_seats(s, True)
    if decision == Decision.item_slot:
        return SLOT, tokens.removable(s)
    if decision == Decision.ability_slot:
        if s.character[s.active] == Character.engineer:
            return SLOT, tokens.removable(s)
        return SLOT, base.all_slots(s) & ~bit(s.pawn[s.active])
    if decision == Decision.ability_way:
        return 0, crew.relay_ways(s, rules, s.active)
    if decision == Decision.ability_card:
        return CARD, bit(s.got[0]) | bit(s.got[1])
    if decision == Decision.item_take:
        return CARD, cards.pile_set(s)
    if decision == Decision.deploy_slot:
        return SLOT, base.with_space(s)
    return CARD, hand


@rule
def apply(s, rules, action, rng):
    """Carry out one legal action, then all that follows from it."""
    decision = s.decision
    if decision == Decision.main:
        choose(s, rules, action, rng)
    elif decision == Decision.plan_window:
        if action == Act.pass_:
            s.seats_asked += 1
            s.decision = Decision.none
        else:
            plans.play_plan(s, action - CARD)
    elif decision == Decision.hand_discard:
        cards.limit_discard(s, action - CARD)
    elif decision >= Decision.repair_token:
        apply_crew(s, rules, action)
    else:
        apply_cards(s, rules, action)
    go_on(s, rules, rng)


@rule
def choose(s, rules, action, rng):
    """Begin a choice of MAIN (EX-4, EX-11.2)."""
    if action == Act.pass_:
        s.decision = Decision.none
        end_actions(s)
        return
    s.price = price(s, rules, action)
    s.log.game.actions += s.price
    s.log.seat[s.active].actions += s.price
    s.relay = 0
    s.stage, s.decision = Stage.finish, Decision.none
    if action == Act.draw:
        s.log.game.draws += 1
        s.log.seat[s.active].draws += 1
        cards.draw_cards(s, s.active, int(rules.draw_cards))
    elif Act.move <= action < Act.move + DIRECTIONS:
        move(s, action - Act.move)
    elif action == Act.give:
        s.decision = Decision.give_partner
    elif action == Act.take:
        s.decision = Decision.take_partner
    elif action == Act.deploy:
        deploy.begin_deploying(s, 0)
    elif action == Act.generate:
        crew.begin_generating(s, rules, 0)
    else:
        choose_rare(s, rules, action, rng)


@rule
def choose_rare(s, rules, action, rng):
    """Begin repairs, switches, recovery, abilities, items and plans."""
    if action == Act.repair:
        s.log.game.repairs += 1
        s.log.seat[s.active].repairs += 1
        s.slot, s.decision = s.pawn[s.active], Decision.repair_token
    elif action == Act.switch:
        tokens.switch(s, rules, int(s.pawn[s.active]))
    elif action == Act.recover:
        s.log.game.recovers += 1
        s.log.seat[s.active].recovers += 1
        s.partner, s.to_discard = s.active, rules.recover_cards
        s.decision = Decision.issue
    elif action == Act.ability:
        crew.use_ability(s, rules, rng)
    else:
        s.decision = Decision.item_card.value if action == Act.item else Decision.plan_card.value


@rule
def price(s, rules, action):
    """Return the actions that a choice of MAIN costs (EX-4.1, EX-4.5, EX-4.11, EX-4.12)."""
    if action == Act.plan:
        return 0
    if action == Act.item:
        return int(rules.item_cost)
    return move_price(s, s.active) if Act.move <= action < Act.move + DIRECTIONS else 1


@rule
def move(s, direction):
    """Move the pawn to a neighbour (EX-4.5)."""
    s.pawn[s.active] = s.slot_nb[s.pawn[s.active], direction]
    s.log.game.moves += 1
    s.log.seat[s.active].moves += 1


@rule
def apply_cards(s, rules, action):
    """Apply decisions about cards: give, take, deploy, pay, generate, discard."""
    decision = s.decision
    if decision == Decision.deploy_card:
        deploy.choose_module(s, rules, action - CARD)
    elif decision == Decision.deploy_pay:
        deploy.pay(s, rules, action - CARD)
    elif decision == Decision.deploy_dir:
        deploy.choose_cell(s, rules, action - DIR)
    elif decision == Decision.gen_card:
        crew.generate_with(s, rules, action - CARD)
    elif decision == Decision.give_partner or decision == Decision.take_partner:
        s.partner = action - SEAT
        s.decision = (
            Decision.give_card.value if decision == Decision.give_partner else Decision.take_card.value
        )
    elif decision == Decision.give_card:
        s.decision = Decision.none
        cards.give(s, action - CARD)
    elif decision == Decision.take_card:
        s.decision = Decision.none
        cards.take(s, action - CARD)
    elif decision == Decision.gen_res:
        crew.generate(s, rules, action - RES)
    elif decision == Decision.deploy_slot:
        s.slot, s.decision = action - SLOT, Decision.deploy_dir
    else:
        cards.discard(s, s.seat, action - CARD)
        s.decision = Decision.none


@rule
def apply_crew(s, rules, action):
    """Apply decisions about repairs, health, abilities, items, plans and events."""
    decision = s.decision
    if decision == Decision.repair_token:
        s.decision = Decision.none
        tokens.remove_token(s, rules, int(s.slot), action - TOKEN)
    elif decision == Decision.event_discard:
        events.event_discard(s, action - CARD)
    elif decision == Decision.event_place:
        events.place(s, rules, action - SLOT)
    elif decision == Decision.issue:
        crew.choose_issue(s, action - HEALTH)
    elif decision == Decision.recover_card:
        crew.pay_recovery(s, action - CARD)
    elif decision == Decision.plan_card:
        plans.play_plan(s, action - CARD)
    elif decision == Decision.plan_seat:
        s.partner, s.decision = action - SEAT, Decision.plan_slot
    elif decision == Decision.plan_slot:
        plans.evacuate(s, action - SLOT)
    elif decision == Decision.plan_perm:
        plans.reorder(s, action - PERM)
    else:
        apply_ability(s, rules, action)


@rule
def apply_ability(s, rules, action):
    """Apply the target of an ability or an item."""
    decision = s.decision
    if decision == Decision.ability_seat or decision == Decision.item_seat:
        s.partner, s.decision = action - SEAT, Decision.issue
        s.to_discard = 0
    elif decision == Decision.item_slot:
        s.slot, s.decision = action - SLOT, Decision.repair_token
    elif decision == Decision.ability_slot:
        choose_slot(s, action - SLOT)
    elif decision == Decision.ability_way:
        s.relay = 1
        s.decision = Decision.give_partner.value if action == Act.give else Decision.take_partner.value
    elif decision == Decision.ability_card:
        crew.keep_drawn(s, action - CARD)
    elif decision == Decision.item_card:
        crew.use_item(s, action - CARD)
    elif decision == Decision.item_take:
        crew.print_card(s, action - CARD)
    else:
        s.decision = Decision.none
        life.make_supply(s, rules, s.active, action - RES, int(rules.item_supply_amount))


@rule
def choose_slot(s, slot):
    """Let the Engineer repair the slot, or move the Pilot there (EX-4.10)."""
    if s.character[s.active] == Character.engineer:
        s.slot, s.decision = slot, Decision.repair_token
    else:
        s.pawn[s.active] = slot
        s.decision = Decision.none
