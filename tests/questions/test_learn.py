"""`simkit learn` trains, checks and installs; what cannot be learned is refused before anything is played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simkit.engine import registry
from simkit.engine.learned.file import load, save
from simkit.engine.lineups import parse_strategy
from simkit.engine.table import GameTable
from simkit.errors import OtherRun, UsageError
from simkit.games import pig
from simkit.questions.learn import LearnStudy
from simkit.questions.learn.result import Learning, is_stronger, learned_matches, learning_curve
from simkit.questions.learn.settings import best_samples, choices, strong_search
from simkit.runs.folder import open_run
from simkit.tables.findings import Findings
from tests.commands import invoke
from tests.made_nets import made_net, made_player, made_trained
from tests.projects import project_of


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    with project_of(tmp_path / "mine", {"README.md": "Mine."}) as folder:
        yield folder


def study(**keys: Any) -> LearnStudy:
    given: dict[str, Any] = {
        "game": "pig",
        "lineups": [["random"] * 2],
        "deals": 100,
        "seed": 4,
        "margin": 0.02,
    }
    given |= {"more": {}, "vary": {}, "games": 2048, "seeds": 1, "name": "best", "start": "", "teacher": ""}
    return LearnStudy(**given | keys)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"vary": {"goals": [50]}}, "unknown option of pig 'goals'; did you mean 'goal'"),
        ({"vary": {"goal": [50]}, "more": {"options": {"goal": 60}}}, "option goal is both varied and set"),
        ({"game": "race_to_six"}, "nobody decides anything in race_to_six"),
        ({"start": "late"}, "pig has no learned player; train one: simkit learn pig --name late"),
    ],
)
def test_what_cannot_be_learned_is_refused(project: Path, keys: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        study(**keys).check()


def test_a_player_of_another_training_is_not_written_over(project: Path) -> None:
    rules = {"varied": {"goal": [50, 100]}}
    path = registry.learned_file(project, "pig", "best", 2)
    same = {"vary": {"goal": [50, 100]}, "games": 2048}
    command = study(**same)._command("best", 4)
    save(path, made_trained(registry.game("pig"), 2, seed=4, games=2048, rules=rules, command=command))
    study(**same).check()
    fixed = {"more": {"options": {"faces": 8}}}
    for other in (same | {"games": 1024}, same | {"seed": 5}, {"games": 2048}, same | fixed):
        with pytest.raises(UsageError, match="holds a player of another training: choose another name"):
            study(**other).check()


def test_a_player_to_go_on_from_must_read_the_options_that_vary(project: Path) -> None:
    save(registry.learned_file(project, "pig", "late", 2), made_trained(pig.game, 2, name="late"))
    study(start="late").check()
    fault = r"^learned\(name=late\) does not read goal, which varies: train without --from$"
    with pytest.raises(UsageError, match=fault):
        study(start="late", vary={"goal": [50, 100]}).check()


@pytest.mark.parametrize(
    ("taken", "own", "seeds", "name"),
    [
        ([], [], 1, "best"),
        (["best"], [], 1, "best_2"),
        (["best", "best_2"], ["best_3"], 1, "best_3"),
        (["best_2"], [], 2, "best_3"),
    ],
    ids=["nothing is there", "one is taken", "its own is there", "one of its names is taken"],
)
def test_a_player_without_a_name_gets_the_first_that_no_other_training_has(
    project: Path, taken: list[str], own: list[str], seeds: int, name: str
) -> None:
    game = registry.game("pig")
    for each in [*taken, *own]:
        games = 2048 if each in own else 1024
        command = study(games=games, seeds=seeds)._command(each, 4)
        given: dict[str, Any] = {"name": each, "seed": 4, "games": games, "command": command}
        save(registry.learned_file(project, "pig", each, 2), made_trained(game, 2, **given))
    assert study(games=2048, seeds=seeds).under_free_name().name == name


def test_a_folder_with_another_training_is_refused(project: Path, tmp_path: Path) -> None:
    game, rules = project / "games" / "my_pig.py", Path(pig.__file__).read_text("utf-8")
    game.parent.mkdir()
    game.write_text(rules.replace('"pig"', '"my_pig"'))
    registry.set_projects([])
    registry.add_project(project)
    before = study(game="my_pig")
    before.begin(tmp_path, "best")
    before.refuse_other(tmp_path)
    study(game="my_pig", seeds=2).refuse_other(tmp_path)
    command = "simkit learn my_pig --players 2 --games 2048 --seed 4 --name best"
    fault = f"{tmp_path}: holds another training of learned: it was begun by {command}; choose another folder"
    for keys in ({"games": 4096}, {"vary": {"goal": [50, 100]}}, {"more": {"options": {"goal": 60}}}):
        with pytest.raises(OtherRun) as error:
            study(game="my_pig", **keys).refuse_other(tmp_path)
        assert str(error.value) == fault
    changed = game.read_text("utf-8").replace('none in this turn"', 'none in this turn", value=CATEGORY')
    game.write_text(
        changed.replace(
            "from simkit import (", "from simkit.engine.fields import CATEGORY\nfrom simkit import ("
        )
    )
    registry.set_projects([])
    registry.add_project(project)
    with pytest.raises(
        OtherRun, match="holds another training of learned: the rules of my_pig changed since;"
    ):
        study(game="my_pig").refuse_other(tmp_path)


def test_a_damaged_player_may_be_trained_anew(project: Path) -> None:
    path = registry.learned_file(project, "pig", "best", 2)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no archive")
    study().check()


def test_several_seeds_have_names_and_seeds_of_their_own() -> None:
    assert study(seeds=3).players == {"best": 4, "best_2": 5, "best_3": 6}


def test_a_player_names_the_command_that_trains_it_again_whatever_the_folder_and_the_workers() -> None:
    own = study(vary={"goal": [50, 75, 100]}, more={"options": {"faces": 8}}, seeds=2, teacher="self")
    assert own._command("best_2", 5) == (
        "simkit learn pig --vary goal=50:100:25 --set faces=8 --players 2 --games 2048 --seed 5 --name best_2 "
        "--teacher self"
    )


def test_the_check_is_played_by_usual_values_or_the_nearest_of_the_training() -> None:
    assert study(vary={"goal": [50, 100]}).setting == {"goal": 100}
    assert study(vary={"goal": [20, 50]}).setting == {"goal": 50}


@pytest.mark.slow
def test_a_trained_player_is_checked_installed_and_found_by_lineups(project: Path, tmp_path: Path) -> None:
    words = ("tic_tac_toe", "--games", 2048, "--confirm", 60, "--teacher", "self", "-o", tmp_path / "run")
    first = invoke("--project", project, "learn", *words)
    assert "installed: learned in" in first.stderr and "In a lineup it is learned." in first.stdout
    findings = Findings(open_run(tmp_path / "run"))
    assert is_stronger(findings, "best") and learned_matches(findings)["opponent"][0] == "random"
    assert learning_curve(findings)["games"].to_list()[-1] == 2048
    path = registry.learned_file(project, "tic_tac_toe", "best", 2)
    before = path.read_bytes()
    resumed = invoke("--project", project, "learn", *words)
    assert resumed.stdout == first.stdout and path.read_bytes() == before
    assert load(path).meta.teacher == findings.run.answer_of(Learning).students[0].teacher == "self"
    match = invoke("--project", project, "match", "tic_tac_toe", "learned", "random", "--json")
    assert json.loads(match.stdout)


@pytest.mark.slow
def test_a_player_that_does_not_beat_the_best_scripted_one_is_not_installed(
    project: Path, tmp_path: Path
) -> None:
    words = ("pig", "--games", 64, "--confirm", 60, "--teacher", "self", "-o", tmp_path / "run")
    done = invoke("--project", project, "learn", *words)
    assert "installed" not in done.stderr and "It was not installed" in done.stdout
    assert not registry.learned_file(project, "pig", "best", 2).exists()
    with pytest.raises(UsageError, match="pig has no learned player"):
        registry.learned_player(registry.game("pig"), "best", 2)


def holding(*thresholds: int) -> Any:
    """A lineup by the number of samples, whose first player holds from these totals on."""
    pig = registry.game("pig")
    named = [parse_strategy(f"hold_at(threshold={total})")[0] for total in (*thresholds, 20)]
    players = registry.players(pig, named)
    return lambda samples: [players[[1, 4, 16, 64].index(samples)], players[-1]]


@pytest.mark.parametrize(
    ("thresholds", "samples"),
    [((3, 20, 20, 20), 4), ((3, 8, 20, 3), 16), ((20, 20, 20, 20), 1), ((3, 3, 3, 20), 1)],
)
def test_more_samples_are_taken_as_long_as_they_surely_win_more(thresholds: Any, samples: int) -> None:
    pig = registry.game("pig")
    assert best_samples(GameTable(pig, pig.rules()), holding(*thresholds), 1) == samples


def test_choices_are_counted_by_turn_and_by_decision() -> None:
    toe, pig = registry.game("tic_tac_toe"), registry.game("pig")
    by_chance = registry.player(toe, parse_strategy("random")[0], 2)
    assert choices(GameTable(toe, toe.rules()), by_chance, 2) == (pytest.approx(5.5, abs=0.6),) * 2  # 9 to 1
    patient = registry.player(pig, parse_strategy("hold_at(threshold=1000)")[0], 2)
    a_turn, a_choice = choices(GameTable(pig, pig.rules()), patient, 2)
    assert a_turn > 4 and a_choice == 2


def test_the_strong_search_is_a_tree_where_nothing_is_hidden_or_left_to_chance() -> None:
    pig, toe = registry.game("pig"), registry.game("tic_tac_toe")
    assert strong_search(GameTable(toe, toe.rules()), made_player(toe, made_net(toe, 2), 2), 2) == (
        "tree(policy=learned, leaf=learned, explore=0.2, caution=0, budget=7100)"
    )
    patient = registry.player(pig, parse_strategy("hold_at(threshold=1000)")[0], 2)
    assert strong_search(GameTable(pig, pig.rules()), patient, 2, "hold_at") == (
        "search(policy=hold_at, leaf=learned, horizon=0, top=5, budget=24)"
    )
