"""Sections into one self-contained page; knows no analysis. Every text is escaped, figures are SVG drawn by `charts`."""

from __future__ import annotations

import html
import math
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import polars as pl
from markupsafe import Markup

from simkit.errors import UsageError

TEMPLATES = Path(__file__).parent / "templates"


class Figure(NamedTuple):
    """A drawing with what it shows in words, for those who cannot see it."""

    svg: str
    alt: str
    caption: str = ""


class Table(NamedTuple):
    """Texts in columns; columns of numbers stand on the right."""

    columns: list[str]
    rows: list[list[str]]
    numbers: list[bool]
    caption: str = ""


@dataclass(frozen=True)
class Section:
    """A heading, what to see there, and the figures and tables that show it."""

    heading: str
    text: list[str] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """A page: question, answer, what to beware of, sections, the command that repeats it, how it was computed, words."""

    title: str
    question: str
    answer: list[str]
    warnings: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    command: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    words: list[tuple[str, str]] = field(default_factory=list)


class Show(NamedTuple):
    """How a column is headed and written: `{}` formats of Python, or a function."""

    heading: str
    form: str = "{}"


def table(frame: pl.DataFrame, shown: Mapping[str, Show], caption: str = "") -> Table:
    """A table of texts from the columns named, in that order.

    >>> table(pl.DataFrame({"n": [1200], "p": [0.5]}), {"n": Show("games", "{:,}"), "p": Show("share", "{:.1%}")}).rows
    [['1,200', '50.0 %']]
    """
    rows = [[_text(row[name], show.form) for name, show in shown.items()] for row in frame.iter_rows(named=True)]
    return Table([show.heading for show in shown.values()], rows, [frame.schema[name].is_numeric() for name in shown], caption)


def _text(value: Any, form: str) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "–"
    text = form.format(value)
    return text.replace("%", " %").replace("-", "−") if isinstance(value, (int, float)) else text


def render(report: Report) -> str:
    """The page as text: one file, nothing fetched, no scripts."""
    loader = jinja2.FileSystemLoader(TEMPLATES)
    page = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page.filters["glued"] = _glued
    style = Markup((TEMPLATES / "page.css").read_text(encoding="utf-8"))
    return page.get_template("page.html").render(report=report, style=style, drawing=_drawing)


def _glued(text: str) -> str:
    """A sentence whose lines do not break between a number and its unit."""
    return re.sub(r"(?<=\d) (?=%)|(?<=\bn =) (?=\d)|(?<=\bn) (?==)", "\u00a0", text)


def _drawing(figure: Figure) -> Markup:
    """The SVG with its words for screen readers."""
    return Markup(figure.svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(figure.alt)}" ', 1))


def write(report: Report, path: str | Path) -> Path:
    """Write the page; it is whole or absent."""
    path, text = Path(path), render(report)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    unfinished = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        unfinished.chmod(0o644)
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from None
    return path
