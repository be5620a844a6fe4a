"""What a designer should know besides the answer, one sentence each: length, load, drama, draws, components."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.sections.common import first_cell, here, looked_at, meanings, percent, query
from reports.sections.components import CAUTION
from reports.sections.who import turns_of
from simkit import analysis
from simkit.report import Takeaway
from simkit.runlog import Run

Row = dict[str, Any]
NOTEWORTHY = 0.02  # of the games


def highlights(run: Run) -> list[Takeaway]:
    """Some sentences on the first cell to look at, each with n, interval and the query of its numbers."""
    found = [_length(run), *_load(run), *_drama(run), _draws(run), *_component(run)]
    first = analysis.cells_to_look_at(run)[0]
    if about := here(run).removeprefix("Shown for ").removesuffix("."):
        found[0] = (f"The following is about {about}. {found[0][0]}", found[0][1])
    return [
        *_endings(run),
        *(Takeaway(text, query(run, f"{table}.filter(cell={first})")) for text, table in found),
    ]


def _first(run: Run, frame: pl.DataFrame) -> Row:
    return first_cell(run, frame).row(0, named=True)


def _between(low: float, high: float, form: str, unit: str = "") -> str:
    if low == high:
        return "the same in every game"
    digits, sign = int(form.rpartition(".")[2][0]), "+" in form
    return f"95 % interval {analysis.span(low, high, digits, sign)}{unit}"


def _sure(row: Row, name: str, form: str = "{:.1f}") -> str:
    """The interval of a number, and what it rests on."""
    ends = (row[f"{name}_low"], row[f"{name}_high"]) if f"{name}_low" in row else (row["low"], row["high"])
    many = f"n = {row['games']:,} games"
    return many if None in ends else f"{_between(*ends, form)}, {many}"


def _mean(row: Row) -> str:
    """A mean with as many digits as its interval is told with."""
    if row["low"] is None:
        return f"{row['mean']:.1f}"
    return f"{row['mean']:.{analysis.places(row['low'], row['high'], lambda x, n: f'{x:.{n}f}')}f}"


def _length(run: Run) -> tuple[str, str]:
    row = _first(run, analysis.lengths(run).filter(pl.col("measure") == "turns"))
    text = f"A game takes {_mean(row)} turns {turns_of(run)} {analysis.when_played(row['lineup'])} ({_sure(row, 'mean')}); "
    return f"{text}nine of ten games take {row['p5']} to {row['p95']}.", "lengths(run)"


def _endings(run: Run) -> list[Takeaway]:
    """A second way for games to end, with whichever lineup it is most common; nothing where it is rare."""
    ends = looked_at(run, analysis.end_reasons(run))
    usual = (
        ends.group_by("end_reason").agg(pl.col("share").sum()).sort("share", descending=True)["end_reason"][0]
    )
    rarer = ends.filter((pl.col("end_reason") != usual) & (pl.col("share") >= NOTEWORTHY)).sort(
        "share", descending=True
    )
    if rarer.is_empty():
        return []
    row = rarer.row(0, named=True)
    text = f"Not all games end the same way: {percent(row['share'])} end by “{_plain(row['end_reason'])}” {analysis.when_played(row['lineup'])}"
    sure = _between(100 * row["low"], 100 * row["high"], "{:.1f}", " %")
    return [
        Takeaway(
            f"{text} ({sure}, n = {row['games']:,} games).",
            query(run, f"end_reasons(run).filter(cell={row['cell']})"),
        )
    ]


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _load(run: Run) -> list[tuple[str, str]]:
    if not analysis.has_load(run):
        return []
    row = _first(run, analysis.load(run))
    if row["branching"] is None:
        return [("There is nothing to decide in this game: luck alone plays it.", "load(run)")]
    text = f"In a turn a seat decides {row['per_turn']:.1f} times, among {row['branching']:.1f} possibilities on average ({_sure(row, 'branching')})"
    wait = (
        ""
        if row["wait"] is None
        else f"; between two turns it waits for {row['wait']:.1f} decisions of others"
    )
    return [(f"{text}{wait}.", "load(run)")]


def _drama(run: Run) -> list[tuple[str, str]]:
    if not run.experiment.trace:
        return []
    decided, changes = _first(run, analysis.decided_at(run)), _first(run, analysis.lead_changes(run))
    if changes["mean"] == 0:
        never = _between(100 * changes["none_low"], 100 * changes["none_high"], "{:.1f}", " %")
        return [
            (
                f"The lead never passes from one seat to another (such games: {never}, n = {changes['games']:,} games).",
                "lead_changes(run)",
            )
        ]
    many = f"The lead changes {changes['mean']:.1f} times in a game ({_sure(changes, 'mean')})"
    if decided["mean"] is None:
        return [(f"{many}.", "lead_changes(run)")]
    at = f"looking back, the winner leads for good after {percent(decided['mean'])} of the game, on average"
    return [
        (
            f"{many}; {at}, and {percent(decided['early'])} of the games are decided before half-way.",
            "lead_changes(run)",
        )
    ]


def _draws(run: Run) -> tuple[str, str]:
    row = _first(run, analysis.draws(run))
    ends = _between(100 * row["low"], 100 * row["high"], "{:.1f}", " %")
    if row["share"] == 0:
        return f"No game was drawn (n = {row['games']:,} games; {ends}).", "draws(run)"
    return (
        f"{percent(row['share'])} of the games are drawn ({ends}, n = {row['games']:,} games).",
        "draws(run)",
    )


def _component(run: Run) -> list[tuple[str, str]]:
    """The largest difference between those with much and little."""
    found = analysis.components(run)
    known = _first_known(run, found) if found.height else found
    if known.is_empty():
        return []
    row = known.row(0, named=True)
    name = meanings(run, "seats").get(row["column"]) or row["column"]
    much, little = (
        ("some", "none") if row["has"] else (f"{row['high']:g} or more", f"{row['low']:g} or fewer")
    )
    ends = _between(
        100 * (row["difference_low"] or 0),
        100 * (row["difference_high"] or 0),
        "{:+.0f}",
        " percentage points",
    )
    ends = ends if row["difference_low"] is not None else "a single deal"
    text = (
        f"Most telling of what the game logs is “{name}”: seats with {much} win {percent(row['with_share'])} of their games, seats with {little} "
        f"{percent(row['without_share'])} (difference: {ends}, n = {row['with_games']:,} and {row['without_games']:,} seats). {CAUTION}"
    )
    return [(text, "components(run)")]


def _first_known(run: Run, found: pl.DataFrame) -> pl.DataFrame:
    return first_cell(run, found).filter(pl.col("difference").is_not_null())
