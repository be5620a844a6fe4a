"""Two whole-number options at once: the first seat over both."""

import polars as pl

from simkit.pages import Findings, Section, axes, charts, figure, labels_of
from simkit.pages.pictures import MOST_PICTURES
from simkit.pages.scope import values


def section(found: Findings) -> Section | None:
    """A picture per lineup; nothing for other sweeps."""
    if len(axes(found.run)) != 2 or not all(axis.whole_numbers for axis in axes(found.run)):
        return None
    (down, across), labels, first = axes(found.run), labels_of(found), found.first_player_advantage
    off = (pl.col("share") - pl.col("fair")).abs()
    half = (50 * (pl.col("high") - pl.col("low"))).round(1)
    parts = {"row": values(found, down), "column": values(found, across), "note": pl.format("± {}", half)}
    parts["shade"] = off / max(0.1, first.select(off.max()).item()) * 0.8
    names = labels.axis(down), labels.axis(across)
    alt, how = "Share of the first seat by {} and {}".format(*names), {"down": names[0], "across": names[1]}
    figures, ordered = [], first.sort(*down.options, *across.options)
    for number, part in enumerate(ordered.partition_by("lineup", maintain_order=True)[:MOST_PICTURES]):
        lineup, chart = labels.named(part)["lineup"][0], (f"grid{number}", charts.heat)
        figures.append(figure(found, chart, part, alt, lineup, parts, **how))
    text = (
        f"Share of the first seat in percent at each {names[0]} (rows) and {names[1]} (columns), below it "
        f"half the width of its 95 % interval. White is fair ({100 * first['fair'][0]:.1f} %); the darker, "
        "the farther from fair on either side: read the number for the side."
    )
    return Section("{} and {} together".format(*names), [text], figures)
