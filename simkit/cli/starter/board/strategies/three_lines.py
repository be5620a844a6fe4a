"""Strategies for Three lines."""

from games.three_lines import SIDE, game

from simkit import Weight, best_of, keyed, rule, strategy, workspace

OWN = workspace(scores=(float, game.max_actions))


@strategy(game, block=Weight(2.0, 0.0, 9.0, "Worth of a cell next to a stone of the other seat"))
def careful(view, rules, legal, w, rng, work):
    """Place stones next to others, own or not."""
    scores = OWN(work).scores
    for i in range(legal.size):
        own = neighbours(view, legal[i], view.seat + 1)
        scores[i] = own + w.block * neighbours(view, legal[i], 2 - view.seat)
    return best_of(legal, scores, keyed(rng, view.stones, 0))


@rule
def neighbours(view, cell, stone):
    """Return how many neighbours of a cell have a stone of a kind."""
    n, row, column = 0, cell // SIDE, cell % SIDE
    for r in range(max(0, row - 1), min(SIDE, row + 2)):
        for c in range(max(0, column - 1), min(SIDE, column + 2)):
            n += view.board[r, c] == stone
    return n
