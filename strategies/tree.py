"""Tree search for every game: information-set Monte Carlo tree search with a strategy as policy."""

import numpy as np

from simkit.engine.compile.jit import rule, view_as
from simkit.engine.game import OVER
from simkit.engine.kernel import WORK, is_legal
from simkit.engine.playout import (
    MARGIN,
    MARGIN_SQUARE,
    SUMS,
    choosing,
    judging,
    mean_worth,
    note,
    open_luck,
    playing_on,
    redealing,
    squared_error,
    usual_choice,
    worths,
)
from simkit.engine.rng import keyed, priority
from simkit.engine.strategy import Policy, Weight, record_of, searching

ROOT, OWN = 0, 1  # numbers of the nodes of the position and of the policy's own choice
NONE = 0  # in place of a child or sibling: the root is neither
NODE = record_of(  # `seat` took `action` from `parent`; `sums` are its results
    action=(int,), seat=(int,), visits=(int,), available=(int,), harmonic=(float,),
    parent=(int,), child=(int,), sibling=(int,), sums=(float, SUMS),
)  # fmt: skip
SIZE = NODE.itemsize // 8
node_in = view_as(NODE)


def memory(game):
    """Return the type of the memory of a search, nodes apart: legal actions, and the number of nodes."""
    return record_of(ids=(int, game.max_actions), nodes=(int,))


def numbers(game):
    """Return the numbers of `work` that lie before the nodes."""
    return WORK + memory(game).itemsize // 8


@searching(
    room=lambda game, w: numbers(game) + SIZE * (int(w["budget"]) + 2),
    policy=Policy("Plays on in all seats, and decides unless another choice is surely better"),
    budget=Weight(800, 2, 100_000, "Play-outs at each decision"),
    caution=Weight(1.0, 0.0, 5.0, "Standard errors by which a choice must be better than the policy's own"),
    mix=Weight(0.6, 0.0, 1.0, "Worth of winning; the rest is the worth of the margin of scores"),
    explore=Weight(1.0, 0.0, 10.0, "Worth of trying a choice that was seldom tried"),
    horizon=Weight(0, 0, 10_000, "Turns after which a play-out is stopped, 0 for never"),
)
def tree(game):
    """Grows a tree of choices by playing on from them with a policy, and takes the best at its root (slow).

    Information-set Monte Carlo tree search with a single observer (Cowling, Powley, Whitehouse: "Information
    set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012): each play-out meets another redeal and other luck,
    and a node stands for the actions that lead to it. Each seat maximises its own worth (max^n; Luckhardt,
    Irani, AAAI 1986). A node visited v times has about √v children (progressive widening; Coulom, "Computing
    Elo ratings of move patterns in the game of Go", ICGA Journal 30(4), 2007), the policy's choice first.
    """
    redealt, play_on, descend, back_up = (
        redealing(game),
        playing_on(game),
        descending(game),
        backing_up(game),
    )
    own_memory, first = view_as(memory(game)), numbers(game)

    @rule
    def decide(view, rules, legal, w, rng, scratch, work, lent, ply):
        own, nodes, key, s = own_memory(work[WORK:]), work[first:], keyed(rng, ply, 0), scratch[0]
        begin(own, nodes)
        add(own, nodes, ROOT, view.seat, usual_choice(view, rules, legal, lent, key))
        for sample in range(w.budget):
            redealt(s, view, rules, key, sample, lent.streams[:1])
            open_luck(lent, key, sample, 0)
            lent.memos[:] = 0
            leaf = descend(s, rules, w, lent, own, nodes, key)
            play_on(s, rules, lent, own.ids, key, sample, w.horizon)
            back_up(s, nodes, leaf, view.seat)
        return chosen(nodes, w)

    return decide


def descending(game):
    """Return the rule that plays down the tree of a game."""
    legal_at, new_choice, step, max_steps = game.legal, choosing_anew(game), game.step, game.max_steps

    @rule
    def descend(s, rules, w, lent, own, nodes, key):
        """Play down the tree to a new node or to the end of the game; return the last node."""
        node, (win, margin) = ROOT, worths_of(nodes, w)
        for _ in range(max_steps):
            if s.seat == OVER:
                break
            n, parent = legal_at(s, rules, own.ids), node
            action = own.ids[0]
            if n > 1:
                node, children = best_child(nodes, parent, s.seat, own.ids[:n], win, margin, w.explore)
                if children < n and children * children <= node_in(nodes[SIZE * parent :]).visits:
                    action = new_choice(s, rules, lent, own, nodes, parent, n, key)
                    node = add(own, nodes, parent, s.seat, action)
                    step(s, rules, action, lent.luck)
                    break
                action = node_in(nodes[SIZE * node :]).action
            step(s, rules, action, lent.luck)
        return node

    return descend


def choosing_anew(game):
    """Return the rule that chooses the action of a new node in a game."""
    choose = choosing(game)

    @rule
    def new_choice(s, rules, lent, own, nodes, parent, n, key):
        """Return the policy's choice, or if the node has it another one at random."""
        action = choose(s, rules, lent, own.ids[:n])
        if not has_child(nodes, parent, s.seat, action):
            return action
        highest, node_key = -1, priority(key, parent)
        for i in range(n):
            merit = priority(node_key, own.ids[i])
            if merit > highest and not has_child(nodes, parent, s.seat, own.ids[i]):
                action, highest = own.ids[i], merit
        return action

    return new_choice


def backing_up(game):
    """Return the rule that adds the result of a game to the nodes on its way."""
    result = judging(game)

    @rule
    def back_up(s, nodes, leaf, seat):
        """Add the result of a play-out to the nodes on its way, and the margin to the root."""
        number = leaf
        while number != ROOT:
            node = node_in(nodes[SIZE * number :])
            win, margin = result(s, node.seat)
            node.visits += 1
            note(node.sums, win, margin)
            number = node.parent
        root = node_in(nodes[:SIZE])
        win, margin = result(s, seat)
        root.visits += 1
        note(root.sums, win, margin)

    return back_up


@rule
def begin(own, nodes):
    """Make a tree of the root alone."""
    nodes[:SIZE] = 0
    own.nodes = 1


@rule
def add(own, nodes, parent, seat, action):
    """Add a child to a node; return its number."""
    number = own.nodes
    own.nodes += 1
    nodes[SIZE * number : SIZE * (number + 1)] = 0
    node, above = node_in(nodes[SIZE * number :]), node_in(nodes[SIZE * parent :])
    node.action, node.seat, node.parent, node.sibling = action, seat, parent, above.child
    above.child = number
    return number


@rule
def has_child(nodes, parent, seat, action):
    """Return whether a node has a child by an action of a seat."""
    number = node_in(nodes[SIZE * parent :]).child
    while number != NONE:
        node = node_in(nodes[SIZE * number :])
        if node.action == action and node.seat == seat:
            return True
        number = node.sibling
    return False


@rule
def best_child(nodes, parent, seat, legal, win, margin, explore):
    """Return the most promising child of those whose action is legal, and the number of these.

    The promise is an upper confidence bound in which a child counts only the visits when it was available.
    """
    best, highest, children, number = NONE, -np.inf, 0, node_in(nodes[SIZE * parent :]).child
    while number != NONE:
        node = node_in(nodes[SIZE * number :])
        if node.seat == seat and is_legal(node.action, legal, legal.size):
            node.available += 1
            node.harmonic += 1.0 / node.available
            children += 1
            bound = promise(node, win, margin, explore)
            if bound > highest:
                best, highest = number, bound
        number = node.sibling
    return best, children


@rule
def promise(node, win, margin, explore):
    """Return the upper confidence bound of a node.

    The harmonic number, sum of 1 / k over the visits when the node was available, stands for their logarithm:
    unlike this it is the same number on every machine.
    """
    if node.visits == 0:
        return np.inf
    uncertainty = explore * np.sqrt(node.harmonic / node.visits)
    return mean_worth(node.sums, node.visits, win, margin) + uncertainty


@rule
def worths_of(nodes, w):
    """Return the worth of a win and of a point, by all margins so far."""
    root = node_in(nodes[:SIZE])
    return worths(root.sums[MARGIN], root.sums[MARGIN_SQUARE], max(1, root.visits), w.mix)


@rule
def chosen(nodes, w):
    """Return the most visited choice if it is better than the policy's own by enough, else this."""
    own, best = node_in(nodes[SIZE * OWN :]), OWN
    number = node_in(nodes[:SIZE]).child
    while number != NONE:
        node = node_in(nodes[SIZE * number :])
        if node.visits > node_in(nodes[SIZE * best :]).visits:
            best = number
        number = node.sibling
    node, (win, margin) = node_in(nodes[SIZE * best :]), worths_of(nodes, w)
    gain = mean_worth(node.sums, node.visits, win, margin) - mean_worth(own.sums, own.visits, win, margin)
    error = squared_error(node.sums, node.visits, win, margin)
    error += squared_error(own.sums, own.visits, win, margin)
    return node.action if gain > w.caution * np.sqrt(error) else own.action
