"""A run folder may be an address (s3://bucket/runs/x): the same tables, and every command can be repeated."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import fsspec
import pytest

from simkit import cli
from simkit.errors import OtherRun, UsageError
from simkit.runs import experiment, plan, runner, status, workers
from simkit.runs.folder import SIDE_RUNS, open_run
from simkit.runs.plan import Layout, read_files
from simkit.runs.progress import Progress
from simkit.runs.storage import checksums, lock, remote

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
KEYS = {
    "question": "?",
    "game": "pig",
    "deals": 30,
    "seed": 5,
    "trace": 3,
    "lineups": ["hold_at(threshold=10), hold_at"],
    "sweep": {"goal": [30, 60]},
}
EXPERIMENT = experiment.parse(KEYS)
STOPPING = EXPERIMENT.with_keys(deals=300, until_width=0.05)  # three interim analyses
SMALL = Layout(11, 11)
THERE = "memory://runs/x"
GAMES = 120
SEARCH = [
    "fair",
    "pig",
    "--vary",
    "goal=20:60",
    "--deals",
    "100",
    "--lineup",
    "hold_at(threshold=10),hold_at",
]
KILLED = """
import os, signal, sys
import s3fs
from simkit import cli
from simkit.runs import plan

async def put(self, *args, plain=s3fs.S3FileSystem._put_file, left=[int(sys.argv[1])], **how):
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    left[0] -= 1
    await plain(self, *args, **how)

s3fs.S3FileSystem._put_file, plan.usual_layout = put, lambda *_: plan.Layout(11, 11)
cli.main(sys.argv[2:])
"""  # a command that is killed after so many files


class StopsAfter(Progress):
    """As somebody who presses Ctrl-C after so many games; notes how many were there at first."""

    def __init__(self, games=10**9):
        self.games, self.first = games, None

    def report_games(self, done, total):
        self.first = done if self.first is None else self.first
        if done >= self.games:
            raise KeyboardInterrupt


def play(address=THERE, request=EXPERIMENT, games=10**9, layout=SMALL):
    """Play, or go on; return how many games were there already."""
    progress = StopsAfter(games)
    runner.run(request, address, layout=layout, progress=progress)
    return progress.first


def stop(address=THERE, games=40):
    with pytest.raises(KeyboardInterrupt):
        play(address, games=games)


def command(*words):
    with pytest.raises(SystemExit) as end:
        cli.main(list(words))
    return end.value.code


def digests(fs, root):
    """SHA-256 of the tables and of the list of their checksums, by name."""
    names = [name for name in fs.find(root) if name.endswith((".parquet", checksums.FILE))]
    return {name.removeprefix(root): hashlib.sha256(fs.cat_file(name)).hexdigest() for name in names}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Digests of the same run, undisturbed in a folder on this machine."""
    folder = runner.run(EXPERIMENT, tmp_path_factory.mktemp("alone") / "run", layout=SMALL)
    return digests(fsspec.filesystem("file"), str(folder))


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Change to the machine of this name, which has local folders of its own."""

    def change(name):
        monkeypatch.setenv("SIMKIT_CACHE", str(tmp_path / name))
        monkeypatch.setattr(remote, "_folders", {})

    return change


@pytest.fixture(autouse=True)
def memory(machine):
    """The file system behind memory://, empty; the machine is `first`."""
    fs = fsspec.filesystem("memory")
    fs.rm("/", recursive=True)
    machine("first")
    yield fs
    fs.store.clear()


@pytest.fixture
def uploads(memory, monkeypatch):
    """List of the files uploaded, by name; after `most` of them the command dies."""

    class Uploads(list):
        most = None

    names, plain = Uploads(), type(memory).mv

    def mv(self, path, target, **how):
        if names.most is not None and len(names) >= names.most:
            raise KeyboardInterrupt
        names.append(target.removeprefix("/runs/x/"))
        plain(self, path, target, **how)

    monkeypatch.setattr(type(memory), "mv", mv)
    return names


@pytest.fixture
def played(monkeypatch):
    """List of the tables of games that were played, by name."""
    names, plain = [], workers.write

    def write(folder, experiment, cells, shard, text):
        names.append(shard.path("games"))
        return plain(folder, experiment, cells, shard, text)

    monkeypatch.setattr(workers, "write", write)
    return names


@pytest.fixture
def no_network(memory, monkeypatch):
    """From the call on, these methods of the file system fail; without names they work again."""
    plain = {name: getattr(type(memory), name) for name in ("ls", "put_file", "cat_file")}

    def fails(*_, **__):
        raise OSError("Network is unreachable")

    def change(*names):
        for name, method in plain.items():
            monkeypatch.setattr(type(memory), name, fails if name in names else method)

    return change


@pytest.fixture(scope="module")
def s3():
    """A server that talks as S3 does, with one bucket."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**keys, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
            patch.setenv(name, value)
        fs = fsspec.filesystem("s3", use_listings_cache=False)
        fs.mkdir("bucket")
        yield fs
    server.stop()


@pytest.mark.parametrize("address", [THERE, "file://{}/runs/x"])
def test_the_tables_at_an_address_are_those_of_a_run_here_byte_for_byte(alone, tmp_path, address):
    address = address.format(tmp_path)
    play(address)
    fs, root = fsspec.core.url_to_fs(address)
    assert digests(fs, root) == alone
    assert not [name for name in fs.find(root) if "/." in name.removeprefix(root)]  # nothing unfinished


def test_a_shard_is_uploaded_when_it_is_finished_and_the_manifest_last(memory, uploads):
    play()
    tables = [name for name in uploads if name.endswith(".parquet")]
    first = uploads.index("manifest.json")
    assert set(uploads[:first]) == {"experiment.toml"} and uploads[-1] == "manifest.json"
    assert sorted(tables) == sorted(set(tables))  # none twice
    assert uploads.count("checksums.txt") > len(open_run(THERE).shards) > 3
    lines = checksums.parse(memory.cat_file("/runs/x/checksums.txt"))
    assert set(tables) == set(lines)


def test_a_stopped_run_goes_on_from_another_machine_and_plays_only_what_is_missing(alone, memory, machine):
    stop()
    machine("second")
    there = status.status(THERE)
    assert there.state == status.STOPPED and 0 < there.games < there.of == GAMES
    assert play() == there.games
    assert digests(memory, "/runs/x") == alone
    machine("first")
    assert status.status(THERE).state == status.FINISHED  # though the run here is older
    assert play() == GAMES


@pytest.mark.proof("runs", "games.pig", "strategies.pig")
@pytest.mark.parametrize("on", ["first", "second"])
@pytest.mark.parametrize("files", [0, 1, 2, 3, 5, 6, 9, 24, 25])
def test_killed_after_any_upload_only_shards_that_were_not_uploaded_are_played(
    alone, memory, machine, uploads, played, on, files
):
    uploads.most = files
    with pytest.raises(KeyboardInterrupt):
        play()
    uploads.most = None
    names = memory.find("/runs/x")
    lists = [memory.cat_file(name) for name in names if name.endswith(checksums.FILE)]
    there = {name for name in checksums.parse(b"".join(lists)) if name.startswith("games/")}
    machine(on)
    played.clear()
    play()
    assert not there & set(played)
    assert on == "first" or there | set(played) == {name[1:] for name in alone if "games" in name}
    assert digests(memory, "/runs/x") == alone
    machine("third")
    assert status.status(THERE).state == status.FINISHED


@pytest.mark.proof("runs", "games.pig", "strategies.pig")
@pytest.mark.parametrize(
    ("left", "on"), [(25, "second"), (22, "first"), (6, "second"), (5, "first"), (4, "second"), (1, "first")]
)
def test_a_run_that_may_stop_killed_before_any_of_its_last_uploads_goes_on_without_a_game_played_twice(
    memory, machine, uploads, played, on, left
):
    """When 24 uploads are left, all interim tables are at the address; with the last four it is finished."""
    how = {"request": STOPPING, "layout": Layout(900, 900)}
    play("memory://quiet", **how)
    every, games, quiet = len(uploads), sorted(played), digests(memory, "/quiet")
    assert not any("interim" in name for name in quiet)
    uploads.clear()
    uploads.most = every - left
    played.clear()
    with pytest.raises(KeyboardInterrupt):
        play(**how)
    uploads.most = None
    machine(on)
    play(**how)
    repeated = len(played) - len(games)  # on another machine, the shard that was not uploaded
    assert repeated == (on == "second" and left > 24)
    assert digests(memory, "/runs/x") == quiet


@pytest.mark.proof("runs", "questions.run", "cli.commands.report", "games.pig", "strategies.pig")
@pytest.mark.posix
@pytest.mark.parametrize(("files", "on"), [(0, "first"), (7, "first"), (7, "second")])
def test_a_killed_command_goes_on_from_any_machine(alone, s3, tmp_path, machine, monkeypatch, files, on):
    there, file = f"s3://bucket/{files}/{on}", tmp_path / "pig.toml"
    file.write_text(EXPERIMENT.to_toml())
    words = ["run", str(file), "-o", there]
    process = [sys.executable, "-c", KILLED, str(files), *words]
    killed = subprocess.run(process, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(s3.find(there)) in range(files - 3, files + 1)  # checksums.txt counts each time
    machine(on)
    monkeypatch.setattr(plan, "usual_layout", lambda *_: SMALL)
    assert command(*words) == 0
    assert digests(s3, there.removeprefix("s3://")) == alone
    machine("third")
    assert command("report", there) == 0
    assert s3.cat_file(f"{there}/report.html").startswith(b"<!")


@pytest.mark.parametrize("meanwhile", ["nothing", "finished", "another run", "emptied"])
def test_without_a_network_it_plays_on_and_the_same_command_uploads_the_rest(
    alone, memory, machine, no_network, tmp_path, monkeypatch, capsys, meanwhile
):
    (tmp_path / "pig.toml").write_text(EXPERIMENT.to_toml())
    words = ["run", str(tmp_path / "pig.toml"), "-o", THERE]
    monkeypatch.setattr(sys, "argv", ["simkit", *words])
    monkeypatch.setattr(plan, "usual_layout", lambda *_: SMALL)
    plain, shards = workers.write, []

    def loses_network(*args):
        shards.append(args)
        if len(shards) == 8:
            while not memory.glob("/runs/x/games/*"):
                time.sleep(0.01)
            no_network("put_file", "ls")
        return plain(*args)

    monkeypatch.setattr(workers, "write", loses_network)
    assert command(*words) == 2
    home = remote._remote_folder(THERE).home
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"simkit: {THERE}: cannot be used: Network is unreachable; all that was played is kept in {home}, "
        f"and the same command again uploads the rest: simkit {' '.join(words)}"
    )
    assert command(*words) == 2  # still no network
    no_network()
    machine("second")
    there = status.status(THERE)
    assert there.state == status.STOPPED and 0 < there.games < GAMES
    monkeypatch.setattr(workers, "write", plain)
    if meanwhile == "finished":
        play()
    elif meanwhile != "nothing":
        memory.rm("/runs/x", recursive=True)
    if meanwhile == "another run":
        play(request=EXPERIMENT.with_keys(seed=6))
    machine("first")
    if meanwhile != "emptied":
        monkeypatch.setattr(workers, "write", None)  # nothing is played again
    capsys.readouterr()
    assert command(*words) == (2 if meanwhile == "another run" else 0)
    if meanwhile == "another run":
        assert "holds another run: its key 'seed' is 6, here it is 5" in capsys.readouterr().err
        return
    assert digests(memory, "/runs/x") == alone
    machine("third")
    assert status.status(THERE).state == status.FINISHED


def test_names_at_an_address_do_not_lead_out_of_the_local_folder(memory, monkeypatch):
    play()
    ls, folder = type(memory).ls, remote._remote_folder(THERE).local
    names = ["../../evil", "a/../../evil", "a\\evil", "c:evil", "good"]
    more = [{"name": f"/runs/x/{name}", "size": 4, "type": "file"} for name in names]
    for path in ("/runs/evil", "/evil", *(entry["name"] for entry in more)):
        memory.pipe_file(path, b"evil")
    monkeypatch.setattr(type(memory), "ls", lambda self, path, *a, **k: ls(self, path, *a, **k) + more)
    open_run(THERE)
    assert (folder / "good").is_file() and not list(folder.parents[2].rglob("*evil"))


def test_a_finished_run_is_read_and_lengthened_from_another_machine(memory, machine):
    play()
    before = digests(memory, "/runs/x")
    machine("second")
    longer = EXPERIMENT.with_keys(deals=40)
    play(request=longer)
    after = digests(memory, "/runs/x")
    assert before.items() - after.items() == {("/checksums.txt", before["/checksums.txt"])}
    machine("first")
    assert open_run(THERE).games().collect().height == 2 * 2 * 40 == status.status(THERE).games
    with pytest.raises(OtherRun, match="its key 'seed' is 5, here it is 6"):
        play(request=longer.with_keys(seed=6))


@pytest.mark.parametrize("harm", ["removed", "changed", "cut short"])
def test_a_table_harmed_at_the_address_is_noticed_elsewhere_and_played_again(alone, memory, machine, harm):
    play()
    table = memory.find("/runs/x/seats")[0]
    whole = memory.cat_file(table)
    memory.rm(table)
    if harm != "removed":
        memory.pipe_file(table, whole[:-9] + b"X" + whole[-8:] if harm == "changed" else whole[:-9])
    machine("second")
    assert status.status(THERE)[1:5:3] == (status.DAMAGED, [table.removeprefix("/runs/x/")])
    play()
    assert digests(memory, "/runs/x") == alone


def test_at_an_address_that_was_emptied_another_run_can_begin(memory):
    play()
    memory.rm("/runs/x", recursive=True)
    with pytest.raises(UsageError, match=r"not a run folder \(it has no manifest.json\)"):
        status.status(THERE)
    play(request=EXPERIMENT.with_keys(seed=6))
    assert json.loads(memory.cat_file("/runs/x/manifest.json"))["experiment"]["seed"] == 6
    assert status.status(THERE)[1:4] == (status.FINISHED, GAMES, GAMES)


def test_one_process_of_a_machine_plays_and_others_read(memory, machine):
    play()
    with lock.hold(remote._remote_folder(THERE).home):
        with pytest.raises(UsageError, match=f"{THERE}: another process is playing this run"):
            play()
        assert status.status(THERE).games == GAMES


@pytest.mark.parametrize("folder", ["/runs/x", "/runs/x/games"])
def test_a_folder_that_cannot_be_listed_is_not_taken_for_an_empty_one(alone, memory, monkeypatch, folder):
    play()
    ls = type(memory).ls

    def breaks(self, path, *args, **kwargs):
        if path.rstrip("/") == folder:
            raise OSError("Network is unreachable")
        return ls(self, path, *args, **kwargs)

    monkeypatch.setattr(type(memory), "ls", breaks)
    for use in (status.status, play):
        with pytest.raises(UsageError, match=rf"^{THERE}: cannot be used: Network is unreachable$"):
            use(THERE)


def test_without_the_right_to_write_nothing_is_played(memory, monkeypatch, played, tmp_path, capsys):
    def refuses(*_, **__):
        raise PermissionError("Access Denied")

    (tmp_path / "pig.toml").write_text(EXPERIMENT.to_toml())
    with monkeypatch.context() as patch:
        patch.setattr(type(memory), "put_file", refuses)
        assert command("run", str(tmp_path / "pig.toml"), "-o", THERE) == 2 and not played
    assert f"simkit: {THERE}: cannot be used: Access Denied;" in capsys.readouterr().err.splitlines()[-1]
    assert command("status", THERE) == 2
    assert f"{THERE}: not a run folder" in capsys.readouterr().err
    assert play() == 0


def test_a_folder_of_other_things_is_left_alone(memory):
    memory.pipe_file("/runs/x/thesis.txt", b"mine")
    with pytest.raises(UsageError, match="the folder is not empty and not a run"):
        play()
    assert memory.find("/runs/x") == ["/runs/x/thesis.txt"]


def test_pages_and_answers_are_written_at_the_address_and_messages_name_it(memory, machine, tmp_path, capsys):
    (tmp_path / "pig.toml").write_text(EXPERIMENT.to_toml())
    words = ["run", str(tmp_path / "pig.toml"), "-o", THERE]
    assert command(*words) == 0
    assert f"Run: {THERE}   report: simkit report {THERE}\n" in capsys.readouterr().out
    machine("second")
    assert command("report", THERE) == 0
    assert f"Report: {THERE}/report.html\n" in capsys.readouterr().out
    assert f"simkit replay {THERE}" in memory.cat_file("/runs/x/report.html").decode()
    assert json.loads(memory.cat_file("/runs/x/manifest.json"))["answer"]
    assert command("report", THERE, "-o", "memory://pages/pig.md") == 0
    assert memory.cat_file("/pages/pig.md").startswith(b"Pig: sweep report")
    assert command("replay", THERE, "3", "--brief") == 0
    assert command("run", f"{THERE}/experiment.toml", "-o", THERE) == 0  # as `simkit status` says
    assert command("status", THERE) == 0
    output = capsys.readouterr()
    assert output.out.endswith(f"{THERE} is finished: {GAMES} of {GAMES} games\n")
    assert command(*words, "--seed", "6") == 2
    refused = capsys.readouterr().err.splitlines()[-1]
    assert refused.startswith(f"simkit: {THERE}: holds another run: its key 'seed' is 5")
    assert str(tmp_path / "second") not in output.out + output.err + refused


def test_a_search_stopped_between_its_runs_goes_on_from_another_machine(memory, machine, monkeypatch, capsys):
    def stops(*_):
        raise UsageError("stops before the answer is there")

    with monkeypatch.context() as patch:
        patch.setattr("simkit.ask.study.keep_results", stops)
        assert command(*SEARCH, "-o", THERE) == 2
    machine("second")
    monkeypatch.setattr(workers, "write", None)  # nothing is played again
    assert command(*SEARCH, "-o", THERE) == 0
    machine("third")
    run = open_run(THERE)
    assert memory.exists("/runs/x/search.json") and status.status(THERE).state == status.FINISHED
    assert {look.parent for look in run.search_runs} == {run.folder / SIDE_RUNS}
    assert command("report", f"{THERE}/side_runs/wide") == 0
    capsys.readouterr()
    assert command("run", f"{THERE}/experiment.toml", "-o", THERE) == 2
    assert f"{THERE}: holds a search, whose answer" in capsys.readouterr().err


def test_games_beside_the_run_are_at_the_address_too(memory, machine, no_network, monkeypatch):
    request, plain = EXPERIMENT.with_keys(beginners=[0.5], sweep={}), workers.write
    play(request=request)
    machine("second")
    assert status.status(f"{THERE}/beginners").state == status.status(THERE).state == status.FINISHED

    def loses_network(*args):
        no_network("put_file")
        return plain(*args)

    longer = request.with_keys(deals=40)
    monkeypatch.setattr(workers, "write", loses_network)
    with pytest.raises(UsageError, match="Network is unreachable"):
        play(request=longer)
    no_network()
    monkeypatch.setattr(workers, "write", plain)
    assert play(request=longer) == 80  # all games but those of beginners


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://runs/nothing", "memory://runs/nothing: not a run folder (it has no manifest.json)"),
        ("nope://a/b", "nope://a/b: cannot be used: Protocol not known: nope; install what fsspec needs for nope://"),
        ("memory://", "memory://: names no folder; give one such as s3://bucket/runs/first"),
        ("gs://a/b", "gs://a/b: cannot be used: Please install gcsfs to access Google Storage; install what fsspec needs for gs://"),
    ],
)  # fmt: skip
def test_an_address_without_a_run_is_told_in_one_line(capsys, address, message):
    assert command("status", address) == 2
    assert capsys.readouterr().err == f"simkit: {message}\n"


def test_passwords_are_not_said(memory, monkeypatch, tmp_path, capsys):
    (tmp_path / "pig.toml").write_text(EXPERIMENT.to_toml())
    words = ["simkit", "run", str(tmp_path / "pig.toml"), "-o", "memory://me:hush@host/x"]
    monkeypatch.setattr(sys, "argv", words)
    assert command(*words[1:]) == 0
    assert command("status", "memory://me:hush@host/x") == 0
    assert command("report", "memory://me:hush@host/x", "-o", "-", "--format", "md") == 0
    assert command("status", "nope://me:hush@host/x") == 2
    assert command("run", "no.toml", "-o", "memory://me:hush@host/x") == 2
    output = capsys.readouterr()
    assert "me@host" in output.out and "me@host" in output.err
    assert "hush" not in output.out + output.err
    (manifest,) = [path for path in memory.find("/") if path.endswith("manifest.json")]
    assert b"hush" not in memory.cat_file(manifest)


def test_a_bucket_that_is_not_there_is_told_in_one_line(s3, tmp_path, capsys):
    (tmp_path / "pig.toml").write_text(EXPERIMENT.to_toml())
    assert command("run", str(tmp_path / "pig.toml"), "-o", "s3://nobucket/runs/x") == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith(
        "simkit: s3://nobucket/runs/x: cannot be used: The specified bucket does not exist"
    )
    assert s3.ls("", detail=False) == ["bucket"]


def test_a_sheet_in_a_bucket_is_read_like_one_here_and_a_missing_one_is_refused(s3):
    s3.pipe_file("bucket/tracks.csv", b"value,start\n-1,\n0,1\n2,\n")
    keys = {"question": "?", "game": "red_outpost", "deals": 1, "lineups": ["random*2"]}
    own = experiment.parse(keys | {"files": {"mood_track": "s3://bucket/tracks.csv"}})
    assert read_files(own)["mood_track"].summary == "tracks.csv: mood track -1, 0, 2, start on 0"
    with pytest.raises(UsageError, match=r"s3://bucket/none\.csv: cannot be used: .*; check the address"):
        experiment.parse(keys | {"files": {"mood_track": "s3://bucket/none.csv"}})
