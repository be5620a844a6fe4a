"""Charts draw what the table says, the same each time, as text that can stand in a page."""

from __future__ import annotations

import html
import re
import struct
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import polars as pl
import pytest
from drawn import ALL, BARS, COURSE, CURVE, ENDS, FOREST, HEAT, RATINGS, drawn, multiplied, picture

from simkit.reporting import charts
from simkit.reporting.charts import palette
from simkit.reporting.charts.letters import broken, wide
from simkit.reporting.charts.palette import COLOURS, PAPERS
from simkit.reporting.charts.paper import NARROW, WIDE, Dot, Paper, Shape, Words
from simkit.reporting.charts.raster import EDGE
from simkit.reporting.charts.strokes import LINES
from simkit.reporting.charts.vector import svg

STYLE = Path(charts.__file__).parent.parent / "templates" / "figures.css"
BOTH = pytest.mark.parametrize("narrow", [False, True], ids=["desk", "phone"])


def paper_of(draw: charts.Chart, table: pl.DataFrame, narrow: bool = False, **how: object) -> Paper:
    return charts.picture("one", draw, table, **how).drawn(narrow)


def message(paper: Paper) -> list[str]:
    """All texts, each on one line."""
    return [" ".join(words.lines) for words in paper.texts]


def lines(paper: Paper) -> list[Shape]:
    return [mark for mark in paper.marks if isinstance(mark, Shape) and not mark.closed]


def series(paper: Paper) -> list[Shape]:
    """What the lines of a table are drawn with."""
    return [line for line in lines(paper) if line.width == LINES and len(line.points) > 2]


@BOTH
@pytest.mark.parametrize("name", ALL)
def test_no_text_lies_on_another_and_nothing_is_outside(name: str, narrow: bool) -> None:
    paper = drawn(name, narrow)
    for words in paper.texts:
        left, top, right, bottom = words.box
        assert left >= -0.5 and top >= -0.5 and right <= paper.width + 0.5 and bottom <= paper.height + 0.5, (
            words
        )
    for first, other in combinations(paper.texts, 2):
        assert not _meet(first, other), (first.lines, other.lines)
    points = [point for mark in paper.marks if isinstance(mark, Shape) for point in mark.points]
    points += [(mark.x, mark.y) for mark in paper.marks if isinstance(mark, Dot)]
    assert all(-1 <= x <= paper.width + 1 and -1 <= y <= paper.height + 1 for x, y in points)


def _meet(first: Words, other: Words) -> bool:
    a, b = first.box, other.box
    return a[0] + 0.5 < b[2] and b[0] + 0.5 < a[2] and a[1] + 0.5 < b[3] and b[1] + 0.5 < a[3]


@BOTH
@pytest.mark.parametrize("name", ALL)
def test_a_picture_is_an_element_of_its_own(name: str, narrow: bool) -> None:
    text = picture(name).svg(narrow)
    assert text.startswith("<svg viewBox=") and text.endswith("</svg>")
    assert "http" not in text and "<!--" not in text and "nan" not in text
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert all(first.startswith(f"{name}-") for first in ids) and len(ids) == len(set(ids))
    assert set(re.findall(r"url\(#([^)]*)\)", text)) <= set(ids)
    ElementTree.fromstring(text)


@pytest.mark.parametrize("name", ALL)
def test_the_two_widths_share_no_id(name: str) -> None:
    wide_ids, narrow_ids = (
        set(re.findall(r'\bid="([^"]*)"', picture(name).svg(way))) for way in (False, True)
    )
    assert not wide_ids & narrow_ids
    assert f'viewBox="-2 0 {WIDE + 4:g} ' in picture(
        name
    ).svg() and f'viewBox="-2 0 {NARROW + 4:g} ' in picture(name).svg(True)


@BOTH
@pytest.mark.parametrize("name", ALL)
def test_the_same_table_gives_the_same_picture(name: str, narrow: bool) -> None:
    assert picture(name).svg(narrow) == picture(name).svg(narrow)


@BOTH
@pytest.mark.parametrize("name", ALL)
def test_texts_are_text_and_what_points_say_is_their_title(name: str, narrow: bool) -> None:
    paper = drawn(name, narrow)
    tree = ElementTree.fromstring(svg(paper, name))
    texts = [" ".join("".join(first.itertext()).split()) for first in tree.iter("text")]
    assert texts == [" ".join(words.split()) for words in message(paper)]
    assert [first.text for first in tree.iter("title")] == paper.tips != []
    assert all(first.attrib["class"] == "tip" for first in tree.iter("g"))


def test_names_stay_text_in_labels_and_in_what_points_say() -> None:
    evil = "<script>\"&'$\\frac$"
    paper = paper_of(charts.forest, FOREST.with_columns(pl.lit(evil).alias("label")))
    text = svg(paper, "x")
    assert "<script" not in text and html.escape(evil) in text
    assert any(tip.startswith(evil) for tip in paper.tips)
    assert paper_of(charts.forest, FOREST).texts and charts.picture(
        "odd", charts.forest, FOREST.with_columns(pl.lit(evil).alias("label"))
    ).png().startswith(b"\x89PNG")


def test_a_point_says_whose_it_is_the_number_the_interval_and_the_games() -> None:
    table = CURVE.with_columns(line=pl.lit("plain player"))
    tips = paper_of(charts.curve, table, label="second player keeps\n(cards)").tips
    assert tips[0] == "plain player, second player keeps 12: 47.0 % (45.0 to 49.0 %), n = 10,000"
    assert len(tips) == 3
    assert drawn("forest").tips[1] == "seat 1: 53.0 % (51.0 to 55.0 %)"
    assert "b: −12.0" in drawn("bars").tips and "a, goal: seat 0 wins: 53.0 %" in drawn("stacked").tips
    assert drawn("heat").tips == ["a, seat 0: 61.3 %, n = 1,200", "a, seat 1: 20.0 %, n = 30"]
    assert drawn("histogram").tips == ["a, Turns 10 to 12: 25.0 %", "a, Turns 12 to 14: 75.0 %"]
    assert drawn("verdicts").tips[3].endswith("52.0 %, not settled (12,000)")
    assert drawn("fan").tips[0] == "winner, Turn 1: median 20, middle half 15 to 25"


def test_the_table_may_say_what_points_say() -> None:
    assert paper_of(charts.curve, CURVE.with_columns(tip=pl.lit("mine")), label="x").tips == ["mine"] * 3


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_colours_stand_out_from_the_page(scheme: int) -> None:
    """By WCAG 2: what is drawn at least 3:1, texts 4.5:1, also in the strongest fields and in bands."""
    ground = PAPERS[scheme]
    drawn_with = [name for name in COLOURS if re.fullmatch(r"[cg]\d", name)] + ["ink", "faint", "edge"]
    assert min(_contrast(COLOURS[name][scheme], ground) for name in drawn_with) >= 3
    for under in (ground, *(COLOURS[name][scheme] for name in ("above", "below", "picked", "band"))):
        assert _contrast(COLOURS["ink"][scheme], under) >= 4.5
    for under in (ground, *(COLOURS[name][scheme] for name in ("picked", "band"))):
        assert _contrast(COLOURS["faint"][scheme], under) >= 4.5


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_series_stand_out_from_the_band_of_what_is_fair(scheme: int) -> None:
    band = COLOURS["band"][scheme]
    assert min(_contrast(pair[scheme], band) for pair in palette.SERIES) >= 2.2


def _contrast(first: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""
    low, high = sorted(_light(colour) for colour in (first, other))
    return (high + 0.05) / (low + 0.05)


def _light(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_page_has_every_colour_for_light_and_for_dark() -> None:
    light, dark = STYLE.read_text("utf-8").split("@media", 1)
    of_the_page = {"ink", "faint", "paper"}
    for scheme, text in enumerate((light, dark)):
        assert dict(re.findall(r"--(\w+): (#\w+);", text)) == {
            name: pair[scheme] for name, pair in COLOURS.items() if name not in of_the_page
        }
    page = STYLE.with_name("page.css").read_text("utf-8")
    assert all(
        f"--{name}: {value}" in page.replace("#fff;", "#ffffff;")
        for name in of_the_page
        for value in COLOURS[name]
    )


def test_the_looks_of_ten_seats_differ_also_in_grey() -> None:
    """By marker, hatch and line alone; colours may come again."""
    for analyses in (palette.MARKERS, palette.HATCHES, palette.LINES):
        assert len({str(palette.shape(analyses, style)) for style in range(10)}) == 10


# Machado, Oliveira & Fernandes 2009, table 1, severity 1: red, green and blue as others see them.
BLIND = {
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
}


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("kind", BLIND)
def test_the_colour_blind_tell_neighbours_apart(kind: str, scheme: int) -> None:
    seen = []
    for pair in palette.SERIES:
        rgb = [int(pair[scheme][place : place + 2], 16) for place in (1, 3, 5)]
        seen.append(
            [sum(weight * part for weight, part in zip(row, rgb, strict=True)) for row in BLIND[kind]]
        )
    for first, other in pairwise(seen):
        assert sum((a - b) ** 2 for a, b in zip(first, other, strict=True)) ** 0.5 > 40


def test_a_picture_leaves_the_settings_of_matplotlib_alone() -> None:
    before = dict(mpl.rcParams)
    picture("forest").png()
    assert dict(mpl.rcParams) == before


def test_a_picture_is_a_png_of_two_hundred_dots_to_the_inch() -> None:
    png, paper = picture("stacked").png(), drawn("stacked")
    assert png == picture("stacked").png() and png.startswith(b"\x89PNG")
    wanted = [int((side + 2 * EDGE) / 72 * 200) for side in (paper.width, paper.height)]
    assert struct.unpack(">II", png[16:24]) == pytest.approx(wanted, abs=1)


def test_a_picture_is_drawn_only_when_it_is_wanted() -> None:
    wanted: list[bool] = []
    late = charts.picture("late", lambda paper, table: wanted.append(paper.narrow), FOREST)
    assert wanted == []
    late.svg()
    late.svg(narrow=True)
    assert wanted == [False, True]


@pytest.mark.parametrize("name", ["", "a b", "../up", "Big", '"x'])
def test_a_picture_s_name_can_stand_in_ids_and_file_names(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a picture"):
        charts.picture(name, charts.forest, FOREST)


def test_the_forest_has_each_row_and_the_fair_line() -> None:
    paper = drawn("forest")
    spans = [line for line in lines(paper) if line.stroke.startswith("c")][2:]  # the first are in the key
    dots = [mark for mark in paper.marks if isinstance(mark, Dot) and mark.tip]
    assert len(spans) == len(dots) == 3
    assert all(line.points[0][0] < dot.x < line.points[1][0] for line, dot in zip(spans, dots, strict=True))
    assert [dot.marker for dot in dots] == ["o", "s", "o"] and dots[0].x < dots[2].x < dots[1].x
    (fair,) = {line.points[0][0] for line in lines(paper) if line.dash}
    assert fair == pytest.approx(dots[2].x)
    assert {"a", "b", "seat 0", "seat 1", "fair", "Share of games won"} <= set(message(paper))


def test_the_curve_has_band_labels_at_the_ends_and_what_is_marked() -> None:
    paper = paper_of(charts.curve, CURVE, label="cards", margin=0.02, base="rulebook", recommended=[14])
    (line,) = series(paper)
    assert [round(y) for _, y in line.points][1] == min(round(y) for _, y in line.points)
    words = message(paper)
    assert {"a", "fair: 48 to 52 %", "rulebook", "recommended", "cards", "12", "14", "16", "50 %"} <= set(
        words
    )
    end = next(text for text in paper.texts if text.lines == ["a"])
    assert end.x > line.points[-1][0]
    areas = [mark for mark in paper.marks if isinstance(mark, Shape) and mark.fill]
    assert [area.fill for area in areas] == ["picked", "band", "c0"]
    xs = [x for x, _ in areas[0].points]
    assert min(xs) < line.points[1][0] < max(xs) < line.points[2][0]


def test_neighbours_that_are_recommended_are_one_area() -> None:
    for some, areas in (([12, 14], 1), ([12, 16], 2), ([], 0), ([13], 0)):
        marks = paper_of(charts.curve, CURVE, label="x", recommended=some).marks
        assert sum(isinstance(mark, Shape) and mark.fill == "picked" for mark in marks) == areas


def test_what_is_fair_may_differ_along_the_curve() -> None:
    table = CURVE.with_columns(fair=pl.Series([0.5, 0.48, 0.46]))
    marks = paper_of(charts.curve, table, label="x", margin=0.02).marks
    (band,) = [mark for mark in marks if isinstance(mark, Shape) and mark.fill == "band"]
    (line,) = [
        mark
        for mark in lines(paper_of(charts.curve, table, label="x"))
        if mark.stroke == "edge" and len(mark.points) > 3
    ]
    assert len({y for _, y in line.points}) == 3 and len(band.points) == 10


def test_axes_count_in_whole_percent() -> None:
    near = CURVE.with_columns(*(pl.col(name) * 0.02 + 0.49 for name in ("share", "low", "high")))
    for table in (CURVE, near):
        ticks = [text for text in message(paper_of(charts.curve, table, label="x")) if text.endswith(" %")]
        assert len(ticks) >= 2 and all(re.fullmatch(r"\d+ %", text) for text in ticks)


def test_a_trend_starts_from_nought_and_marks_the_baseline() -> None:
    words = message(drawn("trend"))
    assert words[0] == "Turns more" and "baseline" in words and "0" in words


def test_many_lines_with_long_names_have_a_key_and_few_none() -> None:
    few, count = drawn("long-curve"), drawn("long-lines", True)
    ends = [text for text in few.texts if text.lines[0].startswith("greedy")]
    assert len(ends) == 5 and min(text.x for text in ends) > WIDE / 2
    keys = [text for text in count.texts if text.lines[0].startswith("greedy") and text.x == 28]
    assert len(keys) == 7


def test_verdicts_are_letters_with_the_share_beside_and_the_baseline_framed() -> None:
    paper = drawn("verdicts")
    words = message(paper)
    assert [word for word in words if re.fullmatch(r"[FU≈+]|\d+\.\d", word)][-8:] == [
        "F", "50.0", "U", "60.0", "≈", "49.0", "+", "52.0"
    ]  # fmt: skip
    assert {"F: FAIR", "U: UNFAIR", "≈: BORDERLINE", "+: NOT SETTLED", "baseline"} <= set(words)
    framed = [mark for mark in paper.marks if isinstance(mark, Shape) and mark.width == 2 and not mark.fill]
    assert len(framed) == 2  # in the key, and the field


def test_heat_says_share_and_games_and_leaves_what_is_missing_empty() -> None:
    words = message(drawn("heat"))
    assert words == [
        "share of games won, %",
        "seat 0",
        "seat 1",
        "a",
        "b",
        "61.3",
        "1,200 games",
        "20.0",
        "30 games",
    ]


def test_heat_may_be_shaded_by_another_number_and_say_another_thing_below() -> None:
    paper = paper_of(charts.heat, HEAT.with_columns(shade=pl.lit(0.0), note=pl.lit("± 2")), across="x")
    assert message(paper)[-4:] == ["61.3", "± 2", "20.0", "± 2"]
    assert {mark.strength for mark in paper.marks if isinstance(mark, Shape) and mark.tip} == {0}


def test_heat_about_fair_is_orange_above_blue_below_and_white_at_it() -> None:
    table = HEAT.with_columns(share=pl.Series([0.613, 0.2, 0.5]))
    paper = paper_of(charts.heat, table, across="x", middle="fair")
    fields = [(mark.fill, mark.strength) for mark in paper.marks if isinstance(mark, Shape) and mark.tip]
    assert fields == [("above", 0.38), ("below", 1.0), ("below", 0.0)]
    assert {"more than fair", "less than fair"} <= set(message(paper))


def test_the_matrix_says_its_numbers_and_numbers_columns_without_room() -> None:
    assert message(drawn("matrix"))[-2:] == ["61.3", "38.7"]
    words = message(drawn("long-matrix", True))
    assert {str(number) for number in range(1, 8)} <= set(words)
    assert sum(word == "7" for word in words) == 2  # over its column and beside its row


def test_stacked_parts_follow_each_other_and_say_their_share() -> None:
    paper = drawn("stacked")
    parts = [mark.points for mark in paper.marks if isinstance(mark, Shape) and mark.tip]
    assert parts[0][1] == parts[1][0]
    widths = [part[1][0] - part[0][0] for part in parts]
    assert widths[0] / sum(widths) == pytest.approx(0.53)
    assert {"53 %", "47 %"} <= set(message(paper))


def test_a_histogram_names_a_bar_of_one_value_by_it() -> None:
    table = BARS.with_columns(low=pl.Series([10, 11]), high=pl.Series([11, 12]))
    paper = paper_of(charts.histogram, table, unit="Turns")
    places = {text.lines[0]: text.x for text in paper.texts}
    first, second = (mark.x for mark in paper.marks if isinstance(mark, Dot))
    assert places["10"] == pytest.approx(first) and places["11"] == pytest.approx(second)


def test_a_fan_has_median_band_and_outer_lines_of_each_line() -> None:
    paper = drawn("fan")
    thin = [
        line
        for line in lines(paper)
        if line.width == 0.7 and line.points[0][0] == series(paper)[0].points[0][0]
    ]
    assert len(series(paper)) == 2 and len(thin) == 4 and "5 % and 95 % of games" in message(paper)[0]
    more = drawn("long-fan")
    assert len(series(more)) == 5 and "5 %" not in message(more)[0]


def test_lines_have_bands_and_fair_where_there_is_one() -> None:
    assert "fair" in message(drawn("lines"))
    without = paper_of(charts.lines, COURSE.drop("fair"), label="x", unit="share")
    assert "fair" not in message(without)
    assert [mark.fill for mark in without.marks if isinstance(mark, Shape) and mark.fill] == ["c0"]


def test_a_gap_in_a_course_stays_a_gap_of_numbers() -> None:
    table = COURSE.with_columns(
        *(pl.when(pl.col("x") != 50).then(pl.col(first)).alias(first) for first in ("share", "low", "high"))
    )
    assert len(paper_of(charts.lines, table, label="x", unit="y").tips) == 2


def test_bars_start_at_zero_and_show_interval_and_number() -> None:
    paper = drawn("bars")
    right, left = [mark.points for mark in paper.marks if isinstance(mark, Shape) and mark.tip]
    assert right[0][0] == left[1][0] and left[0][0] < left[1][0]
    assert message(paper)[-3:] == ["+25.5", "−12.0", "–"]


def test_bars_of_two_kinds_stand_under_each_other() -> None:
    table = RATINGS.head(2).with_columns(label=pl.lit("a"), kind=pl.Series(["lowest", "highest"]))
    paper = paper_of(charts.bars, table, unit="share", form="{:+.1%}")
    first, second = [mark.points for mark in paper.marks if isinstance(mark, Shape) and mark.tip]
    assert first[2][1] <= second[0][1]
    assert {"lowest", "highest", "a"} <= set(message(paper))


def test_a_ranking_says_label_meaning_and_value_and_the_baseline_in_bold() -> None:
    paper = drawn("dots")
    assert [text.lines[0] for text in paper.texts if text.bold] == ["as printed"]
    words = message(paper)
    assert [word for word in words if re.fullmatch(r"\d+ %", word)][-3:] == ["51 %", "56 %", "46 %"]
    note = next(text for text in paper.texts if text.lines[0].startswith("the second seat draws two"))
    assert note.colour == "faint"


def test_ranked_differences_have_a_dot_an_interval_and_a_paler_mark() -> None:
    paper = drawn("ranked")
    dots = [mark for mark in paper.marks if isinstance(mark, Dot) and mark.tip]
    assert [dot.marker for dot in dots] == ["D", "o", "D", "o", "D"]
    assert dots[0].x > dots[1].x > dots[4].x > dots[3].x > dots[2].x
    assert [dots[1].colour, dots[3].colour] == [palette.colour(0), palette.colour(-2)]
    assert "purple 3 P..: 11 (8 to 14)" in paper.tips and "purple 3 P.., all" in paper.tips


def test_panels_have_one_scale_a_band_each_and_say_the_highest_and_the_lowest() -> None:
    paper = drawn("panels")
    bands = [mark for mark in paper.marks if isinstance(mark, Shape) and mark.fill == "band"]
    assert len(bands) == 9 + 1  # in the key, too
    assert {round(mark.points[2][1] - mark.points[0][1], 3) for mark in bands[1:]} == {
        round(bands[1].points[2][1] - bands[1].points[0][1], 3)
    }
    words = message(paper)
    assert {f"{seats} players" for seats in range(2, 11)} | {"fair"} <= set(words)
    assert len(series(paper)) == 9 - 1  # one of two points is a line as well
    assert paper.tips[0] == "2 players, seat in the order of play 1: +3 (+2 to +4)"
    assert words.count("+3") == words.count("−3") == 9


def test_a_game_s_course_has_a_flag_where_it_turned() -> None:
    paper = drawn("score")
    flags = [text for text in paper.texts if text.halo]
    poles = sorted({line.points[0][0] for line in lines(paper) if line.dash == (1.5, 2.5)})
    assert [" ".join(text.lines) for text in flags] == [
        "red leads",
        "red captures the pump",
        "blue leads",
        "red repairs",
        "blue",
    ]
    assert len(poles) == 5 and flags[0].x == pytest.approx(poles[0] + 4)
    assert flags[1].y > flags[0].y  # the first reaches over the second
    assert "red, turn 3: 3" in paper.tips


def test_a_style_in_the_table_is_the_look_in_every_chart() -> None:
    """A line, an interval, a part, a bar of style 3 have its colour; below 0 they are grey."""
    line = series(paper_of(charts.lines, COURSE.with_columns(style=3), label="x", unit="y"))[0]
    three = palette.colour(3)
    assert line.stroke == three and line.dash == palette.LINES[3]
    forest = paper_of(charts.forest, FOREST.with_columns(style=pl.Series([3, 1, 3])))
    dots = [mark for mark in forest.marks if isinstance(mark, Dot) and mark.tip]
    assert (dots[0].colour, dots[0].marker) == (three, palette.MARKERS[3])
    parts = paper_of(charts.stacked, ENDS.with_columns(style=pl.Series([3, 3]), tone=pl.Series([0, 1])))
    strong, pale = [mark for mark in parts.marks if isinstance(mark, Shape) and mark.tip]
    assert strong.fill == pale.fill == three and strong.strength > pale.strength
    bars = paper_of(charts.bars, RATINGS.with_columns(style=pl.Series([-1, 3, 3])), unit="unit")
    grey, bar = [mark for mark in bars.marks if isinstance(mark, Shape) and mark.tip]
    assert grey.fill == "g0" and bar.fill == three and bar.hatch == palette.HATCHES[3]


def test_labels_break_between_phrases_and_only_a_word_too_long_is_cut() -> None:
    assert broken("plain player, second seat", 90) == ("plain player,", "second seat")
    assert broken("greedy (caution 0.7)", 85) == ("greedy", "(caution 0.7)")
    assert all(wide(line) <= 60 for line in broken("Donaudampfschifffahrtsgesellschaft ahoy", 60))
    assert " ".join(broken("one two three four five six", 50)).split() == [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
    ]


def test_the_longest_picture_is_small() -> None:
    assert len(picture("curve").svg()) < 9000
    table = multiplied(CURVE, times=3)
    assert len(charts.picture("three", charts.curve, table, label="x").svg()) < 16_000


def test_a_letter_that_the_font_has_not_has_a_width_too() -> None:
    assert all(wide(letter) >= 0 for letter in ("\u202e", "\ufeff", "\U0001f9d9", "\U0010ffff"))
    assert wide("M") > wide("i") > 0
