"""A sweep as a whole: the map of verdicts, which settings are nearest to fair, two options at once, what else changes."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.sections import advice
from reports.sections.common import (
    MOST_LINES,
    MOST_PICTURES,
    PERCENT,
    SEAT,
    SHARE,
    TENTH,
    N,
    by_lineup,
    front,
    margin_points,
)
from reports.sections.differences import difference_tables
from reports.sections.who import axis_words
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, Story, table
from simkit.runlog import Run

MOST_ROWS, MOST_COLUMNS = 40, 8  # fields of a map that can be read


def map_section(run: Run, first: pl.DataFrame) -> Section:
    """Setting by lineup: FAIR, UNFAIR or UNDECIDED."""
    drawn, across, down = _fields(run, first)
    rows, columns = (drawn[side].unique(maintain_order=True).to_list() for side in ("row", "column"))
    shown = drawn.filter(
        pl.col("row").is_in(rows[:MOST_ROWS]) & pl.col("column").is_in(columns[:MOST_COLUMNS])
    )
    longest = max(map(len, columns[:MOST_COLUMNS]))
    height = (
        1.3
        + 0.27 * min(MOST_ROWS, len(rows))
        + (0.045 * longest if longest * min(MOST_COLUMNS, len(columns)) > 45 else 0.0)
    )
    drawing = charts.picture("verdicts", charts.verdicts, shown, height=height, across=across, down=down)
    some = (
        f"{shown.height} of {drawn.height} fields are shown; the table of the first-player advantage has all."
    )
    caption = " ".join(
        [*([str(first["lineup"][0])] if across else []), *([some] if shown.height < drawn.height else [])]
    )
    alt = "Verdict and share of the first seat in percent by setting and lineup; numbers in the table of the first seat"
    text = (
        f"F is FAIR: every seat wins within ±{margin_points(run)} of its fair share. U is UNFAIR: some seat does not. ? is UNDECIDED: more deals would "
        "be needed. The number is the share of the first seat in percent. Of the cells marked F or U at most one in 20 is expected to be wrong."
    )
    return Section("Map of verdicts", [text], [Figure(drawing, alt, caption)], [_counts(first)])


def _fields(run: Run, first: pl.DataFrame) -> tuple[pl.DataFrame, str, str]:
    """The fields of the map with `row` and `column`, and the words across and down: setting by lineup; one option by the other for one lineup."""
    swept = analysis.axes(run)
    if first["lineup"].n_unique() == 1 and len(swept) == 2:
        down, across = swept
        return (
            first.with_columns(_value(down).alias("row"), _value(across).alias("column")),
            across.label,
            down.label,
        )
    marked = pl.when(pl.col("baseline")).then(pl.format("{} (baseline)", _row(run))).otherwise(_row(run))
    return (
        first.with_columns(marked.alias("row"), pl.col("lineup").alias("column")),
        "",
        " / ".join(axis.label for axis in swept),
    )


def _row(run: Run) -> pl.Expr:
    """The values of a setting, without the names."""
    names = [name for axis in analysis.axes(run) for name in axis.options]
    return (
        pl.concat_str([pl.col(name).cast(pl.String) for name in names], separator=" / ")
        if names
        else pl.col("setting")
    )


def _counts(first: pl.DataFrame) -> Any:
    kinds = ("FAIR", "UNFAIR", "UNDECIDED")
    counts = [(pl.col("verdict") == kind).sum().cast(pl.Int64).alias(kind) for kind in kinds]
    found = first.group_by("lineup", maintain_order=True).agg(*counts)
    return table(
        found, {"lineup": Show("lineup")} | {kind: Show(kind) for kind in kinds}, "Settings by verdict"
    )


def nearest_section(run: Run, nearest: list[dict[str, Any]]) -> Section:
    """Per lineup the setting nearest to fair, and the command that confirms it."""
    keys = ("lineup", "setting", "share", "low", "high", "verdict", "games", "deals")
    shown = pl.DataFrame([{key: row[key] for key in keys} for row in nearest], infer_schema_length=None)
    text = (
        "For each lineup the setting tried at which the first seat is nearest to its fair share. It was picked as the best of many, so it looks "
        "a little better than it is: play it on fresh deals, with the command below the table, before printing it in a rulebook."
    )
    columns = (
        {"lineup": Show("lineup"), "setting": Show("nearest to fair")}
        | SHARE
        | {"verdict": Show("verdict")}
        | N
    )
    listed = table(shown, columns, "Nearest to fair by lineup")
    stories = [
        Story(f"Run this to see it again on fresh deals ({row['lineup']})", confirmed(run, row))
        for row in nearest
    ]
    return Section("Nearest to fair", [text, *_agreement(nearest)], [], [listed], stories)


def confirmed(run: Run, row: dict[str, Any]) -> str:
    """The solver where it can be used, else the same setting on fresh deals."""
    labels = next(cell.labels for cell in run.cells if cell.index == row["cell"])
    return advice.fair_command(run, [labels]) or advice.confirm_command(run, row["cell"])


def _agreement(rows: list[dict[str, Any]]) -> list[str]:
    if len(rows) < 2:
        return []
    if len({row["setting"] for row in rows}) == 1:
        return [f"The same setting is picked for all {len(rows)} lineups: {rows[0]['setting']}."]
    said = "; ".join(f"{row['lineup']}: {row['setting']}" for row in rows)
    return [
        f"Different settings are picked ({said}). Whether more than luck is behind that is said at the top, and tested by the solver (the commands "
        "below with every --lineup in one). Weigh those lineups most that play like your players."
    ]


def grid_sections(run: Run, first: pl.DataFrame) -> list[Section]:
    """Two whole-number options: the first seat over both, one picture per lineup."""
    lines = [axis for axis in analysis.axes(run) if axis.whole_numbers]
    if len(lines) != 2 or len(analysis.axes(run)) != 2:
        return []
    down, across = lines
    farthest = max(0.1, first.select((pl.col("share") - pl.col("fair")).abs().max()).item())
    shade = (pl.col("share") - pl.col("fair")).abs() / farthest * 0.8
    half = 50 * (pl.col("high") - pl.col("low"))
    drawn = first.with_columns(
        shade.alias("shade"),
        pl.format("± {}", half.round(1)).alias("note"),
        _value(down).alias("row"),
        _value(across).alias("column"),
    )
    figures = [
        _grid(number, part, down, across)
        for number, part in enumerate(drawn.partition_by("lineup", maintain_order=True)[:MOST_PICTURES])
    ]
    text = (
        f"Share of the first seat in percent at each {down.label} (rows) and {across.label} (columns), below it half the width of its 95 % "
        f"interval. White is fair ({100 * first['fair'][0]:.1f} %); the darker, the farther from fair on either side: read the number for the side."
    )
    return [Section(f"{down.label} and {across.label} together", [text], figures)]


def _grid(number: int, part: pl.DataFrame, down: analysis.Axis, across: analysis.Axis) -> Figure:
    drawn = part.sort(*down.options, *across.options)
    height = 1.1 + 0.42 * drawn["row"].n_unique()
    drawing = charts.picture(
        f"grid{number}", charts.heat, drawn, height=height, across=across.label, down=down.label
    )
    return Figure(
        drawing,
        f"Share of the first seat by {down.label} and {across.label}; numbers in the table",
        part["lineup"][0],
    )


def _value(axis: analysis.Axis) -> pl.Expr:
    return pl.concat_str([pl.col(name).cast(pl.String) for name in axis.options], separator=" / ")


def change_section(run: Run, changes: pl.DataFrame) -> Section:
    """Length, draws and scores along the sweep: against the baseline deal by deal, else as they are."""
    heading = "What else changes"
    if changes.is_empty():
        text = "Length, draws and scores by setting. The sweep has no baseline among its settings, so there are no paired differences."
        return Section(heading, [text], [], _plain_tables(run))
    seats, never = (
        pl.col("measure").str.contains("^(share|first-player)"),
        (pl.col("base_value") == 0) & (pl.col("value") == 0),
    )
    rest = changes.filter(~seats & ~((pl.col("measure") == "drawn games") & never))
    text = (
        "What other things the options change, against the baseline on the same deals. A rule that repairs the balance but "
        "makes the game much longer shows here."
    )
    figures = [figure for axis in analysis.axes(run) for figure in _trends(run, rest, axis)]
    return Section(
        heading, [text], figures, difference_tables(rest, "Differences to the baseline on the same deals")
    )


def _trends(run: Run, rest: pl.DataFrame, axis: analysis.Axis) -> list[Figure]:
    """The change of a game's length along one whole-number option, all others at the baseline."""
    base = next(cell.varied for cell in run.cells if cell.baseline)
    others = {name: value for name, value in base.items() if name not in axis.options}
    along = {
        cell.index: cell.varied
        for cell in run.cells
        if all(cell.varied[name] == value for name, value in others.items())
    }
    part = rest.filter((pl.col("measure") == "turns") & pl.col("cell").is_in(list(along)))
    if not axis.whole_numbers or len(axis.options) != 1 or len(axis.values) < 3 or part.is_empty():
        return []
    drawn = _trend_table(
        run,
        part,
        axis,
        {index: varied[axis.options[0]] for index, varied in along.items()},
        base[axis.options[0]],
    )
    height = 3.2 + 0.1 * drawn["line"].n_unique()
    unit = "Turns more than at the baseline"
    drawing = charts.picture(
        f"turns-{_slug(axis.label)}",
        charts.trend,
        drawn,
        height=height,
        label=axis_words(run, axis),
        unit=unit,
    )
    alt = f"Change of the number of turns along {axis.label}, with 95 % interval; numbers in the table"
    return [Figure(drawing, alt, analysis.setting_words(others))]


def _trend_table(
    run: Run, part: pl.DataFrame, axis: analysis.Axis, at: dict[int, int], base: int
) -> pl.DataFrame:
    """Lines by lineup, through 0 at the baseline; about ten values are named."""
    x = pl.col("cell").replace_strict(at, return_dtype=pl.Int64).alias("x")
    moved = part.select(pl.col("lineup").alias("line"), x, pl.col("difference").alias("share"), "low", "high")
    lines = moved["line"].unique(maintain_order=True).to_list()[:MOST_LINES]
    nought = pl.DataFrame([(name, base, 0.0, 0.0, 0.0) for name in lines], schema=moved.schema, orient="row")
    named = [
        value for place, (value,) in enumerate(axis.values) if place % max(1, -(-len(axis.values) // 12)) == 0
    ]
    tick = pl.when(pl.col("x").is_in(named)).then(pl.col("x").cast(pl.String)).otherwise(pl.lit(""))
    drawn = pl.concat([moved.filter(pl.col("line").is_in(lines)), nought])
    return drawn.with_columns(
        tick.alias("tick"), (pl.col("x") == base).alias("baseline"), by_lineup(run, "line")
    )


def _slug(name: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in name.lower())


def _plain_tables(run: Run) -> list[Any]:
    lengths = analysis.lengths(run).filter(pl.col("measure") == "turns")
    draws, scores = analysis.draws(run), analysis.scores(run)
    turns = {
        "mean": Show("mean turns", TENTH),
        "p5": Show("5 %"),
        "p50": Show("50 %"),
        "p95": Show("95 %"),
        "games": N["games"],
    }
    points = SEAT | {
        "mean": Show("mean score", "{:.2f}"),
        "low": Show("95 % from", "{:.2f}"),
        "high": Show("to", "{:.2f}"),
    }
    drawn = draws if draws["share"].max() else draws.clear()
    return [
        table(lengths, front(lengths, run) | turns, "Length of a game"),
        table(
            drawn,
            front(draws, run)
            | {"share": Show("draws", PERCENT)}
            | {k: v for k, v in SHARE.items() if k != "share"}
            | N,
            "Draws",
        ),
        table(scores, front(scores, run) | points | N, "Score of each seat"),
    ]
