"""Nets for tests, with weights by chance or all zero, and players that decide by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.learned import net
from simkit.engine.learned.file import BASE, TrainedPlayer, digests, pack, trained_player
from simkit.engine.learned.layout import Layout, observe_values
from simkit.engine.lineups import parse_strategy
from simkit.engine.positions import record_positions
from simkit.engine.table import GameTable, Player

UNITS, GAMES = 32, 40


def layout_of(game: Game, seats: int) -> Layout:
    """What a net reads of views of random games."""
    table, numbers = GameTable(game, game.rules()), np.arange(GAMES)
    lineup = registry.players(game, parse_strategy(f"random*{seats}"))
    parts = [
        (part.views.copy(), part.seats.copy())
        for part in record_positions(table, lineup, 5, numbers, 0 * numbers, 0.5, 0.2)
    ]
    views, seen_by = map(np.concatenate, zip(*parts, strict=True))
    return observe_values(game, seen_by, table.rules, views)


def arrays_of(layout: Layout, size: float, seed: int = 1) -> dict[str, Any]:
    """Weights of this standard deviation, in the units of a net."""
    luck, inputs = np.random.default_rng(seed), UNITS + net.BLOCK * len(layout.places)

    def drawn(*shape: int) -> Any:
        return np.clip(np.rint(luck.normal(0, size, shape)), -32767, 32767).astype(np.int16)

    return {
        "rows": drawn(layout.rows, UNITS), "token_rows": drawn(layout.token_rows, net.BLOCK),
        "hidden": drawn(inputs, net.BLOCK), "hidden_bias": np.zeros(net.BLOCK, np.int32),
        "out": drawn(2, net.BLOCK), "out_bias": np.zeros(2, np.int32), "shifts": np.array([10, 10], np.int8),
    }  # fmt: skip


def made_trained(game: Game, seats: int, size: float = 200.0, **meta: Any) -> TrainedPlayer:
    """A trained player; `size` is the standard deviation of its weights."""
    layout = layout_of(game, seats)
    if base := meta.get("base"):
        meta["digests"] = digests(game, layout) | {BASE: registry.base_digest(game, base)}
    return trained_player(game, {"name": "best", **meta}, layout, arrays_of(layout, size))


def made_net(game: Game, seats: int, size: float = 200.0, **meta: Any) -> Any:
    """The net of a trained player."""
    return pack(made_trained(game, seats, size, **meta), game)


def made_player(game: Game, packed: Any, seats: int, base: str = "", **weights: str) -> Player:
    """A learned player with a net, which may improve on a base strategy."""
    improved = registry.player(game, parse_strategy(base)[0], seats) if base else None
    return registry.strategy(game, "learned").player(game, weights, None, packed, improved)
