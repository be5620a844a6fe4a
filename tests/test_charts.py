"""Charts draw what the table says, the same each time, as text that can stand in a page."""

from __future__ import annotations

import re
import struct
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import polars as pl
import pytest
from matplotlib.figure import Figure

from simkit import charts
from simkit.charts import look

SHARES = {
    "share": [0.47, 0.53, 0.5],
    "low": [0.45, 0.51, 0.44],
    "high": [0.49, 0.55, 0.56],
    "fair": [0.5] * 3,
}
FOREST = pl.DataFrame({"label": ["a", "", "b"], "kind": ["seat 0", "seat 1", "seat 0"], **SHARES})
CURVE = pl.DataFrame(
    {
        "line": ["a"] * 3,
        "x": [12, 14, 16],
        "tick": ["12", "14", "16"],
        "baseline": [False, False, True],
        **SHARES,
    }
)
MATRIX = pl.DataFrame({"row": ["a", "b"], "column": ["b", "a"], "share": [0.613, 0.387]})
BARS = pl.DataFrame({"line": ["a", "a"], "low": [10, 12], "high": [12, 14], "share": [0.25, 0.75]})
ENDS = pl.DataFrame(
    {"label": ["a", "a"], "part": ["goal: seat 0 wins", "goal: seat 1 wins"], "share": [0.53, 0.47]}
)
FAN = pl.DataFrame(
    {"line": ["winner"] * 3 + ["others"] * 3, "x": [1, 2, 3] * 2}
    | {f"p{p}": [p / 5 + 10.0 * x for x in (1, 2, 3)] * 2 for p in (5, 25, 50, 75, 95)}
)
COURSE = pl.DataFrame({"line": ["a"] * 3, "x": [0, 50, 100], **SHARES})
HEAT = pl.DataFrame(
    {
        "row": ["a", "a", "b"],
        "column": ["seat 0", "seat 1", "seat 1"],
        "share": [0.613, 0.2, None],
        "games": [1200, 30, 0],
    }
)
VERDICTS = pl.DataFrame(
    {
        "row": ["12", "12", "16", "16"],
        "column": ["a", "b"] * 2,
        "share": [0.5, 0.6, 0.49, 0.52],
        "baseline": [False, False, True, False],
    }
    | {"verdict": ["FAIR", "UNFAIR", "TOO FEW GAMES", "BORDERLINE"]}
)
RATINGS = pl.DataFrame(
    {
        "label": ["a", "b", "c"],
        "value": [25.5, -12.0, None],
        "low": [20.0, None, None],
        "high": [31.0, None, None],
    }
)
ALL = {
    "fan": (charts.fan, FAN, {}),
    "lines": (charts.lines, COURSE, {"label": "Part of the game, %", "unit": "Games won by the leader"}),
    "heat": (charts.heat, HEAT, {"across": "share of games won, %"}),
    "bars": (charts.bars, RATINGS, {"unit": "Elo points"}),
    "forest": (charts.forest, FOREST, {}),
    "curve": (charts.curve, CURVE, {"label": "start_total_second"}),
    "trend": (charts.trend, CURVE, {"label": "start_total_second", "unit": "Turns more"}),
    "verdicts": (charts.verdicts, VERDICTS, {"across": "lineup", "down": "start_total_second"}),
    "matrix": (charts.matrix, MATRIX, {}),
    "histogram": (charts.histogram, BARS, {"unit": "Turns"}),
    "stacked": (charts.stacked, ENDS, {}),
}


@pytest.mark.parametrize("name", ALL)
def test_a_picture_is_an_element_of_its_own(name: str) -> None:
    draw, table, how = ALL[name]
    svg = charts.picture(name, draw, table, **how).svg()
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
    one, other = (charts.picture(name, draw, table, **how) for _ in range(2))
    assert one.svg() == other.svg()


def test_a_picture_leaves_the_settings_of_matplotlib_alone() -> None:
    before = dict(mpl.rcParams)
    charts.picture("seats", charts.forest, FOREST).svg()
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


def test_the_curve_shows_what_counts_as_fair() -> None:
    figure = Figure()
    ax = figure.add_subplot()
    charts.curve(ax, CURVE, "x", margin=0.02)
    (band,) = [patch for patch in ax.patches if patch.get_label() == "within 2 percentage points of fair"]
    assert (band.get_y(), band.get_height()) == pytest.approx((0.48, 0.04))


def test_a_trend_starts_from_nought_and_marks_the_baseline() -> None:
    ax = _drawn("trend").axes[0]
    assert list(ax.lines[1].get_ydata()) == [0, 0] and list(ax.lines[2].get_xdata()) == [16, 16]
    assert ax.get_ylabel() == "Turns more"


def test_verdicts_are_letters_with_the_share_beside_and_the_baseline_framed() -> None:
    figure = _drawn("verdicts")
    ax = figure.axes[0]
    assert [text.get_text() for text in ax.texts] == ["F", "50.0", "U", "60.0", "+", "49.0", "≈", "52.0"]
    assert [patch.get_xy() for patch in ax.patches if not patch.get_fill()] == [(-0.5, 0.5)]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "F: FAIR",
        "≈: BORDERLINE",
        "+: TOO FEW GAMES",
        "U: UNFAIR",
        "baseline",
    ]


def test_heat_may_be_shaded_by_another_number_and_say_another_thing_below() -> None:
    ax = Figure().add_subplot()
    charts.heat(ax, HEAT.with_columns(pl.lit(0.0).alias("shade"), pl.lit("± 2").alias("note")), "x")
    assert [text.get_text() for text in ax.texts] == ["61.3", "± 2", "20.0", "± 2"]
    assert {patch.get_facecolor()[:3] for patch in ax.patches} == {(1.0, 1.0, 1.0)}


def test_the_matrix_says_its_numbers() -> None:
    assert [text.get_text() for text in _drawn("matrix").axes[0].texts] == ["61.3", "38.7"]


def test_stacked_parts_follow_each_other() -> None:
    parts = _drawn("stacked").axes[0].patches
    assert [(round(bar.get_x(), 2), round(bar.get_width(), 2)) for bar in parts] == [(0, 0.53), (0.53, 0.47)]


def test_a_name_with_dollars_is_a_name() -> None:
    """Dollars and commands are drawn letter by letter, not taken for mathematics."""

    def letters(label: str) -> int:
        return (
            charts.picture("odd", charts.forest, FOREST.with_columns(pl.lit(label).alias("label")))
            .svg()
            .count("<use")
        )

    assert letters("$\\frac$") == letters("a") + len("$\\frac$") - 1  # a label that comes again is said once


def test_many_lines_still_have_a_look_of_their_own() -> None:
    looks = {(look.shape(look.MARKERS, i), str(look.shape(look.LINES, i))) for i in range(7)}
    assert len(looks) == 7


def test_a_picture_is_a_png_of_two_hundred_dots_to_the_inch() -> None:
    one, other = (charts.picture("seats", charts.forest, FOREST, height=2.5) for _ in range(2))
    png = one.png()
    assert png == other.png()
    assert png.startswith(b"\x89PNG") and struct.unpack(">II", png[16:24]) == (
        round(5.2 * 200),
        round(2.5 * 200),
    )


def test_a_picture_is_drawn_only_when_it_is_wanted() -> None:
    drawn: list[str] = []
    picture = charts.picture("late", lambda ax, table: drawn.append("now"), FOREST)
    assert drawn == []
    picture.svg()
    assert drawn == ["now"]


@pytest.mark.parametrize("name", ["", "a b", "../up", "Big", '"x'])
def test_a_picture_s_name_can_stand_in_ids_and_file_names(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a picture"):
        charts.picture(name, charts.forest, FOREST)


def test_a_fan_has_median_band_and_outer_lines_of_each_line() -> None:
    figure = _drawn("fan")
    ax = figure.axes[0]
    drawn = [list(line.get_ydata()) for line in ax.lines if len(line.get_xdata())]
    assert drawn[:3] == [FAN.head(3)[column].to_list() for column in ("p5", "p95", "p50")]
    words = ["winner: median", "others: median", "middle half of games", "5 % and 95 % of games"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == words


def test_a_fan_of_many_lines_leaves_the_outer_lines_out() -> None:
    table = pl.concat([FAN.with_columns(pl.lit(name).alias("line")) for name in "abc"])
    figure = Figure()
    charts.fan(figure.add_subplot(), table)
    assert len([line for line in figure.axes[0].lines if len(line.get_xdata())]) == 3


def test_lines_have_bands_and_fair_where_there_is_one() -> None:
    figure = _drawn("lines")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "fair"]
    without = Figure()
    charts.lines(without.add_subplot(), COURSE.drop("fair"), label="x", unit="share")
    assert [text.get_text() for text in without.legends[0].get_texts()] == ["a"]
    assert len(without.axes[0].collections) == 1


def test_heat_says_share_and_games_and_leaves_what_is_missing_empty() -> None:
    ax = _drawn("heat").axes[0]
    assert [text.get_text() for text in ax.texts] == ["61.3", "n 1,200", "20.0", "n 30"]
    assert [text.get_text() for text in ax.get_xticklabels()] == ["seat 0", "seat 1"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]


def test_numbers_stand_out_from_every_field() -> None:
    shares = pl.DataFrame(
        {"row": ["a"] * 51, "column": [str(i) for i in range(51)], "share": [i / 50 for i in range(51)]}
    )
    figure = Figure()
    charts.heat(figure.add_subplot(), shares, "x")
    ax = figure.axes[0]
    for patch, text in zip(ax.patches, ax.texts, strict=True):
        assert _contrast(patch.get_facecolor(), mpl.colors.to_rgb(text.get_color())) >= 4.5


def _contrast(one: Any, other: Any) -> float:
    """The contrast of two colours as WCAG 2 defines it."""
    linear = [
        [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
        for colour in (one, other)
    ]
    low, high = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in linear)
    return (high + 0.05) / (low + 0.05)


def test_bars_start_at_zero_and_show_interval_and_number() -> None:
    ax = _drawn("bars").axes[0]
    assert [(bar.get_x(), bar.get_width()) for bar in ax.patches] == [(0, 25.5), (0, -12.0)]
    whiskers = [line.get_segments()[0][:, 0].tolist() for line in ax.collections]
    assert whiskers == [[20.0, 31.0]]
    assert [text.get_text() for text in ax.texts] == ["+25.5", "−12.0", "–"]


def test_bars_of_two_kinds_stand_under_each_other() -> None:
    table = pl.DataFrame(
        {
            "label": ["a", "a"],
            "kind": ["lowest", "highest"],
            "value": [0.05, -0.07],
            "low": [0.04, -0.08],
            "high": [0.06, -0.06],
        }
    )
    figure = Figure()
    charts.bars(figure.add_subplot(), table, unit="share", form="{:+.1%}")
    first, second = figure.axes[0].patches[:2]
    assert first.get_y() + first.get_height() <= second.get_y()
    assert [text.get_text() for text in figure.axes[0].texts] == ["+5.0 %", "−7.0 %"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["lowest", "highest"]


def test_a_style_in_the_table_is_the_look_in_every_chart() -> None:
    """A line, an interval, a part, a bar of style 3 have its colour; below 0 they are grey."""
    figure = Figure()
    axes = figure.subplots(4)
    charts.lines(axes[0], COURSE.with_columns(style=3), "x", "y")
    charts.forest(axes[1], FOREST.with_columns(style=pl.Series([3, 1, 3])))
    charts.stacked(axes[2], ENDS.with_columns(style=pl.Series([3, 3]), tone=pl.Series([0, 1])))
    charts.bars(axes[3], RATINGS.with_columns(style=pl.Series([-1, 3, 3])), "unit")
    assert axes[0].lines[0].get_color() == axes[1].lines[0].get_color() == look.colour(3) != look.colour(1)
    assert axes[0].lines[0].get_marker() == axes[1].lines[1].get_marker() == look.shape(look.MARKERS, 3)
    strong, pale = (part.get_facecolor() for part in axes[2].patches)
    grey, bar = (part.get_facecolor() for part in axes[3].patches)
    assert strong[:3] == pale[:3] == bar[:3] and strong[3] > pale[3] and len(set(grey[:3])) == 1
    assert axes[2].patches[0].get_hatch() == axes[3].patches[1].get_hatch() == look.shape(look.HATCHES, 3)
    assert len({look.shape(look.HATCHES, style) for style in range(7)}) == 7


def test_the_looks_of_ten_seats_differ_also_in_grey() -> None:
    """By marker, hatch and line alone; colours may come again."""
    for looks in (look.MARKERS, look.HATCHES, look.LINES):
        assert len({str(look.shape(looks, style)) for style in range(10)}) == 10
