"""Players of Deep Mine: by the size of the haul, and by the odds of the next tile."""

from games.deep_mine import BANK, LOST, PUSH, ROCK, SORTS, game, tiles

from simkit import Weight, strategy


@strategy(game, allocates=False, haul=Weight(8, 1, 40, "Bank from this worth on"))
def bank_at(view, w):
    """Bank from a haul on."""
    return BANK if view.haul >= w.haul else PUSH


@strategy(game, allocates=False, risk=Weight(1.0, 0.1, 5.0, "Worth of a point at risk in points to gain"))
def by_odds(view, legal, w):
    """Bank as soon as the next tile is expected to lose more than it adds."""
    if legal[0] == BANK or view.drawn[ROCK] < LOST - 1:
        return legal[0]
    gain, total = 0, tiles(view.bag)
    for sort in range(1, SORTS):
        gain += sort * view.bag[sort]
    return BANK if w.risk * view.haul * view.bag[ROCK] > gain and total > 0 else PUSH
