"""The author's line of a fault in the rules or a strategy, which compiled code does not always report."""

import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from simkit.engine.compile import jit
from simkit.engine.compile.compile_errors import is_content
from simkit.errors import brief


def of(error: BaseException) -> str:
    """Return FILE:LINE of the rules or strategy that raised an error, or "" if neither did."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if is_content(Path(f.filename))]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def describe(error: Exception) -> str:
    """Return the message of an error, with the author's line in brackets."""
    message, line = brief(error), of(error)
    return f"{message} ({line})" if line else message


def careful(entry: jit.Entry, policy: jit.Entry | None = None) -> Callable[..., Any]:
    """Return a strategy that decides in compiled code and, where that fails, once more in plain Python.

    `policy` is the policy of a search.
    """

    def decide(*arguments: Any) -> Any:
        view, rules, legal, weights, rng, scratch, memo, work, *lent = arguments
        lent = [policy.compiled if policy and callable(part) else part for part in lent]
        before = [array.copy() for array in (view, rng, scratch, memo)]
        writable = rules.copy()  # compiled code can write to them
        with suppress(Exception):  # plain Python raises it below
            action = entry.compiled(view, writable, legal, weights, rng, scratch, memo, work, *lent)
            if action in legal and writable.tobytes() == rules.tobytes():
                return action
        jit.clone(view, before[0])
        rng[:], scratch[:], memo[:] = before[1:]
        return entry.function(*arguments)

    return decide
