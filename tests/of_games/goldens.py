"""Whole games in words, as they are kept in tests/goldens."""

import re
from pathlib import Path
from typing import Any

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


def final(game: Game, options: dict[str, Any], seats: int, compiled: bool) -> tuple[np.ndarray, np.ndarray]:
    """How a game of random players ended, and all its actions."""
    lineup = registry.players(game, parse_lineup(f"random*{seats}"))
    table, trail = GameTable(game, rules_of(game, options)), np.full(game.max_steps, -1, np.int64)
    deals, still = np.zeros(1, np.int64), np.zeros(1, np.int64)
    return table.play(lineup, 3, deals, still, trail, compiled=compiled), trail[trail >= 0]


def check_compiled_games(game: Game, options: dict[str, Any], seats: int) -> None:
    """What compiled rules play is, byte for byte, what they play as plain Python."""
    with np.errstate(all="raise"):
        plain, actions = final(game, options, seats, compiled=False)
    compiled, same = final(game, options, seats, compiled=True)
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
