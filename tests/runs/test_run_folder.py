"""A run folder is never silently wrong: what is damaged, swapped or edited is told, and played again the same."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from simkit.cli import main
from simkit.errors import OtherRun, UsageError
from simkit.questions.fair.result import CurvePoint, FairResults, FairValue
from simkit.runs import experiment, manifest, runner
from simkit.runs import status as state
from simkit.runs.folder import RESULTS_FILE, keep_results, open_partly, open_run
from simkit.runs.plan import Layout
from simkit.runs.progress import Progress
from simkit.runs.status import status
from simkit.runs.storage import checksums
from simkit.runs.storage.lock import hold, is_held

KEYS = {
    "question": "?",
    "game": "pig",
    "deals": 40,
    "seed": 5,
    "trace": 10,
    "lineups": ["hold_at, random", "hold_at*2"],
    "sweep": {"goal": [30, 60]},
    "baseline": {"goal": 30},
}
EXPERIMENT = experiment.parse(KEYS)
SMALL = Layout(40, 40)
ANSWER = FairResults(
    vary={"goal": (30, 60)},
    usual={"goal": 100},
    fair=0.5,
    values=[FairValue(lineup="hold_at mirror", option="goal", value=None, low=None, high=None, best=30)],
    points=[],
    curve=[CurvePoint(lineup="hold_at mirror", option="goal", seat=0, x=30, share=0.5)],
    differing_lineups=[],
    unfit=[],
)


class Text(Progress):
    """Keeps what is damaged."""

    def __init__(self) -> None:
        self.tables: list[str] = []

    def report_damage(self, tables: list[str]) -> None:
        self.tables += tables


class StopsAt(Progress):
    """Stops a run after some games, as Ctrl-C does."""

    def __init__(self, games: int) -> None:
        self.games = games

    def report_games(self, done: int, total: int) -> None:
        if done >= self.games:
            raise KeyboardInterrupt


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return runner.run(EXPERIMENT, tmp_path_factory.mktemp("whole") / "run", layout=SMALL)


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def parquet(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.glob("*/*.parquet"))}


def refused(folder: Path) -> str:
    with pytest.raises(UsageError) as caught:
        open_run(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def some(folder: Path, table: str, place: int = 1) -> Path:
    return sorted((folder / table).iterdir())[place]


def swapped(folder: Path) -> None:
    first, other = some(folder, "seats", 0), some(folder, "seats", 1)
    stored = first.read_bytes()
    first.write_bytes(other.read_bytes())
    other.write_bytes(stored)


def flipped(folder: Path) -> None:
    path = some(folder, "games")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)


def cut_short(folder: Path) -> None:
    os.truncate(some(folder, "games"), 100)


def emptied(folder: Path) -> None:
    os.truncate(some(folder, "seats"), 0)


def lost(table: str) -> Callable[[Path], None]:
    """The loss of a file of a table."""

    def lose(folder: Path) -> None:
        some(folder, table, 0).unlink()

    lose.__name__ = f"lost {table}"
    return lose


def without_turns(folder: Path) -> None:
    shutil.rmtree(folder / "turns")


def without_its_line(folder: Path) -> None:
    lines = (folder / checksums.FILE).read_text().splitlines(keepends=True)
    (folder / checksums.FILE).write_text("".join(lines[1:]))


DAMAGES = [swapped, flipped, cut_short, emptied, *map(lost, ("games", "seats", "turns")), without_turns]
DAMAGES += [without_its_line]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda first: first.__name__)
def test_a_damaged_table_is_told_and_played_again_the_same(
    damage: Callable[[Path], None], whole: Path, copy: Path
) -> None:
    damage(copy)
    message, count = refused(copy), len(open_run(whole).shards)
    assert re.search(
        rf"not complete, \d+ of {count} shards are missing \(the first: cell \d, deals \d+ to \d+", message
    )
    text = Text()
    runner.run(EXPERIMENT, copy, progress=text)
    assert bool(text.tables) == (damage is not without_its_line)
    assert parquet(copy) == parquet(whole)
    assert open_run(copy).manifest.finished


def test_a_folder_where_a_table_belongs_is_left_alone(copy: Path) -> None:
    path = some(copy, "games")
    path.unlink()
    path.mkdir()
    with pytest.raises(UsageError, match="cannot write there: Is a directory"):
        runner.run(EXPERIMENT, copy)


@pytest.mark.parametrize("lost", [Path.unlink, lambda path: path.write_bytes(b"")], ids=["gone", "empty"])
def test_tables_without_any_checksums_are_told_and_played_again(
    lost: Callable[[Path], object], whole: Path, copy: Path
) -> None:
    lost(copy / checksums.FILE)
    assert state.status(copy)[1] == state.DAMAGED and state.status(copy).missing_files == [checksums.FILE]
    text = Text()
    runner.run(EXPERIMENT, copy, progress=text)
    assert text.tables == [checksums.FILE]
    assert parquet(copy) == parquet(whole) and checksums.read_digests(copy) == checksums.read_digests(whole)


def test_the_checksums_are_those_of_a_common_tool_and_alike_for_alike_runs(
    whole: Path, tmp_path: Path
) -> None:
    listed = checksums.read_digests(whole)
    assert set(listed) == set(parquet(whole))
    assert all(checksums.digest(whole / name) == of for name, of in listed.items())
    run = runner.run(EXPERIMENT, tmp_path / "again", layout=SMALL, jobs=2)
    assert (run / checksums.FILE).read_text() == (whole / checksums.FILE).read_text()
    if tool := shutil.which("sha256sum"):
        subprocess.run([tool, "--check", "--quiet", checksums.FILE], cwd=whole, check=True)


def test_a_line_cut_short_by_a_crash_counts_for_nothing(tmp_path: Path) -> None:
    checksums.note(tmp_path, {"games/1": "a" * 64})
    with open(tmp_path / checksums.FILE, "ab") as file:
        file.write(b"b" * 30)
    checksums.note(tmp_path, {"games/2": "c" * 64})
    assert checksums.read_digests(tmp_path) == {"games/1": "a" * 64, "games/2": "c" * 64}


def test_a_line_cut_within_a_name_hurts_no_table_that_is_there(whole: Path, copy: Path) -> None:
    name, of = next(iter(checksums.read_digests(copy).items()))
    cut = f"{of}  {name.partition('/')[0]}".encode()
    with open(copy / checksums.FILE, "ab") as file:
        file.write(cut)
    checksums.note(copy, {name: of})
    assert checksums.read_digests(copy) == checksums.read_digests(whole)
    with open(copy / checksums.FILE, "ab") as file:
        file.write(cut + b"\n")  # as if it had been ended then
    manifest.note(copy, finished=None)
    text = Text()
    runner.run(EXPERIMENT, copy, progress=text)
    assert not text.tables and checksums.read_digests(copy) == checksums.read_digests(whole)


def test_what_a_power_cut_must_not_empty_is_on_disk_before_it_has_its_name(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_disk, names = set[int](), list[str]()

    def fsync(file: int) -> None:
        on_disk.add(os.fstat(file).st_ino)

    def replace(first: Path, other: Path) -> None:
        names.append(Path(other).name)
        assert os.stat(first).st_ino in on_disk
        os.rename(first, other)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    manifest.note(copy, finished=None)
    checksums.settle(copy, checksums.read_digests(copy))
    keep_results(copy, ANSWER)
    assert {"manifest.json", checksums.FILE, RESULTS_FILE} <= set(names)


def test_an_answer_of_a_search_that_was_changed_is_told_and_refused_until_it_is_asked_again(
    copy: Path,
) -> None:
    keep_results(copy, ANSWER)
    open_run(copy)
    (copy / RESULTS_FILE).write_text('{"fair": 0.6}')
    assert state.status(copy).state == state.DAMAGED and state.status(copy).missing_files == [RESULTS_FILE]
    assert f"{RESULTS_FILE} was changed after it was written" in refused(copy)
    text = Text()
    runner.run(EXPERIMENT, copy, progress=text)  # as the command of the search does, too
    assert text.tables == [RESULTS_FILE] and open_run(copy).answer is None
    keep_results(copy, ANSWER)
    runner.run(EXPERIMENT, copy, progress=text)
    open_run(copy)
    assert open_run(copy).answer == ANSWER


@pytest.mark.parametrize("name", ["a[1]", "[ab]", "what?", "all*", "{x}"])
def test_any_name_of_a_folder_is_read_as_that_folder(name: str, copy: Path, tmp_path: Path) -> None:
    for other in ("a1", "a", "whatx", "alle", "x"):
        shutil.copytree(copy, tmp_path / other)
        for table in ("games", "seats"):
            some(tmp_path / other, table, 0).write_bytes(some(copy, table, 1).read_bytes())
    run = open_run(copy.rename(tmp_path / name))
    rows = run.games().collect()
    assert rows.height == run.manifest.games == rows["play"].n_unique()


MANIFESTS = {
    "emptied": "",
    "garbled": "{" * 5000,
    "binary": b"\xff\x00\x80".decode("latin-1"),
    "a list": "[1, 2]",
    "a number": "1e999",
}


@pytest.mark.parametrize("content", MANIFESTS.values(), ids=MANIFESTS.keys())
def test_a_manifest_that_is_none_is_refused_in_a_line(content: str, copy: Path) -> None:
    (copy / "manifest.json").write_text(content)
    assert "manifest.json" in refused(copy)
    with pytest.raises(UsageError, match=r"manifest\.json"):
        runner.run(EXPERIMENT, copy)


EDITS: dict[str, Callable[[dict], object]] = {
    "a cell gone": lambda expected: expected["cells"].pop(),
    "all cells gone": lambda expected: expected.pop("cells"),
    "other layout": lambda expected: expected.update(layout=[1, 0]),
    "other seed": lambda expected: expected["experiment"].update(seed=6),
    "other deals": lambda expected: expected["cells"][0].update(deals=1),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_a_manifest_edited_by_hand_is_refused(edit: Callable[[dict], object], copy: Path) -> None:
    path = copy / "manifest.json"
    expected = json.loads(path.read_text())
    edit(expected)
    path.write_text(json.dumps(expected, indent=1))
    assert "was changed or damaged after it was written" in refused(copy)


def test_an_edited_experiment_is_refused_and_restored_by_the_command_that_played_it(copy: Path) -> None:
    path = copy / "experiment.toml"
    text = path.read_text()
    path.write_text(text.replace("seed = 5", "seed = 6"))
    assert "is not the experiment that was played" in refused(copy)
    runner.run(EXPERIMENT, copy)
    assert path.read_text() == text
    open_run(copy)


def test_a_run_of_other_rules_names_what_differs(copy: Path) -> None:
    options = r'is not given, here it is \{"faces": 8\}; choose another'
    lineups = r'here it is \[\["hold_at\(threshold=9\)\*2"\]\]; choose another'
    for key, other, message in [
        ("options", {"faces": 8}, options),
        ("lineups", ["hold_at(threshold=9)*2"], lineups),
        ("seed", 6, "its key 'seed' is 5, here it is 6; choose another"),
        ("deals", 39, "its key 'deals' is 40, here it is 39; choose another"),
        ("trace", 9, "its key 'trace' is 10, here it is 9; choose another"),
        ("keep_going", True, "its key 'keep_going' is not given, here it is true; "),
    ]:
        with pytest.raises(UsageError, match=message):
            runner.run(EXPERIMENT.with_keys(**{key: other}), copy)


@pytest.mark.parametrize(("key", "name"), [("simkit", "simkit"), ("python", "Python"), ("numba", "Numba")])
def test_another_version_is_named_and_nothing_else(key: str, name: str, copy: Path) -> None:
    manifest.note(copy, **{key: "0.0.1"}, sources={"the rules of pig": "as that version told them"})
    with pytest.raises(UsageError, match=rf"run: it was begun with {name} 0\.0\.1, this is [\w.]+; choose"):
        runner.run(EXPERIMENT, copy)


def test_more_deals_play_what_is_missing_and_give_the_games_of_a_long_run(whole: Path, copy: Path) -> None:
    before = parquet(copy)
    longer = EXPERIMENT.with_keys(deals=100)
    runner.run(longer, copy)
    assert before.items() < parquet(copy).items()
    run = open_run(copy)
    direct = open_run(runner.run(longer, copy.parent / "direct"))
    for table in ("games", "seats", "turns"):
        first, other = (getattr(of, table)().collect() for of in (run, direct))
        by = [name for name in ("play", "seat", "turn") if name in first.columns]
        assert_frame_equal(first.sort(by), other.sort(by))
    assert run.manifest.games == direct.manifest.games and run.experiment == direct.experiment.with_keys()
    play = run.games().filter(pl.col("deal") == 70).select("play").collect()["play"][-1]
    assert run.rows(play) == direct.rows(play)


def test_a_run_that_was_stopped_can_be_lengthened(tmp_path: Path) -> None:
    folder = runner.run(EXPERIMENT, tmp_path / "run", layout=SMALL)
    for path in list((folder / "games").iterdir())[::2]:
        path.unlink()
    runner.run(EXPERIMENT.with_keys(deals=60), folder)
    direct = runner.run(EXPERIMENT.with_keys(deals=60), tmp_path / "direct")
    first, other = (open_run(of).games().collect().sort("play") for of in (folder, direct))
    assert_frame_equal(first, other)


@pytest.mark.slow
def test_a_stopped_run_whose_cells_stop_by_themselves_keeps_its_tables_and_goes_on_the_same(
    tmp_path: Path,
) -> None:
    keys = KEYS | {"deals": 2000, "lineups": ["hold_at*2"], "sweep": {"goal": [10, 40, 100]}, "trace": 0}
    request = experiment.parse(keys | {"baseline": {}, "until_verdict": True, "margin": 0.05})
    direct = runner.run(request, tmp_path / "direct", layout=SMALL)
    ends = sorted(cell.deals for cell in open_run(direct).cells)
    assert ends[0] < ends[-1]  # one stops before the others
    folder, games = tmp_path / "run", 3 * ends[0] + 100
    with pytest.raises(KeyboardInterrupt):
        runner.run(request, folder, progress=StopsAt(games), layout=SMALL)
    result, before = state.status(folder), checksums.read_digests(folder)
    assert result.state == state.STOPPED and not result.missing_files and result.games > 3 * ends[0]
    partly = open_partly(folder)
    assert partly.games().collect().height == sum(cell.deals for cell in partly.cells) > 3 * ends[0]
    stored = {name: (folder / name).stat().st_mtime_ns for name in before}
    text = Text()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shutil, "rmtree", lambda *_, **__: None)  # removes the interim tables at the end
        runner.run(request, folder, progress=text)
    assert not text.tables and parquet(folder) == parquet(direct)
    assert stored == {name: (folder / name).stat().st_mtime_ns for name in before}
    assert checksums.read_digests(folder) == checksums.read_digests(direct)


def test_a_run_whose_cells_stop_by_themselves_is_not_lengthened(tmp_path: Path) -> None:
    request = EXPERIMENT.with_keys(until_width=0.5, trace=0)
    folder = runner.run(request, tmp_path / "run")
    with pytest.raises(UsageError, match="its key 'deals' is 40, here it is 60"):
        runner.run(request.with_keys(deals=60), folder)


def test_a_sweep_in_another_order_is_another_run(tmp_path: Path) -> None:
    request = EXPERIMENT.with_keys(sweep={"goal": [30, 60], "faces": [6, 8]}, trace=0, baseline={})
    other = request.with_keys(sweep={"faces": [6, 8], "goal": [30, 60]})
    folder = runner.run(request, tmp_path / "run", layout=SMALL)
    before = (folder / "experiment.toml").read_text()
    for longer in (other, other.with_keys(deals=60)):
        with pytest.raises(OtherRun, match="keys in the order goal, faces, here faces, goal; choose another"):
            runner.run(longer, folder)
    assert (folder / "experiment.toml").read_text() == before
    open_run(folder)


def test_the_experiment_stays_as_it_was_first_written(tmp_path: Path) -> None:
    request = EXPERIMENT.with_keys(options={"faces": 8, "bust": 2}, trace=0)
    folder = runner.run(request, tmp_path / "run", layout=SMALL)
    before = (folder / "experiment.toml").read_text()
    runner.run(request.with_keys(options={"bust": 2, "faces": 8}), folder)
    assert (folder / "experiment.toml").read_text() == before
    open_run(folder)


def given_up(folder: Path, deals: int) -> dict[str, bytes]:
    """Lengthen a run, stop it in the middle, go back to the deals before; the tables then there."""
    with pytest.raises(KeyboardInterrupt):
        runner.run(EXPERIMENT.with_keys(deals=deals), folder, progress=StopsAt(400))
    text = Text()
    runner.run(EXPERIMENT, folder, progress=text)
    assert not text.tables
    return parquet(folder)


def test_more_deals_by_mistake_can_be_taken_back(whole: Path, copy: Path) -> None:
    there = given_up(copy, 10_000)
    assert parquet(whole).items() < there.items()
    run = open_run(copy)
    assert run.manifest.finished and run.experiment.deals == 40
    assert run.games().collect().equals(open_run(whole).games().collect())
    assert status(copy).state == "finished"


@pytest.mark.slow
def test_what_a_longer_run_left_serves_it_when_it_goes_on(copy: Path) -> None:
    given_up(copy, 500)
    there = checksums.read_digests(copy)
    written = {name: (copy / name).stat().st_mtime_ns for name in there}
    runner.run(EXPERIMENT.with_keys(deals=500), copy)
    assert there.items() < checksums.read_digests(copy).items()
    assert written == {name: (copy / name).stat().st_mtime_ns for name in there}


def test_what_a_longer_run_left_is_not_taken_for_that_of_another_length(copy: Path, tmp_path: Path) -> None:
    given_up(copy, 500)
    longer = EXPERIMENT.with_keys(deals=120)
    first, other = (open_run(runner.run(longer, at)) for at in (copy, tmp_path / "direct"))
    assert_frame_equal(first.games().collect().sort("play"), other.games().collect().sort("play"))


def test_a_longer_run_that_is_finished_is_not_shortened(copy: Path) -> None:
    runner.run(EXPERIMENT.with_keys(deals=60), copy)
    with pytest.raises(OtherRun, match="its key 'deals' is 60, here it is 40"):
        runner.run(EXPERIMENT, copy)


@pytest.mark.parametrize("number", [None, 2])
def test_a_run_of_another_format_names_it_and_says_what_can_be_done(
    number: int | None, copy: Path, tmp_path: Path
) -> None:
    keys = json.loads((copy / "manifest.json").read_text()) | {"simkit": "0.0.7", "format": number}
    if number is None:  # format 1 had no number, and at first no checksum
        del keys["format"], keys["checksum"]
    (copy / "manifest.json").write_text(json.dumps(keys))
    message = (
        rf"the run has format {number or 1}, written by simkit 0\.0\.7, not 3; read it with that version, or"
    )
    for use in (open_run, open_partly, lambda folder: runner.run(EXPERIMENT, folder)):
        with pytest.raises(OtherRun, match=f"{message} play it again into another folder"):
            use(copy)
    request = ["run", str(copy / "experiment.toml"), "-o", str(copy), "--into", str(tmp_path / "new")]
    with pytest.raises(SystemExit, match="0"):
        main(request)
    open_run(tmp_path / "new")


HOLDER = """
import sys, time
from pathlib import Path
from simkit.runs.storage.lock import hold
with hold(Path(sys.argv[1])):
    print("mine", flush=True)
    time.sleep(600)
"""


def test_one_process_writes_in_a_folder_and_its_lock_dies_with_it(copy: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(copy)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None and holder.stdout.readline() == b"mine\n"
        with pytest.raises(UsageError, match="another process is playing this run"):
            runner.run(EXPERIMENT, copy)
        open_run(copy)  # readers may look
    finally:
        holder.kill()
        holder.wait()
    runner.run(EXPERIMENT, copy)


def stopped(folder: Path, lost: str) -> Path:
    """A copy of a finished run as if it had been stopped before the shards whose parts `lost` names."""
    expected = checksums.read_digests(folder)
    missing = [name for name in expected if name.endswith(lost)]
    for name in missing:
        (folder / name).unlink(missing_ok=True)
    checksums.settle(folder, {name: of for name, of in expected.items() if name not in missing})
    manifest.note(folder, finished=None)
    return folder


def test_a_run_that_was_stopped_is_told_of_as_far_as_it_goes(whole: Path, copy: Path) -> None:
    run = open_run(whole)
    lost = run.shards[1]
    stopped(copy, lost.file)
    (part,) = lost.parts
    partly = open_partly(copy)
    assert 0 < partly.part < 1
    for table in ("games", "seats", "turns"):
        every, there = (getattr(of, table)().collect() for of in (run, partly))
        rows = every.filter((pl.col("cell") != part.cell) | (pl.col("deal") < part.first))
        assert_frame_equal(there, rows)
    cells = {cell.index: cell.deals for cell in partly.cells}
    assert cells.get(part.cell, 0) == part.first
    with pytest.raises(UsageError, match="not complete"):
        open_run(copy)


def test_the_report_of_a_part_says_so(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stopped(copy, open_run(copy).shards[-1].file)
    page = copy / "page.md"
    with pytest.raises(SystemExit, match="0"):
        main(["report", str(copy), "-o", str(page)])
    part = open_partly(copy).part
    assert f"The run is not finished: this tells of {100 * part:.1f} % of its games." in page.read_text()
    assert "Not known yet" in page.read_text() and "Finish the run by the same command." in page.read_text()


def test_status_says_how_a_run_stands(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def text() -> str:
        with pytest.raises(SystemExit, match="0"):
            main(["status", str(copy)])
        return capsys.readouterr().out

    of = f"{sum(cell.plays for cell in open_run(copy).cells):,}"
    assert text() == f"{copy} is finished: {of} of {of} games\n"
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(copy)], stdout=subprocess.PIPE)
    try:
        assert holder.stdout is not None and holder.stdout.readline() == b"mine\n"
        assert f"{copy} is playing" in text()
    finally:
        holder.kill()
        holder.wait()
    shard = open_run(copy).shards[0]
    (copy / shard.files[0]).unlink()
    assert f"{copy} is damaged" in text() and f"missing or changed, such as {shard.files[0]}" in text()
    stopped(copy, shard.file)
    assert f"{copy} is stopped" in text()


@pytest.fixture
def for_anybody() -> Iterator[Path]:
    """A folder that other users can look at, too."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


@pytest.mark.posix
def test_whoever_may_only_look_is_told_that_a_run_is_being_played(for_anybody: Path) -> None:
    root = os.getuid() == 0
    with hold(for_anybody):
        os.chmod(for_anybody / ".lock", 0o444)
        if root:
            os.seteuid(65534)
        try:
            with pytest.raises(PermissionError):
                os.open(for_anybody / ".lock", os.O_RDWR)
            assert is_held(for_anybody)
        finally:
            if root:
                os.seteuid(0)
    assert not is_held(for_anybody)


def test_another_question_is_played_into_the_folder_kept_for_it(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    request = ["run", str(copy / "experiment.toml"), "--seed", "6", "-o", str(copy)]
    with pytest.raises(SystemExit, match="2"):
        main(request)
    assert "holds another run: its key 'seed' is 5, here it is 6" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="0"):
        main([*request, "--into", str(tmp_path / "new")])
    assert open_run(tmp_path / "new").experiment.seed == 6
    assert open_run(copy).experiment.seed == 5
