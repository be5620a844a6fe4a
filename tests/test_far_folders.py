"""A run folder may be an address (s3://bucket/runs/x): the same tables, safe against the same misfortunes."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import far
import pytest
from far import (
    ASKED,
    SMALL,
    THERE,
    StopsAfter,
    another_machine,
    command,
    digests,
    fsspec,
    manifest_there,
    of,
    sign,
    stopped,
)

from simkit import checksums, claim, manifest, mirror, runlog, runner, status
from simkit.errors import OtherRun, UsageError
from simkit.progress import Progress

ROOT = Path(__file__).parent.parent
STAYS = """
import sys, time
from simkit import experiment, runner
from simkit.progress import Progress
from simkit.shards import Layout

class Stays(Progress):
    def played(self, done, total):
        if done >= int(sys.argv[3]):
            time.sleep(300)

runner.run(experiment.load(sys.argv[1]), sys.argv[2], layout=Layout(11, 11), progress=Stays())
"""  # plays so many games of a file at an address, and then only gives signs of life

memory = pytest.fixture(autouse=True)(far.memory)
alone = pytest.fixture(scope="module")(far.alone)


@pytest.mark.parametrize("address", [THERE, "file://{}/runs/x"])
def test_the_tables_at_an_address_are_those_of_a_run_here_byte_for_byte(alone, tmp_path, address):
    address = address.format(tmp_path)
    runner.run(ASKED, address, layout=SMALL)
    fs, root = fsspec.core.url_to_fs(address)
    assert digests(fs, root) == of(alone)
    assert not [
        name for name in fs.find(root) if "/." in name.removeprefix(root)
    ]  # no lock, nothing unfinished


def test_a_stopped_run_goes_on_from_another_machine_and_plays_only_what_is_missing(
    alone, memory, tmp_path, monkeypatch
):
    stopped()
    there = status.status(THERE)
    assert there.state == status.STOPPED and 0 < there.games < there.of
    another_machine(tmp_path / "second", monkeypatch)
    second = StopsAfter(10**6)
    runner.run(ASKED, THERE, layout=SMALL, progress=second)
    assert second.first == there.games
    assert digests(memory, "/runs/x") == of(alone)


def test_a_finished_run_is_read_and_lengthened_from_another_machine(alone, memory, tmp_path, monkeypatch):
    runner.run(ASKED, THERE, layout=SMALL)
    another_machine(tmp_path / "second", monkeypatch)
    assert runlog.open_run(THERE).games().collect().equals(runlog.open_run(alone).games().collect())
    before = digests(memory, "/runs/x")
    longer = ASKED.changed(deals=40)
    runner.run(longer, THERE, layout=SMALL)
    after = digests(memory, "/runs/x")
    assert before.items() - after.items() == {("/checksums.txt", before["/checksums.txt"])}
    assert runlog.open_run(THERE).games().collect().height == 2 * 2 * 40 == status.status(THERE).games
    with pytest.raises(OtherRun, match="its key 'seed' is 5, here it is 6"):
        runner.run(longer.changed(seed=6), THERE, layout=SMALL)


@pytest.mark.parametrize("harm", ["gone", "changed"])
def test_a_table_harmed_at_the_address_is_noticed_elsewhere_and_played_again(
    alone, memory, tmp_path, monkeypatch, harm
):
    runner.run(ASKED, THERE, layout=SMALL)
    table = next(name for name in memory.find("/runs/x/seats"))
    whole = memory.cat_file(table)
    memory.rm(table) if harm == "gone" else memory.pipe_file(table, whole[:-9] + b"X" + whole[-8:])
    another_machine(tmp_path / "second", monkeypatch)
    assert status.status(THERE)[1:5:3] == (status.DAMAGED, [table.removeprefix("/runs/x/")])
    runner.run(ASKED, THERE, layout=SMALL)
    assert digests(memory, "/runs/x") == of(alone)


def test_at_any_moment_of_a_run_only_whole_tables_count_at_the_address(alone, memory, tmp_path, monkeypatch):
    monkeypatch.setattr(mirror, "PAUSE", 0.0)
    seen, looked = [], threading.Event()
    put = mirror.Mirror.put

    class Waits(Progress):
        def played(self, done, total):
            assert 2 * done < total or looked.wait(60)  # however fast the games are

    def looks(self, names):
        put(self, names)
        if manifest_there(memory)["finished"] is None:
            (tmp_path / "look").mkdir(exist_ok=True)
            memory.exists("/runs/x/checksums.txt") and memory.get(
                "/runs/x/checksums.txt", str(tmp_path / "look")
            )
            seen.append(checksums.told(tmp_path / "look"))
            looked.set()
            assert all(memory.exists(f"/runs/x/{name}") for name in seen[-1])

    monkeypatch.setattr(mirror.Mirror, "put", looks)
    runner.run(ASKED, THERE, layout=SMALL, progress=Waits())
    assert seen
    assert digests(memory, "/runs/x") == of(alone)


def test_one_writer_at_a_time_and_readers_are_told_that_it_is_played(memory):
    runner.run(ASKED, THERE, layout=SMALL)
    sign(memory, "another copy", age=5)
    said = r"^memory://runs/x: is being played: process 7 on far, last heard 5 s ago; .* try again in 175 s$"
    with pytest.raises(UsageError, match=said):
        runner.run(ASKED, THERE, layout=SMALL)
    assert status.status(THERE).state == status.PLAYING
    sign(memory, "another copy", age=claim.STALE + 1)
    assert status.status(THERE).state == status.FINISHED
    runner.run(ASKED, THERE, layout=SMALL)
    assert not memory.exists("/runs/x/.lock")


def test_who_reads_where_another_machine_begins_is_told_so(memory):
    sign(memory, "another copy", age=5)
    with pytest.raises(UsageError, match="is being played: process 7 on far"):
        status.status(THERE)


@pytest.mark.parametrize("age", [-1e18, float("nan"), claim.STALE + 1])
def test_a_lock_with_a_time_that_cannot_be_is_stale(memory, age):
    sign(memory, "another copy", age)
    runner.run(ASKED, THERE, layout=SMALL)
    assert not memory.exists("/runs/x/.lock")


@pytest.mark.parametrize("lock", ["", '{"copy": "anot', "5", '{"time": 0}'])
def test_a_lock_that_does_not_say_who_plays_is_not_taken_for_none(memory, lock):
    memory.pipe_file("/runs/x/.lock", lock.encode())
    cure = "its lock does not say who is playing; if nobody plays, remove .lock there"
    with pytest.raises(UsageError, match=cure):
        runner.run(ASKED, THERE, layout=SMALL)
    assert memory.find("/runs/x") == ["/runs/x/.lock"]


def test_a_sign_of_life_is_whole_at_any_moment(memory, tmp_path, monkeypatch):
    mine, seen, pipe = mirror.Mirror(THERE).claim, [], type(memory).pipe_file
    another_machine(tmp_path / "second", monkeypatch)
    rival = mirror.Mirror(THERE).claim

    def slowly(self, path, value, **how):
        pipe(self, path, value[:9])
        seen.append(rival.others())
        pipe(self, path, value)

    with mine.held():
        monkeypatch.setattr(type(memory), "pipe_file", slowly)
        mine._beat()
    assert [known["copy"] for known in seen] == [mine.copy]


def test_no_connection_is_used_by_two_threads_at_once(memory, monkeypatch):
    busy, clashes = {}, []

    def guarded(name):
        plain = getattr(type(memory), name)

        def use(self, *args, **how):
            mine = threading.get_ident()
            clashes.extend([name] if busy.setdefault(id(self), mine) != mine else [])
            time.sleep(0.002)
            found = plain(self, *args, **how)
            busy.pop(id(self), None)
            return found

        monkeypatch.setattr(type(memory), name, use)

    for name in ("cat_file", "pipe_file", "put_file", "ls", "mv"):
        guarded(name)
    monkeypatch.setattr(claim, "BEAT", 0.001)
    monkeypatch.setattr(mirror, "PAUSE", 0.01)
    runner.run(ASKED, THERE, layout=SMALL)
    assert not clashes


def test_a_run_killed_on_this_machine_goes_on_at_once(memory, tmp_path):
    home = mirror._mirror(THERE)
    sign(memory, home.claim.copy, age=1)
    runner.run(ASKED, THERE, layout=SMALL)
    assert status.status(THERE).state == status.FINISHED


def test_a_writer_taken_for_gone_stops_putting(memory):
    class Slept(Progress):
        def played(self, done, total):
            sign(memory, "another copy", age=0)

    with pytest.raises(UsageError, match=r"another process took over this run.*; what was played is kept"):
        runner.run(ASKED, THERE, layout=SMALL, progress=Slept())
    assert not memory.exists("/runs/x/games")
    assert memory.exists("/runs/x/.lock")


def test_a_writer_gives_signs_of_life_while_it_fetches(memory, monkeypatch):
    monkeypatch.setattr(claim, "BEAT", 0.01)
    signs, fetch = set(), mirror.Mirror.fetch

    def slowly(self, plays=False):
        for _ in range(20):
            signs.add(memory.cat_file("/runs/x/.lock"))
            time.sleep(0.02)
        fetch(self, plays)

    monkeypatch.setattr(mirror.Mirror, "fetch", slowly)
    runner.run(ASKED, THERE, layout=SMALL)
    assert len(signs) > 2
    assert not memory.exists("/runs/x/.lock")


def test_whoever_lost_the_run_while_tables_were_put_does_not_put_the_list_that_counts(memory, monkeypatch):
    put = mirror.Mirror.put

    def slept(self, names):
        put(self, names)
        sign(memory, "another copy", age=0)

    monkeypatch.setattr(mirror, "AT_ONCE", 1000)
    monkeypatch.setattr(mirror.Mirror, "put", slept)
    with pytest.raises(UsageError, match=r"another process took over this run.*; what was played is kept"):
        runner.run(ASKED, THERE, layout=SMALL)
    assert not memory.exists("/runs/x/checksums.txt")


def test_a_lock_counts_where_the_file_system_would_write_over_it(memory, monkeypatch):
    pipe = type(memory).pipe_file
    monkeypatch.setattr(type(memory), "pipe_file", lambda self, path, value, mode="": pipe(self, path, value))
    sign(memory, "another copy", age=5)
    with pytest.raises(UsageError, match="is being played: process 7 on far"):
        runner.run(ASKED, THERE, layout=SMALL)


def test_of_two_who_begin_at_once_the_one_whose_lock_is_there_plays(memory, monkeypatch):
    pipe = type(memory).pipe_file

    def overtaken(self, path, value, **how):
        pipe(self, path, value)
        sign(self, "another copy", age=0, pipe=pipe)

    monkeypatch.setattr(type(memory), "pipe_file", overtaken)
    monkeypatch.setattr(runner, "write", None)  # the other plays nothing
    with pytest.raises(UsageError, match="another process took over this run"):
        runner.run(ASKED, THERE, layout=SMALL)
    assert not memory.exists("/runs/x/manifest.json")


def test_a_page_is_written_beside_the_run_or_where_it_is_asked_for(memory, tmp_path, capsys):
    runner.run(ASKED, THERE, layout=SMALL)
    assert command("report", THERE) == 0
    assert "Report: memory://runs/x/report.html\n" in capsys.readouterr().out
    page = memory.cat_file("/runs/x/report.html").decode()
    assert "simkit replay memory://runs/x" in page and str(tmp_path) not in page
    assert command("report", THERE, "-o", "memory://pages/pig.md") == 0
    assert memory.cat_file("/pages/pig.md").startswith(b"Pig: sweep report")
    assert command("status", THERE) == 0
    assert capsys.readouterr().out.endswith("memory://runs/x is finished: 120 of 120 games\n")
    assert command("replay", THERE, "3", "--brief") == 0


def test_commands_print_the_address_and_not_the_copy(memory, tmp_path, capsys):
    (tmp_path / "asked.toml").write_text(ASKED.to_toml())
    asked = ["run", str(tmp_path / "asked.toml"), "-o", THERE]
    assert command(*asked) == 0
    told = capsys.readouterr()
    assert "Run: memory://runs/x   report: simkit report memory://runs/x\n" in told.out
    assert (
        command("run", f"{THERE}/experiment.toml", "-o", THERE) == 0
    )  # as `simkit status` says how to go on
    capsys.readouterr()
    assert command(*asked, "--seed", "6") == 2
    told = capsys.readouterr()
    assert told.err.splitlines()[-1].startswith(
        "simkit: memory://runs/x: holds another run: its key 'seed' is 5"
    )
    assert str(tmp_path / "first") not in told.out + told.err


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("memory://runs/nothing", "memory://runs/nothing: not a run folder (it has no manifest.json)"),
        ("nope://a/b", "nope://a/b: Protocol not known: nope; such are known: s3://, file://, memory://"),
        ("memory://", "memory://: names no folder; give one such as s3://bucket/runs/first"),
        ("gs://a/b", "gs://a/b: Please install gcsfs to access Google Storage: install fsspec, and what it needs for gs://"),
    ],
)  # fmt: skip
def test_an_address_without_a_run_is_told_in_one_line(capsys, address, said):
    assert command("status", address) == 2
    assert capsys.readouterr().err == f"simkit: {said}\n"


@pytest.mark.parametrize("module", ["fsspec.core", "s3fs"])
def test_what_is_not_installed_is_told_with_the_cure(monkeypatch, capsys, module):
    monkeypatch.setitem(sys.modules, module, None)
    assert command("status", "s3://bucket/runs/x") == 2
    told = capsys.readouterr().err
    assert told.startswith("simkit: s3://bucket/runs/x: ") and told.endswith(": pip install 'simkit[s3]'\n")
    assert told.count("\n") == 1


def test_without_rights_one_line_is_said_and_nothing_is_written(memory, tmp_path, monkeypatch, capsys):
    def refused(*_, **__):
        raise PermissionError("Access Denied")

    monkeypatch.setattr(type(memory), "pipe_file", refused)
    (tmp_path / "asked.toml").write_text(ASKED.to_toml())
    assert command("run", str(tmp_path / "asked.toml"), "-o", THERE) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "simkit: memory://runs/x: no right to do that: Access Denied"
    assert not memory.find("/runs/x")


def test_a_folder_of_other_things_is_left_alone(memory):
    memory.pipe_file("/runs/x/thesis.txt", b"mine")
    with pytest.raises(UsageError, match="the folder is not empty and not a run"):
        runner.run(ASKED, THERE, layout=SMALL)
    assert memory.find("/runs/x") == ["/runs/x/thesis.txt"]


@pytest.mark.parametrize("name", ["../../evil", "a/../../evil", "a\\evil", "c:evil"])
def test_names_in_a_stranger_s_folder_cannot_leave_the_copy(memory, monkeypatch, name):
    runner.run(ASKED, THERE, layout=SMALL)
    ls = type(memory).ls
    more = [{"name": f"/runs/x/{name}", "size": 4, "type": "file"}]
    monkeypatch.setattr(type(memory), "ls", lambda self, *a, **k: ls(self, *a, **k) + more)
    with pytest.raises(UsageError, match="no run folder: it holds a file named"):
        runlog.open_run(THERE)


@pytest.fixture(scope="module")
def s3():
    """A server that talks as S3 does, with one bucket."""
    server_of = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = server_of.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    known = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**known, "AWS_ENDPOINT_URL": f"http://{host}:{port}"}.items():
            patch.setenv(name, value)
        fs = fsspec.filesystem("s3", use_listings_cache=False)
        fs.mkdir("bucket")
        yield fs
    server.stop()


def test_a_run_on_s3_is_the_same_goes_on_and_is_reported_on(alone, s3, tmp_path, monkeypatch, capsys):
    there = "s3://bucket/runs/x"
    stopped(there)
    another_machine(tmp_path / "second", monkeypatch)
    runner.run(ASKED, there, layout=SMALL)
    assert digests(s3, "bucket/runs/x") == of(alone)
    another_machine(tmp_path / "third", monkeypatch)
    assert command("report", there) == 0
    assert s3.cat_file("bucket/runs/x/report.html").startswith(b"<!")
    assert command("status", there) == 0
    assert capsys.readouterr().out.endswith("s3://bucket/runs/x is finished: 120 of 120 games\n")


def test_a_bucket_that_is_not_there_is_told_in_one_line(s3, tmp_path, capsys):
    (tmp_path / "asked.toml").write_text(ASKED.to_toml())
    assert command("run", str(tmp_path / "asked.toml"), "-o", "s3://nobucket/runs/x") == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "simkit: s3://nobucket/runs/x: cannot be used: The specified bucket does not exist"
    assert s3.ls("", detail=False) == ["bucket"]


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_a_killed_run_on_s3_goes_on_from_any_machine(alone, s3, tmp_path, monkeypatch):
    there, killed_at = "s3://bucket/runs/killed", 40
    (tmp_path / "asked.toml").write_text(ASKED.to_toml())
    words = [sys.executable, "-c", STAYS, str(tmp_path / "asked.toml"), there, str(killed_at)]
    path = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open(tmp_path / "errors", "w") as errors:
        running = subprocess.Popen(words, env=path, stderr=errors, start_new_session=True)
    while not s3.exists("bucket/runs/killed/checksums.txt"):
        assert running.poll() is None, (tmp_path / "errors").read_text()
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    assert manifest.read(mirror.opened(there))["finished"] is None

    another_machine(tmp_path / "second", monkeypatch)
    with pytest.raises(
        UsageError, match=r"is being played: process \d+ on .* if it was killed, try again in"
    ):
        runner.run(ASKED, there, layout=SMALL)
    monkeypatch.setattr(claim, "STALE", 0)
    again = StopsAfter(10**9)
    runner.run(ASKED, there, layout=SMALL, progress=again)
    assert 0 < again.first <= killed_at + SMALL.most
    assert digests(s3, "bucket/runs/killed") == of(alone)
