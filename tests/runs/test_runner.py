"""A run is the same whatever carries it out: shard size, workers, interruptions; and a fault takes no other
game with it.
"""

import itertools
import os
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from simkit import system
from simkit.engine import registry, watchdog
from simkit.engine.compile import jit
from simkit.errors import PlayError, UsageError
from simkit.runs import experiment, log, manifest, play, runner, workers
from simkit.runs.folder import open_run
from simkit.runs.plan import MOST_ROWS, TABLES, Layout, load, make_plan, shards, usual_layout
from simkit.runs.progress import Board, Progress
from simkit.runs.status import status
from simkit.runs.storage import checksums
from tests.everyday import everyday

KEYS = {
    "question": "?",
    "game": "pig",
    "deals": 60,
    "seed": 5,
    "trace": 3,
    "lineups": ["hold_at(threshold=10), hold_at, random", "hold_at*2"],
    "sweep": {"goal": [30, 60]},
}
EXPERIMENT = experiment.parse(KEYS)

FAULTY = '''
from simkit.games.pig import HOLD, ROLL, game
from simkit.engine.strategy import Weight, strategy


@strategy(game, threshold=Weight(25, 1, 100, "Cheat from this turn total on"))
def cheat(view, rules, legal, w, rng, scratch, memo):
    """Hold at 20, but cheat on a lucky turn."""
    if view.turn_total >= w.threshold:
        return 7
    return HOLD if view.turn_total >= 20 else ROLL


@strategy(game)
def crash(view, rules, legal, w, rng, scratch, memo):
    """Fails."""
    if view.score[0] >= 20:
        raise ValueError("no idea")
    return legal[0]
'''
BROKEN = '''
from simkit.games.pig import game
from simkit.engine.strategy import strategy


@strategy(game)
def broken(view, rules, legal, w, rng, scratch, memo):
    """Reads a field that is not there."""
    return legal[view.no_such_field]
'''
MINE = '''
from simkit.games.pig import game
from simkit.engine.strategy import strategy


@strategy(game)
def mine(view, rules, legal, w, rng, scratch, memo):
    """Takes the first."""
    return legal[0]'''
OTHER = '''

@strategy(game)
def other(view, rules, legal, w, rng, scratch, memo):
    """Takes the last."""
    return legal[-1]
'''
CARDED = """
import dataclasses
from simkit.errors import UsageError
from simkit.engine.fields import scalar
from simkit.engine.game import Components, TableFile
from simkit.games import pig
from simkit.engine.compile.jit import rule


@rule
def setup(s, rules, rng):
    s.score[0] = rules.handicap
    pig.begin_turn(s, 0)


def read(path):
    text = path.read_text().strip()
    if not text.isdigit():
        raise UsageError(f"{path}: '{text}' is not a number of points")
    return int(text)


game = dataclasses.replace(
    pig.game, name="carded", setup=setup, components=Components(
        [scalar("handicap", "i2", "Points of seat 0 at the start")],
        lambda options, files: {"handicap": files.get("cards", 0)},
        {"cards": TableFile(read)},
    ),
)
"""


def tables(folder):
    run = open_run(folder)
    names = ("games", "seats", "turns")[: 3 if run.experiment.trace else 2]
    return [getattr(run, name)().collect() for name in names]


def assert_same(folder, other):
    for first, two in zip(tables(folder), tables(other), strict=True):
        assert_frame_equal(first, two)


def shard_files(folder):
    return {table: sorted(p.name for p in (folder / table).iterdir()) for table in TABLES}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return runner.run(EXPERIMENT, tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    for part in ("strategies", "games"):
        (folder / part).mkdir(parents=True)
    yield folder
    registry.set_projects([])


def add(project, part, source):
    (project / part).write_text(source)
    registry.set_projects([])  # read again
    registry.add_project(project)


def refusal(call, *args, **keys):
    with pytest.raises(UsageError) as caught:
        call(*args, **keys)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("size", everyday([7, 60, 1000, 1], 3))
def test_tables_do_not_depend_on_the_shard_size(whole, tmp_path, size):
    assert_same(whole, runner.run(EXPERIMENT, tmp_path / "run", layout=Layout(size, size)))


def test_tables_do_not_depend_on_the_batches_inside_a_shard(whole, tmp_path, monkeypatch):
    monkeypatch.setattr(play, "STATES_BYTES", 4000)
    assert_same(whole, runner.run(EXPERIMENT, tmp_path / "run"))


def contents(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.glob("*/*.parquet"))
    }


def without_times(folder):
    return {
        key: value
        for key, value in manifest.read(folder).model_dump().items()
        if key not in ("started", "finished", "seconds")
    }


@pytest.fixture(scope="module")
def longer(tmp_path_factory):
    """A run of several shards per cell, with a trace."""
    return runner.run(EXPERIMENT.with_keys(deals=700, trace=50), tmp_path_factory.mktemp("longer") / "run")


CLOCKS = {
    "busy machine": (lambda tick: 100.0 * tick, {}),  # it stands still between two looks
    "stalled clock": (lambda tick: 7.0, {}),
    "jumping clock": (lambda tick: float(tick % 3), {"jobs": 2}),
    "processes": (None, {"jobs": 2, "backend": "loky"}),
}


@pytest.mark.parametrize("name", [pytest.param("busy machine", marks=pytest.mark.slow), *list(CLOCKS)[1:]])
def test_two_runs_of_an_experiment_have_the_same_files_whatever_the_clock_says(
    longer, tmp_path, monkeypatch, name
):
    clock, how = CLOCKS[name]
    if clock:
        ticks = itertools.count()
        monkeypatch.setattr(play.time, "perf_counter", lambda: clock(next(ticks)))
        monkeypatch.setattr(play, "_pace", {})
    run = runner.run(open_run(longer).experiment, tmp_path / "again", **how)
    assert contents(run) == contents(longer) and len(contents(longer)) > 10
    assert without_times(run) == without_times(longer)


def test_a_run_that_may_stop_and_does_not_has_the_files_of_one_that_may_not(longer, tmp_path):
    request = open_run(longer).experiment.with_keys(until_width=0.001)
    folder = runner.run(request, tmp_path / "run")
    assert contents(folder) == contents(longer) and len(open_run(folder).analyses) == 11
    assert {path.name for path in folder.iterdir()} == {path.name for path in longer.iterdir()}
    for path in folder.glob("*/*.parquet"):
        path.unlink()
    runner.run(request, folder)  # plays the shards, as there is nothing to copy
    assert contents(folder) == contents(longer)


def test_shards_have_numbers_of_rows_that_depend_on_the_experiment_alone():
    request = EXPERIMENT.with_keys(deals=20_000)
    cells, layout = make_plan(request).cells, usual_layout(registry.game("pig"), [])
    result = shards(cells, layout, [20_000], 0)
    rows = [
        sum((p.last - p.first) * cells[p.cell].rotations * cells[p.cell].seats for p in s.parts)
        for s in result
    ]
    assert sum(rows) == 2 * 20_000 * (9 + 2) and 10 < len(result) < 30
    assert max(rows) <= layout.size(sum(rows)) <= layout.most
    assert layout.size(10**12) == layout.most == MOST_ROWS
    wide = usual_layout(registry.game("outpost"), [])
    assert wide.most < layout.most  # a game with a wide log keeps its memory small
    of = registry.game("outpost_seven")
    slow = usual_layout(of, [registry.strategy(of, "search")])
    assert slow.size(40_000) < layout.size(40_000) / 3  # who thinks long is given to more workers


@pytest.mark.slow
def test_a_thousand_small_cells_share_files(tmp_path):
    goals, seats = list(range(1, 351)), [2, 3, 4]
    lineups = [f"hold_at(threshold={n}), random*{n - 1}" for n in seats]
    request = EXPERIMENT.with_keys(deals=2, trace=0, lineups=lineups, sweep={"goal": goals})
    run = open_run(runner.run(request, tmp_path / "run"))
    files = shard_files(run.folder)
    assert len(run.cells) == 1050 and len(files["games"]) < 20 and files["games"] == files["seats"]
    games, seats_table = run.games().collect(), run.seats().collect()
    assert games["play"].sort().to_list() == list(range(2 * 350 * 9))
    assert games.group_by("cell", maintain_order=True).agg(pl.col("goal").first())["goal"].to_list() == [
        goal for goal in goals for _ in seats
    ]
    assert set(seats_table["strategy"].unique().cast(pl.String)) == {
        "random",
        *(f"hold_at(threshold={n})" for n in seats),
    }
    alone = runner.run(request.with_keys(sweep={"goal": [250]}), tmp_path / "alone")
    names = [name for name in games.columns if name not in ("play", "cell")]
    same = run.only([747, 748, 749]).games().collect()[names]
    assert_frame_equal(same, open_run(alone).games().collect()[names])
    game, rows = run.rows(4500)
    assert game["goal"] == 151 and len(rows) == 2 and run.locate(4500)[0].varied == {"goal": 151}


def test_a_run_of_some_cells_or_deals_reads_only_the_files_that_hold_them(tmp_path):
    run = open_run(runner.run(EXPERIMENT, tmp_path / "run", layout=Layout(90, 90)))
    some = run.only([2])
    assert len(some.shards) == 6 < len(run.shards)
    assert set(some.games().collect()["cell"]) == {2} == set(some.seats().collect()["cell"])
    assert {p.cell for s in run.between(0, 10).shards for p in s.parts} == {0, 1, 2, 3}
    assert run.between(0, 10).games().filter(pl.col("deal") < 10).collect().height == 2 * 10 * 4
    assert len(run.between(0, 10).shards) == 4


@pytest.mark.slow
def test_tables_do_not_depend_on_the_compiler(whole, tmp_path):
    (tmp_path / "asked.toml").write_text(EXPERIMENT.to_toml())
    script = (
        "import sys; from simkit.runs import plan, runner; runner.run(plan.load(sys.argv[1]), sys.argv[2])"
    )
    other = {
        **os.environ,
        "PYTHONPATH": str(registry.ROOT),
        "NUMBA_DISABLE_JIT": "1" if jit.COMPILED else "0",
    }
    subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "asked.toml"), str(tmp_path / "run")],
        env=other,
        check=True,
    )
    assert_same(whole, tmp_path / "run")


def test_workers_return_digests_of_their_tables_and_count_their_games(whole):
    run = open_run(whole)
    board = Board(whole / ".progress-1")
    board.begin(2)
    shard = run.shards[0]
    cells = [run.cells[part.cell] for part in shard.parts]
    before = checksums.valid_files(whole, shard.files)
    assert workers.play_shard([], board, whole, EXPERIMENT, 1, shard, cells) == workers.Outcome(
        1, files=before
    )
    assert board.games() == shard.games(run.cells)
    board.path.unlink()
    assert workers.play_shard([], board, whole, EXPERIMENT, 1, shard, cells) == workers.Outcome(1)  # it stops


@pytest.mark.parametrize("table", ["games", "seats", "turns"])
def test_a_run_killed_between_the_files_of_a_shard_is_finished_the_same(whole, tmp_path, monkeypatch, table):
    written = []

    def dies(unfinished, path, replace=os.replace):
        written.append(path.parent.name)
        if path.suffix == ".parquet" and written.count(table) == 2:
            path.with_name(f".{path.name}.1.tmp").write_bytes(b"half a file")
            raise KeyboardInterrupt
        replace(unfinished, path)

    monkeypatch.setattr(os, "replace", dies)
    with pytest.raises(KeyboardInterrupt):
        runner.run(EXPERIMENT, tmp_path / "run", layout=Layout(90, 90))
    monkeypatch.undo()
    assert len(list((tmp_path / "run" / table).glob("[!.]*"))) == 1
    assert_same(whole, runner.run(EXPERIMENT, tmp_path / "run"))
    assert not list((tmp_path / "run").rglob("*.tmp"))


def test_a_stop_by_the_user_leaves_whole_shards_and_the_run_can_go_on(whole, tmp_path):
    class Stops(Progress):
        def report_games(self, done, total):
            if done >= 300:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(EXPERIMENT, tmp_path / "run", layout=Layout(90, 90), progress=Stops())
    expected = manifest.read(tmp_path / "run")
    written = pl.scan_parquet(tmp_path / "run" / "games" / "*.parquet").collect().height
    assert expected.finished is None and 0 < expected.games <= written < 480
    assert not list((tmp_path / "run").rglob(".*"))
    assert_same(whole, runner.run(EXPERIMENT, tmp_path / "run"))


@pytest.mark.slow
def test_tables_that_were_whole_before_a_stop_are_kept_though_nobody_had_heard_of_them(tmp_path):
    tables = (tmp_path / "run" / "games").glob

    class Stops(Progress):
        def report_games(self, done, total):
            while done and sum(pl.scan_parquet(t).collect().height for t in tables("*.parquet")) < 480:
                time.sleep(0.01)
            if done:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(EXPERIMENT, tmp_path / "run", layout=Layout(30, 30), progress=Stops())
    assert status(tmp_path / "run").games == 480


@pytest.mark.slow
def test_workers_that_are_lost_again_and_again_end_the_run_with_the_deals_they_were_at(tmp_path, monkeypatch):
    monkeypatch.setattr(workers.Workers, "check_batches", lambda self: watchdog.kill_workers("LokyProcess"))
    with pytest.raises(
        PlayError, match=r"3 times in a row a worker process ended .* \(cell \d, deals \d+ to "
    ):
        runner.run(EXPERIMENT.with_keys(deals=20_000), tmp_path / "run", jobs=2, backend="loky")
    assert not list((tmp_path / "run").rglob(".*"))


SLOW = '''
from simkit.games.pig import HOLD, ROLL, game
from simkit.engine.strategy import strategy


@strategy(game)
def slow(view):
    """Thinks long before it rolls."""
    n = 0
    for i in range(2_000_000_000):
        n = (n * 31 + i) % 1_000_003
        if n == 1_000_003:
            return HOLD
        if i > 300_000 and view.turn_total >= 0:
            break
    return HOLD if view.turn_total >= 20 else ROLL
'''


@pytest.mark.parametrize("backend", ["threading", "loky"])
@pytest.mark.skipif(not jit.COMPILED, reason="too slow without the compiler")
def test_a_slow_lineup_says_how_far_it_is_and_stops_within_about_a_second(project, tmp_path, backend):
    add(project, "strategies/slow.py", SLOW)
    request = experiment.parse({**KEYS, "sweep": {}, "deals": 5000, "lineups": ["slow, random"]})
    heard = []

    class Stops(Progress):
        def report_games(self, done, total):
            heard.append((time.monotonic(), done))
            if len(heard) == 4:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runner.run(
            request, tmp_path / "run", jobs=2, backend=backend, layout=Layout(10**6, 10**6), progress=Stops()
        )
    assert time.monotonic() - heard[-1][0] < 2 and 0 < heard[-1][1] < 10_000
    assert [done for _, done in heard] == sorted({done for _, done in heard})
    assert not list((tmp_path / "run").glob("games/*"))


def test_a_finished_run_is_not_played_again(tmp_path):
    folder = runner.run(EXPERIMENT, tmp_path / "run")
    before = (manifest.read(folder), {p: p.stat().st_mtime_ns for p in folder.glob("*/*.parquet")})
    runner.run(EXPERIMENT, folder)
    assert before == (manifest.read(folder), {p: p.stat().st_mtime_ns for p in folder.glob("*/*.parquet")})


def test_progress_counts_every_game_once(tmp_path):
    text = []

    class Notes(Progress):
        def report_games(self, done, total):
            text.append((done, total))

    runner.run(EXPERIMENT, tmp_path / "run", layout=Layout(50, 50), progress=Notes())
    assert text[0] == (0, 480) and text[-1] == (480, 480)
    assert [done for done, _ in text] == sorted({done for done, _ in text})


def test_strategies_move_round_the_seats_and_the_luck_stays(whole):
    games, seats, *_ = tables(whole)
    labels = open_run(whole).cells[0].labels
    for deal, rotation, sitting in (
        seats.filter(cell=0).group_by("deal", "rotation", maintain_order=True).agg("strategy").rows()
    ):
        assert sitting == [labels[(seat + rotation) % 3] for seat in range(3)], (deal, rotation)
    assert games.filter(cell=0)["rotation"].unique().sort().to_list() == [0, 1, 2]


def test_rotations_of_a_deal_and_cells_of_a_sweep_meet_the_same_dice(tmp_path):
    """Mirrors under two labels play the same game in both rotations."""
    request = experiment.parse({**KEYS, "lineups": ["hold_at, hold_at(threshold=20)"], "sweep": {}})
    games, seats, *_ = tables(runner.run(request, tmp_path / "run"))
    log = ["winner", "decisions", "turns", "rolls", "busts"]
    assert_frame_equal(games.filter(rotation=0)[log], games.filter(rotation=1)[log])
    assert_frame_equal(
        seats.filter(rotation=0)[["score", "best_turn"]], seats.filter(rotation=1)[["score", "best_turn"]]
    )
    assert games["rolls"].n_unique() > 10


def test_another_seed_is_other_luck_and_the_same_seed_the_same(whole, tmp_path):
    assert_same(whole, runner.run(EXPERIMENT, tmp_path / "again"))
    other = tables(runner.run(EXPERIMENT.with_keys(seed=6), tmp_path / "other"))[0]
    assert other["rolls"].to_list() != tables(whole)[0]["rolls"].to_list()


def test_shares_sum_to_one_in_every_game_and_the_winner_has_it(whole):
    games, seats, *_ = tables(whole)
    assert seats.group_by("play").agg(pl.col("share").sum())["share"].to_list() == [1.0] * 480
    winners = seats.filter(share=1.0).sort("play")["seat"]
    assert games.sort("play")["winner"].to_list() == winners.to_list() and not games["draw"].any()


def test_winner_is_null_and_draw_true_when_the_first_rank_is_shared_and_a_loss_to_the_game_is_no_draw():
    game, cell = registry.game("pig"), make_plan(EXPERIMENT).cells[0]
    states = np.zeros(4, game.state_dtype)
    states["rank"][:, :3] = [[2, 1, 3], [1, 3, 1], [1, 1, 1], [0, 0, 0]]
    deals, shifts = np.arange(4), np.zeros(4, np.int64)
    games = log.games_table(game, cell, deals, shifts, states).to_pydict()
    seats = log.seats_table(game, cell, deals, shifts, states).to_pydict()
    assert games["winner"] == [1, None, None, None]
    assert games["draw"] == [False, True, True, False]
    assert seats["share"] == [0, 1, 0, 0.5, 0, 0.5, 1 / 3, 1 / 3, 1 / 3, 0, 0, 0]
    assert seats["rank"] == [2, 1, 3, 1, 3, 1, 1, 1, 1, 0, 0, 0]


def test_an_illegal_action_names_its_place_and_takes_no_other_game_with_it(project, tmp_path):
    add(project, "strategies/faulty.py", FAULTY)
    request = experiment.parse({**KEYS, "sweep": {}, "deals": 500, "lineups": ["hold_at, cheat"]})
    with pytest.raises(PlayError) as caught:
        runner.run(request, tmp_path / "run", layout=Layout(1, 1))
    text = str(caught.value)
    done = list(shard_files(tmp_path / "run")["games"])
    assert f"pig: seed 5, deal {len(done)}, rotation" in text
    assert "strategy cheat: chose the illegal action 7" in text and ", seat " in text
    assert 0 < len(done) < 500 and shard_files(tmp_path / "run")["seats"] == done
    sound = tables(
        runner.run(
            request.with_keys(lineups=["hold_at, cheat(threshold=100)"], deals=len(done)), tmp_path / "sound"
        )
    )[0]
    table = pl.concat(pl.read_parquet(tmp_path / "run" / "games" / name) for name in done)
    assert table["rolls"].to_list() == sound["rolls"].to_list()


@pytest.mark.slow
def test_worker_processes_follow_into_another_current_folder(tmp_path, monkeypatch):
    """given two runs of one program from different folders, the processes of the first play the second, too."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        folder = runner.run(EXPERIMENT, "run", jobs=2, backend="loky")
        assert (tmp_path / name / folder / "games").is_dir()


def test_an_exception_in_a_strategy_names_its_place_with_any_backend(project, tmp_path):
    add(project, "strategies/faulty.py", FAULTY)
    request = experiment.parse({**KEYS, "sweep": {}, "lineups": ["hold_at, crash"]})
    for backend in ("threading", "loky"):
        with pytest.raises(
            PlayError,
            match=r"pig: seed 5, deal 0, rotation \d, seat \d, strategy crash: failed: ValueError: no idea",
        ):
            runner.run(request, tmp_path / backend, jobs=2, backend=backend, layout=Layout(1, 1))


@pytest.mark.skipif(not jit.COMPILED, reason="without the compiler nothing fails to compile")
def test_a_strategy_that_does_not_compile_is_told_before_anything_is_written(project, tmp_path):
    add(project, "strategies/broken.py", BROKEN)
    text = refusal(runner.run, EXPERIMENT.with_keys(lineups=["broken*2"]), tmp_path / "run")
    assert "broken.py" in text and "strategy broken does not compile" in text and "no_such_field" in text
    assert not (tmp_path / "run").exists()


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert "is a file, and a run is played into a folder" in refusal(
        runner.run, EXPERIMENT, tmp_path / "file"
    )
    assert "cannot write there" in refusal(runner.run, EXPERIMENT, tmp_path / "file" / "run")


def test_a_folder_with_other_things_in_it_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    assert "not empty and not a run" in refusal(runner.run, EXPERIMENT, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_files_that_file_managers_leave_are_nobodys(tmp_path):
    for name in system.DEBRIS:
        (tmp_path / name).touch()
    runner.run(EXPERIMENT, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} >= {*system.DEBRIS, "manifest.json"}


def test_a_run_whose_strategy_has_changed_is_not_mixed_with_new_games(project, tmp_path):
    """A comment, and another strategy in the same file, change nothing; the rules of `mine` do."""
    add(project, "strategies/mine.py", MINE)
    request = experiment.parse({**KEYS, "lineups": ["mine*2"]})
    folder = runner.run(request, tmp_path / "run")
    add(project, "strategies/mine.py", f"{MINE}  # the first\n{OTHER}")
    runner.run(request, folder)
    add(project, "strategies/mine.py", MINE.replace("legal[0]", "legal[-1]"))
    assert "holds another run: strategy mine changed since it began" in refusal(runner.run, request, folder)


def test_no_jobs_and_unknown_backends_are_refused(tmp_path):
    assert "0 jobs" in refusal(runner.run, EXPERIMENT, tmp_path / "run", jobs=0)
    text = refusal(runner.run, EXPERIMENT, tmp_path / "run", backend="lokky")
    assert text.startswith("unknown backend 'lokky'; did you mean 'loky'? (known: dask, loky, ")


@pytest.mark.slow
def test_a_card_file_is_copied_and_everything_after_reads_the_copy(project, tmp_path):
    add(project, "games/carded.py", CARDED)
    (tmp_path / "cards.csv").write_text("28")
    (tmp_path / "asked.toml").write_text(
        'question="?"\ngame="carded"\ndeals=20\nlineups=["random*2"]\nfiles.cards="cards.csv"\n[options]\ngoal=30\n'
    )
    request = load(tmp_path / "asked.toml")
    folder = runner.run(request, tmp_path / "run", layout=Layout(5, 5))
    before = tables(folder)
    assert (folder / "files" / "cards.csv").read_text() == "28"
    assert (
        str(tmp_path) not in (folder / "experiment.toml").read_text() + (folder / "manifest.json").read_text()
    )
    (tmp_path / "cards.csv").write_text("0")
    assert "other contents of the designer's file for cards" in refusal(runner.run, request, folder)
    (folder / "games" / shard_files(folder)["games"][1]).unlink()
    runner.run(load(folder / "experiment.toml"), folder)
    for was, now in zip(before, tables(folder), strict=True):
        assert_frame_equal(was, now)
    assert before[1].filter(seat=0)["score"].min() >= 28
    (tmp_path / "cards.csv").write_text("many")
    assert "'many' is not a number of points" in refusal(runner.run, request, tmp_path / "other")
    (tmp_path / "cards.csv").unlink()
    assert "does not exist" in refusal(runner.run, request, tmp_path / "other")
