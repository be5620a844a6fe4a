"""What productions, modules, tokens and events are worth, in halves (EX-13.3)."""

from simkit.engine.compile.jit import rule
from simkit.games.exoplanet_colony.facts import EMERGENCY, EVENTS, MOST_PRODUCTION, NOBODY, RESOURCES, Op, Who

ONE = 2  # a whole one, in halves
BELOW, ABOVE = 3 * ONE, ONE // 2  # a production below the goal, above it
SOON = 3  # turns
WINS = 1000 * ONE
ALARM = 10 * ONE
SUPPLY, LOSS, EMERGENCIES, HEALTH, CARDS = ONE // 2, 3 * ONE, 6 * ONE, 2 * ONE, ONE  # of an event


@rule
def is_scarce(s, rules, r):
    """Whether a supply soon runs dry, as the productions are."""
    now = int(s.production[r])
    return (now < rules.win_production) & (s.supply[r] + SOON * now <= 0)


@rule
def change(s, rules, r, n, style):
    """What a change of a production is worth: so much for each step below the goal, less for each above."""
    above = int(s.production[r]) - int(rules.win_production)
    steps = min(above + n, 0) - min(above, 0)  # those below the goal
    return steps * (ONE * style.scarcity if is_scarce(s, rules, r) else BELOW) + ABOVE * (n - steps)


@rule
def gain(s, rules, card, style):
    """What the effect of a module is worth."""
    total = 0
    for r in range(RESOURCES):
        total += change(s, rules, r, int(rules.effect[card, r]), style)
    return total


@rule
def is_won_by(s, rules, card, sign):
    """Whether the effect of a module, added or taken away, wins.

    Asked of every module of a hand at every action, so without branches, as `missing`: they go either way.
    """
    least = int(s.production[0] + sign * rules.effect[card, 0])
    for r in range(1, RESOURCES):
        least = min(least, int(s.production[r] + sign * rules.effect[card, r]))
    return least >= rules.win_production


@rule
def score(s, rules, card, style):
    """What it is worth to deploy a module."""
    return WINS if is_won_by(s, rules, card, 1) else gain(s, rules, card, style)


@rule
def is_won_by_one(s, rules, r):
    """Whether one production more of a resource wins."""
    for other in range(RESOURCES):
        if s.production[other] + (other == r) < rules.win_production:
            return False
    return True


@rule
def token_gain(s, rules, token, style):
    """What it is worth to remove a token."""
    if token == EMERGENCY:
        return ALARM
    return WINS if is_won_by_one(s, rules, token) else change(s, rules, token, 1, style)


@rule
def with_token(s, token):
    """Slots from which a token can be removed."""
    if token == EMERGENCY:
        return int(s.alarmed)
    return int(s.damaged[token]) if s.production[token] < MOST_PRODUCTION else 0


@rule
def best_token(s, rules, slots, style):
    """The most that removing a token from one of some slots is worth, 0 without one, and the slots."""
    most, where = 0, 0
    for token in range(EMERGENCY + 1):
        found = with_token(s, token) & slots
        if found != 0:
            worth = token_gain(s, rules, token, style)
            where = found if worth > most else where | found if worth == most else where
            most = max(most, worth)
    return most, where


@rule
def worth_a_repair(s, rules, least, style):
    """Slots with a token worth so much."""
    where = 0
    for token in range(EMERGENCY + 1):
        found = with_token(s, token)
        if found != 0 and token_gain(s, rules, token, style) >= least:
            where |= found
    return where


@rule
def severity(s, rules, event):
    """How bad an event is."""
    worst, key = severity_of(s, rules, event)
    return worst if key == NOBODY else worst + severity_of(s, rules, EVENTS + key)[0]


@rule
def severity_of(s, rules, ops):
    """How bad a list of ops is, but for the list of the scenario that it refers to, and which that is."""
    total, key = 0, NOBODY
    for i in range(rules.op_kind.shape[1]):
        op, what = rules.op_kind[ops, i], int(rules.op_what[ops, i])
        who = int(s.seats) if what == Who.each else 1
        if op == Op.supply:
            total -= SUPPLY * int(rules.op_amount[ops, i])
        elif op == Op.discard or op == Op.draw:
            total += CARDS * who if op == Op.discard else -CARDS * who
        elif op == Op.scenario:
            key = what
        else:
            total += LOSS * (op == Op.loss) + EMERGENCIES * (op == Op.emergency) + HEALTH * (op == Op.health)
    return total, key
