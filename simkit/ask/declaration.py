"""Declarations: what the signature and the docstring of a question, or of its keywords, say."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, get_args, get_type_hints

from simkit.ask.arguments import SHARED

SECTION = re.compile(r"^(Args|Returns|Raises|Example|Command line:):\n", re.MULTILINE)
ENTRY = re.compile(r"^    (\w+): (.*(?:\n     +.*)*)", re.MULTILINE)  # an argument and its meaning


class Texts(NamedTuple):
    """The parts of a docstring that a command shows."""

    about: str  # what comes before the sections
    meanings: dict[str, str]  # of the arguments, by name
    examples: str  # of the command


def hints_of(function: Any) -> dict[str, Any]:
    """Return the types of the arguments of a function, or of the keys of a TypedDict."""
    return get_type_hints(function, include_extras=True)


def keywords_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the shared keywords that a function takes, with their types."""
    return hints_of(get_args(hints_of(function)["keywords"])[0]) if "keywords" in hints_of(function) else {}


def texts_of(documented: Any) -> Texts:
    """Return the parts of the docstring of a function or a TypedDict."""
    about, *parts = SECTION.split(inspect.getdoc(documented) or "")
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    meanings = {name: " ".join(text.split()) for name, text in ENTRY.findall(sections.get("Args", ""))}
    return Texts(about.strip(), meanings, inspect.cleandoc(sections.get("Command line:", "")))


@cache
def shared_meanings() -> dict[str, str]:
    """Return the meanings of the keywords that questions share."""
    return {name: text for keywords in SHARED for name, text in texts_of(keywords).meanings.items()}
