"""Two whole-number options at once: the first player over both, a picture per lineup."""

import polars as pl

from simkit.pages import Findings, Section, axes, charts, figure, labels_of, prose
from simkit.pages.pictures import by_lineup
from simkit.pages.scope import values
from simkit.words.answer import side_of


def section(found: Findings) -> Section | None:
    if len(axes(found.run)) != 2 or not all(axis.whole_numbers for axis in axes(found.run)):
        return None
    down, across = axes(found.run)
    rows, columns = map(labels_of(found).axis, (down, across))
    first = found.first_player_advantage.sort(*down.options, *across.options)
    off, half = (pl.col("share") - pl.col("fair")).abs(), (50 * (pl.col("high") - pl.col("low"))).round(1)
    parts = {"row": values(found, down), "column": values(found, across), "note": pl.format("± {}", half)}
    parts["shade"] = off / max(0.1, first.select(off.max()).item()) * 0.8
    alt, how = (
        f"Share of the {side_of(found.run).name} by {rows} and {columns}",
        {"down": rows, "across": columns},
    )
    figures = [
        figure(found, (f"grid{number}", charts.heat), part, alt, lineup, parts, **how)
        for number, lineup, part in by_lineup(found, first)
    ]
    side = side_of(found.run)
    text = prose(f"""Share of the {side.name} in percent at each {rows} (rows) and {columns} (columns), below
        it half the width of its 95 % interval. White is {side.aim} ({100 * first["fair"][0]:.1f} %); the
        darker, the farther from {side.aim} on either side: read the number for the side.""")
    return Section(f"{rows} and {columns} together", [text], figures)
