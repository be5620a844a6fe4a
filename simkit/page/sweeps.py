"""Figures of the share of the first player, or of the team, along the varied options."""

from itertools import pairwise
from typing import Any

import polars as pl

from simkit.page import charts
from simkit.page.advice import advised_settings, recommended_settings
from simkit.page.document.parts import Figure
from simkit.page.pictures import MOST_PICTURES, figure, first_lines, values
from simkit.page.recipe import MIN_VALUES
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import capital
from simkit.page.words.verdicts import TEAM, side_of
from simkit.tables.fairness import confirmed
from simkit.tables.findings import Axis, Findings, axes
from simkit.tables.seats import first_player_advantage


def main_axis(findings: Findings) -> Axis | None:
    """Return the sweep key for figures: that with most recommended settings on the first figure.

    Ties are decided by whole numbers before names, then by the number of values.
    """

    def rank(axis: Axis) -> tuple[int, bool, int]:
        return _count_recommended(findings, axis), _is_curve(axis), len(axis.values)

    return max(axes(findings.run), key=rank, default=None)


def _count_recommended(findings: Findings, axis: Axis) -> int:
    """Return the number of recommended settings on the first figure along a key."""
    return len(set(advised_settings(findings)) & set(_groups(findings, axis)[0]["setting"]))


def _groups(findings: Findings, axis: Axis) -> list[pl.DataFrame]:
    """Return the cells grouped by all other keys, the baseline's group first."""
    others = [name for other in axes(findings.run) if other != axis for name in other.options]
    groups = first_player_advantage(findings).partition_by([*others, "seats"], maintain_order=True)
    return sorted(groups, key=lambda part: not part["baseline"].any())


def _is_curve(axis: Axis) -> bool:
    return axis.whole_numbers and len(axis.values) >= MIN_VALUES


def along(findings: Findings) -> list[Figure]:
    """Return the figures, that with the baseline first; empty where one setting was played."""
    axis = main_axis(findings)
    if axis is None:
        return []
    labels = labels_of(findings)
    others = [name for other in axes(findings.run) if other != axis for name in other.options]
    groups, figures = _groups(findings, axis), []
    if advised_settings(findings) and not _count_recommended(findings, axis):
        figures.append(_with_baseline(findings))
    for number, part in enumerate(groups[:MOST_PICTURES]):
        caption = labels.setting({name: part[name][0] for name in others})
        if len(groups) > 1 and part["lineup"].n_unique() == 1:
            caption = ", ".join(filter(None, [caption, labels.label(part)["lineup"][0]]))
        if _is_curve(axis):
            caption = ". ".join(filter(None, [caption, first_lines(part["lineup"].n_unique())]))
        figures.append(_axis_figure(findings, f"along{number}", part, axis, caption))
    return figures


def _options(findings: Findings) -> dict[str, Any]:
    """Return the options of a chart of wins: who wins, and what is aimed at."""
    side = side_of(findings.run)
    return {"unit": f"{capital(side.name)} wins"} | ({"aim": "target"} if side == TEAM else {})


def _with_baseline(findings: Findings) -> Figure:
    """Return a figure of the recommended settings and the baseline, where no figure along a key has both."""
    first, side = first_player_advantage(findings), side_of(findings.run)
    # Only a check on fresh deals recommends.
    kind = "recommended" if confirmed(findings).width else f"nearest to {side.aim}"
    rows = first.filter(pl.col("baseline") | pl.col("setting").is_in(advised_settings(findings)))
    who, about = f"How often the {side.name} wins", f"The baseline and what is {kind}."
    alt = f"{who} at the baseline and at the settings {kind}, with 95 % intervals"
    chart, parts = ("recommended", charts.forest), {"label": "setting", "kind": "lineup"}
    return figure(findings, chart, rows, alt, about, parts, "lineup", **_options(findings))


def _axis_figure(findings: Findings, name: str, part: pl.DataFrame, axis: Axis, caption: str) -> Figure:
    """Return a curve where the values lie on a line, else a row per value."""
    labels, options = labels_of(findings), _options(findings)
    places = [axis.values.index(value) for value in part.select(axis.options).iter_rows()]
    part = part.with_columns(pl.Series("place", places, dtype=pl.Int64))
    alt = f"How often the {side_of(findings.run).name} wins: {labels.span(axis)}, with 95 % intervals"
    if not _is_curve(axis):
        rows, parts = part.sort("place", "cell"), {"label": values(findings, axis), "kind": "lineup"}
        return figure(findings, (name, charts.forest), rows, alt, caption, parts, "lineup", **options)
    x = axis.options[0] if len(axis.options) == 1 else "place"  # tied options lie at equal steps
    options |= {"label": labels.axis(axis), "margin": findings.run.experiment.margin}
    checked = recommended_settings(findings) if confirmed(findings).width else []
    good = part.filter(pl.col("setting").is_in(checked))[x].unique().sort().to_list()
    base = [charts.Mark(labels.base, at) for at in part.filter("baseline")[x].unique()]
    options["marks"] = [*_spans("recommended", good, part[x]), *base]
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
    return [charts.Mark("" if at else name, run[0] - half, run[-1] + half) for at, run in enumerate(runs)]
