"""Errors of the compiler in one line: the author's line, and what Numba says of it."""

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
HINTS = {  # part of what Numba says -> advice
    "returning of array passed into": ALLOCATES,
    "NRT required": ALLOCATES,
    "type weights(": WEIGHTS,
    "type readonly array(float64": WEIGHTS,
    "modify readonly": "change a copy",
}
RECORD = r"Record\(((?!Record\().)*?;\d+;(True|False)\)"  # with all its fields
NOISE = r"^\w+Error: |, defined at .*| for \$[\w.]+|\.\d+(?=')|\.? Raised from None"
Function = Callable[..., Any]


def told(error: Exception, function: Function, who: str, body: Function) -> str:
    """Return the line for the author of a function that does not compile.

    `who` names what it is part of; `body` is what the author wrote, where Numba names no line of it.
    """
    report, who = re.sub(r"\x1b\[[0-9;]*m", "", str(error)), f" ({who} does not compile)"
    said, place = _global(function, report) or (_field(error) or _relevant(error, report), "")
    room = LONGEST - len(who)
    if len(re.sub(r"/\S+:\d+", "", said)) > room:
        said = f"{said[: room - 3].rstrip()}..."
    places = [place, *_named(error, report), beginning(body)]
    places = [one for one in places if is_content(Path(one.rpartition(":")[0]))]
    return ": ".join([*places[:1], said]) + who


@cache
def is_content(file: Path) -> bool:
    """Whether a file is one of a game's or a strategy's, neither simkit's machinery nor of a library."""
    if file.is_relative_to(PACKAGE):
        return file.is_relative_to(PACKAGE / "games")
    return file.is_file() and not file.is_relative_to(LIBRARY) and "site-packages" not in file.parts


def beginning(function: Any) -> str:
    """FILE:LINE of the first line of a function."""
    code = getattr(function, "py_func", function).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def _field(error: Exception) -> str:
    """The field that a record does not have: Numba raises a bare KeyError from its type."""
    frames = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)]
    inner: Any = frames[-1].get("self")
    if not isinstance(error, KeyError) or not hasattr(inner, "fields"):
        return ""
    name, fields = str(error.args[0]), [field for field in inner.fields if field.isidentifier()]
    return f"there is no field '{name}'{suggestion(name, fields)}"


def _global(function: Function, report: str) -> tuple[str, str] | None:
    """The global that is not defined, with the line that uses it, or that is no rule."""
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


def _relevant(error: Exception, report: str) -> str:
    """The line of Numba's report that says what is wrong, without what only Numba understands; advice."""
    head = re.split(r'\n *File "', report)[0].splitlines()
    lines = [line.strip() for line in head if line.strip() and "Failed in" not in line]
    reasons = [line for lead, line in pairwise(lines) if lead.endswith("raised a specific error:")]
    calls = [f"compiled code cannot do {line[4:]}" for line in lines if line.startswith(">>> ")]
    errors = [line for line in reasons if not line.startswith("No implementation")]
    said = [*errors, *calls, *lines, brief(error)][0]
    while (shorter := re.sub(RECORD, "record", said)) != said:  # records are in records
        said = shorter
    said = re.sub(r"Literal\[\w+\]\(([^()]*)\)", r"\1", re.sub(NOISE, "", said))
    return "; ".join([said, *[advice for part, advice in HINTS.items() if part in said]])


def _named(error: Exception, report: str) -> Iterator[str]:
    """The lines that Numba names, then the one whose types it was working out."""
    for file, line, other, last in re.findall(
        r"File \"([^\n\"]+)\", line (\d+)| at (/[^\n]*?\.py) \((\d+)\)", report
    ):
        yield f"{Path(file or other).resolve()}:{line or last}"
    frames = [frame.f_locals for frame, _ in traceback.walk_tb(error.__traceback__)]
    working = [frame["constraint"].loc for frame in reversed(frames) if "constraint" in frame]
    yield from (f"{Path(loc.filename).resolve()}:{loc.line}" for loc in working)
