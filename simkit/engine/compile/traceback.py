"""The author's line of a fault in the rules or a strategy, which compiled code does not always know."""

import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from simkit.engine.compile import jit
from simkit.engine.compile.compile_errors import is_content
from simkit.errors import brief


def of(error: BaseException) -> str:
    """The line of the rules or the strategy that failed."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if is_content(Path(f.filename))]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def told(error: Exception) -> str:
    """What was raised, with the line."""
    said, line = brief(error), of(error)
    return f"{said} ({line})" if line else said


def careful(entry: jit.Entry) -> Callable[..., Any]:
    """A strategy that decides in compiled code, and once more as plain Python where that fails."""

    def decide(*given: Any) -> Any:
        view, rules, legal, weights, luck, scratch, memo, work = given
        before = [one.copy() for one in (view, luck, scratch, memo)]
        writable = rules.copy()  # compiled code can write to them
        with suppress(Exception):  # raised again below
            action = entry.compiled(view, writable, legal, weights, luck, scratch, memo, work)
            if action in legal and writable.tobytes() == rules.tobytes():
                return action
        jit.clone(view, before[0])
        luck[:], scratch[:], memo[:] = before[1:]
        return entry.function(*given)

    return decide
