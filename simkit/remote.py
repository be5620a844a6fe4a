"""Other file systems: that of an address such as `s3://bucket/runs/x`, and its errors, each in one line."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from simkit.errors import UsageError

ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://")
AT_ONCE = 16  # files that are put or fetched together


def is_address(folder: object) -> bool:
    """Whether a text names a folder or file of another file system.

    >>> is_address("s3://bucket/runs/x"), is_address("runs/x"), is_address(r"C:\\runs")
    (True, False, False)
    """
    return bool(ADDRESS.match(str(folder)))


def file_system(address: str, apart: bool = False) -> tuple[Any, str]:
    """The file system of an address, and the path there; `apart`: for another thread."""
    protocol, _, rest = address.partition("://")
    if not rest.strip("/"):
        raise UsageError(f"{address}: names no folder; give one such as s3://bucket/runs/first")
    needs = f"install fsspec, and what it needs for {protocol}://"
    cure = "pip install 'simkit[s3]'" if protocol == "s3" else needs
    with reaching(address):
        try:
            from fsspec.core import get_filesystem_class, url_to_fs

            known: dict[str, Any] = {"use_listings_cache": False}
            if not (threads := get_filesystem_class(protocol).async_impl):  # else it serves several
                known = {"skip_instance_cache": apart}
            fs, root = url_to_fs(address.rstrip("/"), **known)
        except ImportError as error:
            raise UsageError(f"{address}: {error}: {cure}") from None
        except ValueError as error:
            raise UsageError(f"{address}: {error}; such are known: s3://, file://, memory://") from None
    if threads:
        fs.batch_size = AT_ONCE  # files in memory
    return fs, root


@contextmanager
def reaching(address: str) -> Iterator[None]:
    """While something is asked of another file system: whatever goes wrong there is one line."""
    try:
        yield
    except UsageError:
        raise
    except PermissionError as error:
        raise UsageError(f"{address}: no right to do that: {_line(error)}") from error
    except Exception as error:  # each library has errors of its own, without a common base
        raise UsageError(f"{address}: cannot be used: {_line(error)}") from error


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def put_whole(fs: Any, path: str, content: bytes, who: str) -> None:
    """Whole or not at all: a store of objects does so, elsewhere it is renamed when it is whole."""
    make_room(fs, [path])
    if fs.async_impl:
        fs.pipe_file(path, content)
    else:
        folder, _, name = path.rpartition("/")
        unfinished = f"{folder}/.{name.lstrip('.')}.{who}.tmp"
        fs.pipe_file(unfinished, content)
        fs.mv(unfinished, path)


def make_room(fs: Any, paths: list[str]) -> None:
    """Make the folders of files; a store of objects has none."""
    if not fs.async_impl:
        for folder in {path.rpartition("/")[0] for path in paths}:
            fs.makedirs(folder, exist_ok=True)
