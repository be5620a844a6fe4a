"""Strategies for Outpost Seven (O7-11, O7-15).

Most are one-ply players: score every legal action, take the best, break ties at random. They differ in what a repair,
a salvage and a starting hand are worth to them. Every strategy has the weight `hand`: a policy for the starting hand.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from simkit.chance import below
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.cardmath import COUNT
from simkit.games.outpost_seven.facts import NO_CARD, PAIR, PLACE, POP, REMOVE, Phase
from simkit.games.outpost_seven.lookahead import look_ahead
from simkit.games.outpost_seven.oneply import NEVER, best_of, one_ply, plain_answer
from simkit.games.outpost_seven.openings import Hand, choose_hand
from simkit.games.outpost_seven.turns import salvage_limit
from simkit.games.outpost_seven.whatif import (
    board_value,
    colours_in,
    margin_of,
    pair_cubes,
    pairs_gained,
    pairs_in,
    sign_of,
    value_in,
)
from simkit.jit import rule
from simkit.strategy import NamedChoice, Strategy, Weight, strategy

HAND = NamedChoice(Hand.own, "How the starting hand is chosen; own = the strategy's own choice")
CARD = Weight(60, 0, 1000, "Worth of a card taken, in points of its own reckoning")
PAIR_OF_CARDS = Weight(2, 0, 1000, "Worth of a same-colour pair, in points of its own reckoning")


def player(**weights: Weight | NamedChoice) -> Callable[[Callable[..., Any]], Strategy]:
    """A strategy of this game: its own weights, and `hand`, which crosses it with a starting-hand policy."""

    def wrap(decide: Callable[..., Any]) -> Strategy:
        own = rule(decide, allocates=True)

        def with_hand(view, rules, legal, w, rng, scratch, memo):
            if view.phase == Phase.keep and w.hand != Hand.own:
                return choose_hand(view, rules, legal, w.hand, rng, scratch[0])
            return own(view, rules, legal, w, rng, scratch, memo)

        with_hand.__name__, with_hand.__doc__ = decide.__name__, decide.__doc__
        return strategy(game, **weights, hand=HAND)(with_hand)

    return wrap


# What several players share: E before the repair as all they have in mind, and cards and pairs as the greedy player counts them.


@rule
def pairs_taken(view, rules, mask):
    """Same-colour pairs that a salvage adds to the own hand."""
    return pairs_gained(view, rules, view.hand[view.seat], np.int64(view.hand_n[view.seat]), mask)


@rule
def pairs_kept(view, rules, mask):
    """Same-colour pairs among the dealt cards of the mask."""
    return pairs_in(rules, view.dealt[view.seat], np.int64(view.dealt_n[view.seat]), mask)


@rule
def e_now(view, rules, w):
    return board_value(view, rules, np.int64(view.seat), 10, 4)


@rule
def e_gain(view, after, rules, mind, w):
    """E after the repair minus E before (O7-11.2)."""
    return board_value(after, rules, np.int64(view.seat), 10, 4) - mind


@rule
def cards_and_pairs(view, rules, mask, mind, w):
    """60 for a card taken, 2 for a same-colour pair gained (O7-11.2)."""
    return 60 * COUNT[mask] + 2 * pairs_taken(view, rules, mask)


@rule
def kept_cards_and_pairs(view, rules, mask, mind, w):
    """60 for a card kept, 2 for a same-colour pair (O7-11.2)."""
    return 60 * COUNT[mask] + 2 * pairs_kept(view, rules, mask)


@rule(allocates=True)
def usual_answer(view, rules, legal, rng):
    """What the reference player does before the first turn, and in choosing the order of bonuses (O7-11.2)."""
    if view.phase != Phase.keep:
        return plain_answer(view, rules, legal, rng)
    scores = np.empty(legal.size)
    for i in range(legal.size):
        scores[i] = kept_cards_and_pairs(view, rules, legal[i], 0, 0)
    return best_of(legal, scores, rng)


@player()
def random(view, rules, legal, w, rng, scratch, memo):
    """Any legal action, each as likely as the others (O7-11.1)."""
    return legal[below(rng, legal.size)]


reference = one_ply(e_now, e_gain, cards_and_pairs, kept_cards_and_pairs)


@player()
def reference_greedy(view, rules, legal, w, rng, scratch, memo):
    """Take what gains most now: votes and margins by population, else cards (O7-11.2)."""
    return reference(view, rules, legal, w, rng, scratch)


# greedy


@rule
def cautious_value(s, rules, w):
    """E with named numbers, less `caution` times the own votes that hang on a lead of at most one cube."""
    seat = np.int64(s.seat)
    hanging = 0
    for line in range(rules.lines):
        if s.vote[line] == seat and margin_of(s, seat, line) <= 1:
            hanging += np.int64(s.pop[line])
    return board_value(s, rules, seat, w.sign, w.margin_cap) - w.caution * (w.sign * hanging)


@rule
def cautious_gain(view, after, rules, mind, w):
    return cautious_value(after, rules, w) - mind


@rule
def weighted_take(view, rules, mask, mind, w):
    return w.card * COUNT[mask] + w.pair * pairs_taken(view, rules, mask)


@rule
def weighted_keep(view, rules, mask, mind, w):
    return w.card * COUNT[mask] + w.pair * pairs_kept(view, rules, mask)


weighted_greedy = one_ply(cautious_value, cautious_gain, weighted_take, weighted_keep)


@player(
    sign=Weight(10, 0, 100, "Worth of a line's vote, per population"),
    margin_cap=Weight(4, 0, 40, "Cubes of lead in a line beyond which more are worth nothing"),
    card=CARD,
    pair=PAIR_OF_CARDS,
    caution=Weight(
        0.0, 0.0, 1.0, "Share of an own vote that does not count while it hangs on a lead of one cube or less"
    ),
)
def greedy(view, rules, legal, w, rng, scratch, memo):
    """The reference player with its numbers free to tune (O7-15.4)."""
    return weighted_greedy(view, rules, legal, w, rng, scratch)


# cube_rush


@rule
def cubes_and_bonuses(view, rules, module_slot, scrap_slot, w):
    """Cubes paid, and the bonuses they trigger at once, in hundredths of a cube."""
    hand = view.hand[view.seat]
    module, n = np.int64(hand[module_slot]), pair_cubes(view, rules, module_slot, scrap_slot)
    worth = 100 * n - w.scrap * np.int64(rules.value[hand[scrap_slot]])
    for space in range(n):
        kind = rules.bonus[module, space]
        worth += w.cascade * (kind in (PLACE, REMOVE)) + w.population * (kind == POP)
    return worth


@player(
    cascade=Weight(40, 0, 1000, "Worth of a PLACE or REMOVE triggered at once, hundredths of a cube"),
    population=Weight(30, 0, 1000, "Worth of a POP triggered at once, hundredths of a cube"),
    scrap=Weight(1, 0, 100, "Cost of a point of the scrap's value, hundredths of a cube"),
)
def cube_rush(view, rules, legal, w, rng, scratch, memo):
    """Repair whenever possible, with the most cubes at once, anywhere; else take the cheapest cards (O7-15.2)."""
    if view.phase == Phase.cell:
        return legal[below(rng, legal.size)]
    if view.phase != Phase.main:
        return usual_answer(view, rules, legal, rng)
    scores = np.empty(legal.size)
    for i in range(legal.size):
        if legal[i] < PAIR:
            scores[i] = (
                NEVER + 100 * COUNT[legal[i]] - value_in(rules, view.offer, np.int64(view.offer_n), legal[i])
            )
        else:
            scores[i] = cubes_and_bonuses(view, rules, (legal[i] - PAIR) // 10, (legal[i] - PAIR) % 10, w)
    return best_of(legal, scores, rng)


# hoarder


@rule
def hoards(view, rules, w):
    """E now, and whether there is room and offer enough to go on salvaging."""
    cheapest, total = 0, 0
    limit = salvage_limit(view, rules)
    for value in range(1, 7):
        for slot in range(np.int64(view.offer_n)):
            if rules.value[view.offer[slot]] == value and total + value <= limit:
                cheapest += 1
                total += value
    return e_now(view, rules, w), cheapest >= w.take and np.int64(rules.hand_limit) - np.int64(
        view.hand_n[view.seat]
    ) >= w.room


@rule
def gain_when_done(view, after, rules, mind, w):
    return e_gain(view, after, rules, mind[0], w) + (NEVER if mind[1] else 0.0)


@rule
def most_while_hoarding(view, rules, mask, mind, w):
    return 100.0 * COUNT[mask] + pairs_taken(view, rules, mask) + (0.0 if mind[1] else NEVER)


hoards_first = one_ply(hoards, gain_when_done, most_while_hoarding, kept_cards_and_pairs)


@player(
    room=Weight(2, 1, 10, "Salvage while the hand has room for so many cards"),
    take=Weight(2, 1, 8, "... and the offer can give so many"),
)
def hoarder(view, rules, legal, w, rng, scratch, memo):
    """Salvage as much as possible while hand and offer allow, only then repair (O7-15.3)."""
    return hoards_first(view, rules, legal, w, rng, scratch)


# line_banker


@rule
def lines_in_mind(view, rules, w):
    """The lines worth fighting for (bits), and what they are worth now."""
    chosen = 0
    for _ in range(min(w.lines, np.int64(rules.lines))):
        best, rank = 0, -1
        for line in range(rules.lines):
            blue, green, purple = view.colours[line]
            majority = max(int(blue), int(green), int(purple))
            mine = 10 * np.int64(view.pop[line]) + w.majority * majority
            if mine > rank and not chosen >> line & 1:
                best, rank = line, mine
        chosen |= 1 << best
    return chosen, banked(view, rules, chosen)


@rule
def banked(s, rules, lines):
    """Population of the chosen lines by how safe they are, in tenths."""
    seat = np.int64(s.seat)
    total = 0
    for line in range(rules.lines):
        if lines >> line & 1:
            lead = margin_of(s, seat, line)
            share = BANKED[min(abs(lead), 3)]
            side = sign_of(s, seat, line) if lead == 0 else (1 if lead > 0 else -1)
            total += np.int64(s.pop[line]) * share * side
    return total


@rule
def bank_rise(view, after, rules, mind, w):
    """The rise, above every salvage if it is large enough, below if not."""
    rise = banked(after, rules, mind[0]) - mind[1]
    return float(rise) + (-NEVER if rise >= 10 * w.rise else NEVER)


BANKED = np.array(
    [3, 7, 9, 10]
)  # share of a line's population by lead in cubes, in tenths; with lead 0 the token decides
banks_lines = one_ply(lines_in_mind, bank_rise, cards_and_pairs, kept_cards_and_pairs)


@player(
    lines=Weight(6, 1, 12, "Lines fought for, those with the most population (and colour majority) first"),
    majority=Weight(7, 0, 100, "Worth of a same-colour card in choosing lines, tenths of a population"),
    rise=Weight(3, 0, 100, "Repair if the banked population rises by so much, else salvage"),
)
def line_banker(view, rules, legal, w, rng, scratch, memo):
    """Fight for a few rich lines and bank them by a safe lead; salvage unless a repair banks enough (O7-15.5)."""
    return banks_lines(view, rules, legal, w, rng, scratch)


# colour_engine


@rule(allocates=True)
def main_colour(view, rules, w):
    """E now, and the colour of which hand, offer and own lines show most."""
    seat = np.int64(view.seat)
    shown = np.zeros(3, np.int64)
    for slot in range(np.int64(view.hand_n[seat])):
        shown[rules.colour[view.hand[seat, slot]]] += 2
    for slot in range(np.int64(view.dealt_n[seat])):
        shown[rules.colour[view.dealt[seat, slot]]] += 2
    for slot in range(np.int64(view.offer_n)):
        shown[rules.colour[view.offer[slot]]] += 1
    for cell in range(rules.cells):
        card = view.grid_card[cell]
        if card != NO_CARD and (
            view.vote[rules.row_of[cell]] == seat or view.vote[rules.col_of[cell]] == seat
        ):
            shown[rules.colour[card]] += 1
    return e_now(view, rules, w), np.int64(shown.argmax())


@rule
def engine_gain(view, after, rules, mind, w):
    """E gain, and cards of the module's colour beside it in lines voting for the player, less those in opposing lines."""
    seat, cell = np.int64(view.seat), np.int64(after.played_cell)
    colour = rules.colour[after.grid_card[cell]]
    beside = 0
    for line in (np.int64(rules.row_of[cell]), np.int64(rules.col_of[cell])):
        beside += sign_of(after, seat, line) * np.int64(view.colours[line, colour])
    return e_gain(view, after, rules, mind[0], w) + w.engine * beside


@rule
def engine_take(view, rules, mask, mind, w):
    return 60 * COUNT[mask] + w.colour * colours_in(rules, view.offer, np.int64(view.offer_n), mask)[mind[1]]


@rule
def engine_keep(view, rules, mask, mind, w):
    return (
        60 * COUNT[mask]
        + w.colour
        * colours_in(rules, view.dealt[view.seat], np.int64(view.dealt_n[view.seat]), mask)[mind[1]]
    )


builds_engine = one_ply(main_colour, engine_gain, engine_take, engine_keep)


@player(
    colour=Weight(
        25,
        0,
        1000,
        "Worth of a card of the main colour besides that of a card, in points of its own reckoning",
    ),
    engine=Weight(
        15,
        0,
        1000,
        "Worth of a same-colour card in an own line of the module, in points of its own reckoning",
    ),
)
def colour_engine(view, rules, legal, w, rng, scratch, memo):
    """Collect one colour and build it up in own lines, where population pays (O7-15.6)."""
    return builds_engine(view, rules, legal, w, rng, scratch)


# saboteur


@rule
def opposed_value(s, rules, w):
    """E with the lines that vote for the opponent weighing more."""
    seat = np.int64(s.seat)
    total = 0.0
    for line in range(rules.lines):
        sign = sign_of(s, seat, line)
        worth = np.int64(s.pop[line]) * (10 * sign + min(max(margin_of(s, seat, line), -4), 4))
        total += worth * w.opposing if sign < 0 else worth
    return total


@rule
def sabotage(view, after, rules, mind, w):
    """What the opponent loses counts extra: cubes removed, population voted away."""
    other = 1 - np.int64(view.seat)
    removed = np.int64(view.on_grid[other]) - np.int64(after.on_grid[other])
    away = 0
    for line in range(rules.lines):
        if view.vote[line] == other and after.vote[line] != other:
            away += np.int64(after.pop[line])
    return opposed_value(after, rules, w) - mind + w.removed * removed + w.voted_away * away


@rule
def denial(view, rules, mask, mind, w):
    """60 for a card, and what it would have been worth to the opponent: partners of its colour among his known cards."""
    other = 1 - np.int64(view.seat)
    partners = 0
    for slot in range(np.int64(view.offer_n)):
        for theirs in range(np.int64(view.hand_n[other])):
            card = view.hand[other, theirs]
            if mask >> slot & 1 and card != NO_CARD:
                partners += rules.colour[card] == rules.colour[view.offer[slot]]
    return 60 * COUNT[mask] + w.deny * partners


sabotages = one_ply(opposed_value, sabotage, denial, kept_cards_and_pairs)


@player(
    opposing=Weight(1.5, 0.0, 10.0, "How much more the lines that vote for the opponent weigh"),
    removed=Weight(20, 0, 1000, "Worth of a cube removed, in points of its own reckoning"),
    voted_away=Weight(10, 0, 1000, "Worth of a population voted away, in points of its own reckoning"),
    deny=Weight(
        3,
        0,
        1000,
        "Worth of a same-colour partner of a card taken in the opponent's known hand, in points of its own reckoning",
    ),
)
def saboteur(view, rules, legal, w, rng, scratch, memo):
    """Take from the opponent: his cubes, his votes, the cards he needs (O7-15.7)."""
    return sabotages(view, rules, legal, w, rng, scratch)


# tempo_planner


@rule
def tempo(view, rules, w):
    """The phase's numbers: sign, margin cap and worth of a card; and E now."""
    deck = np.int64(view.deck_n) - np.int64(view.deck_pos)
    sign, cap, card = 10, 4, 60
    if deck > w.early:
        sign, card = w.early_sign, w.early_card
    elif deck == 0:
        sign, cap = w.late_sign, w.late_cap
    return sign, cap, card, board_value(view, rules, np.int64(view.seat), sign, cap)


@rule
def last_repair(view, hand, taken):
    """Whether more repairs remain for the player than for the opponent, who gets the larger half of the cards left."""
    left = np.int64(view.deck_n) - np.int64(view.deck_pos) + np.int64(view.offer_n) - taken
    return hand // 2 + left // 2 > np.int64(view.hand_n[1 - view.seat]) // 2 + (left + 1) // 2


@rule
def timed_gain(view, after, rules, mind, w):
    gain = board_value(after, rules, np.int64(view.seat), mind[0], mind[1]) - mind[3]
    return gain + w.last * last_repair(view, np.int64(view.hand_n[view.seat]) - 2, 0)


@rule
def timed_take(view, rules, mask, mind, w):
    taken = COUNT[mask]
    last = last_repair(view, np.int64(view.hand_n[view.seat]) + taken, taken)
    return mind[2] * taken + 2 * pairs_taken(view, rules, mask) + w.last * last


plans_tempo = one_ply(tempo, timed_gain, timed_take, kept_cards_and_pairs)


@player(
    early=Weight(8, 0, 54, "The game is early while the deck has more cards than this"),
    early_card=Weight(75, 0, 1000, "Worth of a card early in the game, in points of its own reckoning"),
    early_sign=Weight(6, 0, 100, "Worth of a vote early in the game, per population"),
    late_sign=Weight(20, 0, 100, "Worth of a vote when the deck is empty, per population"),
    late_cap=Weight(1, 0, 40, "Lead in cubes that still counts when the deck is empty"),
    last=Weight(
        40, 0, 1000, "Worth of having more repairs left than the opponent, in points of its own reckoning"
    ),
)
def tempo_planner(view, rules, legal, w, rng, scratch, memo):
    """Cards and margins early, votes late, and the last repair of the game (O7-15.8)."""
    return plans_tempo(view, rules, legal, w, rng, scratch)


# lookahead


@player(
    plans=Weight(8, 1, 64, "Best own plans that are looked into"),
    samples=Weight(4, 1, 64, "Opposing hands sampled for each"),
    card=CARD,
    pair=PAIR_OF_CARDS,
    cards=Weight(1.0, 0.0, 10.0, "How much the cards that both take count beside E after both turns"),
)
def lookahead(view, rules, legal, w, rng, scratch, memo):
    """Look one answer ahead: the plan that is worth most after the opponent's best reply (O7-15.9)."""
    if view.phase == Phase.main or view.phase == Phase.cell:
        return look_ahead(view, rules, legal, w.plans, w.samples, w.card, w.pair, w.cards, rng, scratch, memo)
    return usual_answer(view, rules, legal, rng)
