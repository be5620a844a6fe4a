"""Runs at an address such as `s3://bucket/runs/x`: they play in a local folder, and fsspec copies the files.

The local folder is below `~/.cache/simkit` (or SIMKIT_CACHE). One process plays a run at a time: on this
machine a lock sees to that, between machines the user does. Who writes which file when:

| moment | local folder | address |
| --- | --- | --- |
| a command starts or reads a run | becomes a copy of the address | |
| a run begins or gets more deals | manifest, inputs | the same, a new manifest first |
| a shard is finished | its tables, their lines in checksums.txt | the same |
| a command ends | the answer, `finished` in the manifest | all that is new, the manifest last |

While the address may lack files of the local folder, an empty file `.pending` lies next to it. Then the local
folder stays as it is, so that a command killed at any moment goes on when it is repeated. Only if another
machine finished the run meanwhile, or played another one, it is set aside as `replaced`, and fetched anew.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import groupby
from pathlib import Path, PurePosixPath
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

from filelock import FileLock

from simkit.errors import UsageError
from simkit.runs.storage import atomic, checksums, lock
from simkit.runs.storage.scratch import cache_folder

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://")
PASSWORD = re.compile(r"(?<=://)([^/\s:@]*):[^/\s]*@")
UNSAFE = re.compile(r"(^|/)\.\.(/|$)|[\\:\x00-\x1f]")  # in file names: leads out of a folder on some system
MANIFEST = "manifest.json"
LOOKS = "looks"  # in the folder of a search: the runs that it rests upon
HEADS = (checksums.FILE, MANIFEST)  # uploaded last, in this order
AT_ONCE = 16  # files in memory

_folders = dict[Path, "RemoteFolder"]()  # those that this process uses, by local folder


def is_address(folder: object) -> bool:
    """Return whether a text names a folder or file of another file system.

    >>> is_address("s3://bucket/runs/x"), is_address("runs/x"), is_address(r"C:\\runs")
    (True, False, False)
    """
    return bool(ADDRESS.match(str(folder)))


def public(text: object) -> str:
    """Return a text without the passwords of its addresses.

    >>> public("sftp://me:secret@host/runs/x: no such host")
    'sftp://me@host/runs/x: no such host'
    """
    return PASSWORD.sub(r"\1@", str(text))


def named(text: object) -> str:
    """Return a text with addresses, without passwords, in the place of their local folders."""
    shown = public(text)
    for local, remote in _folders.items():
        shown = shown.replace(str(local), remote.address)
    return shown


def opened(folder: str | Path) -> Path:
    """Return the local folder of a run to read; of an address, a copy of what is there now."""
    if not is_address(folder):
        return Path(folder)
    remote = _remote_folder(str(folder))
    played_here = lock.held(remote.home)
    if not played_here and not remote.fetch() and (remote.local / MANIFEST).exists():
        raise UsageError(f"{remote.address}: holds no run yet{remote.cure}")
    return remote.local


@contextmanager
def writing(folder: str | Path) -> Iterator[Path]:
    """Yield the local folder to play in; of an address, fetch it before and upload what is new afterwards."""
    if not is_address(folder):
        yield Path(folder)
        return
    remote = _remote_folder(str(folder))
    with lock.alone(remote.home, remote.address):
        remote.fetch()
        try:
            yield remote.local
        except BaseException:
            with suppress(UsageError):  # the message is what stopped the run
                remote.upload()
            raise
        remote.upload()


def upload(folder: Path) -> None:
    """Upload what is new in the local folder of an address, which this process plays in."""
    for remote, _ in _address_of(folder):
        remote.upload()


def upload_results(folder: Path) -> None:
    """Upload what is new after a run; a process that plays the run meanwhile does that at its end."""
    for remote, _ in _address_of(folder):
        if not lock.held(remote.home):
            with lock.alone(remote.home, remote.address):
                remote.upload()


def upload_tables(folder: Path, names: Iterable[str]) -> None:
    """Upload new tables of a run; without network they wait for the end of the command."""
    for remote, path in _address_of(folder):
        if remote.reachable:
            remote.pending.touch()
            try:
                remote.put([f"{path}{name}" for name in (*names, checksums.FILE)])
            except UsageError:  # uploading at the end of the command says it, if it fails, too
                remote.reachable = False


@contextmanager
def page(out: str | Path) -> Iterator[Path]:
    """Yield the path to write a page to, and upload it if it belongs to an address."""
    if not is_address(out):
        yield Path(out)
        for remote, path in _address_of(Path(out).parent):
            remote.put([path + Path(out).name])
        return
    with TemporaryDirectory(prefix="simkit-") as place:
        yield (file := Path(place) / PurePosixPath(str(out)).name)
        with reaching(str(out)):
            fs, path = file_system(str(out))
            fs.put_file(str(file), path)


def _address_of(folder: Path) -> Iterator[tuple["RemoteFolder", str]]:
    """Yield the address that a folder is a copy of, if there is one, and the path of the folder there."""
    for local, remote in _folders.items():
        if folder.is_relative_to(local):
            yield remote, f"{folder.relative_to(local).as_posix()}/".removeprefix("./")


def _remote_folder(address: str) -> "RemoteFolder":
    remote = RemoteFolder(address)
    return _folders.setdefault(remote.local, remote)


class RemoteFolder:
    """A run folder at an address, and its local folder."""

    def __init__(self, address: str) -> None:
        self.address = public(address.rstrip("/"))
        self.fs, self.root = file_system(address)
        name = re.sub(r"[^\w.-]", "_", PurePosixPath(self.root).name).strip(".")[:40] or "run"
        digest = hashlib.sha256(self.address.encode()).hexdigest()[:12]
        self.home = cache_folder() / "runs" / f"{name}-{digest}"
        self.local, self.pending = self.home / name, self.home / ".pending"
        self.cure = f"; games wait in {self.home}: repeat the command that played them to upload them"
        self.uploaded = dict[str, tuple[int, int]]()  # signatures of local files that are at the address
        self.reachable = True  # while the tables of this command were uploaded
        with reaching(self.address):
            self.home.mkdir(parents=True, exist_ok=True)

    def fetch(self) -> bool:
        """Make the local folder a copy of the address, unless it is pending; say if a run is there."""
        with self._reaching(), FileLock(self.home / ".fetching"):
            # The reverse of the order of uploading, since another machine may be uploading just now.
            names = sorted(filter(_rank, dict(self._list(self.root))), key=_rank, reverse=True)
            heads = {name: self.fs.cat_file(f"{self.root}/{name}") for name in names}
            sizes = dict(self._list(self.root))
            if MANIFEST not in sizes and any(not name.startswith(f"{LOOKS}/") for name in sizes):
                raise UsageError(f"{self.address}: the folder is not empty and not a run; choose another")
            if self.pending.exists() and any(self._differs(name, heads[name]) for name in heads):
                rmtree(self.home / "replaced", ignore_errors=True)
                if self.local.exists():
                    self.local.rename(self.home / "replaced")
                self.pending.unlink()
            self.uploaded = {name: self._signature(name) for name in self._same(heads, sizes)}
            if not self.pending.exists():
                self._copy(heads, sizes)
            return MANIFEST in sizes

    def _list(self, folder: str) -> Iterator[tuple[str, int]]:
        """Yield names and sizes; `fs.find` would take a folder that cannot be listed for an empty one."""
        self.fs.invalidate_cache()
        try:
            entries = self.fs.ls(folder, detail=True)
        except FileNotFoundError:
            return
        for entry in entries:
            path = entry["name"].rstrip("/")
            name = path.removeprefix(self.root).lstrip("/")
            if UNSAFE.search(name):
                raise UsageError(f"{self.address}: no run folder: it holds a file named {name[:200]!r}")
            if path == folder or "/." in f"/{name}":
                continue
            if entry["type"] == "directory":
                yield from self._list(path)
            else:
                yield name, entry["size"]

    def _differs(self, name: str, content: bytes) -> bool:
        """Return whether a file at the address is the manifest of another run, or of a finished one."""
        if not name.endswith(MANIFEST):
            return False
        if not (self.local / name).is_file():
            return True
        here, there = json.loads((self.local / name).read_bytes()), json.loads(content)
        finished = bool(there["finished"] and not here["finished"])
        question = ("experiment", "layout", "sources", "files")
        return finished or any(here[key] != there[key] for key in question)

    def _same(self, heads: dict[str, bytes], sizes: dict[str, int]) -> Iterator[str]:
        """Yield the tables that are whole in the local folder and at the address, as far as sizes tell."""
        for head in filter(lambda name: name.endswith(checksums.FILE), heads):
            folder, digests = head.removesuffix(checksums.FILE), checksums.parsed(heads[head])
            for name, digest in checksums.whole(self.local / folder, digests).items():
                size = (self.local / folder / name).stat().st_size
                if digest == digests[name] and size == sizes.get(folder + name):
                    yield folder + name

    def _copy(self, heads: dict[str, bytes], sizes: dict[str, int]) -> None:
        for name in set(self._files()) - sizes.keys():
            (self.local / name).unlink()
        for folder, _, _ in os.walk(self.local, topdown=False):
            if not os.listdir(folder):
                os.rmdir(folder)
        for name in sizes:
            (self.local / name).parent.mkdir(parents=True, exist_ok=True)
        names = [name for name in sizes if name not in self.uploaded and name not in heads]
        self.fs.get([f"{self.root}/{name}" for name in names], [str(self.local / name) for name in names])
        for name, content in heads.items():
            atomic.put(self.local / name, content)
        self.uploaded |= {name: self._signature(name) for name in (*names, *heads)}

    def _files(self) -> list[str]:
        names = (path.relative_to(self.local).as_posix() for path in self.local.rglob("*") if path.is_file())
        return [name for name in names if "/." not in f"/{name}"]  # others are unfinished

    def upload(self) -> None:
        """Upload all that is new."""
        self.pending.touch()
        self.put(self._files())
        self.pending.unlink(missing_ok=True)

    def put(self, names: Iterable[str]) -> None:
        """Upload those of these files that are new: manifests of new runs, tables, checksums, manifests."""
        signatures = {name: self._signature(name) for name in names}
        changed = [name for name in signatures if signatures[name] != self.uploaded.get(name)]

        def rank(name: str) -> int:
            return -1 if name.endswith(MANIFEST) and name not in self.uploaded else _rank(name)

        with self._reaching():
            for _, group in groupby(sorted(changed, key=rank), rank):
                self._put_together(list(group))
        self.uploaded |= signatures

    def _put_together(self, names: list[str]) -> None:
        """Upload files, each of which is whole or absent at any moment."""
        paths = [f"{self.root}/{name}" for name in names]
        if self.fs.async_impl:  # a store of objects
            self.fs.put([str(self.local / name) for name in names], paths)
            return
        for name, path in zip(names, paths, strict=True):
            folder, _, last = path.rpartition("/")
            self.fs.makedirs(folder, exist_ok=True)
            self.fs.put_file(str(self.local / name), f"{folder}/.{last}.tmp")
            self.fs.mv(f"{folder}/.{last}.tmp", path)

    def _signature(self, name: str) -> tuple[int, int]:
        status = (self.local / name).stat()
        return status.st_mtime_ns, status.st_size

    def _reaching(self) -> AbstractContextManager[None]:
        return reaching(self.address, self.cure if self.pending.exists() else "")


def _rank(name: str) -> int:
    last = PurePosixPath(name).name
    return HEADS.index(last) + 1 if last in HEADS else 0


def file_system(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path there."""
    protocol, _, rest = address.partition("://")
    if not rest.strip("/"):
        raise UsageError(f"{public(address)}: names no folder; give one such as s3://bucket/runs/first")
    needs = f"install fsspec, and what it needs for {protocol}://"
    cure = "pip install 'simkit[s3]'" if protocol == "s3" else needs
    with reaching(address):
        try:
            from fsspec.core import get_filesystem_class, url_to_fs

            store = get_filesystem_class(protocol).async_impl
            fs, root = url_to_fs(address.rstrip("/"), **({"use_listings_cache": False} if store else {}))
        except ImportError as error:
            raise UsageError(f"{public(address)}: {error}: {cure}") from None
        except ValueError as error:
            cure = "such are known: s3://, file://, memory://"
            raise UsageError(f"{public(address)}: {error}; {cure}") from None
    if store:
        fs.batch_size = AT_ONCE
    return fs, root


@contextmanager
def reaching(address: str, cure: str = "") -> Iterator[None]:
    """Say in one line whatever goes wrong with another file system; each library has errors of its own."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        right = "no right to do that" if isinstance(error, PermissionError) else "cannot be used"
        line = str(error).partition("\n")[0] or type(error).__name__
        raise UsageError(public(f"{address}: {right}: {line}{cure}")) from error
