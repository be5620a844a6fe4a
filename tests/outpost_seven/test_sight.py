"""What is dealt again is possible and uniform."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from .chances import uniform
from .positions import given, given_deal
from .test_clauses_2_setup import RED, YELLOW


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
