"""Players of Market Hands: by the sets in hand, and by the cards that are rare."""

from games.market_hands import COPIES, KINDS, PASS, game

from simkit import Weight, best_of, keyed, strategy, workspace

OWN = workspace(scores=(float, PASS + 1))


@strategy(game, allocates=False, least=Weight(1, 1, 20, "Points that an exchange must add"))
def collect(view, legal, rng, w, work):
    """Exchange for the largest sets at once."""
    scores, hand = OWN(work).scores, view.hand[view.seat]
    for i in range(legal.size):
        scores[i] = w.least - 0.5
        if legal[i] != PASS:
            taken, given = view.row[legal[i] // KINDS], legal[i] % KINDS
            scores[i] = 2 * hand[taken] + 1 - (2 * hand[given] - 1)
    return best_of(legal, scores, keyed(rng, view.round_no, view.plies))


@strategy(game, allocates=False)
def cheapest(view, legal, rng, work):
    """Give the commonest card for the rarest of the row, if that is rarer."""
    scores = OWN(work).scores
    for i in range(legal.size):
        scores[i] = 0.0
        if legal[i] != PASS:
            scores[i] = COPIES[legal[i] % KINDS] - COPIES[view.row[legal[i] // KINDS]]
    return best_of(legal, scores, keyed(rng, view.round_no, view.plies))
