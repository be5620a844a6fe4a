"""Private parts of Numba that make compiled code faster, smaller and cacheable; nothing else touches them.

`plain_njit` takes the place of this module, which then raises ImportError or AttributeError, where Numba has
another version than VERSIONS or lacks a part. tests/engine/test_numba_hooks.py says so.
"""

import functools
import hashlib
import itertools
import os
import pickle
import secrets
import sys
import types as python_types
from collections.abc import Callable
from typing import Any

import numba
from llvmlite.binding import Linkage
from numba import types
from numba.core import caching, config, serialize
from numba.core.bytecode import FunctionIdentity
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.targetconfig import ConfigStack

from simkit.engine.compile.cache import CodeFile
from simkit.engine.compile.fingerprint import fingerprint

VERSIONS = (0, 62), (0, 70)  # from, below
Function = Callable[..., Any]

if not VERSIONS[0] <= numba.version_info.short < VERSIONS[1]:
    raise ImportError(f"the hooks do not fit Numba {numba.__version__}")


def _use_unique_ids() -> None:
    """Number functions from a random start: by these numbers the linker distinguishes equal names."""
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(60))


_use_unique_ids()
if hasattr(os, "register_at_fork"):  # Windows has no forks
    os.register_at_fork(after_in_child=_use_unique_ids)
types.Record.__repr__ = functools.cache(types.Record.__repr__)  # Numba asks for it thousands of times


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """Code of a rule, linked into its callers and optimised there.

    Machine code of its own would take two thirds of the time.
    """

    @property
    def codegen(self) -> Any:
        return python_types.SimpleNamespace(set_env=lambda name, environment: None)  # `Program` does that

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # a part has no machine code of its own

    def _optimize_final_module(self) -> None:
        """Do nothing: the library that the part is linked into optimises it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _Whole(JITCodeLibrary):  # type: ignore[misc]
    """Code of a program together with its parts, which are made internal to it.

    By default LLVM must assume that a part is called from outside and keep it as a function with all its
    arguments. An internal part that is called once is inlined, and unused code is dropped: games take 3 to
    20 % less time (more where strategies consist of many small functions), compiling takes up to 10 % more.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:  # the linkage that Numba gives to linked parts
                function.linkage = Linkage.internal
        super()._optimize_final_module()


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with a part as its library."""

    def define_pipelines(self) -> Any:
        self.state.library = _Part(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super().define_pipelines()


class _WholeCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with a whole program as its library."""

    def define_pipelines(self) -> Any:
        self.state.library = _Whole(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        self.state.library.enable_object_caching()
        return super().define_pipelines()


class Rule(CPUDispatcher):  # type: ignore[misc]
    """Compiled function that compiled code calls; called from Python it runs as plain Python."""

    def __init__(self, function: Function, python: Function, allocates: bool, bounds: bool) -> None:
        options = {"nopython": True, "nogil": True, "_nrt": allocates, "boundscheck": bounds}
        options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions=options, pipeline_class=_PartCompiler)
        self._python = python

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._python(*arguments, **named)

    @functools.cached_property
    def _checked(self) -> "Rule":
        """The same function with bounds checks, for callers with bounds checks."""
        if self.targetoptions["boundscheck"] or config.BOUNDSCHECK:
            return self
        return Rule(self.py_func, self._python, self.targetoptions["_nrt"], bounds=True)

    def _for_caller(self) -> "Rule":
        caller = ConfigStack.top_or_none()
        return self._checked if caller is not None and caller.boundscheck else self

    def get_call_template(self, args: Any, kws: Any) -> Any:
        callee, (_, folded) = self._for_caller(), self.fold_argument_types(args, kws)
        widened = tuple(map(_widen, folded))
        template = super(Rule, callee).get_call_template(widened, {})
        if not ConfigStack().top().nrt and callee._returns_reference(widened):
            cure = "say allocates=True of the function that calls it"
            raise numba.TypingError(f"{self.__name__}() returns an array; {cure}")
        return template

    def _returns_reference(self, widened: tuple[Any, ...]) -> bool:
        """Return whether the function returns an array or another object with a reference count."""
        kind = self.overloads[widened].signature.return_type
        return bool(self.targetctx.data_model_manager[kind].contains_nrt_meminfo())

    def get_overload(self, sig: Any) -> Any:
        return super(Rule, self._for_caller()).get_overload(sig)

    @property
    def is_compiling(self) -> Any:
        return self._for_caller()._compiling_counter


def _widen(argument: Any) -> Any:
    """Return the type as which a rule takes an argument: int64 for signed integers and IntEnum members."""
    if isinstance(argument, types.BooleanLiteral):
        return types.boolean
    signed = isinstance(argument, types.Integer) and argument.signed
    return types.int64 if signed or isinstance(argument, types.IntEnumMember) else argument


class Program(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """Function that Python calls, compiled with all rules that it reaches, or loaded from its file."""

    def __init__(self, function: Function, signature: Any, allocates: bool, bounds: bool) -> None:
        super().__init__(function)
        self._function, self._signature = function, signature
        self._options = {"nogil": True, "_nrt": allocates, "boundscheck": bounds}
        # A named tuple names its types, but not its fields, by which the code finds its arguments.
        fields = [kind.fields for kind in signature.args if isinstance(kind, types.NamedTuple)]
        stamp = hashlib.sha256(f"{fingerprint(function)} {signature} {fields}".encode()).hexdigest()
        self.folder, self.stamp = self.locator.get_cache_path(), stamp
        self._file = CodeFile(self.folder, self.filename_base, stamp)

    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        processor = hashlib.sha256(
            repr(cpu_target.target_context.codegen().magic_tuple()).encode()
        ).hexdigest()[:8]
        flags = "-bounds" if config.BOUNDSCHECK else ""
        return f"{fullname}{flags}-{sys.implementation.cache_tag}{abiflags}-{processor}"

    @property
    def is_cached(self) -> bool:
        """Whether the cache has a file for the function."""
        return self._file.path.exists()

    def compile(self) -> Any:
        """Return the function, compiled for its signature."""
        dispatcher = numba.njit(pipeline_class=_WholeCompiler, **self._options)(self._function)
        dispatcher._can_compile = True
        dispatcher._cache = self
        dispatcher.compile(self._signature)
        compiled = dispatcher.overloads[self._signature.args]
        # Parts leave their environments unset; exceptions that they raise read constants from them.
        for environment in compiled._find_referenced_environments():
            compiled.library.codegen.set_env(environment.env_name, environment)
        dispatcher.disable_compile()
        return dispatcher

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        content = self._file.load()
        return None if content is None else self.rebuild(target_context, pickle.loads(content))

    def save_overload(self, sig: Any, data: Any) -> None:
        if self.check_cachable(data):
            self._file.save(serialize.dumps(self.reduce(data)))


def optimised_code(compiled: Any) -> tuple[str, bytes]:
    """Return the name of a compiled function in LLVM, and the optimised LLVM bitcode that it was made of.

    Numba keeps the bitcode in the cache beside the machine code.
    """
    (result,) = compiled.overloads.values()
    return result.fndesc.llvm_func_name, result.library._get_module_for_linking().as_bitcode()
