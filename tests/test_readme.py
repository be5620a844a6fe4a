"""The README is true: its commands run, its strategy plays, its code works."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """A folder that is not the checkout, with the README's own strategy, cards and experiment."""
    folder = tmp_path_factory.mktemp("foreign")
    shutil.copytree(ROOT / "experiments", folder / "experiments")
    (folder / "mine/strategies").mkdir(parents=True)
    (folder / "mine/strategies/daring.py").write_text(
        next(b for b in blocks("python") if "@strategy" in b), encoding="utf-8"
    )
    (folder / "question.toml").write_text(blocks("toml")[0], encoding="utf-8")
    return folder


def call(folder, arguments):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    words = [sys.executable, "-m", "simkit", *arguments]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def commands():
    """The simkit commands of the README in order, with few deals."""
    for line in "".join(blocks("sh")).splitlines():
        words = shlex.split(line, comments=True)
        if words[:1] == ["simkit"]:
            if "--deals" in words:
                words[words.index("--deals") + 1] = "100" if "fair" in words else "40"
            elif "run" in words:
                words += ["--deals", "40"]
            elif "fair" in words:
                words += ["--deals", "100"]
            elif "validate" in words:
                words += ["--plays", "1000"]
            yield words[1:]


def test_every_command_of_the_readme_works_in_a_foreign_folder(foreign):
    asked = list(commands())
    assert {
        "games",
        "rules",
        "strategies",
        "play",
        "run",
        "report",
        "replay",
        "sweep",
        "compare",
        "fair",
        "plan",
        "validate",
        "check",
        "bench",
    } <= {w for words in asked for w in words}
    for words in asked:
        done = call(foreign, words)
        assert done.returncode == 0 and done.stdout, f"simkit {' '.join(words)}: {done.stderr}"


def test_the_strategy_of_the_readme_has_ten_lines_and_plays(foreign):
    text = (foreign / "mine/strategies/daring.py").read_text()
    assert len([line for line in text.splitlines() if line.strip()]) <= 10
    done = call(foreign, ["--project", "mine", "play", "pig", "--lineup", "front_runner(ahead=5), hold_at"])
    assert "seat 0 (front_runner(ahead=5))" in done.stdout, done.stderr


def test_the_experiment_of_the_readme_runs(foreign):
    done = call(foreign, ["run", "question.toml", "--deals", "10", "-o", "runs/question"])
    assert done.returncode == 0 and "start_total_second" in done.stdout, done.stderr


def test_the_cards_of_the_readme_are_read(foreign):
    cards = blocks("csv")[0]
    body = cards.splitlines()[1:4] * 18
    (foreign / "my_cards.csv").write_text("\n".join([cards.splitlines()[0], *body]), encoding="utf-8")
    done = call(foreign, ["play", "outpost_seven", "--cards", "my_cards.csv", "--lineup", "random*2"])
    assert done.returncode == 0 and "54 cards (18 blue, 18 green, 18 purple)" in done.stderr, done.stderr


def test_the_python_of_the_readme_reads_a_run(foreign):
    if not (foreign / "runs/pig").exists():
        assert (
            call(
                foreign, ["run", "experiments/pig_first_seat.toml", "-o", "runs/pig", "--deals", "40"]
            ).returncode
            == 0
        )
    code = next(b for b in blocks("python") if "open_run" in b)
    done = subprocess.run([sys.executable, "-c", code], cwd=foreign, capture_output=True, text=True)
    assert done.returncode == 0 and "Turns taken" in done.stdout, done.stderr


def test_the_files_that_the_readme_names_exist():
    for name in re.findall(
        r"`((?:simkit|strategies|experiments|reports|tests)/[\w/.]+\.(?:py|toml))`", README
    ):
        assert (ROOT / name).is_file(), name


def test_make_targets_of_the_readme_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(
        r"\bmake ([a-z-]+)\b", "\n".join(blocks("sh")) + " ".join(re.findall(r"`(make [a-z-]+)`", README))
    ):
        assert f"\n{target}:" in makefile, target


def test_nothing_is_left_to_fill_in():
    assert "@@" not in README and "TODO" not in README
