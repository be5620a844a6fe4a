"""Prices and owners: the table against the rows of a run counted one by one, and the recipe that shows it."""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest
from simkit.content.reports.upgrades import greatest_bid

from simkit.engine import registry
from simkit.page import document
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.tables.findings import Findings, cells_to_look_at


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    request = experiment.parse(
        {
            "question": "Worth?",
            "game": "outpost",
            "deals": 40,
            "lineups": ["reference_greedy*3"],
            "sweep": {"ruleset": ["basic", "expert"]},
        }
    )
    folder = tmp_path_factory.mktemp("runs") / "upgrades"
    runner.run(request, folder, 1, "threading", None)
    return open_run(folder)


def test_prices_and_shares_are_those_of_the_rows(run):
    table = Findings(run).ownership
    games, seats = run.games().collect(), run.seats().collect()
    for row in table.filter(pl.col("thing").is_in(["space station", "nodule"])).iter_rows(named=True):
        name = row["thing"].replace(" ", "_")
        mine, owners = (
            games.filter(cell=row["cell"]),
            seats.filter((pl.col("cell") == row["cell"]) & (pl.col(f"own_{name}") > 0)),
        )
        none = seats.filter((pl.col("cell") == row["cell"]) & (pl.col(f"own_{name}") == 0))
        groups = [(owners.filter(seat=seat), none.filter(seat=seat)) for seat in range(3)]
        both = [(own["share"], other["share"]) for own, other in groups if own.height and other.height]
        weights = [len(own) * len(other) / (len(own) + len(other)) for own, other in both]
        with_, without = (
            np.average([pair[side].mean() for pair in both], weights=weights) for side in (0, 1)
        )
        assert row["sold"] == pytest.approx(mine[f"sold_{name}"].sum() / mine.height)
        assert row["price"] == pytest.approx(mine[f"price_{name}"].sum() / mine[f"sold_{name}"].sum())
        assert row["printed"] == {"nodule": 25, "space_station": 120}[name] and row[
            "premium"
        ] == pytest.approx(row["price"] - row["printed"])
        assert row["over"] == pytest.approx(mine[f"price_{name}"].sum() / mine[f"printed_{name}"].sum() - 1)
        assert row["owners"] == pytest.approx(owners.height / (owners.height + none.height))
        assert row["difference"] == pytest.approx(with_ - without)
        assert row["difference_low"] < row["difference"] < row["difference_high"]
    assert table.height == 2 * 13 and table["thing"][0] == "data library"


def test_the_recipe_tells_what_is_bid_up_and_that_owners_are_a_correlation(run):
    page = registry.recipe("upgrades").build(run)
    assert any("correlational, not causal" in first.text for first in page.takeaways_of("sure"))
    (prices,) = [section for section in page.sections if section.heading == "Prices and owners"]
    assert prices.tables[0].rows and prices.figures[0].drawing.name == "owners"
    assert "Correlational" in document.as_text(page, "md", {})


def test_a_game_without_sales_has_an_empty_table(tmp_path):
    request = experiment.parse({"question": "?", "game": "pig", "deals": 5, "lineups": ["random*2"]})
    runner.run(request, tmp_path / "pig", 1, "threading", None)
    assert Findings(open_run(tmp_path / "pig")).ownership.is_empty()


def test_the_answer_gives_the_greatest_bid_and_who_plays_there(run):
    findings = Findings(run)
    most = findings.ownership.filter(pl.col("cell").is_in(cells_to_look_at(run))).sort(
        "over", descending=True
    )
    size = f"{100 * most['over'][0]:+.0f} % above its printed cost"
    assert greatest_bid(findings).startswith(f"“{most['thing'][0].capitalize()}” is bid up most")
    assert greatest_bid(findings).endswith(size)


def test_the_headline_names_its_setting_and_whose_owners_win_most(run):
    answer = registry.recipe("upgrades").build(run).takeaways_of("answer")[0].text
    owned = Findings(run).ownership.filter(cell=0).drop_nulls("difference")
    first = owned.sort("difference", descending=True)["thing"][0]
    assert re.match(r"At rule set: Basic game, “[a-z]", answer)
    assert f"Seats that end with “{first}” gain most: +" in answer
