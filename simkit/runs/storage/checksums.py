"""Checksums of the files of a run folder, as `sha256sum -c checksums.txt` reads them.

A file counts from its line on: what has none, or another content, is played again.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from simkit.errors import UsageError
from simkit.runs.storage import atomic

FILE = "checksums.txt"
_LINE = re.compile(rb"^([0-9a-f]{64})  ([^\n]+)\n", re.MULTILINE)


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def told(folder: Path) -> dict[str, str]:
    """The digest of each file that has a whole line, the last one if it has several."""
    path = folder / FILE
    if not os.path.isfile(path):  # pathlib before Python 3.14 raises where a name is too long
        if os.path.exists(path):
            raise UsageError(f"{path}: is a folder or a device in the place of a file; remove it")
        return {}
    return parsed(path.read_bytes())


def parsed(lines: bytes) -> dict[str, str]:
    """The digests by name that a list of checksums tells."""
    return {name.decode(errors="replace"): value.decode() for value, name in _LINE.findall(lines)}


def note(folder: Path, files: Mapping[str, str]) -> None:
    """Add lines, on disk when this returns."""
    with open(folder / FILE, "ab") as file:
        if file.tell() and not _ends(folder):  # a crash cut a line short
            file.truncate(1 + (folder / FILE).read_bytes().rfind(b"\n"))
        file.write(_lines(files))
        file.flush()
        os.fsync(file.fileno())


def settle(folder: Path, files: Mapping[str, str]) -> None:
    """These lines alone, sorted by name: the same for the same tables."""
    atomic.put(folder / FILE, _lines(dict(sorted(files.items()))))


def whole(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Of the files named those that are there, with the content that their line says, and its digest."""
    digests = told(folder)
    listed = (name for name in names if name in digests)
    return {name: digests[name] for name in listed if _matches(folder / name, digests[name])}


def _matches(path: Path, expected: str) -> bool:
    return path.is_file() and digest(path) == expected


def _ends(folder: Path) -> bool:
    with open(folder / FILE, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


def _lines(files: Mapping[str, str]) -> bytes:
    return "".join(f"{of}  {name}\n" for name, of in files.items()).encode()
