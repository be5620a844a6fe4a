"""A run checks its advice on fresh deals: which settings, resumed without loss, and what is then recommended."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from click.testing import Result
from made_report import behind

from simkit.ask import execution
from simkit.ask.confirm import MAX_GAMES, is_checked
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.advice import advised_settings
from simkit.page.document.files import as_text
from simkit.runs import manifest
from simkit.runs.experiment import parse
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import make_plan
from simkit.runs.status import status
from simkit.tables.fairness import candidates
from simkit.tables.findings import Findings
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
}
SWEEP: dict[str, Any] = {"sweep": {"second": [12, 14, 16, 18]}, "baseline": {"second": 12}}
ALIKE = [["a", "a"]]


def run_file(folder: Path, keys: dict[str, Any], *options: object) -> Result:
    file = folder / "asked.toml"
    file.write_text(parse(keys).to_toml())
    return invoke("run", file, "-o", folder / "run", *options)


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, Result]:
    """A run with its check, and what the command printed."""
    folder = tmp_path_factory.mktemp("confirm")
    output = run_file(folder, HEAPS)
    return open_run(folder / "run"), output


@pytest.mark.slow
def test_the_setting_that_held_on_fresh_deals_is_recommended(checked: tuple[Run, Result]) -> None:
    run, output = checked
    sentence = "Recommended: heap 1 2. On fresh deals the first player wins "
    assert sentence in output.stdout and "Instead try" not in output.stdout
    assert f"Fresh deals: {run.folder / 'confirm'}" in output.stdout
    page = registry.recipe("compare").build(run)
    assert sentence in as_text(page) and "On fresh deals heap 1 2 stays fair" in as_text(page)
    assert Findings(run).confirmed["verdict"].to_list() == ["FAIR", "FAIR"]
    assert advised_settings(Findings(run)) == ["heap_1 = 2"]


def test_the_check_plays_other_deals_than_the_run_with_the_lineups_of_the_baseline(
    checked: tuple[Run, Result],
) -> None:
    run, check = checked[0], open_run(checked[0].folder / "confirm")
    assert check.experiment.seed != run.experiment.seed and check.experiment.until_verdict
    assert [cell.labels for cell in check.cells] == [cell.labels for cell in run.cells if cell.baseline]
    adjusted, confirmed = Findings(check).first_player_advantage["adjusted"], Findings(run).confirmed
    assert confirmed["share"].to_list() == adjusted.to_list() and confirmed["near"].all()
    assert check.experiment.options == run.experiment.options and check.experiment.deals == MAX_GAMES


@pytest.mark.slow
def test_the_same_command_plays_nothing_again_and_one_document_has_the_check(
    checked: tuple[Run, Result], tmp_path: Path
) -> None:
    folder = checked[0].folder
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
    document = json.loads(run_file(folder.parent, HEAPS, "--json").stdout)
    assert [row["verdict"] for row in document["confirmed"]] == ["FAIR", "FAIR"]
    assert {path: path.stat().st_mtime_ns for path in before} == before
    alone = run_file(tmp_path, HEAPS, "--jobs", 1)
    assert alone.exit_code == 0
    assert Findings(open_run(tmp_path / "run")).confirmed.equals(Findings(checked[0]).confirmed)


def test_a_check_that_was_interrupted_goes_on_and_the_page_does_without_it(
    checked: tuple[Run, Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_in = execution.play_in

    def interrupted(given: Any, experiment: Any, folder: Path, label: str) -> Run:
        if label == "run/confirm":
            raise KeyboardInterrupt
        return play_in(given, experiment, folder, label)

    with monkeypatch.context() as patched:
        patched.setattr(execution, "play_in", interrupted)
        assert run_file(tmp_path, HEAPS).exit_code == 1  # outside the terminal, Ctrl-C is an abort
    assert status(tmp_path / "run").state == "finished"
    shutil.copytree(checked[0].folder / "confirm", tmp_path / "run" / "confirm")
    manifest.note(tmp_path / "run" / "confirm", finished=None)  # as a run that stopped half-way has it
    page = invoke("report", tmp_path / "run", "--format", "md", "-o", "-").stdout
    assert "Still to be played: the check on fresh deals (of the settings nearest to fair)." in page
    assert "Recommended: heap 1 2" in run_file(tmp_path, HEAPS).stdout


def test_a_copied_run_without_its_check_recommends_nothing(
    checked: tuple[Run, Result], tmp_path: Path
) -> None:
    shutil.copytree(checked[0].folder, tmp_path / "copy", ignore=shutil.ignore_patterns("confirm"))
    text = invoke("report", tmp_path / "copy", "--format", "md", "-o", "-").stdout
    assert "It is not settled whether a setting is fair" in text and "recommended" not in text
    assert status(tmp_path / "copy").state == "finished"


@pytest.mark.slow
def test_a_run_without_the_check_may_get_it_later(tmp_path: Path) -> None:
    assert "It is not settled whether a setting is fair" in run_file(tmp_path, HEAPS, "--no-confirm").stdout
    assert not (tmp_path / "run" / "confirm").exists()
    assert "Recommended: heap 1 2" in run_file(tmp_path, HEAPS).stdout


@pytest.mark.slow
def test_a_sweep_checks_its_advice_unless_told_not_to_at_an_address_too(tmp_path: Path) -> None:
    """The sooner of two to roll a six is ahead by five points; with a hundred faces, by a quarter of one."""
    words = ["sweep", "race_to_six", "faces=6,100", "--deals", 3000]
    address = f"file://{tmp_path}/a"
    assert "Recommended: faces 100. On fresh deals" in invoke(*words, "-o", address).stdout
    assert open_run(tmp_path / "a" / "confirm").experiment.sweep == {"faces": [100]}
    assert "Recommended: faces 100" in invoke("report", address, "--format", "md", "-o", "-").stdout
    assert "Recommended" not in invoke(*words, "-o", tmp_path / "b", "--no-confirm").stdout
    assert not (tmp_path / "b" / "confirm").exists()


@pytest.mark.slow
def test_what_did_not_hold_is_not_recommended(tmp_path: Path) -> None:
    """With seven faces instead of six the sooner player is still ahead by four points."""
    done = invoke("sweep", "race_to_six", "faces=6,7", "--deals", 60, "--seed", 4, "-o", tmp_path / "run")
    unfair = "On fresh deals faces 7 is UNFAIR, surely more than 2 percentage points off, so it is not recommended: "
    assert f"{unfair}the first player wins" in done.stdout
    page = registry.recipe("sweep").build(open_run(tmp_path / "run"))
    assert "No setting is known to be fair on fresh deals" in as_text(page)
    assert "recommended" not in [text for row in behind(page).rows for text in row]


@pytest.mark.parametrize(
    ("keys", "checks"),
    [
        ({}, True),
        ({"report": "seats"}, False),
        ({"confirm": False}, False),
        ({"report": "compare"}, False),
        ({"report": "compare", "confirm": True}, True),
        ({"baseline": {}}, False),
        ({"sweep": {}, "baseline": {}}, False),
        ({"lineups": ["search*2"]}, False),
        ({"lineups": ["search*2"], "confirm": True}, True),
    ],
)
def test_runs_about_the_fairness_of_rules_are_checked(keys: dict[str, Any], checks: bool) -> None:
    request = parse(HEAPS | keys)
    assert is_checked(request, make_plan(request).cells) == checks


def test_a_check_that_cannot_be_played_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"key 'confirm': a check .* needs options in \[sweep\] and a \[base"
    ):
        run_file(tmp_path, HEAPS | {"confirm": True, "baseline": {}})
    assert not (tmp_path / "run").exists()
    request = parse(HEAPS | {"confirm": True, "until_outclassed": True})
    with pytest.raises(UsageError, match="for runs about fairness; leave out ablate and until_"):
        is_checked(request, make_plan(parse(HEAPS)).cells)


def test_the_nearest_settings_that_are_not_surely_unfair_are_candidates(tmp_path: Path) -> None:
    run = made_run(tmp_path, ALIKE, [0.3, 0.46, 0.47, 0.6], deals=900, **SWEEP)
    assert candidates(Findings(run)) == ["second = 14", "second = 16"]


def test_the_worst_lineup_decides_which_setting_is_nearest(tmp_path: Path) -> None:
    lineups = [["a", "a"], ["b", "b"]]
    shares = [0.3, 0.3, 0.45, 0.49, 0.47, 0.47, 0.3, 0.45]
    findings = Findings(made_run(tmp_path, lineups, shares, deals=400, **SWEEP))
    assert candidates(findings)[:2] == ["second = 16", "second = 14"]
    assert (
        findings.first_player_advantage.filter(pl.col("setting") == "second = 18")["verdict"][0] == "UNFAIR"
    )


def test_where_the_baseline_is_fair_or_nearest_there_is_nothing_to_check(tmp_path: Path) -> None:
    fair = made_run(tmp_path / "fair", ALIKE, [0.45, 0.46, 0.3, 0.3], deals=9000, **SWEEP)
    nearest = made_run(tmp_path / "nearest", ALIKE, [0.46, 0.49, 0.3, 0.3], deals=300, **SWEEP)
    assert candidates(Findings(fair)) == [] == candidates(Findings(nearest))
