"""No seat sees what it may not: hidden fields change no view, open ones do; and what is dealt again is
possible and uniform.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.facts import Decision
from tests.everyday import everyday

from .chances import uniform
from .engine import DRIVE, Play, facts, luck, reached, rules_of
from .positions import given, given_deal
from .test_clauses_2_setup import RED, YELLOW

# Every field of the state is in exactly one of these lists; a new field must be put into one of them.
OPEN = [
    "seat",
    "seats",
    "first",
    "rank",
    "score",
    "decision",
    "passes",
    "hands_chosen",
    "mulliganed",
    "stopped",
    "turn",
    "hand_n",
    "dealt_n",
    "start_n",
    "pool",
    "pool_n",
    "offer",
    "offer_n",
    "discard",
    "discard_n",
    "revealed",
    "deck_pos",
    "deck_n",
    "grid_card",
    "grid_mask",
    "grid_owner",
    "pending",
    "pending_n",
    "pending_cells",
    "occupied",
    "frontier",
    "played_cell",
    "sel_module",
    "sel_scrap",
    "sel_cubes",
    "chain",
    "moved",
    "pop",
    "pop_initial",
    "vote",
    "border_colour",
    "cubes",
    "colours",
    "on_grid",
    "contested",
    "leader",
]
HIDDEN = ["deck", "lead", "lead_turn", "log"]  # from both seats
PARTLY = ["hand", "dealt", "start_cards", "keep_total"]  # see `hidden_places`

MIXED = [
    {},
    {"start_choice": "player0_chooses", "mulligan": "both"},
    {"start_rule": "draft", "second_bonus_population": 2},
    {
        "start_rule": "keep_at_most",
        "start_order": "second_then_first",
        "initial_votes": "none",
        "border_colours": True,
    },
    {"card_set": "plain_top", "bonus_origin": "bonus_card", "removal_rule": "skip", "cubes_same_colour": 3},
    {"mulligan": "second", "start_infeasible": "redraw", "rows": 4, "cols": 6, "allow_empty_salvage": True},
]
CASES = [(decision, options) for options in MIXED for decision in Decision]


def states_in(decision: Decision, options: dict[str, Any], n: int) -> list[Play]:
    """Up to n states of this decision, at different moments of random games."""
    if decision in (Decision.main, Decision.cell):
        states = reached(options, 12 * n, np.arange(12 * n) % 70, seed=int(decision))
    else:
        states = reached(options, 12 * n, decision=int(decision), seed=int(decision))
    return [
        Play(states[i : i + 1].copy(), rules_of(options), luck(2, i))
        for i in range(len(states))
        if states[i].decision == decision
    ][:n]


def test_every_field_is_open_or_hidden() -> None:
    """A field that is in none of the lists (or in two) is a decision not taken."""
    assert sorted(game.state_dtype.names) == sorted(OPEN + HIDDEN + PARTLY)


def hidden_places(s: Any, seat: int) -> list[tuple[str, int]]:
    """Where cards lie that the seat has not seen: flat places of hand, starting cards, dealt and deck."""
    dealt = [("dealt", place) for place in places_of(s, "dealt", s.dealt_n, 1 - seat)]
    hidden = [place for place in held_places(s, 1 - seat) if not s.revealed[card_at(s, place)]]
    return hidden + dealt + [("deck", i) for i in range(s.deck_pos, s.deck_n)]


def held_places(s: Any, seat: int) -> list[tuple[str, int]]:
    """Where cards of a player lie: flat places of hand and starting cards, those laid aside too."""
    started = np.full(2, (s.start_cards[seat] >= 0).sum())
    sizes = {"hand": s.hand_n, "start_cards": started}
    return [(name, place) for name, n in sizes.items() for place in places_of(s, name, n, seat)]


def places_of(s: Any, name: str, sizes: Any, seat: int) -> range:
    """Flat places of a player's cards in a field [seat, slot]."""
    start = seat * s[name].shape[1]
    return range(start, start + int(sizes[seat]))


def card_at(s: Any, place: tuple[str, int]) -> int:
    return int(s[place[0]].reshape(-1)[place[1]])


def changed(states: np.ndarray, name: str, place: int) -> np.ndarray:
    """A copy with another number at one place of a field (its bits flipped, so that it surely differs)."""
    result = states.copy()
    data = result[name].reshape(1, -1)
    data[0, place] = ~data[0, place]
    if result[name].ndim > 1 and not np.shares_memory(data, result[name]):
        result[name] = data.reshape(result[name].shape)
    return result


def viewed(play: Play, states: np.ndarray, seat: int) -> bytes:
    return Play(states, play.rules_array).view(seat).tobytes()


@pytest.mark.proof("games.outpost_seven", "strategies.outpost_seven")
@pytest.mark.parametrize(
    ("decision", "options"),
    everyday(CASES, 27, 2),
    ids=lambda x: x.name if isinstance(x, Decision) else "-".join(map(str, x.values())) or "default",
)
def test_no_peeking(decision: Decision, options: dict[str, Any]) -> None:
    """Changing what is hidden leaves the view byte for byte; changing anything open changes it."""
    generator = np.random.default_rng(int(decision))
    for play in states_in(decision, options, 3):
        for seat in range(2):
            before = play.view(seat).tobytes()
            assert before == play.copy().view(seat).tobytes()
            for name in OPEN:
                size = play.states[name].size
                for place in {0, size - 1, int(generator.integers(size))}:
                    assert viewed(play, changed(play.states, name, place), seat) != before, (
                        f"{name}[{place}] is open but seat {seat} does not see it"
                    )
            check_hidden(play, seat, before, generator)
            check_own(play, seat, before)


def check_hidden(play: Play, seat: int, before: bytes, generator: np.random.Generator) -> None:
    """Unseen cards change places among each other; the deck, the other deal, the log and the target change at
    all.
    """
    s = play.facts
    places = hidden_places(s, seat)
    for _ in range(3):
        states = play.states.copy()
        cards = [int(play.states[name].reshape(-1)[place]) for name, place in places]
        for (name, place), card in zip(places, generator.permutation(cards), strict=True):
            states[name].reshape(-1)[place] = card
        assert viewed(play, states, seat) == before, f"seat {seat} sees unseen cards"
    other = 1 - seat
    width = s.dealt.shape[1]
    for name, place in [("deck", i) for i in range(0, s.deck.size, 7)] + [
        ("dealt", other * width + i) for i in range(width)
    ]:
        assert viewed(play, changed(play.states, name, place), seat) == before, (
            f"seat {seat} sees {name}[{place}]"
        )
    for name in ("lead", "lead_turn"):
        for place in (0, 1, 36):
            assert viewed(play, changed(play.states, name, place), seat) == before, f"seat {seat} sees {name}"
    start, size = game.state_dtype.fields["log"][1], game.state_dtype["log"].itemsize
    for offsets in (range(start, start + size), *[[int(start + generator.integers(size))] for _ in range(8)]):
        raw = bytearray(play.states.tobytes())
        for offset in offsets:
            raw[offset] ^= 255
        assert viewed(play, np.frombuffer(raw, game.state_dtype).copy(), seat) == before, (
            f"seat {seat} sees the log"
        )
    if s.seat != seat or s.decision != Decision.keep:
        assert viewed(play, changed(play.states, "keep_total", 0), seat) == before, (
            "the other's target is seen"
        )


def check_own(play: Play, seat: int, before: bytes) -> None:
    """A seat sees its own cards, openly taken ones of the opponent, and its target."""
    s = play.facts
    own = held_places(s, seat) + [("dealt", place) for place in places_of(s, "dealt", s.dealt_n, seat)]
    public = [place for place in held_places(s, 1 - seat) if s.revealed[card_at(s, place)]]
    for name, place in own + public:
        states = play.states.copy()
        card = card_at(s, (name, place))
        states[name].reshape(-1)[place] = next(
            c for c in range(54) if c != card and (s.revealed[c] or (name, place) in own)
        )
        assert viewed(play, states, seat) != before, f"seat {seat} does not see its {name}"
    if s.seat == seat and s.decision == Decision.keep:
        assert viewed(play, changed(play.states, "keep_total", 0), seat) != before, (
            "a seat does not see its own target"
        )


def test_every_phase_is_looked_at() -> None:
    """The settings above reach every decision."""
    for decision in Decision:
        assert any(states_in(decision, options, 2) for options in MIXED), decision.name


# ------------------------------------------------------------------------------------------ dealing again


REDEALT = [(decision, options) for decision, options in CASES if decision != Decision.none]


@pytest.mark.parametrize(
    ("decision", "options"),
    REDEALT,
    ids=lambda x: x.name if isinstance(x, Decision) else "-".join(map(str, x.values())) or "default",
)
def test_redealt_state_is_sound(decision: Decision, options: dict[str, Any]) -> None:
    """What the seat to decide may imagine is a sound state, looks the same to it, and can be played to its
    end.
    """
    for number, play in enumerate(states_in(decision, options, 3)):
        seat = int(play.s.seat)
        imagined = play.redealt(seat, 1000 + number)
        assert imagined.view(seat).tobytes() == play.view(seat).tobytes(), (
            "the redeal changed what the seat sees"
        )
        assert imagined.legal() == play.legal()
        assert unseen_cards(imagined, "hand") == unseen_cards(imagined, "start_cards")
        imagined.states["log"] = play.states[
            "log"
        ]  # the log is blank in a view; with it the invariants say more
        imagined.states["lead"], imagined.states["lead_turn"] = play.states["lead"], play.states["lead_turn"]
        assert imagined.problems() == []
        for _ in imagined.steps(np.random.default_rng(number)):
            pass
        assert imagined.problems() == [] and imagined.decision == Decision.none


def unseen_cards(play: Play, name: str) -> list[list[int]]:
    """Cards of both players, in hand or kept at the start, that the other has not seen, in order."""
    s = play.facts
    sizes = s.hand_n if name == "hand" else s.start_n
    places = [places_of(s, name, sizes, seat) for seat in (0, 1)]
    cards = [[card_at(s, (name, place)) for place in row] for row in places]
    return [[card for card in row if not s.revealed[card]] for row in cards]


def test_redeal_is_uniform() -> None:
    """Every way to lay the unseen cards into hand and deck is equally likely."""
    position = given(red=[36, 37], yellow=[18, 19, 20], offer=[12, 0], deck=[])
    s = position.s
    s.deck_pos -= 1  # one card of the discard pile back into the deck: four unseen cards
    last = int(s.discard[s.discard_n - 1])
    s.deck[s.deck_pos] = last
    s.discard_n -= 1
    s.discard[s.discard_n], s.revealed[last] = -1, 0
    position.s.deck_n = s.deck_pos + 1
    unseen = sorted([18, 19, 20, last])
    ways = []
    for number in range(4800):
        imagined = position.redealt(0, number * 7919 + 1).s
        ways.append((*imagined.hand[1, :3].tolist(), int(imagined.deck[imagined.deck_pos])))
    uniform(ways, list(permutations(unseen)))


def test_redeal_keeps_public_cards() -> None:
    """Cards that the opponent salvaged stay in his hand, only the kept ones are dealt again."""
    position = given(red=[36, 37, 38], yellow=[18, 19, 20, 21], public=(19, 21))
    counts: Counter[int] = Counter()
    for number in range(3000):
        hand = position.redealt(0, number * 104729 + 5).s.hand[1, :4].tolist()
        assert hand[1] == 19 and hand[3] == 21
        counts.update([hand[0], hand[2]])
    unseen = [18, 20, *position.fact("deck")]
    uniform([c for c, n in counts.items() for _ in range(n)], unseen)


def test_redeal_before_the_choice() -> None:
    """The dealt cards of the opponent and the deck are dealt again; the deck's order too."""
    position = given_deal(RED, YELLOW)
    unseen = [*YELLOW, *position.fact("deck")]
    first, top = [], []
    for number in range(3200):
        s = position.redealt(0, number * 15485863 + 3).s
        assert s.dealt[0, :7].tolist() == RED
        first.append(int(s.dealt[1, 0]))
        top.append(int(s.deck[s.deck_pos]))
    uniform(first, unseen)
    uniform(top, unseen)


def test_a_look_owes_nothing_to_those_before() -> None:
    """observe writes the same over what the other seat saw of another game as over nothing."""
    position, other = given(red=[36, 37]), given(red=[3, 4, 5], offer=[0, 1, 18])
    first, later = np.zeros((2, 1), game.state_dtype)
    DRIVE.observe(position.states, position.rules_array, 0, first)
    for single, seat in ((other, 1), (other, 0), (position, 1), (position, 0)):
        DRIVE.observe(single.states, single.rules_array, seat, later)
    assert first.tobytes() == later.tobytes()
    assert facts(first).log.game.turns == 0
