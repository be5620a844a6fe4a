"""The report as page, Markdown and JSON: well formed, self-contained, escaped; the numbers of the analysis."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from html_reader import Reader
from hypothesis import given
from hypothesis import strategies as st
from made_report import EVIL, ROWS, SHOWN, Square, full_report
from markdown_it import MarkdownIt
from simkit.content.reports.balance import recipe as balance
from simkit.content.reports.compare import recipe as compare
from simkit.content.reports.sections.answer import balance_answer as answer_of
from simkit.content.reports.sweep import recipe as sweep
from synthetic import MadeRun, made_run

from simkit.errors import UsageError
from simkit.page import document as report
from simkit.page.document.tables import Show, table
from simkit.tables.findings import Findings

ODD = "<script>alert(1)</script>"


def _sweep(
    folder: Path, question: str = "Which opening is fair?", names: tuple[str, str] = ("greedy", "banker")
) -> MadeRun:
    a, b = names
    values = [0.40, 0.42, 0.45, 0.47, 0.50, 0.52]
    sweep = {"second": [12, 14, 16]}
    return made_run(folder, [[a, a], [a, b]], values, question=question, sweep=sweep, baseline={"second": 14})


@pytest.mark.drawn
def test_the_page_is_whole_and_asks_for_nothing(tmp_path: Path) -> None:
    page = report.render(balance.build(_sweep(tmp_path)))
    reader = Reader(page)
    assert reader.open == []
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", page)
    assert not {tag for tag, _ in reader.tags} & {"link", "img", "iframe", "form", "base"}
    assert [attrs for tag, attrs in reader.tags if tag == "script"] == [{}]
    assert not [name for _, attrs in reader.tags for name in attrs if name.startswith("on")]
    ids = [attrs["id"] for _, attrs in reader.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    drawings = [attrs for tag, attrs in reader.tags if tag == "svg"]
    assert len(drawings) >= 3 and all(first["role"] == "img" and first["aria-label"] for first in drawings)


def test_lines_by_player_are_shown_on_a_page_without_a_picture() -> None:
    lines = table(
        pl.DataFrame({"player": ["people"], "share": [0.53]}),
        {"player": Show("player"), "share": Show("share", "{:.1%}")},
    )
    page = report.render(report.Report(title="t", question="q", by_strength=lines))
    assert "people" in page and "53.0\u00a0%" in page.replace("53.0 %", "53.0\u00a0%")


def _whole(share: float) -> str:
    return f"{100 * share:.0f}"


def test_the_numbers_of_the_table_of_all_cases_are_those_of_the_analysis(tmp_path: Path) -> None:
    run = _sweep(tmp_path)
    (every,) = (
        t for section in balance.build(run).sections for t in section.tables if t.caption == "Every case"
    )
    first = Findings(run).first_player_advantage.rows(named=True)
    for row, record, expected in zip(every.rows, every.records(), first, strict=True):
        numbers = [name for name in record if name not in ("verdict", "lineup")]
        assert [record[name] for name in numbers] == pytest.approx([expected[name] for name in numbers])
        percents = [f"{expected[key]:.1%}".replace("%", " %") for key in ("share", "low", "high")]
        second = f"{expected['second']}{' (baseline)' * expected['baseline']}"
        assert row[:2] == [second, expected["lineup"]] and row[2:5] == percents


def test_question_answer_and_command_are_on_the_page(tmp_path: Path) -> None:
    run = _sweep(tmp_path)
    words = "".join(Reader(report.render(balance.build(run))).words).replace("\u00a0", " ")
    result = answer_of(Findings(run))
    for text in ("Which opening is fair?", result.headline, result.advice, *result.warnings):
        assert text in words
    assert "simkit run made.toml" in words


@pytest.mark.drawn
def test_names_stay_text(tmp_path: Path) -> None:
    page = report.render(
        balance.build(_sweep(tmp_path, question=f"Fair? {ODD} \"&'", names=(ODD, '"><b onload=x>')))
    )
    assert ODD not in page and "&lt;script&gt;" in page
    assert [tag for tag, _ in Reader(page).tags if tag in ("script", "b")] == ["script"]


@pytest.mark.drawn
def test_every_field_of_a_page_is_escaped() -> None:
    reader = Reader(report.render(full_report(EVIL)))
    assert reader.open == []
    tags = [tag for tag, _ in reader.tags]
    assert tags.count("script") == 1 and "img" not in tags
    assert not [name for _, attrs in reader.tags for name in attrs if name.startswith("on")]
    words, plain = "".join(reader.words), "".join(Reader(report.render(full_report("harmless"))).words)
    assert words.replace("\u00a0", " ").count(EVIL) == plain.count("harmless") >= 18
    message = [value for _, attrs in reader.tags for value in attrs.values() if value == EVIL]
    assert len(message) == 8  # words of drawings, each for a desk and for a phone; of table and column


@pytest.mark.drawn
def test_the_page_allows_its_own_script_only() -> None:
    page = report.render(full_report(EVIL))
    policy = next(
        attrs["content"]
        for tag, attrs in Reader(page).tags
        if attrs.get("http-equiv") == "Content-Security-Policy"
    )
    script = page[page.rindex("<script>") + len("<script>") : page.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "script-src": f"'sha256-{digest}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert page.index("Content-Security-Policy") < page.index("<style") < page.index("<script>")


def test_a_page_goes_from_the_answer_to_how_it_was_made() -> None:
    whole = full_report("x")
    takeaways = [report.Takeaway(f"{kind} said", f"code of {kind}", kind) for kind in ("answer", "advice")]
    tile = report.Tile("Length", [report.TileLine("31", "(30 to 33)", "3 players")], "turns")
    page = replace(
        whole,
        question="Fair?",
        takeaways=takeaways,
        stamp=report.Stamp("Keep it", "keep"),
        step=report.Step("Do this.", "simkit run"),
        source="100 games",
        tiles=[tile],
        limits=["People"],
        warnings=["Careful"],
    )
    text = "".join(Reader(report.render(page)).words)
    text = text[text.index("Fair?") :]  # the title stands in the head, too
    parts = ["Fair?", "answer said", "Careful", "Keep it", "advice said", "Do this.", "simkit run"]
    parts += ["100 games", "Length", "3 players", "31", "(30 to 33)", "turns"]
    parts += [
        "What this cannot tell you",
        "People",
        "Rows that sort",
        "How it was computed",
        "code of answer",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert '<p class="stamp keep">Keep it</p>' in report.render(page)
    assert report.as_text(page, "md").startswith(
        "x · x\n\n# answer said\n\n*Fair?*\n\n**Keep it** advice said\n"
    )


def test_without_an_answer_the_question_is_the_headline() -> None:
    assert "<h1>q</h1>" in report.render(report.Report("t", "q"))


def test_chapters_are_folded_have_ids_of_their_own_and_say_their_findings() -> None:
    page = report.render(full_report("harmless"))
    reader = Reader(page)
    ids = [attrs["id"] for _, attrs in reader.tags if "id" in attrs]
    chapters = [attrs["id"] for tag, attrs in reader.tags if tag == "details" and "id" in attrs]
    assert chapters == ["s-harmless", "s-rows", "s-a", "s-a-3", "computed", "reproduce"]
    assert len(ids) == len(set(ids))
    links = [attrs["href"] for tag, attrs in reader.tags if tag == "a"]
    assert links == [f"#{chapter}" for chapter in chapters[:4]]
    folded = re.findall(r"<summary><h2>(.*?)</h2> <span class=\"says\">(.*?)</span></summary>", page)
    assert folded[:4] == [("harmless", ""), ("Rows", "Many rows"), ("A", "One"), ("A", "Other")]
    printed = re.findall(r'id="([\w-]*)" open>', report.render(full_report("x"), printed=True))
    assert " open>" not in page and printed == ["s-x", "s-rows", "s-a", "s-a-3"]


@pytest.mark.slow
def test_a_page_has_nine_chapters_of_one_chart_and_one_table(tmp_path: Path) -> None:
    for recipe in (balance, sweep, compare):
        chapters = recipe.build(_sweep(tmp_path)).chapters
        assert 3 <= len(chapters) <= 9
        for chapter in chapters:
            assert sum(len(section.figures) for section in chapter.sections) <= 1
            assert sum(len(section.tables) for section in chapter.sections) <= 1


def test_a_page_says_in_three_sentences_at_most_what_it_cannot_tell(tmp_path: Path) -> None:
    limits = balance.build(_sweep(tmp_path)).limits
    assert len(limits) <= 3 and limits[0].startswith("How people play: ")


def test_a_recipe_refuses_a_run_that_it_does_not_fit(tmp_path: Path) -> None:
    run = made_run(tmp_path, [["a", "a"]], [0.5])
    with pytest.raises(UsageError, match="this page needs an option that varies"):
        sweep.build(run)


def test_texts_of_a_table() -> None:
    frame = pl.DataFrame(
        {"n": [1234, None], "p": [-0.5, 0.25], "name": ["a-b 5%", "c"], "flag": [True, False]}
    )
    shown = {
        "n": report.Show("n", "{:,}"),
        "p": report.Show("p", "{:+.1%}"),
        "name": report.Show("name"),
        "flag": report.Show("flag"),
    }
    table = report.table(frame, shown)
    assert table.rows == [["1,234", "−50.0 %", "a-b 5%", "true"], ["–", "+25.0 %", "c", "false"]]
    assert [column.number for column in table.columns] == [True, True, False, False]


def test_a_table_keeps_its_values_besides_the_texts() -> None:
    table = report.table(ROWS, SHOWN)
    assert table.records()[0] == {
        "name": "b10",
        "games": 1200,
        "share": 0.123456789,
        "points": -0.0312,
        "flag": True,
    }
    assert table.records()[4]["share"] is None and table.rows[4][2] == "–"
    assert table.rows[0] == ["b10", "1,200", "12.3 %", "−3.1", "true"]


def test_cells_of_a_page_carry_their_values() -> None:
    page = report.render(_page(report.Section("A", tables=[report.table(ROWS, SHOWN)])))
    cells = [attrs for tag, attrs in Reader(page).tags if tag == "td"]
    texts = Reader(page).cells
    values = [attrs.get("data-v", text) for attrs, text in zip(cells, texts, strict=True)]
    assert values[:5] == ["b10", "1200", "0.123456789", "-0.0312", "true"]
    assert values[10:15] == ["", "", "", "0.0", "true"]
    assert [attrs.get("data-name") for tag, attrs in Reader(page).tags if tag == "th"] == ROWS.columns


def _page(*sections: report.Section) -> report.Report:
    """A page with these sections in a fold."""
    return report.Report("t", "q", chapters=[report.Chapter("All", list(sections))])


def test_markdown_tells_the_same() -> None:
    text = report.as_text(full_report("harmless"), "md")
    head = ["harmless · harmless", "# harmless", "*harmless*", "**harmless** harmless", "harmless", "```"]
    assert [line for line in text.splitlines() if line][:6] == head
    lines = ["**Beware:** harmless", "- **harmless**: harmless: harmless (harmless); harmless", "- harmless"]
    assert {*lines, "## harmless", "### harmless", "## Rows", "### Many rows"} <= set(text.splitlines())
    assert (
        "| strategy | games | share | points | rotated |\n| --- | ---: | ---: | ---: | --- |\n"
        "| b10 | 1,200 | 12.3 % | −3.1 | true |" in text
    )
    assert "![" not in text
    assert "![harmless](png/a%20b/square.png)" in report.as_text(
        full_report("harmless"), "md", {"square": "png/a b/square.png"}
    )


def _read(markdown: str) -> str:
    return MarkdownIt("commonmark").enable("table").render(markdown)


def test_every_field_of_markdown_is_escaped() -> None:
    shown = Reader(_read(report.as_text(full_report(EVIL), "md", {"square": "a.png"})))
    tags = [tag for tag, _ in shown.tags]
    assert "script" not in tags and tags.count("em") == 1  # the question
    assert tags.count("img") == 1 and tags.count("table") == 2
    assert [attrs["alt"] for tag, attrs in shown.tags if tag == "img"] == [EVIL]
    assert shown.cells[:2] == [EVIL, "1"]
    plain = Reader(_read(report.as_text(full_report("harmless"), "md", {"square": "a.png"})))
    assert "".join(shown.words).count(EVIL) == "".join(plain.words).count("harmless") >= 18


@given(
    st.text(st.characters(exclude_categories=["C"]), max_size=30)
    | st.text("ab1 -+*_`|<>&#[]()!\\~.=$:", max_size=12)
)
def test_any_text_is_itself_in_markdown(text: str) -> None:
    cells = report.table(pl.DataFrame({"c": [text]}), {"c": report.Show("c")})
    page = _page(report.Section("A", [f"{text}."], tables=[cells]))
    shown = _read(report.as_text(page, "md"))
    wanted = " ".join(text.split())
    assert html.unescape(re.findall("<td>(.*)</td>", shown)[0]) == wanted
    assert f"<p>{' '.join(f'{text}.'.split())}</p>" in html.unescape(shown)


def test_a_code_block_holds_fences() -> None:
    page = report.Report("t", "q", command="a\n````\nb")
    assert "<pre><code>a\n````\nb\n</code></pre>" in _read(report.as_text(page, "md"))


def test_json_is_one_document_with_raw_values() -> None:
    document = json.loads(report.as_text(full_report(EVIL), "json", {"square": "a.png"}))
    kinds = ("answer", "advice")
    assert document["takeaways"] == [{"text": EVIL, "source": EVIL, "kind": kind} for kind in kinds]
    assert document["warnings"] == document["limits"] == [EVIL] and document["picture"]["name"] == "first"
    assert document["stamp"] == EVIL and document["step"] == {"text": EVIL, "command": EVIL}
    line = {"number": EVIL, "note": EVIL, "of": EVIL}
    assert document["tiles"] == [{"title": EVIL, "lines": [line], "note": EVIL}]
    assert document["versions"] == document["facts"] == {EVIL: EVIL}
    assert [chapter["title"] for chapter in document["chapters"]] == [EVIL, "Rows", "A", "A"]
    (first,), (second,) = (chapter["sections"] for chapter in document["chapters"][:2])
    assert first["figures"] == [
        {"name": "square", "title": "", "alt": EVIL, "caption": EVIL, "file": "a.png"}
    ]
    plain, text = first["stories"]
    assert (plain["title"], plain["text"], plain["command"]) == (EVIL, EVIL, EVIL) and plain["figure"] is None
    assert text["figure"] == {"name": "course", "title": "", "alt": EVIL, "caption": EVIL, "file": None}
    assert (text["points"], text["moves"], text["board"]) == ([EVIL], EVIL, EVIL)
    assert second["tables"][0]["columns"][1] == {
        "name": "games",
        "heading": "games",
        "meaning": "games counted",
    }
    assert pl.DataFrame(second["tables"][0]["records"]).equals(
        ROWS.with_columns(pl.col("share").fill_nan(None))
    )


@pytest.mark.slow
def test_every_takeaway_with_numbers_says_what_gives_them(tmp_path: Path) -> None:
    """Advice and doubts rest on the query of the headline."""
    run = _sweep(tmp_path)
    first, text = Findings(run).answered.rows(named=True), balance.build(run).takeaways
    assert [single.kind for single in text if not single.source] == [
        single.kind for single in text if single.kind == "sure"
    ]
    tables = [_printed(run, single.source) for single in text if single.source]
    assert tables and all(rows.height for rows in tables)
    assert set(tables[0]["lineup"]) == {row["lineup"] for row in first}  # all lineups together
    assert {row["share"] for row in first} <= set(tables[0]["share"])


@pytest.mark.slow
def test_seats_and_lineups_look_the_same_in_every_picture(tmp_path: Path) -> None:
    analyses: dict[str, set[int]] = {}
    for recipe in (balance, sweep, compare):
        for figure in recipe.build(_sweep(tmp_path)).figures():
            drawn = figure.drawing.table
            for column in {"line", "kind", "part"} & set(drawn.columns if "style" in drawn.columns else ()):
                for name, style in drawn.select(column, "style").unique().iter_rows():
                    analyses.setdefault(re.sub(r"^(share|score) of the |^\w+: | wins$", "", name), set()).add(
                        style
                    )
    analyses = {name: result for name, result in analyses.items() if name}
    assert all(len(result) == 1 for result in analyses.values()), analyses
    lineups = Findings(_sweep(tmp_path)).cells["lineup"].unique().to_list()
    assert analyses["first player"] == {0} and analyses["second player"] == {1} and {*lineups} <= {*analyses}
    assert len({min(analyses[name]) for name in ("first player", "second player", *lineups)}) == 2 + len(
        lineups
    )


def test_a_table_without_rows_is_not_shown() -> None:
    empty = report.table(ROWS.clear(), SHOWN, "Nothing here")
    page = _page(report.Section("s", ["said"], tables=[empty]))
    assert "Nothing here" not in report.render(page) and "Nothing here" not in report.as_text(page, "md")


def test_ends_of_an_interval_that_look_alike_get_more_digits() -> None:
    ends = {
        "low": report.Show("95 % from", "{:.1f}"),
        "high": report.Show("to", "{:.1f}"),
        "flag": report.Show("to", "{}"),
    }
    table = report.table(
        pl.DataFrame({"low": [31.02, 1.0, 2.0], "high": [31.04, 1.0, 3.0], "flag": [1, 2, 3]}), ends
    )
    assert table.rows == [["31.02", "31.04", "1"], ["1.0", "1.0", "2"], ["2.0", "3.0", "3"]]
    shares = report.table(
        pl.DataFrame({"low": [0.5001], "high": [0.5004]}),
        {k: report.Show(k, "{:.1%}") for k in ("low", "high")},
    )
    assert shares.rows == [["50.01 %", "50.04 %"]]


def _printed(run: MadeRun, source: str) -> pl.DataFrame:
    """The table that the query of a takeaway prints."""
    code = source.splitlines()
    assert code[1] == f"findings = sk.open_run({str(run.folder)!r})"
    printed: list[str] = []
    exec("\n".join(code[2:]), {"findings": Findings(run), "print": printed.append})
    return pl.read_csv(printed[0].encode())


def test_of_many_lineups_the_pictures_show_some_and_say_so(tmp_path: Path) -> None:
    lineups = [[a, b] for a in "abcdef" for b in "abcdef" if a < b]
    page = balance.build(made_run(tmp_path, lineups, [0.3 + 0.03 * i for i in range(15)], deals=20))
    captions = {figure.drawing.name: figure.caption for figure in page.figures()}
    farthest = "The 12 of 15 lineups in which the first player is farthest from fair."
    assert captions["seats"] == farthest
    assert sum("of 15 lineups" in caption for caption in captions.values()) >= 3
    assert len(page.chapters[0].sections[0].tables[0].rows) == 15


def test_a_curve_says_that_it_shows_some_of_many_lineups(tmp_path: Path) -> None:
    lineups = [[name, name] for name in "abcdefgh"]
    run = made_run(tmp_path, lineups, [0.5] * 24, deals=10, sweep={"goal": [1, 2, 3]})
    picture = balance.build(run).picture
    assert picture and picture.caption == "The first 7 of 8 lineups."


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown format 'doc'"):
        report.as_text(report.Report("t", "q"), "doc")


def test_the_format_goes_by_the_name_of_the_file() -> None:
    assert [report.format_of(name) for name in (None, "-", "a.html", "b/a.MD", "a.json", "a")] == [
        "html",
        "html",
        "html",
        "md",
        "json",
        "html",
    ]
    with pytest.raises(UsageError, match="a.txt: its ending must be that of a format: html, md, json, pdf"):
        report.format_of("a.txt")


def test_figures_are_written_as_png_and_linked_from_beside(tmp_path: Path) -> None:
    page = full_report("x")
    files = report.write_figures(page, tmp_path / "png")
    assert files == {name: tmp_path / "png" / f"{name}.png" for name in ("first", "square", "course")}
    assert files["square"].read_bytes() == Square().png()
    text = report.write(page, tmp_path / "deep" / "page.md", "md", files).read_text(encoding="utf-8")
    assert "![x](../png/square.png)" in text and "![x](../png/course.png)" in text


def test_two_figures_of_one_name_are_refused() -> None:
    twice = report.Section("A", figures=[report.Figure(Square(), "a"), report.Figure(Square(), "b")])
    for use in (report.render, lambda page: report.write_figures(page, "nowhere")):
        with pytest.raises(ValueError, match="'square' stands twice"):
            use(_page(twice))


@pytest.mark.drawn
def test_the_page_is_written_whole(tmp_path: Path) -> None:
    page = report.Report("t", "q")
    path = report.write(page, tmp_path / "new" / "page.html")
    assert path.read_text(encoding="utf-8") == report.render(page)
    assert [first.name for first in path.parent.iterdir()] == ["page.html"]


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = {
        tmp_path / "file" / "page.html": "cannot be written",
        tmp_path: "is a folder or a device; name a file",
    }
    for bad, message in refused.items():
        with pytest.raises(UsageError, match=message):
            report.write(report.Report("t", "q"), bad)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.slow
@pytest.mark.drawn
def test_the_same_run_gives_the_same_page(tmp_path: Path) -> None:
    run = _sweep(tmp_path)
    assert report.render(balance.build(run)) == report.render(balance.build(run))
