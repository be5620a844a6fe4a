"""Games end as they did before: nothing that makes them faster, or clearer, changes a number of them."""

from __future__ import annotations

import inspect
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import same_games

from simkit.engine import registry
from simkit.engine.learned.file import load, save

GAMES = list(registry.games())


def with_its_premises(name: str) -> Any:
    """Return the name of a game as a parameter of a proof about its rules, its players and its digests."""
    players = [
        Path(inspect.getfile(player.body)) for player in registry.scripted(registry.game(name)).values()
    ]
    parts = {path.relative_to(same_games.ROOT).with_suffix("").parts[:2] for path in players}
    parts |= {registry.game_path(name).relative_to(same_games.ROOT).with_suffix("").parts}
    modules = map(".".join, parts)
    return pytest.param(name, marks=pytest.mark.proof(*modules, f"goldens/games/{name}.txt"))


@pytest.mark.parametrize("name", GAMES)
def test_games_of_the_usual_rules_end_as_before(name: str) -> None:
    cases = [case for case in same_games.recorded(name) if not case.options]
    quick = [case for case in cases if case.lineup.startswith(("random*", "reference_greedy*"))]
    assert quick and not list(same_games.different(name, quick))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*map(with_its_premises, GAMES)])
def test_every_strategy_under_many_options_ends_as_before(name: str) -> None:
    cases = same_games.recorded(name)
    game = registry.game(name)
    lineups = " ".join(case.lineup for case in cases)
    every = math.prod(option.high - option.low + 1 for option in game.options)
    assert len({repr(case.options) for case in cases}) > min(20, every) or len(game.options) < 2
    assert all(strategy in lineups for strategy in registry.scripted(game))
    assert not list(same_games.different(name, cases))


def test_another_number_is_seen_and_another_place_or_width_of_a_field_is_not() -> None:
    before = np.zeros(2, [("a", np.int8), ("log", [("b", np.float32)])])
    moved = np.zeros(2, [("log", [("b", np.float64)]), ("a", np.int64)])
    assert same_games.digest(before) == same_games.digest(moved)
    moved["log"]["b"][1] = 0.5
    assert same_games.digest(before) != same_games.digest(moved)


OWN = same_games.ROOT / "strategies/lunar_outpost/learned/best-2.npz"


@pytest.fixture
def other(tmp_path: Path) -> Any:
    """Return the folder of a player that was trained from other sources, in some parts of its digests."""

    def write(*parts: str) -> Path:
        player = load(OWN)
        digests = player.meta.digests | dict.fromkeys(parts, "0")
        meta = player.meta.model_copy(update={"digests": digests})
        save(tmp_path / "lunar_outpost/learned/best-2.npz", replace(player, meta=meta))
        return tmp_path

    return write


def test_a_learned_player_is_stamped_with_the_rules_and_the_base_of_today(other: Any) -> None:
    folder = other("rules", "base")
    assert [*same_games.stamp("lunar_outpost", folder)] == ["best-2.npz: stamped"]
    assert load(folder / "lunar_outpost/learned/best-2.npz").meta == load(OWN).meta
    assert [*same_games.stamp("lunar_outpost", folder)] == []


def test_a_learned_player_of_other_fields_is_not_stamped(other: Any) -> None:
    (line,) = same_games.stamp("lunar_outpost", folder := other("rules", "layout"))
    assert line.startswith("best-2.npz: the layout changed; train it again: simkit learn lunar_outpost")
    assert load(folder / "lunar_outpost/learned/best-2.npz").meta.digests["rules"] == "0"
