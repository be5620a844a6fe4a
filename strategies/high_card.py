"""Strategies for High card, to which all cards are equal: what they choose tests how ties are broken."""

from simkit.chance import keyed
from simkit.games.known.high_card import CARDS, game
from simkit.strategy import any_of, best_of, strategy, workspace

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
