"""Runs at an address such as `s3://bucket/runs/x`: played in a local folder, copied with fsspec.

| step | what is copied |
| --- | --- |
| before playing or reading | everything that the local folder lacks or holds otherwise |
| before the first game | inputs, then the manifest |
| a shard is finished | its tables, then checksums.txt; without a network, at the end of the command |
| at the end | what the address lacks: tables, then checksums, manifests; interim tables are removed there |

The local folder lies below `~/.cache/simkit` (or SIMKIT_CACHE). It keeps tables that the address lacks while
both hold the same run, and is emptied when the address holds another. One machine plays a run at a time.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

from filelock import FileLock

from simkit.errors import DISTRIBUTION, UsageError
from simkit.runs.storage import atomic, checksums, lock, outputs
from simkit.system import typed_here

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://")
PASSWORD = re.compile(r"(?<=://)([^/\s:@]*):[^/\s]*@")
TABLE = re.compile(r"/\d{14}\.parquet$")  # of a shard
SKIPPED = re.compile(r"(^|/)\.|[\\:]")  # hidden and unfinished files, names that lead out of the folder
MANIFEST = "manifest.json"
INTERIM = "interim"  # in the folder of a run with sequential stopping: its tables until all cells stopped
SIDE_RUNS = "side_runs"  # in the folder of a search: the runs that it rests upon
INPUTS = {"experiment.toml", "files", SIDE_RUNS}  # may be at an address before its manifest
IDENTITY = ("started", "experiment", "spans", "layout", "sources", "files")  # of a run, in its manifest

_folders = dict[Path, "RemoteFolder"]()  # those that this process uses, by local folder


def is_address(folder: object) -> bool:
    """Return whether a text names a folder or file of another file system.

    >>> is_address("s3://bucket/runs/x"), is_address("runs/x"), is_address(r"C:\\runs")
    (True, False, False)
    """
    return bool(ADDRESS.match(str(folder)))


def hide_passwords(text: object) -> str:
    """Return a text without the passwords of its addresses.

    >>> hide_passwords("sftp://me:secret@host/runs/x: no such host")
    'sftp://me@host/runs/x: no such host'
    """
    return PASSWORD.sub(r"\1@", str(text))


def show_addresses(text: object) -> str:
    """Return a text with addresses, without passwords, in the place of their local folders."""
    shown = hide_passwords(text)
    for local, remote in _folders.items():
        shown = shown.replace(str(local), remote.address)
    return shown


def local_folder(folder: str | Path) -> Path:
    """Return the local folder of a run to read; fetch it first if it is at an address."""
    if not is_address(folder):
        return Path(folder)
    remote = _remote_folder(str(folder))
    if not lock.is_held(remote.home):  # else it is played on this machine
        remote.fetch()
    return remote.local


@contextmanager
def open_for_writing(folder: str | Path, command: str | None = None) -> Iterator[Path]:
    """Yield the local folder to play in; fetch an address before, and upload to it afterwards.

    The command is what a user repeats to upload the rest after the network failed.
    """
    if not is_address(folder):
        yield Path(folder)
        return
    remote = _remote_folder(str(folder))
    cure = f"; all that was played is kept in {remote.home}, and the same command again uploads the rest"
    remote.cure = f"{cure}: {typed_here(command)}" if command else cure
    with lock.hold(remote.home, remote.address):
        remote.fetch()
        yield remote.local
        remote.upload()


def upload(folder: Path) -> None:
    """Upload the local folder of an address, as far as the address lacks it."""
    for remote, _ in _address_of(folder):
        remote.upload()


def upload_tables(folder: Path, names: Iterable[str]) -> None:
    """Upload new tables of a run; without a network they wait for the end of the command."""
    for remote, path in _address_of(folder):
        if remote.reachable:
            with suppress(UsageError):  # the upload at the end of the command reports a lasting failure
                remote.put([f"{path}{name}" for name in (*names, checksums.FILE)])


@contextmanager
def page(out: str | Path) -> Iterator[Path]:
    """Yield the path to write a page to, and upload it if it belongs to an address."""
    if not is_address(out):
        yield Path(out)
        for remote, path in _address_of(Path(out).parent):
            remote.put([path + Path(out).name])
        return
    fs, path = file_system(str(out))
    at = PurePosixPath(path)
    with remote_errors(str(out)):
        if fs.exists(str(at.with_name(MANIFEST))) and not outputs.is_page(at.name):
            raise UsageError(f"{out}: {outputs.NO_PAGE}")
    with TemporaryDirectory(prefix="simkit-") as folder:
        yield (file := Path(folder) / at.name)
        with remote_errors(str(out)):
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
        self.address, self.cure, self.reachable = hide_passwords(address.rstrip("/")), "", True
        self.fs, self.root = file_system(address)
        name = re.sub(r"[^\w.-]", "_", PurePosixPath(self.root).name).strip(".")[:40] or "run"
        digest = hashlib.sha256(self.address.encode()).hexdigest()[:12]
        self.home = cache_folder() / "runs" / f"{name}-{digest}"
        self.local = self.home / name
        with remote_errors(self.address):
            self.home.mkdir(parents=True, exist_ok=True)

    def fetch(self) -> None:
        """Fetch what is missing in the local folder, or differs from the address."""
        with remote_errors(self.address), FileLock(self.home / ".fetching"):
            self.reachable = True
            # Manifests before checksums before tables, since another machine may be uploading just now.
            heads = sorted(filter(_rank, self._list()), key=_rank, reverse=True)
            contents = {name: self.fs.cat_file(f"{self.root}/{name}") for name in heads}
            names = self._list().keys() - contents.keys()
            if MANIFEST not in contents and {name.partition("/")[0] for name in names} - INPUTS:
                raise UsageError(f"{self.address}: the folder is not empty and not a run; choose another")
            for path in sorted(self.local.rglob(MANIFEST)):
                remote = contents.get(path.relative_to(self.local).as_posix(), b"")
                if path.is_file() and _identity(path.read_bytes()) != _identity(remote):
                    rmtree(path.parent)
            for name, content in contents.items():
                if name.endswith(MANIFEST):
                    atomic.put(self.local / name, content)
                else:
                    names -= self._note_checksums(name.removesuffix(checksums.FILE), content)
            self.fs.get([f"{self.root}/{name}" for name in names], [str(self.local / name) for name in names])

    def _note_checksums(self, folder: str, content: bytes) -> set[str]:
        """Note the checksums of a folder at the address; return the files that match them here."""
        local, digests = self.local / folder, checksums.parse(content)
        checksums.settle(local, checksums.read_digests(local) | digests)
        return {f"{folder}{name}" for name in checksums.valid_files(local, digests)}

    def _list(self) -> dict[str, int]:
        """Return sizes by name; `fs.find` takes a folder that cannot be listed for an empty one."""
        self.fs.invalidate_cache()
        sizes, folders = dict[str, int](), [self.root]
        for folder in folders:  # grows meanwhile
            with suppress(FileNotFoundError):
                for entry in self.fs.ls(folder, detail=True):
                    path = entry["name"].rstrip("/")
                    if entry["type"] != "directory":
                        sizes[path.removeprefix(self.root).lstrip("/")] = entry["size"]
                    elif path != folder:
                        folders.append(path)
        return {name: size for name, size in sizes.items() if not SKIPPED.search(name)}

    def upload(self) -> None:
        """Upload tables that are missing at the address, and all other files; remove old interim tables."""
        with remote_errors(self.address, self.cure):
            sizes = self._list()
        paths = [path for path in self.local.rglob("*") if path.is_file()]
        files = {path.relative_to(self.local).as_posix(): path.stat().st_size for path in paths}
        uploaded = {name for name in files if TABLE.search(name) and files[name] == sizes.get(name)}
        self.put([name for name in files.keys() - uploaded if not SKIPPED.search(name)])
        with remote_errors(self.address, self.cure):
            for name in sizes.keys() - files:
                if f"/{INTERIM}/" in f"/{name}":
                    self.fs.rm_file(f"{self.root}/{name}")

    def put(self, names: Iterable[str]) -> None:
        """Upload files: tables and inputs, then checksums, then manifests; each is whole at any moment."""
        self.reachable = False
        with remote_errors(self.address, self.cure):
            for name in sorted(names, key=_rank):
                folder, _, last = f"{self.root}/{name}".rpartition("/")
                if self.fs.async_impl:  # a store of objects
                    self.fs.put_file(str(self.local / name), f"{folder}/{last}")
                else:
                    self.fs.makedirs(folder, exist_ok=True)
                    self.fs.put_file(str(self.local / name), f"{folder}/.{last}.tmp")
                    self.fs.mv(f"{folder}/.{last}.tmp", f"{folder}/{last}")
        self.reachable = True


def _rank(name: str) -> int:
    """Return when a file is uploaded: 0 for tables and inputs, 1 for checksums, 2 for manifests."""
    return 2 * name.endswith(MANIFEST) + name.endswith(checksums.FILE)


def _identity(manifest: bytes) -> list[Any]:
    """Return what tells runs apart, and what decides which deals a shard holds; empty without a manifest."""
    try:
        keys = json.loads(manifest)
        return [keys[key] for key in IDENTITY]
    except (ValueError, LookupError, TypeError):
        return []


def file_system(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path there."""
    protocol, _, rest = address.partition("://")
    if not rest.strip("/"):
        raise UsageError(
            f"{hide_passwords(address)}: names no folder; give one such as s3://bucket/runs/first"
        )
    cure = f"install what fsspec needs for {protocol}://"
    if protocol == "s3":
        cure = f"pip install '{DISTRIBUTION}[s3]'"
    with remote_errors(address, f"; {cure}"):
        from fsspec.core import url_to_fs

        fs, root = url_to_fs(address.rstrip("/"))
    return fs, root


@contextmanager
def remote_errors(address: str, cure: str = "") -> Iterator[None]:
    """Turn any error of another file system into one line; each library has errors of its own."""
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        line = str(error).partition("\n")[0] or type(error).__name__
        raise UsageError(hide_passwords(f"{address}: cannot be used: {line}{cure}")) from error


def cache_folder() -> Path:
    """Return SIMKIT_CACHE, else ~/.cache/simkit."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "simkit"
    return Path(os.environ.get("SIMKIT_CACHE") or usual).expanduser()
