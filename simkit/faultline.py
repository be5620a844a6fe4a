"""The author's line of a fault in the rules or a strategy, which compiled code does not always know."""

import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from simkit import jit
from simkit.errors import brief
from simkit.uncompilable import is_content


def of(error: Exception) -> str:
    """The line of the rules or the strategy that failed."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if is_content(Path(f.filename))]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def told(error: Exception) -> str:
    """What was raised, with the line."""
    said, line = brief(error), of(error)
    return f"{said} ({line})" if line else said


def begin(function: Any) -> str:
    code = getattr(function, "py_func", function).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


class Careful:
    """A strategy played as plain Python, which knows its lines; when that takes long, only where it fails."""

    def __init__(self, entry: jit.Entry, until: float) -> None:
        self.entry, self.until, self.line = entry, until, ""

    def __call__(self, *given: Any) -> Any:
        view, rules, legal, weights, luck, scratch, memo, work = given
        before = [one.copy() for one in (view, luck, scratch, memo)]
        if time.monotonic() < self.until:
            action = self.entry.function(*given)
            if action in legal:
                return action
        else:
            kept = rules.copy()  # compiled code can write to them
            with suppress(Exception):  # raised again below
                action = self.entry.compiled(view, kept, legal, weights, luck, scratch, memo, work)
                if action in legal and kept.tobytes() == rules.tobytes():
                    return action
        jit.clone(view, before[0])
        luck[:], scratch[:], memo[:] = before[1:]
        return self._watched(*given)

    def _watched(self, *given: Any) -> Any:
        """Decide, and keep the line that returns."""

        def hear(frame: Any, event: str, _: Any) -> None:
            if event == "return" and frame.f_code is self.entry.body.__code__:
                self.line = f"{frame.f_code.co_filename}:{frame.f_lineno}"

        sys.setprofile(hear)
        try:
            return self.entry.function(*given)
        finally:
            sys.setprofile(None)
