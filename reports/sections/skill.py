"""Skill against luck, and what strength does to the seats."""

from __future__ import annotations

import polars as pl

from reports.sections.common import HIGH, LOW, PERCENT, POINTS, SHARE, N, inches, points
from reports.sections.ratings import setting, where_of
from simkit import charts
from simkit.report import Figure, Section, Show, Story, table
from simkit.runlog import Run


def skill_section(ladders: pl.DataFrame, ahead: pl.DataFrame) -> Section:
    """How long the ladder is, and how often the stronger of two is ahead."""
    text = (
        "A step: the distance at which one wins 60 of 100 games against the other (70 Elo). Many steps between the weakest and the strongest: "
        "skill has room to grow; few: luck decides, or these strategies are alike. It is a property of the strategies that took part, "
        "and at least that much skill is in the game."
    )
    steps = {
        "steps": Show("steps of 60:40", "{:.1f}"),
        "steps_low": Show("95 % from", "{:.1f}", LOW),
        "steps_high": Show("to", "{:.1f}", HIGH),
    }
    rungs = {
        "rungs": Show(
            "rungs", "{}", "strategies that each rate a whole step above the next, from the best down"
        )
    }
    columns = (
        where_of(ladders)
        | {"best": Show("strongest"), "worst": Show("weakest"), "span": Show("Elo apart", "{:.0f}")}
        | steps
        | rungs
        | N
    )
    tables = [table(ladders, columns, "Ladder from the weakest to the strongest")] if ladders.height else []
    if ahead.height:
        pairs = {"pairs": Show("pairs", "{}", "pairs of strategies that met")}
        tables.append(
            table(
                ahead,
                where_of(ahead) | pairs | SHARE | N,
                "How often the stronger of two finishes ahead (a tie counts half)",
            )
        )
    return Section("Skill and luck", [text], [], tables)


def mirror_section(run: Run, found: pl.DataFrame, command: str) -> Section:
    """The seat advantage by strength."""
    heading = "Seat advantage by strength"
    if found.is_empty():
        text = "No strategy sat in every seat, so this run cannot say whether the seats matter more to strong play. Another run would:"
        return Section(heading, [text], stories=[Story("Commands for a run that says it", command)])
    text = (
        "What the first seat is worth where the same strategy sits in every seat, the strongest strategy on top. A seat advantage that grows "
        "with strength is in the game; one that strong play loses came from weak play."
    )
    drawn = found.filter(pl.col("setting") == setting(run)).with_columns(
        pl.col("strategy").alias("label"), pl.format("tables of {}", pl.col("seats")).alias("kind")
    )
    drawing = charts.picture(
        "mirrors",
        charts.forest,
        drawn,
        height=inches(drawn, drawn["kind"].n_unique()),
        unit="Share of the first seat",
    )
    alt = "Share of the first seat by strategy, the strongest on top, with 95 % interval and fair share; numbers in the table"
    columns = where_of(found) | {
        "strategy": Show("strategy"),
        "elo": Show("Elo", "{:+.0f}"),
        "share": Show("first seat", PERCENT),
    }
    columns |= {
        "fpa": Show(POINTS, points, "share of the first seat less the fair share"),
        "fpa_low": Show("95 % from", points, LOW),
    }
    columns |= {"fpa_high": Show("to", points, HIGH), "verdict": Show("verdict")} | N
    return Section(heading, [text], [Figure(drawing, alt)], [table(found, columns, heading)])
