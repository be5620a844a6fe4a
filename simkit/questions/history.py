"""Checks: Write the timeline page of a lock file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from simkit.api.arguments import Location, Shell
from simkit.api.question import checked
from simkit.api.report import Page
from simkit.reporting import document
from simkit.reporting.pages.history import history_page
from simkit.runs.schemas.lock import read
from simkit.runs.storage import outputs


@checked
def history(
    lock: Annotated[Location, Shell(metavar="LOCK", positional=True)],
    file: Annotated[Location, Shell("-o --out", metavar="FILE", output=True)] | None = None,
) -> Page:
    """Write the timeline page of a lock file.

    The page has every accepted state and a chart of each claim.

    Args:
        lock: The lock file.
        file: Page to write; its ending (html, md, json, pdf) is the format. By default it is beside the lock
            file.

    Returns:
        The page, with the path of its file.

    Example:
        >>> history("nowhere.lock")
        Traceback (most recent call last):
        simkit.errors.UsageError: nowhere.lock: cannot be read: No such file or directory

    Command line::

        simkit history balance.lock
    """
    page = history_page(read(str(lock)), str(lock))
    path = Path(file or Path(lock).with_suffix(".html"))
    outputs.check(path, [str(lock)])
    document.write(page, path, document.format_of(path))
    return Page(page, path)
