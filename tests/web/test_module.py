"""Games in WebAssembly end with the same states, byte for byte, as in compiled Python."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import wasmtime

from simkit.engine import registry
from simkit.engine.compile import jit
from simkit.engine.game import Game
from simkit.engine.kernel import Fault, build
from simkit.engine.lineups import parse_lineup
from simkit.engine.stepper import traced
from simkit.engine.strategy import strategy
from simkit.engine.table import Games, Lineup, Table
from simkit.errors import WebError
from simkit.verify.check import random_settings
from simkit.web import WebModule, make
from tests.web.page import Page

pytestmark = pytest.mark.skipif(not jit.COMPILED, reason="without the compiler there is no LLVM code")
GAMES, SEED, FIRST = 200, 7, 3  # games of a comparison; seed; first deal
EVERYDAY = {"pig": ["random", "hold_at"], "outpost_seven": ["random", "reference_greedy", "greedy"]}
REDEALING = {("outpost_seven", "lookahead"), ("red_outpost", "rollout_greedy")}  # need more of Numba's runtime


@cache
def module(name: str, *strategies: str) -> WebModule:
    game = registry.game(name)
    return make(game, [registry.strategy(game, own) for own in strategies])


def lineup_of(game: Game, text: str) -> Lineup:
    return [registry.player(game, named) for named in parse_lineup(text)]


def pieces(game: Game, rules: np.ndarray) -> int:
    return len(game.pieces.names(rules[0])) if game.pieces else 0


def different(page: Page, game: Game, options: dict[str, Any], lineup: Lineup) -> Iterator[str]:
    """Yield how the games of a page differ from those of a table, for each rotation of some deals."""
    table, seats = Table(game, game.rules(options)), len(lineup)
    count = max(1, GAMES // seats)
    deals, shifts = np.repeat(np.arange(FIRST, FIRST + count), seats), np.tile(np.arange(seats), count)
    states, failed = table.attempt(Games(lineup, SEED, deals, shifts))
    ended = failed.game if failed else len(deals)
    page.set_up(table.rules, lineup, SEED, seats)
    case = f"{game.name} {options} {[player.label for player in lineup]}"
    if (played := page.play(FIRST, count)) != ended:
        yield f"{case}: {played} games end, not {ended}"
    elif page.states(ended) != states[:ended].tobytes():
        yield f"{case}: other states"
    elif failed and (page.number("place", "seat"), page.number("place", "deciding")) != (
        failed.seat,
        int(failed.by_strategy and failed.cause is not None),
    ):
        yield f"{case}: another failure than that of game {failed.game}"


def lineups(game: Game, names: list[str], rng: random.Random) -> Iterator[Lineup]:
    """Yield every strategy against itself, and strategies with other weights and random errors mixed."""
    seats = rng.randint(game.seats[0], min(game.seats[1], 4))
    for name in names:
        yield lineup_of(game, f"{name}*{seats}")
    mixed = lineup_of(game, ", ".join(rng.choice(names) for _ in range(seats)))
    yield [replace(other_weights(game, player.label, rng), blunder=rng.choice([0.0, 0.2])) for player in mixed]


def other_weights(game: Game, name: str, rng: random.Random) -> Any:
    """Return a player with random values of some weights."""
    given = {}
    for weight, meaning in registry.strategy(game, name).weights.items():
        if rng.random() < 0.5:
            values = meaning.allowed.split(", ") if "," in meaning.allowed else [meaning.shown]
            given[weight] = rng.choice(values)
    return registry.strategy(game, name).player(game, given)


@pytest.mark.parametrize("name", EVERYDAY)
def test_games_of_random_rules_lineups_weights_and_errors_end_the_same(name: str) -> None:
    game, page, rng = registry.game(name), Page(module(name, *EVERYDAY[name])), random.Random(SEED)
    for options in [{}, *random_settings(game, 6, SEED)]:
        for lineup in lineups(game, EVERYDAY[name], rng):
            assert not list(different(page, game, options, lineup))
