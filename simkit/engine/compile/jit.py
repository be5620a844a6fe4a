"""Compilation with Numba: `@rule` marks a part of compiled code, `Entry` is where Python enters it.

Machine code is cached on disk by a fingerprint of everything that it may contain (see `cache`), so that code
of an earlier version is never loaded. With `NUMBA_DISABLE_JIT=1` the same source runs as plain Python.
"""

import functools
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic, lower_builtin, type_callable

from simkit.engine.compile.cache import CodeFile
from simkit.engine.compile.fingerprint import size
from simkit.engine.compile.messages import NO_ACTION, compile_message
from simkit.errors import UsageError

try:
    from simkit.engine.compile.numba_hooks import Program, Rule, optimised_code
except (ImportError, AttributeError):  # a version of Numba with other insides
    from simkit.engine.compile.plain_njit import Program, Rule, optimised_code  # type: ignore[assignment]

COMPILED = not config.DISABLE_JIT
BYTES_PER_SECOND = 4_000  # bytecode that one core compiles
COMPILING = threading.Lock()  # held by the thread that compiles

Function = Callable[..., Any]


def rule(
    function: Any = None, *, allocates: bool = False, python: Function | None = None, bounds: bool = False
) -> Any:
    """Make a function part of the compiled code that calls it; called from Python it is plain Python.

    Args:
        function: the function, when used as a plain decorator.
        allocates: whether the function makes arrays. All others are compiled without reference counts, which
            makes random play 18 % faster; they must not return an array that they received.
        python: replacement in plain Python, for a function that cannot run as such.
        bounds: whether an index outside an array raises IndexError, also in the rules that it calls. Without
            it such an index reads unrelated memory.

    >>> @rule
    ... def double(x):
    ...     return 2 * x
    >>> double(3)
    6
    """
    if function is None:
        return functools.partial(rule, allocates=allocates, python=python, bounds=bounds)
    return Rule(function, python or function, allocates, bounds) if COMPILED else python or function


class EntryPoint:
    """Entry from Python into compiled code: a function, compiled for one signature or loaded on first use.

    `name` is unique in the source file of the function. Messages about code that does not compile name it
    `who` and point to `body`, the function that the author wrote. `allocates` and `bounds` as in `rule`.
    """

    def __init__(
        self,
        function: Function,
        signature: Any,
        name: str,
        allocates: bool = True,
        who: str = "",
        body: Function | None = None,
        bounds: bool = False,
    ) -> None:
        self.function, self.signature = function, signature
        self.who, self.body = who or name, body or function
        self._options = allocates, bounds
        function.__qualname__ = name.replace(" ", "_").replace("/", "_")

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)

    @functools.cached_property
    def rule(self) -> Any:
        """The function as a part of other compiled code."""
        allocates, bounds = self._options
        return rule(self.function, allocates=allocates, bounds=bounds)

    @property
    def ready(self) -> bool:
        """Whether the function is compiled, in this process or in the cache on disk."""
        return not COMPILED or "compiled" in vars(self) or self._program.is_cached

    @functools.cached_property
    def compiled(self) -> Any:
        """The compiled function; UsageError with the author's line if it does not compile."""
        if not COMPILED:
            return self.function
        program = self._program
        try:
            with COMPILING:
                return program.compile()
        except Exception as error:  # Numba raises errors of many types
            raise UsageError(compile_message(error, self.who, self.body)) from error

    @functools.cached_property
    def address(self) -> int:
        """Address of the machine code, with which compiled code calls it (see `function_at`)."""
        (result,) = self.compiled.overloads.values()
        return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))

    @property
    def llvm(self) -> tuple[str, bytes]:
        """Name of the compiled function in LLVM, and its LLVM bitcode; UsageError if there is none."""
        if not COMPILED:
            raise UsageError("without the compiler (NUMBA_DISABLE_JIT=1) there is no LLVM code")
        compiled = self.compiled
        with COMPILING:
            return optimised_code(compiled)

    @property
    def stamp(self) -> str:
        """Digest of all that the machine code depends on."""
        return str(self._program.stamp)

    def code_file(self, kind: str, stamp: str) -> CodeFile:
        """Return the file for something of this kind that is made of the code, beside the machine code."""
        return CodeFile(self._program.folder, f"{kind}-{self._program.filename_base}", stamp)

    @functools.cached_property
    def _program(self) -> Program:
        return Program(self.function, self.signature, *self._options)


def compile_seconds(entries: Iterable[EntryPoint]) -> float:
    """Return the estimated time to compile entries in one process, which compiles shared rules once."""
    return size(*(entry.function for entry in entries)) / BYTES_PER_SECOND


@intrinsic(prefer_literal=True)
def _copy(typingctx, target, source, field):  # type: ignore[no-untyped-def]
    """Copy the bytes before a field, or all bytes if its name is empty."""
    if not isinstance(target, types.Record) or target != source or not isinstance(field, types.StringLiteral):
        raise numba.TypingError("a record is copied onto one of its type, up to a field named by a constant")

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        record, name = signature.args[0], field.literal_value
        size = context.get_constant(types.intp, record.offset(name) if name else record.size)
        cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
        return context.get_dummy_value()

    return types.void(target, source, field), generate


@intrinsic
def _wipe(typingctx, target):  # type: ignore[no-untyped-def]
    """Set the bytes of a record to zero."""
    if not isinstance(target, types.Record):
        raise numba.TypingError("only a record is wiped")

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        size = context.get_constant(types.intp, signature.args[0].size)
        cgutils.memset(builder, builder.bitcast(args[0], cgutils.voidptr_t), size, 0)
        return context.get_dummy_value()

    return types.void(target), generate


@intrinsic
def _view_as(typingctx, numbers, kind):  # type: ignore[no-untyped-def]
    """View the memory of an array of numbers as a record."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.bitcast(array.data, context.get_value_type(signature.return_type))

    return kind.dtype(numbers, kind), generate


def view_as(kind: np.dtype) -> Any:
    """Return a rule that views an array of int64 as a record of this dtype, no larger than the array."""

    def record(numbers):  # type: ignore[no-untyped-def]
        return _view_as(numbers, kind)

    def record_python(numbers: np.ndarray) -> Any:
        return numbers[: -(-kind.itemsize // 8)].view(np.uint8)[: kind.itemsize].view(kind)[0]

    return rule(record, python=record_python)


def function_at(signature: Any) -> Any:
    """Return a rule that makes a first-class function of the address of an entry with this signature.

    Numba would look up the address with 0.1 ms of Python whenever it is handed a function. In plain Python
    the function itself takes the place of its address.
    """
    kind = types.FunctionType(signature)

    @intrinsic
    def make(typingctx, address):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            function = cgutils.create_struct_proxy(kind)(context, builder)
            function.jit_addr = builder.inttoptr(args[0], cgutils.voidptr_t)
            function.c_addr = function.py_addr = cgutils.get_null_value(cgutils.voidptr_t)
            return function._getvalue()

        return kind(address), generate

    return rule(lambda address: make(address), python=lambda function: function)


def address_of(array: np.ndarray) -> int:
    """Return the address of an array's memory, for `array_at`; `array.ctypes` would leave garbage behind."""
    return int(array.__array_interface__["data"][0])


def array_at(address: Any, size: int) -> Any:
    """Return the read-only array of `size` int16 at an address, which does not keep its memory.

    In plain Python the array itself takes the place of its address. A rule could not return an array.
    """
    return address


@type_callable(array_at)
def _type_array_at(context):  # type: ignore[no-untyped-def]
    return lambda address, size: types.Array(types.int16, 1, "C", readonly=True)


@lower_builtin(array_at, types.Integer, types.Integer)
def _make_array_at(context, builder, signature, args):  # type: ignore[no-untyped-def]
    from numba.np.arrayobj import populate_array  # takes 0.1 s, which only compilation needs

    array = context.make_array(signature.return_type)(context, builder)
    step = context.get_constant(types.intp, 2)
    data = builder.inttoptr(args[0], array.data.type)
    populate_array(array, data, shape=[args[1]], strides=[step], itemsize=step, meminfo=None)
    return array._getvalue()


@intrinsic
def _count_bits(typingctx, bits):  # type: ignore[no-untyped-def]
    """Count the set bits of an int64 with one machine instruction."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _whole(typingctx, value):  # type: ignore[no-untyped-def]
    """Convert a whole number or truth value to int64; refuse any other type."""
    if isinstance(value, types.NoneType | types.Optional):
        raise numba.TypingError(f"{NO_ACTION}, nothing is returned on some way through")
    if not isinstance(value, types.Integer | types.Boolean):
        raise numba.TypingError(f"{NO_ACTION}, not {value}")

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return context.cast(builder, args[0], value, types.int64)

    return types.int64(value), generate


def _whole_python(value: Any) -> Any:
    if isinstance(value, int | np.integer | np.bool_):
        return value
    raise TypeError(f"{NO_ACTION}, not {value!r}")


@rule(python=_whole_python)
def whole(value):  # type: ignore[no-untyped-def]
    """Return an action unchanged; refuse a value that is not a whole number instead of truncating it."""
    return _whole(value)


@rule(python=lambda target, source: target.setfield(source, target.dtype))
def clone(target, source):  # type: ignore[no-untyped-def]
    """Copy record `source` over record `target` (both of the same type).

    >>> here, there = np.zeros(1, [("x", "i4")]), np.ones(1, [("x", "i4")])
    >>> clone(here[0], there[0])
    >>> int(here[0]["x"])
    1
    """
    _copy(target, source, "")


def _wipe_python(target: Any) -> None:
    target.setfield(np.zeros((), target.dtype), target.dtype)


@rule(python=_wipe_python)
def wipe(target):  # type: ignore[no-untyped-def]
    """Set a record (or a record inside a record) to zero.

    >>> here = np.ones(1, [("x", "i4")])
    >>> wipe(here[0])
    >>> int(here[0]["x"])
    0
    """
    _wipe(target)


def _clone_before_python(target: Any, source: Any, field: str) -> None:
    before = np.dtype(("V", source.dtype.fields[field][1]))
    target.setfield(source.getfield(before), before)  # all bytes at once, many times as fast as by field


@rule(python=_clone_before_python)
def clone_before(target, source, field):  # type: ignore[no-untyped-def]
    """Copy the fields before `field` (a constant name); this field and all after it keep their values.

    Meant for views, which are zero at the start of a game. A `scratch` state may hold anything there.

    >>> s, view = (np.full(1, number, [("row", "i4"), ("deck", "i4"), ("log", "i4")]) for number in (7, 0))
    >>> clone_before(view[0], s[0], "deck")
    >>> view[0].tolist()
    (7, 0, 0)
    """
    _copy(target, source, field)


@rule(python=lambda bits: int(bits).bit_count())
def bit_count(bits):  # type: ignore[no-untyped-def]
    """Return the number of set bits of a non-negative integer.

    >>> bit_count(bit(3) | bit(1))
    2
    """
    return _count_bits(bits)


@rule
def lowest_bit(bits):  # type: ignore[no-untyped-def]
    """Return the position of the lowest set bit of a positive integer.

    >>> lowest_bit(bit(3) | bit(1))
    1
    """
    return bit_count((bits & -bits) - 1)  # the position equals the number of bits below it


@rule
def bit(place):  # type: ignore[no-untyped-def]
    """Return the set with this single member as an integer: bit `place` alone.

    >>> bit(3)
    8
    """
    return 1 << int(place)
