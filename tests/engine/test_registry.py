"""Content is found by looking into folders; whatever is wrong with it is told in one line."""

import os
import subprocess
import sys

import pytest

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named
from simkit.errors import UsageError

STRATEGY = '''
from simkit.games.pig import HOLD, ROLL, game
from simkit.engine.strategy import strategy


@strategy({game})
def {name}(view, rules, legal, w, rng, scratch, memo):
    """{meaning}"""
    return legal[0]
'''


@pytest.fixture
def project(tmp_path):
    (tmp_path / "strategies").mkdir()
    (tmp_path / "games").mkdir()
    (tmp_path / "reports").mkdir()
    yield tmp_path
    registry.set_projects([])


def strategy_file(project, file, name, game="game", meaning="The first legal action."):
    (project / "strategies" / file).write_text(STRATEGY.format(name=name, game=game, meaning=meaning))


def refusal(call, *args):
    with pytest.raises(UsageError) as caught:
        call(*args)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_every_game_is_found_by_the_name_of_its_file():
    result = registry.games()
    assert result["pig"] is registry.game("pig")
    assert all(isinstance(first, Game) and first.name == name for name, first in result.items())


def test_a_game_has_its_own_strategies_and_everyones():
    result = registry.strategies(registry.game("pig"))
    assert {"hold_at", "random"} <= set(result)
    assert result["random"].game is None


def test_a_search_plays_on_with_the_strategy_that_says_so_else_the_reference_player_else_random(project):
    assert registry.default_policy(registry.game("red_outpost")) == "reference_greedy"
    assert registry.default_policy(registry.game("pig")) == "random"
    strategy_file(project, "mine.py", "mine", game="game, plays_on=True")
    registry.add_project(project)
    pig = registry.game("pig")
    assert registry.default_policy(pig) == "mine"
    first, second = registry.players(pig, [Named("search", {}), Named("mine", {})])
    assert first.decide is second.decide


def test_a_player_is_ready_with_the_weights_written():
    player = registry.player(registry.game("pig"), Named("hold_at", {"threshold": "25"}), 2)
    assert player.label == "hold_at(threshold=25)"
    assert player.weights.tolist() == [25.0]


def test_a_project_adds_strategies_and_taking_it_away_removes_them(project):
    strategy_file(project, "mine.py", "coward")
    registry.add_project(project)
    registry.add_project(project)
    assert registry.projects() == [str(project)]
    assert "coward" in registry.strategies(registry.game("pig"))
    registry.set_projects([])
    assert "coward" not in registry.strategies(registry.game("pig"))


def test_a_project_file_may_have_the_name_of_one_of_ours(project):
    strategy_file(project, "pig.py", "coward")
    registry.add_project(project)
    assert {"coward", "hold_at"} <= set(registry.strategies(registry.game("pig")))


def test_a_games_own_strategy_comes_before_a_general_one(project):
    strategy_file(project, "mine.py", "random", meaning="Not so random.")
    registry.add_project(project)
    assert registry.strategy(registry.game("pig"), "random").meaning == "Not so random."


def test_two_strategies_of_one_name_are_refused_with_both_places(project):
    strategy_file(project, "mine.py", "hold_at")
    registry.add_project(project)
    message = refusal(registry.strategies, registry.game("pig"))
    assert "'hold_at' is defined twice" in message and "mine.py" in message and "pig.py" in message


def test_two_games_of_one_name_are_refused_with_both_places(project):
    (project / "games" / "pig.py").write_text("")
    registry.add_project(project)
    message = refusal(registry.game, "pig")
    assert "game 'pig' is defined twice" in message and str(project) in message


def test_a_project_brings_its_own_game_and_its_strategies_import_it(project):
    (project / "games" / "hog.py").write_text(
        "import dataclasses\nfrom simkit.games import pig\ngame = dataclasses.replace(pig.game, name='hog')\n"
    )
    (project / "strategies" / "hog.py").write_text(STRATEGY.format(name="greedy", game="game", meaning="First.").replace(
        "from simkit.games.pig import HOLD, ROLL, game", "from games.hog import game"))  # fmt: skip
    registry.add_project(project)
    hog = registry.game("hog")
    assert registry.strategy(hog, "greedy").game is hog
    assert "greedy" not in registry.strategies(registry.game("pig"))


def test_a_game_whose_name_is_not_its_files_is_refused(project):
    (project / "games" / "hog.py").write_text("from simkit.games.pig import game\n")
    registry.add_project(project)
    assert "calls itself 'pig'" in refusal(registry.game, "hog")


@pytest.mark.parametrize(
    ("source", "line", "message"),
    [
        ("x = 1\ny = undefined_name\n", 2, "NameError"),
        ("x = 1\ndef broken(:\n", 2, "SyntaxError"),
        ("\n\nimport no_such_module_here\n", 3, "ModuleNotFoundError"),
    ],
)
def test_a_file_that_does_not_import_is_told_with_file_line_and_reason(project, source, line, message):
    (project / "strategies" / "broken.py").write_text(source)
    registry.add_project(project)
    text = refusal(registry.strategies, registry.game("pig"))
    assert f"broken.py:{line}: {message}" in text


def test_a_broken_file_with_the_name_of_another_game_stops_only_that_game(project):
    (project / "games" / "hog.py").write_text(
        "import dataclasses\nfrom simkit.games import pig\ngame = dataclasses.replace(pig.game, name='hog')\n"
    )
    (project / "strategies" / "hog.py").write_text("broken(\n")
    registry.add_project(project)
    assert "hold_at" in registry.strategies(registry.game("pig"))
    assert "SyntaxError" in refusal(registry.strategies, registry.game("hog"))


def test_a_strategy_without_a_docstring_is_refused_with_its_file(project):
    strategy_file(project, "mute.py", "mute", meaning="")
    registry.add_project(project)
    text = refusal(registry.strategies, registry.game("pig"))
    assert "mute.py" in text and "no docstring" in text


def test_experiments_are_found_by_name():
    assert registry.experiments()["pig_first_seat"].name == "pig_first_seat.toml"


def test_a_recipe_without_build_is_refused(project):
    (project / "reports" / "empty.py").write_text('"""Nothing."""\n')
    registry.add_project(project)
    assert "needs a function build(run)" in refusal(registry.recipe, "empty")


def test_a_folder_of_strategies_is_read_like_a_file_and_its_files_may_import_each_other(project):
    folder = project / "strategies" / "daring"
    folder.mkdir()
    (folder / "tools.py").write_text(
        "from simkit.engine.compile.jit import rule\n\n\n@rule\ndef first(legal):\n    return legal[0]\n"
    )
    body = STRATEGY.format(name="bold", game="game", meaning="Boldly.").replace(
        "return legal[0]", "return first(legal)"
    )
    (folder / "bold.py").write_text("from .tools import first\n" + body)
    registry.add_project(project)
    pig = registry.game("pig")
    assert registry.strategy(pig, "bold").meaning == "Boldly."
    assert registry.player(pig, Named("bold", {}), 2).label == "bold"
    registry.set_projects([])
    assert "bold" not in registry.strategies(pig)


def test_a_folder_named_after_a_game_is_read_for_that_game_only(project):
    folder = project / "strategies" / "nim"
    folder.mkdir()
    (folder / "faulty.py").write_text("1 / 0\n")
    registry.add_project(project)
    assert "hold_at" in registry.strategies(registry.game("pig"))
    assert "faulty.py:1: ZeroDivisionError" in refusal(registry.strategies, registry.game("nim"))


def test_a_strategy_names_only_the_arguments_that_it_uses(project):
    short = STRATEGY.format(name="short", game="game", meaning="Short.").replace(
        "(view, rules, legal, w, rng, scratch, memo)", "(legal)"
    )
    (project / "strategies" / "short.py").write_text(short)
    registry.add_project(project)
    pig = registry.game("pig")
    assert registry.player(pig, Named("short", {}), 2).label == "short"


def test_an_argument_that_no_strategy_has_is_refused(project):
    wrong = STRATEGY.format(name="wrong", game="game", meaning="Wrong.").replace(
        "(view, rules,", "(state, rules,"
    )
    (project / "strategies" / "wrong.py").write_text(wrong)
    registry.add_project(project)
    message = refusal(registry.strategies, registry.game("pig"))
    assert "unknown argument of strategy wrong 'state'" in message and "view" in message


def test_a_project_above_the_packages_takes_none_of_them_along_when_it_goes():
    code = "from simkit.engine import registry; import numpy; registry.add_project('/'); registry.set_projects([]);"
    code += "import sys; print('numpy' in sys.modules and 'simkit' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=registry.ROOT)
    assert done.stdout == "True\n", done.stderr


def test_a_strategy_may_import_ours_whichever_game_is_asked_for(project):
    """given a project's strategy that builds on one of ours, then its other games can be played, too."""
    (project / "games" / "hog.py").write_text(
        "import dataclasses\nfrom simkit.games import pig\ngame = dataclasses.replace(pig.game, name='hog')\n"
    )
    ours = "from simkit.content.strategies.outpost_seven.oneply import e_now\n"
    (project / "strategies" / "mine.py").write_text(
        ours + STRATEGY.format(name="coward", game="None", meaning="First.")
    )
    code = f"import sys; from simkit.engine import registry as c; sys.path.remove({str(registry.ROOT)!r});"
    code += f" c.add_project({str(project)!r}); print('coward' in c.strategies(c.game('hog')))"
    environment = os.environ | {"PYTHONPATH": str(registry.ROOT)}
    words = [sys.executable, "-P", "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, cwd=project, env=environment)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("max_action", "unknown argument of Game(...) 'max_action'; did you mean 'max_actions'?"),
        ("colour", "unknown argument of Game(...) 'colour' (known: action_ids, all_may_lose, "),
    ],
)
def test_an_argument_that_game_does_not_have_is_named_with_the_closest(argument, message):
    with pytest.raises(TypeError) as refused:
        Game(**{argument: []})
    assert message in str(refused.value)
