"""Red Outpost: the lake: its deck, the Fisherman's choice, shuffles (RO-5.10, RO-6.10)."""

from simkit.engine.compile.jit import rule
from simkit.engine.rng import shuffle
from simkit.engine.rule_helpers import add
from simkit.games.red_outpost.facts import (
    FISH_CARDS,
    LAKE_KINDS,
    NO,
    NOBODY,
    Card,
    Decision,
    Resource,
    Stage,
    Worker,
)
from simkit.games.red_outpost.goods import produce
from simkit.games.red_outpost.moods import shift_mood
from simkit.games.red_outpost.moves import owns


@rule
def discarded(s):
    """Return the number of lake cards in the discard pile."""
    return s.lake_disc[0] + s.lake_disc[1] + s.lake_disc[2]


@rule
def shuffle_lake(s, rng):
    """Shuffle deck and discard pile into the new deck."""
    for kind in range(LAKE_KINDS):
        for _ in range(s.lake_disc[kind]):
            s.lake_deck[s.lake_n] = kind
            s.lake_n += 1
        s.lake_disc[kind] = 0
    shuffle(rng.lake_reshuffle, s.lake_deck, s.lake_n)


@rule
def begin_lake(s):
    """Begin step 1, in which the Fisherman may reshuffle."""
    s.lake_pre = s.lake_from = 0
    s.lake_held[:] = NOBODY
    s.stage = Stage.lake_draw
    if s.cur_w == Worker.fisherman and discarded(s) > 0:
        s.decision = Decision.lake_pre


@rule
def shuffle_before(s, action, rng):
    """Answer step 1."""
    s.lake_pre = action
    if action:
        shuffle_lake(s, rng)
        s.log.game.lake_voluntary_shuffles += 1


@rule
def go_on_drawing(s, rng):
    """Go on to step 2; with card 10 the first card may come from the discard pile."""
    if owns(s, Card.lake) and discarded(s) > 0:
        s.decision = Decision.lake_src
    else:
        draw_lake(s, 0, rng)


@rule
def legal_lake_src(s, out):
    """Write the deck and the kinds in the discard pile."""
    n = add(out, 0, NO)
    for kind in range(LAKE_KINDS):
        if s.lake_disc[kind] > 0:
            n = add(out, n, 1 + kind)
    return n


@rule
def draw_lake(s, source, rng):
    """Carry out step 2: draw one card, two for the Fisherman (RO-5.10)."""
    wanted, held = 2 if s.cur_w == Worker.fisherman else 1, 0
    if source > 0:
        s.lake_disc[source - 1] -= 1
        s.lake_held[0] = source - 1
        s.lake_from = held = 1
        s.log.game.card_uses[Card.lake - 1] += 1
    for place in range(held, wanted):
        if s.lake_n == 0:
            shuffle_lake(s, rng)
            s.log.game.lake_forced_shuffles += 1
        s.lake_n -= 1
        s.lake_held[place] = s.lake_deck[s.lake_n]
        s.log.game.lake_cards += 1
    s.stage = Stage.lake_pick


@rule
def go_on_picking(s, rules, rng):
    """Go on to step 3, a choice only between different cards."""
    if wanted_two(s) and s.lake_held[0] != s.lake_held[1]:
        s.decision = Decision.lake_pick
    else:
        pick_lake(s, rules, 0, rng)


@rule
def wanted_two(s):
    """Return whether two lake cards are in hand."""
    return s.lake_held[1] != NOBODY


@rule
def pick_lake(s, rules, place, rng):
    """Carry out steps 4 and 5: take a card's reward, discard all; reshuffle without fish left."""
    kind = s.lake_held[place] + 0
    s.log.game.lake_fish += rules.lake_fish[kind]
    produce(s, rules, Resource.fish.value, rules.lake_fish[kind])
    shift_mood(s, rules, s.cur_w, rules.lake_mood[kind])
    for held in range(2):
        if s.lake_held[held] != NOBODY:
            s.lake_disc[s.lake_held[held]] += 1
            s.lake_held[held] = NOBODY
    if s.lake_disc[1] + s.lake_disc[2] == FISH_CARDS:
        shuffle_lake(s, rng)
        s.log.game.lake_auto_shuffles += 1
    s.stage = Stage.lake_post


@rule
def go_on_after_catch(s):
    """Go on to step 6: the Fisherman may reshuffle once in a visit."""
    s.stage = Stage.extra
    if s.cur_w == Worker.fisherman and not s.lake_pre and discarded(s) > 0:
        s.decision = Decision.lake_post


@rule
def shuffle_after(s, action, rng):
    """Answer step 6."""
    if action:
        shuffle_lake(s, rng)
        s.log.game.lake_voluntary_shuffles += 1
