"""Speeds of two checkouts, as ratios."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from simkit import cli
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.verify import bench

PIG = registry.game("pig")
MIRROR = [parse_lineup("hold_at*2")]
# A checkout whose table takes one second for a game, and so many times less for ten of them.
SLOW = """
import time
clock = [0.0]
time.process_time = lambda: clock[0]
class Table:
    def __init__(self, game, rules):
        pass
    def play(self, players, seed, deals, shifts):
        clock[0] += {each} * len(deals)
"""
REGISTRY = """
class Game:
    name, rules = "pig", staticmethod(dict)
def game(name):
    return Game
def player(game, named):
    return named
def add_project(folder):
    pass
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Callable[[str, float], str]:
    """Make a folder that looks like a checkout, in which a game takes so many seconds.

    The one here has today's files, others those from before tables and lineups had files of their own.
    """

    def built(name: str, each: float) -> str:
        table, lineups = ("table.py", "lineups.py") if name == "here" else ("kernel.py", "strategy.py")
        engine = tmp_path / name / "simkit" / "engine"
        engine.mkdir(parents=True)
        (engine.parent / "__init__.py").write_text("")
        (engine.parent / "errors.py").write_text("class UsageError(Exception):\n    pass\n")
        (engine / "registry.py").write_text(REGISTRY)
        (engine / table).write_text(SLOW.format(each=each))
        (engine / lineups).write_text("def parse_lineup(text):\n    return [text]\n")
        return str(tmp_path / name)

    return built


def test_the_ratio_is_how_many_times_as_fast_the_games_are_here(
    checkout: Callable[[str, float], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    there, here = checkout("there", 0.03), checkout("here", 0.01)
    monkeypatch.setattr(registry, "ROOT", Path(here))
    (first,) = bench.ratios(PIG, MIRROR, there, print)
    assert (first.game, first.lineup) == ("pig", "hold_at, hold_at")
    assert (
        first.ratio == pytest.approx(3) and first.least == pytest.approx(3) and first.most == pytest.approx(3)
    )
    assert first.there == pytest.approx(1 / 0.03) and first.here == pytest.approx(100)


@pytest.mark.slow
def test_this_checkout_plays_against_itself() -> None:
    (first,) = bench.ratios(PIG, MIRROR, str(registry.ROOT), print, seconds=0.02)
    assert 0 < first.least <= first.ratio <= first.most


def test_a_lineup_that_the_other_checkout_does_not_know_is_left_out_and_told(
    checkout: Callable[[str, float], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    there, here, text = checkout("there", 0.03), checkout("here", 0.01), list[str]()
    monkeypatch.setattr(registry, "ROOT", Path(here))
    with (Path(there) / "simkit" / "engine" / "registry.py").open("a") as older:
        older.write("from simkit.errors import UsageError\n")
        older.write("def player(game, named):\n    if named != 'hold_at, hold_at':\n")
        older.write("        raise UsageError(f'unknown: {named}')\n    return named\n")
    lineups = [parse_lineup("random*2"), *MIRROR]
    (first,) = bench.ratios(PIG, lineups, there, text.append)
    assert first.lineup == "hold_at, hold_at"
    assert text == [f"pig: random, random is left out: {there}: unknown: random, random"]


def test_what_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither a folder with simkit in it nor a revision"):
        list(bench.ratios(PIG, MIRROR, "no-such-revision", print))
    with pytest.raises(UsageError, match="neither a folder"):
        list(bench.ratios(PIG, MIRROR, "--output=x", print))


def test_a_checkout_that_fails_says_why(
    checkout: Callable[[str, float], str], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = checkout("broken", 1)
    Path(folder, "simkit", "engine", "kernel.py").write_text("class Table:\n    pass\n")
    with pytest.raises(SystemExit) as done:
        cli.main(["bench", "pig", "--lineup", "hold_at*2", "--against", folder])
    lines = capsys.readouterr().err.splitlines()
    assert done.value.code == 2 and len(lines) == 2
    assert lines[0].startswith(f"pig: hold_at, hold_at is left out: {folder}: TypeError")
    assert "no lineup could be timed in both checkouts" in lines[1]
