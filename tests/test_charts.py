"""Charts draw what the table says, the same each time, as text that can stand in a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import matplotlib as mpl
import polars as pl
import pytest
from matplotlib.figure import Figure

from simkit import charts
from simkit.charts import look

SHARES = {"share": [0.47, 0.53, 0.5], "low": [0.45, 0.51, 0.44], "high": [0.49, 0.55, 0.56], "fair": [0.5] * 3}
FOREST = pl.DataFrame({"label": ["a", "", "b"], "kind": ["seat 0", "seat 1", "seat 0"], **SHARES})
CURVE = pl.DataFrame({"line": ["a"] * 3, "x": [12, 14, 16], "tick": ["12", "14", "16"], "baseline": [False, False, True], **SHARES})
MATRIX = pl.DataFrame({"row": ["a", "b"], "column": ["b", "a"], "share": [0.613, 0.387]})
BARS = pl.DataFrame({"line": ["a", "a"], "low": [10, 12], "high": [12, 14], "share": [0.25, 0.75]})
ENDS = pl.DataFrame({"label": ["a", "a"], "part": ["goal: seat 0 wins", "goal: seat 1 wins"], "share": [0.53, 0.47]})
ALL = {
    "forest": (charts.forest, FOREST, {}),
    "curve": (charts.curve, CURVE, {"label": "start_total_second"}),
    "matrix": (charts.matrix, MATRIX, {}),
    "histogram": (charts.histogram, BARS, {"unit": "Turns"}),
    "stacked": (charts.stacked, ENDS, {}),
}


@pytest.mark.parametrize("name", ALL)
def test_a_picture_is_an_element_of_its_own(name: str) -> None:
    draw, table, how = ALL[name]
    svg = charts.picture(name, draw, table, **how)
    assert svg.startswith("<svg viewBox=") and svg.endswith("</svg>")
    assert "http" not in svg and "<!--" not in svg and "<style" in svg
    ids = re.findall(r'\bid="([^"]*)"', svg)
    assert ids and all(one.startswith(f"{name}-") for one in ids) and len(ids) == len(set(ids))
    used = re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', svg)
    assert {a or b for a, b in used} <= set(ids)
    ElementTree.fromstring(svg.replace("<svg ", '<svg xmlns:xlink="x" ', 1))


@pytest.mark.parametrize("name", ALL)
def test_the_same_table_gives_the_same_picture(name: str) -> None:
    draw, table, how = ALL[name]
    assert charts.picture(name, draw, table, **how) == charts.picture(name, draw, table, **how)


def test_a_picture_leaves_the_settings_of_matplotlib_alone() -> None:
    before = dict(mpl.rcParams)
    charts.picture("seats", charts.forest, FOREST)
    assert dict(mpl.rcParams) == before


def _drawn(name: str) -> Figure:
    draw, table, how = ALL[name]
    figure = Figure()
    draw(figure.add_subplot(), table, **how)
    return figure


def test_the_forest_has_each_row_and_the_fair_line() -> None:
    ax = _drawn("forest").axes[0]
    lines = [line for line in ax.lines if len(line.get_xdata()) == 2]
    assert [tuple(line.get_xdata()) for line in lines[:3]] == [(0.45, 0.49), (0.51, 0.55), (0.44, 0.56)]
    assert [tuple(line.get_xdata()) for line in lines[3:]] == [(0.5, 0.5)] * 3
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "", "b"]


def test_the_curve_has_band_fair_line_and_baseline() -> None:
    figure = _drawn("curve")
    ax = figure.axes[0]
    assert list(ax.lines[0].get_ydata()) == [0.47, 0.53, 0.5]
    assert len(ax.collections) == 1
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "fair"]
    assert [text.get_text() for text in ax.texts] == ["baseline"]
    assert ax.get_xlabel() == "start_total_second"


def test_the_matrix_says_its_numbers() -> None:
    assert [text.get_text() for text in _drawn("matrix").axes[0].texts] == ["61.3", "38.7"]


def test_stacked_parts_follow_each_other() -> None:
    parts = _drawn("stacked").axes[0].patches
    assert [(round(bar.get_x(), 2), round(bar.get_width(), 2)) for bar in parts] == [(0, 0.53), (0.53, 0.47)]


def test_a_name_with_dollars_is_a_name() -> None:
    charts.picture("odd", charts.forest, FOREST.with_columns(pl.lit("$\\frac$ <script>").alias("label")))


def test_many_lines_still_have_a_look_of_their_own() -> None:
    looks = {(look.marker(i), str(look.line(i))) for i in range(7)}
    assert len(looks) == 7
