"""What does not compile, told in one sentence: the line of the author, what is wrong there and the cure."""

import dis
import re
import sysconfig
import traceback
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

from numba.core.dispatcher import Dispatcher

from simkit.errors import closest
from simkit.fingerprint import functions

NO_ACTION = "an action is a whole number, one of `legal`"
LONGEST = 200  # characters of what is wrong and what would be right
PACKAGE, LIBRARY = Path(__file__).resolve().parent, Path(sysconfig.get_paths()["stdlib"])
RULE = r"_Rule\(<function (\w+) at"
Function = Callable[..., Any]


class Fault(NamedTuple):
    """What the compiler says, the innermost function it says it of, and what functions name."""

    text: str
    inner: Function
    named: dict[str, Any]


def told(error: Exception, function: Function, who: str, body: Function) -> str:
    """The line for the author of a function that does not compile.

    `who` names what it is part of; `body` is what the author wrote, where the compiler names no line of it.
    """
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    reached = list(functions(function))
    own = {one.__name__: one for one, _ in reversed(reached)}
    fault = Fault(text, _innermost(error, text, own) or function, own | _globals(reached))
    cure, said = _cure(error, fault), f" ({who} does not compile)"
    room = LONGEST - len(said)
    place = _place(error, fault, body)
    cure = cure if len(cure) <= room else f"{cure[: room - 3].rstrip()}..."
    return f"{place}: {cure}{said}" if place else f"{cure}{said}"


@cache
def is_content(file: Path) -> bool:
    """Whether a file is one of a game's or a strategy's, neither simkit's machinery nor of a library."""
    if file.is_relative_to(PACKAGE):
        return file.is_relative_to(PACKAGE / "games")
    return file.is_file() and not file.is_relative_to(LIBRARY) and "site-packages" not in file.parts


def _globals(reached: Iterable[tuple[Any, list[tuple[str, Any]]]]) -> dict[str, Any]:
    return {path.rpartition(".")[2]: value for _, names in reached for path, value in names}


def _innermost(error: Exception, text: str, own: dict[str, Any]) -> Function | None:
    """The function whose own lines do not compile."""
    if (found := re.search(RULE, text)) and found[1] in own:
        return own[found[1]]  # type: ignore[no-any-return]
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    rules = [frame.f_locals.get("self") for frame in frames if frame.f_code.co_name == "get_call_template"]
    return next((one.py_func for one in reversed(rules) if isinstance(one, Dispatcher)), None)


def _place(error: Exception, fault: Fault, body: Function) -> str:
    """The line of the author that the compiler names, or that holds what it names, or the function's."""
    named = re.findall(r"File \"([^\n\"]+)\", line (\d+)| at (/[^\n]*?\.py) \((\d+)\)", fault.text)
    lines = [(one or other, line or last) for one, line, other, last in named]
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        if constraint := frame.f_locals.get("constraint"):
            lines.append((constraint.loc.filename, str(constraint.loc.line)))
            break
    lines += [(fault.inner.__code__.co_filename, str(line)) for line in _mentions(fault)]
    for one in (fault.inner, body):
        lines.append((one.__code__.co_filename, str(one.__code__.co_firstlineno)))
    places = [(Path(file).resolve(), line) for file, line in lines]
    return next((f"{file}:{line}" for file, line in places if is_content(file)), "")


def _mentions(fault: Fault) -> list[int]:
    """Lines of the innermost function with the name that is not defined."""
    found = re.search(UNDEFINED, fault.text)
    code = [at for at in dis.get_instructions(fault.inner.__code__) if found and at.argval == found[1]]
    return [at.positions.lineno for at in code if at.positions and at.positions.lineno]


def _defined(function: Any) -> str:
    return f"{function.__name__}() in {function.__code__.co_filename}:{function.__code__.co_firstlineno}"


def kind(compiled: str) -> str:
    """A type of compiled code in words.

    >>> kind("Literal[int](1)"), kind("float64"), kind("Literal[str](a)"), kind("nestedarray(int8, (4,))")
    ('a whole number', 'a number with a fraction', 'a text', 'an array')
    """
    return next((words for pattern, words in KINDS.items() if re.match(pattern, compiled)), compiled)


KINDS = {
    r"(Literal\[)?u?int|IntEnum": "a whole number",
    r"float": "a number with a fraction",
    r"(Literal\[)?bool": "true or false",
    r"(Literal\[)?str|unicode_type": "a text",
    r"readonly array|array|nestedarray": "an array",
    r"(Uni)?[tT]uple": "a tuple",
    r"list|reflected list": "a list",
    r"Record": "a record",
    r"none|Optional": "nothing (None)",
}


def _untyped(fault: Fault, name: str, of: str) -> str:
    known = fault.named.get(name)
    if isinstance(known, FunctionType):
        return f"decorate {_defined(known)} with @rule"
    what = "class" if of == "type" else of
    return f"{name} is a {what}: compiled code takes numbers, tuples, NumPy arrays and rules"


def _undefined(fault: Fault, name: str) -> str:
    return f"{name} is not defined{_close(name, fault.inner.__globals__)}"


def _attribute(fault: Fault, name: str, of: str) -> str:
    if of.startswith("weights("):
        return f"weight '{name}' is not declared: say @strategy(game, {name}=Weight(...))"
    if of.startswith("readonly array(float64"):
        return f"weight '{name}' is not declared, nor any other: say @strategy(game, {name}=Weight(...))"
    return f"{kind(of)} has no .{name} in compiled code"


def _allocates(fault: Fault) -> str:
    return f"{fault.inner.__name__}() makes an array, a list or a text: say @rule(allocates=True)"


def _unlike(fault: Fault, one: str, other: str, name: str) -> str:
    values = f"{kind(one)} and {kind(other)} in turn"
    return f"{'what is returned' if name.startswith('$') else name} is {values}: keep to one"


def _arguments(fault: Fault, takes: str, wrong: str) -> str:
    return f"{fault.inner.__name__}{takes} is called otherwise: {wrong}"


def _no_version(fault: Fault, name: str, given: str) -> str:
    if name == "exception_match":
        return "compiled code catches only `except Exception:`; look before it goes wrong"
    return f"{name} cannot be compiled for {' and '.join(map(kind, _outside_brackets(given)))}"


def _outside_brackets(given: str) -> list[str]:
    """The types of arguments, without what stands in brackets.

    >>> _outside_brackets("nestedarray(int8, (4,)), Literal[str](x), list(int64)<iv=[1, 2]>, axis=int64")
    ['nestedarray', 'str', 'list', 'int64']
    """
    text, before = re.sub(r"Literal\[(\w+)\]\([^()]*\)", r"\1", given), ""
    while text != before:
        text, before = re.sub(r"\([^()]*\)|\[[^\[\]]*\]|<[^<>]*>", "", text), text
    return [part.rpartition("=")[2].strip() for part in text.split(",")]


def _as_said(fault: Fault, said: str) -> str:
    return said


def _of(form: str) -> Callable[..., str]:
    """A cure that names kinds of values in its {}."""
    return lambda fault, *types: form.format(*map(kind, types))


UNDEFINED = r"name '(\w+)' is not defined"
# What the compiler says -> what would be right. The first that fits counts: particular ones come first.
CURES: dict[str, Callable[..., str]] = {
    r"Only accept returning of array passed into|NRT required but not enabled": _allocates,
    r"Untyped (?:global|freevar) name '(\w+)'[^\n]*<class '([\w.]+)'>": _untyped,
    UNDEFINED: _undefined,
    rf"{NO_ACTION}, not ([^\n]*)": _of(f"{NO_ACTION}, not {{}}"),
    rf"({NO_ACTION}[^\n]*)": _as_said,
    r"(a record is copied onto one of its type[^\n]*)": _as_said,
    r"Cannot modify readonly array": _of("this array may only be read: change a copy of it"),
    r"Unknown attribute '(\w+)' of type ([^\n]*)": _attribute,
    r"Cannot unify ([^\n]+?) and ([^\n]+?) for '([$\w]+)": _unlike,
    r"to signature '(\([^\n']*\))' due to \"TypeError: ([^\n\"]*?)\.?\"": _arguments,
    r"runaway recursion": _of("this recursion has no end: first say when it returns a value"),
    r"wrong tuple length[^\n]*?(expected \d+, got \d+)": _of("wrong number of values: {}"),
    r"Cannot cast ([^\n]+?) to (\w+)": _of("{} cannot become {}"),
    r">>> (\w+)\(([^\n]*)\)\n": _no_version,
    r"Invalid use of getiter with parameters \(([^\n]*)": _of("{} has no items to go through"),
    r"Invalid use of ([^\n]+) with parameters": _of("{} cannot be called"),
    r"(The '[^\n]*? construct is not supported)": _as_said,
}  # fmt: skip


def _cure(error: Exception, fault: Fault) -> str:
    if isinstance(error, KeyError):
        fields = [frame.f_locals.get("self") for frame, _ in traceback.walk_tb(error.__traceback__)][-1]
        known = [name for name in getattr(fields, "fields", {}) if name.isidentifier()]
        return f"there is no field '{error.args[0]}'{_close(str(error.args[0]), known)}"
    for pattern, cure in CURES.items():
        if found := re.search(pattern, fault.text):
            return cure(fault, *found.groups())
    lines = [line.strip() for line in fault.text.splitlines()]
    return next((line for line in lines if line and not line.startswith("Failed in")), type(error).__name__)


def _close(name: str, known: Iterable[str]) -> str:
    close = closest(name, known)
    return f"; did you mean '{close}'?" if close else ""
