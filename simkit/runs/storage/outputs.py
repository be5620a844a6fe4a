"""Files that commands write for people (pages, pictures, lists of results): they never replace an input."""

import os
from collections.abc import Iterable
from pathlib import Path

from simkit.errors import UsageError
from simkit.runs.storage import atomic

INPUTS = {".csv", ".lock", ".parquet", ".py", ".toml", ".tsv", ".xlsx"}  # endings of what commands read
PAGES = {".html", ".md", ".pdf", ".png"}  # endings of what a run folder may hold for people
OF_RUN = ("manifest.json", "experiment.toml")
NO_PAGE = "lies in a run folder, which takes pages only, such as report.html"


def check(path: str | Path, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse a file to write that is a folder, one of the inputs, or a part of a run other than its page."""
    target = Path(os.path.realpath(path))
    if os.path.exists(target) and not os.path.isfile(target):
        raise UsageError(f"{path}: is a folder or a device; name a file")
    if any(Path(os.path.realpath(source)) == target or _is_same_file(source, target) for source in inputs):
        raise UsageError(f"{path}: is an input or another output of this command; name another file to write")
    if target.suffix.lower() in INPUTS and os.path.exists(target):
        raise UsageError(f"{path}: exists and may be an input; name another file to write")
    run = any(all(os.path.isfile(folder / name) for name in OF_RUN) for folder in target.parents)
    if run and not is_page(target.name):
        raise UsageError(f"{path}: {NO_PAGE}")


def _is_same_file(source: str | Path, target: Path) -> bool:
    """Return whether two names are of one file, as those that differ in capitals may be."""
    return os.path.exists(source) and os.path.exists(target) and os.path.samefile(source, target)


def is_page(name: str) -> bool:
    """Return whether a file in a run folder is a page or a picture, which a command may replace.

    >>> is_page("report.json"), is_page("luck.html"), is_page("manifest.json")
    (True, True, False)
    """
    return name.startswith("report.") or Path(name).suffix.lower() in PAGES


def put(path: Path, content: bytes) -> None:
    """Write a file atomically; a symbolic link is replaced, its target is not touched."""
    check(path)
    try:
        atomic.put(path, content)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
