"""Options that do something for some numbers of players only: shown, proposed and taken only there."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from simkit.engine.options import integer
from simkit.errors import UsageError
from simkit.games.pig import game as pig
from simkit.questions.ladder import usual_sweep
from simkit.questions.screen import ScreenStudy, screen_of
from simkit.runs.run_metadata import words_of
from tests.commands import invoke
from tests.questions.carried_out import urn_project

OPTIONS = """
integer("duel", 0, 0, 9, "LO-1", "Points of a duel", needs={"players": 2})
integer("crowd", 0, 0, 9, "LO-2", "Points in a crowd", treats=(1,), needs={"seats": 3})
integer("bonus", 0, 0, 9, "LO-3", "Points of all")
""".strip().splitlines()
DRAW = "winner = below(rng.urn, s.seats)\ns.log.game.turns = 10 + rules.duel"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with urn_project(tmp_path_factory.mktemp("crowd"), "crowd", OPTIONS, DRAW) as folder:
        yield folder


def option(**keys):
    return integer("duel", 0, 0, 9, "X-1", "Points of a duel", treats=(1,), **keys)


def game_with(needs):
    return dataclasses.replace(pig, options=[*pig.options, option(needs=needs)])


def test_the_meaning_says_for_how_many_players_it_holds() -> None:
    assert option(needs={"players": 2}).meaning == "Points of a duel (with 2 players only)"
    assert option(needs={"seats": (3, 4)}).full_meaning == "Points of a duel (with 3 or 4 players only) (X-1)"
    assert option(needs={}).meaning == "Points of a duel"


def test_the_rules_and_the_words_of_a_run_show_it(project: Path) -> None:
    assert "Points in a crowd (with 3 players only)" in invoke("rules", "crowd").stdout
    words = words_of(game_with({"players": 2}), [], [{}], {}, {})
    assert words.options["duel"].meaning.endswith("(with 2 players only)")
    assert words.unmet("duel", {}) == {}


@pytest.mark.parametrize("seats, sweep", [(2, {"duel": [0, 1, 2]}), (3, {})])
def test_the_usual_ladder_leaves_out_what_does_nothing_at_its_table(seats: int, sweep: dict) -> None:
    assert usual_sweep(game_with({"players": 2}), {}, seats) == sweep


@pytest.mark.parametrize(
    "needs, message",
    [
        ({"players": 11}, "pig: needs= of option duel: the game has 2 to 10 players, not 11"),
        ({"players": (2, "3")}, "needs= of option duel: the game has 2 to 10 players, not 3"),
        ({"gaol": 3}, "option of pig, for needs= of option duel.*did you mean 'goal'"),
        ({"goal": 2000}, "option goal = 2000 is out of range"),
    ],
)
def test_options_that_need_what_the_game_does_not_have_are_refused(needs: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        game_with(needs)


def test_a_screen_leaves_out_what_does_nothing_with_its_players(project: Path) -> None:
    keys = {"seed": 1, "margin": 0.02, "small": 0.05, "strongest": 3, "sample": 0, "measures": [], "more": {}}
    study = ScreenStudy(game="crowd", options={}, lineups=[["random"] * 2], deals=500, **keys)
    screen = screen_of(study)
    assert screen.notes == ["crowd is left out: it does something only where seats is 3"]
    assert set(screen.levels) == {"duel", "bonus"}


@pytest.mark.parametrize("words", [["crowd=1:3"], ["bonus=0:1", "--set", "crowd=1"]])
def test_an_option_that_does_nothing_at_any_table_is_refused(
    project: Path, tmp_path: Path, words: list[str]
) -> None:
    message = "option crowd does nothing with 2 players, only with 3: say --set players=3, or leave it out"
    with pytest.raises(UsageError, match=message):
        invoke("sweep crowd", *words, "--lineup", "random*2", "--deals", 10, "-o", tmp_path / "run")


def test_numbers_of_players_may_vary_beyond_those_at_which_it_does_something(
    project: Path, tmp_path: Path
) -> None:
    done = invoke("sweep", "crowd", "players=2:3", "crowd=0:1", "--deals", 10, "-o", tmp_path / "run")
    assert done.exit_code == 0, done.stderr
