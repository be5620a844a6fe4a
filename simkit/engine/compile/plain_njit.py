"""Compilation by plain `njit`, slower and uncached, for versions of Numba that `numba_hooks` does not fit."""

from collections.abc import Callable
from typing import Any

import numba
from numba.core.registry import CPUDispatcher

from simkit.errors import UsageError

Function = Callable[..., Any]
OPTIONS = {"nopython": True, "nogil": True, "boundscheck": True}


class Rule(CPUDispatcher):  # type: ignore[misc]
    """Compiled function that compiled code calls; called from Python it runs as plain Python."""

    def __init__(self, function: Function, python: Function, allocates: bool, bounds: bool) -> None:
        super().__init__(function, targetoptions=dict(OPTIONS))
        self._python = python

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._python(*arguments, **named)


class Program:
    """Function that Python calls, compiled with all rules that it reaches."""

    is_cached = False
    folder = filename_base = stamp = ""

    def __init__(self, function: Function, signature: Any, allocates: bool, bounds: bool) -> None:
        self._function, self._signature = function, signature

    def compile(self) -> Any:
        """Return the function, compiled for its signature."""
        return numba.njit(self._signature, **OPTIONS)(self._function)


def optimised_code(compiled: Any) -> tuple[str, bytes]:
    """Refuse: where this version of Numba keeps the LLVM code is not known."""
    raise UsageError(f"the LLVM code that Numba {numba.__version__} makes cannot be read")
