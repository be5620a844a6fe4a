"""Compilation with Numba: `@rule` marks a part of compiled code, `Entry` is where Python enters it.

Machine code is cached on disk by a fingerprint of everything that it may contain, so that code of an earlier
version is never loaded. With `NUMBA_DISABLE_JIT=1` the same source runs as plain Python.
"""

import functools
import glob
import hashlib
import itertools
import multiprocessing
import os
import pickle
import secrets
import sys
import threading
import types as python_types
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite.binding import Linkage
from numba import types
from numba.core import caching, cgutils, config, serialize
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.targetconfig import ConfigStack
from numba.extending import intrinsic

from simkit.engine.compile import compile_errors
from simkit.engine.compile.compile_errors import NO_ACTION
from simkit.engine.compile.fingerprint import fingerprint, functions, size
from simkit.errors import UsageError

COMPILED = not config.DISABLE_JIT
BYTES_PER_SECOND = 2_500  # bytecode that one core compiles
COMPILING = threading.Lock()  # held by the thread that compiles
DIGEST = hashlib.sha256().digest_size

Function = Callable[..., Any]


def _use_unique_ids() -> None:
    """Number functions from a random start: by these numbers the linker distinguishes equal names."""
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


_use_unique_ids()
os.register_at_fork(after_in_child=_use_unique_ids)
types.Record.__repr__ = functools.cache(types.Record.__repr__)  # Numba asks for it thousands of times


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """Code of a function that only compiled code calls: linked into its callers and optimised there."""

    @property
    def codegen(self) -> Any:
        return python_types.SimpleNamespace(set_env=lambda name, environment: None)  # `Entry` does that

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # a part has no machine code of its own

    def _optimize_final_module(self) -> None:
        """Do nothing: the library that the part is linked into optimises it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _Program(JITCodeLibrary):  # type: ignore[misc]
    """Code of an entry together with its parts, which are made internal to it.

    By default LLVM must assume that a part is called from outside and keep it as a function with all its
    arguments. An internal part that is called once is inlined, and unused code is dropped: games take 3 to
    20 % less time (more where strategies consist of many small functions), compiling takes up to 10 % more.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:  # the linkage that Numba gives to linked parts
                function.linkage = Linkage.internal
        super()._optimize_final_module()


class _ProgramCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with a program as its library."""

    def define_pipelines(self) -> Any:
        self.state.library = _Program(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with a part as its library: machine code of its own took two thirds of the time."""

    def define_pipelines(self) -> Any:
        self.state.library = _Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class _Rule(CPUDispatcher):  # type: ignore[misc]
    """Compiled function that compiled code calls; called from Python it runs as plain Python."""

    def __init__(self, function: Function, python: Function, allocates: bool, bounds: bool) -> None:
        options = {"nopython": True, "nogil": True, "_nrt": allocates, "boundscheck": bounds}
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options, pipeline_class=_PartCompiler)
        self._python = python

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._python(*arguments, **named)

    @functools.cached_property
    def checked(self) -> "_Rule":
        """The same function with bounds checks, for callers with bounds checks."""
        if self.targetoptions["boundscheck"] or numba.config.BOUNDSCHECK:
            return self
        return _Rule(self.py_func, self._python, self.targetoptions["_nrt"], bounds=True)

    def _for_caller(self) -> "_Rule":
        caller = ConfigStack.top_or_none()
        return self.checked if caller is not None and caller.boundscheck else self

    def get_call_template(self, args: Any, kws: Any) -> Any:
        _, folded = self.fold_argument_types(args, kws)
        return super(_Rule, self._for_caller()).get_call_template(tuple(map(_wide, folded)), {})

    def get_overload(self, sig: Any) -> Any:
        return super(_Rule, self._for_caller()).get_overload(sig)

    @property
    def is_compiling(self) -> Any:
        return self._for_caller()._compiling_counter


def leaks(function: Function) -> list[tuple[str, str]]:
    """Return the memory leaks of a function: pairs of the rule that returns an array and its caller.

    An array leaks if its caller is compiled without reference counts. `function` is, and so are the rules
    that it reaches unless they allocate.
    """
    reached = list(functions(function))
    rules = [value for _, used in reached for _, value in used if isinstance(value, _Rule)]
    counting = {callee.py_func for callee in rules if callee.targetoptions["_nrt"]}
    lean = [(caller.__name__, used) for caller, used in reached if caller not in counting]
    calls = [(value, caller) for caller, used in lean for _, value in used if isinstance(value, _Rule)]
    makers = [(callee, caller) for callee, caller in calls if callee.targetoptions["_nrt"]]
    return [(callee.__name__, caller) for callee, caller in makers if _returns_reference(callee)]


def _returns_reference(callee: _Rule) -> bool:
    """Return whether a compiled rule returns an array or another object with a reference count."""
    overloads = [*callee.overloads.values(), *callee.checked.overloads.values()]
    return any(not _plain(compiled.signature.return_type) for compiled in overloads)


def _plain(kind: Any) -> bool:
    """Return whether values of a Numba type have no reference count."""
    if isinstance(kind, types.BaseTuple):
        return all(map(_plain, kind))
    return isinstance(
        kind, types.Number | types.Boolean | types.NoneType | types.IntEnumMember | types.Record
    )


def _wide(argument: Any) -> Any:
    """Return the type as which a rule takes an argument: int64 for signed integers and IntEnum members."""
    if isinstance(argument, types.BooleanLiteral):
        return types.boolean
    signed = isinstance(argument, types.Integer) and argument.signed
    return types.int64 if signed or isinstance(argument, types.IntEnumMember) else argument


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
    """
    if function is None:
        return functools.partial(rule, allocates=allocates, python=python, bounds=bounds)
    return _Rule(function, python or function, allocates, bounds) if COMPILED else python or function


class Entry:
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
        self.function, self.signature, self.who, self.body = (
            function,
            signature,
            who or name,
            body or function,
        )
        self._options = {"nogil": True, "_nrt": allocates, "boundscheck": bounds}
        function.__qualname__ = name.replace(" ", "_").replace("/", "_")

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)

    @property
    def ready(self) -> bool:
        """Whether the function is compiled, in this process or in the cache on disk."""
        return not COMPILED or "compiled" in vars(self) or self._cache.there

    @property
    def seconds(self) -> float:
        """Estimated time to compile the function, in seconds."""
        return size(self.function) / BYTES_PER_SECOND

    @functools.cached_property
    def compiled(self) -> Any:
        """The compiled function; UsageError with the author's line if it does not compile."""
        if not COMPILED:
            return self.function
        dispatcher = numba.njit(pipeline_class=_ProgramCompiler, **self._options)(self.function)
        dispatcher._can_compile = True
        dispatcher._cache = self._cache
        try:
            with COMPILING:
                dispatcher.compile(self.signature)
        except Exception as error:  # Numba raises errors of many types
            raise UsageError(
                compile_errors.compile_message(error, self.function, self.who, self.body)
            ) from error
        for maker, taker in [] if self._options["_nrt"] else leaks(self.function):
            self._cache.flush()
            cure = f"say allocates=True of {taker}()"
            raise UsageError(f"{self.who}: {maker}() hands an array to {taker}(), which counts none: {cure}")
        compiled = dispatcher.overloads[self.signature.args]
        # Parts leave their environments unset; exceptions that they raise read constants from them.
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
        dispatcher.disable_compile()
        return dispatcher

    @functools.cached_property
    def _cache(self) -> "_ExactCache":
        return _ExactCache(self.function)


class _Impl(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Naming of cache files by function and fingerprint instead of by function and line number."""

    def __init__(self, function: Function) -> None:
        self.stamp = fingerprint(function)
        super().__init__(function)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        flags = "-bounds" if config.BOUNDSCHECK else ""
        self.family = f"{fullname}{flags}-{sys.implementation.cache_tag}{abiflags}-"
        return self.family + self.stamp[:24]


class _CacheFile:
    """File with machine code by signature and processor, headed by a SHA-256 digest of its content.

    A file that does not match its digest counts as missing, so that damaged code is never run.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self, key: Any) -> Any:
        return self._content().get(key)

    def save(self, key: Any, data: Any) -> None:
        content = serialize.dumps(self._content() | {key: data})
        unfinished = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}.tmp")
        try:
            unfinished.write_bytes(hashlib.sha256(content).digest() + content)
            os.replace(unfinished, self.path)
        finally:
            unfinished.unlink(missing_ok=True)

    def flush(self) -> None:
        self.path.unlink(missing_ok=True)

    def _content(self) -> dict[Any, Any]:
        raw = self.path.read_bytes() if self.path.exists() else b""
        digest, content = raw[:DIGEST], raw[DIGEST:]
        return pickle.loads(content) if hashlib.sha256(content).digest() == digest else {}


@functools.cache
def _warn_uncached(folder: str, reason: str) -> None:
    """Warn once per process that compiled code cannot be cached; workers leave this to their parent."""
    if multiprocessing.parent_process() is None:
        cure = "playing goes on, but the next command compiles again"
        print(f"simkit: compiled code cannot be cached in {folder}: {reason}; {cure}", file=sys.stderr)


class _ExactCache(caching.FunctionCache):  # type: ignore[misc]
    """Numba's function cache with the fingerprint as the only test of freshness."""

    _impl_class = _Impl

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._cache_file = _CacheFile(Path(self._cache_path, f"{self._impl.filename_base}.nbc"))

    @property
    def there(self) -> bool:
        return self._cache_file.path.exists()

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (sig, codegen.magic_tuple(), self._impl.stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        with suppress(OSError):  # a function whose file cannot be read is compiled once more
            return super().load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache machine code, and delete the files of earlier versions of the function."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_uncached(self._cache_path, error.strerror or str(error))
            return
        for path in Path(self._cache_path).glob(f"{glob.escape(self._impl.family)}*.nb[ic]"):
            if not path.name.startswith(self._impl.filename_base):
                path.unlink(missing_ok=True)


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
def _seen_as(typingctx, numbers, kind):  # type: ignore[no-untyped-def]
    """View the memory of an array of numbers as a record."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        array = context.make_array(signature.args[0])(context, builder, args[0])
        return builder.bitcast(array.data, context.get_value_type(signature.return_type))

    return kind.dtype(numbers, kind), generate


def seen_as(kind: np.dtype) -> Any:
    """Return a rule that views an array of int64 as a record of this dtype, no larger than the array."""

    def record(numbers):  # type: ignore[no-untyped-def]
        return _seen_as(numbers, kind)

    def record_python(numbers: np.ndarray) -> Any:
        return numbers[: -(-kind.itemsize // 8)].view(np.uint8)[: kind.itemsize].view(kind)[0]

    return rule(record, python=record_python)


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
    """Copy record `source` over record `target` (both of the same type)."""
    _copy(target, source, "")


def _wipe_python(target: Any) -> None:
    target.setfield(np.zeros((), target.dtype), target.dtype)


@rule(python=_wipe_python)
def wipe(target):  # type: ignore[no-untyped-def]
    """Set a record (or a record inside a record) to zero."""
    _wipe(target)


def _clone_before_python(target: Any, source: Any, field: str) -> None:
    names = source.dtype.names
    for name in names[: names.index(field)]:
        target[name] = source[name]


@rule(python=_clone_before_python)
def clone_before(target, source, field):  # type: ignore[no-untyped-def]
    """Copy the fields before `field` (a constant name); this field and all after it keep their values.

    Meant for views, which are zero at the start of a game. A `scratch` state may hold anything there.
    """
    _copy(target, source, field)


@rule(python=lambda bits: int(bits).bit_count())
def bit_count(bits):  # type: ignore[no-untyped-def]
    """Return the number of set bits of a non-negative integer."""
    return _count_bits(bits)


@rule
def lowest_bit(bits):  # type: ignore[no-untyped-def]
    """Return the position of the lowest set bit of a positive integer."""
    return bit_count((bits & -bits) - 1)  # the position equals the number of bits below it


@rule
def bit(place):  # type: ignore[no-untyped-def]
    """Return the set with this single member as an integer: bit `place` alone."""
    return 1 << int(place)
