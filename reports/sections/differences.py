"""Differences to the baseline on the same deals: texts, tables and pictures of `analysis.differences`."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.sections.common import COUNT, HIGH, LOW, MOST_PICTURES, PERCENT, points
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, Table, table
from simkit.runlog import Run

Row = dict[str, Any]
SHARES = ("share", "first-player", "draw")  # measures that are parts of games, told in percent and points


def of_shares(measure: str) -> bool:
    """Whether a measure is a share, so that differences are points."""
    return measure.startswith(SHARES)


def amount(row: Row, key: str, sign: bool = False) -> str:
    """A value or, with its sign, a difference, in the unit of its measure."""
    value, share = row[key], of_shares(row["measure"])
    if value is None:
        return "–"
    text = f"{100 * value if share else value:{'+' if sign else ''}.{1 if share else 2}f}".replace("-", "−")
    return text if sign or not share else f"{text} %"


def differs(row: Row) -> bool:
    """Whether a difference is more than noise: by the adjusted p-value where there is one, else by the interval."""
    adjusted = row.get("p_adjusted")
    return bool(adjusted < 0.05) if adjusted is not None else bool(row["low"] > 0 or row["high"] < 0)


def difference_tables(changes: pl.DataFrame, caption: str, step: bool = False) -> list[Table]:
    """The rows as they are read, shares (in percent and points) and all else apart."""
    share = pl.Series([of_shares(measure) for measure in changes["measure"]], dtype=pl.Boolean)
    mixed = share.any() and not share.all()
    parts = [(f"{caption}: shares", changes.filter(share)), (f"{caption}: amounts", changes.filter(~share))]
    kinds = parts if mixed else [(caption, changes)]
    return [_difference_table(part, name, step) for name, part in kinds if part.height]


def _difference_table(part: pl.DataFrame, caption: str, step: bool) -> Table:
    value, gap = (PERCENT, points) if of_shares(part["measure"][0]) else ("{:.2f}", "{:+.2f}")
    sure = pl.Series("beyond_noise", ["yes" if differs(row) else "" for row in part.iter_rows(named=True)], dtype=pl.String)
    columns = {"step": Show("change")} if step else {"setting": Show("rules")}
    columns |= {"lineup": Show("lineup"), "measure": Show("measure")}
    columns |= {"base_value": Show("baseline", value, "value at the baseline"), "value": Show("here", value, "value under these rules")}
    columns |= {"difference": Show("difference", gap, "here less baseline; of shares in data a fraction, on the page in points")}
    columns |= {"low": Show("95 % from", gap, LOW), "high": Show("to", gap, HIGH), "beyond_noise": Show("beyond noise?")}
    if "p_value" in part.columns:
        columns |= {"p_value": Show("p", p_text, "how often luck alone gives so great a difference")}
    if "p_adjusted" in part.columns:
        columns |= {"p_adjusted": Show("p adjusted", p_text, "the same, allowing for how many differences were looked at")}
    columns |= {"factor": Show("gain", "× {:.1f}", "variance on independent deals ÷ variance on the same deals")}
    return table(part.with_columns(sure), columns | {"deals": Show("deals", COUNT, "played under both rule sets")}, caption)


def p_text(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def difference_figures(changes: pl.DataFrame, name: str, measures: list[str], unit: str) -> list[Figure]:
    """Bars about 0, a picture per lineup: a group per `label`, in it a bar per `kind`. All measures in the same unit."""
    parts = changes.filter(pl.col("measure").is_in(measures)).partition_by("lineup", maintain_order=True)
    return [_bars(f"{name}{number}", part, unit, of_shares(measures[0])) for number, part in enumerate(parts[:MOST_PICTURES])]


def _bars(name: str, part: pl.DataFrame, unit: str, shares: bool) -> Figure:
    scale, form = (100.0, "{:+.1f}") if shares else (1.0, "{:+.2f}")
    ends = [(scale * pl.col(old)).alias(new) for old, new in (("difference", "value"), ("low", "low"), ("high", "high"))]
    kinds, groups, lineup = part["kind"].n_unique(), part["label"].n_unique(), str(part["lineup"][0])
    drawn = part.select("label", *(["kind"] if kinds > 1 else []), *ends)
    height = 0.95 + groups * max(0.34, 0.21 * kinds + 0.08) + (0.15 + 0.1 * kinds if kinds > 1 else 0)
    drawing = charts.picture(name, charts.bars, drawn, height=height, unit=unit, form=form)
    return Figure(drawing, f"{unit} with 95 % intervals about 0, {lineup}; numbers in the table", lineup)


def baseline(run: Run) -> str:
    """The rules compared with, in words."""
    return analysis.setting_words(next(cell.varied for cell in run.cells if cell.baseline))


def tornado_section(run: Run, steps: pl.DataFrame) -> Section | None:
    """What each single step away from the baseline does to the first seat, the greatest first; nothing for a sweep of one option."""
    first = steps.filter(pl.col("measure") == "share of seat 0") if steps.height else steps
    if len(analysis.axes(run)) < 2 or first.is_empty():
        return None
    size = pl.col("difference").abs()
    ordered = first.sort(size, descending=True, maintain_order=True).with_columns(pl.col("step").alias("label"), pl.lit("").alias("kind"))
    figures = difference_figures(ordered, "tornado", ["share of seat 0"], "Change of the first seat's share, points")
    text = (
        f"From the baseline ({baseline(run)}) one option is changed at a time, by one of the steps tried. Bars are paired differences on the "
        "same deals with 95 % intervals: a bar whose interval holds 0 may be noise. The longest bars are the rules worth turning first."
    )
    return Section("One step from the baseline", [text], figures, difference_tables(ordered, "One step from the baseline", step=True))
