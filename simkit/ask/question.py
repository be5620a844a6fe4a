"""Questions: a function, its command and its row in the manual, all of one declaration.

The signature of a question has the names, types and defaults of its arguments, and its docstring what they
mean: the first line, what you get, `Args:`, and after `Command line::` an example for a shell. `simkit.cli`
makes the command of these, and `simkit/ask/arguments.py` has what questions share.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Mapping
from functools import cache, wraps
from inspect import BoundArguments, Parameter, signature
from typing import Any, Concatenate, ParamSpec, TypeVar

from pydantic import ValidationError, create_model

from simkit.ask.arguments import How, hints_of, keywords_of
from simkit.ask.execution import Execution
from simkit.ask.progress import progress, quiet
from simkit.ask.requests import EMPTY, plain
from simkit.engine import limits
from simkit.errors import UsageError, suggestion

P = ParamSpec("P")
R = TypeVar("R")
UNNAMED = {"save"}  # arguments that a recorded command has, but not the name of a run folder


def question(
    shell: tuple[str, ...] = (),
    hidden: tuple[str, ...] = (),
    page: str = "",
    folder: Callable[[dict[str, Any]], str] | None = None,
) -> Callable[[Callable[Concatenate[Execution, P], R]], Callable[P, R]]:
    """Return a decorator that makes a question of a function.

    The function gets its arguments checked, as plain values, and before them the execution, which says where
    and how to play and is for `answer`.

    Args:
        shell: Options that only a shell has, beside those of every question: "table", "hours".
        hidden: Shared keywords for which a shell has no option, because the question always refuses them.
        page: Page (`reports/PAGE.py`) that says what the command prints; by default that of the run.
        folder: Returns the run folder of a command, by default one that is named by the question.
    """

    def decorate(function: Callable[Concatenate[Execution, P], R]) -> Callable[P, R]:
        @wraps(function)
        def ask(*given: P.args, **keywords: P.kwargs) -> R:
            execution = keywords.pop("execution", None)  # of a command
            bound = arguments(ask, *given, **keywords)
            common = bound.arguments["keywords"]
            how = {name: common.pop(name) for name in How.__annotations__ if name in common}
            if not isinstance(execution, Execution):
                execution = _execution(ask, bound, how)
            return function(execution, *bound.args, **bound.kwargs)

        whole = signature(function)
        parameters = [*whole.parameters.values()][1:]
        whole = whole.replace(parameters=parameters)
        vars(ask).update(__signature__=whole, shell=shell, hidden=hidden, page=page, folder=folder)
        ask.__doc__ = _with_keywords(ask)
        return ask

    return decorate


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Check the arguments of each call of a function, which gets them as plain values."""

    @wraps(function)
    def call(*given: P.args, **keywords: P.kwargs) -> R:
        bound = arguments(function, *given, **keywords)
        return function(*bound.args, **bound.kwargs)

    return call


def arguments(function: Callable[..., Any], *given: Any, **keywords: Any) -> BoundArguments:
    """Return the arguments of a call as plain values of the declared types.

    Shared keywords are in the order of their declaration; those that are None or empty are left out.
    TypeError for a keyword that the function does not have, UsageError for a value of another type or out of
    range.
    """
    form = form_of(function)
    fields = form.model_fields
    if unknown := sorted(keywords.keys() - fields.keys()):
        problem = f"{function.__name__}() got an unexpected keyword argument '{unknown[0]}'"
        raise TypeError(f"{problem}{suggestion(unknown[0], fields)}; known: {', '.join(fields)}")
    try:
        bound = signature(function).bind(*given, **keywords)
    except TypeError as error:
        raise TypeError(f"{function.__name__}() {error}") from None
    bound.apply_defaults()
    common = bound.arguments.get("keywords", {})
    values = {name: plain(value) for name, value in bound.arguments.items() if name in fields}
    values |= {name: value for name, entry in common.items() if (value := plain(entry)) not in EMPTY}
    try:
        checked_values = form.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        name, *inside = fault["loc"]
        where = ".".join(map(str, [name, *inside[:1]] if isinstance(values[str(name)], dict) else [name]))
        problem = fault["msg"].removeprefix("Input ").removeprefix("Value error, ")
        raise UsageError(f"{where}: {problem}, not {limits.one_line(repr(fault['input']), 80)}") from None
    plain_values = {name: getattr(checked_values, name) for name in fields if name in values}
    bound.arguments |= {name: plain_values.pop(name) for name in fields if name in bound.arguments}
    if "keywords" in bound.arguments:
        bound.arguments["keywords"] = plain_values
    return bound


@cache
def form_of(function: Callable[..., Any]) -> Any:
    """Return a model of the parameters of a function, with the keywords of its TypedDict."""
    fields, hints = dict[str, Any](), hints_of(function)
    for name, parameter in signature(function).parameters.items():
        kind: Any = hints[name]
        if parameter.kind is Parameter.VAR_KEYWORD:
            fields |= {key: (hint, None) for key, hint in keywords_of(function).items()}
        else:
            fields[name] = (list[kind] if parameter.kind is Parameter.VAR_POSITIONAL else kind, None)
    return create_model(function.__name__, __config__={"strict": True}, **fields)


def by_name(bound: BoundArguments) -> dict[str, Any]:
    """Return the arguments of a question by name, its own before the shared keywords."""
    own = {name: value for name, value in bound.arguments.items() if name != "keywords"}
    common: dict[str, Any] = bound.arguments["keywords"]
    return own | common


def format_call(function: Callable[..., Any], given: Mapping[str, Any]) -> str:
    """Return a call as a person would write it, without arguments that are at their defaults."""
    words, parameters = list[str](), signature(function).parameters
    for name, value in given.items():
        parameter = parameters.get(name)
        if parameter and parameter.kind is Parameter.VAR_POSITIONAL:
            words += map(repr, value)
        elif value not in (*EMPTY, parameter.default if parameter else None):
            by_name = not parameter or parameter.kind is Parameter.KEYWORD_ONLY
            words.append(f"{name}={value!r}" if by_name else repr(value))
    return f"{function.__name__}({', '.join(words)})"


def _execution(function: Callable[..., Any], bound: BoundArguments, how: dict[str, Any]) -> Execution:
    """Return the execution of a call in Python: it names the run folder, and the manifest records it."""
    given = by_name(bound)
    named = {name: value for name, value in given.items() if name not in UNNAMED}
    reporter = progress if how.pop("progress", True) else quiet
    command = f"simkit.{format_call(function, given)}"
    return Execution(name=format_call(function, named), command=command, reporter=reporter, **how)


def _with_keywords(function: Callable[..., Any]) -> str:
    """Return the docstring of a question with the names of the shared keywords that it takes."""
    doc, names = inspect.getdoc(function) or "", [*keywords_of(function)]
    text = f"keywords: {', '.join(names[:-1])} and {names[-1]}; the manual of the API has a table."
    entry = textwrap.fill(text, 100, initial_indent=4 * " ", subsequent_indent=8 * " ")
    return re.sub(r"(?<=\n)(?=\nReturns:\n)", f"{entry}\n", doc, count=1)
