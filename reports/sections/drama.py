"""How dramatic games are: who leads when, when it is decided, who comes back, whether leads grow."""

from __future__ import annotations

import shlex

import polars as pl

from reports.sections.common import (
    MOST_LINES,
    SHARE,
    N,
    by_lineup,
    cells_looked_at,
    first_and_all,
    first_cell,
    front,
    here,
    measured,
    where,
)
from reports.sections.who import score_word
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, Table, table
from simkit.runlog import Run

MEASURES = {
    "changes": ("lead changes per game", "{:.1f}"),
    "none": ("games in which the lead never changes", "{:.0%}"),
    "decided": ("part of the game after which the winner leads for good", "{:.0%}"),
    "early": ("games decided before half-way", "{:.0%}"),
    "slope": ("runaway slope (1: leads neither grow nor shrink)", "{:.2f}"),
}
READING = [
    "Lead changes and the moment of decision tell how long a game stays open. Many changes and a late decision: exciting to the end, but if "
    "the lead hardly matters before the end, the first turns may feel idle. Few changes and an early decision: the rest is played out.",
    "The runaway slope says what becomes of a lead by the next round of the table: above 1 it grows (snowball: those behind may give up), "
    "below 1 it shrinks (those behind catch up: good for tension, but early success counts for less). "
    "Scores are those at the end of each turn; a lead is the best score, alone.",
]
CURVE = (
    "Predictability: how often whoever leads at that moment goes on to win. Flat and low: the lead says little, anything can happen. "
    "Steep early: decided early. 100 % at the end means that whoever leads by the score wins."
)
ENOUGH_LOOKS = 30  # for a field to be coloured
COMEBACK = (
    "Comebacks: how often a seat that trails by so much in the score at that stage still wins (%), n: looks at a trailing seat. "
    "High numbers far down and far right are late comebacks; a row near 0 says that such a gap is final. "
    f"Fields of fewer than {ENOUGH_LOOKS} looks stay white; several looks come from one game."
)
FAN = (
    "Score fan: how the scores of winners and others spread as the game goes on. Where the bands part early, games are decided early; "
    "where they stay together, they stay close."
)


def trace_command(run: Run) -> str:
    """The command that plays the run again with a trace."""
    return shlex.join(
        ["simkit", "run", f"{run.folder}/experiment.toml", "--trace", "1000", "-o", f"{run.folder}-traced"]
    )


def drama_section(run: Run) -> Section:
    """Drama from the turn trace; without one, how to get it."""
    if not run.experiment.trace:
        return Section(
            "Drama",
            [
                f"Not recorded in this run. To see who leads when, play it with a turn trace: {trace_command(run)}"
            ],
        )
    looked = cells_looked_at(run)
    numbers = drama_numbers(looked)
    traced = f"Measured on the first {min(run.experiment.trace, max(c.deals for c in looked.cells)):,} deals of each lineup."
    columns = (
        front(numbers, looked)
        | {"measure": Show("measure"), "value": Show("value"), "low": Show("95 % from"), "high": Show("to")}
        | N
    )
    figures, tables = _pictures(run, looked)
    return Section(
        "Drama",
        [*READING, traced],
        figures,
        [*first_and_all(looked, numbers, columns, "Drama in numbers"), *tables],
    )


def drama_numbers(run: Run) -> pl.DataFrame:
    """Per cell and measure: value, low and high in words, games, deals."""
    changes, decided, runaway = analysis.lead_changes(run), analysis.decided_at(run), analysis.runaway(run)
    parts = {
        "changes": changes.select("cell", "games", "deals", value="mean", low="low", high="high"),
        "none": changes.select("cell", "games", "deals", value="none", low="none_low", high="none_high"),
        "decided": decided.select("cell", "deals", games="single", value="mean", low="low", high="high"),
        "early": decided.select(
            "cell", "deals", games="single", value="early", low="early_low", high="early_high"
        ),
        "slope": runaway.select("cell", "games", "deals", value="slope", low="low", high="high"),
    }
    rows = [_in_words(part, *MEASURES[name]) for name, part in parts.items()]
    cells = analysis.cells_table(run).drop("deals", "games").with_columns(pl.col("cell").cast(pl.Int64))
    return cells.join(pl.concat(rows), on="cell", how="inner", maintain_order="left")


def _in_words(part: pl.DataFrame, measure: str, form: str) -> pl.DataFrame:
    """The numbers of one measure as they are read; rows without a value are left out."""

    known = part.filter(pl.col("value").is_not_null())
    texts = [
        measured(value, low, high, form)
        for value, low, high in known.select("value", "low", "high").iter_rows()
    ]
    words = [
        pl.Series(name, [one[place] for one in texts], dtype=pl.String)
        for place, name in enumerate(("value", "low", "high"))
    ]
    counted = [pl.col("games").cast(pl.Int64), pl.col("deals").cast(pl.Int64)]
    return known.select(pl.col("cell").cast(pl.Int64), pl.lit(measure).alias("measure"), *words, *counted)


def _pictures(run: Run, looked: Run) -> tuple[list[Figure], list[Table]]:
    """The curve of all lineups; heat map and fan of the first one; their numbers."""
    curve, comebacks = analysis.predictability(looked), first_cell(run, analysis.comeback(looked))
    word = score_word(run)
    fans = first_cell(run, analysis.score_fan(looked, of="result", at="progress"))
    about = here(run)
    figures = [_curve(run, curve, where(run).partition("; the table")[0])]
    figures += [_comebacks(comebacks, about)] if comebacks.height else []
    figures += [_fan(fans, about, f"Score ({word})")] if fans["result"].n_unique() > 1 else []
    return figures, _tables(looked, curve, comebacks)


def _curve(run: Run, curve: pl.DataFrame, about: str) -> Figure:
    lineups = curve["lineup"].unique(maintain_order=True).to_list()[:MOST_LINES]
    progress = (100 * pl.col("progress_high")).round().cast(pl.Int64)
    drawn = curve.filter(pl.col("lineup").is_in(lineups)).with_columns(
        pl.col("lineup").alias("line"), progress.alias("x"), by_lineup(run)
    )
    height = 3.0 + 0.1 * len(lineups)
    how = {"label": "Part of the game played, %", "unit": "Leader goes on to win"}
    drawing = charts.picture("predictability", charts.lines, drawn.drop("fair"), height=height, **how)
    return Figure(
        drawing,
        "How often the leader at a moment goes on to win, along the game; numbers in the table",
        f"{CURVE} {about}".strip(),
    )


def _comebacks(rows: pl.DataFrame, about: str) -> Figure:
    drawn = rows.sort("deficit_low", "progress_high").select(
        _behind().alias("row"),
        _stage().alias("column"),
        "share",
        pl.col("looks").alias("games"),
        pl.when(pl.col("looks") >= ENOUGH_LOOKS).then("share").otherwise(0.0).alias("shade"),
    )
    stages = (
        rows.sort("progress_high")
        .select(_stage().alias("column"))["column"]
        .unique(maintain_order=True)
        .to_list()
    )
    height = 1.2 + 0.42 * drawn["row"].n_unique()
    drawing = charts.picture(
        "comeback", charts.heat, drawn, height=height, across="Part of the game played", columns=stages
    )
    return Figure(
        drawing,
        "How often a trailing seat still wins, by how far behind and stage; numbers in the table",
        f"{COMEBACK} {about}".strip(),
    )


def _behind() -> pl.Expr:
    low, high = pl.col("deficit_low"), pl.col("deficit_high")
    same = (
        pl.when(high == low)
        .then(pl.format("{} behind", low))
        .otherwise(pl.format("{} to {} behind", low, high))
    )
    return pl.when(high.is_null()).then(pl.format("{} or more behind", low)).otherwise(same)


def _stage() -> pl.Expr:
    low, high = ((100 * pl.col(name)).round().cast(pl.Int64) for name in ("progress_low", "progress_high"))
    return pl.format("{} to {} %", low, high)


def _fan(rows: pl.DataFrame, about: str, unit: str) -> Figure:
    drawn = rows.with_columns(
        pl.col("result").alias("line"), (100 * pl.col("progress_high")).round().cast(pl.Int64).alias("x")
    )
    others = pl.col("line") == "others"
    drawn = drawn.sort(others, "x").with_columns((-1 - others.cast(pl.Int64)).alias("style"))
    drawing = charts.picture(
        "fan", charts.fan, drawn, height=3.4, label="Part of the game played, %", unit=unit
    )
    return Figure(
        drawing, "Scores of winners and others along the game; numbers in the table", f"{FAN} {about}".strip()
    )


def _tables(looked: Run, curve: pl.DataFrame, comebacks: pl.DataFrame) -> list[Table]:
    stage = {"stage": Show("part of the game")}
    shown = front(curve, looked) | stage | SHARE | {"games": N["games"]}
    found = [table(curve.with_columns(_stage().alias("stage")), shown, "How often the leader goes on to win")]
    if comebacks.height:
        rows = comebacks.with_columns(_stage().alias("stage"), _behind().alias("behind"))
        columns = (
            stage
            | {"behind": Show("behind in the score")}
            | SHARE
            | {"looks": Show("looks", "{:,}", "trailing seats at the end of a turn")}
            | N
        )
        found.append(table(rows, columns, "How often a trailing seat still wins"))
    return found
