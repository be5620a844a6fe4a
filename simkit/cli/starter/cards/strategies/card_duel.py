"""Strategies for Card duel."""

from games.card_duel import game

from simkit import Weight, strategy


@strategy(game, reach=Weight(6, 1, 24, "How much higher than the highest card it may be"))
def careful(view, legal, w):
    """Lay the lowest card that takes the trick if it is not too dear, else the lowest card."""
    highest = -1
    for seat in range(view.seats):
        highest = max(highest, view.laid[seat])
    for card in legal:
        if highest < card <= highest + w.reach:
            return card
    return legal[0]
