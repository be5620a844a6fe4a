"""What sitting first is worth, by lineup and along the options varied."""

import polars as pl

from simkit.pages import Axis, Figure, Findings, Section, axes, charts, figure, labels_of, prose, table
from simkit.pages.pictures import MOST_PICTURES, ticks
from simkit.pages.scope import margin, values


def section(found: Findings) -> Section:
    first, labels = found.first_player_advantage, labels_of(found)
    names = "cell share fpa fpa_low fpa_high verdict n"
    listed = table(found, first, names, "First-player advantage", share="first seat")
    text = prose(f"""What sitting first is worth: the picture shows the share of the first seat against the
        fair share, the table also how far they are apart. FAIR: every seat is within ±{margin(found)} of
        fair.""")
    # along whole numbers before names, then along the option with most values
    axis = max(axes(found.run), key=lambda axis: (axis.whole_numbers, len(axis.values)), default=None)
    if axis is None:
        return Section("First-player advantage", [text], [], [listed])
    label, meaning = labels.axis(axis), labels.axis_meaning(axis)
    text += f" {label}: {meaning}." if meaning else ""
    return Section(f"First-player advantage along {label}", [text], _along(found, first, axis), [listed])


def _along(found: Findings, first: pl.DataFrame, axis: Axis) -> list[Figure]:
    """One picture per setting of everything else."""
    labels = labels_of(found)
    others = [name for other in axes(found.run) if other != axis for name in other.options]
    groups = first.partition_by([*others, "seats"], maintain_order=True)
    figures = []
    for number, part in enumerate(groups[:MOST_PICTURES]):
        caption = labels.setting({name: part[name][0] for name in others})
        if len(groups) > 1 and part["lineup"].n_unique() == 1:
            caption = ", ".join(filter(None, [caption, labels.named(part)["lineup"][0]]))
        figures.append(_picture(found, f"along{number}", part, axis, caption))
    return figures


def _picture(found: Findings, name: str, part: pl.DataFrame, axis: Axis, caption: str) -> Figure:
    """A curve where the values lie on a line, else one row per value."""
    labels = labels_of(found)
    alt = f"Share of the first seat along {labels.axis(axis)}, with 95 % interval and fair share, by lineup"
    places = [axis.values.index(value) for value in part.select(axis.options).iter_rows()]
    part = part.with_columns(pl.Series("place", places, dtype=pl.Int64))
    if not axis.whole_numbers:
        rows, parts = part.sort("place", "cell"), {"label": values(found, axis), "kind": "lineup"}
        unit = "Share of the first seat"
        return figure(found, (name, charts.forest), rows, alt, caption, parts, "lineup", unit=unit)
    x = axis.options[0] if len(axis.options) == 1 else "place"  # tied options lie at equal steps
    tick = ticks(axis, pl.col("place"), values(found, axis))
    how = {"label": labels.axis_words(axis), "margin": found.run.experiment.margin}
    parts = {"line": "lineup", "x": x, "tick": tick}
    return figure(found, (name, charts.curve), part, alt, caption, parts, "lineup", **how)
