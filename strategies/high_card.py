"""Strategies for High card, in which all cards are equal: their choices test how ties are broken."""

from simkit.engine.rng import keyed
from simkit.engine.strategy import any_of, best_of, strategy, workspace
from simkit.games.reference.high_card import CARDS, game

OWN = workspace(scores=(float, CARDS))


@strategy(game, label="equal scores")
def tied(legal, rng, work):
    """The best of cards that all have the same score: any of them, each as likely as the others."""
    scores = OWN(work).scores
    scores[:] = 1.0
    return best_of(legal, scores[: legal.size], keyed(rng, 0, 0))


@strategy(game, label="any card")
def indifferent(legal, rng):
    """Any card, each as likely as the others, by its priority."""
    return any_of(legal, keyed(rng, 0, 0))
