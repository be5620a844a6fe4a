"""What is made of the declarations of questions: lines of the stub, and tables of the manuals.

`python -m tests.declarations --write` (`make stubs`) writes them; `tests/ask/test_declarations.py` names those that
are not up to date.
"""

import inspect
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Literal, get_origin

import simkit as sk
from simkit import questions
from simkit.ask.arguments import SHARED, Changes, hints_of, keywords_of, shared_meanings, texts_of
from simkit.questions.fair.result import value
from simkit.tables.findings import all_findings

ROOT = Path(__file__).parents[1]
STUB, TABLES = ROOT / "simkit/__init__.pyi", ROOT / "simkit/tables/names.pyi"
API, ASK = ROOT / "docs/api.md", ROOT / "docs/ask.md"
NAMES = [module.name for module in iter_modules(questions.__path__)]
TYPES = {
    Mapping: "dict",
    Sequence: "list",
    Literal: "str",
    int: "int",
    float: "float",
    bool: "bool",
    str: "str",
}


def texts() -> Iterator[tuple[Path, str]]:
    """Yield each file with its text as it should be."""
    stub = "\n".join(f"from .questions.{name} import {name} as {name}" for name in NAMES)
    yield (
        STUB,
        re.sub(r"(?:^from \.questions\..*\n)+", f"{stub}\n", STUB.read_text(), count=1, flags=re.MULTILINE),
    )
    functions = "\n".join(f".. autofunction:: simkit.{name}" for name in [*NAMES, "diff"])
    api = _replaced(API.read_text(), "questions", f"```{{eval-rst}}\n{functions}\n```")
    yield API, _replaced(api, "keywords", _keywords())
    yield TABLES, _tables()
    yield ASK, _replaced(ASK.read_text(), "questions", _questions())


def _tables() -> str:
    """Return the stub that tells editors and mypy the tables of a run and its other attributes."""
    lines = [
        '"""Attributes of `Findings` that functions add to it; written by `make stubs`."""',
        "",
        "from typing import Any",
        "",
    ]
    lines += ["import polars as pl", "", "class TableNames:"]
    functions = [*((name, "pl.DataFrame", table) for name, table in all_findings().items())]
    for name, kind, function in [*functions, ("value", "Any", value)]:
        about = (inspect.getdoc(function) or "").partition("\n")[0]
        lines += ["    @property", f"    def {name}(self) -> {kind}:", f'        """{about}"""', ""]
    return "\n".join(lines).rstrip() + "\n"


def _replaced(text: str, name: str, part: str) -> str:
    """Return a text with another part between the comments of that name."""
    begin, end = f"<!-- {name}: make stubs -->\n", f"\n<!-- end of {name} -->"
    front, rest = text.split(begin)
    return f"{front}{begin}\n{part}\n{end}{rest.split(end, 1)[1]}"


def _questions() -> str:
    """Return a row for each question."""
    rows = ["| question | command | function |", "| --- | --- | --- |"]
    for name in [*NAMES, "diff"]:
        summary = texts_of(getattr(sk, name)).about.partition("\n")[0]
        rows.append(f"| {summary} | `simkit {name}` | {{func}}`simkit.{name}` |")
    return "\n".join(rows)


def _keywords() -> str:
    """Return a row for each keyword that questions share."""
    rows = ["| keyword | type | meaning | taken by |", "| --- | --- | --- | --- |"]
    playing = {name: keywords_of(getattr(sk, name)) for name in NAMES}
    playing = {name: keywords for name, keywords in playing.items() if keywords}
    hidden = {name: {*vars(getattr(sk, name)).get("hidden", ())} for name in playing}
    for keyword in [name for keywords in SHARED for name in texts_of(keywords).meanings if name != "deals"]:
        takers = [name for name, keywords in playing.items() if keyword in keywords.keys() - hidden[name]]
        others = [name for name in playing if name not in takers]
        taken = "all" if not others else f"all but {', '.join(others)}" if len(others) < len(takers) else None
        meaning = shared_meanings()[keyword]
        rows.append(
            f"| `{keyword}` | {_type(hints_of(Changes)[keyword])} | {meaning} | {taken or ', '.join(takers)} |"
        )
    return "\n".join(rows)


def _type(kind: Any) -> str:
    """Return the name of a type for a table."""
    while hasattr(kind, "__metadata__"):
        kind = kind.__origin__
    return TYPES.get(get_origin(kind) or kind, "path or address")


if __name__ == "__main__":
    for path, text in texts():
        if "--write" in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            print(f"{path} is not up to date: make stubs")
