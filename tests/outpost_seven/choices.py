"""What a strategy may choose in a position, and what its choice is worth, counted again in plain Python
(O7-11.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

from simkit.engine import registry
from simkit.engine.kernel import WORK
from simkit.engine.lineups import parse_strategy
from simkit.engine.table import Player
from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.facts import PAIR, Decision

from .engine import Play

SEEDS = 24


def player(text: str) -> Player:
    """A strategy as written in a lineup."""
    return registry.player(game, parse_strategy(text)[0], 2)


def pick(text: str, play: Play, seed: int = 0, memo: np.ndarray | None = None) -> int:
    """The action that the strategy takes, seeing only what its seat sees."""
    chosen = player(text)
    memo = np.zeros(game.memo, np.int64) if memo is None else memo
    view, legal = play.view(int(play.s.seat)), np.array(play.legal(), np.int64)
    lent = np.zeros(game.scratch, game.state_dtype)
    luck, work = np.array([seed], np.uint64), np.zeros(WORK, np.int64)
    action = int(chosen.decide(view[0], play.rules, legal, chosen.weights, luck, lent, memo, work, 0, 0))
    assert action in legal
    return action


def picks(text: str, play: Play, seeds: int = SEEDS) -> set[int]:
    """The actions that the strategy takes with different luck."""
    return {pick(text, play, seed) for seed in range(seeds)}


def after(play: Play, action: int) -> Play:
    """The play after one action."""
    copied = play.copy()
    copied.apply(action)
    return copied


def value(play: Play, seat: int, sign: float = 10, cap: int = 4, caution: float = 0) -> float:
    """E of a seat, counted from the cards on the grid; with caution an own vote on a lead of at most one cube
    counts less.
    """
    s, rules, total = play.s, play.rules, 0.0
    leads = [0] * int(rules.lines)
    for mask, owner, row, col in zip(
        *(a.tolist() for a in (s.grid_mask, s.grid_owner, rules.row_of, rules.col_of)), strict=True
    ):
        for line in (row, col):
            leads[line] += 0 if owner < 0 else mask.bit_count() * (1 if owner == seat else -1)
    for lead, token, people in zip(leads, s.vote.tolist(), s.pop.tolist(), strict=False):
        vote = 0.0 if token < 0 else (sign if token == seat else -sign)
        if vote > 0 and lead <= 1:
            vote *= 1 - caution
        total += people * (vote + max(-cap, min(cap, lead)))
    return total


def colour_pairs(play: Play, cards: list[int]) -> int:
    """Unordered pairs of one colour."""
    return sum(play.rules.colour[a] == play.rules.colour[b] for a, b in combinations(cards, 2))


def hand(play: Play, seat: int) -> list[int]:
    return [int(c) for c in play.s.hand[seat, : play.s.hand_n[seat]]]


def in_mask(cards: Any, mask: int) -> list[int]:
    return [int(card) for slot, card in enumerate(cards) if mask >> slot & 1]


def cards_taken(play: Play, mask: int) -> int:
    """60 for a card, 2 for a pair that it makes."""
    held, taken = hand(play, int(play.s.seat)), in_mask(play.s.offer, mask)
    return 60 * len(taken) + 2 * (colour_pairs(play, held + taken) - colour_pairs(play, held))


def plans(play: Play, worth: Callable[[Play, int], float] = value) -> dict[tuple[int, ...], float]:
    """Every salvage (mask,) and repair (pair, cell) of the seat to decide with its greedy score."""
    seat, result = int(play.s.seat), {}
    before, expected = (
        worth(play, seat),
        {},
    )  # the board after a repair depends only on module, cubes and cell
    for action in play.legal():
        if action < PAIR:
            result[(action,)] = float(cards_taken(play, action))
            continue
        chosen = after(play, action)
        payment = (action - PAIR) // 10, int(chosen.s.sel_cubes)
        if payment not in expected:
            expected[payment] = {cell: worth(after(chosen, cell), seat) - before for cell in chosen.legal()}
        result |= {(action, cell): gain for cell, gain in expected[payment].items()}
    return result


def best(scores: dict[Any, float]) -> set[Any]:
    """All that have the highest score."""
    return {plan for plan, score in scores.items() if score == max(scores.values())}


def positions(
    lineup: list[str],
    deals: int,
    decision: Decision = Decision.main,
    every: int = 1,
    options: dict[str, Any] | None = None,
) -> Iterator[Play]:
    """Positions of the decision with a choice, met in games of the lineup."""
    met = 0
    for deal in range(deals):
        play = Play.begin(options or {}, seed=11, deal=deal)
        while play.s.seat >= 0:
            if play.decision == decision and len(play.legal()) > 1:
                met += 1
                if met % every == 0:
                    yield play.copy()
            play.apply(
                pick(lineup[int(play.s.seat)], play, seed=met) if len(play.legal()) > 1 else play.legal()[0]
            )
