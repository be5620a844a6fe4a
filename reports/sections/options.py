"""The first seat by lineup, and along the options varied."""

from __future__ import annotations

import polars as pl

from reports.sections.common import (
    HIGH,
    LOW,
    MOST_LINES,
    MOST_PICTURES,
    PERCENT,
    POINTS,
    N,
    by_lineup,
    front,
    inches,
    margin_points,
    points,
)
from reports.sections.who import axis_words, option_meaning
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, table
from simkit.runlog import Run


def options_sections(run: Run, seats: pl.DataFrame) -> list[Section]:
    """The first seat by lineup and along what the sweep varies."""
    first = analysis.first_player_advantage(run, seats=seats)
    columns = front(first, run) | {"share": Show("first seat", PERCENT, "share of the first seat")}
    columns |= {
        "fpa": Show(
            POINTS,
            points,
            "share of the first seat less the fair share; in data a fraction, on the page in percentage points",
        )
    }
    columns |= {
        "fpa_low": Show("95 % from", points, LOW),
        "fpa_high": Show("to", points, HIGH),
        "verdict": Show("verdict"),
    } | N
    listed = table(first, columns, "First-player advantage")
    text = (
        "What sitting first is worth: the picture shows the share of the first seat against the fair share, the table also how far they are apart. "
        f"FAIR: every seat is within ±{margin_points(run)} of fair."
    )
    heading = "First-player advantage"
    axis = _main_axis(run)
    meaning = option_meaning(run, axis.options[0]) if axis and len(axis.options) == 1 else ""
    text += f" {axis.label}: {meaning}." if axis and meaning else ""
    figures = [] if axis is None else _along(run, first, axis)
    return [Section(heading if axis is None else f"{heading} along {axis.label}", [text], figures, [listed])]


def _main_axis(run: Run) -> analysis.Axis | None:
    """The part of the sweep to draw along: whole numbers before names, then the one with most values."""
    return max(analysis.axes(run), key=lambda axis: (axis.whole_numbers, len(axis.values)), default=None)


def _along(run: Run, first: pl.DataFrame, axis: analysis.Axis) -> list[Figure]:
    """One picture per setting of everything else."""
    others = [name for other in analysis.axes(run) if other != axis for name in other.options] + ["seats"]
    groups = first.partition_by(others, maintain_order=True, as_dict=True)
    figures = []
    for number, (values, part) in enumerate(list(groups.items())[:MOST_PICTURES]):
        setting = analysis.setting_words(dict(zip(others[:-1], values[:-1], strict=True)))
        lineups = part["lineup"].unique().to_list()
        alone = lineups[0] if len(lineups) == 1 and len(groups) > 1 else ""
        caption = ", ".join(filter(None, [setting, alone]))
        figures.append(_one_along(run, f"along{number}", part.with_columns(by_lineup(run)), axis, caption))
    return figures


def _one_along(run: Run, name: str, part: pl.DataFrame, axis: analysis.Axis, caption: str) -> Figure:
    """A curve where the values lie on a line, else one row per value."""
    said = f"Share of the first seat along {axis.label}, with 95 % interval and fair share, by lineup; numbers in the table"
    places = [axis.values.index(value) for value in part.select(axis.options).iter_rows()]
    part = part.with_columns(pl.Series("place", places, dtype=pl.Int64))
    if axis.whole_numbers:
        height = 3.6 + 0.1 * part["lineup"].n_unique()
        label, margin = axis_words(run, axis), run.experiment.margin
        drawing = charts.picture(
            name, charts.curve, _curve_table(part, axis), height=height, label=label, margin=margin
        )
        return Figure(drawing, said, caption)
    rows = part.sort("place", "cell").with_columns(pl.col("lineup").alias("kind"), _tick(axis).alias("value"))
    again = pl.col("value") == pl.col("value").shift(1)
    rows = rows.with_columns(
        pl.when(again.fill_null(False)).then(pl.lit("")).otherwise(pl.col("value")).alias("label")
    )
    drawing = charts.picture(
        name,
        charts.forest,
        rows,
        height=inches(rows, rows["kind"].n_unique()),
        unit="Share of the first seat",
    )
    return Figure(drawing, said, caption)


def _tick(axis: analysis.Axis) -> pl.Expr:
    return pl.concat_str([pl.col(name).cast(pl.String) for name in axis.options], separator=" / ")


def _curve_table(part: pl.DataFrame, axis: analysis.Axis) -> pl.DataFrame:
    """Lines by lineup; a single option lies on its own scale, tied options at equal steps; about ten values are named."""
    lineups = part["lineup"].unique(maintain_order=True).to_list()[:MOST_LINES]
    x = pl.col(axis.options[0]) if len(axis.options) == 1 else pl.col("place")
    named = pl.col("place") % max(1, -(-len(axis.values) // 12)) == 0
    tick = pl.when(named).then(_tick(axis)).otherwise(pl.lit(""))
    shown = part.filter(pl.col("lineup").is_in(lineups))
    return shown.with_columns(pl.col("lineup").alias("line"), x.alias("x"), tick.alias("tick"))
