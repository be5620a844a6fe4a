"""LLVM code of a game and its strategies, from Numba's modules to one WebAssembly object.

Numba's code is already optimised for this machine. It is used once more: what Python needs to call it is
dropped, the target is replaced, everything is linked with the glue (see `glue`) and optimised again. Pointers
have 32 bits in WebAssembly, which is safe as long as no memory layout with pointers is fixed in the code:
`_refuse_pointers_in_memory` checks this.
"""

import re
from functools import cache
from typing import Any

import llvmlite.binding as llvm

from simkit.engine.compile import jit
from simkit.errors import WebError

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+simd128,+mutable-globals"  # all browsers since 2021
MACHINE_ATTRIBUTES = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
# Exceptions are told by the status alone: their pickled arguments, with long names of types, are dropped.
EXCEPTIONS = re.compile(r"^(@\.const\.picklebuf\.\S+ = [^{]*)(\{[^}]*\}) \{.*\}", re.M)
# Nothing is freed while a game is played: references need no counts.
REFERENCE_COUNTS = re.compile(r"^(define [^\n]*@NRT_(?:inc|dec)ref\([^\n]*\{)\n.*?^\}", re.M | re.S)
ALLOCATED = re.compile(r"= alloca (\{.*?\}|[^,\n]+)")
Module = Any  # of llvmlite


@cache
def machine() -> Any:
    """Return LLVM's target machine for WebAssembly."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=3, reloc="static", features=FEATURES)


def code(entry: jit.Entry, name: str) -> str:
    """Return the code of an entry and all that it calls for WebAssembly, with `name` as its only symbol."""
    symbol, bitcode = entry.llvm
    module = llvm.parse_bitcode(bitcode)
    module.get_function(symbol).name = name
    keep_only(module, {name})
    _run(module, llvm.create_pipeline_tuning_options(speed_level=1), drop_only=True)
    text = _retargeted(str(module))
    _refuse_pointers_in_memory(text, entry.who)
    return text


def parse(text: str) -> Module:
    """Return the module of a text in LLVM's language."""
    module = llvm.parse_assembly(text)
    module.verify()
    return module


def keep_only(module: Module, names: set[str]) -> None:
    """Make all definitions internal except these."""
    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration:
            value.linkage = "external" if value.name in names else "internal"


def assemble(modules: list[Module], names: set[str]) -> bytes:
    """Return the object of modules that belong together, in which only `names` are symbols of their own.

    WebError if something is called that is not defined.
    """
    whole, *parts = modules
    for part in parts:
        whole.link_in(part)
    keep_only(whole, names)
    _run(whole, llvm.create_pipeline_tuning_options(speed_level=3))
    _refuse_undefined(whole)
    return bytes(machine().emit_object(whole))


def _run(module: Module, options: Any, drop_only: bool = False) -> None:
    """Optimise a module, or only drop what nothing uses."""
    builder = llvm.create_pass_builder(machine(), options)
    if drop_only:
        passes = llvm.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
    else:
        passes = builder.getModulePassManager()
    passes.run(module, builder)


def _retargeted(text: str) -> str:
    text = re.sub(r'^target triple = ".*"$', f'target triple = "{TRIPLE}"', text, flags=re.M)
    layout = f'target datalayout = "{machine().target_data}"'
    text = re.sub(r'^target datalayout = ".*"$', layout, text, flags=re.M)
    text = MACHINE_ATTRIBUTES.sub("", text)
    text = EXCEPTIONS.sub(r"\1\2 zeroinitializer", text)
    return REFERENCE_COUNTS.sub(r"\1\n  ret void\n}", text)


def _refuse_pointers_in_memory(text: str, who: str) -> None:
    """Refuse a record with pointers on the stack: its layout may be fixed to that of this machine."""
    for kind in ALLOCATED.findall(text):
        if "ptr" in kind and kind != "ptr":
            raise WebError(f"{who} passes arrays through memory, which WebAssembly lays out in another way")


def _refuse_undefined(module: Module) -> None:
    """Refuse functions that are neither defined nor LLVM's own for any machine."""
    declared = [value.name for value in [*module.functions, *module.global_variables] if value.is_declaration]
    missing = [name for name in declared if not name.startswith("llvm.") or name.startswith("llvm.x86.")]
    if missing:
        raise WebError(f"WebAssembly lacks {', '.join(sorted(missing))}")
