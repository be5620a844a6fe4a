"""A player of Exoplanet Colony that plays games to their end (EX-17, rollout)."""

from collections import namedtuple
from enum import IntEnum

import numpy as np

from simkit.engine.compile.jit import clone, rule
from simkit.engine.game import OVER
from simkit.engine.rng import keyed
from simkit.engine.strategy import NamedChoice, Weight, strategy
from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.facts import MOST_LEGAL, Act, Decision
from simkit.games.exoplanet_colony.legal import legal as legal_now
from simkit.games.exoplanet_colony.play import apply
from simkit.games.exoplanet_colony.sight import redeal

from .actions import good_items
from .main import decides
from .style import AT_SKULL, FEEDS, style

Luck = namedtuple("Luck", "reshuffle")  # the only stream of luck after the setup
Policy = IntEnum("Policy", "reference_greedy brinkman selective", start=0)
PATIENCE = 5  # gain from which the selective policy deploys
WON = 100  # worth of a win, in points of margin
MAX_STEPS = 20_000  # more actions than any game has
TURN, CHOICES = range(2)  # places in the memo: the turn, and the number of choices in it
MAX_SAMPLES = 512  # at least the samples of a choice


@strategy(
    game,
    n=Weight(30, 2, 500, "Times that the game is played to its end after each choice"),
    policy=NamedChoice(Policy.brinkman, "Who plays on, and decides all but the choices of a turn"),
    caution=Weight(1.3, 0.0, 5.0, "Standard errors by which a choice must be better than the policy's own"),
)
def rollout(view, rules, legal, w, rng, scratch, memo):
    """Plays the game to its end after each choice of a turn, many times, takes the best (slow; EX-17)."""
    way = policy_style(w.policy)
    own = decides(view, rules, legal, way)
    if view.decision != Decision.main:
        return own
    choices, time = candidates(view, rules, legal, own, way), times_asked(view, memo)
    return best_choice(view, rules, own, choices, w, way, rng, time, scratch[0])


@rule
def times_asked(view, memo):
    """Return the number of choices so far in this turn, this one included."""
    if memo[TURN] != view.turn_no:
        memo[TURN], memo[CHOICES] = view.turn_no, 0
    memo[CHOICES] += 1
    return memo[CHOICES]


@rule
def policy_style(policy):
    """Return the style of the policy that plays the games to their end."""
    patience = PATIENCE if policy == Policy.selective else 1
    return style(threshold=patience, edge=FEEDS if policy == Policy.reference_greedy else AT_SKULL)


@rule(allocates=True)
def candidates(view, rules, legal, own, way):
    """Return the choices to compare, the policy's own first, without useless items and the turn's end."""
    choices, n = np.full(MOST_LEGAL, own, np.int64), 1
    useful = good_items(view, rules, way) != 0
    for i in range(legal.size):
        action = legal[i]
        if action != own and action != Act.pass_ and (action != Act.item or useful):
            choices[n] = action
            n += 1
    return choices[:n]


@rule(allocates=True)
def best_choice(view, rules, own, choices, w, way, rng, time, s):
    """Return the choice of the best mean result if it is better than the policy's own by enough, else this.

    The games after all choices have the same luck: only differences between those of one luck count.
    """
    gains, squares = np.zeros(choices.size, np.int64), np.zeros(choices.size, np.int64)
    stream, ids = rng.copy(), np.empty(MOST_LEGAL, np.int64)
    for sample in range(w.n if choices.size > 1 else 0):
        luck, usual = keyed(rng, view.turn_no, MAX_SAMPLES * time + sample), 0
        for i in range(choices.size):
            stream[0] = luck
            result = play_out(view, rules, choices[i], way, stream, s, ids)
            usual = result if i == 0 else usual
            gains[i] += result - usual
            squares[i] += (result - usual) * (result - usual)
    best = 0
    for i in range(1, choices.size):
        best = i if gains[i] > gains[best] else best
    return choices[best] if is_surely_better(gains[best], squares[best], w.n, w.caution) else own


@rule
def is_surely_better(gain, square, n, caution):
    """Return whether the mean of n differences, from their sums, is `caution` standard errors above 0."""
    variance = max(0.0, (square - gain * gain / n) / (n - 1))
    return gain > 0 and gain / n > caution * np.sqrt(variance / n)


@rule
def play_out(view, rules, action, way, stream, s, ids):
    """Return the result, in points of margin, of a game that the policy plays on after a choice."""
    luck = Luck(stream)
    clone(s, view)
    redeal(s, rules, view.seat, stream)
    apply(s, rules, action, luck)
    for _ in range(MAX_STEPS):
        if s.seat == OVER:
            break
        n = legal_now(s, rules, ids)
        apply(s, rules, ids[0] if n == 1 else decides(s, rules, ids[:n], way), luck)
    margin = int(s.score[0])
    return WON + margin if margin > 0 else margin
