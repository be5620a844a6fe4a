"""Checksums of the files of a run folder, in the format of `sha256sum -c checksums.txt`.

A file is valid if its line in checksums.txt matches its content; a file without a line is played again.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path

import polars as pl

from simkit.errors import UsageError
from simkit.runs.storage import atomic

FILE = "checksums.txt"
_LINE = re.compile(rb"^([0-9a-f]{64})  ([^\n]+)\n", re.MULTILINE)


def digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_digests(folder: Path) -> dict[str, str]:
    """Return the digests of a folder's list; the last line of a file counts, an incomplete line does not."""
    path = folder / FILE
    if not os.path.isfile(path):  # pathlib before Python 3.14 raises where a name is too long
        if os.path.exists(path):
            raise UsageError(f"{path}: is a folder or a device in the place of a file; remove it")
        return {}
    return parse(path.read_bytes())


def parse(lines: bytes) -> dict[str, str]:
    """Return the digests in the text of a list, by file name."""
    return {name.decode(errors="replace"): value.decode() for value, name in _LINE.findall(lines)}


def note(folder: Path, files: Mapping[str, str]) -> None:
    """Append lines to the list; they are on disk when this returns."""
    with open(folder / FILE, "ab+") as file:
        file.seek(max(0, file.tell() - 1))
        if file.read() not in (b"", b"\n"):  # a crash left an incomplete line
            file.truncate(1 + (folder / FILE).read_bytes().rfind(b"\n"))
        file.write(_lines(files))
        file.flush()
        os.fsync(file.fileno())


def attach(folder: Path, name: str, table: pl.DataFrame, **metadata: str) -> None:
    """Write a table beside those of a run, and append its line to the list."""
    content = BytesIO()
    table.write_parquet(content, metadata=metadata)
    atomic.put(folder / name, content.getvalue())
    note(folder, {name: digest(folder / name)})


def settle(folder: Path, files: Mapping[str, str]) -> None:
    """Replace the list by these lines, sorted by name, so that equal tables give equal lists."""
    atomic.put(folder / FILE, _lines(dict(sorted(files.items()))))


def valid_files(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the digests of the named files that exist and match their lines."""
    digests = read_digests(folder)
    listed = [name for name in names if name in digests and (folder / name).is_file()]
    return {name: digests[name] for name in listed if digest(folder / name) == digests[name]}


def _lines(files: Mapping[str, str]) -> bytes:
    return "".join(f"{value}  {name}\n" for name, value in files.items()).encode()
