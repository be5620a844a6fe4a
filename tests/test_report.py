"""The page: well formed, self-contained, escaped; its numbers are those of the analysis."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made import MadeRun, made_run

from reports import balance
from simkit import analysis, report
from simkit.errors import UsageError

VOID = {"meta", "link", "br", "img", "hr", "input", "path", "use", "rect"}
EVIL = "<script>alert(1)</script>"


class Reader(HTMLParser):
    """Reads a page: its tags, whether they are closed in order, the cells of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self.open and self.open[-1] == "td":
            self.cells.append(data)


def _sweep(folder: Path, question: str = "Which opening is fair?", names: tuple[str, str] = ("greedy", "banker")) -> MadeRun:
    a, b = names
    values = [0.40, 0.42, 0.45, 0.47, 0.50, 0.52]
    sweep = {"second": [12, 14, 16]}
    return made_run(folder, [[a, a], [a, b]], values, question=question, sweep=sweep, baseline={"second": 14})


KINDS: dict[str, dict[str, Any]] = {
    "one cell": {"lineups": [["a", "a"]], "shares": [0.5]},
    "named choice": {"lineups": [["a", "a"], ["b", "b"]], "shares": [0.4, 0.5] * 3, "sweep": {"rule": ["draft", "exact", "random"]}},
    "tied": {"lineups": [["a", "a"]], "shares": [0.4, 0.5], "sweep": {"first, second": [[12, 16], [14, 14]]}},
    "flag": {"lineups": [["a", "a"]], "shares": [0.4, 0.5], "sweep": {"neutral": [True, False]}},
    "three seats": {"lineups": [["a", "b", "c"], ["a"] * 3], "shares": [0.4, 0.3]},
    "two and three seats": {"lineups": [["a", "a"], ["a"] * 3], "shares": [0.4, 0.3] * 2, "sweep": {"second": [12, 14]}},
    "round robin": {"lineups": [["a", "b"], ["a", "c"], ["b", "c"]], "shares": [0.4, 0.3, 0.5]},
    "never won": {"lineups": [["a", "a"]], "shares": [0.0]},
    "one deal": {"lineups": [["a", "b"]], "shares": [0.5], "deals": 1},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_run_has_a_page(kind: str, tmp_path: Path) -> None:
    keys = dict(KINDS[kind])
    page = report.render(balance.build(made_run(tmp_path, keys.pop("lineups"), keys.pop("shares"), **keys)))
    assert Reader(page).open == []
    assert not re.findall(r"\bnan\b|\bNone\b|\binf\b", page)


def test_the_page_is_whole_and_asks_for_nothing(tmp_path: Path) -> None:
    page = report.render(balance.build(_sweep(tmp_path)))
    reader = Reader(page)
    assert reader.open == []
    assert not re.search(r"https?:|//[a-z]|@import|url\((?!#)", page)
    assert not {tag for tag, _ in reader.tags} & {"script", "link", "img", "iframe"}
    assert not [name for _, attrs in reader.tags for name in attrs if name.startswith("on")]
    ids = [attrs["id"] for _, attrs in reader.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    drawings = [attrs for tag, attrs in reader.tags if tag == "svg"]
    assert len(drawings) >= 4 and all(one["role"] == "img" and one["aria-label"] for one in drawings)


def test_the_numbers_on_the_page_are_those_of_the_analysis(tmp_path: Path) -> None:
    run = _sweep(tmp_path)
    cells = Reader(report.render(balance.build(run))).cells
    seats = analysis.seat_shares(run)
    width = 9  # second, lineup, seat, share, low, high, fair, games, deals
    rows = [cells[i * width : (i + 1) * width] for i in range(seats.height)]
    for row, known in zip(rows, seats.iter_rows(named=True), strict=True):
        percents = [f"{known[key]:.1%}".replace("%", " %") for key in ("share", "low", "high", "fair")]
        assert row == [str(known["second"]), known["lineup"], str(known["seat"]), *percents, f"{known['games']:,}", f"{known['deals']:,}"]


def test_question_answer_and_command_are_on_the_page(tmp_path: Path) -> None:
    run = _sweep(tmp_path)
    words = "".join(Reader(report.render(balance.build(run))).words).replace("\u00a0", " ")
    found = analysis.answer(run)
    for text in ("Which opening is fair?", found.sentence, *found.details, *found.warnings, "simkit run made.toml"):
        assert text in words


def test_names_stay_text(tmp_path: Path) -> None:
    page = report.render(balance.build(_sweep(tmp_path, question=f"Fair? {EVIL} \"&'", names=(EVIL, '"><b onload=x>'))))
    reader = Reader(page)
    assert EVIL not in page and "&lt;script&gt;" in page
    assert not {tag for tag, _ in reader.tags} & {"script", "b"}


def test_a_drawing_s_words_are_escaped() -> None:
    section = report.Section("x", figures=[report.Figure("<svg viewBox='0 0 1 1'></svg>", f'"{EVIL}')])
    page = report.render(report.Report("t", "q", ["a"], sections=[section]))
    assert EVIL not in page and "&quot;&lt;script&gt;" in page


def test_texts_of_a_table() -> None:
    frame = pl.DataFrame({"n": [1234, None], "p": [-0.5, 0.25], "name": ["a-b 5%", "c"]})
    shown = {"n": report.Show("n", "{:,}"), "p": report.Show("p", "{:+.1%}"), "name": report.Show("name")}
    found = report.table(frame, shown)
    assert found.rows == [["1,234", "−50.0 %", "a-b 5%"], ["–", "+25.0 %", "c"]]
    assert found.numbers == [True, True, False]


def test_the_page_is_written_whole(tmp_path: Path) -> None:
    page = report.Report("t", "q", ["a"])
    path = report.write(page, tmp_path / "new" / "page.html")
    assert path.read_text(encoding="utf-8") == report.render(page)
    assert [one.name for one in path.parent.iterdir()] == ["page.html"]


def test_a_path_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for bad in (tmp_path / "file" / "page.html", tmp_path):
        with pytest.raises(UsageError, match="cannot be written"):
            report.write(report.Report("t", "q", ["a"]), bad)
    assert os.listdir(tmp_path) == ["file"]


def test_the_same_run_gives_the_same_page(tmp_path: Path) -> None:
    run = _sweep(tmp_path)
    assert report.render(balance.build(run)) == report.render(balance.build(run))
