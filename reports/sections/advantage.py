"""What sitting first is worth, by lineup and along the options varied."""

import polars as pl

from simkit.pages import Axis, Figure, Findings, Section, axes, charts, figure, labels_of, prose, table
from simkit.pages.pictures import MOST_PICTURES, ticks
from simkit.pages.scope import margin, values
from simkit.words.answer import TEAM, side_of

TEXT_OF_TEAM = "How often the team wins, against the target. ON TARGET: within ±{margin} of it."


def section(found: Findings) -> Section:
    first, labels, side = found.first_player_advantage, labels_of(found), side_of(found.run)
    head = "First-player advantage"
    names = "cell share fpa fpa_low fpa_high verdict n"
    listed = table(found, first, names, head, share="first seat")
    text = prose(f"""What sitting first is worth: the picture shows the share of the first seat against the
        fair share, the table also how far they are apart. FAIR: every seat is within ±{margin(found)} of
        fair.""")
    if side == TEAM:
        head, text = "How hard it is", TEXT_OF_TEAM.format(margin=margin(found))
        listed = table(found, first, "cell share low high fair verdict n", head, share="team", fair="target")
    # along whole numbers before names, then along the option with most values
    axis = max(axes(found.run), key=lambda axis: (axis.whole_numbers, len(axis.values)), default=None)
    if axis is None:
        return Section(head, [text], [], [listed])
    label, meaning = labels.axis(axis), labels.axis_meaning(axis)
    text += f" {label}: {meaning}." if meaning else ""
    return Section(f"{head} along {label}", [text], _along(found, first, axis), [listed])


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
    who, aim = f"Share of the {side_of(found.run).name}", "target" if found.run.team else "fair share"
    alt = f"{who} along {labels.axis(axis)}, with 95 % interval and {aim}, by lineup"
    places = [axis.values.index(value) for value in part.select(axis.options).iter_rows()]
    part = part.with_columns(pl.Series("place", places, dtype=pl.Int64))
    if not axis.whole_numbers:
        rows, parts = part.sort("place", "cell"), {"label": values(found, axis), "kind": "lineup"}
        fair = {"fair": "target"} if found.run.team else {}
        return figure(found, (name, charts.forest), rows, alt, caption, parts, "lineup", unit=who, **fair)
    x = axis.options[0] if len(axis.options) == 1 else "place"  # tied options lie at equal steps
    tick = ticks(axis, pl.col("place"), values(found, axis))
    side = side_of(found.run)
    how = {"label": labels.axis_words(axis), "margin": found.run.experiment.margin}
    if side == TEAM:
        how |= {"unit": who, "aim": "target"}
    parts = {"line": "lineup", "x": x, "tick": tick}
    return figure(found, (name, charts.curve), part, alt, caption, parts, "lineup", **how)
