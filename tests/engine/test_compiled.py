"""Compiled and uncompiled rules give the same bytes, and no index runs over.

The slow tests play the same games in another process, which imports this module and prints one digest per
case.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from simkit.engine import registry, strategy
from simkit.engine.compile.jit import clone
from simkit.engine.game import Game
from simkit.engine.rng import below
from simkit.engine.table import GameTable
from simkit.games.outpost import game as outpost
from simkit.games.outpost_seven import game as outpost_seven
from simkit.games.pig import game as pig
from simkit.verify import check

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parents[1]))
from outpost_seven.sampling import settings  # noqa: E402

redeal = outpost_seven.redeal


@strategy.strategy(outpost_seven)
def imagines(view, rules, legal, w, rng, scratch, memo):  # type: ignore[no-untyped-def]
    """Deals the unseen cards again, for the sake of it, and plays at random; what it imagined decides a
    little.
    """
    clone(scratch[0], view)
    redeal(scratch[0], rules, view.seat, rng)
    unseen = scratch[0].deck[scratch[0].deck_pos] if scratch[0].deck_pos < scratch[0].deck_n else 0
    return legal[(below(rng, legal.size) + unseen) % legal.size]


class Case(NamedTuple):
    """Some deals of a game with one lineup."""

    game: Game
    lineup: list[strategy.Strategy]
    options: dict[str, Any]
    deals: int


def _own(of: Game) -> list[strategy.Strategy]:
    """For every seat the first of the game's own strategies, or `random`."""
    return [
        next((first for first in registry.strategies(of).values() if first.game is not None), strategy.random)
    ] * of.seats[0]


def cases(count: bool) -> list[Case]:
    """60 games of Pig, 20 of each small game, 25 of Outpost Seven, some of Outpost; many: under random
    settings.
    """
    pigs = [
        Case(pig, [strategy.random] * seats, {"goal": goal}, 20)
        for seats, goal in ((2, 100), (3, 60), (10, 40))
    ]
    small = [
        Case(of, _own(of), dict(of.known_answers[-1].options), 20)
        for of in registry.games().values()
        if of.known_answers and of is not pig
    ]
    chosen = settings(150 if count else 12, seed=31)
    stations = [
        Case(outpost_seven, [strategy.random, imagines], options, 4 if count else 2) for options in chosen
    ]
    return (
        pigs
        + small
        + stations
        + [Case(outpost_seven, [imagines, strategy.random], {}, 40 if count else 4), *colonies(count)]
    )


def colonies(count: bool) -> list[Case]:
    """Outpost at 2 to 10 seats under random options, all its optional rules among them."""
    settings = [
        {"payment": "explicit"},
        {"space_terrorism": True, "secret_overbidding": True},
        *check.random_settings(outpost, 60, 7),
    ]
    greedy = registry.strategy(outpost, "reference_greedy")
    lineups = [
        [greedy if seat % 3 == 0 else strategy.random for seat in range(seats)] for seats in (2, 3, 4, 10)
    ]
    some = settings if count else settings[:6]
    return [
        Case(outpost, lineups[i % (4 if count else 3)], {"max_turns": 20, **options}, 3 if count else 1)
        for i, options in enumerate(some)
    ]


def digests(count: bool, compiled: bool = True) -> list[str]:
    """A digest of the final states of every case."""
    results = []
    for number, case in enumerate(cases(count)):
        table = GameTable(case.game, case.game.rules(case.options))
        players = [first.player(case.game) for first in case.lineup]
        deals, still = np.arange(case.deals) + 1000 * number, np.zeros(case.deals, np.int64)
        states = table.play(players, 5, deals, still, compiled=compiled)
        results.append(hashlib.sha256(states.tobytes()).hexdigest()[:16])
    return results


def elsewhere(count: bool, **environment: str) -> list[str]:
    """The digests of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", f"import test_compiled; print(*test_compiled.digests({count}), sep='\\n')"],
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests' / 'engine'}"} | environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.split()


def compare(result: list[str], expected: list[str], count: bool) -> None:
    differ = [
        f"{c.game.name} {c.options}" for c, f, e in zip(cases(count), result, expected, strict=True) if f != e
    ]
    assert not differ, f"{len(differ)} of {len(expected)} cases differ, the first: {differ[0]}"


@pytest.fixture(scope="module")
def compiled() -> list[str]:
    return digests(count=False)


@pytest.mark.slow
@pytest.mark.proof("games", "strategies")
def test_compiled_is_uncompiled(compiled: list[str]) -> None:
    """The same games, compiled and as plain Python, end in the same bytes."""
    compare(digests(count=False, compiled=False), compiled, count=False)


@pytest.mark.slow
@pytest.mark.proof("games", "strategies")
def test_compiled_is_what_a_process_without_the_compiler_plays(compiled: list[str]) -> None:
    compare(elsewhere(False, NUMBA_DISABLE_JIT="1"), compiled, count=False)


@pytest.mark.slow
@pytest.mark.proof("games", "strategies")
def test_no_index_runs_over() -> None:
    """With bounds checking, games under many option settings run without an error, to the same bytes."""
    compare(elsewhere(True, NUMBA_BOUNDSCHECK="1"), digests(count=True), count=True)


@pytest.mark.slow
@pytest.mark.proof("games", "strategies")
def test_another_seed_gives_other_bytes(compiled: list[str]) -> None:
    """The digests tell games apart."""
    assert len(set(compiled)) == len(compiled)
