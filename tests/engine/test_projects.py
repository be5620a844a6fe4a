"""The project of a command: named, or marked by a simkit.toml; the one that `simkit new` makes works at once."""

import html
import json
import os
import re
import shlex
import shutil

import pytest

import simkit as sk
from simkit import cli
from simkit.engine import registry

GAME = (
    "import dataclasses\nfrom simkit.games import pig\ngame = dataclasses.replace(pig.game, name='{name}')\n"
)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The home folder, which is also the current one; no project is loaded before or after."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("SIMKIT_PROJECT", raising=False)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    registry.set_projects([])


@pytest.fixture
def simkit(home, capsys, monkeypatch):
    """Call a command as a new process would: (exit code, what it printed, its lines on stderr)."""

    def call(*arguments):
        registry.set_projects([])
        words = [str(word) for word in arguments]
        monkeypatch.setattr("sys.argv", ["simkit", *words])
        with pytest.raises(SystemExit) as end:
            cli.main(words)
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err.splitlines()

    return call


def a_project(folder, name, mark=None):
    """A folder with a game, with a mark of that content unless there is none."""
    (folder / "games").mkdir(parents=True, exist_ok=True)
    (folder / "games" / f"{name}.py").write_text(GAME.format(name=name))
    if mark is not None:
        (folder / "simkit.toml").write_text(mark)
    return folder


def games(simkit, *arguments):
    code, out, _ = simkit(*arguments, "games", "--json")
    assert code == 0
    return {row["game"] for row in json.loads(out)}


@pytest.mark.parametrize(
    "words",
    [
        ["--project", "mine", "rules", "hog"],
        ["--project=mine", "rules", "hog"],
        ["rules", "--project", "mine", "hog"],
        ["rules", "hog", "--project", "mine"],
        ["rules", "hog", "--project=mine"],
    ],
    ids=" ".join,
)
def test_a_project_is_named_anywhere_on_the_line_and_needs_no_mark(simkit, home, words):
    folder = a_project(home / "mine", "hog")
    code, out, err = simkit(*words)
    assert code == 0 and "(hog)" in out and err == [f"simkit: project {folder}"]


def test_projects_named_before_and_after_the_command_are_loaded_together(simkit, home):
    first, other = a_project(home / "one", "hog"), a_project(home / "other", "sow")
    code, out, err = simkit("--project", "one", "games", "--project", "other")
    assert code == 0 and "hog" in out and "sow" in out
    assert err == [f"simkit: project {first}, {other}"]


def test_what_is_named_comes_before_the_environment_and_that_before_a_mark(simkit, home, monkeypatch):
    a_project(home / "named", "hog"), a_project(home / "environment", "sow")
    monkeypatch.chdir(a_project(home / "marked", "boar", mark=""))
    own = {"hog", "sow", "boar"}
    assert games(simkit) & own == {"boar"}
    monkeypatch.setenv("SIMKIT_PROJECT", "../environment")
    assert games(simkit) & own == {"sow"}
    assert games(simkit, "--project", "../named") & own == {"hog"}
    monkeypatch.setenv("SIMKIT_PROJECT", "")
    assert games(simkit) & own == {"boar"}


def test_the_project_is_told_on_stderr_so_that_json_stays_json(simkit, home, monkeypatch):
    folder = a_project(home / "mine", "hog", mark="")
    monkeypatch.chdir(folder)
    _, out, err = simkit("rules", "hog", "--json")
    assert json.loads(out)["game"] == "hog" and err == [f"simkit: project {folder}"]


def test_without_a_project_nothing_is_told_of_one(simkit, home):
    assert simkit("rules", "pig")[2] == []


@pytest.mark.parametrize(
    ("given", "where", "mark", "repository", "result"),
    [
        ("the marked folder itself", "mine", "mine", None, True),
        ("a folder in it", "mine/runs/first", "mine", None, True),
        ("the nearest of two marks", "mine/inner/games", "mine/inner", None, True),
        ("a mark in the home folder", "mine", ".", None, True),
        ("a mark above the home folder", "mine", "..", None, False),
        ("a mark in the root of a repository", "mine/games", "mine", "mine", True),
        ("a mark above the root of a repository", "mine/games", ".", "mine", False),
        ("no mark", "mine", None, None, False),
    ],
    ids=lambda value: value if isinstance(value, str) and " " in value else "",
)
def test_a_mark_is_searched_up_to_the_home_folder_or_the_root_of_a_repository(
    simkit, home, monkeypatch, given, where, mark, repository, result
):
    monkeypatch.setenv("HOME", str(home / "ann"))
    folder = home / "ann" / where
    folder.mkdir(parents=True)
    if mark:
        a_project(home / "ann" / mark, "hog", mark="")
    if given == "the nearest of two marks":
        (home / "ann/mine/simkit.toml").touch()
    if repository:
        (home / "ann" / repository / ".git").mkdir()
    monkeypatch.chdir(folder)
    assert ("hog" in games(simkit)) is result


EVIL = "raise SystemExit('imported from a folder that nobody named')\n"


@pytest.mark.parametrize("part", ["games", "strategies", "reports", "."])
def test_nothing_of_a_folder_without_a_mark_is_imported(simkit, home, part):
    """given files with the names of content in the current folder, then they are as if they were not there."""
    (home / part).mkdir(exist_ok=True)
    for name in ("pig.py", "hog.py", "sitecustomize.py", "strategies.py"):
        (home / part / name).write_text(EVIL)
    code, _, err = simkit("strategies", "pig")
    assert code == 0 and err == []


@pytest.mark.parametrize("where", ["run", "run/games", "run/games/deeper"])
def test_a_mark_within_a_run_folder_is_none(simkit, home, monkeypatch, where):
    """given a run folder, perhaps a stranger's, with a mark planted in it, then nothing of it is imported."""
    run, folder = home / "run", home / where
    (folder / "games").mkdir(parents=True)
    (folder / "games/hog.py").write_text(EVIL)
    (folder / "simkit.toml").touch()
    (folder / ".git").mkdir()
    for name in ("manifest.json", "experiment.toml"):
        (run / name).touch()
    monkeypatch.chdir(folder)
    code, _, err = simkit("games")
    assert code == 0 and err == []


def test_a_run_folder_within_a_project_belongs_to_it(simkit, home, monkeypatch):
    run = a_project(home / "mine", "hog", mark="") / "runs/first"
    run.mkdir(parents=True)
    for name in ("manifest.json", "experiment.toml"):
        (run / name).touch()
    monkeypatch.chdir(run)
    assert "hog" in games(simkit)


def test_a_mark_counts_by_its_name_whatever_is_in_it(simkit, home):
    folder = a_project(home, "hog", mark="damaged")
    assert simkit("games")[::2] == (0, [f"simkit: project {folder}"])


@pytest.mark.parametrize("folder", ["nowhere", "file"])
def test_a_project_of_the_environment_that_is_no_folder_is_one_line(simkit, home, monkeypatch, folder):
    (home / "file").touch()
    monkeypatch.setenv("SIMKIT_PROJECT", folder)
    code, _, err = simkit("games")
    assert code == 2 and err == [f"simkit: SIMKIT_PROJECT: project folder {folder} does not exist"]


def test_an_unknown_game_may_be_one_of_a_project_that_is_not_loaded(simkit, home):
    a_project(home / "mine", "hog")
    assert "--project DIR" not in simkit("play", "pigg")[2][-1]
    (without,) = simkit("play", "hog")[2]
    assert "unknown game 'hog'" in without and "--project DIR" in without
    assert "--project DIR" not in simkit("play", "sow", "--project", "mine")[2][-1]


def test_a_damaged_project_does_not_keep_from_what_needs_none(simkit, home):
    (a_project(home, "hog", mark="") / "games/hog.py").write_text("damaged(")
    (home / "runs").mkdir()
    for words in (["--help"], ["games", "--help"], ["runs"], ["new", "mine"]):
        assert simkit(*words)[::2] == (0, [])


def strategy_of_its_own(folder):
    (folder / "strategies").mkdir(parents=True)
    (folder / "strategies/daring.py").write_text(
        "from simkit.games.pig import HOLD, ROLL, game\nfrom simkit.engine.strategy import strategy\n\n\n"
        '@strategy(game)\ndef daring(view):\n    """Hold at 30."""\n'
        "    return HOLD if view.turn_total >= 30 else ROLL\n"
    )
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "words", "named"),
    [
        ("a mark", [], ""),
        ("a folder named that is marked and the current one", ["--project", "."], ""),
        ("a folder named after the command", ["--project=../other"], "--project ../other "),
        ("the environment", [], "--project ../other "),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_printed_commands_work_in_the_same_folder(simkit, home, monkeypatch, given, words, named):
    """given a project, then a command that is printed or kept names it unless its mark is found anyway."""
    mine, other = strategy_of_its_own(home / "mine"), strategy_of_its_own(home / "other")
    (mine / "simkit.toml").touch()
    monkeypatch.chdir(mine)
    if given == "the environment":
        monkeypatch.setenv("SIMKIT_PROJECT", str(other))
    typed = "match pig daring hold_at --deals 20 -o run"
    code, out, err = simkit(*typed.split(), *words)
    assert code == 0, err
    monkeypatch.delenv("SIMKIT_PROJECT", raising=False)
    assert f"report: simkit {named}report run" in out
    assert json.loads((mine / "run/manifest.json").read_text())["command"] == f"simkit {named}{typed}"
    assert simkit("report", "run", *words)[0] == 0
    page = html.unescape((mine / "run/report.html").read_text())
    command, *_ = re.findall(rf"<code>(simkit {named}match pig daring hold_at .*?)</code>", page)
    assert simkit(*shlex.split(command)[1:], "-o", "repeated", "--deals", 20)[0] == 0


KINDS = {"dice": "dice_race", "cards": "card_duel", "board": "three_lines"}  # what a new project begins with


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_new_project_has_a_readme_whose_commands_run(simkit, home, monkeypatch, kind):
    code, out, _ = simkit("new", "mine", "--kind", kind)
    assert code == 0 and "cd mine" in out and f"simkit play {KINDS[kind]}" in out
    monkeypatch.chdir(home / "mine")
    (block,) = re.findall(r"```sh\n(.*?)```", (home / "mine/README.md").read_text(), re.DOTALL)
    commands = [shlex.split(line, comments=True)[1:] for line in block.splitlines()]
    assert len(commands) >= 5
    for words in commands:
        code, out, err = simkit(*words)
        assert code == 0 and out and "note:" not in out, (words, out, err)
    assert (home / "mine/runs/first_player/report.html").is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_project_is_small_and_is_found_by_itself(simkit, home, monkeypatch, kind):
    (home / "my games").mkdir()
    code, out, _ = simkit("new", "my games", *(["--kind", kind] if kind != "dice" else []))
    assert code == 0 and "cd 'my games'" in out
    monkeypatch.chdir(home / "my games")
    assert KINDS[kind] in games(simkit)
    files = {
        str(path.relative_to(home / "my games")): path
        for path in (home / "my games").rglob("*")
        if path.is_file()
    }
    assert {name.split("/")[0] for name in files if ".pyc" not in name} == {
        "README.md", "experiments", "games", "simkit.toml", "strategies",
    }  # fmt: skip
    own = files[f"games/{KINDS[kind]}.py"].read_text()
    assert len(own.splitlines()) <= 140 and "positions=" in own
    assert KINDS["dice"] not in "".join(files["README.md"].read_text()) or kind == "dice"


def test_a_folder_that_holds_something_is_left_alone(simkit, home):
    (home / "mine").mkdir()
    (home / "mine/notes.txt").touch()
    (home / "file").touch()
    for name in ("mine", "file", "file/below", "."):
        code, _, (line,) = simkit("new", name)
        assert code == 2 and line.startswith(f"simkit: {name}: ")
    assert [path.name for path in (home / "mine").iterdir()] == ["notes.txt"]


def test_a_project_that_cannot_be_written_is_an_error_in_one_line(simkit, home, monkeypatch):
    copy = shutil.copyfile

    def full(source, to):
        if os.path.basename(source) == "first_player.toml":
            raise OSError(28, "No space left on device")
        copy(source, to)

    monkeypatch.setattr("shutil.copyfile", full)
    code, _, err = simkit("new", "mine")
    assert code == 2 and err == ["simkit: mine: cannot be written: No space left on device"]


@pytest.mark.slow
def test_workers_in_other_processes_know_a_marked_project(simkit, home, monkeypatch):
    simkit("new", "mine")
    monkeypatch.chdir(home / "mine")
    words = ["sweep", "dice_race", "goal=20", "--lineup", "careful,random", "--deals", "20", "--json"]
    code, out, err = simkit(*words, "--jobs", "2", "--backend", "loky", "-o", "loky")
    assert code == 0, err
    assert json.loads(out)["cells"] == json.loads(simkit(*words, "-o", "here")[1])["cells"]


def test_a_project_that_is_added_again_is_read_anew(home):
    folder = a_project(home / "mine", "hog")
    registry.add_project(folder)
    before = registry.game("hog")
    file = folder / "games/hog.py"
    file.write_text(file.read_text().replace("name='hog'", "name='hog', title='The hog'"))
    registry.add_project(folder)
    assert (before.title, registry.game("hog").title) == ("Pig", "The hog")
    assert registry.projects() == [str(folder)]


def test_objects_that_are_in_a_project_stand_for_their_names(home):
    registry.add_project(a_project(home / "mine", "hog"))
    hog = registry.game("hog")
    story = sk.play(hog, [registry.strategy(hog, "random"), "random"], options={"goal": 20})
    assert story.startswith("Pig, 2 seats") and "first player: random" in story
