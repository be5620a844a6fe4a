"""Exoplanet Colony: what each action does (EX-3, EX-4, EX-11)."""

from simkit.engine.compile.jit import rule
from simkit.games.exoplanet_colony import cards, crew, deploy, events, life, plans, tokens
from simkit.games.exoplanet_colony.facts import (
    CARD,
    DIR,
    DIRECTIONS,
    HEALTH,
    PERM,
    RES,
    SEAT,
    SLOT,
    TOKEN,
    Act,
    Character,
    Decision,
    Stage,
)
from simkit.games.exoplanet_colony.legal import move_price
from simkit.games.exoplanet_colony.turn import end_actions, go_on


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
