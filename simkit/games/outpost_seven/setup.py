"""Outpost Seven: setup: border, votes, deal, discards and offer (O7-2.1 to O7-2.7)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import below, shuffle

from .cards import discard, refill, take_top
from .facts import NO_CARD, NOBODY, NONE, Decision, InitialVotes


@rule
def clear(s):
    """Fill empty places with -1."""
    s.decision = Decision.none
    s.hand[:] = s.dealt[:] = s.start_cards[:] = s.pool[:] = s.offer[:] = NO_CARD
    s.discard[:] = s.deck[:] = s.grid_card[:] = NO_CARD
    s.grid_owner[:] = s.vote[:] = s.leader = NOBODY
    s.border_colour[:] = s.mulliganed[:] = s.keep_total = NONE
    s.played_cell = s.sel_module = s.sel_scrap = NONE
    s.log.game.first_module_cell = s.log.game.deck_empty_turn = NONE
    s.log.seat[0].stop_turn = s.log.seat[1].stop_turn = NONE


@rule
def lay_border(s, rules, rng):
    """Put the i-th shuffled population card at line i (O7-2.2, O7-2.3)."""
    shuffle_cards(rng.population, s.deck, rules.population_cards)
    for line in range(rules.lines):
        icons = rules.icons[s.deck[line]]
        if rules.uniform_population > 0:
            icons = rules.uniform_population
        s.pop[line] = s.pop_initial[line] = icons
        if rules.border_colours:
            s.border_colour[line] = below(rng.colours, 3)
            s.colours[line, s.border_colour[line]] += 1


@rule
def shuffle_cards(stream, cards, n):
    """Shuffle the ids 0 to n - 1."""
    for i in range(n):
        cards[i] = i
    shuffle(stream, cards, n)


@rule
def place_votes(s, rules, rng):
    """Place tokens alternately along the border (O7-2.4)."""
    if rules.initial_votes == InitialVotes.none:
        return
    start = 1 if rules.initial_votes == InitialVotes.swapped else 0
    for line in range(rules.lines):
        s.vote[line] = (line + start) % 2
    if rules.initial_votes == InitialVotes.random:
        shuffle(rng.votes, s.vote[:], rules.lines)


@rule
def deal(s, rules, rng):
    """Deal hands, initial discards and offer from one shuffle (O7-2.5 to O7-2.7)."""
    shuffle_cards(rng.deck, s.deck, rules.cards)
    s.deck_n = rules.cards
    for seat in range(2):
        s.dealt_n[seat] = rules.deal_size
        for slot in range(rules.deal_size):
            s.dealt[seat, slot] = take_top(s)
    for _ in range(rules.initial_discards):
        discard(s, take_top(s))
    refill(s, rules)
