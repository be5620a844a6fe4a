"""Who writes in a run folder: one process at a time; its lock ends with it, however it ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from simkit.errors import UsageError

if sys.platform != "win32":
    import fcntl

FILE = ".lock"


@contextmanager
def alone(folder: Path, name: str = "") -> Iterator[None]:
    """As the only one who writes in a folder, or plays the run of that name."""
    lock = FileLock(folder / FILE, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        look = f"simkit status {name or folder} says how far it is"
        raise UsageError(f"{name or folder}: another process is playing this run; {look}") from None
    try:
        yield
    finally:
        if os.name == "posix":  # elsewhere an open file cannot go
            (folder / FILE).unlink(missing_ok=True)
        lock.release()


def held(folder: Path) -> bool:
    """Whether a process writes in a folder; that can tell who may only read there, too."""
    path = folder / FILE
    if path.is_symlink():  # no writer has made it
        return False
    try:
        return path.is_file() and _is_taken(path)
    except FileNotFoundError:  # just now
        return False
    except OSError as error:
        raise UsageError(f"{path}: cannot be read to see who is playing: {error.strerror}") from error


def _is_taken(path: Path) -> bool:
    if sys.platform == "win32":  # has no shared locks
        try:
            with FileLock(path, timeout=0):
                return False
        except Timeout:
            return True
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
