"""Restricted play: what is worth more than its price is told by what who goes without it wins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from simkit.content.reports.restricted import price_sentence, restricted_play, with_things
from synthetic import MadeRun, made_run, seats_win

from simkit.engine.lineups import Named
from simkit.tables.findings import Findings

FULL = Named("planner", {})


def without(folder: Path, chances: dict[str, float], deals: int) -> MadeRun:
    """One of three goes without a thing, and wins such a part of its games."""
    return without_at(folder, [chances], deals)


def without_at(folder: Path, prices: list[dict[str, float]], deals: int) -> MadeRun:
    """The same at several prices."""
    keys: dict[str, Any] = {"sweep": {"price": list(range(len(prices)))}, "baseline": {"price": 0}}
    won = [chance for chances in prices for chance in chances.values()]
    lineups, shares = [["a", "b", "b"] for _ in prices[0]], [0.3] * len(won)
    run = made_run(folder, lineups, shares, deals, **(keys if len(prices) > 1 else {}))
    names = [Named("planner", {"without": thing}) for chances in prices for thing in chances]
    cells = [replace(cell, lineup=(first, FULL, FULL)) for cell, first in zip(run.cells, names, strict=True)]
    third = [[1 / 3] * 3 for _ in cells]
    run = seats_win(replace(run, cells=cells), third)
    seats, luck = pl.read_parquet(folder / "seats.parquet"), pl.col("deal") / deals
    lost = pl.col("cell").replace_strict(dict(enumerate(won)), return_dtype=pl.Float64)
    odd = pl.col("strategy") == "a"
    share = pl.when(odd).then((luck < lost).cast(pl.Float64)).otherwise((luck >= lost).cast(pl.Float64) / 2)
    called = pl.when(odd).then(
        pl.col("cell").replace_strict({cell: str(first) for cell, first in enumerate(names)})
    ).otherwise(pl.lit(str(FULL)))  # fmt: skip
    seats.with_columns(share=share, strategy=called).write_parquet(folder / "seats.parquet")
    return run


def test_what_who_goes_without_wins_is_the_answer(tmp_path: Path) -> None:
    run = without(tmp_path, {"dome": 0.1, "silo": 0.33, "tower": 0.6}, 300)
    findings = Findings(run)
    assert findings.restricted["share"].to_list() == pytest.approx([0.1, 0.33, 0.6], abs=0.01)
    message = price_sentence(with_things(findings).sort("share"))
    assert message == (
        "Under-priced: dome (who goes without wins 10 games of 100; 33 is even); over-priced: tower (60); "
        "not settled: silo (33)."
    )
    brief = restricted_play(findings)
    assert brief.takeaways[0].text == message
    assert (
        brief.step.text == "Four times as many deals (1,200 of each) may settle what is open: silo."
        and "--deals 1200" in brief.step.command
    )


def test_intervals_hold_for_all_things_together(tmp_path: Path) -> None:
    findings = Findings(without(tmp_path, {"dome": 0.3, "silo": 0.3}, 300))
    joint = findings.restricted.join(findings.strategy_shares, on=["cell", "strategy"], suffix="_alone")
    assert (joint["low"] < joint["low_alone"]).all() and (joint["high"] > joint["high_alone"]).all()


def test_nobody_goes_without_where_programs_differ(tmp_path: Path) -> None:
    assert Findings(made_run(tmp_path, [["a", "b", "b"]], [0.4], 40)).restricted.is_empty()


@pytest.mark.slow
def test_at_every_setting_those_are_shown_whose_worth_moves_most(tmp_path: Path) -> None:
    """At 31 of 32 prices who goes without a dome wins as little as at the first; at the last more."""
    run = without_at(tmp_path, [{"dome": 0.2, "silo": 0.3}] * 31 + [{"dome": 0.6, "silo": 0.3}], 200)
    section = restricted_play(Findings(run))
    shown = section.glance.on_page
    assert len(shown.shown) == 10 and "10 of 64 rows, those farthest from the baseline" in shown.caption
    assert shown.columns[0].name == "price"
    most = max((shown.records()[place] for place in shown.shown), key=lambda row: row["share"])
    assert most["thing"] == "dome" and most["share"] == pytest.approx(0.6, abs=0.01)
