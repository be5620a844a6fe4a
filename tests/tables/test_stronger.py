"""What a designer's own cards changed: each changed card is compared with what it was before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_pieces import Became, made_pieces
from simkit.content.reports.compare import change_tiles
from simkit.content.reports.sections.components import WORTH_NOTE, cards_changed
from synthetic import noted, with_words
from test_pieces import turn_games

from simkit.runs.experiment import Experiment, parse
from simkit.runs.run_metadata import PieceWords
from simkit.tables import own_tables
from simkit.tables.findings import Findings

GAMES = 400
OLD = ["ace 3", "king 3", "joker 3"]
NEW = ["ace 5", "king 3", "joker 3", "blank 3"]  # the ace changed, the blank is new
SWEEP = {"files.cards": ["printed", "mine.csv"]}


def games(wins: Any, ace: str, seed: int) -> list[Any]:
    """Games in which the ace goes by such a name, and the king is the king 3."""
    names = {"ace": ace, "king": "king 3"}
    return [
        (story, [first | {"piece": names[first["piece"]]} for first in own])
        for story, own in turn_games(GAMES, 0.5, wins, seed)
    ]


def compared(folder: Path, before: float, now: float) -> Findings:
    """The printed cards, whose ace wins so many games more than the king, against the designer's own."""
    first = games(lambda ahead, ace: 0.4 + before * ace, OLD[0], 1)
    both = [*first, *games(lambda ahead, ace: 0.4 + now * ace, NEW[0], 2)]
    run = made_pieces(folder, both, {name: {} for name in {*OLD, *NEW}})
    for path in folder.glob("*.parquet"):
        cell = (pl.col("deal") >= GAMES).cast(pl.Int32)
        rows = pl.read_parquet(path).with_columns(cell=cell, deal=pl.col("deal") % GAMES)
        rows.write_parquet(path)
    return Findings(_two_cells(run))


def _two_cells(run: Became) -> Became:
    cells = [
        replace(
            run.cells[0],
            index=i,
            varied={"files.cards": name},
            deals=GAMES,
            first_play=i * GAMES,
            baseline=not i,
        )
        for i, name in enumerate(SWEEP["files.cards"])
    ]
    tables = {"printed": _rows(OLD), "mine.csv": _rows(NEW)}
    pieces = [
        PieceWords(
            label=name,
            kinds={"cost": name[-1]},
            copies=1,
            cells=[i for i, own in enumerate((OLD, NEW)) if name in own],
        )
        for name in dict.fromkeys([*OLD, *NEW])
    ]
    run = noted(with_words(run, pieces=pieces), tables={"files.cards": tables})
    return replace(run, experiment=_experiment(), cells=cells)


def _rows(names: list[str]) -> list[list[str]]:
    return [["name", "cost"], *(name.split() for name in names)]


def _experiment() -> Experiment:
    keys = {"question": "?", "game": "made", "deals": GAMES, "trace": GAMES, "lineups": [["made", "made"]]}
    return parse(keys | {"sweep": SWEEP, "baseline": {"files.cards": "printed"}})


def test_a_changed_card_is_compared_with_what_it_was(tmp_path: Path) -> None:
    result = compared(tmp_path, 0.0, 0.3)
    ace = result.stronger_pieces.row(0, named=True)
    assert (ace["piece"], ace["was"], ace["why"]) == ("ace 5", "ace 3", "")
    old, new = (result.only([cell]).pieces for cell in (0, 1))
    worth = [table.filter(piece=name)["difference"][0] for table, name in ((old, "ace 3"), (new, "ace 5"))]
    assert (ace["before"], ace["now"]) == tuple(worth)
    assert ace["change"] == pytest.approx(worth[1] - worth[0])
    assert ace["change_low"] < 0.3 < ace["change_high"] and ace["p_adjusted"] < 0.01
    tile = change_tiles(result, ace["setting"])[-1]
    assert tile.lines[0].of == "ace 5" and "cost: 3 → 5" in tile.lines[0].note
    section = cards_changed(result)
    assert section is not None
    first = section.tables[0].records()[0]
    assert (first["piece"], first["was"]) == ("ace 5", "ace 3") and section.text == [WORTH_NOTE]


def test_each_kind_of_card_is_drawn_before_and_with_the_own_cards(tmp_path: Path) -> None:
    result = compared(tmp_path, 0.0, 0.3)
    (picture,) = cards_changed(result).figures  # type: ignore[union-attr]
    drawn, own = picture.drawing.table, result.only([1]).piece_kinds.filter(of="5")
    assert drawn.filter(label="cost: 5")["value"].to_list() == pytest.approx(
        100 * own["difference"].to_numpy()
    )
    assert drawn.filter(label="cost: 3")["kind"].to_list() == ["before", "with your own"]
    assert picture.title == "What changed cards and each kind are worth, before and with your own"


def test_a_change_at_the_end_of_its_95_percent_interval_has_p_value_5_percent() -> None:
    z = 1.959964
    change, low, _, p = own_tables._worth_change(0.3, 2 * 0.3 * z, 0.3 - 0.5 * z, 2 * 0.4 * z)
    assert change == pytest.approx(0.5 * z) and low == pytest.approx(0, abs=1e-9)
    assert p == pytest.approx(0.05, abs=1e-6)


def test_a_new_card_and_a_card_too_rare_to_compare_are_told_apart(tmp_path: Path) -> None:
    result = compared(tmp_path, 0.1, 0.1)
    why = dict(result.stronger_pieces.select("piece", "why").rows())
    assert why == {"ace 5": "", "king 3": "", "blank 3": "new", "joker 3": "too rare"}
