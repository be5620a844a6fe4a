"""What the parts of the game go with: what winners had more of, and how often each thing happens."""

from __future__ import annotations

from typing import Any

import polars as pl

from reports.sections.common import (
    HIGH,
    LOW,
    PERCENT,
    N,
    cells_looked_at,
    first_and_all,
    first_cell,
    front,
    here,
    meanings,
    points,
)
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, Table, table
from simkit.runlog import Run

MOST = 8  # components that are shown first
CAUTION = "Correlational, not causal: winners may have more of something because they were winning anyway."
NUMBER = "{:.2f}"


def component_section(run: Run) -> Section:
    """Components by their difference between those that have much and little; how often each counter rises."""
    found, counters = analysis.components(run), analysis.game_counters(run)
    named = meanings(run, "seats")
    text = [f"What the seats that win have more or less of. {CAUTION}"]
    divided = found.filter(pl.col("difference").is_not_null()) if found.height else found
    figures, tables = [], list[Table]()
    if divided.height:
        text += [_how(), *_left_out(run, named)]
        first = _named(first_cell(run, divided).head(MOST), named)
        figures = [_picture(run, first)]
        tables += _winning(run, _named(divided, named))
    else:
        text = [
            "This game logs nothing of its own about the seats that divides them, so there is nothing to set against winning."
        ]
    tables += _means(run, found, named)
    if counters.height:
        tables.append(_counters(run, counters))
    return Section("Components", text, figures, tables)


def _how() -> str:
    return (
        "Seats are divided in two by each thing that the game logs: those that have it against those that do not, or, where nearly all have it, "
        "the third with the most against the third with the least. The bar is the difference of their shares of the games won, in percentage points. "
        "Right of zero: winners have more of it."
    )


def _left_out(run: Run, named: dict[str, str]) -> list[str]:
    names = analysis.telling_columns(run)
    if not names:
        return []
    said = ", ".join(_lowered(named.get(name) or name) for name in names)
    return [f"Left out, since they decide who wins, follow from it or are fixed by the seat: {said}."]


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:]


def _named(rows: pl.DataFrame, named: dict[str, str]) -> pl.DataFrame:
    """With the meaning of each column, and how it divides, in words."""
    texts = [(named.get(row["column"]) or row["column"], *_sides(row)) for row in rows.iter_rows(named=True)]
    names = ("component", "much", "little")
    return rows.with_columns(
        pl.Series(name, [text[i] for text in texts], dtype=pl.String) for i, name in enumerate(names)
    )


def _sides(row: dict[str, Any]) -> tuple[str, str]:
    """Those with much and those with little.

    >>> _sides({"has": False, "low": 14.0, "high": 16.0}), _sides({"has": True, "low": 0.0, "high": 1.0})
    (('at least 16', 'at most 14'), ('some', 'none'))
    """
    if row["has"]:
        return "some", "none"
    return f"at least {row['high']:g}", f"at most {row['low']:g}"


def _picture(run: Run, first: pl.DataFrame) -> Figure:
    label = pl.format("{}: {} against {}", "component", "much", "little")
    scaled = [
        (100 * pl.col(name)).alias(to)
        for name, to in (("difference", "value"), ("difference_low", "low"), ("difference_high", "high"))
    ]
    drawn = first.drop("low", "high").with_columns(
        label.map_elements(_folded, return_dtype=pl.String).alias("label"),
        pl.lit(-2, pl.Int64).alias("style"),
        *scaled,
    )
    drawing = charts.picture(
        "components",
        charts.bars,
        drawn,
        height=1.0 + 0.42 * drawn.height,
        unit="Difference of the shares won, percentage points",
    )
    return Figure(
        drawing,
        "Difference of the shares won between those with much and little of each thing; numbers in the table",
        here(run),
    )


def _folded(label: str) -> str:
    """A long label on two lines, cut before what it divides by."""
    head, _, tail = label.partition(": ")
    return f"{head[:40]}\n{tail}"


def _winning(run: Run, rows: pl.DataFrame) -> list[Table]:
    columns = _lineups(run, rows) | {"component": Show("component"), "much": Show("much")}
    columns |= {
        "with_share": Show("win", PERCENT, "share won by seats with much"),
        "with_games": Show("n", "{:,}", "such seats"),
    }
    columns |= {
        "little": Show("little"),
        "without_share": Show("win", PERCENT, "share won by seats with little"),
    }
    columns |= {
        "without_games": Show("n", "{:,}", "such seats"),
        "difference": Show("difference", points, "in percentage points; " + CAUTION),
    }
    columns |= {
        "difference_low": Show("95 % from", points, LOW),
        "difference_high": Show("to", points, HIGH),
        "deals": N["deals"],
    }
    return first_and_all(run, rows, columns, "What goes with winning", MOST)


def _lineups(run: Run, rows: pl.DataFrame) -> dict[str, Show]:
    """Options and lineup, where more than one cell is looked at."""
    return front(rows, cells_looked_at(run)) if len(analysis.cells_to_look_at(run)) > 1 else {}


def _means(run: Run, found: pl.DataFrame, named: dict[str, str]) -> list[Table]:
    """The mean by seat and by result."""
    seats = analysis.component_seats(run)
    if not seats.height:
        return []
    kept = _lineups(run, seats)
    by_seat = seats.with_columns(
        pl.col("seat").map_elements(analysis.seat_name, return_dtype=pl.String).alias("of")
    )
    parts = [by_seat.select(*kept, "cell", "column", "of", "mean", "low", "high", "games", "deals")]
    for name in ("winners", "others") if found.height else ():
        part = found.with_columns(
            pl.lit(name).alias("of"),
            pl.col(name).alias("mean"),
            *(pl.lit(None, pl.Float64).alias(x) for x in ("low", "high")),
        )
        parts.append(part.with_columns(pl.col(f"{name}_games").alias("games")).select(parts[0].columns))
    kinds = parts[0].schema
    rows = pl.concat([part.cast(pl.Schema(kinds)) for part in parts]).sort(
        "cell", "column", maintain_order=True
    )
    rows = rows.with_columns(
        pl.Series("component", [named.get(name) or name for name in rows["column"]], dtype=pl.String)
    )
    columns = kept | {
        "component": Show("component"),
        "of": Show("of"),
        "mean": Show("mean", NUMBER),
        "low": Show("95 % from", NUMBER, LOW),
    }
    columns |= {"high": Show("to", NUMBER, HIGH)} | N
    return [table(rows, columns, "Means by seat, of winners and of others")]


def _counters(run: Run, counters: pl.DataFrame) -> Table:
    named = meanings(run, "games")
    rows = counters.with_columns(
        pl.Series("component", [named.get(name) or name for name in counters["column"]], dtype=pl.String)
    )
    columns = _lineups(run, rows) | {
        "component": Show("per game"),
        "mean": Show("mean", NUMBER),
        "sd": Show("sd", NUMBER, "standard deviation"),
    }
    columns |= {
        "p5": Show("5 %", "{:g}"),
        "p50": Show("50 %", "{:g}"),
        "p95": Show("95 %", "{:g}"),
        "games": N["games"],
    }
    return table(rows, columns, "What happens in a game")
