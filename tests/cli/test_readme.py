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
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in MANUALS}
PLAYING = ("open_run(", "open_findings(", "import simkit as sk")  # in Python that a user runs as it stands
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
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=1_800)


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
    if "learn" in words:  # a player is installed in the project
        return ["--games", "1024", "--confirm", "20", "--teacher", "self", "--project", "mine"]
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


@pytest.fixture
def type_line(foreign, monkeypatch, capsys):
    """Type a command there, in this process: to start one for each command takes longer than most commands."""

    def call_here(line, where="."):
        monkeypatch.chdir(foreign / where)
        words = shlex.split(line) if isinstance(line, str) else line
        monkeypatch.setattr(sys, "argv", ["simkit", *words])
        heard = hostile.call(capsys, *words)
        registry.set_projects([])
        assert heard.code == 0, f"simkit {' '.join(words)}: {heard.err}"
        return heard

    return call_here


@pytest.mark.slow
@pytest.mark.parametrize(
    ("manual", "about"), [(manual, about) for manual in TEXTS for about in together(manual)]
)
def test_every_command_of_a_manual_works_in_a_foreign_folder(type_line, manual, about):
    for where, words in together(manual)[about]:  # `new` elsewhere: the fixture made the project
        assert type_line(words, "elsewhere" if words[0] == "new" else where).out


def test_the_manuals_show_every_command(capsys):
    listed = re.findall(
        r"^  ([a-z]+) ", hostile.call(capsys, "--help").out.partition("Games:")[2], re.MULTILINE
    )
    shown = {word for manual in TEXTS for _, words in commands(manual) for word in words}
    assert len(listed) >= 14 and set(listed) <= shown


PLAYED = [  # what the manuals tell a reader to write, and what it prints
    ("--project mine play pig --lineup 'front_runner(ahead=5), hold_at'", "(front_runner(ahead=5))"),
    ("--project mine bench tic_tac_toe --lineup 'corner_taker, random' --no-compile --seconds .01", "corner_taker"),
    ("run question.toml --deals 10 -o runs/question", "runs/question"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("line", "printed"), PLAYED)
def test_strategies_and_experiments_of_the_manual_play(type_line, line, printed):
    assert printed in type_line(line).out


def test_the_strategy_and_the_game_of_the_manual_are_short():
    daring, game = the("python", "@strategy", "front_runner"), the("python", "game = Game(")
    assert len([line for line in daring.splitlines() if line.strip()]) <= 10
    assert len(game.splitlines()) <= 70


@pytest.mark.slow
def test_the_strategies_of_the_manual_that_look_ahead_beat_random(type_line):
    line = "--project mine play red_outpost --lineup 'foresight(samples=1), random' --seed 3 --json"
    assert [seat["rank"] for seat in json.loads(type_line(line).out)["seats"]] == [1, 2]
    line = "--project mine match nim 'flat_search(samples=4)' random --deals 100 -o runs/flat --json"
    assert json.loads(type_line(line).out)["elo_low"] > 0


@pytest.mark.slow
def test_the_game_of_the_manual_keeps_its_promises(type_line):
    assert type_line("--project mine check connect_four").out.count("passed") == 6


@pytest.mark.slow
def test_the_cards_of_the_manual_are_read(foreign, type_line):
    cards = the("text", "colour,value")
    body = cards.splitlines()[1:4] * 18
    (foreign / "my_cards.csv").write_text("\n".join([cards.splitlines()[0], *body]), encoding="utf-8")
    heard = type_line("play outpost_seven --cards my_cards.csv --lineup random*2")
    assert "54 cards (18 blue, 18 green, 18 purple)" in heard.err


@pytest.mark.slow
@pytest.mark.parametrize("code", [b for b in blocks("python") if any(word in b for word in PLAYING)])
def test_the_python_of_the_manuals_works(foreign, monkeypatch, code):
    monkeypatch.chdir(foreign)
    exec(code, {"__name__": "__main__"})
    registry.set_projects([])


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
