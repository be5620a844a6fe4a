"""Plots of a run by matplotlib, with intervals and a fair line.

Every function takes a run, its result, or its folder, and draws on the axes `ax`, by default those of a new
figure. It returns the axes.

>>> seat_shares(sweep("pig", {"goal": [50, 100]}, deals=200)).get_xlim()[1] < 1
np.True_
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from simkit.ask.results import AnyRun, findings
from simkit.engine import registry
from simkit.errors import UsageError, look_up
from simkit.page import charts
from simkit.page.document.parts import Figure
from simkit.page.pictures import figure
from simkit.page.recipe import recipe_for
from simkit.page.sweeps import along, main_axis
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import seat_name
from simkit.tables import seats as seats_tables
from simkit.tables.length import length_bars

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def seat_shares(run: AnyRun, ax: Axes | None = None) -> Axes:
    """Plot how often each seat wins, by setting, with 95 % intervals and the fair share.

    Example:
        >>> axes = seat_shares(sweep("pig", {"goal": [50, 100]}, deals=200))
        >>> [label.get_text() for label in axes.get_yticklabels()]
        ['points that win 50', 'points that win 100']
    """
    result = findings(run)
    rows = seats_tables.seat_shares(result)
    several = [name for name in ("setting", "lineup") if rows[name].n_unique() > 1] or ["lineup"]
    rows = rows.with_columns(seat_of=pl.col("seat").map_elements(seat_name, return_dtype=pl.String))
    parts: dict[str, Any] = {"label": several[0], "kind": pl.col("seat_of")}
    return _draw(figure(result, ("seats", charts.forest), rows, "", "", parts, "seat"), ax)


def first_player(run: AnyRun, ax: Axes | None = None) -> Axes:
    """Plot how often the first player (a team) wins along the varied option.

    Args:
        run: A run of several settings, its result, or its folder.
        ax: Axes to draw on; by default those of a new figure.

    Returns:
        The axes.

    Raises:
        UsageError: Only one setting was played.

    Example:
        >>> axes = first_player(sweep("pig", {"goal": [50, 100]}, deals=200))
        >>> axes.get_ylabel(), [label.get_text() for label in axes.get_yticklabels()]
        ('points that win', ['50', '100'])
    """
    result = findings(run)
    axis, figures = main_axis(result), along(result)
    if axis is None:
        raise UsageError("only one setting was played: there is nothing to plot along")
    drawn = _draw(figures[0], ax)
    if not drawn.get_xlabel():  # the values of the option are rows
        drawn.set_ylabel(labels_of(result).axis(axis))
    return drawn


def lengths(run: AnyRun, ax: Axes | None = None) -> Axes:
    """Plot how many turns games take, a line for each lineup.

    Example:
        >>> lengths(sweep("pig", {"goal": [50, 100]}, deals=200)).get_xlabel()
        'Turns'
    """
    result, chart = findings(run).at_baseline(), ("lengths", charts.histogram)
    parts: dict[str, Any] = {"line": "lineup"}
    return _draw(figure(result, chart, length_bars(result), "", "", parts, "lineup", unit="Turns"), ax)


def picture(run: AnyRun, name: str = "", *, ax: Axes | None = None) -> Axes:
    """Plot a picture of the page of a run.

    Args:
        name: Name of the picture; by default that of the brief. An unknown name lists the known ones.

    Raises:
        UsageError: The page has no picture of this name.

    Example:
        >>> pig = match("pig", "hold_at(threshold=20)", "random", deals=200)
        >>> picture(pig, "match").get_legend() is None
        True
    """
    if not isinstance(name, str):
        raise UsageError(f"name: must be the name of a picture, not {name!r}")
    result = findings(run)
    if name:
        page = registry.recipe(recipe_for(result.run)).build(result.run)
        return _draw(look_up("picture", name, {own.drawing.name: own for own in page.figures()}), ax)
    if result.brief.picture is None:
        raise UsageError("the brief of this run has no picture")
    return _draw(result.brief.picture, ax)


def _draw(chosen: Figure, ax: Axes | None) -> Axes:
    drawing = chosen.drawing
    assert isinstance(drawing, charts.Picture)
    return drawing.draw(drawing.table, ax or _new_axes(), **drawing.how)


def _new_axes() -> Axes:
    """Return axes of a new figure, which a notebook shows at the end of its cell."""
    from matplotlib import pyplot

    # Outside the style, at whose end a backend that pyplot has just chosen would be forgotten.
    figure = pyplot.figure(figsize=(charts.WIDE / 72, 6), dpi=72, layout="constrained", facecolor="white")
    with charts.style():
        return figure.add_subplot()
