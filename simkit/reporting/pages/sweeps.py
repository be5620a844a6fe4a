"""Figures of the share of the first player (the team) along the varied options."""

from itertools import pairwise

import polars as pl

from simkit.analysis import Axis, Findings, axes
from simkit.reporting import charts
from simkit.reporting.document import Figure
from simkit.reporting.pages.pictures import MOST_LINES, MOST_PICTURES, figure
from simkit.reporting.pages.scope import values
from simkit.reporting.text.answer import advised, advised_word
from simkit.reporting.text.confirmed import recommended
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.perspective import TEAM, side_of

MIN_VALUES = 3  # whole numbers that are enough for a curve


def main_axis(findings: Findings) -> Axis | None:
    """Return the sweep key for figures: that with most recommended settings on the first figure.

    Ties are decided by whole numbers before names, then by the number of values.
    """
    return max(
        axes(findings.run),
        key=lambda axis: (_recommended(findings, axis), _curved(axis), len(axis.values)),
        default=None,
    )


def _recommended(findings: Findings, axis: Axis) -> int:
    """Return the number of recommended settings on the first figure along a key."""
    return len(set(advised(findings)) & set(_groups(findings, axis)[0]["setting"]))


def _groups(findings: Findings, axis: Axis) -> list[pl.DataFrame]:
    """Return the cells grouped by all other keys, the baseline's group first."""
    others = [name for other in axes(findings.run) if other != axis for name in other.options]
    groups = findings.first_player_advantage.partition_by([*others, "seats"], maintain_order=True)
    return sorted(groups, key=lambda part: not part["baseline"].any())


def _curved(axis: Axis) -> bool:
    return axis.whole_numbers and len(axis.values) >= MIN_VALUES


def along(findings: Findings) -> list[Figure]:
    """Return the figures, that with the baseline first; empty where one setting was played."""
    axis = main_axis(findings)
    if axis is None:
        return []
    labels = labels_of(findings)
    others = [name for other in axes(findings.run) if other != axis for name in other.options]
    groups, figures = _groups(findings, axis), []
    if advised(findings) and not _recommended(findings, axis):
        figures.append(_with_baseline(findings))
    for number, part in enumerate(groups[:MOST_PICTURES]):
        caption = labels.setting({name: part[name][0] for name in others})
        if len(groups) > 1 and part["lineup"].n_unique() == 1:
            caption = ", ".join(filter(None, [caption, labels.named(part)["lineup"][0]]))
        if _curved(axis) and part["lineup"].n_unique() > MOST_LINES:
            selection = f"The first {MOST_LINES} of {part['lineup'].n_unique()} lineups."
            caption = ". ".join(filter(None, [caption, selection]))
        figures.append(_picture(findings, f"along{number}", part, axis, caption))
    return figures


def _with_baseline(findings: Findings) -> Figure:
    """Return a figure of the recommended settings and the baseline, where no figure along a key has both."""
    side, first = side_of(findings.run), findings.first_player_advantage
    rows = first.filter(pl.col("baseline") | pl.col("setting").is_in(advised(findings)))
    subject = f"{side.name[0].upper()}{side.name[1:]} wins"
    kind = advised_word(findings)
    alt = f"How often the {side.name} wins at the baseline and at the settings {kind}, with 95 % intervals"
    parts, fair = {"label": "setting", "kind": "lineup"}, {"aim": "target"} if side == TEAM else {}
    about = f"The baseline and what is {kind}."
    return figure(
        findings, ("recommended", charts.forest), rows, alt, about, parts, "lineup", unit=subject, **fair
    )


def _picture(findings: Findings, name: str, part: pl.DataFrame, axis: Axis, caption: str) -> Figure:
    """Return a curve where the values lie on a line, else a row per value."""
    side, labels = side_of(findings.run), labels_of(findings)
    subject = f"{side.name[0].upper()}{side.name[1:]} wins"
    places = [axis.values.index(value) for value in part.select(axis.options).iter_rows()]
    part = part.with_columns(pl.Series("place", places, dtype=pl.Int64))
    alt = f"How often the {side.name} wins: {labels.span(axis)}, with 95 % intervals"
    if not _curved(axis):
        rows, parts = part.sort("place", "cell"), {"label": values(findings, axis), "kind": "lineup"}
        fair = {"aim": "target"} if side == TEAM else {}
        return figure(
            findings, (name, charts.forest), rows, alt, caption, parts, "lineup", unit=subject, **fair
        )
    x = axis.options[0] if len(axis.options) == 1 else "place"  # tied options lie at equal steps
    options = {"label": labels.axis(axis), "margin": findings.run.experiment.margin, "unit": subject}
    checked = recommended(findings) if findings.confirmed.width else []
    good = part.filter(pl.col("setting").is_in(checked))[x].unique().sort().to_list()
    base = part.filter("baseline")[x].unique().to_list()
    options |= {
        "marks": [*_spans("recommended", good, part[x]), *(charts.Mark(labels.base, at) for at in base)]
    }
    options |= {"aim": "target"} if side == TEAM else {}
    parts = {"line": "lineup", "x": x, "tick": values(findings, axis)}
    return figure(findings, (name, charts.curve), part, alt, caption, parts, "lineup", **options)


def _spans(name: str, values: list[float], all_values: pl.Series) -> list[charts.Mark]:
    """Return a span around each run of adjacent values, the first one with the name."""
    places = sorted(all_values.unique())
    half = min((b - a for a, b in pairwise(places)), default=1.0) / 2
    runs = list[list[float]]()
    for before, value in zip([None, *places], places, strict=False):
        if value in values:
            runs = [*runs[:-1], [*runs[-1], value]] if before in values else [*runs, [value]]
    return [
        charts.Mark("" if place else name, run[0] - half, run[-1] + half) for place, run in enumerate(runs)
    ]
