"""Figures of a page in consistent styles, the cells that a section shows, and takeaways with their code."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import polars as pl

from simkit.page import charts
from simkit.page.charts.drawing import Chart
from simkit.page.document.parts import Figure, Takeaway
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import Sentence, Summary, distance, prose
from simkit.page.words.verdicts import side_of
from simkit.tables.findings import Axis, Findings, cells, cells_to_look_at
from simkit.tables.seats import seat_shares

MOST_LINES = 7  # lines that can be distinguished in one figure
MOST_PICTURES = 8  # figures of one kind on a page
MOST_CELLS = 12  # lineups in a figure with a row for each
TEXTS = ("label", "kind", "line", "row", "column")  # parts that are texts
Parts = Mapping[str, Any]  # part of a chart -> name of its column, or an expression


def figure(
    findings: Findings,
    chart: tuple[str, Chart],
    frame: pl.DataFrame,
    alt: str,
    caption: str,
    parts: Parts,
    style_by: str = "",
    **how: Any,
) -> Figure:
    """Return the named figure of a table by a chart; `parts` are the chart's columns, `how` its options.

    `alt`: alternative text, whose beginning is the title; the data stand in a table of the page. The
    `value` drawn is the column `share`, with its interval, unless the parts say otherwise.
    `style_by`: the column that determines the style in all figures: `lineup`, `setting` or `seat`. Only
    the first MOST_LINES lines are drawn.
    """
    parts = {"value": "share", **parts} if "share" in frame.columns else parts
    columns = [_part_expression(findings, part, source).alias(part) for part, source in parts.items()]
    of_share = [] if str(parts.get("value", "share")) == "share" else ["low", "high"]
    unplayed = [part for part in (*TEXTS, *of_share) if part in frame.columns and part not in parts]
    drawn = frame.with_columns(*_style(findings, style_by)).with_columns(columns).drop(unplayed)
    if "line" in parts:
        lines = drawn["line"].unique(maintain_order=True).head(MOST_LINES)
        drawn = drawn.filter(pl.col("line").is_in(lines.to_list()))
    name, draw = chart
    return Figure(charts.picture(name, draw, drawn, **how), alt, caption, alt.partition(", with")[0])


def first_lines(lineups: int) -> str:
    """Return a note that a figure shows the first lineups only, where there are more than fit."""
    return f"The first {MOST_LINES} of {lineups} lineups." if lineups > MOST_LINES else ""


def _part_expression(findings: Findings, part: str, source: str | pl.Expr) -> pl.Expr:
    """Return the expression of a part, labelled if the part is a text."""
    if isinstance(source, pl.Expr):
        return source
    return label_column(findings, source) if part in TEXTS else pl.col(source)


def label_column(findings: Findings, column: str) -> pl.Expr:
    """Return a column as labels."""
    labels = labels_of(findings)
    label = labels.of_column(column) or (lambda value: labels.value(column, value))
    return pl.col(column).map_elements(label, return_dtype=pl.String)


def in_points(name: str) -> dict[str, pl.Expr]:
    """Return the parts of a chart for a difference of shares and its ends, in percentage points."""
    ends = {"value": name, "low": f"{name}_low", "high": f"{name}_high"}
    return {part: 100 * pl.col(column) for part, column in ends.items()}


def sure_style(sure: pl.Expr) -> pl.Expr:
    """Return the style of rows: coloured where they are beyond luck, else grey."""
    return pl.when(sure).then(0).otherwise(-2)


def _style(findings: Findings, style_by: str) -> list[pl.Expr]:
    """Return the style by a column: seats first, lineups or settings after them."""
    if style_by in ("lineup", "setting"):
        names = cells(findings)[style_by].unique(maintain_order=True).to_list()
        places = {name: max(cells(findings)["seats"]) + place for place, name in enumerate(names)}
        return [pl.col(style_by).replace_strict(places, default=-1, return_dtype=pl.Int64).alias("style")]
    return [pl.col("seat").cast(pl.Int64).alias("style")] if style_by == "seat" else []


# Cells of a run that a section shows, and the texts that name them.


def looked_at(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the cells in view."""
    return frame.filter(pl.col("cell").is_in(cells_to_look_at(findings.run)))


def first_cell(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the first cell in view."""
    return frame.filter(pl.col("cell") == cells_to_look_at(findings.run)[0])


def drawn_cells(findings: Findings, frame: pl.DataFrame) -> pl.DataFrame:
    """Return the rows to draw: of many cells, those in which the first player is farthest from fair."""
    first = looked_at(findings, seat_shares(findings)).filter(pl.col("seat") == 0)
    off = (pl.col("share") - pl.col("fair")).abs()
    farthest = first.sort(off, descending=True, maintain_order=True)["cell"].head(MOST_CELLS)
    return frame.filter(pl.col("cell").is_in(farthest.to_list()))


def setting_looked_at(findings: Findings) -> str:
    """Return the setting in view (as in tables): the baseline, else the first."""
    return str(looked_at(findings, cells(findings))["setting"][0])


def at_setting(findings: Findings, table: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of the setting in view."""
    return table.filter(pl.col("setting") == setting_looked_at(findings)) if table.width else table


def head_at(findings: Findings, head: str) -> str:
    """Return a heading of a small table with the setting shown, where there are several."""
    shown = labels_of(findings).label(looked_at(findings, cells(findings)))
    setting = labels_of(findings).base if shown["baseline"][0] else shown["setting"][0]
    return f"{head} ({setting})" if cells(findings)["setting"].n_unique() > 1 else head


def here(findings: Findings, lineup: bool = True) -> str:
    """Return a note on the setting, and on the lineup, in view where there are several."""
    shown = labels_of(findings).label(looked_at(findings, cells(findings)))
    setting = labels_of(findings).with_base(shown["setting"][0], shown["baseline"][0])
    parts = [setting] if cells(findings)["setting"].n_unique() > 1 else []
    parts += [shown["lineup"][0]] if lineup and shown.height > 1 else []
    return f"Shown for {', '.join(parts)}." if parts else ""


def where(findings: Findings, lineups: str = "") -> str:
    """Return a note on the setting of a figure, where there are several, and on its lineups."""
    return f"{here(findings, lineup=False)} {lineups}".strip()


def where_drawn(findings: Findings) -> str:
    """Return a note on the cells that a figure of `drawn_cells` shows."""
    cells, side = len(cells_to_look_at(findings.run)), side_of(findings.run)
    farthest = f"in which the {side.name} is farthest from {side.aim}."
    return where(findings, f"The {MOST_CELLS} of {cells} lineups {farthest}" if cells > MOST_CELLS else "")


def margin(findings: Findings) -> str:
    """Return the margin of the run in percentage points."""
    return distance(findings.run.experiment.margin)


def values(findings: Findings, *swept: Axis) -> pl.Expr:
    """Return the label of each row on some sweep keys; without keys, of its setting."""
    if not swept:
        return label_column(findings, "setting")

    def on(axis: Axis) -> pl.Expr:
        label = partial(labels_of(findings).on_axis, axis)
        return pl.struct(axis.options).map_elements(label, return_dtype=pl.String)

    return pl.concat_str(list(map(on, swept)), separator=" / ")


# Sentences of the brief with the queries that reproduce their numbers.


def query(findings: Findings, *tables: str) -> str:
    """Return Python code that prints tables of the findings in full."""
    prints = [f"print(findings.{name}.write_csv())" for name in tables]
    polars = ["import polars as pl"] if any("pl." in line for line in prints) else []
    start = ["import simkit as sk", f"findings = sk.open_run({findings.run.place!r})"]
    return "\n".join([*polars, *start, *prints])


def as_takeaways(findings: Findings, sentences: Iterable[Sentence], kind: str = "") -> list[Takeaway]:
    """Return sentences as takeaways of a kind, each with the query that reproduces its numbers."""
    return [Takeaway(prose(sentence.text), query(findings, sentence.rests), kind) for sentence in sentences]


def takeaways_of(findings: Findings, summary: Summary, *tables: str) -> list[Takeaway]:
    """Return the answer, the advice and the notes on certainty of a summary that rests upon these tables."""
    source = query(findings, *tables)
    advice = [Takeaway(summary.advice, source, "advice")] if summary.advice else []
    notes = [Takeaway(note, kind="sure") for note in summary.sure]
    return [Takeaway(summary.headline, source, "answer"), *advice, *notes]
