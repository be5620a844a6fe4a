"""What a command cannot carry out is refused in one line, with exit code 2, and leaves nothing behind."""

import shlex
from pathlib import Path

import pytest
from hostile import DIGITS, LONG_NAME, call

from simkit.engine import registry
from simkit.games import pig
from simkit.runs import runner
from simkit.runs.plan import load

LINES = (Path(__file__).parent / "refused_commands.txt").read_text(encoding="utf-8").splitlines()
ROWS = [line.split("  =>  ") for line in LINES if line and not line.startswith("#")]
LONG = {"DIGITS": DIGITS, "LONG": LONG_NAME, "HALF": "\udcff"}
FILES = {
    "pig.toml": 'question = "Who wins at Pig?"\ngame = "pig"\ndeals = 30\nlineups = ["hold_at*2"]\n',
    "called.toml": 'question = "?"\ngame = "pig"\ndeals = 3\nlineups = ["random*2"]\ncalled.randm = "a monkey"\n',
    "bad.toml": 'question = "?\n',
    "cards.csv": "colour,value,spaces\nblue,3,A.\n",
    "good.csv": "colour,value,spaces\n" + "blue,3,A..\n" * 54,
    "playtests.csv": "seat_1,winner\nAnna,Zoe\n",
    "broken/strategies/mine.py": "import simkit\nimport nothing_of_the_kind\n",
    "wrong/strategies/mine.py": '''
from simkit.games.pig import HOLD, game
from simkit.engine.strategy import strategy


@strategy(game)
def typo(view, rules, legal, w, rng, scratch, memo):
    """Reads a field that is not there."""
    return HOLD if view.turn_totl > 3 else legal[0]
''',
    "badgame/games/badpig.py": Path(pig.__file__)
    .read_text("utf-8")
    .replace('name="pig"', 'name="badpig"')
    .replace("s.turn_total += face", "s.turn_totl += face"),
}


@pytest.fixture(scope="module")
def clutter(tmp_path_factory):
    """Files that can be named wrongly, projects with faults, and a finished run."""
    folder = tmp_path_factory.mktemp("clutter")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    runner.run(load(folder / "pig.toml"), folder / "runs/done")
    return folder


def files(folder):
    return sorted(path for path in folder.rglob("*") if "__pycache__" not in path.parts)


@pytest.mark.parametrize(("line", "message"), ROWS, ids=[line for line, _ in ROWS])
def test_a_command_that_cannot_be_carried_out_is_one_line(clutter, monkeypatch, capsys, line, message):
    monkeypatch.chdir(clutter)
    before = files(clutter)
    try:
        heard = call(capsys, *(word.format(**LONG) for word in shlex.split(line)))
    finally:
        registry.set_projects([])
    assert heard.code == 2 and heard.out == "" and message in heard.err, heard
    assert files(clutter) == before
