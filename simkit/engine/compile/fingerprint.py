"""Fingerprint of a function: a digest of everything that its machine code may contain.

It covers all code that the function reaches, constants, frozen globals and closures, the flags and versions
of the compiler, and the sources of this folder.
"""

import dis
import enum
import hashlib
import inspect
import io
import re
import sys
import textwrap
import tokenize
import types as python_types
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.dispatcher import Dispatcher

from simkit.errors import UsageError

_FOREIGN_MODULES = re.compile(r"(numpy|numba|math)(\.|$)")  # covered as a whole by their versions
_HERE = sorted(Path(__file__).parent.glob("*.py"))
_COMPILER = hashlib.sha256(b"".join(path.read_bytes() for path in _HERE)).hexdigest()
# Modules whose rules are different functions without the compiler.
_BASE = ("simkit.engine.compile.jit", "simkit.engine.rng")
# Types whose values are described by `repr`, and types whose values are described by their names.
_BY_REPR = bool | int | float | str | enum.Enum | np.generic | np.dtype | types.Type
_BY_NAME = python_types.ModuleType | python_types.BuiltinFunctionType | python_types.FunctionType | np.ufunc


def fingerprint(function: Callable[..., Any]) -> str:
    """Return the digest of the machine code of a function, in hexadecimal."""
    return _digest([*_compiler(), *_parts(function)])


def code_digest(*functions: Callable[..., Any]) -> str:
    """Return a digest of what functions do, except `jit` and `rng`, in hexadecimal.

    It depends neither on the folder of the functions nor on the compiler.
    """
    return _digest([part for function in functions for part in _parts(function, portable=True)])


def source_digest(*functions: Callable[..., Any]) -> str:
    """Return a digest of the sources of functions and of all that they reach, except `jit` and `rng`.

    Unlike bytecode it is the same for every version of Python; comments, docstrings and layout do not count.
    """
    return _digest([part for function in functions for part in _source_parts(function)])


def _source_parts(function: Any) -> Iterator[str]:
    for current, reached in functions(function):
        if current.__module__ in _BASE:
            continue
        yield f"{_tokens(inspect.getsource(current))} {current.__defaults__!r}"
        for name, value in sorted(reached, key=lambda pair: pair[0]):
            if not _function(value):
                yield f"{name} = {_describe_global(current, name, value, portable=True)}"


@cache
def _tokens(source: str) -> str:
    """Return a source without comments, docstrings, line breaks within statements and spaces."""
    words, starts_statement = list[str](), True
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(textwrap.dedent(source)).readline))
    except (tokenize.TokenError, IndentationError):  # a lambda, whose lines are no whole statement
        return source
    for token in tokens:
        if token.type in (tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER):
            continue
        is_layout = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
        if token.type == tokenize.STRING and starts_statement:
            continue
        words.append(tokenize.tok_name[token.type] if is_layout else token.string)
        starts_statement = is_layout
    return "".join(words)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def size(*entries: Callable[..., Any]) -> int:
    """Return the bytes of code of functions and all that they reach; compile time is proportional to it."""
    reached = {id(each): each for function in entries for each, _ in functions(function)}
    return sum(len(each.__code__.co_code) for each in reached.values())


def _compiler() -> Iterator[str]:
    yield f"{sys.version_info} {numba.__version__} {np.__version__} {llvmlite.__version__} {_COMPILER}"
    yield f"bounds check {config.BOUNDSCHECK}, optimisation {config.OPT}, AVX {config.ENABLE_AVX}"


def _parts(function: Any, portable: bool = False) -> Iterator[str]:
    """Yield texts for the code of a function and of everything that it reaches.

    `portable` leaves out names of modules, which contain a project's folder, and the functions of _BASE.
    """

    def qualified_name(value: Any) -> str:
        return "" if portable else f"{value.__module__} {value.__qualname__}"

    for current, reached in functions(function):
        if portable and current.__module__ in _BASE:
            continue
        yield f"{qualified_name(current)} {current.__defaults__!r}"
        yield from _code_parts(current.__code__, current.__doc__)
        for name, value in reached:
            if called := _function(value):
                yield f"{name} -> {qualified_name(called)} {'' if portable else _options(value)}"
            else:
                yield f"{name} = {_describe_global(current, name, value, portable)}"


def functions(function: Any) -> Iterator[tuple[Any, list[tuple[str, Any]]]]:
    """Yield a function and all functions that it reaches, each once, with the names and values it uses."""
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        current = _function(waiting.pop())
        if id(current) not in seen:
            seen.add(id(current))
            reached = list(_reached(current))
            yield current, reached
            waiting += [value for _, value in reached if _function(value)]


def sets_field(function: Callable[..., Any], field: str) -> bool:
    """Return whether a function, or one that it reaches, sets a field of this name."""
    return _touches(function, field, "STORE_ATTR")


def reads_field(function: Callable[..., Any], field: str) -> bool:
    """Return whether a function, or one that it reaches, reads a field of this name."""
    return _touches(function, field, "LOAD_ATTR")


def reaches(function: Callable[..., Any], other: Callable[..., Any]) -> bool:
    """Return whether a function is, or calls, another one, directly or not."""
    return any(reached is _function(other) for reached, _ in functions(function))


def _touches(function: Callable[..., Any], field: str, operation: str) -> bool:
    codes = [reached.__code__ for reached, _ in functions(function)]
    steps = (step for code in codes for step in dis.get_instructions(code) if step.opname == operation)
    return any(step.argval == field for step in steps)


def _function(value: Any) -> Any:
    """Return the Python function that a value compiles, or None if it is none of simkit or a game."""
    if isinstance(value, Dispatcher):
        return value.py_func
    if type(value).__name__ == "_Intrinsic":
        return value._defn
    if not isinstance(value, python_types.FunctionType):
        return None
    return None if value.__module__.startswith(("numpy", "numba")) else value


def _options(value: Any) -> str:
    """Return the compiler options of a rule, such as bounds checks and reference counts."""
    return repr(sorted(value.targetoptions.items())) if isinstance(value, Dispatcher) else ""


def _code_parts(code: python_types.CodeType, doc: str | None) -> Iterator[str]:
    yield f"{code.co_code.hex()} {code.co_names} {code.co_varnames} {code.co_freevars} {code.co_flags}"
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            yield from _code_parts(constant, None)
        elif constant is not doc:
            yield repr(constant)


def _reached(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and values that the function may freeze: globals, attributes of modules, closure cells."""
    for path in _paths(function.__code__):
        name, *attributes = path.split(".")
        if name not in function.__globals__:
            continue  # a builtin
        value = function.__globals__[name]
        while attributes and isinstance(value, python_types.ModuleType):
            if _FOREIGN_MODULES.match(value.__name__):
                break
            value = getattr(value, attributes.pop(0))
        yield from _with_rules(path, value)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield from _with_rules(name, cell.cell_contents)


def _with_rules(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value, or the parts of a named tuple with rules in it, such as a codec of actions."""
    if isinstance(value, tuple) and hasattr(value, "_fields") and any(map(_function, value)):
        yield from ((f"{path}[{name}]", getattr(value, name)) for name in value._fields)
    else:
        yield path, value


@cache  # kernels share most of their functions; reading their code took half of the time of a digest
def _paths(code: python_types.CodeType) -> tuple[str, ...]:
    """Return the sorted global names that the code loads, with their attributes: `below`, `np.int64`."""
    paths, path = set[str](), ""
    for instruction in dis.get_instructions(code):
        if path and instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            path += f".{instruction.argval}"
            continue
        paths.add(path)
        path = instruction.argval if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME") else ""
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            paths.update(_paths(constant))
    return tuple(sorted((paths | {path}) - {""}))


def _describe_global(function: Any, name: str, value: Any, portable: bool) -> str:
    """Return a text that changes with the value of a global; UsageError with the line for other types."""
    try:
        return _describe(name, value, portable)
    except TypeError as error:
        code = function.__code__
        place = f"{code.co_filename}:{code.co_firstlineno}: {function.__name__}()"
        raise UsageError(f"{place}: {error}; take numbers, tuples, NumPy arrays or rules") from error


def _describe(name: str, value: Any, portable: bool) -> str:
    """Return a text that changes with the value; TypeError for a type that compiled code cannot use."""
    if isinstance(value, np.ndarray):
        return f"array {value.dtype!r} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple) and not isinstance(value, enum.Enum):
        return "(" + ", ".join(_describe(name, part, portable) for part in value) + ")"
    if isinstance(value, type) and issubclass(value, enum.Enum):
        return f"enum {value.__qualname__} {[(m.name, m.value) for m in value]}"
    if isinstance(value, type):
        module = "" if portable else value.__module__
        return f"class {module} {value.__qualname__} {getattr(value, '_fields', '')}"
    kind = type(value).__qualname__
    if value is None or isinstance(value, _BY_REPR):
        return f"{kind} {value!r}"
    if isinstance(value, _BY_NAME):
        module = "" if portable else getattr(value, "__module__", "")
        return f"{module} {value.__name__.rpartition('.')[2] if portable else value.__name__}"
    raise TypeError(f"compiled code cannot use the global {name} of type {kind}: its changes go unseen")
