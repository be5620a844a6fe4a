"""A luck study: how much of who wins is the setup, what is drawn during play, chance in the choices."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from synthetic import noted

from simkit.ask import luck as luck_study
from simkit.engine import registry
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.page.words.luck import luck_sentences
from simkit.runs import runner
from simkit.runs.experiment import parse
from simkit.runs.folder import LUCK_STUDY, Run, open_run
from simkit.runs.play import seating
from simkit.runs.storage import checksums
from simkit.tables import luck
from simkit.tables.findings import Findings
from tests.commands import invoke

DEALS = 2000
# Kuhn poker between random players, counted over the deals and the ways to play: who wins has variance
# 63/256; the cards alone have 25/256 of it, the choices alone 23/256.
KUHN = {"setup": 25 / 63, "choices": 23 / 63, "together": 15 / 63}


def built(folder: Path, **keys: object) -> Run:
    keys = {"question": "?", "game": "kuhn_poker", "deals": DEALS, "lineups": ["random*2"]} | keys
    return open_run(runner.run(parse(keys), folder / "run"))


def report(run: Run, *words: str) -> str:
    return invoke("report", run.folder, *words).stdout


@pytest.fixture(scope="module")
def kuhn(tmp_path_factory: pytest.TempPathFactory) -> Run:
    run = built(tmp_path_factory.mktemp("kuhn"))
    luck_study.write(run, DEALS)
    return run


def test_the_parts_of_kuhn_poker_are_those_counted_by_hand(kuhn: Run) -> None:
    table = Findings(kuhn).luck_parts
    assert dict(table.select("part", "plays").iter_rows()) == dict.fromkeys(KUHN, 4)
    for row in table.rows(named=True):
        assert row["alone_low"] < KUHN[row["part"]] < row["alone_high"]
        assert row["alone_high"] - row["alone_low"] < 0.1
        assert row["deals"] == DEALS and row["games"] == 4 * DEALS
    assert table["alone"].sum() == pytest.approx(1)
    totals = table.drop_nulls("total").select("total_low", "total_high", "part").rows()
    assert all(low < KUHN[part] + KUHN["together"] < high for low, high, part in totals)


def test_what_drawing_one_kind_anew_changes_is_that_kind_alone(kuhn: Run) -> None:
    """With the cards as they were all deals have the same cards, whatever is chosen."""
    place = seating(kuhn.experiment, kuhn.cells[0])
    games = np.array([np.arange(200), np.zeros(200, np.int64)])
    table = place.table

    def cards(*kinds: str) -> np.ndarray:
        table.redraw(*kinds)
        return table.play(place.lineup, place.seed, *games)["card"].copy()

    was, chosen, dealt = cards(), cards("choice", "blunder"), cards("deal")
    assert (was == chosen).all() and 0.5 < (was[:, 0] != dealt[:, 0]).mean() < 0.8
    assert (cards() == was).all()


def test_the_plays_of_a_study_are_crossed(kuhn: Run) -> None:
    contents = luck.read(kuhn.folder)
    assert contents is not None
    plays, streams = contents
    assert streams == {"setup": ["deck"], "choices": []}
    assert plays.height == 4 * DEALS * 2 and plays["play"].null_count() == plays.height
    first = plays.filter(~pl.col("setup"), ~pl.col("choices")).sort("deal", "seat")
    logged = kuhn.seats().sort("deal", "seat").select("deal", "seat", "share").collect()
    assert first["share"].to_list() == logged["share"].to_list()


def test_the_same_study_is_the_same_file_and_stays_with_the_run(kuhn: Run) -> None:
    was = checksums.digest(kuhn.folder / LUCK_STUDY)
    luck_study.write(kuhn, DEALS)
    assert checksums.digest(kuhn.folder / LUCK_STUDY) == was
    runner.run(kuhn.experiment, kuhn.folder)  # again: all is there
    assert luck.read(kuhn.folder) is not None


def test_the_command_keeps_a_study_that_later_pages_show(tmp_path: Path) -> None:
    run = built(tmp_path, deals=150)
    assert "hangs on several of these at once" not in report(run, "-o", "-", "--format", "md")
    message = report(run, "--luck-study", "150")
    assert (
        "Of who wins, the setup alone decides " in message and "n = 150 deals, each played 4 times" in message
    )
    page = report(run, "-o", "-", "--format", "json")
    sections = [section for part in json.loads(page)["chapters"] for section in part["sections"]]
    (sentence,) = [section for section in sections if "What decides who wins" in str(section["tables"])]
    assert "deck" in str(sentence["tables"])
    assert "the setup alone decides" in report(run, "-o", "-", "--format", "md")


def test_a_study_that_was_changed_is_not_read(tmp_path: Path) -> None:
    run = built(tmp_path, deals=120)
    luck_study.write(run, 120)
    with open(run.folder / LUCK_STUDY, "ab") as file:
        file.write(b"x")
    assert luck.read(run.folder) is None and Findings(run).luck_parts.is_empty()


def test_games_that_are_no_longer_as_logged_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = built(tmp_path, deals=120)
    shares = luck_study._shares
    monkeypatch.setattr(luck_study, "_shares", lambda place, games: 1 - shares(place, games))
    with pytest.raises(UsageError, match="deal 0 of cell 0 is no longer played as the log says: the sources"):
        luck_study.write(run, 120)
    assert not (run.folder / LUCK_STUDY).exists()


def test_a_run_that_keeps_going_has_no_luck_study(tmp_path: Path) -> None:
    run = built(tmp_path, deals=120, keep_going=True)
    with pytest.raises(UsageError, match="a run with --keep-going has no luck study"):
        report(run, "--luck-study", "100")
    assert not (run.folder / LUCK_STUDY).exists()


def test_a_run_that_is_not_finished_has_no_study_yet(tmp_path: Path) -> None:
    run = built(tmp_path, deals=120)
    unfinished = noted(run, finished=None)
    with pytest.raises(UsageError, match="a luck study needs a finished run; run it again to finish it"):
        luck_study.write(unfinished, 120)


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    run = built(tmp_path, deals=120)
    (run.folder / f".{LUCK_STUDY}.tmp" / "x").mkdir(parents=True)  # where the file is written first
    with pytest.raises(UsageError, match="cannot write there: "):
        luck_study.write(run, 120)


def test_who_sits_where_is_no_luck_where_strategies_change_seats(tmp_path: Path) -> None:
    """Every deal is studied in one of its rotations; the strategies in both."""
    run = built(tmp_path, lineups=[["nash", "random"]], deals=400)
    luck_study.write(run, 400)
    contents = luck.read(run.folder)
    assert (
        contents is not None and contents[0].group_by("rotation").len()["len"].to_list() == [4 * 200 * 2] * 2
    )
    assert Findings(run).luck_parts["alone"].sum() == pytest.approx(1)


def test_the_only_luck_of_a_game_decides_all(tmp_path: Path) -> None:
    run = built(tmp_path, game="pig", lineups=["hold_at*2"], deals=150)
    luck_study.write(run, 150)
    findings = Findings(run)
    parts = {row["part"]: row for row in findings.luck_parts.rows(named=True)}
    assert parts["play"]["alone"] == 1 and parts["choices"]["alone"] == parts["together"]["alone"] == 0
    assert 0.95 < parts["play"]["alone_low"] < 1
    assert parts["play"]["streams"] == "die"


def test_a_team_has_its_share_studied(tmp_path: Path) -> None:
    run = built(tmp_path, game="rope_bridge", lineups=["random*3"], deals=300)
    luck_study.write(run, 300)
    findings = Findings(run)
    contents = luck.read(run.folder)
    assert contents is not None and contents[0]["seat"].unique().to_list() == [0]
    parts = {row["part"]: row["total"] for row in findings.luck_parts.rows(named=True)}
    assert parts["setup"] == 0  # hats do nothing
    assert list(luck_sentences(findings))


@pytest.mark.parametrize("name", sorted(registry.games()))
def test_every_stream_of_every_game_is_of_a_kind_of_luck(name: str) -> None:
    game = registry.game(name)
    named = [first for names in luck_study.streams_of(game).values() for first in names]
    assert sorted(named) == sorted(first.partition("/")[2] for first in game.streams)
    table = GameTable(game, game.rules({}))
    usual = table.names.copy()
    table.redraw("deal", "nature")
    assert not set(usual.tolist()) & set(table.names.tolist())
