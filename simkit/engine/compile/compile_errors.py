"""Compiler errors in one line: the author's line, and the gist of Numba's message."""

import builtins
import dis
import re
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FunctionType
from typing import Any

from simkit.engine.compile.fingerprint import functions
from simkit.errors import brief, suggestion

NO_ACTION = "an action is a whole number, one of `legal`"
LONGEST = 200  # characters of a message, without paths
PACKAGE, LIBRARY = Path(__file__).resolve().parents[2], Path(sysconfig.get_paths()["stdlib"])
ALLOCATES = "use @rule(allocates=True) for a function that makes arrays, lists or strings"
WEIGHTS = "declare each weight: @strategy(game, NAME=Weight(...))"
HINTS = {  # part of Numba's message -> advice
    "returning of array passed into": ALLOCATES,
    "NRT required": ALLOCATES,
    "type weights(": WEIGHTS,
    "type readonly array(float64": WEIGHTS,
    "modify readonly": "change a copy",
}
RECORD = r"Record\(((?!Record\().)*?;\d+;(True|False)\)"  # with all its fields
NOISE = r"^\w+Error: |, defined at .*| for \$[\w.]+|\.\d+(?=')|\.? Raised from None"
Function = Callable[..., Any]


def compile_message(error: Exception, function: Function, owner: str, body: Function) -> str:
    """Return a one-line message for the author of a function that does not compile.

    `owner` names the strategy or rules that it belongs to. The line of `body`, the function that the author
    wrote, stands in where Numba names none.
    """
    report, owner = re.sub(r"\x1b\[[0-9;]*m", "", str(error)), f" ({owner} does not compile)"
    message, place = _bad_global(function, report) or (_bad_field(error) or _main_line(error, report), "")
    room = LONGEST - len(owner)
    if len(re.sub(r"/\S+:\d+", "", message)) > room:
        message = f"{message[: room - 3].rstrip()}..."
    places = [place, *_reported_lines(error, report), beginning(body)]
    places = [candidate for candidate in places if is_content(Path(candidate.rpartition(":")[0]))]
    return ": ".join([*places[:1], message]) + owner


@cache
def is_content(file: Path) -> bool:
    """Return whether a file belongs to a game or strategy, neither to simkit's machinery nor to a library."""
    if file.is_relative_to(PACKAGE):
        return file.is_relative_to(PACKAGE / "games")
    return file.is_file() and not file.is_relative_to(LIBRARY) and "site-packages" not in file.parts


def beginning(function: Any) -> str:
    """Return FILE:LINE of the first line of a function."""
    code = getattr(function, "py_func", function).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def _bad_field(error: Exception) -> str:
    """Return a message about a field that a record lacks, for which Numba raises a bare KeyError, or ""."""
    frames = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)]
    inner: Any = frames[-1].get("self")
    if not isinstance(error, KeyError) or not hasattr(inner, "fields"):
        return ""
    name, fields = str(error.args[0]), [field for field in inner.fields if field.isidentifier()]
    return f"there is no field '{name}'{suggestion(name, fields)}"


def _bad_global(function: Function, report: str) -> tuple[str, str] | None:
    """Return a message about a global that is undefined, with the line that uses it, or that is no rule."""
    for current, reached in functions(function):
        names = {*current.__globals__, *vars(builtins)}
        for code in dis.get_instructions(current.__code__):
            if code.opname == "LOAD_GLOBAL" and code.argval not in names and code.positions:
                place = f"{current.__code__.co_filename}:{code.positions.lineno}"
                return f"{code.argval} is not defined{suggestion(code.argval, names)}", place
        for path, value in reached:
            name = path.rpartition(".")[2]
            if isinstance(value, FunctionType) and f"name '{name}'" in report:
                return f"decorate {name}() in {beginning(value)} with @rule", ""
    return None


def _main_line(error: Exception, report: str) -> str:
    """Return the line of Numba's report that says what is wrong, without its internals, and advice."""
    head = re.split(r'\n *File "', report)[0].splitlines()
    lines = [line.strip() for line in head if line.strip() and "Failed in" not in line]
    reasons = [line for lead, line in pairwise(lines) if lead.endswith("raised a specific error:")]
    calls = [f"compiled code cannot do {line[4:]}" for line in lines if line.startswith(">>> ")]
    errors = [line for line in reasons if not line.startswith("No implementation")]
    message = [*errors, *calls, *lines, brief(error)][0]
    while (shorter := re.sub(RECORD, "record", message)) != message:  # records are in records
        message = shorter
    message = re.sub(r"Literal\[\w+\]\(([^()]*)\)", r"\1", re.sub(NOISE, "", message))
    return "; ".join([message, *[advice for part, advice in HINTS.items() if part in message]])


def _reported_lines(error: Exception, report: str) -> Iterator[str]:
    """Yield the lines that Numba names, then the line whose types it was inferring."""
    for file, line, other, last in re.findall(
        r"File \"([^\n\"]+)\", line (\d+)| at (/[^\n]*?\.py) \((\d+)\)", report
    ):
        yield f"{Path(file or other).resolve()}:{line or last}"
    frames = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)]
    working = [frame["constraint"].loc for frame in reversed(frames) if "constraint" in frame]
    yield from (f"{Path(loc.filename).resolve()}:{loc.line}" for loc in working)
