"""The page of a designer's own cards: drama and minutes before and after, an example game, the rules."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from scipy import stats
from simkit.content.reports.compare import change_tiles, own_lines
from simkit.content.reports.sections.stories import stories
from simkit.content.reports.sections.tension import drama

from simkit.engine import registry
from simkit.runs import experiment, runner
from simkit.runs.folder import Run, open_run
from simkit.tables import course as games_of
from simkit.tables.course import trace_blocks
from simkit.tables.findings import Findings

DEALS = 60


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Printed cards against cards without bonuses, traced."""
    folder = tmp_path_factory.mktemp("cards")
    rows = [
        f"{colour},{value},{'.' * value}" for colour in ("blue", "green", "purple") for value in (3, 4, 5, 6)
    ]
    (folder / "mine.csv").write_text("\n".join(["colour,value,spaces", *rows * 4, ""]))
    request = {
        "question": "?", "game": "outpost_seven", "deals": DEALS, "trace": DEALS, "lineups": ["random*2"],
        "sweep": {"files.cards": ["printed", str(folder / "mine.csv")]}, "baseline": {"files.cards": "printed"},
    }  # fmt: skip
    return open_run(runner.run(experiment.parse(request), folder / "run"))


def test_lead_changes_are_compared_on_the_traced_deals(run: Run) -> None:
    (block,) = trace_blocks(run)
    games = games_of.traced_games(block).sort("deal").collect()
    before, after = (games.filter(cell=cell)["lead_changes"].to_numpy() for cell in (0, 1))
    expected = stats.ttest_rel(after, before)
    row = Findings(run).comparisons.filter(measure="lead_changes").row(0, named=True)
    assert (row["base_value"], row["value"], row["deals"]) == (before.mean(), after.mean(), DEALS)
    ends = expected.confidence_interval(row["confidence"])
    assert (row["low"], row["high"]) == pytest.approx(tuple(ends))
    both = games.drop_nulls("decided").filter(pl.col("cell").n_unique().over("deal") == 2)
    decided = Findings(run).comparisons.filter(measure="decided").row(0, named=True)
    assert decided["deals"] == both.height / 2
    assert decided["value"] == pytest.approx(both.filter(cell=1)["decided"].mean())


def test_tiles_show_drama_and_minutes_before_and_after(run: Run) -> None:
    seconds = run.experiment.model_copy(update={"seconds_per_decision": 30.0})
    findings = Findings(replace(run, experiment=seconds))
    tiles = {tile.title: tile for tile in change_tiles(findings, findings.comparisons["setting"][0])}
    assert {"First player wins", "Length in turns", "Cards"} < {*tiles} and len(tiles) == 4
    *changed, more = tiles["Cards"].lines
    assert len(changed) == 3 and more.number.startswith("and ")
    assert tiles["First player wins"].note.startswith("games in 100")
    row = findings.comparisons.filter(measure="decisions").row(0, named=True)
    minutes = f"{row['base_value'] / 2:.1f} → {row['value'] / 2:.1f}"
    turns, at_the_table = tiles["Length in turns"].lines
    assert (at_the_table.number, at_the_table.of) == (minutes, "minutes at 30 s a decision")
    assert turns.of == "turns"


def test_changed_rows_come_first_in_the_tile_with_what_became_of_them() -> None:
    """One number of one card was changed, and the tile said “none surely changed”."""
    changed = [
        {
            "was": "population 1",
            "now": "population 6",
            "name": "population",
            "cells": "value: 1 → 6",
            "kind": "changed",
        },
        {"was": "blue 3", "now": "blue 3 A", "name": "blue", "cells": "space_1: none → A", "kind": "changed"},
        {"was": "", "now": "green 9", "name": "green", "cells": "", "kind": "added"},
    ]
    worth = [
        {
            "piece": "blue 3 A",
            "before": 0.04,
            "now": 0.09,
            "change": 0.05,
            "change_low": 0.01,
            "change_high": 0.09,
        },
        {"piece": "green 9", "before": None, "now": 0.1, "change": None, "why": "new"},
    ]
    assert [line[:] for line in own_lines(changed, worth)] == [
        ("value: 1 → 6", "not measured by itself", "population 1"),
        ("+4 → +9", "(+1.0 to +9.0), space_1: none → A", "blue 3 A"),
        ("added", "not compared, new", "green 9"),
    ]


def test_a_changed_row_is_the_component_of_its_name() -> None:
    """Measured buildings were “not measured by itself”: their name is only the first cell of the row."""
    changed = [
        {"was": "dome 5 3", "now": "dome 4 3", "name": "dome", "cells": "cost: 5 → 4", "kind": "changed"},
        {"was": "data_library 10 1", "now": "data_library 15 1", "name": "data_library", "cells": "", "kind": "changed"},
    ]  # fmt: skip
    sizes = {"before": 0.04, "now": 0.09, "change": 0.05, "change_low": 0.01, "change_high": 0.09}
    worth = [{"piece": piece} | sizes for piece in ("Dome", "data library")]
    assert [line[:] for line in own_lines(changed, worth)] == [
        ("+4 → +9", "(+1.0 to +9.0), cost: 5 → 4", "Dome"),
        ("+4 → +9", "(+1.0 to +9.0), changed", "data library"),
    ]


def test_the_chapter_on_tension_has_both_rule_sets(run: Run) -> None:
    section = drama(Findings(run))
    assert section is not None
    rows = section.tables[0].records()
    changes = {row["files.cards"]: row["value"] for row in rows if row["measure"] == "lead changes per game"}
    means = Findings(run).lead_changes["mean"]
    assert list(changes) == ["printed", "mine.csv"]
    assert [float(value) for value in changes.values()] == pytest.approx(means.to_list(), abs=0.06)
    svg = section.figures[0].drawing.svg()
    assert "mine.csv" in svg and "printed" in svg


def test_the_example_game_is_played_with_the_own_cards(run: Run) -> None:
    section = stories(Findings(run))
    assert "Played with cards: mine.csv." in section.text
    plays = run.games().filter(cell=1).select("play").collect()["play"].to_list()
    assert all(int(story.command.split()[-1]) in plays for story in section.stories)
    assert "bonuses" not in " ".join(story.moves for story in section.stories)


def test_the_page_of_the_game_tells_the_changed_rules_too(run: Run) -> None:
    page = registry.recipe("game").build(run)
    text = " ".join(text for section in page.sections for text in section.text)
    assert "As in the rulebook. Compared with it: cards: mine.csv." in text
    assert any(section.heading == "What you changed, and what became stronger" for section in page.sections)
    assert any(section.stories for section in page.sections if "game" in section.heading)
