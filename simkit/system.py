"""What differs between operating systems: files that are open elsewhere, paths, quoting in a shell."""

import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path

WINDOWS = os.name == "nt"
DOUBLE_QUOTES = WINDOWS  # PowerShell takes a comma for a list and a bracket for a command, cmd.exe no '
DEBRIS = {".DS_Store", "Thumbs.db", "desktop.ini"}  # what file managers leave in folders
PATIENCE = 2.0  # seconds in which a virus scanner or another reader closes a file
PAUSE = 0.02  # seconds between two attempts
MAPPED = 1224  # error of Windows for a file that is mapped into memory
PLAIN_WORD = re.compile(r"[\w.:=/\\+-]+", re.ASCII)  # means the same in PowerShell and cmd.exe


def replace(source: Path, target: Path) -> None:
    """Rename a file, in place of another; on Windows wait for readers of both to close them.

    Raises:
        PermissionError: after PATIENCE seconds, with the question for another program.
    """
    _retry(lambda: os.replace(source, target), target)


def remove(path: Path) -> None:
    """Delete a file if it exists; on Windows wait for its readers, and leave it there if they go on."""
    try:
        _retry(lambda: path.unlink(missing_ok=True), path)
    except PermissionError:
        if not WINDOWS:
            raise


def _retry(attempt: Callable[[], object], path: Path) -> None:
    """Call a function; while Windows refuses because a file is open, call it again for PATIENCE seconds."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            attempt()
            return
        except OSError as error:
            is_open = isinstance(error, PermissionError) or getattr(error, "winerror", 0) == MAPPED
            if not (WINDOWS and is_open):
                raise
            if time.monotonic() > until:
                reason = f"{error.strerror}; is it open in another program?"
                raise PermissionError(error.errno, reason, str(path)) from error
        time.sleep(PAUSE)


def relative(path: str | Path, start: str | Path = ".") -> str:
    """Return a path relative to a folder, with slashes on every system; from another drive the whole path.

    >>> relative("cards/mine.csv", "cards")
    'mine.csv'
    """
    try:
        return Path(os.path.relpath(path, start)).as_posix()
    except ValueError:  # Windows: the two are on different drives
        return Path(path).absolute().as_posix()


def command_line(words: Iterable[str]) -> str:
    """Return words as one line to type into this system's shell.

    >>> command_line(["simkit", "play", "pig"])
    'simkit play pig'
    """
    if not DOUBLE_QUOTES:
        return shlex.join(words)
    return " ".join(word if PLAIN_WORD.fullmatch(word) else _double_quoted(word) for word in words)


def typed_here(command: str) -> str:
    """Return a stored command, which is quoted as in POSIX, as one to type into this system's shell."""
    return command_line(shlex.split(command)) if DOUBLE_QUOTES else command


def _double_quoted(word: str) -> str:
    """Return a word in double quotes, as programs for Windows read it."""
    text = subprocess.list2cmdline([word])
    return text if text.startswith('"') else f'"{text}"'
