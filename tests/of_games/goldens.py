"""Whole games in words and in numbers, as they are kept in tests/goldens."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.runs import experiment, narrate
from simkit.runs.plan import make_plan

from .stepping import rules_of

GOLDENS = Path(__file__).parent.parent / "goldens"


def story(
    game: str, lineup: str, options: dict[str, Any] | None = None, deal: int = 0, seed: int = 3
) -> list[str]:
    """A game as it is told."""
    keys = {"question": "?", "game": game, "deals": deal + 1, "seed": seed, "options": options or {}}
    decided = experiment.parse(keys | {"lineups": [lineup]})
    return list(narrate.narrate(decided, make_plan(decided).cells[0], deal))


def golden(name: str) -> list[str]:
    """Lines as they were recorded."""
    return (GOLDENS / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def record(name: str, lines: list[str]) -> None:
    (GOLDENS / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def final(
    game: Game, options: dict[str, Any], seats: int, compiled: bool = True, deals: int = 4
) -> tuple[np.ndarray, np.ndarray]:
    """How some games of random players ended, and all their actions."""
    player = registry.player(game, parse_lineup("random")[0])
    table, trail = GameTable(game, rules_of(game, options)), np.full(game.max_steps, -1, np.int64)
    lineup, still = [player] * seats, np.zeros(deals, np.int64)
    return table.play(lineup, 3, np.arange(deals), still, trail, compiled=compiled), trail[trail >= 0]


def results(
    game: Game, played: dict[str, tuple[dict[str, Any], int]], ended: Callable[[Any], str]
) -> Iterator[str]:
    """Lines for people: how some games ended, and the digits of all their actions."""
    for name, (options, seats) in played.items():
        states, trail = final(game, options, seats)
        yield f"{name}: {len(trail)} actions in {len(states)} games, digits {crc32(trail.tobytes()):08x}"
        for deal, s in enumerate(states):
            log = s.log.game
            reason = game.end_reasons(int(log.end_reason)).name
            yield f"    deal {deal}: {reason} after {log.turns} turns, {log.decisions} decisions: {ended(s)}"


def check_compiled_games(game: Game, options: dict[str, Any], seats: int) -> None:
    """What compiled rules play is, byte for byte, what they play as plain Python."""
    with np.errstate(all="raise"):
        plain, actions = final(game, options, seats, compiled=False, deals=1)
    compiled, same = final(game, options, seats, deals=1)
    assert actions.tolist() == same.tolist()
    assert plain.tobytes() == compiled.tobytes()


def check_most_points_win(lines: list[str], seats: int) -> None:
    """In the result that is told, scores fall with the rank."""
    text = [line for line in lines if ": rank " in line]
    result = [(_number(r"rank (\d)", line), _number(r"score (-?\d+)", line)) for line in text]
    assert len(result) == seats
    assert [score for _, score in sorted(result)] == sorted((score for _, score in result), reverse=True)


def _number(pattern: str, line: str) -> int:
    match = re.search(pattern, line)
    assert match, line
    return int(match[1])
