"""The README and the manuals are true: their commands run, their game and strategy play, their code works."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import hostile
import pytest

from simkit.engine import registry

ROOT = Path(__file__).parents[2]
MANUALS = [ROOT / "README.md", *sorted(ROOT.glob("*/README.md")), *sorted(ROOT.glob("simkit/*/README.md"))]
TEXTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in MANUALS}
PLAYING = (
    "open_run(",
    "open_findings(",
    "import simkit as sk",
)  # in the Python that a user runs as it stands
STARTER = "simkit/cli/starter/README.md"  # lies in the folder of a new project, and is read there
EVERY = "\n".join(TEXTS.values())


def blocks(language, text=EVERY):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def the(language, *words):
    """The one block of that language that holds all these words."""
    (result,) = [block for block in blocks(language) if all(word in block for word in words)]
    return result


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """A folder that is not the checkout, with the manuals' own strategy, game, experiment and a run."""
    folder = tmp_path_factory.mktemp("foreign")
    (folder / "elsewhere").mkdir()
    assert call(folder, ["new", "mine"]).returncode == 0
    shutil.copytree(ROOT / "experiments", folder / "experiments")
    files = {  # by name: what the manuals tell a reader to write there
        "mine/strategies/daring.py": the("python", "@strategy", "front_runner"),
        "mine/strategies/corners.py": the("python", "@strategy", "corner_taker"),
        "mine/strategies/foresight.py": the("python", "@strategy", "foresight"),
        "mine/strategies/flat_search.py": the("python", "@searching"),
        "mine/games/connect_four.py": the("python", "game = Game("),
        "mine/reports/lengths.py": the("python", "recipe = Recipe("),
        "question.toml": the("toml", "question ="),
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    done = call(folder, ["run", "experiments/pig_first_seat.toml", "-o", "runs/pig", "--deals", "100"])
    assert done.returncode == 0, done.stderr
    printed = call(folder, ["cards", "outpost_seven"]).stdout
    for name in ("printed.csv", "my_cards.csv"):
        (folder / name).write_text(printed, encoding="utf-8")
    return folder


def call(folder, arguments):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "simkit", *arguments]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def commands(manual):
    """The simkit commands of a manual in order, with few deals, each with the folder where it is typed."""
    for block in blocks("sh", TEXTS[manual]):
        where = "mine" if manual == STARTER else "."
        for words in (shlex.split(line, comments=True) for line in block.splitlines()):
            if words[:1] == ["cd"]:
                where = words[1]
            if words[:1] == ["simkit"]:
                typed = (
                    words[1 : words.index(">")] if ">" in words else words[1:]
                )  # the fixture wrote the file
                yield where, [*typed, *_few(words)]


def _few(words):
    """Options that make a command short; the last of an option counts."""
    if {"fair", "screen", "ladder"} & set(words):
        return ["--deals", "100"]
    if {"design", "tune"} & set(words):
        few = ["--deals", "40", "--confirm", "100", "--trials", "8"]
        return [*few, "--project", "mine"] if "tune" in words else few  # a preset is saved in the project
    if "validate" in words:
        return ["--deals", "1000"]
    if "bench" in words:
        return ["--seconds", "0.05"]
    return ["--deals", "100"] if {"run", "sweep", "compare"} & set(words) and "report" not in words else []


def together(manual):
    """The commands of a manual by what they are about: those about one run folder belong together, in order."""
    results = {}
    for where, words in commands(manual):
        about = next((word for word in words if word.startswith("runs/")), " ".join(words))
        results.setdefault(about, []).append((where, words))
    return results


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manual", "about"), [(manual, about) for manual in TEXTS for about in together(manual)]
)
def test_every_command_of_a_manual_works_in_a_foreign_folder(foreign, manual, about, monkeypatch, capsys):
    """Called in this process: to start one for each command takes longer than most commands."""
    for where, words in together(manual)[about]:
        if words[0] == "new":
            where = "elsewhere"  # the fixture made the project
        monkeypatch.chdir(foreign / where)
        monkeypatch.setattr(sys, "argv", ["simkit", *words])
        heard = hostile.call(capsys, *words)
        registry.set_projects([])
        assert heard.code == 0 and heard.out, f"simkit {' '.join(words)}: {heard.err}"


def test_the_manuals_show_every_command(capsys):
    listed = re.findall(
        r"^  ([a-z]+) ", hostile.call(capsys, "--help").out.partition("Games:")[2], re.MULTILINE
    )
    shown = {word for manual in TEXTS for _, words in commands(manual) for word in words}
    assert len(listed) >= 14 and set(listed) <= shown


@pytest.mark.slow
def test_the_strategy_of_the_manual_has_ten_lines_and_plays(foreign):
    text = (foreign / "mine/strategies/daring.py").read_text()
    assert len([line for line in text.splitlines() if line.strip()]) <= 10
    done = call(foreign, ["--project", "mine", "play", "pig", "--lineup", "front_runner(ahead=5), hold_at"])
    assert done.returncode == 0 and "(front_runner(ahead=5))" in done.stdout, done.stderr


@pytest.mark.slow
def test_the_strategy_of_the_manual_with_ties_plays(foreign):
    lineup = ["--lineup", "corner_taker, random"]
    done = call(
        foreign, ["--project", "mine", "bench", "tic_tac_toe", *lineup, "--no-compile", "--seconds", "0.01"]
    )
    assert done.returncode == 0 and "corner_taker" in done.stdout, done.stderr


@pytest.mark.slow
def test_the_strategy_of_the_manual_that_looks_ahead_beats_random(foreign):
    lineup = ["--lineup", "foresight(samples=1), random", "--seed", "3", "--json"]
    done = call(foreign, ["--project", "mine", "play", "red_outpost", *lineup])
    assert done.returncode == 0, done.stderr
    assert [seat["rank"] for seat in json.loads(done.stdout)["seats"]] == [1, 2]


@pytest.mark.slow
def test_the_search_of_the_manual_beats_its_policy(foreign):
    words = [
        "match",
        "nim",
        "flat_search(samples=4)",
        "random",
        "--deals",
        "100",
        "-o",
        "runs/flat",
        "--json",
    ]
    done = call(foreign, ["--project", "mine", *words])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["elo_low"] > 0


@pytest.mark.slow
def test_the_game_of_the_manual_has_seventy_lines_and_keeps_its_promises(foreign):
    assert len((foreign / "mine/games/connect_four.py").read_text().splitlines()) <= 70
    done = call(foreign, ["--project", "mine", "check", "connect_four"])
    assert done.returncode == 0 and done.stdout.count("passed") == 3, done.stderr


@pytest.mark.slow
def test_the_experiment_of_the_manual_runs(foreign):
    done = call(foreign, ["run", "question.toml", "--deals", "10", "-o", "runs/question"])
    assert done.returncode == 0 and "runs/question" in done.stdout, done.stderr


@pytest.mark.slow
def test_the_cards_of_the_manual_are_read(foreign):
    cards = the("text", "colour,value")
    body = cards.splitlines()[1:4] * 18
    (foreign / "my_cards.csv").write_text("\n".join([cards.splitlines()[0], *body]), encoding="utf-8")
    done = call(foreign, ["play", "outpost_seven", "--cards", "my_cards.csv", "--lineup", "random*2"])
    assert done.returncode == 0 and "54 cards (18 blue, 18 green, 18 purple)" in done.stderr, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("code", [b for b in blocks("python") if any(word in b for word in PLAYING)])
def test_the_python_of_the_manuals_works(foreign, code):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=foreign, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_files_that_the_manuals_name_exist():
    kinds = r"`((?:simkit|strategies|experiments|reports|tests)/[\w/.]+\.(?:py|toml))`"
    named = [*re.findall(kinds, EVERY), *re.findall(r"\]\((?!http)([^)]+)\)", TEXTS["README.md"])]
    assert named
    for name in (name.partition("#")[0] for name in named):
        assert (ROOT / name).is_file() or (ROOT / "simkit/cli/starter" / name).is_file(), name


def test_make_targets_of_the_readme_exist():
    makefile = (ROOT / "Makefile").read_text()
    shown = "\n".join(blocks("sh")) + " ".join(re.findall(r"`(make [a-z-]+)`", EVERY))
    for target in re.findall(r"\bmake ([a-z-]+)\b", shown):
        assert f"\n{target}:" in makefile, target


def test_the_readme_is_short():
    """At most 130 lines."""
    assert len(TEXTS["README.md"].splitlines()) <= 130


def test_nothing_is_left_to_fill_in():
    assert "@@" not in EVERY and "TODO" not in EVERY
