"""Names say what they hold: words that say nothing are no identifiers."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("simkit", "strategies", "reports", "tests")
EMPTY_WORDS = {
    *("found", "known", "made", "one", "many", "said", "told", "tell", "asked", "wished", "tried", "beside"),
    *("apart", "gone", "lacking", "spare", "kept", "looks", "whose", "again"),
}
LIBRARY_METHODS = {"tell"}  # of files, and of studies in Optuna


def _names(tree: ast.AST) -> Iterator[tuple[int, str | None]]:
    """Yield the line and the name of each variable, parameter, argument, attribute, function and import."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.keyword(arg=name):
                yield line, name
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield line, name
            case ast.alias(name=name, asname=alias):
                yield line, alias or name
            case ast.Attribute(attr=name) if name not in LIBRARY_METHODS:
                yield line, name


def _empty_names(source: str) -> list[str]:
    """Return the identifiers that are empty words, whatever their case and underscores, with their lines."""
    names = {(line, name) for line, name in _names(ast.parse(source)) if name}
    return [
        f"{name} in line {line}" for line, name in sorted(names) if name.strip("_").lower() in EMPTY_WORDS
    ]


def test_empty_words_are_seen_as_variable_parameter_keyword_attribute_and_function() -> None:
    source = """
def told(known):
    known.found = _made(one=f"{SAID}")  # apart
"""
    assert _empty_names(source) == [
        *("known in line 2", "told in line 2"),
        *("SAID in line 3", "_made in line 3", "found in line 3", "known in line 3", "one in line 3"),
    ]


def test_identifiers_are_no_empty_words() -> None:
    paths = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    names = {str(path.relative_to(ROOT)): _empty_names(path.read_text()) for path in paths}
    assert {path: empty for path, empty in names.items() if empty} == {}
    assert not {path.stem for path in paths} & EMPTY_WORDS
