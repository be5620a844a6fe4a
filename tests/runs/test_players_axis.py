"""The number of players is an axis of every game: it becomes lineups of several sizes, or one clear error."""

from typing import Any

import pytest

from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.runs.plan import make_plan
from tests.commands import invoke

KEYS: dict[str, Any] = {"question": "?", "game": "pig", "deals": 10, "lineups": ["hold_at*2"]}


def seats_of(**keys: Any) -> list[int]:
    return [cell.seats for cell in make_plan(experiment.parse(KEYS | keys)).cells]


@pytest.mark.parametrize("name", ["players", "seats"])
def test_players_in_a_sweep_are_crossed_with_the_other_options(name: str) -> None:
    request = experiment.parse(KEYS | {"sweep": {name: [2, 3], "goal": [50, 100]}, "baseline": {"goal": 50}})
    cells = make_plan(request).cells
    assert [(cell.varied, cell.seats) for cell in cells] == [
        ({"goal": 50}, 2), ({"goal": 50}, 3), ({"goal": 100}, 2), ({"goal": 100}, 3),
    ]  # fmt: skip
    assert [cell.baseline for cell in cells] == [True, True, False, False]
    assert experiment.parse(request.keys()) == request


def test_every_lineup_is_played_with_every_number_of_players() -> None:
    lineups = ["hold_at", "hold_at*3", ["hold_at(threshold=10)", "hold_at(threshold=10)"]]
    request = experiment.parse(KEYS | {"lineups": lineups, "sweep": {"players": "2:3"}})
    assert request.lineups == [
        ["hold_at*2"], ["hold_at*3"], ["hold_at(threshold=10)*2"], ["hold_at(threshold=10)*3"]
    ]  # fmt: skip


def test_players_among_the_fixed_options_are_one_number_or_a_range() -> None:
    assert seats_of(options={"players": 4}) == [4]
    assert seats_of(options={"players": "2:4"}) == [2, 3, 4]


def test_a_lineup_of_several_strategies_has_the_number_of_its_players() -> None:
    assert seats_of(options={"players": 3}, lineups=["hold_at, random*2"]) == [3]
    request = experiment.parse(KEYS | {"sweep": {"players": [2]}, "lineups": [["hold_at", "random"]]})
    assert request.lineups == [["hold_at", "random"]]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"sweep": {"players": [2, 11]}}, "pig has 2 to 10 players, so players cannot be 11"),
        ({"options": {"players": 2}, "sweep": {"seats": [3]}}, "key 'seats': give them once"),
        ({"baseline": {"players": 2}}, "every number of players has its own baseline"),
        ({"sweep": {"players, goal": [[2, 50]]}}, "players are varied by themselves"),
        ({"sweep": {"players": ["two"]}}, "give a number of players, or a range such as 2:4"),
        ({"sweep": {"players": []}}, "give a number of players"),
        ({"sweep": {"players": [2, 3]}, "lineups": ["hold_at, random"]}, "lineup 'hold_at, random' says who sits"),
        ({"sweep": {"players": [2]}, "lineups": [], "round_robin": ["random", "hold_at"]}, "round_robin"),
    ],
)  # fmt: skip
def test_a_wrong_number_of_players_is_refused_in_one_line(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        seats_of(**keys)
    assert message in str(refused.value) and "\n" not in str(refused.value)


def test_a_sweep_along_players_answers_for_each_number(tmp_path: Any) -> None:
    done = invoke("sweep", "pig", "players=2:3", "--deals", 100, "-o", tmp_path / "run")
    assert "The game is NOT SETTLED with 2 and 3 players." in done.stdout
    assert "2 players" in done.stdout and "3 players" in done.stdout


def test_rule_sets_are_compared_with_every_number_of_players(tmp_path: Any) -> None:
    words = ["compare", "pig", "--to", "goal=60", "--set", "players=2:3", "--deals", 100]
    output = invoke(*words, "-o", tmp_path / "run", "--table").stdout
    assert "2 players" in output and "3 players" in output and "third player" in output


@pytest.mark.slow
def test_a_study_takes_one_number_of_players(tmp_path: Any) -> None:
    words = ["ladder", "pig", "--rungs", "random,hold_at", "--deals", 100, "--set", "players=3"]
    assert "third player" in invoke(*words, "-o", tmp_path / "run").stdout
