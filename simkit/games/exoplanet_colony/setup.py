"""Exoplanet Colony: how a game begins (EX-2)."""

from simkit.engine.compile.jit import bit, bit_count, rule
from simkit.engine.rng import below, shuffle
from simkit.games.exoplanet_colony.facts import (
    CARDS,
    EVENTS,
    FIRST_CRITICAL,
    FIRST_ITEM,
    FIRST_PLAN,
    MODULES,
    NOBODY,
    RESOURCES,
    Character,
    Decision,
)
from simkit.games.exoplanet_colony.life import look_at_level, look_at_production, note_level
from simkit.games.exoplanet_colony.options import Cast, Characters
from simkit.games.exoplanet_colony.scoring import deficit

CHARACTERS, ITEMS, PLANS = len(Character) - 1, FIRST_PLAN - FIRST_ITEM, CARDS - FIRST_PLAN


@rule
def lay_out(s, rules, rng):
    """Lay out levels, tokens, base, decks, characters and hands; the game may already be over (EX-2)."""
    s.discard[:] = s.deck[:] = s.events[:] = NOBODY
    s.slot_card[:] = s.slot_nb[:] = NOBODY
    s.got[:] = NOBODY
    s.event = s.key = s.over = s.card = s.slot = s.partner = s.issue = NOBODY
    s.slots = 1
    choose_first(s, rules, rng)
    set_levels(s, rules)
    stack_events(s, rules, rng)
    cast(s, rules, rng)
    stack_cards(s, rules, rng)
    deal(s, rules)
    look_at_production(s, rules)
    if s.seat >= 0:
        look_at_level(s, rules)


@rule
def choose_first(s, rules, rng):
    """Choose the start player by number or by lot (EX-2.8)."""
    s.first = rules.start_player % s.seats if rules.start_player >= 0 else below(rng.start, s.seats)
    s.active = s.seat = s.first


@rule
def set_levels(s, rules):
    """Set productions, supplies and tokens (EX-2.2)."""
    for r in range(RESOURCES):
        s.production[r] = rules.start_production[r]
        s.supply[r] = rules.start_supply[r]
        s.loss_left[r] = rules.loss_tokens
    s.shut_left, s.emerg_left = rules.shutdown_tokens, rules.emergency_tokens
    s.log.game.supply_low = min(s.supply[0], s.supply[1], s.supply[2], s.supply[3])
    s.log.game.deficit_low = deficit(s, rules)
    note_level(s, rules)


@rule
def stack_cards(s, rules, rng):
    """Stack the player deck without the cards that leave the game (EX-2.3)."""
    if rules.remove_modules > 0 or rules.n_items < ITEMS or rules.n_plans < PLANS:
        remove(s, rng, 0, MODULES, rules.remove_modules)
        remove(s, rng, FIRST_ITEM, FIRST_PLAN, ITEMS - rules.n_items)
        remove(s, rng, FIRST_PLAN, CARDS, PLANS - rules.n_plans)
    for card in range(CARDS):
        s.deck[card] = card
    shuffle(rng.deck, s.deck, CARDS)
    for place in range(CARDS):
        card = s.deck[place]
        s.deck[place] = NOBODY
        if not s.removed >> card & 1:
            s.deck[s.deck_n] = card
            s.deck_n += 1


@rule
def remove(s, rng, first, after, n):
    """Remove n random cards of a kind from the game (EX-2.3)."""
    for place in range(after - first):
        s.deck[place] = first + place
    shuffle(rng.removed, s.deck, after - first)
    for place in range(n):
        s.removed |= bit(s.deck[place])


@rule
def stack_events(s, rules, rng):
    """Stack the piles of normal and critical events, each shuffled (EX-2.5).

    The critical ones wait in the player deck, which is not stacked yet; piles are filled from the last one
    on, so that the normal ones that wait below them stay.
    """
    for event in range(EVENTS):
        s.events[event] = event if event < FIRST_CRITICAL else NOBODY
    for place in range(EVENTS - FIRST_CRITICAL):
        s.deck[place] = FIRST_CRITICAL + place
    shuffle(rng.normals, s.events, FIRST_CRITICAL)
    shuffle(rng.criticals, s.deck, EVENTS - FIRST_CRITICAL)
    normals, criticals = int(rules.normals_per_pile), int(rules.criticals_per_pile)
    size = normals + criticals
    s.events_n = rules.piles * size
    for pile in range(rules.piles - 1, -1, -1):
        for i in range(normals - 1, -1, -1):
            s.events[pile * size + i] = s.events[pile * normals + i]
        for i in range(criticals):
            s.events[pile * size + normals + i] = s.deck[pile * criticals + i]
    for pile in range(rules.piles):
        shuffle(rng.piles, s.events[pile * size :], size)
    for place in range(s.events_n, EVENTS):
        s.events[place] = NOBODY


@rule
def cast(s, rules, rng):
    """Give seats their named characters, and the others random ones or none (EX-2.6).

    They wait in the player deck, which is not stacked yet; where too few are left, seats have none.
    """
    taken, at = int(rules.characters_out), 0
    for seat in range(s.seats):
        taken |= bit(max(0, rules.cast[seat]))
    for place in range(CHARACTERS):
        s.deck[place] = 1 + place
    shuffle(rng.characters, s.deck, CHARACTERS)
    for seat in range(s.seats):
        s.character[seat] = max(0, rules.cast[seat])
        if rules.cast[seat] == Cast.any and rules.characters == Characters.random:
            while at < CHARACTERS and taken >> int(s.deck[at]) & 1:
                at += 1
            s.character[seat] = s.deck[at] if at < CHARACTERS else 0
            at += 1
        s.log.seat[seat].character = s.character[seat]


@rule
def deal(s, rules):
    """Deal starting hands card by card in turn order; note how many each seat keeps (EX-2.7)."""
    most = 0
    for place in range(s.seats):
        seat = (s.first + place) % s.seats
        s.hand_keep[seat] = rules.hand_cards[s.seats, place]
        most = max(most, int(s.hand_keep[seat]))
    for dealt in range(most + rules.initial_choice):
        for place in range(s.seats):
            seat = (s.first + place) % s.seats
            if dealt < s.hand_keep[seat] + rules.initial_choice and s.deck_n > 0:
                s.deck_n -= 1
                s.hand[seat] |= bit(s.deck[s.deck_n])
                s.deck[s.deck_n] = NOBODY


@rule
def ask_hands(s):
    """Ask the next seat whose starting hand is too large; return whether there is one (EX-2.7)."""
    while s.seats_asked < s.seats:
        seat = (s.first + s.seats_asked) % s.seats
        if bit_count(s.hand[seat]) > s.hand_keep[seat]:
            s.seat, s.decision = seat, Decision.start_discard
            return True
        s.seats_asked += 1
    return False
