"""The public API: what `import simkit` gives, what it loads, and that its promises are kept."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import simkit as sk
from simkit.ask.arguments import Changes

ROOT = Path(__file__).parents[2]
CONSTANTS = {"CATEGORY", "DERIVED", "HIDDEN", "NUMBER", "OVER", "SEAT"}
QUICK = {"lineups": ["hold_at*2"], "deals": 100}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def python(code: str, folder: Path | str = ".") -> str:
    words = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_importing_simkit_loads_neither_numba_nor_polars_nor_matplotlib() -> None:
    heavy = "{'numba', 'polars', 'matplotlib', 'numpy', 'pandas', 'click'}"
    assert python(f"import sys, simkit; print({heavy} & sys.modules.keys())") == "set()\n"


@pytest.mark.parametrize("name", sorted({*dir(sk)} - CONSTANTS))
def test_every_exported_name_has_a_docstring_with_an_example(name: str) -> None:
    assert ">>>" in (getattr(sk, name).__doc__ or ""), name


def test_a_sweep_gives_findings_an_answer_and_a_page() -> None:
    run = sk.sweep("pig", {"goal": range(50, 101, 50)}, **QUICK)
    assert run.seat_shares["goal"].to_list() == [50, 50, 100, 100]
    assert run.answer and run.answer in repr(run)
    assert "How fair is Pig along points that win?" in run._repr_html_() and "<table" in run._repr_html_()
    page = sk.report(run)
    assert page.path.is_file() and page.path == run.folder / "report.html"
    assert page._repr_html_().startswith("<iframe")


def test_the_same_question_opens_the_same_run_and_another_one_has_its_own_folder() -> None:
    first, repeated = (sk.sweep("pig", {"goal": [50]}, jobs=jobs, **QUICK) for jobs in (1, 2))
    other = sk.sweep("pig", {"goal": [50]}, seed=2, **QUICK)
    assert first.folder == repeated.folder != other.folder
    assert first.run.manifest.command.startswith("simkit.sweep('pig', {'goal': [50]}, ")


def test_both_frames_hold_the_same_numbers() -> None:
    run = sk.sweep("pig", {"goal": [50, 100]}, **QUICK)
    for name, table in (("games", run.run.games().collect()), ("seat_shares", run.seat_shares)):
        frame = run.to_pandas(name)
        assert isinstance(frame, pd.DataFrame)
        assert pl.from_pandas(frame).cast(table.schema).equals(table)


@pytest.mark.slow
def test_functions_and_commands_play_the_same_games(tmp_path: Path) -> None:
    run = sk.sweep("pig", {"goal": [50, 100]}, out="api", **QUICK)
    words = "sweep pig goal=50,100 --lineup hold_at*2 --deals 100 -o command"
    python(f"from simkit.cli import main; main({words.split()})", tmp_path)
    assert sk.open_run("command").run.games().collect().equals(run.run.games().collect())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sk.sweep("pigg", {"goal": [50]}), "did you mean 'pig'"),
        (lambda: sk.sweep("pig", {"gaol": [50]}), "did you mean 'goal'"),
        (lambda: sk.sweep("pig", {"goal": [0]}), "option goal = 0 is out of range"),
        (lambda: sk.sweep("pig"), "nothing to sweep"),
        (lambda: sk.match("pig", "hold_at", "hold_at"), "are the same strategy"),
        (lambda: sk.run("nowhere"), "experiment file nowhere does not exist"),
        (lambda: sk.open_run("nowhere"), "not a run folder"),
        (lambda: sk.replay("nowhere", 1), "not a run folder"),
    ],
)
def test_faults_are_usage_errors_of_one_line(call, message: str, tmp_path: Path) -> None:
    with pytest.raises(sk.UsageError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value) and not (tmp_path / "runs").exists()


def test_the_manual_has_every_keyword() -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    named = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    assert named == {*Changes.__annotations__} - {"deals"}


def test_the_manual_has_every_exported_name() -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    assert {*sk.__all__} - {*re.findall(r"\w+", text)} == set()


def test_the_fair_value_is_a_number_and_several_options_give_one_each() -> None:
    fair = sk.fair("pig", {"goal": (2, 40)}, lineups=["random*2"], deals=200)
    assert fair.value is None or 2 <= fair.value <= 40


@pytest.mark.posix
@pytest.mark.slow
def test_ctrl_c_stops_a_run_and_the_same_call_continues_it(tmp_path: Path) -> None:
    code = """
        import os, pathlib, signal, threading, time, simkit as sk
        finished = pathlib.Path("run/checksums.txt")
        def stop_once_it_plays():
            while not (finished.exists() and "games/00000000000000.parquet" in finished.read_text()):
                time.sleep(0.1)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=stop_once_it_plays).start()
        try:
            sk.sweep("pig", {"goal": [100]}, lineups=["hold_at*2"], deals=30_000_000, out="run", progress=False)
        except KeyboardInterrupt:
            print("stopped")
    """
    assert python(code, tmp_path) == "stopped\n"
    assert sk.open_run("run", partial=True).run.part < 1


@pytest.mark.slow
def test_a_users_script_passes_a_strict_type_check(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
            import polars as pl
            import simkit as sk
            from simkit import Game, Weight, rule, strategy

            run = sk.sweep("pig", {"goal": range(50, 101, 50)}, lineups=["hold_at*2"], deals=100)
            shares: pl.DataFrame = run.seat_shares
            sk.plot.first_player(run).set_title("Pig")
            value: float = sk.fair("pig", {"goal": (2, 40)}, deals=100).value
            print(sk.play("pig", seed=3), sk.report(run, "page.md"), run.to_pandas("games").shape, value)
        """)
    )
    words = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", str(script)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_no_text_tells_to_install_another_project() -> None:
    texts = [
        *ROOT.glob("*.md"),
        *(path for path in ROOT.glob("*/**/*") if path.suffix in (".py", ".md", ".yml")),
    ]
    own = [path for path in texts if not {".venv", "runs", "tests", "site"} & {*path.relative_to(ROOT).parts}]
    wrong = [
        path for path in own if "pip install simkit" in path.read_text() or "'simkit[" in path.read_text()
    ]
    assert not wrong
