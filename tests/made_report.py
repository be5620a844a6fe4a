"""A made-up report for tests, with the same text in every field that can carry text."""

from __future__ import annotations

import polars as pl

from simkit.page.document.parts import (
    Chapter,
    Figure,
    Report,
    Section,
    Stamp,
    Step,
    Story,
    Takeaway,
    Tile,
    TileLine,
)
from simkit.page.document.tables import Show, Table, table

EVIL = (
    """<script>document.title="ran"</script>"><img src=x onerror="document.title='ran'"> | `a` *b* & 'c' """
    "</title></pre></details>"
)
ROWS = pl.DataFrame(
    {
        "name": ["b10", "b9", None, "=1+1", 'say "so", twice'],
        "games": [1200, 30, None, 1_000_000, 999],
        "share": [0.123456789, 0.5, None, 0.09, float("nan")],
        "points": [-0.0312, 0.1, 0.0, None, -0.2],
        "flag": [True, False, True, None, False],
    }
)
SHOWN = {
    "name": Show("strategy"),
    "games": Show("games", "{:,}", "games counted"),
    "share": Show("share", "{:.1%}"),
    "points": Show("points", lambda share: f"{100 * share:+.1f}"),
    "flag": Show("rotated"),
}


class Square:
    """A drawing without a chart."""

    def __init__(self, name: str = "square") -> None:
        self.name = name

    def svg(self, narrow: bool = False) -> str:
        """Return a square as SVG, with its name and width in the id."""
        square = f'<rect id="{self.name}-{narrow}" width="400" height="200" fill="#0072b2"/>'
        return f'<svg viewBox="0 0 400 200">{square}</svg>'

    def png(self) -> bytes:
        """Return the first bytes of a PNG file."""
        return b"\x89PNG made up"


def full_report(text: str) -> Report:
    """Return a report with one of everything and `text` in every field."""
    frame = pl.DataFrame({"column": [text], "n": [1]})
    shown = {"column": Show(text, meaning=text), "n": Show("n", "{:,}")}
    played = Story(text, "", text, Figure(Square("course"), text, text), [text], text, text)
    stories = [Story(text, text, text), played]
    figures, tables = [Figure(Square(), text, text)], [table(frame, shown, text)]
    chapters = [
        Chapter(text, [Section(text, [text], figures, tables, stories)]),
        Chapter("Rows", [Section("Many rows", tables=[table(ROWS, SHOWN, "Rows that sort")])]),
        Chapter("A", [Section("One")]),
        Chapter("A", [Section("Other")]),
    ]
    return Report(
        title=text,
        question=text,
        name=text,
        origin=text,
        takeaways=[Takeaway(text, text, kind) for kind in ("answer", "advice")],
        stamp=Stamp(text, "open"),
        step=Step(text, text),
        picture=Figure(Square("first"), text, text, text),
        source=text,
        tiles=[Tile(text, [TileLine(text, text, text)], text)],
        limits=[text],
        warnings=[text],
        chapters=chapters,
        command=text,
        facts=[(text, text)],
        versions={text: text},
        words={text: text},
    )


def behind(page: Report) -> Table:
    """Return the table of the numbers behind the answer."""
    return page.chapters[0].sections[0].tables[0]
