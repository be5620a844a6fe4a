"""Tree search for every game: information-set Monte Carlo tree search with a strategy as policy."""

import numpy as np

from simkit.engine.compile.jit import rule, view_as
from simkit.engine.kernel import is_legal
from simkit.engine.learned.actions import expectation, identifying
from simkit.engine.playout import (
    MARGIN,
    MARGIN_SQUARE,
    SUMS,
    WIN,
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
from simkit.engine.rule_helpers import OVER
from simkit.engine.strategy import NO_PLAYER, Policy, Trained, Weight, record_of, searching

ROOT, OWN = 0, 1  # numbers of the nodes of the position and of the policy's own choice
NONE = 0  # in place of a child or sibling: the root is neither
# `seat` took `action` from `parent`; `sums` are its results. There are `choices` next. `key` is the digest of
# the position; where `proven` is 1, `outcome` is what `seat` wins between perfect players.
NODE = record_of(
    action=(int,), seat=(int,), visits=(int,), available=(int,), harmonic=(float,),
    parent=(int,), child=(int,), sibling=(int,), sums=(float, SUMS),
    choices=(int,), key=(int,), proven=(int,), outcome=(float,),
)  # fmt: skip
SURE = 0.75  # shares above are wins: a game of two is won, drawn or lost
UNIT = 1 << 40  # of a share in the table of proofs
SIZE = NODE.itemsize // 8
node_in = view_as(NODE)


def memory(game):
    """Return the type of the memory of a search, nodes apart: legal actions, results, number of nodes."""
    seats = game.max_seats
    return record_of(ids=(int, game.max_actions), wins=(float, seats), margins=(float, seats), nodes=(int,))


def numbers(game, w):
    """Return the numbers of `work` that memory, nodes and proofs take; the sums of a net follow."""
    return memory(game).itemsize // 8 + room(int(w["budget"]))


@rule
def room(budget):
    """Return the numbers of the nodes, and of a table of proofs that is half full if all are proven."""
    return (SIZE + 4) * (budget + 2)


def by_results(game):
    """Return what decides without a leaf: positions at the horizon count as won by the seat that leads."""
    result, play_on = judging(game), playing_on(game)

    @rule
    def judge(s, rules, w, net, lent, sums, own, key, sample):
        play_on(s, rules, lent, own.ids, key, sample, w.horizon)
        for seat in range(s.seats):
            own.wins[seat], own.margins[seat] = result(s, seat)

    return growing(game, judge, False)


@searching(
    room=numbers,
    at_default=("leaf", by_results),
    policy=Policy("Plays on in all seats, and decides unless another choice is surely better"),
    leaf=Trained("Learned player that says what positions at the horizon are worth", "leaf", NO_PLAYER),
    budget=Weight(800, 2, 100_000, "Play-outs at each decision"),
    caution=Weight(1.0, 0.0, 5.0, "Standard errors by which a choice must be better than the policy's own"),
    mix=Weight(0.6, 0.0, 1.0, "Worth of winning; the rest is the worth of the margin of scores"),
    explore=Weight(1.0, 0.0, 10.0, "Worth of trying a choice that was seldom tried"),
    horizon=Weight(0, 0, 10_000, "Turns after which a play-out is stopped, 0 for never, with a leaf at once"),
)
def tree(game):
    """Grows a tree of choices by playing on from them with a policy, and takes the best at its root (slow).

    Information-set Monte Carlo tree search with a single observer (Cowling, Powley, Whitehouse: "Information
    set Monte Carlo tree search", IEEE TCIAIG 4(2), 2012): each play-out meets another redeal and other luck,
    and a node stands for the actions that lead to it. Each seat maximises its own worth (max^n; Luckhardt,
    Irani, AAAI 1986). A node visited v times has about √v children (progressive widening; Coulom, "Computing
    Elo ratings of move patterns in the game of Go", ICGA Journal 30(4), 2007), the policy's choice first.
    With a leaf a learned player says what positions at the horizon are worth, each seat by what it sees, and
    what is sure is proven: in a game of two in which nothing is hidden and nothing left to chance, a node is
    won if one of the choices after it is, and its worth is sure when those of all are (Winands, Björnsson,
    Saito: "Monte-Carlo tree search solver", Computers and Games 2008), also where a position comes up again.
    """
    result, observe, play_on = judging(game), game.observe, playing_on(game)

    @rule
    def judge(s, rules, w, net, lent, sums, own, key, sample):
        if w.horizon > 0:
            play_on(s, rules, lent, own.ids, key, sample, w.horizon)
        for seat in range(s.seats):
            if s.seat == OVER:
                own.wins[seat], own.margins[seat] = result(s, seat)
            else:
                observe(s, rules, seat, lent.seen)
                own.wins[seat], own.margins[seat] = expectation(net, lent.seen, rules, seat, sums)

    return growing(game, judge, game.is_certain)


def growing(game, judge, proves):
    """Return what decides with a rule that plays on and writes the result of the play-out for each seat."""
    redealt, descend, identity = redealing(game), descending(game), identifying(game)
    own_memory, first = view_as(memory(game)), memory(game).itemsize // 8

    @rule
    def decide(view, rules, legal, w, rng, scratch, work, net, lent, ply):
        own, key, s = own_memory(work), keyed(rng, ply, 0), scratch[0]
        end = first + SIZE * (w.budget + 2)
        nodes, proofs = work[first:end], work[end : first + room(w.budget)]
        sums = work[first + room(w.budget) :].view(np.int32)
        begin(own, nodes, proofs)
        add(own, nodes, ROOT, view.seat, usual_choice(view, rules, legal, lent, key))
        for sample in range(w.budget):
            redealt(s, view, rules, key, sample, lent.streams[:1])
            open_luck(lent, key, sample, 0)
            lent.memos[:] = 0
            leaf = descend(s, rules, w, lent, own, nodes, key)
            ended = s.seat == OVER
            if proves:
                node_in(nodes[SIZE * leaf :]).key = identity(s)
            judge(s, rules, w, net, lent, sums, own, key, sample)
            back_up(own, nodes, leaf, view.seat)
            if proves and view.seats == 2:
                conclude(own, nodes, proofs, leaf, ended)
                if node_in(nodes[:SIZE]).proven:
                    break
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
                above = node_in(nodes[SIZE * parent :])
                above.choices = n
                node, children = best_child(nodes, parent, s.seat, own.ids[:n], win, margin, w.explore)
                if children < n and (node == NONE or children * children <= above.visits):
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


@rule
def back_up(own, nodes, leaf, seat):
    """Add the result of a play-out to the nodes on its way, and the margin to the root."""
    number = leaf
    while number != ROOT:
        node = node_in(nodes[SIZE * number :])
        node.visits += 1
        note(node.sums, own.wins[node.seat], own.margins[node.seat])
        number = node.parent
    root = node_in(nodes[:SIZE])
    root.visits += 1
    note(root.sums, own.wins[seat], own.margins[seat])


@rule
def begin(own, nodes, proofs):
    """Make a tree of the root alone."""
    nodes[:SIZE] = 0
    proofs[:] = 0
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
    Children whose worth is proven are not tried again.
    """
    best, highest, children, number = NONE, -np.inf, 0, node_in(nodes[SIZE * parent :]).child
    while number != NONE:
        node = node_in(nodes[SIZE * number :])
        if node.seat == seat and is_legal(node.action, legal, legal.size):
            node.available += 1
            node.harmonic += 1.0 / node.available
            children += 1
            bound = -np.inf if node.proven else promise(node, win, margin, explore)
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
def conclude(own, nodes, proofs, leaf, ended):
    """Prove the new node if the game ended there, or if its position was proven elsewhere."""
    node = node_in(nodes[SIZE * leaf :])
    proof = proofs[place_of(proofs, node.key) + 1]
    if ended:
        prove(nodes, proofs, leaf, own.wins[node.seat])
    elif proof != 0:
        first = (proof - 1) / UNIT
        prove(nodes, proofs, leaf, first if node.seat == 0 else 1.0 - first)


@rule
def place_of(proofs, key):
    """Return where a position stands in the table of proofs, or the free place where it belongs.

    A proof is the digest of the position and the share of seat 0 in units, plus 1.
    """
    size = proofs.size // 2
    place = key % size
    while proofs[2 * place + 1] != 0 and proofs[2 * place] != key:
        place = (place + 1) % size
    return 2 * place


@rule
def prove(nodes, proofs, leaf, outcome):
    """Note what a node is worth to its seat for sure, and what follows for the nodes above."""
    number = leaf
    while True:
        node = node_in(nodes[SIZE * number :])
        node.proven, node.outcome = 1, outcome
        if number == ROOT:
            break
        place = place_of(proofs, node.key)
        proofs[place] = node.key
        proofs[place + 1] = 1 + int(UNIT * (outcome if node.seat == 0 else 1.0 - outcome))
        above = node_in(nodes[SIZE * node.parent :])
        best, settled = best_proven(nodes, node.parent)
        outcome = node_in(nodes[SIZE * best :]).outcome
        if outcome < SURE and settled < above.choices:
            break
        if above.seat != node.seat:
            outcome = 1.0 - outcome
        number = node.parent


@rule
def best_proven(nodes, parent):
    """Return the child with the best proven outcome, NONE without any, and the number of those proven."""
    best, settled, number = NONE, 0, node_in(nodes[SIZE * parent :]).child
    while number != NONE:
        node = node_in(nodes[SIZE * number :])
        if node.proven:
            settled += 1
            if best == NONE or node.outcome > node_in(nodes[SIZE * best :]).outcome:
                best = number
        number = node.sibling
    return best, settled


@rule
def most_visited(nodes):
    """Return the most visited choice whose worth is not proven, in a tie the policy's; NONE if all are."""
    best, most, number = NONE, -1, node_in(nodes[:SIZE]).child
    while number != NONE:
        node = node_in(nodes[SIZE * number :])
        if not node.proven and (node.visits > most or (node.visits == most and number == OWN)):
            best, most = number, node.visits
        number = node.sibling
    return best


@rule
def chosen(nodes, w):
    """Return the best proven choice if it is not lost and wins no less than the most visited open one.

    If no other is left it is taken, too. Else the most visited one must be better than the policy's own by
    enough, or else the latter is lost for sure.
    """
    best, (sure, _) = most_visited(nodes), best_proven(nodes, ROOT)
    node, proven = node_in(nodes[SIZE * best :]), node_in(nodes[SIZE * sure :])
    wins = proven.outcome > 0.0 and proven.outcome * node.visits >= node.sums[WIN]
    if sure != NONE and (best == NONE or wins):
        return proven.action
    own, (win, margin) = node_in(nodes[SIZE * OWN :]), worths_of(nodes, w)
    gain = mean_worth(node.sums, node.visits, win, margin) - mean_worth(own.sums, own.visits, win, margin)
    error = squared_error(node.sums, node.visits, win, margin)
    error += squared_error(own.sums, own.visits, win, margin)
    return node.action if own.proven or gain > w.caution * np.sqrt(error) else own.action
