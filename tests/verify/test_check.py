"""`simkit check` catches games that break the rules of the interface: each fault by itself, in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simkit import cli
from simkit.engine import registry, tasks
from simkit.engine.compile import jit
from simkit.engine.table import GameTable
from simkit.errors import PlayError
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.verify.check import CHECKS, check
from simkit.verify.check.walking import Walk
from tests.broken_games import FAULTS, SOUND
from tests.everyday import everyday

SCRIBBLER = '''
from simkit.engine.strategy import strategy

from games.bids import game


@strategy(game)
def scribbler(view, legal):
    """Leave a note in the log that it sees."""
    view.log.game.turns = 77
    return legal[0]
'''


FORGETFUL = '''
from simkit.engine.strategy import strategy

from games.bids import game


@strategy(game)
def forgetful(view, legal, memo):
    """Count its own bids, of which there is one a round."""
    bids = memo[0]
    memo[0] += 1
    return legal[0] if bids == view.round_no else legal[99]
'''


@pytest.fixture
def project(tmp_path):
    """Write the game into a project of its own: (the game, its file)."""

    def write(text):
        file = tmp_path / "games" / "bids.py"
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        registry.add_project(tmp_path)
        return registry.game("bids"), file

    yield write
    registry.set_projects([])


ENDLESS = """
    while s.round_no >= 0:
        s.bid[0] = HIDDEN
"""
STUCK = '''
from simkit.engine.strategy import strategy

from games.bids import game


@strategy(game)
def stuck(view, legal):
    """Think without end in the last round."""
    n = 1
    while view.round_no == 2 and n > 0:
        n = (n * 31 + 7) % 1_000_003 + 1
    return legal[0]
'''


def with_endless(function, text=SOUND):
    """A game one function of which begins with an endless loop."""
    head, start, body = text.partition(f"def {function}(")
    return f"{head}{start}{body.replace(chr(10), ENDLESS, 1)}"


@pytest.mark.parametrize("function", ["setup", "apply"])
def test_an_endless_loop_in_the_rules_is_told_with_its_line(project, monkeypatch, function):
    monkeypatch.setattr(tasks, "LIMIT", 0.5)
    game, file = project(with_endless(function))
    *_, last = check(game)
    (problem,) = last.problems
    assert problem.startswith(f"{function} fails: Endless: does not end within 0.5 s of processor time")
    lines = [number for number, text in enumerate(file.read_text().splitlines(), 1) if "while" in text]
    assert f"({file}:{lines[0]})" in problem or f"({file}:{lines[0] + 1})" in problem


STRATEGIES_ONLY = """
from simkit import cli
from simkit.engine import tasks
from simkit.verify import check
tasks.LIMIT = 1.0
check.CHECKS = {name: look for name, look in check.CHECKS.items() if name.startswith("strategies")}
cli.main(["--project", ".", "check", "bids"])
"""


@pytest.mark.slow
@pytest.mark.skipif(not jit.COMPILED, reason="as plain Python it is interrupted, see above")
def test_an_endless_loop_in_a_strategy_ends_the_check_of_its_game(tmp_path):
    message, line = "strategy stuck: failed: Endless: does not end within 1 s", "1_000_003"
    for name, content in (("games/bids.py", SOUND), ("strategies/stuck.py", STUCK)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content)
    words = [sys.executable, "-c", STRATEGIES_ONLY]
    own = os.environ | {"PYTHONPATH": str(registry.ROOT)}
    done = subprocess.run(words, cwd=tmp_path, env=own, capture_output=True, text=True)
    problem = done.stdout.splitlines()[-1]
    assert done.returncode == 1 and message in problem, done
    place, number = problem.rpartition("(")[2].rstrip(")").rsplit(":", 1)
    lines = Path(place).read_text().splitlines()
    assert line in lines[int(number) - 1] or line in lines[int(number)]


def test_a_sound_game_passes(project):
    results = check(project(SOUND)[0])
    assert [problem for result in results for problem in result.problems] == [] and len(results) == len(
        CHECKS
    )


OF_THE_LOG = [fault for fault in FAULTS if fault.title.startswith("the log decides")]
OTHERS = [fault for fault in FAULTS if fault not in OF_THE_LOG]


@pytest.mark.slow
@pytest.mark.parametrize("fault", [*OTHERS, *everyday(OF_THE_LOG, 1)], ids=lambda fault: fault.title)
def test_a_fault_is_told_in_a_line_with_its_place(project, monkeypatch, fault):
    monkeypatch.setattr(jit, "COMPILED", False)  # compiling takes longer than all else
    assert SOUND.count(fault.right) == 1
    text = SOUND.replace(fault.right, fault.wrong)
    game, file = project(text)
    sentence = [problem for first in check(game) for problem in first.problems]
    assert sentence and all(fault.says in first and "\n" not in first for first in sentence)
    if fault.line:
        number = next(i for i, line in enumerate(text.splitlines(), 1) if fault.line in line)
        number -= fault.line.startswith("def")  # its decorator
        assert all(f"({file}:{number})" in first for first in sentence)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SCRIBBLER, "scribbler writes to its view, which it may only read: clone it to scratch"),
        (FORGETFUL, "forgetful, asked in a random game, fails: IndexError"),
    ],
)
def test_a_strategy_that_cannot_be_asked_safely_is_named(project, tmp_path, text, message):
    game, _ = project(SOUND)
    file = tmp_path / "strategies" / "mine.py"
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    (sentence,) = [problem for first in check(game) for problem in first.problems]
    assert sentence.startswith(message)


WITHOUT_REDEAL = SOUND.replace("observe=observe, redeal=redeal", "observe=observe")
BIDS_OF_9 = SOUND.replace("1 + below(stream, rules.highest)", "9").replace(
    "        total += s.bid[seat]\n", "        total += (0, 1, 2, 3, 4, 5)[s.bid[seat]]\n"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WITHOUT_REDEAL, "the game takes another course: it does not see bid[0], which redeal must deal"),
        (BIDS_OF_9, "apply fails: IndexError: tuple index out of range"),
    ],
    ids=["nothing is dealt", "an index runs over"],
)
def test_a_game_that_cannot_be_played_on_from_a_view_is_told(project, text, message):
    game, file = project(text)
    sentence = [problem for first in check(game) for problem in first.problems]
    assert sentence and all(first.startswith("played on from what seat") for first in sentence)
    assert all(message in first and f"({file}:" in first for first in sentence)


NEEDS_LESS = (
    SOUND.replace("    s.log.game.turns += 1\n", "")
    .replace('"unfinished rounds_played", start=0', '"rounds_played"')
    .replace('summary="sealed bids", ', "")
    .replace("max_steps=3 * ROUNDS,", "")
    .replace('"B-1", ', "")
    .replace('KnownAnswer("turns", 3,', 'KnownAnswer("turns", 6,')
)


@pytest.mark.slow
def test_turns_summary_clause_unfinished_and_max_steps_may_be_left_out(project, tmp_path):
    game, _ = project(NEEDS_LESS)
    assert [problem for first in check(game) for problem in first.problems] == []
    keys = {
        "question": "How long?",
        "game": "bids",
        "deals": 5,
        "lineups": ["random*2"],
        "sweep": {"highest": [2]},
    }
    run = open_run(runner.run(experiment.parse(keys | {"trace": 5}), tmp_path / "run", jobs=1))
    assert run.games().collect()["turns"].to_list() == [6] * 5
    assert set(run.games().collect()["end_reason"]) == {"rounds_played"}
    assert run.seats().collect()["turns"].to_list() == [3] * 10
    assert run.turns().collect()["turn"].max() == 6
    assert game.options[0].full_meaning == "Highest bid" and game.max_steps == 10_000


def test_a_game_that_counts_its_turns_is_left_alone(project):
    game, _ = project(SOUND)
    assert game.step is game.apply


CARELESS = '''
from simkit.engine.strategy import strategy

from games.bids import game


@strategy(game)
def careless(legal):
    """Read far beyond the legal actions."""
    return legal[legal.size + 999]


@strategy(game)
def reckless(legal):
    """Take an action that is never legal."""
    return 99_999
'''


@pytest.mark.slow
def test_a_fault_met_under_several_settings_is_reported_once(project, tmp_path, capsys):
    project(SOUND)
    file = tmp_path / "strategies" / "mine.py"
    file.parent.mkdir()
    file.write_text(CARELESS, encoding="utf-8")
    with pytest.raises(SystemExit):
        cli.main(["--project", str(tmp_path), "check", "bids"])
    faults = [line for line in capsys.readouterr().out.splitlines() if line.startswith("bids: ")]
    assert [line.count("bids: ") for line in faults] == [1, 1]
    assert "strategy careless: failed" in faults[0] and "strategy reckless: chose" in faults[1]


@pytest.mark.slow
def test_compiled_rules_that_play_another_game_are_reported(project, monkeypatch):
    game, play = project(SOUND)[0], GameTable.play

    def other(self, lineup, seed, deals, shifts, compiled=True):
        states = play(self, lineup, seed, deals, shifts, compiled=compiled)
        states["score"][:, 0] += not compiled
        return states

    monkeypatch.setattr(GameTable, "play", other)
    (problem,) = check(game)[-1].problems
    assert problem == "compiled rules and plain Python play the same game to different ends: score"


def test_compiled_code_of_a_game_with_a_fault_never_runs(project, monkeypatch):
    game, _ = project(SOUND.replace("total += s.bid[seat]", "total += s.bid[seat + 2]"))
    monkeypatch.setattr(jit.EntryPoint, "compiled", None)
    monkeypatch.setattr(GameTable, "play", lambda *arguments: pytest.fail("played"))
    assert any(first.problems for first in check(game))


def test_the_command_says_it_and_ends_with_1(project, tmp_path, capsys):
    project(SOUND.replace("        rank_by_score(s)\n", ""))
    with pytest.raises(SystemExit) as end:
        cli.main(["--project", str(tmp_path), "check", "bids"])
    assert end.value.code == 1 and "all ranks are still 0 at the end" in capsys.readouterr().out


def test_a_fault_of_the_rules_names_its_line(project):
    game, file = project(SOUND.replace("total / s.seats", "total // (s.round_no - 1)"))
    with pytest.raises(PlayError) as caught:
        list(Walk(GameTable(game, game.rules())).positions(deal=0, seats=2))
    number = next(i for i, text in enumerate(file.read_text().splitlines(), 1) if "total //" in text)
    assert str(caught.value).startswith("apply") and str(caught.value).endswith(f"({file}:{number})")


@pytest.mark.slow
def test_an_option_beyond_16_bits_is_played_and_logged(project, tmp_path):
    text = SOUND.replace('"Highest bid")', '"Highest bid"), integer("prize", 1, 0, 10**6, "B-2", "Prize")')
    project(text.replace("s.score[seat] += 1", "s.score[seat] += rules.prize"))
    keys = {"question": "How much?", "game": "bids", "deals": 5, "lineups": ["random*2"]}
    request = experiment.parse(keys | {"sweep": {"prize": [1, 10**6]}})
    run = open_run(runner.run(request, tmp_path / "run", jobs=1))
    assert run.games().collect()["prize"].unique().to_list() == [1, 10**6]
    scores = run.seats().collect()["score"].to_list()
    assert scores[10:] == [10**6 * score for score in scores[:10]] and max(scores) > 0
