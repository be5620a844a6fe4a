"""Red Outpost: how a game begins (RO-2)."""

from simkit.engine.compile.jit import bit, rule
from simkit.engine.rng import shuffle
from simkit.games.red_outpost.cards import give_cards
from simkit.games.red_outpost.facts import (
    DATA,
    LAKE_KINDS,
    LOCATIONS,
    NOBODY,
    ORDINARY,
    SHIP_KINDS,
    Location,
    Phase,
    Stage,
)
from simkit.games.red_outpost.options import Blocking


def _tokens(phase: str) -> int:
    return sum(1 << Location[name] for name in DATA["setup"][f"block_{phase}"])


MORNING, EVENING = _tokens("morning"), _tokens("evening")


@rule
def lay_out(s, rules, rng):
    """Lay out seats, workers, decks and tokens; cards are dealt after that (RO-2.1 to RO-2.7)."""
    s.first = s.token = s.round_no = s.seat = 0
    s.phase, s.stage = Phase.morning, Stage.keep
    s.wloc[:] = Location.barracks
    s.mood[:] = rules.mood_start
    s.put_by[:] = s.lake_held[:] = s.lake_deck[:] = s.ship_deck[:] = NOBODY
    s.keep_at = s.ship_card = s.last_leader = NOBODY
    s.crystals_left = rules.crystal_supply
    for seat in range(s.seats):
        s.score[seat] = rules.seat_vp[seat]
        s.reserve[seat] = rules.disks[s.seats]
        crystals = rules.seat_crystals[seat]
        if rules.crystal_supply > 0:
            crystals = min(crystals, s.crystals_left)
        s.crystals[seat] = crystals
        s.crystals_left -= crystals
    give_cards(s, rules)
    stack_decks(s, rules, rng)
    place_tokens(s, rules, rng)


@rule
def stack_decks(s, rules, rng):
    """Shuffle the lake and the spaceship deck (RO-2.5)."""
    for kind in range(LAKE_KINDS):
        for _ in range(rules.lake_count[kind]):
            s.lake_deck[s.lake_n] = kind
            s.lake_n += 1
    for kind in range(SHIP_KINDS):
        for _ in range(rules.ship_count[kind]):
            s.ship_deck[s.ship_n] = kind
            s.ship_n += 1
    shuffle(rng.lake, s.lake_deck, s.lake_n)
    shuffle(rng.spaceship, s.ship_deck, s.ship_n)


@rule
def place_tokens(s, rules, rng):
    """Place the recommended tokens, random ones or none (RO-2.6, RO-2.7)."""
    if rules.blocking == Blocking.default:
        s.block_morning, s.block_evening = MORNING, EVENING
    elif rules.blocking != Blocking.none:
        draw_tokens(s, rules, rng)
    s.log.game.tokens_morning, s.log.game.tokens_evening = s.block_morning, s.block_evening


@rule
def draw_tokens(s, rules, rng):
    """Draw locations for the Morning and as many others for the Evening (RO-2.7)."""
    places, n = s.card_deck, 0
    for location in range(LOCATIONS):
        if ORDINARY >> location & 1:
            places[n] = location
            n += 1
    shuffle(rng.tokens, places, n)
    s.block_morning = s.block_evening = 0
    for token in range(rules.blocking_tokens):
        s.block_morning |= bit(places[token])
        s.block_evening |= bit(places[rules.blocking_tokens + token])
