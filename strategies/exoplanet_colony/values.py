"""Worth of productions, modules, tokens and events, in halves (EX-13.3)."""

from simkit.engine.compile.jit import rule
from simkit.games.exoplanet_colony.facts import EMERGENCY, EVENTS, MOST_PRODUCTION, NOBODY, RESOURCES, Op, Who

POINT = 2  # one, in halves
BELOW, ABOVE = 3 * POINT, POINT // 2  # worth of a step of production below the goal, and above it
SOON = 3  # turns within which a scarce supply runs dry
WINS = 1000 * POINT
ALARM = 10 * POINT
SUPPLY, LOSS, EMERGENCIES, HEALTH, CARDS = (
    POINT // 2,
    3 * POINT,
    6 * POINT,
    2 * POINT,
    POINT,
)  # ops of an event


@rule
def is_scarce(s, rules, r):
    """Return whether a supply soon runs dry at the present production."""
    now = int(s.production[r])
    return (now < rules.win_production) & (s.supply[r] + SOON * now <= 0)


@rule
def change(s, rules, r, n, style):
    """Return the worth of a change of a production: more for steps below the goal, less for steps above."""
    above = int(s.production[r]) - int(rules.win_production)
    steps = min(above + n, 0) - min(above, 0)  # those below the goal
    return steps * (POINT * style.scarcity if is_scarce(s, rules, r) else BELOW) + ABOVE * (n - steps)


@rule
def gain(s, rules, card, style):
    """Return the worth of the effect of a module."""
    total = 0
    for r in range(RESOURCES):
        total += change(s, rules, r, int(rules.effect[card, r]), style)
    return total


@rule
def is_won_by(s, rules, card, sign):
    """Return whether the effect of a module, added or taken away, wins.

    Computed for every module of a hand at every action; like `missing` it has no unpredictable branches.
    """
    least = int(s.production[0] + sign * rules.effect[card, 0])
    for r in range(1, RESOURCES):
        least = min(least, int(s.production[r] + sign * rules.effect[card, r]))
    return least >= rules.win_production


@rule
def score(s, rules, card, style):
    """Return the worth of deploying a module."""
    return WINS if is_won_by(s, rules, card, 1) else gain(s, rules, card, style)


@rule
def is_won_by_one(s, rules, r):
    """Return whether one more production of a resource wins."""
    for other in range(RESOURCES):
        if s.production[other] + (other == r) < rules.win_production:
            return False
    return True


@rule
def token_gain(s, rules, token, style):
    """Return the worth of removing a token."""
    if token == EMERGENCY:
        return ALARM
    return WINS if is_won_by_one(s, rules, token) else change(s, rules, token, 1, style)


@rule
def with_token(s, token):
    """Return the slots from which a token can be removed."""
    if token == EMERGENCY:
        return int(s.alarmed)
    return int(s.damaged[token]) if s.production[token] < MOST_PRODUCTION else 0


@rule
def best_token(s, rules, slots, style):
    """Return the most that removing a token from one of some slots is worth, 0 for none, and the slots."""
    most, best = 0, 0
    for token in range(EMERGENCY + 1):
        candidates = with_token(s, token) & slots
        if candidates != 0:
            worth = token_gain(s, rules, token, style)
            best = candidates if worth > most else best | candidates if worth == most else best
            most = max(most, worth)
    return most, best


@rule
def worth_a_repair(s, rules, least, style):
    """Return the slots with a token worth at least `least`."""
    repairable = 0
    for token in range(EMERGENCY + 1):
        candidates = with_token(s, token)
        if candidates != 0 and token_gain(s, rules, token, style) >= least:
            repairable |= candidates
    return repairable


@rule
def severity(s, rules, event):
    """Return how bad an event is."""
    worst, key = severity_of(s, rules, event)
    return worst if key == NOBODY else worst + severity_of(s, rules, EVENTS + key)[0]


@rule
def severity_of(s, rules, ops):
    """Return how bad a list of ops is, without the list of the scenario that it refers to, and that list."""
    total, key = 0, NOBODY
    for i in range(rules.op_kind.shape[1]):
        op, argument = rules.op_kind[ops, i], int(rules.op_what[ops, i])
        seats = int(s.seats) if argument == Who.each else 1
        if op == Op.supply:
            total -= SUPPLY * int(rules.op_amount[ops, i])
        elif op == Op.discard or op == Op.draw:
            total += CARDS * seats if op == Op.discard else -CARDS * seats
        elif op == Op.scenario:
            key = argument
        else:
            total += LOSS * (op == Op.loss) + EMERGENCIES * (op == Op.emergency) + HEALTH * (op == Op.health)
    return total, key
