"""The first answer: printed and on the page as soon as the run itself is played, before its ladder and its check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from html_reader import Reader

from simkit.ask import execution
from simkit.engine import registry
from simkit.page.document.parts import Report
from simkit.runs import manifest
from simkit.runs.experiment import parse
from simkit.runs.folder import Run
from simkit.runs.status import status
from tests.commands import invoke
from tests.synthetic import made_run

# A heap of one object is won by whoever begins; with two, random players win half of their games.
HEAPS: dict[str, Any] = {
    "question": "Which heap is fair?",
    "game": "nim",
    "deals": 3000,
    "seed": 3,
    "report": "sweep",
    "lineups": ["random*2", "random(blunder=0.5)*2"],
    "options": {"heap_2": 0, "heap_3": 0, "heap_4": 0},
    "sweep": {"heap_1": [1, 2]},
    "baseline": {"heap_1": 1},
    "skill": {"rungs": ["random", "random(blunder=0.5)"], "deals": 9000},
}
NOTE = "This is the first answer. Still to be played: "
BOTH = (
    "the ladder (players of rising strength) and the check on fresh deals (of the settings nearest to fair)"
)


def run_file(folder: Path, keys: dict[str, Any], *options: object) -> Any:
    (folder / "asked.toml").write_text(parse(keys).to_toml())
    return invoke("run", folder / "asked.toml", "-o", folder / "run", *options)


def page_text(run: Path) -> str:
    return "".join(Reader((run / "report.html").read_text("utf-8")).words).replace("\u00a0", " ")


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, list[tuple[str, str, list[str]]]]:
    """A folder with a run that was stopped in its check, what it printed, and how page and manifest were before."""
    folder, play_in, before = tmp_path_factory.mktemp("first"), execution.play_in, list[Any]()

    def play(how: Any, experiment: Any, place: Path, label: str) -> Run:
        if label.startswith("run/"):
            outstanding = manifest.read(folder / "run").outstanding
            before.append((label, page_text(folder / "run"), outstanding))
        if label == "run/confirm":
            raise KeyboardInterrupt
        return play_in(how, experiment, place, label)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(execution, "play_in", play)
        printed = run_file(folder, HEAPS, "--page")
    return folder, printed, before


def test_the_page_is_there_before_the_ladder_and_says_what_it_lacks(stopped: Any) -> None:
    _, printed, before = stopped
    assert printed.exit_code == 1  # outside the terminal, Ctrl-C is an abort
    assert [label for label, *_ in before][::-1][0] == "run/confirm" and len(before) > 1
    for _, text, outstanding in before:
        assert f"Beware: {NOTE}{BOTH}. Nothing is recommended before that." in text
        assert "Not known yet" in text and "Wait for the rest of the run." in text
        assert "Recommended" not in text and "Instead try" not in text and "Change it." not in text
        assert outstanding == ["ladder", "confirm"]


def test_the_answer_is_printed_before_the_rest_is_played(stopped: Any) -> None:
    folder, printed, _ = stopped
    answer, page, rest, *_ = printed.stderr.splitlines()
    assert answer.startswith(
        "Heap 1 1 (baseline) is UNFAIR: the first player wins 100 games of 100. Nearest so far"
    )
    assert page == f"Report: {folder / 'run' / 'report.html'}"
    assert rest == f"Still being played: {BOTH}. The page is written again when that is done."


def test_a_run_stopped_in_its_second_part_is_whole_and_the_same_command_finishes_the_page(
    stopped: Any,
) -> None:
    folder, *_ = stopped
    run = folder / "run"
    assert status(run).state == "finished" and NOTE in page_text(run)
    words = invoke("status", run).stdout
    assert "Still to be played, in folders of it: ladder, confirm" in words and "Continue with: " in words
    assert NOTE in invoke("report", run, "--format", "md", "-o", "-").stdout
    tables = {path: path.stat().st_mtime_ns for path in run.rglob("*.parquet")}
    done = run_file(folder, HEAPS, "--page")
    assert "Recommended: heap 1 2. On fresh deals" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in tables} == tables  # nothing is played twice
    assert manifest.read(run).outstanding == []
    last = (run / "report.html").read_bytes()
    assert NOTE not in page_text(run) and "Recommended: heap 1 2." in page_text(run)
    invoke("report", run)
    assert (run / "report.html").read_bytes() == last


def test_a_run_without_a_second_part_has_its_page_at_the_end(tmp_path: Path) -> None:
    keys = {name: value for name, value in HEAPS.items() if name != "skill"}
    done = run_file(tmp_path, keys | {"deals": 200}, "--no-confirm", "--page")
    assert "Still being played" not in done.stderr
    assert NOTE not in page_text(tmp_path / "run")


@pytest.fixture
def brief(tmp_path: Path) -> Callable[..., Report]:
    """Make the brief of a sweep with these shares, to which draws add five points, at 12 (the baseline), 14, 16."""

    def make(shares: list[float], outstanding: list[str]) -> Report:
        keys: dict[str, Any] = {"sweep": {"second": [12, 14, 16]}, "baseline": {"second": 12}}
        run = made_run(tmp_path, [["a", "a"]], shares, deals=9000, **keys)
        run = replace(run, manifest=run.manifest.model_copy(update={"outstanding": outstanding}))
        report: Report = registry.recipe("sweep").build(run)
        return report

    return make


def test_without_a_ladder_the_stamp_stands_and_only_the_advice_waits(brief: Callable[..., Report]) -> None:
    page = brief([0.7, 0.45, 0.3], ["confirm"])
    assert page.stamp and page.stamp.text == "Change it"
    assert [each.text for each in page.takeaways_of("advice")] == [
        "Nearest so far is second 14, where the first player wins 50 games of 100."
    ]


def test_players_of_the_ladder_decide_whether_a_fair_rule_is_kept(brief: Callable[..., Report]) -> None:
    page = brief([0.45, 0.6, 0.7], ["ladder"])
    assert page.stamp and page.stamp.text == "Not known yet"
    assert page.takeaways_of("advice") == []
    assert page.warnings[0].startswith(f"{NOTE}the ladder (players of rising strength).")
