"""LLVM code of a game and its strategies, from Numba's modules to one WebAssembly object.

Numba's code is already optimised for this machine. It is used once more: what Python needs to call it is
dropped, the target is replaced, everything is linked with the glue (see `glue`) and optimised again. Pointers
have 32 bits in WebAssembly and 64 here, where optimisation has turned fields into distances in bytes. Records
with pointers therefore keep the layout of this machine: `_with_native_records` gives them the room of here,
and refuses code that would place a pointer by the layout of WebAssembly.
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
ALLOCATED = re.compile(r"(?<== alloca )(.*)(?=, align)")
# The type that is stepped over; a record with a pointer, or several pointers, loaded or stored at one time.
STEPPED = re.compile(r"getelementptr (?:(?:inbounds|nuw|nusw) )*\(?(.*?), ptr ")
WHOLE = re.compile(r"\b(?:load|store) (?:[{\[].*\bptr\b.*[}\]]|<\d+ x ptr>)")
# LLVM's own functions of which WebAssembly makes calls of a mathematical library, which differs by machine.
LIBRARY = {
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "exp2", "exp10"),
    *("log", "log2", "log10", "pow", "powi", "fma", "ldexp", "frexp", "round", "lround"),
}
MACHINES = ("aarch64", "x86")  # whose own functions WebAssembly lacks
Module = Any  # of llvmlite


@cache
def machine() -> Any:
    """Return LLVM's target machine for WebAssembly."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=2, reloc="static", features=FEATURES)


def code(entry: jit.EntryPoint, name: str) -> Module:
    """Return the code of an entry and all that it calls for WebAssembly, with `name` as its only symbol."""
    symbol, bitcode = entry.llvm
    module = llvm.parse_bitcode(bitcode)
    module.get_function(symbol).name = name
    keep_only(module, {name})
    _drop_unused(module)
    module = parse(_retarget(_use_native_records(module, entry.who)))
    _drop_unused(module)
    return module


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


def assemble(glue: Module, parts: dict[str, Module], names: set[str]) -> bytes:
    """Return the object of the glue and the parts that it calls, in which only `names` are symbols.

    WebError if the glue calls a part with other arguments than it has, or something that is not defined.
    """
    for name, part in parts.items():
        if arguments(glue, name) != arguments(part, name):
            raise WebError(f"{name} takes other arguments than the page hands to it")
        glue.link_in(part)
    keep_only(glue, names)
    builder = llvm.create_pass_builder(machine(), llvm.create_pipeline_tuning_options(speed_level=1))
    builder.getModulePassManager().run(glue, builder)
    if missing := missing_symbols(glue):
        raise WebError(f"WebAssembly lacks {', '.join(missing)}")
    return bytes(machine().emit_object(glue))


def missing_symbols(module: Module) -> list[str]:
    """Return the functions and data that a module lacks."""
    declared = [value.name for value in [*module.functions, *module.global_variables] if value.is_declaration]
    return sorted(missing for name in declared if (missing := _missing(name)))


def _missing(name: str) -> str:
    """Return what is missing where a name is declared only, or "" if LLVM itself defines it."""
    if not name.startswith("llvm."):
        return name
    function = name.split(".")[1]
    if function in LIBRARY:
        return function
    return name if function in MACHINES else ""


def arguments(module: Module, name: str) -> list[str]:
    """Return the types of the arguments of a function."""
    return [str(argument.type) for argument in module.get_function(name).arguments]


def _drop_unused(module: Module) -> None:
    """Drop what no symbol of the module needs."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine(), llvm.create_pipeline_tuning_options()))


def _retarget(text: str) -> str:
    text = re.sub(r'^target triple = ".*"$', f'target triple = "{TRIPLE}"', text, flags=re.M)
    layout = f'target datalayout = "{machine().target_data}"'
    text = re.sub(r'^target datalayout = ".*"$', layout, text, flags=re.M)
    text = MACHINE_ATTRIBUTES.sub("", text)
    text = EXCEPTIONS.sub(r"\1\2 zeroinitializer", text)
    return REFERENCE_COUNTS.sub(r"\1\n  ret void\n}", text)


def _use_native_records(module: Module, who: str) -> str:
    """Return the code with records on the stack as bytes, as many as they take on this machine."""
    layout = llvm.create_target_data(module.data_layout)
    text = ALLOCATED.sub(lambda match: _as_bytes(match[0], layout), str(module))
    steps = [kind for kind in STEPPED.findall(text) if "ptr" in kind]
    if steps or WHOLE.search(text):
        raise WebError(f"{who}: WebAssembly would place its pointers in another way than this machine")
    return text


def _as_bytes(kind: str, layout: Any) -> str:
    """Return a type on the stack, or for a record with pointers as many bytes."""
    if "ptr" not in kind or kind == "ptr":
        return kind
    example = parse(f"@example = external global {kind}").get_global_variable("example")
    return f"[{layout.get_abi_size(example.global_value_type)} x i8]"
