"""Errors of compiled code in one line: FILE:LINE of the author's code, and what is wrong."""

import re
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from simkit.errors import brief, suggestion

NO_ACTION = "an action is a whole number, one of `legal`"
LONGEST = 200  # characters of a message, without paths
PACKAGE, LIBRARY = Path(__file__).resolve().parents[2], Path(sysconfig.get_paths()["stdlib"]).resolve()
PLACE = re.compile(r"(?:/|[A-Za-z]:\\)\S+:\d+")  # FILE:LINE
REPORTED_LINE = re.compile(r"File \"([^\n\"]+)\", line (\d+)| at ((?:/|[A-Za-z]:\\)[^\n]*?\.py) \((\d+)\)")
ALLOCATES = "use @rule(allocates=True) for a function that makes arrays, lists or strings"
ADVICE = {  # part of Numba's line -> advice
    "returning of array passed into": ALLOCATES,
    "NRT required": ALLOCATES,
    "unsupported NumPy function": "write a loop over the elements, which compiled code runs as fast",
    "Cannot bind": "a call has too few or too many arguments (clone_before takes the name of a field)",
    "Cannot cast": "write a whole number to the field",
    "Untyped global name": "decorate a function that compiled code calls with @rule",
    "type weights(": "declare each weight: @strategy(game, NAME=Weight(...))",
}


def compile_message(error: Exception, owner: str, body: Callable[..., Any]) -> str:
    """Return a one-line message for the author of a function that does not compile.

    `owner` names the strategy or rules that it belongs to. The line of `body`, the function that the author
    wrote, stands in where Numba names none.
    """
    report, owner = re.sub(r"\x1b\[[0-9;]*m", "", str(error)), f" ({owner} does not compile)"
    message = _bad_field(error) or _main_line(report) or brief(error)
    room = LONGEST - len(": ") - len(owner)
    if len(PLACE.sub("", message)) > room:
        message = f"{message[: room - 3].rstrip()}..."
    places = [*_reported_lines(error, report), beginning(body)]
    places = [place for place in places if is_content(Path(place.rpartition(":")[0]))]
    return ": ".join([*places[:1], message]) + owner


@cache
def is_content(file: Path) -> bool:
    """Return whether a file belongs to a game or strategy, neither to simkit's machinery nor to a library."""
    if file.is_relative_to(PACKAGE):
        return file.is_relative_to(PACKAGE / "games")
    return file.is_file() and not file.resolve().is_relative_to(LIBRARY) and "site-packages" not in file.parts


def beginning(function: Any) -> str:
    """Return FILE:LINE of the first line of a function."""
    code = getattr(function, "py_func", function).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def _bad_field(error: Exception) -> str:
    """Return a message about a field that a record lacks, for which Numba raises a bare KeyError, or ""."""
    frames = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)]
    record: Any = frames[-1].get("self")
    if not isinstance(error, KeyError) or not hasattr(record, "fields"):
        return ""
    name, fields = str(error.args[0]), [field for field in record.fields if field.isidentifier()]
    return f"there is no field '{name}'{suggestion(name, fields)}"


def _main_line(report: str) -> str:
    """Return the line of Numba's report that says what is wrong, with advice, or "" for an empty report."""
    lines = [line.strip() for line in report.splitlines()]
    lines = [line for line in lines if line and "Failed in" not in line]
    reasons = [line for lead, line in pairwise(lines) if lead.endswith("raised a specific error:")]
    errors = [line for line in reasons if not line.startswith("No implementation")]
    calls = [f"compiled code cannot do {line[4:]}" for line in lines if line.startswith(">>> ")]
    message, *_ = [*errors, *calls, *lines, ""]
    if "Record(" in message:  # its name contains all its fields
        message = f"{message.partition('Record(')[0]}record, ...)"
    return "; ".join([message, *[advice for part, advice in ADVICE.items() if part in message]])


def _reported_lines(error: Exception, report: str) -> Iterator[str]:
    """Yield the lines that Numba names, then the line whose types it was inferring."""
    for file, line, other, last in REPORTED_LINE.findall(report):
        yield f"{Path(file or other).resolve()}:{line or last}"
    frames = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)]
    locations = [frame["constraint"].loc for frame in reversed(frames) if "constraint" in frame]
    yield from (f"{Path(location.filename).resolve()}:{location.line}" for location in locations)


def author_line(error: BaseException) -> str:
    """Return FILE:LINE of the rules or strategy that raised an error, or "" if neither did."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if is_content(Path(f.filename))]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def describe_error(error: Exception) -> str:
    """Return the message of an error, with the author's line in brackets."""
    message, line = brief(error), author_line(error)
    return f"{message} ({line})" if line else message
