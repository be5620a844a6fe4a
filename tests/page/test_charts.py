"""Charts show what the table says, the same each time, as text that can stand in a page."""

from __future__ import annotations

import html
import re
import struct
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import polars as pl
import polars.selectors as cs
import pytest
from drawn import ALL, BARS, COURSE, CURVE, FAIR, FOREST, RATINGS, multiplied, picture
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure

from simkit.page import charts
from simkit.page.charts import drawing
from simkit.page.charts.drawing import COLOURS, PAPERS

pytestmark = pytest.mark.slow

STYLE = Path(charts.__file__).parent.parent / "templates" / "figures.css"
BOTH = pytest.mark.parametrize("narrow", [False, True], ids=["desk", "phone"])
EACH = pytest.mark.parametrize("name", ALL)
SCHEMES = pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])


def drawn(draw: charts.Chart, table: pl.DataFrame, **how: object) -> str:
    return charts.picture("one", draw, table, **how).svg()


def texts(svg: str) -> list[str]:
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter("text")]


def tips(svg: str) -> list[str]:
    return [title.text or "" for title in ElementTree.fromstring(svg).iter("title")]


def marks(svg: str, attributes: str) -> int:
    """The number of marks with these attributes."""
    return len(re.findall(f"<(?:use|path) [^>]*{attributes}", svg))


class Boxes(RendererAgg):
    """Renderer that notes where lines of text are: text, left, top, right, bottom."""

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):  # type: ignore[no-untyped-def]
        wide, high, below = self.get_text_width_height_descent(s, prop, ismath)
        self.boxes = [*getattr(self, "boxes", []), (s, x, y - high + below, x + wide, y + below)]


@BOTH
@EACH
def test_no_text_lies_on_another_and_none_is_cut(name: str, narrow: bool) -> None:
    figure = picture(name).figure(narrow)
    width, height = 72 * figure.get_size_inches()
    renderer = Boxes(width, height, 72)
    figure.draw(renderer)
    for text, *(left, top, right, bottom) in renderer.boxes:
        assert left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1, text
    for (text, *a), (other, *b) in combinations(renderer.boxes, 2):
        wide, high = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        assert wide < 1 or high < 3, (text, other)


@BOTH
@EACH
def test_a_picture_is_an_element_of_its_own_the_same_each_time(name: str, narrow: bool) -> None:
    svg = picture(name).svg(narrow)
    assert svg.startswith("<svg viewBox=") and svg.endswith("</svg>") and svg == picture(name).svg(narrow)
    assert "http" not in svg and "nan" not in svg and "#" not in re.sub(r'url\(#|href="#', "", svg)
    ids = re.findall(r'\bid="([^"]*)"', svg)
    assert all(id.startswith(f"{name}-narrow-" if narrow else f"{name}-") for id in ids)
    assert len(ids) == len(set(ids)) and set(re.findall(r'(?:url\(|href=")#([^)"]*)', svg)) <= set(ids)
    assert set(re.findall(r"var\(--(\w+)\)", svg)) <= set(COLOURS)
    assert tips(svg) and all(tips(svg))


def test_names_stay_text_in_labels_and_in_what_points_say() -> None:
    evil = "<script>\"&'$\\frac$\x1b\U0001f9d9"
    for part in ({"label": pl.lit(evil)}, {"kind": pl.col("kind") + evil}):
        odd = charts.picture("odd", charts.forest, FOREST.with_columns(**part))
        assert "<script" not in odd.svg() and html.escape("<script>") in odd.svg()
        assert odd.png().startswith(b"\x89PNG")


@EACH
@pytest.mark.filterwarnings("error")
def test_labels_of_300_letters_are_drawn(name: str) -> None:
    drawing = picture(name)
    labels = cs.string() - cs.by_name("verdict", require_all=False)
    long = drawing.table.with_columns(labels + 300 * "x")
    how = {key: value + 300 * "y" for key, value in drawing.how.items() if key in ("label", "unit")}
    assert charts.picture(name, drawing.draw, long, **drawing.how | how).svg(narrow=True)


def test_a_point_says_whose_it_is_the_number_the_interval_and_the_games() -> None:
    texts = tips(drawn(charts.curve, CURVE, label="second player keeps\n(cards)", unit="y"))
    assert texts[0] == "a, second player keeps 12: 47.0 % (45.0 to 49.0 %), n = 10,000" and len(texts) == 3
    says = {name: tips(picture(name).svg()) for name in ALL if "long" not in name}
    assert says["forest"][1] == "a, seat 1: 53.0 % (51.0 to 55.0 %)"
    assert "b: −12.0" in says["ratings"]
    assert says["heat"] == [
        "a, seat 0: 61.3 % (60.0 to 64.0 %), n = 1,200",
        "a, seat 1: 20.0 % (11.0 to 29.0 %), n = 30",
    ]
    assert says["histogram"] == ["a, Turns 10 to 12: 25.0 %", "a, Turns 12 to 14: 75.0 %"]
    assert says["sizes"][0] == "2 players, seat 1: +2.0 (+1.0 to +3.0)"
    assert (
        "red, Turn 3: 3" in says["score"]
        and "dropped early, Trial 2: −12.0 (−30.0 to +6.0)" in says["trials"]
    )
    mine = CURVE.with_columns(tip=pl.lit("mine"))
    assert tips(drawn(charts.curve, mine, label="x", unit="y")) == ["mine"] * 3


@SCHEMES
def test_colours_stand_out_from_the_page(scheme: int) -> None:
    """By WCAG 2: what is drawn at least 3:1, texts 4.5:1, also in the strongest fields and in bands."""
    shades = {name: pair[scheme] for name, pair in COLOURS.items()}
    series = [shades[name] for name in COLOURS if re.fullmatch(r"c\d", name)]
    greys = [shades[name] for name in ("g0", "g1", "ink", "faint", "edge")]
    assert min(_contrast(shade, PAPERS[scheme]) for shade in series + greys) >= 3
    assert min(_contrast(shade, shades["band"]) for shade in series) >= 2.2
    grounds = [shades[name] for name in ("paper", "picked", "band", "above", "below")]
    assert min(_contrast(shades["ink"], ground) for ground in grounds) >= 4.5
    assert min(_contrast(shades["faint"], ground) for ground in grounds[:3]) >= 4.5


def _contrast(*colours: str) -> float:
    """The contrast of two colours as WCAG 2 defines it."""
    parts = [[value / 255 for value in bytes.fromhex(colour[1:])] for colour in colours]
    linear = [[x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in rgb] for rgb in parts]
    low, high = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in linear)
    return (high + 0.05) / (low + 0.05)


# Machado, Oliveira & Fernandes 2009, table 1, severity 1: red, green and blue as others see them.
DEUTAN = [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
PROTAN = [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]


@SCHEMES
@pytest.mark.parametrize("sight", [DEUTAN, PROTAN], ids=["deutan", "protan"])
def test_the_colour_blind_tell_neighbours_apart(sight: list[list[float]], scheme: int) -> None:
    rgb = [bytes.fromhex(pair[scheme][1:]) for pair in drawing.SERIES]
    seen = [[sum(w * x for w, x in zip(row, own, strict=True)) for row in sight] for own in rgb]
    for first, other in pairwise(seen):
        assert sum((a - b) ** 2 for a, b in zip(first, other, strict=True)) ** 0.5 > 40


def test_the_page_has_every_colour_for_light_and_for_dark() -> None:
    light, dark = STYLE.read_text("utf-8").split("@media", 1)
    page, own = STYLE.with_name("page.css").read_text("utf-8"), ("ink", "faint", "paper")
    for scheme, text in enumerate((light, dark)):
        shades = {name: pair[scheme] for name, pair in COLOURS.items()}
        assert dict(re.findall(r"--(\w+): (#\w+);", text)) == {
            n: x for n, x in shades.items() if n not in own
        }
        assert all(f"--{name}: {shades[name]}" in page.replace("#fff;", "#ffffff;") for name in own)
    assert len({light for light, _ in COLOURS.values()}) == len(COLOURS)


def test_ten_seats_differ_also_in_grey() -> None:
    for kinds in (drawing.MARKERS, drawing.LINES):
        assert len({str(drawing.shape(kinds, style)) for style in range(10)}) == 10


def test_matplotlib_is_imported_only_to_draw_and_its_settings_stay() -> None:
    code = "import sys, simkit.page.recipe, simkit.page.columns, simkit.page.pictures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
    with mpl.rc_context({"font.size": 30, "lines.linewidth": 9}):
        before = dict(mpl.rcParams)
        assert picture("forest").svg() and dict(mpl.rcParams) == before
        changed = picture("forest").svg()
    assert changed == picture("forest").svg()


def test_a_notebook_draws_on_its_own_axes_or_on_new_ones() -> None:
    axes = Figure(figsize=(9, 4)).subplots(1, 2)
    assert charts.forest(FOREST, axes[0]) is axes[0]
    assert charts.curve(CURVE, axes[1], label="x", unit="y") is axes[1]
    assert charts.forest(FOREST).get_figure().get_figwidth() > 7


def test_a_picture_is_a_png_of_two_hundred_dots_to_the_inch() -> None:
    png, size = picture("ranked").png(), picture("ranked").figure().get_size_inches()
    assert png == picture("ranked").png() and png.startswith(b"\x89PNG")
    assert struct.unpack(">II", png[16:24]) == pytest.approx(200 * size, abs=1)


@pytest.mark.parametrize("name", ["", "a b", "../up", "Big", '"x'])
def test_a_picture_s_name_can_stand_in_ids_and_file_names(name: str) -> None:
    with pytest.raises(ValueError, match="cannot name a picture"):
        charts.picture(name, charts.forest, FOREST)


def test_intervals_are_drawn_where_the_table_has_them() -> None:
    assert marks(picture("forest").svg(), 'stroke="var\\(--c[01]\\)" stroke-width="1.5"') == 3
    assert marks(picture("ratings").svg(), 'stroke="var\\(--c0\\)" stroke-width="1.5"') == 2
    assert marks(picture("fitted").svg(), 'stroke="var\\(--c0\\)" stroke-width="1.5"') == 3
    for name in ("curve", "trend", "course", "fitted"):
        svg = picture(name).svg()
        assert "95 % interval" in texts(svg) and marks(svg, 'fill="var\\(--c0\\)" fill-opacity=".16"'), name
    without = CURVE.with_columns(low=pl.lit(None, pl.Float64), high=pl.lit(None, pl.Float64))
    assert "95 % interval" not in texts(drawn(charts.curve, without, label="x", unit="y"))


def test_a_share_is_a_percentage_and_a_difference_has_a_sign() -> None:
    shares = RATINGS.with_columns(pl.col("value", "low", "high").abs() / 100)
    ticks = texts(drawn(charts.forest, shares, unit="Part of the games"))
    assert "20 %" in ticks and not any(text.startswith("+") for text in ticks)
    assert {"+25.5 (+20.0 to +31.0)", "+20", "−12.0", "–"} <= set(texts(picture("ratings").svg()))
    assert {"+2", "−2", "−2.0 (−3.0 to −1.0)"} <= set(texts(picture("sizes").svg()))
    assert {"−2.0", "+2.0"} <= set(texts(picture("sizes").svg(narrow=True)))
    near = CURVE.with_columns(pl.col("value", "low", "high") * 0.02 + 0.49)
    for table in (CURVE, near):
        ticks = [
            text for text in texts(drawn(charts.curve, table, label="x", unit="y")) if text.endswith(" %")
        ]
        assert len(ticks) >= 2 and all(re.fullmatch(r"\d+ %", text) for text in ticks)


def test_curves_say_what_is_fair_and_what_is_marked() -> None:
    words = set(texts(picture("curve").svg()))
    assert {"a", "fair: 48 to 52 %", "rulebook", "recommended", "cards", "12", "14", "16"} <= words
    for spans, areas in (([(13, 15)], 1), ([(11, 13), (15, 17)], 2), ([], 0)):
        picked = [charts.Mark("", *span) for span in spans]
        assert marks(drawn(charts.curve, CURVE, label="x", unit="y", marks=picked), "--picked") == areas
    outside = [charts.Mark("usual rules", 40)]
    assert "usual rules" not in texts(drawn(charts.curve, CURVE, label="x", unit="y", marks=outside))
    assert "fair" in texts(picture("course").svg())
    assert "fair" not in texts(drawn(charts.curve, COURSE.drop("fair"), label="x", unit="y"))
    gap = COURSE.with_columns(pl.when(pl.col("x") != 50).then(pl.col("value", "low", "high")))
    assert len(tips(drawn(charts.curve, gap, label="x", unit="y"))) == 2


def test_grids_say_numbers_intervals_and_signs_and_number_columns_without_room() -> None:
    words = texts(picture("heat").svg())
    assert {"share of games won, %", "seat 0", "a", "b", "61", "± 2", "20"} <= set(words)
    assert {"59 U", "± 1"} <= set(texts(picture("long-heat").svg()))
    assert {"more than fair", "less than fair"} <= set(texts(picture("about").svg()))
    words = texts(picture("matrix").svg())
    assert words.index("0") < words.index("6")  # columns are in the order of the rows
    for name in ("long-matrix", "long-columns"):
        words = texts(picture(name).svg(True))
        assert {str(number) for number in range(1, 8)} <= set(words)
    assert sum(bool(re.match(r"[1-7]: greedy", word)) for word in words) == 7


def test_rows_of_a_label_stand_together_and_bars_of_one_value_are_named_by_it() -> None:
    words = texts(picture("ranked").svg())
    assert {"draw two", "the second seat draws two cards", "51 % (49 to 52 %)", "fair"} <= set(words)
    scattered = pl.concat([FOREST.filter(kind=kind) for kind in ("seat 0", "seat 1")])
    assert texts(drawn(charts.forest, scattered)).count("a") == 1
    assert {"red leads", "red takes the pump", "blue leads"} <= set(texts(picture("score").svg()))
    single = BARS.with_columns(low=pl.Series([10, 11]), high=pl.Series([11, 12]))
    assert tips(drawn(charts.histogram, single, unit="Turns"))[0] == "a, Turns 10: 25.0 %"


def test_a_style_in_the_table_is_the_style_in_every_chart() -> None:
    assert 'stroke="var(--c3)"' in drawn(charts.curve, COURSE.with_columns(style=3), label="x", unit="y")
    assert 'fill="var(--c3)"' in drawn(charts.forest, FOREST.with_columns(style=3))
    assert 'fill="var(--g0)"' in drawn(charts.forest, RATINGS.with_columns(style=-1), unit="unit")


def test_pictures_are_small() -> None:
    assert len(picture("curve").svg()) < 9000
    assert len(drawn(charts.curve, multiplied(CURVE, times=3), label="x", **FAIR)) < 16_000
