"""Lock of a run folder: one process writes at a time; the lock ends with its process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from simkit.errors import UsageError

try:
    import fcntl
except ImportError:  # on Windows, which has no shared locks
    fcntl = None  # type: ignore[assignment]

FILE = ".lock"


@contextmanager
def hold(folder: Path, name: str = "") -> Iterator[None]:
    """Hold the lock of a folder; raises a UsageError about the run `name` if another process holds it."""
    lock = FileLock(folder / FILE, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        look = f"simkit status {name or folder} says how far it is"
        raise UsageError(f"{name or folder}: another process is playing this run; {look}") from None
    try:
        yield
    finally:
        if fcntl is not None:  # else the file is removed with the lock, and not before
            (folder / FILE).unlink(missing_ok=True)
        lock.release()


def is_held(folder: Path) -> bool:
    """Return whether a process holds the lock of a folder; reading permission suffices."""
    path = folder / FILE
    if not path.is_file():
        return False
    try:
        if fcntl is None:
            FileLock(path, timeout=0).acquire().lock.release()
        else:
            with open(path, "rb") as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (Timeout, BlockingIOError, PermissionError):  # the last where a lock cannot be looked at
        return True
    except FileNotFoundError:  # removed just now
        return False
    return False
