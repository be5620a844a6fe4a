"""Run folders on other file systems: `s3://bucket/runs/x`, or whatever else fsspec knows.

Such a run is played and read in a copy on this machine, by the code that plays and reads any run. What is new
in the copy is put at its address every few seconds: tables, then the checksums by which they count, then the
manifest, which comes first where it begins or lengthens a run. Nothing counts there that is not whole, so a
run can go on from any machine. A record beside the copy (PUT) says what counted at the address when it was
last seen or put: that tells what is new here from what is gone there.
"""

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from filelock import FileLock

from simkit import atomic, checksums, lock, remote
from simkit.claim import Claim
from simkit.errors import OtherRun, UsageError
from simkit.remote import AT_ONCE, is_address

MANIFEST = "manifest.json"
HEADS = (checksums.FILE, MANIFEST, "search.json")  # put last, in this order
PUT = ".put"  # beside a copy: the heads that were last seen or put at the address
LOOKS = "looks"  # in the folder of a search: the runs that it rests upon
INPUTS = {"experiment.toml", "files"}
BEFORE = INPUTS | {LOOKS}  # may lie in a folder before its manifest is there
PAUSE, SHARE, LONGEST = 2.0, 20, 10.0  # seconds between two looks at the copy: SHARE times what one takes
MOST_NAMED = 40  # letters
WAITS = "what was played is kept on this machine, from where the same command puts it there"

_opened = dict[Path, "Mirror"]()  # copies of this process


def opened(folder: str | Path) -> Path:
    """A run folder to read; of an address the copy here, made as it is there just now."""
    if not is_address(folder):
        return Path(folder)
    mirror = _mirror(str(folder))
    with mirror.reaching(), mirror.fetching():
        if not lock.held(mirror.home):  # else it is played here just now
            mirror.fetch()
    return mirror.local


@contextmanager
def writing(folder: str | Path, tell: Callable[[str], None]) -> Iterator[Path]:
    """A run folder to write in, alone; of an address the copy here, whose news are put there meanwhile."""
    if not is_address(folder):
        yield Path(folder)
        return
    mirror = _mirror(str(folder))
    with ExitStack() as alone:
        with mirror.reaching():
            alone.enter_context(lock.alone(mirror.home, mirror.address))
            alone.enter_context(mirror.claim.held())
            with mirror.fetching():
                mirror.fetch(plays=True)
        only_here = not mirror.sent and (mirror.local / MANIFEST).exists()
        try:
            with _Putting(mirror, tell):
                yield mirror.local
        except OtherRun as error:
            if not only_here:
                raise
            raise OtherRun(f"{error}; it lies in its copy here only: {mirror.cure()}") from error


@contextmanager
def page(out: str | Path) -> Iterator[Path]:
    """Where to write a file that is put at its address afterwards, if it has one."""
    if is_address(out):
        with TemporaryDirectory(prefix="simkit-") as place:
            file = Path(place) / PurePosixPath(str(out)).name
            yield file
            with remote.reaching(str(out)):
                fs, path = remote.file_system(str(out))
                fs.put_file(str(file), path)
        return
    yield Path(out)
    keep(Path(out))


def keep(path: Path) -> None:
    """Put a file of a copy at its address, too; any other one is where it belongs."""
    for local, mirror in _opened.items():
        if path.is_relative_to(local):
            name = path.relative_to(local).as_posix()
            with mirror.reaching():
                if _is_head(name):
                    mirror.put_head(name, path.read_bytes())
                else:
                    mirror.put([name])


def held(folder: Path) -> bool:
    """Whether a process plays the run of which a folder is the copy, on whatever machine."""
    if folder not in _opened:
        return False
    with _opened[folder].reaching():
        return _opened[folder].claim.others() is not None


def named(text: object) -> str:
    """A text with the addresses of runs where it has the paths of their copies."""
    said = str(text)
    for local, mirror in _opened.items():
        said = said.replace(str(local), mirror.address)
    return said


def _mirror(address: str) -> "Mirror":
    mirror = Mirror(address)
    return _opened.setdefault(mirror.local, mirror)


class Mirror:
    """A run folder at an address, and its copy here."""

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.fs, self.root = remote.file_system(address)
        letters = re.sub(r"[^\w.-]", "_", PurePosixPath(self.root).name).strip(".")[:MOST_NAMED] or "run"
        usual = Path("~/.cache/simkit").expanduser()
        key = hashlib.sha256(self.address.encode()).hexdigest()[:12]
        self.home = Path(os.environ.get("SIMKIT_CACHE") or usual) / "runs" / f"{letters}-{key}"
        self.local = self.home / letters
        self.sent = dict[str, object]()  # what lies at the address, too: by name its signature or bytes
        with self.reaching():
            self.home.mkdir(parents=True, exist_ok=True)
        self.claim = Claim(self.address, self.home)

    def reaching(self) -> AbstractContextManager[None]:
        return remote.reaching(self.address)

    def fetching(self) -> FileLock:
        """One process at a time makes the copy as it is at the address."""
        return FileLock(self.home / ".fetching")

    def cure(self) -> str:
        return f"to begin anew remove {self.home}"

    def _at(self, name: str) -> str:
        return f"{self.root}/{name}"

    # From there

    def fetch(self, plays: bool = False) -> None:
        """Make the copy as it is at the address; what is new here stays."""
        for left in self.home.glob(".fetched-*"):  # by a process that was killed
            rmtree(left)
        there, put = self._list(), self._put()
        if MANIFEST not in there:
            self._sketch(there, _told(put).items(), plays)
            return
        heads = self._heads(there)
        there = self._list()  # once more: another machine may have put what the heads tell of just now
        told, news = _told(heads), self._news(heads, put)
        tables = [name for name in there if not _is_head(name) and name not in news.stay]
        self._get([name for name in tables if not self._same(name, there[name], told)])
        known = {name: content for name, content in heads.items() if name not in news.stay}
        for name, content in (known | news.lists).items():
            self._take(name, content)
        kept = there.keys() | news.stay | news.lists.keys()
        self._remove({name for name in self._files() if name not in kept})
        self.sent = {**heads, **{name: self._signature(name) for name in tables}}
        self._note_put()

    def _heads(self, there: Iterable[str]) -> dict[str, bytes]:
        """What tells at the address which tables count, read in the reverse of the order of putting."""
        names = sorted(filter(_is_head, there), key=_rank, reverse=True)
        return {name: self.fs.cat_file(self._at(name)) for name in names}

    def _put(self) -> dict[str, bytes]:
        """The heads at the address, as this copy last saw or put them."""
        try:
            known = json.loads((self.home / PUT).read_bytes())
        except FileNotFoundError:
            return {}
        return {name: content.encode("latin-1") for name, content in known.items()}

    def _note_put(self) -> None:
        known = {name: of.decode("latin-1") for name, of in self.sent.items() if isinstance(of, bytes)}
        atomic.put(self.home / PUT, json.dumps(known).encode())

    def _news(self, heads: Mapping[str, bytes], put: Mapping[str, bytes]) -> "_News":
        """What is in the copy only and belongs to the run at the address, by folder with a manifest.

        What is played beside a run is of the same one where nothing of it is at the address yet.
        """
        before, told, news = _told(put), _told(heads), _News(set(), {})
        known = before.items() | told.items()
        folders = self._folders()
        for folder in folders:
            here, there = (self.local / folder / MANIFEST).read_bytes(), heads.get(folder + MANIFEST)
            unsent, listed = self._unsent(folder, known), folder + checksums.FILE
            was, lines = put.get(folder + MANIFEST), checksums.told(self.local / folder)
            if there is not None and (unsent or here != was) and _goes_on(here, there, was):
                mark = before | told | {folder + name: of for name, of in lines.items()}
                news.stay.update(
                    name for name in self._own(folder, folders) if (name, mark.get(name)) not in known
                )
                added = _lines(heads, folder).items() - _lines(put, folder).items()
                news.lists[listed] = checksums.joined(b"", lines | dict(added))
            elif there is not None and _begins(here, there):
                news.stay.update(folder + name for name in unsent)
                news.lists[listed] = checksums.joined(heads.get(listed, b""), unsent)
            elif unsent and there is None and checksums.FILE in news.lists:
                news.stay.update(self._own(folder, folders))
            elif unsent:
                said = f"{self.address}: holds another run than its copy here, which has games that were not"
                raise UsageError(f"{said} put there; {self.cure()}")
        return news

    def _folders(self) -> list[str]:
        """The folders of the copy that hold a run: its own, then those beside it."""
        return sorted(_folder(name) for name in self._files() if PurePosixPath(name).name == MANIFEST)

    def _own(self, folder: str, folders: Iterable[str]) -> list[str]:
        """The files of the run in a folder, without those of the runs beside it."""
        deeper = tuple(other for other in folders if other != folder and other.startswith(folder))
        return [name for name in self._files() if name.startswith(folder) and not name.startswith(deeper)]

    def _unsent(self, folder: str, known: Container[tuple[str, str]]) -> dict[str, str]:
        """The whole files of a run in the copy that never counted at the address, and their digests."""
        lines = checksums.told(self.local / folder).items()
        names = [name for name, of in lines if (folder + name, of) not in known]
        return checksums.whole(self.local / folder, names)

    def _take(self, name: str, content: bytes) -> None:
        (self.local / name).parent.mkdir(parents=True, exist_ok=True)
        atomic.put(self.local / name, content)

    def _remove(self, names: Iterable[str]) -> None:
        """Remove files of the copy, and the folders in which nothing is left."""
        for name in names:
            (self.local / name).unlink()
        for place, _, _ in os.walk(self.local, topdown=False):
            if not os.listdir(place):
                os.rmdir(place)

    def _list(self) -> dict[str, int]:
        """The files at the address, and their sizes."""
        found = dict[str, int]()
        for path, known in self._found():
            name = path.removeprefix(self.root).lstrip("/")
            parts = name.split("/")
            if not name or any(part in ("", "..") or re.search(r"[\\:\x00-\x1f]", part) for part in parts):
                raise UsageError(f"{self.address}: no run folder: it holds a file named {path[:200]!r}")
            if not any(part.startswith(".") for part in parts):
                found[name] = known["size"]
        return found

    def _found(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every file at the address, and what is known of it; a folder that cannot be listed is not empty."""
        self.fs.invalidate_cache()
        folders, left = set[str](), list[dict[str, Any]]()
        with suppress(FileNotFoundError):  # the address itself may not be there yet
            left = list(self.fs.ls(self.root, detail=True))
        while left:
            known = left.pop()
            name = known["name"].rstrip("/")
            if known["type"] != "directory":
                yield name, known
            elif name not in folders | {self.root}:  # some stores list a folder in itself
                folders.add(name)
                left += self.fs.ls(name, detail=True)

    def _sketch(self, there: Iterable[str], put: Container[tuple[str, str]], plays: bool) -> None:
        """A copy of what is no run: names only; a run with games that were never put stays, to go on with."""
        self.claim.refuse_others()
        firsts = {name.partition("/")[0] for name in there}
        self.sent = {}
        if any(self._unsent(folder, put) for folder in self._folders()):
            if firsts - BEFORE or not plays:
                first = "remove what else lies there, then " if firsts - BEFORE else ""
                said = f"{first}the command that played it puts it there; {self.cure()}"
                raise UsageError(f"{self.address}: holds no run, its copy here does: {said}")
            return
        rmtree(self.local, ignore_errors=True)
        self._note_put()
        for name in firsts - INPUTS:
            (self.local / name).mkdir(parents=True)

    def _same(self, name: str, size: int, told: Mapping[str, str]) -> bool:
        """Whether a table need not be fetched."""
        path = self.local / name
        if name not in told or not path.is_file() or path.stat().st_size != size:
            return False
        return checksums.digest(path) == told[name]

    def _get(self, names: list[str]) -> None:
        """Fetch files; each takes its place when all are here."""
        if not names:
            return
        with TemporaryDirectory(prefix=".fetched-", dir=self.home) as place:
            fetched = [str(Path(place) / str(number)) for number in range(len(names))]
            self.fs.get([self._at(name) for name in names], fetched)
            for name, file in zip(names, fetched, strict=True):
                (self.local / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(file, self.local / name)

    # To there

    def put_news(self) -> None:
        """Put what is new in the copy at the address, as long as nobody took over the run."""
        self.claim.check_mine()
        names = sorted(filter(_is_head, self._files()), key=_rank)
        heads = {name: (self.local / name).read_bytes() for name in reversed(names)}  # read in this order
        if MANIFEST in heads and _parted(self.sent.get(MANIFEST)) != _parted(heads[MANIFEST]):
            self._begin(heads)
        news = [name for name in self._files() if not _is_head(name) and self._is_new(name)]
        for first in range(0, len(news), AT_ONCE):
            self.put(news[first : first + AT_ONCE])
            self.claim.check_mine()
        for name in names:
            if self.sent.get(name) != heads[name]:
                self.put_head(name, heads[name])

    def _begin(self, heads: Mapping[str, bytes]) -> None:
        """Make the address a run, or one of another length: before all else, of which it tells."""
        if checksums.FILE in self.sent:  # not all that counted before may count from now on
            known = _lines(heads, "").items()
            left = {name: of for name, of in known if name in self.sent and not self._is_new(name)}
            self.put_head(checksums.FILE, checksums.joined(b"", left))
        self.put_head(MANIFEST, heads[MANIFEST])

    def put(self, names: list[str]) -> None:
        signed = {name: self._signature(name) for name in names}
        remote.make_room(self.fs, [self._at(name) for name in names])
        self.fs.put([str(self.local / name) for name in names], [self._at(name) for name in names])
        self.sent |= signed

    def put_head(self, name: str, content: bytes) -> None:
        remote.put_whole(self.fs, self._at(name), content, self.claim.session)
        self.sent[name] = content
        self._note_put()

    def _is_new(self, name: str) -> bool:
        return self.sent.get(name) != self._signature(name)

    def _signature(self, name: str) -> tuple[int, int]:
        known = (self.local / name).stat()
        return known.st_mtime_ns, known.st_size

    def _files(self) -> list[str]:
        """The files of the copy that are whole, by name."""
        found = list[str]()
        for place, folders, names in os.walk(self.local):
            folders[:] = [name for name in folders if not name.startswith(".")]
            shown = [Path(place, name) for name in names if not name.startswith(".")]
            found += [path.relative_to(self.local).as_posix() for path in shown]
        return found


class _News(NamedTuple):
    """What stays in a copy though it is not at the address: files, and lists of checksums with more lines."""

    stay: set[str]
    lists: dict[str, bytes]


def _is_head(name: str) -> bool:
    return PurePosixPath(name).name in HEADS


def _rank(name: str) -> int:
    return HEADS.index(PurePosixPath(name).name)


def _folder(name: str) -> str:
    """The folder of a file, so that the name of another one there can follow."""
    return name.removesuffix(PurePosixPath(name).name)


def _told(heads: Mapping[str, bytes]) -> dict[str, str]:
    """The digests of all tables that count at an address, by name."""
    folders = [_folder(name) for name in heads if PurePosixPath(name).name == checksums.FILE]
    return {folder + name: of for folder in folders for name, of in _lines(heads, folder).items()}


def _lines(heads: Mapping[str, bytes], folder: str) -> dict[str, str]:
    return checksums.parsed(heads.get(folder + checksums.FILE, b""))


def _parted(manifest: Any) -> tuple[Any, Any, list[Any]] | None:
    """What decides which tables a run has: what it is, its deals, and how it was lengthened."""
    try:
        known = json.loads(manifest)
        asked = dict(known["experiment"])
        deals = asked.pop("deals", None)
        return (known["started"], asked), deals, list(known["spans"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None  # it is told of when the run is opened


def _goes_on(here: bytes, there: bytes, put: bytes | None) -> bool:
    """Whether the manifest of a copy goes on from that at the address, where `put` was seen or put last."""
    one, other = _parted(here), _parted(there)
    if put is None or not one or not other or one[0] != other[0]:
        return False
    longer = len(one[2]) > len(other[2]) and one[2][: len(other[2])] == other[2]
    return longer or there == put


def _begins(here: bytes, there: bytes) -> bool:
    """Whether the run at an address is the one in the copy, or that lengthened."""
    one, other = _parted(here), _parted(there)
    return one is not None and other is not None and one[0] == other[0] and one[2] == other[2][: len(one[2])]


class _Putting:
    """A thread that puts news at the address while a run is played; at the end all are there."""

    def __init__(self, mirror: Mirror, tell: Callable[[str], None]) -> None:
        self.mirror, self.tell, self.done = mirror, tell, threading.Event()
        self.lost = ""
        self.thread = threading.Thread(target=self._put, daemon=True)

    def __enter__(self) -> None:
        self.thread.start()

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        self.done.set()
        self.thread.join()
        if failed and issubclass(failed, OtherRun):  # what is here is not what was asked for
            return
        try:
            with self.mirror.reaching():
                self.mirror.put_news()
        except UsageError as error:
            said = f"{error}; {WAITS}"
            if not failed:
                raise UsageError(said) from error
            self.tell(said)

    def _put(self) -> None:
        """Now and then; what cannot be put is tried again, and told of once."""
        took = 0.0
        while not self.done.wait(min(LONGEST, max(PAUSE, SHARE * took))):
            began = time.monotonic()
            try:
                with self.mirror.reaching():
                    self.mirror.put_news()
                self.lost = ""
            except UsageError as error:
                if not self.lost:
                    self.tell(f"{error}; {WAITS}")
                self.lost = str(error)
            took = time.monotonic() - began
