"""How the first player, or the team, does along the options varied: a picture per setting of all else."""

import polars as pl

from simkit.analysis import Axis, Findings, axes
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import MOST_LINES, MOST_PICTURES, figure, ticks
from simkit.reporting.pages.scope import values
from simkit.reporting.text.answer import advised
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import TEAM, side_of

FEW = 3  # whole numbers that make a curve


def main_axis(findings: Findings) -> Axis | None:
    """The key of the sweep that pictures go along: that with most recommended settings on the first picture.

    Of several whole numbers before names, then most values.
    """
    return max(
        axes(findings.run),
        key=lambda axis: (_recommended(findings, axis), _curved(axis), len(axis.values)),
        default=None,
    )


def _recommended(findings: Findings, axis: Axis) -> int:
    """How many of the recommended settings are on the first picture along a key."""
    return len(set(advised(findings)) & set(_groups(findings, axis)[0]["setting"]))


def _groups(findings: Findings, axis: Axis) -> list[pl.DataFrame]:
    """The cells by all that is not on a key of the sweep, those of the baseline first."""
    others = [name for other in axes(findings.run) if other != axis for name in other.options]
    groups = findings.first_player_advantage.partition_by([*others, "seats"], maintain_order=True)
    return sorted(groups, key=lambda part: not part["baseline"].any())


def _curved(axis: Axis) -> bool:
    return axis.whole_numbers and len(axis.values) >= FEW


def along(findings: Findings) -> list[Figure]:
    """The pictures, that with the baseline first; nothing where one setting was played."""
    axis = main_axis(findings)
    if axis is None:
        return []
    labels = labels_of(findings)
    others = [name for other in axes(findings.run) if other != axis for name in other.options]
    groups, figures = _groups(findings, axis), []
    if advised(findings) and not _recommended(findings, axis):
        figures.append(_beside_baseline(findings))
    for number, part in enumerate(groups[:MOST_PICTURES]):
        caption = labels.setting({name: part[name][0] for name in others})
        if len(groups) > 1 and part["lineup"].n_unique() == 1:
            caption = ", ".join(filter(None, [caption, labels.named(part)["lineup"][0]]))
        if _curved(axis) and part["lineup"].n_unique() > MOST_LINES:
            some = f"The first {MOST_LINES} of {part['lineup'].n_unique()} lineups."
            caption = ". ".join(filter(None, [caption, some]))
        figures.append(_picture(findings, f"along{number}", part, axis, caption))
    return figures


def _beside_baseline(findings: Findings) -> Figure:
    """The recommended settings and the baseline, where no key of the sweep has them on one picture."""
    side, first = side_of(findings.run), findings.first_player_advantage
    rows = first.filter(pl.col("baseline") | pl.col("setting").is_in(advised(findings)))
    who = f"{side.name[0].upper()}{side.name[1:]} wins"
    alt = f"{who}, at the baseline and at the recommended settings, with 95 % intervals"
    parts, fair = {"label": "setting", "kind": "lineup"}, {"fair": "target"} if side == TEAM else {}
    about = "The baseline and what is recommended."
    return figure(
        findings, ("recommended", charts.forest), rows, alt, about, parts, "lineup", unit=who, **fair
    )


def _picture(findings: Findings, name: str, part: pl.DataFrame, axis: Axis, caption: str) -> Figure:
    """A curve where the values lie on a line, else one row per value."""
    side, labels = side_of(findings.run), labels_of(findings)
    who = f"{side.name[0].upper()}{side.name[1:]} wins"
    places = [axis.values.index(value) for value in part.select(axis.options).iter_rows()]
    part = part.with_columns(pl.Series("place", places, dtype=pl.Int64))
    alt = f"{who}, along {labels.axis(axis)}, by {'team' if side == TEAM else 'lineup'}, with 95 % intervals"
    if not _curved(axis):
        rows, parts = part.sort("place", "cell"), {"label": values(findings, axis), "kind": "lineup"}
        fair = {"fair": "target"} if side == TEAM else {}
        return figure(findings, (name, charts.forest), rows, alt, caption, parts, "lineup", unit=who, **fair)
    x = axis.options[0] if len(axis.options) == 1 else "place"  # tied options lie at equal steps
    tick = ticks(axis, pl.col("place"), values(findings, axis))
    how = {"label": labels.axis_words(axis), "margin": findings.run.experiment.margin, "unit": who}
    good = part.filter(pl.col("setting").is_in(advised(findings)))[x].unique().sort().to_list()
    how |= {"base": labels.base, "recommended": good} | ({"aim": "target"} if side == TEAM else {})
    parts = {"line": "lineup", "x": x, "tick": tick}
    return figure(findings, (name, charts.curve), part, alt, caption, parts, "lineup", **how)
