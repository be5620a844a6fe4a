"""Dots with their intervals: a row per label about a fair share or zero."""

from itertools import groupby

import polars as pl

from simkit.page.charts import drawing, frame
from simkit.page.charts.drawing import Axes, chart, hue
from simkit.page.charts.frame import SHARE, join_name, tooltip, with_interval
from simkit.page.document.tables import format_value

ROW, GAP = 14.0, 5.0  # height of a row and distance of labels, in points


@chart
def forest(
    ax: Axes,
    table: pl.DataFrame,
    unit: str = "Share of games won",
    form: str = SHARE,
    aim: str = "fair",
    margin: float = 0,
) -> None:
    """Draw each row with its label, a marker at `value`, interval `low` to `high`, and the numbers.

    Rows of one label stand together; `kind` sets the marker. The column `fair` is a line labelled `aim` in a
    grey band of `margin` on both sides; without `aim`, and for numbers with a sign, the line is at zero.
    """
    kinds = drawing.styles(table, "kind") if "kind" in table.columns else {}
    key = {kind: frame.sample(style, line=False) for kind, style in kinds.items()} if len(kinds) > 1 else {}
    frame.heading(ax, unit, key)
    aimed = aim and "+" not in form and "fair" in table.columns
    fair = pl.col("fair") if aimed else pl.lit(0.0)
    table = table.with_columns(pl.coalesce(end, "value").alias(end) for end in ("low", "high"))
    table = pl.concat(table.with_columns(fair=fair).partition_by("label", maintain_order=True))
    values = [*table["low"], *table["high"], *table["value"]]
    values += [share + side for side in (-margin, margin) for share in table["fair"]]
    frame.numbers(ax, "x", frame.around(values, 0.06 if "%" in form else 0.0, 0.04), form)
    ys, tall = _place_rows(ax, table["label"].to_list())
    ax.barh(ys, 2 * margin, ROW + GAP, table["fair"] - margin, color=hue("band"), zorder=0.5)
    reach = [y - ROW / 2 for y in ys], [y + ROW / 2 for y in ys]
    ax.vlines(table["fair"], *reach, color=hue("ink"), linewidth=1, linestyle=(0, (4, 2.5)))
    if aimed and table["fair"].n_unique() == 1:
        ax.annotate(
            aim, (table["fair"][0], 1), (0, 2), xycoords=("data", "axes fraction"),
            textcoords="offset points", ha="center", color=hue("faint"),
        )  # fmt: skip
    for y, row in zip(ys, table.iter_rows(named=True), strict=True):
        kind = row.get("kind") or ""
        tip = tooltip(row, join_name(row["label"].split("\n")[0], kind if len(kinds) > 1 else ""), form)
        if row["value"] is not None:
            style, interval = row.get("style", kinds.get(kind, 0)), (row["low"], row["high"])
            frame.dots(ax, row["value"], y, [tip], style, intervals={"x": interval})
    _write_numbers(ax, ys, table, form)
    frame.finish(ax, tall)


def _place_rows(ax: Axes, labels: list[str]) -> tuple[list[float], float]:
    """Write the labels; return the middle of each row from the top and the height of all, in points."""
    room, top = frame.width_of(ax) * (0.38 if frame.narrow(ax) else 0.36), GAP / 2
    ys, middles, texts = list[float](), list[float](), list[str]()
    for label, rows in groupby(labels):
        text, count = frame.wrap_text(label, room), len(list(rows))
        block = max(ROW * count, frame.high(text)) + GAP
        ys += [top + block / 2 + ROW * (place - (count - 1) / 2) for place in range(count)]
        middles.append(top + block / 2)
        texts.append(text)
        top += block
    ax.set_ylim(top, 0)
    ax.set_yticks(middles, texts, color=hue("ink"), multialignment="left")
    ax.grid(visible=False, axis="y")
    return ys, top


def _write_numbers(ax: Axes, ys: list[float], table: pl.DataFrame, form: str) -> None:
    """Write the numbers at the right of the rows, on a desk with their intervals."""
    rows = table.rows(named=True)
    texts = [
        format_value(row["value"], form) if frame.narrow(ax) else with_interval(row, form) for row in rows
    ]
    for y, text in zip(ys, texts, strict=True):
        ax.annotate(
            text, (1, y), (8 + max(map(frame.wide, texts)), 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", ha="right", va="center",
        )  # fmt: skip
