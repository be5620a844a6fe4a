"""The timeline page of a lock file."""

from __future__ import annotations

from pathlib import Path

from simkit.api.requests import Location, arguments
from simkit.api.results import Page
from simkit.reporting import document
from simkit.reporting.pages.history import history_page
from simkit.runs.schemas.lock import read
from simkit.runs.storage import outputs


def history(lock: Location, file: Location | None = None) -> Page:
    """Write the page of a lock file: every accepted state, with a chart of each balance target.

    Args:
        lock: The lock file.
        file: File to write; its ending (html, md, json, pdf) is the format. By default a page beside the
            lock file.

    Returns:
        The page, with the path of its file.

    >>> history("nowhere.lock")
    Traceback (most recent call last):
    simkit.errors.UsageError: nowhere.lock: cannot be read: No such file or directory
    """
    given = arguments(history, locals())
    page = history_page(read(given["lock"]), str(lock))
    path = Path(given["file"] or Path(given["lock"]).with_suffix(".html"))
    outputs.check(path, [given["lock"]])
    document.write(page, path, document.format_of(path))
    return Page(page, path)
