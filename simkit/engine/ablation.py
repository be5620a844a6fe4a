"""Ablation: effects of components, from a coin per component that decides in which deals it is changed.

Every component has a coin of its own, so every deal informs about every component: a factorial experiment
(Fisher 1935, The Design of Experiments, chapter 6; Box, Hunter & Hunter 2005, Statistics for Experimenters,
chapters 5 and 6) whose settings are drawn at random. The coins are the same for BLOCK consecutive deals,
because these share one rules record; the block is therefore the unit of every interval. A coin is the first
number of the stream (seed, block, "ablation/COMPONENT"), so seed and deal determine the rules.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game, Piece, Way
from simkit.engine.rng import uniforms
from simkit.errors import UsageError, look_up

BLOCK = 16  # deals with the same coins: building a rules record takes as long as five games of Outpost Seven
BLOCKS_PER_BATCH = 1 << 15  # blocks whose coins are in memory together


class ChangeablePart(NamedTuple):
    """Component with a coin: all copies of one label."""

    label: str
    kinds: dict[str, str]
    numbers: list[int]


class AblationPlan(NamedTuple):
    """Changed components, the way they are changed, and the share of the deals in which each is."""

    way: Way
    parts: list[ChangeablePart]
    rate: float

    @property
    def labels(self) -> list[str]:
        """Labels of the components."""
        return [part.label for part in self.parts]


class AblationRules(NamedTuple):
    """Rules of every deal of a cell."""

    plan: AblationPlan
    printed: np.ndarray  # the rules with nothing changed
    pieces: list[str]  # labels of the components with names, in the printed rules
    seed: int

    def rules(self, deal: int) -> tuple[np.ndarray, list[str]]:
        """Return the rules in force in a deal, and the labels of its components with names."""
        thrown = coins(self.seed, np.array([deal // BLOCK]), self.plan.labels, self.plan.rate)[0]
        return self.change(thrown)

    def change(self, thrown: np.ndarray) -> tuple[np.ndarray, list[str]]:
        """Return the rules with the parts changed where `thrown`, bool[part], is True, and the labels."""
        parts = [part for part, is_changed in zip(self.plan.parts, thrown, strict=True) if is_changed]
        rules = self.printed.copy()
        order = self.plan.way.change(rules[0], sorted(number for part in parts for number in part.numbers))
        rules.flags.writeable = False
        return rules, self.pieces if order is None else [self.pieces[number] for number in order]


def coins(seed: int, blocks: np.ndarray, labels: list[str], rate: float) -> np.ndarray:
    """Return whether each component is changed in the deals of each block, bool[block, component].

    >>> coins(1, np.arange(4), ["king", "queen"], 0.5).tolist()
    [[False, False], [True, True], [True, False], [True, False]]
    """
    is_changed: np.ndarray = uniforms(seed, blocks, [f"ablation/{label}" for label in labels]) < rate
    return is_changed


def plan_of(
    game: Game, rules: np.ndarray, way_name: str, requested: list[str], rate: float | None
) -> AblationPlan:
    """Return the plan for the rules of a cell.

    Args:
        game, rules: the game, and the rules of the cell.
        way_name: name of the way to change components; empty for the default of the game.
        requested: labels or kinds of components; empty for all.
        rate: share of the deals in which each is changed; None for the default of the way.
    """
    way = way_of(game, way_name)
    parts = parts_of(way.parts(rules[0]))
    if not parts:
        raise UsageError(f"{game.name} has no component that can be {way.name} under these rules")
    kinds = {kind for part in parts for kind in part.kinds.values()}
    names_known = dict.fromkeys([*(part.label for part in parts), *kinds])
    for name in requested:
        if not name:
            raise UsageError(f"components: '' names no component (known: {', '.join(sorted(names_known))})")
        look_up(f"component of {game.name}", name, names_known)
    names = set(requested)
    chosen = [part for part in parts if not requested or names & {part.label, *part.kinds.values()}]
    return AblationPlan(way, chosen, way.rate if rate is None else rate)


def way_of(game: Game, name: str) -> Way:
    """Return the way to change components by its name, or the default of the game for an empty name."""
    ways = {way.name: way for way in game.components.ways}
    if not ways:
        raise UsageError(f"{game.name} has no components that can be changed one by one: nothing to ablate")
    return look_up(f"way to change components of {game.name}", name or next(iter(ways)), ways)


def parts_of(pieces: list[Piece]) -> list[ChangeablePart]:
    """Return the components by label, in order; pieces with one label form one component.

    >>> parts_of([Piece("king"), Piece(""), Piece("king"), Piece("ace")])[0].numbers
    [0, 2]
    """
    parts: dict[str, ChangeablePart] = {}
    for number, piece in enumerate(pieces):
        if piece.label:
            parts.setdefault(piece.label, ChangeablePart(piece.label, dict(piece.kinds), [])).numbers.append(
                number
            )
    return list(parts.values())


def check(dealt: AblationRules, deals: int) -> None:
    """Refuse a plan with too few deals, or one that changes more copies at once than the game allows."""
    plan, most_copies, fullest = dealt.plan, -1, np.zeros(0, bool)
    copies_of_part = np.array([len(part.numbers) for part in plan.parts])
    least = BLOCK * 4 * (1 + len(plan.parts))
    if deals < least:
        raise UsageError(f"{deals:,} deals tell too little of {len(plan.parts)} components: give {least:,}")
    for thrown in _coins_by_batch(dealt, deals):
        changed_copies = thrown @ copies_of_part
        if changed_copies.max() > most_copies:
            most_copies, fullest = int(changed_copies.max()), thrown[changed_copies.argmax()]
    dealt.change(fullest)


def _coins_by_batch(dealt: AblationRules, deals: int) -> Iterator[np.ndarray]:
    """Yield the coins of all deals, BLOCKS_PER_BATCH blocks at a time."""
    plan, block_count = dealt.plan, -(-deals // BLOCK)
    for first in range(0, block_count, BLOCKS_PER_BATCH):
        blocks = np.arange(first, min(first + BLOCKS_PER_BATCH, block_count))
        yield coins(dealt.seed, blocks, plan.labels, plan.rate)


def ablation_rules(game: Game, rules: np.ndarray, request: Any, seed: int) -> AblationRules:
    """Return the rules of the deals of a cell for the `ablate` table of an experiment."""
    plan = plan_of(game, rules, request.how, request.components, request.rate)
    pieces = [piece.label for piece in game.pieces.names(rules[0])] if game.pieces else []
    return AblationRules(plan, rules, pieces, seed)
