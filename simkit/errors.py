"""Errors shown to users, each in one line: what happened, where, and what to do.

>>> issubclass(OtherRun, UsageError)
True
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

Item = TypeVar("Item")
DISTRIBUTION = "simkit-tabletop"  # what pip installs; the package itself is called simkit
UNCOMPILED = "NUMBA_DISABLE_JIT=1 "  # prefix of a command that reports the line of a crash


class UsageError(Exception):
    """Unusable input (a name, an option, a file), described in one line; the command line exits with 2.

    >>> raise UsageError("goal = 0 is out of range: 1 to 1000")
    Traceback (most recent call last):
    simkit.errors.UsageError: goal = 0 is out of range: 1 to 1000
    """


class OtherRun(UsageError):
    """A folder that holds a run of another experiment, other rules or another simkit."""


class PlayError(Exception):
    """A game that could not be played to its end because of a fault in its rules or in a strategy.

    >>> PlayError("no legal action", deal=7).deal
    7
    """

    def __init__(self, message: str, deal: int | None = None, rotation: int = 0) -> None:
        super().__init__(message, deal, rotation)
        self.message, self.deal, self.rotation = message, deal, rotation
        self.play: int | None = None  # number of the play in its run
        self.actions: list[int] | None = None  # of the game up to the fault, where they are recorded

    def __str__(self) -> str:
        return self.message


class Crash(PlayError):
    """Compiled code that was stopped by a signal; the memory of this process may be damaged."""


class WebError(Exception):
    """A game or strategy that cannot be turned into WebAssembly, with the reason in one line."""


def brief(error: BaseException) -> str:
    """Return the type of an error and the first line of its message.

    >>> brief(ValueError("too many\\nand more"))
    'ValueError: too many'
    """
    return f"{type(error).__name__}: {error}".splitlines()[0]


def closest(name: str, names_in_use: Iterable[str]) -> str:
    """Return the valid name that was probably meant (misspelt or abbreviated), or an empty text.

    >>> closest("lunar", ["lunar_outpost", "nim"]), closest("pgi", ["pig"]), closest("chess", ["charms"])
    ('lunar_outpost', 'pig', '')
    """
    names = list(names_in_use)
    longer = [candidate for candidate in names if len(name) >= 3 and candidate.startswith(name)]
    return [*difflib.get_close_matches(name, names, n=1, cutoff=0.65), *longer, ""][0]


def suggestion(name: str, names_in_use: Iterable[str]) -> str:
    """Return a question that offers the closest valid name, to end a sentence; empty where none is close."""
    close = closest(name, names_in_use)
    return f"; did you mean '{close}'?" if close else ""


def unknown(kind: str, name: str, names_in_use: Iterable[str], where: str = "") -> UsageError:
    """Return the error for a name that does not exist, with the closest valid names.

    >>> str(unknown("game", "pigs", ["pig", "outpost_seven"]))
    "unknown game 'pigs'; did you mean 'pig'? (known: outpost_seven, pig)"
    """
    names = sorted(names_in_use)
    prefix = f"{where}: " if where else ""
    return UsageError(
        f"{prefix}unknown {kind} '{name}'{suggestion(name, names)} (known: {', '.join(names) or 'none'})"
    )


def look_up(kind: str, name: str, entries: Mapping[str, Item]) -> Item:
    """Return the entry with this name; raise `UsageError` for a name that does not exist."""
    if name not in entries:
        raise unknown(kind, name, entries)
    return entries[name]
