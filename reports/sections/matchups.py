"""Who beats whom, and what follows for a designer: strategies that matter, that are superfluous, and circles."""

from __future__ import annotations

import polars as pl

from reports.sections.common import PERCENT, N, points
from reports.sections.ratings import setting, where_of
from simkit import charts
from simkit.report import Figure, Section, Show, table
from simkit.runlog import Run

JOINT = "of an interval that holds for all matchups together (95 %, Bonferroni)"


def matchup_section(run: Run, pairs: pl.DataFrame, met: pl.DataFrame, order: list[str]) -> Section:
    """The heat map and the pairs beyond noise."""
    shown = met.filter(pl.col("setting") == setting(run))
    heads = {"row": "strategy", "column": "opponent"}
    drawn = (
        pairs.filter(pl.col("setting") == setting(run))
        .rename(heads)
        .drop("low", "high")
        .with_columns(_place(order))
    )
    drawn = drawn.sort(
        "place", pl.col("opponent").replace_strict(_places(order), default=len(order), return_dtype=pl.Int64)
    )
    text = [
        "Share of the row against the column. beats: more than half, beyond noise; even: the interval still holds one half. The intervals "
        "are wide enough that all of them together are right in 95 of 100 such runs."
    ]
    figures = (
        [] if len(order) < 3 else [_heat(drawn.rename({"strategy": "row", "opponent": "column"}), len(order))]
    )
    columns = where_of(met) | {
        "strategy": Show("strategy"),
        "result": Show("result"),
        "opponent": Show("opponent"),
    }
    columns |= {
        "share": Show("share", PERCENT),
        "low": Show("from", PERCENT, f"lower end {JOINT}"),
        "high": Show("to", PERCENT, f"upper end {JOINT}"),
    }
    counted = met.join(
        pairs.select("setting", *(pl.col(k).alias(v) for k, v in heads.items()), "games", "deals"),
        on=["setting", *heads.values()],
    )
    tally = _tally(shown, order)
    tallied = {
        "strategy": Show("strategy"),
        "beats": Show("beats"),
        "even": Show("even with"),
        "loses": Show("loses to"),
    }
    tables = [
        table(tally, tallied, "Who beats whom beyond noise"),
        table(counted, columns | N, "Pair by pair"),
    ]
    return Section("Matchups", text, figures, tables)


def _heat(drawn: pl.DataFrame, size: int) -> Figure:
    alt = "Share of each strategy against each other, the best on top; numbers in the table"
    return Figure(charts.picture("matchups", charts.matrix, drawn, height=1.6 + 0.36 * size), alt)


def _places(order: list[str]) -> dict[str, int]:
    return {name: place for place, name in enumerate(order)}


def _place(order: list[str]) -> pl.Expr:
    return (
        pl.col("strategy")
        .replace_strict(_places(order), default=len(order), return_dtype=pl.Int64)
        .alias("place")
    )


def _tally(met: pl.DataFrame, order: list[str]) -> pl.DataFrame:
    """Per strategy, in order, the names of those it beats, is even with, loses to."""
    places = _places(order)
    rows = []
    for name in order:
        mine = met.filter(pl.col("strategy") == name)
        found = [
            mine.filter(pl.col("result") == kind)["opponent"].to_list()
            for kind in ("beats", "even", "loses to")
        ]
        met_by = sorted(mine["opponent"].to_list(), key=lambda one: places.get(one, 0))
        rows.append((name, *(_names([one for one in met_by if one in names], met_by) for names in found)))
    return pl.DataFrame(rows, schema=["strategy", "beats", "even", "loses"], orient="row")


def _names(some: list[str], every: list[str]) -> str:
    """Names in short.

    >>> _names(["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]), _names(["a"], ["a", "b"]), _names([], ["a"])
    ('all but e', 'a', 'nobody')
    """
    left = [name for name in every if name not in some]
    if len(every) > 3 and len(left) < min(3, len(some)):
        return f"all but {', '.join(left)}" if left else "all"
    return ", ".join(some) or "nobody"


def landscape_section(run: Run, scape: pl.DataFrame, circles: pl.DataFrame) -> Section:
    """Nash weights, α-rank, dominated strategies, circles."""
    text = [
        "Which strategies the game needs. Suppose a table of perfect rivals who may each pick one of these strategies, and mix: the Nash "
        "weight is how often each is picked when nobody gains by changing. α-rank: the part of the time that a group would play it if, now and "
        "then, someone copied whatever wins. A matchup that is not settled counts as even in both.",
        "Never right: another strategy (or a mix) does better against every opponent, beyond noise. Doubtful: another was nowhere worse in "
        "this run, but that may be noise. Needed: the rivals would pick it at least once in 20 times.",
    ]
    reasons = [
        f"Without numbers: {reason}." for reason in scape["reason"].drop_nulls().unique(maintain_order=True)
    ]
    said = (
        pl.when(pl.col("dominated_by").is_null())
        .then(pl.lit(""))
        .when("strictly")
        .then(pl.lit("never right"))
        .otherwise(pl.lit("doubtful"))
    )
    said = pl.when(pl.col("nash") >= 0.05).then(pl.lit("needed")).otherwise(said)
    shown = scape.with_columns(said.alias("verdict"))
    columns = where_of(scape) | {"strategy": Show("strategy")}
    columns |= {
        "nash": Show("Nash weight", "{:.0%}"),
        "against_nash": Show("against the mix", PERCENT, "its share against the Nash mix"),
    }
    columns |= {
        "alpha_rank": Show("α-rank", "{:.0%}"),
        "verdict": Show("verdict"),
        "dominated_by": Show("because of"),
    }
    tables = [table(shown, columns, "Which strategies matter")]
    if circles.height:
        ring = {
            "first": Show("beats the next"),
            "second": Show("who beats"),
            "third": Show("who beats the first"),
        }
        shares = {
            name: Show(head, PERCENT)
            for name, head in (
                ("first_second", "first"),
                ("second_third", "second"),
                ("third_first", "third"),
            )
        }
        least = {
            "low": Show(
                "weakest link, at least",
                points,
                "lower end of the least of the three shares above one half, in percentage points",
            )
        }
        tables.append(table(circles, where_of(circles) | ring | shares | least, "Circles of three"))
    return Section("Which strategies matter", [*reasons, *text], [], tables)
