"""What can go wrong for a user, each said in one line: what, where, what would be right."""

import difflib
from collections.abc import Iterable, Mapping
from typing import TypeVar

Found = TypeVar("Found")
UNCOMPILED = "NUMBA_DISABLE_JIT=1 "  # in front of a command that is to name the line of a crash


class UsageError(Exception):
    """Input that cannot be used (a name, an option, a file), in one line; the command line exits with 2."""


class OtherRun(UsageError):
    """A folder holds a run of another question, other rules or another simkit."""


class PlayError(Exception):
    """A game that could not be played to its end: a fault in rules or a strategy, with its place."""

    def __init__(self, said: str, deal: int | None = None, rotation: int = 0) -> None:
        super().__init__(said, deal, rotation)
        self.said, self.deal, self.rotation = said, deal, rotation
        self.play: int | None = None  # its number in a run
        self.actions: list[int] | None = None  # of the game up to there, where somebody asks for them

    def __str__(self) -> str:
        return self.said


class Crash(PlayError):
    """Compiled code was stopped by a signal; the memory of this process may be damaged."""


def brief(error: BaseException) -> str:
    """The kind of an error and the first line of what it says.

    >>> brief(ValueError("too many\\nand more"))
    'ValueError: too many'
    """
    return f"{type(error).__name__}: {error}".splitlines()[0]


def closest(name: str, known: Iterable[str]) -> str:
    """The known name that was probably meant, or an empty text: a misspelt one, or one that begins so.

    >>> closest("lunar", ["lunar_outpost", "nim"]), closest("pgi", ["pig"]), closest("chess", ["charms"])
    ('lunar_outpost', 'pig', '')
    """
    names = list(known)
    longer = [one for one in names if len(name) >= 3 and one.startswith(name)]
    return [*difflib.get_close_matches(name, names, n=1, cutoff=0.65), *longer, ""][0]


def suggestion(name: str, known: Iterable[str]) -> str:
    """A question for the closest known name, to follow a sentence; empty where none is close."""
    close = closest(name, known)
    return f"; did you mean '{close}'?" if close else ""


def unknown(kind: str, name: str, known: Iterable[str], where: str = "") -> UsageError:
    """The error for a name that nobody has, with the closest known names.

    >>> str(unknown("game", "pigs", ["pig", "outpost_seven"]))
    "unknown game 'pigs'; did you mean 'pig'? (known: outpost_seven, pig)"
    """
    names = sorted(known)
    prefix = f"{where}: " if where else ""
    return UsageError(
        f"{prefix}unknown {kind} '{name}'{suggestion(name, names)} (known: {', '.join(names) or 'none'})"
    )


def look_up(kind: str, name: str, known: Mapping[str, Found]) -> Found:
    """What has this name; a name that nobody has is refused."""
    if name not in known:
        raise unknown(kind, name, known)
    return known[name]
