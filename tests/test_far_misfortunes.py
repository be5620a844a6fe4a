"""Runs at addresses whose network fails, whose owner empties them, or which are played from two machines."""

import json
import time

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
    stopped,
)

from simkit import clusters, mirror, runlog, runner, status
from simkit.errors import OtherRun, UsageError

memory = pytest.fixture(autouse=True)(far.memory)
alone = pytest.fixture(scope="module")(far.alone)


def breaks(*_, **__):
    raise OSError("Network is unreachable")


def not_put(monkeypatch, asked):
    """Play while nothing but the lock can be put at the address."""
    with monkeypatch.context() as without_network:
        without_network.setattr(mirror.Mirror, "put_news", breaks)
        with pytest.raises(UsageError, match="Network is unreachable; what was played is kept"):
            runner.run(asked, THERE, layout=SMALL)


def home_named():
    """How to begin anew, as every refusal ends."""
    return f"to begin anew remove {mirror._mirror(THERE).home}"


def test_what_could_not_be_put_is_kept_here_and_put_by_the_same_command(alone, memory, monkeypatch):
    with monkeypatch.context() as without_network:
        put = type(memory).put_file
        left = [5]

        def breaks(self, *args, **kwargs):
            left[0] -= 1
            if left[0] < 0:
                raise OSError("Network is unreachable")
            return put(self, *args, **kwargs)

        without_network.setattr(type(memory), "put_file", breaks)
        with pytest.raises(
            UsageError, match=r"^memory://runs/x: .*Network is unreachable; what was played is kept"
        ):
            runner.run(ASKED, THERE, layout=SMALL)
    assert not (memory.find("/runs/x/games") and manifest_there(memory)["finished"])
    again = StopsAfter(10**6)
    runner.run(ASKED, THERE, layout=SMALL, progress=again)
    assert again.first == 120  # nothing was played again
    assert digests(memory, "/runs/x") == of(alone)


@pytest.mark.parametrize("folder", ["/runs/x", "/runs/x/games"])
def test_a_folder_that_cannot_be_listed_is_not_taken_for_an_empty_one(alone, memory, monkeypatch, folder):
    runner.run(ASKED, THERE, layout=SMALL)
    copy = mirror.opened(THERE)
    with monkeypatch.context() as without_network:
        ls = type(memory).ls

        def breaks(self, path, *args, **kwargs):
            if path.rstrip("/") == folder:
                raise OSError("Network is unreachable")
            return ls(self, path, *args, **kwargs)

        without_network.setattr(type(memory), "ls", breaks)
        for use in (status.status, lambda there: runner.run(ASKED, there, layout=SMALL)):
            with pytest.raises(UsageError, match=r"^memory://runs/x: cannot be used: Network is unreachable"):
                use(THERE)
    assert of(copy) == of(alone)


def test_games_of_which_nothing_is_at_the_address_are_kept_here_and_put_by_the_same_command(
    alone, memory, monkeypatch, capsys
):
    not_put(monkeypatch, ASKED)
    assert command("status", THERE) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "simkit: memory://runs/x: holds no run, its copy here does: the command that played"
    )
    assert said.endswith(f"; {home_named()}\n")
    again = StopsAfter(10**6)
    runner.run(ASKED, THERE, layout=SMALL, progress=again)
    assert again.first == 120  # nothing was played again
    assert digests(memory, "/runs/x") == of(alone)


def test_what_else_lies_at_the_address_does_not_cost_the_games_that_are_here(alone, memory, monkeypatch):
    not_put(monkeypatch, ASKED)
    memory.pipe_file("/runs/x/thesis.txt", b"mine")
    with pytest.raises(
        UsageError, match="holds no run, its copy here does: remove what else lies there, then"
    ):
        runner.run(ASKED, THERE, layout=SMALL)
    assert of(mirror._mirror(THERE).local) == of(alone)
    assert memory.find("/runs/x") == ["/runs/x/thesis.txt"]


def test_another_run_does_not_take_the_place_of_games_that_are_here_only_and_puts_none(memory, monkeypatch):
    not_put(monkeypatch, ASKED)
    monkeypatch.setattr(mirror, "PAUSE", 0.3)
    monkeypatch.setattr(clusters, "opened", lambda *_: time.sleep(1))  # as long as a cluster may take
    with pytest.raises(OtherRun, match="key 'seed' is 5, here it is 6") as refused:
        runner.run(ASKED.changed(seed=6), THERE, layout=SMALL)
    assert str(refused.value).endswith(f"it lies in its copy here only: {home_named()}")
    assert not memory.find("/runs/x")


@pytest.mark.parametrize("played_here", [True, False], ids=["who played it", "who only read it"])
def test_at_an_address_that_was_emptied_another_run_can_begin(memory, tmp_path, monkeypatch, played_here):
    runner.run(ASKED, THERE, layout=SMALL)
    if not played_here:
        another_machine(tmp_path / "second", monkeypatch)
        assert status.status(THERE).state == status.FINISHED
    memory.rm("/runs/x", recursive=True)
    with pytest.raises(UsageError, match=r"not a run folder \(it has no manifest.json\)"):
        status.status(THERE)
    runner.run(ASKED.changed(seed=6), THERE, layout=SMALL)
    assert manifest_there(memory)["seed"] == 6
    assert status.status(THERE)[1:4] == (status.FINISHED, 120, 120)


def test_who_read_a_run_reads_the_one_that_was_played_in_its_place(memory, tmp_path, monkeypatch):
    runner.run(ASKED.changed(deals=40), THERE, layout=SMALL)
    another_machine(tmp_path / "second", monkeypatch)
    assert status.status(THERE).games == 160
    another_machine(tmp_path / "first", monkeypatch)
    memory.rm("/runs/x", recursive=True)
    runner.run(ASKED.changed(seed=6), THERE, layout=SMALL)
    another_machine(tmp_path / "second", monkeypatch)
    assert status.status(THERE)[1:5] == (status.FINISHED, 120, 120, [])


def test_games_that_were_not_put_stay_where_another_run_is_at_the_address(
    alone, memory, tmp_path, monkeypatch
):
    not_put(monkeypatch, ASKED)
    copy = mirror._mirror(THERE).local
    another_machine(tmp_path / "second", monkeypatch)
    runner.run(ASKED.changed(seed=6), THERE, layout=SMALL)
    another_machine(tmp_path / "first", monkeypatch)
    said = "holds another run than its copy here, which has games that were not put there; "
    for use in (status.status, lambda there: runner.run(ASKED, there, layout=SMALL)):
        with pytest.raises(UsageError, match=said) as refused:
            use(THERE)
        assert str(refused.value).endswith(home_named())
    assert of(copy) == of(alone)
    assert manifest_there(memory)["seed"] == 6


SEARCH = [
    "fair",
    "pig",
    "--vary",
    "goal=20:60",
    "--deals",
    "100",
    "--lineup",
    "hold_at(threshold=10), hold_at",
]


def test_a_search_whose_check_could_not_be_put_goes_on(memory, tmp_path, monkeypatch, capsys):
    asked, news = [*SEARCH, "-o", THERE], mirror.Mirror.put_news

    def breaks(self):
        if self.root == "/runs/x":
            raise OSError("Network is unreachable")
        news(self)

    with monkeypatch.context() as without_network:
        without_network.setattr(mirror.Mirror, "put_news", breaks)
        assert command(*asked) == 2
    assert memory.exists("/runs/x/looks") and not memory.exists("/runs/x/manifest.json")
    assert command("status", THERE) == 2
    assert "remove what else" not in capsys.readouterr().err
    monkeypatch.setattr(runner, "write", None)  # nothing is played again
    assert command(*asked) == 0
    assert status.status(THERE).state == status.FINISHED
    assert memory.exists("/runs/x/search.json")
    another_machine(tmp_path / "second", monkeypatch)
    run = runlog.open_run(THERE)
    assert [look.parent for look in run.looks] == 2 * [run.folder / runlog.LOOKS]  # no second copy of them
    memory.rm("/runs/x/looks/wide", recursive=True)
    assert [look.name for look in runlog.open_run(THERE).looks] == ["close"]


def test_a_search_is_not_played_over_one_that_is_here_only(memory, monkeypatch, capsys):
    asked = [*SEARCH, "-o", THERE]
    assert command(*asked) == 0
    copy = mirror.opened(THERE)
    (copy.parent / mirror.PUT).write_text("{}")  # as if nothing of the check had been put
    known = manifest_there(memory) | {"started": "2026-01-01T00:00:00+00:00"}
    memory.pipe_file("/runs/x/manifest.json", json.dumps(known).encode())
    memory.pipe_file("/runs/x/checksums.txt", b"")
    before = of(copy)
    monkeypatch.setattr(runner, "write", None)
    assert command(*asked) == 2
    assert "holds another run than its copy here" in capsys.readouterr().err
    assert of(copy) == before


@pytest.mark.parametrize("put", [set(), {"experiment.toml", "manifest.json"}], ids=["nothing", "begun"])
def test_games_beside_the_run_that_could_not_be_put_are_kept_here_too(memory, tmp_path, monkeypatch, put):
    asked = ASKED.changed(beginners=[0.5], sweep={})
    whole = runner.run(asked, tmp_path / "whole", layout=SMALL)
    with monkeypatch.context() as without_network:
        files, news = mirror.Mirror._files, mirror.Mirror.put_news

        def most(self):
            kept = {f"beginners/{name}" for name in put}
            return [name for name in files(self) if not name.startswith("beginners/") or name in kept]

        def breaks(self):
            with monkeypatch.context() as patch:
                patch.setattr(mirror.Mirror, "_files", most)
                news(self)
            raise OSError("Network is unreachable")

        without_network.setattr(mirror.Mirror, "put_news", breaks)
        with pytest.raises(UsageError, match="Network is unreachable; what was played is kept"):
            runner.run(asked, THERE, layout=SMALL)
    assert status.status(THERE).games == 60  # who reads does not cost them either
    monkeypatch.setattr(runner, "write", None)  # nothing is played again
    runner.run(asked, THERE, layout=SMALL)
    assert digests(memory, "/runs/x") == of(whole)


@pytest.mark.parametrize("tables", [True, False], ids=["only tables", "nothing"])
def test_games_of_a_lengthened_run_that_could_not_be_put_are_not_lost(memory, tmp_path, monkeypatch, tables):
    longer, whole = ASKED.changed(deals=40), tmp_path / "whole"
    for where in (THERE, whole):
        runner.run(ASKED, where, layout=SMALL)
    runner.run(longer, whole, layout=SMALL)
    with monkeypatch.context() as without_network:
        without_network.setattr(mirror.Mirror, "put" if tables else "put_news", breaks)
        with pytest.raises(UsageError, match="Network is unreachable; what was played is kept"):
            runner.run(longer, THERE, layout=SMALL)
    assert status.status(THERE).games == 160  # who reads does not cost them either
    monkeypatch.setattr(runner, "write", None)  # nothing is played again
    runner.run(longer, THERE, layout=SMALL)
    assert digests(memory, "/runs/x") == of(whole)


@pytest.mark.parametrize(("first", "remembers"), [(True, False), (False, False), (True, True)])
def test_who_reads_while_another_machine_puts_sees_no_damage(memory, tmp_path, monkeypatch, first, remembers):
    stopped()
    before = dict(memory.store)
    runner.run(ASKED, THERE, layout=SMALL)
    after = dict(memory.store)
    memory.store.clear()
    memory.store.update(before)
    heads = mirror.Mirror._heads

    def meanwhile(self, there):
        known = {} if first else heads(self, there)
        memory.store.update(after)
        return heads(self, there) if first else known

    another_machine(tmp_path / "second", monkeypatch)
    monkeypatch.setattr(mirror.Mirror, "_heads", meanwhile)
    if remembers:
        remember_lists(memory, monkeypatch)
    assert status.status(THERE).state == (status.FINISHED if first else status.STOPPED)


def remember_lists(memory, monkeypatch):
    """From now on as a file system that lists a folder once, until it is told to list it again."""
    lists, ls = {}, type(memory).ls
    monkeypatch.setattr(
        type(memory), "ls", lambda self, path, **how: lists.setdefault(path, ls(self, path, **how))
    )
    monkeypatch.setattr(type(memory), "invalidate_cache", lambda self, path=None: lists.clear())


@pytest.mark.parametrize("folder", ["/runs/x", "/runs/x/games"])
def test_a_folder_that_a_store_of_objects_cannot_list_is_not_taken_for_an_empty_one(monkeypatch, folder):
    from fsspec.asyn import AsyncFileSystem

    class Store(AsyncFileSystem):
        """What is in memory://, as a store of objects."""

        memory, broken = fsspec.filesystem("memory"), False
        _strip_protocol = classmethod(lambda cls, path: path.replace("store:/", ""))

        async def _ls(self, path, detail=True, **_):
            if self.broken and path == folder:
                raise OSError("Network is unreachable")
            return self.memory.ls(path, detail=detail)

        async def _info(self, path, **_):
            return self.memory.info(path)

        async def _cat_file(self, path, start=None, end=None, **_):
            return self.memory.cat_file(path)

        async def _get_file(self, path, file, **_):
            return self.memory.get_file(path, file)

    runner.run(ASKED, THERE, layout=SMALL)
    fsspec.register_implementation("store", Store, clobber=True)
    assert status.status("store://runs/x").state == status.FINISHED
    monkeypatch.setattr(Store, "broken", True)
    with pytest.raises(UsageError, match=r"^store://runs/x: cannot be used: Network is unreachable"):
        status.status("store://runs/x")


def test_where_no_copy_can_be_made_one_line_is_said(memory, tmp_path, capsys):
    (tmp_path / "asked.toml").write_text(ASKED.to_toml())
    (mirror._mirror(THERE).home / ".fetching").mkdir()
    for words in (["status", THERE], ["run", str(tmp_path / "asked.toml"), "-o", THERE]):
        assert command(*words) == 2
        last = capsys.readouterr().err.splitlines()[-1]
        assert last.startswith("simkit: memory://runs/x: cannot be used: [Errno 21] Is a directory")
