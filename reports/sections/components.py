"""Logged columns that go with winning: levers, known at the start, and signs, known at the end."""

from collections.abc import Mapping
from typing import Any

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, Table, charts, figure, here, prose, table
from simkit.reporting.pages.pictures import in_points
from simkit.reporting.pages.scope import first_cell
from simkit.reporting.text.labels import format_title, lower_first

MAX_DIFFERENCES = 8  # columns in a picture
COMPONENTS_METHOD = prose("""Correlational, not causal: winners may have more of something because they were
    winning anyway. For each seat, games with much and with little of each thing are counted: it has it or
    not, or, where nearly all have it, a third of the seats has the most and a third the least. The adjusted
    difference puts these comparisons together, within the same seat with the same strategy only: whoever sits
    first or plays best would else seem to win by what it has.""")
LEFT_OUT = "Left out, since they decide who wins, follow from it or are fixed by the seat"
COMPONENTS_WORDS = {
    "Correlational, not causal": "goes together with winning, but may not be what brings about the win."
}
LEVERS_HEADING = "Levers: what seats begin with"
SIGNS_HEADING = "Signs of winning: what seats end with, a result of winning"


def components(findings: Findings) -> Section | None:
    """Return a picture and a table of the columns that divide winners from others; None without any."""
    baseline = findings.at_baseline()
    rows = _with_names(baseline, baseline.components)
    rows = rows.drop_nulls("difference") if rows.height else rows
    if rows.is_empty():
        return None
    text, first = [COMPONENTS_METHOD], _with_sides(baseline, first_cell(findings, rows))
    if left_out := _with_names(baseline, baseline.telling_columns)["component"].to_list():
        text.append(f"{LEFT_OUT}: {', '.join(map(lower_first, left_out))}.")
    heading = LEVERS_HEADING if first["lever"].any() else SIGNS_HEADING
    shown = first.filter(pl.col("lever") == first["lever"].any())
    counted = _components_table(baseline, first_cell(findings, baseline.component_shares), shown, heading)
    return Section(heading, text, [_components_figure(findings, shown)], [counted], words=COMPONENTS_WORDS)


def _components_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the picture of the most certain adjusted differences."""
    label = pl.format("{}\n{} against {}", "component", "much", "little")
    parts = in_points("difference") | {"label": label, "style": pl.lit(-2)}
    alt, chart = "Games won more by those who have much of each thing", ("components", charts.forest)
    unit = "Adjusted difference of the games won with much and with little, percentage points"
    shown, how = rows.head(MAX_DIFFERENCES), {"unit": unit, "form": "{:+.1f}"}
    return figure(findings, chart, shown, alt, here(findings), parts, **how)


def _components_table(baseline: Findings, shares: pl.DataFrame, rows: pl.DataFrame, caption: str) -> Table:
    """Return the games won by each seat with much and with little of each thing, as counted."""
    counted = rows.select("column", "component", "much", "little")
    counted = counted.join(shares, on="column", maintain_order="left")
    with_, without = (f"{side}_share {side}_low {side}_high {side}_games" for side in ("with", "without"))
    names = f"component seat much {with_} little {without}"
    return table(baseline, counted, names, caption)


def _with_names(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Add `component`: the meaning of each column in the words of the log."""
    meanings = findings.run.meanings("seats")
    names = rows["column"].to_list() if rows.width else list[str]()
    titles = [format_title(meanings.get(name) or name) for name in names]
    return rows.with_columns(pl.Series("component", titles, dtype=pl.String))


def _with_sides(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Add `much` and `little` as text, and `lever`: whether the column is fixed when play begins."""
    much, little = zip(*map(sides, rows.iter_rows(named=True)), strict=True)
    levers = pl.col("column").is_in(findings.run.words.levers)
    return rows.with_columns(pl.Series("much", much), pl.Series("little", little), lever=levers)


def sides(row: Mapping[str, Any]) -> tuple[str, str]:
    """Return the labels of the seats with much and with little.

    >>> sides({"has": True, "low": 0, "high": 2}), sides({"has": False, "low": 2, "high": 5})
    (('some', 'none'), ('at least 5', 'at most 2'))
    """
    if row["has"] or (row["low"], row["high"]) == (0, 1):
        return "some", "none"
    return f"at least {row['high']:g}", f"at most {row['low']:g}"
