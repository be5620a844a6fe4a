"""A player of Outpost that attacks where terrorism is allowed (OP-13.9)."""

from simkit.engine.compile.jit import rule
from simkit.engine.strategy import Weight, strategy
from simkit.games.outpost import game
from simkit.games.outpost.facts import DONE, NOBODY, ORDINARY, TYPES, Decision, Main, Response, Side
from simkit.games.outpost.terror import missing, needed

from .estimates import expected_hand
from .horizon import HORIZON, horizon_valuer

plays_on = rule(horizon_valuer.body)


@rule
def leader_of(view):
    """Return the other seat with the most victory points, the lowest among equals."""
    best = NOBODY
    for seat in range(view.seats):
        if seat != view.seat and (best == NOBODY or view.score[seat] > view.score[best]):
            best = seat
    return best


@rule
def quarry(view, owner):
    """Return an owner's moon base, cruiser or station that is not immune, -1 for none."""
    for t in range(TYPES - 1, ORDINARY - 1, -1):
        if view.upgrades[owner, t] > view.immune[owner, t]:
            return t
    return -1


@rule
def planned(view, rules, owner, item, w):
    """Return the credits planned for an attack, including the expected defence."""
    defence = w.defence * expected_hand(view, rules, owner) * rules.terrorism_defence_factor
    return needed(rules, item) + int(defence)


@rule
def attacks(view, rules, w):
    """Return whether to attack: only a leader about to win, and only with a large enough hand."""
    owner = leader_of(view)
    if view.threshold - view.score[owner] > w.danger or view.score[owner] <= view.score[view.seat]:
        return False
    item = quarry(view, owner)
    return item >= 0 and view.wealth[view.seat] >= planned(view, rules, owner, item, w)


@rule
def spends(view, rules, legal, w):
    """Spend cards, the cheapest first, until the attack or the own defence is strong enough."""
    short = missing(view, rules)
    if view.side == Side.attack and view.answer_at == NOBODY:
        short += planned(view, rules, view.victim, view.target, w) - needed(rules, view.target)
    enough = short <= 0 if view.side == Side.attack else short > 0
    return DONE if enough and legal[-1] == DONE else legal[0]


@rule
def joins(view, rules):
    """Join an attack on the leader, or defend an own item, if the own hand makes the difference."""
    short, wealth = missing(view, rules), view.wealth[view.seat]
    if view.victim == view.seat:
        can = short <= 0 and wealth >= -short and rules.terrorism_defence_factor * wealth > -short
        return Response.defend if can else Response.keep_out
    affordable = min(wealth, wealth // 4 + 20)
    return Response.join if view.victim == leader_of(view) and 0 < short <= affordable else Response.keep_out


@strategy(
    game,
    allocates=False,
    **HORIZON,
    danger=Weight(12, 0, 80, "Victory points that the leader lacks at most when it is attacked"),
    defence=Weight(0.5, 0.0, 1.0, "Share of the owner's expected hand thought to be spent on defence"),
)
def avenger(view, rules, legal, w, memo):
    """The horizon valuer, who stops a leader about to win where terrorism is allowed (OP-13.9)."""
    if view.decision == Decision.main and Main.attack.value in legal and attacks(view, rules, w):
        return Main.attack.value
    if view.decision == Decision.t_player:
        return leader_of(view) if leader_of(view) in legal else legal[0]
    if view.decision == Decision.t_item:
        wanted = quarry(view, view.victim)
        return wanted if wanted >= 0 else legal[0]
    if view.decision == Decision.t_card:
        return spends(view, rules, legal, w)
    if view.decision == Decision.t_response:
        return joins(view, rules)
    return plays_on(view, rules, legal, w, memo)
