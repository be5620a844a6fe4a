"""Exoplanet Colony: the course of a turn, up to the next decision (EX-3)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rule_helpers import OVER
from simkit.games.exoplanet_colony import cards, crew, events, life, plans
from simkit.games.exoplanet_colony import setup as start
from simkit.games.exoplanet_colony.facts import AMOUNTS, NOBODY, Decision, End, Issue, Stage, Step
from simkit.games.exoplanet_colony.legal import free_choices
from simkit.games.exoplanet_colony.options import Per
from simkit.games.exoplanet_colony.scoring import finish

INSOMNIA, ACUTE = AMOUNTS["insomnia_actions"], AMOUNTS["acute_actions"]


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
