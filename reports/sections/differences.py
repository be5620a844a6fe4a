"""Differences to the baseline on the same deals: texts, tables and pictures of `analysis.comparisons`."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import polars as pl

from reports.sections.common import COUNT, HIGH, LOW, MOST_PICTURES, PERCENT, by_measure, points
from simkit import analysis, charts
from simkit.report import Figure, Section, Show, Table, table
from simkit.runlog import Run

Row = dict[str, Any]
Form = str | Callable[[Any], str]
MOST_TABLES = 4  # lineups that get a table each
SHARES = (
    "share of",
    "first-player",
    "drawn",
)  # measures that are parts of games, told in percent and percentage points

DIFFERENCE_WORDS = [
    (
        "Paired difference",
        "both rule sets were played on the same deals; the difference is taken deal by deal, so that common luck cancels out.",
    ),
    (
        "Real, beyond noise",
        "luck alone would hardly give such a difference: its adjusted p-value is below 0.05.",
    ),
    (
        "Adjusted p-value",
        "how often luck alone would give so great a difference, allowing for how many differences were looked at (Holm 1979): of the many "
        "differences on this page some would look great by luck. Intervals hold for one difference each.",
    ),
    (
        "Gain",
        "variance reduction: by pairing, these deals say as much about the difference as this many times the deals, played apart.",
    ),
]


def compared(run: Run) -> pl.DataFrame:
    """The table of `analysis.comparisons`, with the log columns that the command asked for; empty where there is nothing to compare."""
    if any(cell.baseline for cell in run.cells) and any(not cell.baseline for cell in run.cells):
        return analysis.comparisons(run, columns_asked(run))
    return pl.DataFrame()


def stopped(run: Run) -> list[str]:
    """What to beware of where cells stopped by themselves."""
    if not run.experiment.adaptive:
        return []
    return [
        "The cells of this run stopped by themselves. The intervals and p-values of differences are those of a number of deals fixed beforehand, "
        "so they are a little too sure here; confirm what matters with a run of fixed length and another seed."
    ]


def columns_asked(run: Run) -> list[str]:
    """The columns of the log that `simkit compare --column` was asked for."""
    words = shlex.split(str(run.manifest.get("command") or ""))
    return [after for word, after in pairwise(words) if word == "--column"]


def of_shares(measure: str) -> bool:
    """Whether a measure is a share, so that differences are points."""
    return measure.startswith(SHARES) or "=" in measure


def amount(row: Row, key: str, sign: bool = False) -> str:
    """A value or, with its sign, a difference, in the unit of its measure."""
    value, share = row[key], of_shares(row["measure"])
    if value is None:
        return "–"
    text = f"{100 * value if share else value:{'+' if sign else ''}.{1 if share else 2}f}".replace("-", "−")
    return text if sign or not share else f"{text} %"


def differs(row: Row) -> bool:
    """Whether a difference is more than noise, allowing for all differences looked at: by the adjusted p-value."""
    return bool(row["p_adjusted"] < 0.05)


def difference_tables(changes: pl.DataFrame, caption: str, step: bool = False) -> list[Table]:
    """The rows as they are read, by lineup where these are few; the first-player advantage, shares and all else in tables of their own."""
    few = changes["lineup"].n_unique() <= MOST_TABLES
    tables = []
    for part in changes.partition_by("lineup", maintain_order=True) if few else [changes]:
        kinds = part.select(pl.col("measure").map_elements(_kind, return_dtype=pl.String)).to_series()
        for kind in kinds.unique(maintain_order=True):
            title = (
                caption
                if kinds.n_unique() == 1
                else kind.capitalize()
                if kind.startswith("first")
                else f"{caption}, {kind}"
            )
            name = f"{title}: {part['lineup'][0]}" if few else title
            tables.append(_difference_table(part.filter(kinds == kind), name, step, few))
    return tables


def _kind(measure: str) -> str:
    return measure if measure.startswith("first-player") else "shares" if of_shares(measure) else "amounts"


def _difference_table(part: pl.DataFrame, caption: str, step: bool, one_lineup: bool) -> Table:
    first = part["measure"][0]
    gap: Form = points if of_shares(first) else "{:+.2f}"
    value: Form = points if first.startswith("first-player") else PERCENT if of_shares(first) else "{:.2f}"
    sure = pl.Series(
        "beyond_noise",
        ["yes" if differs(row) else "unsure" for row in part.iter_rows(named=True)],
        dtype=pl.String,
    )
    columns = {"step": Show("change")} if step else {"setting": Show("rules")}
    columns |= {} if one_lineup else {"lineup": Show("lineup")}
    columns |= (
        {"measure": Show("measure", analysis.seats_named)}
        if part["measure"].n_unique() > 1 or not first.startswith("first")
        else {}
    )
    columns |= {
        "difference": Show(
            "change",
            gap,
            "here less baseline; of shares in data a fraction, on the page in percentage points",
        )
    }
    columns |= {"low": Show("95 % from", gap, LOW), "high": Show("to", gap, HIGH)}
    columns |= {
        "beyond_noise": Show(
            "real?", "{}", "yes: beyond noise, its adjusted p-value is below 0.05; unsure: it may be luck"
        )
    }
    columns |= {
        "base_value": Show("base", value, "value at the baseline"),
        "value": Show("here", value, "value under these rules"),
    }
    columns |= {
        "factor": Show("gain", "× {:.1f}", "variance on independent deals ÷ variance on the same deals")
    }
    columns |= {
        "p_adjusted": Show(
            "adjusted p-value",
            p_text,
            "chance of so great a difference by luck, allowing for all differences of this run (Holm)",
        )
    }
    return table(
        part.with_columns(sure),
        columns | {"deals": Show("deals", COUNT, "played under both rule sets")},
        caption,
    )


def p_text(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def difference_figures(changes: pl.DataFrame, name: str, measures: list[str], unit: str) -> list[Figure]:
    """Bars about 0, a picture per lineup: a group per `label`, in it a bar per `kind`. All measures in the same unit."""
    parts = changes.filter(pl.col("measure").is_in(measures)).partition_by("lineup", maintain_order=True)
    return [
        _bars(f"{name}{number}", part, unit, of_shares(measures[0]))
        for number, part in enumerate(parts[:MOST_PICTURES])
    ]


def _bars(name: str, part: pl.DataFrame, unit: str, shares: bool) -> Figure:
    scale, form = (100.0, "{:+.1f}") if shares else (1.0, "{:+.2f}")
    ends = [
        (scale * pl.col(old)).alias(new)
        for old, new in (("difference", "value"), ("low", "low"), ("high", "high"))
    ]
    kinds, groups, lineup = part["kind"].n_unique(), part["label"].n_unique(), str(part["lineup"][0])
    drawn = part.with_columns(by_measure()).select("label", "style", *(["kind"] if kinds > 1 else []), *ends)
    height = 0.95 + groups * max(0.34, 0.21 * kinds + 0.08) + (0.15 + 0.1 * kinds if kinds > 1 else 0)
    drawing = charts.picture(name, charts.bars, drawn, height=height, unit=unit, form=form)
    return Figure(drawing, f"{unit} with 95 % intervals about 0, {lineup}; numbers in the table", lineup)


def baseline(run: Run) -> str:
    """The rules compared with, in words."""
    return analysis.setting_words(next(cell.varied for cell in run.cells if cell.baseline))


def tornado_section(run: Run, steps: pl.DataFrame) -> Section | None:
    """What each single step away from the baseline does to the first seat, the greatest first; nothing for a sweep of one option."""
    first = steps.filter(pl.col("measure") == "share of seat 0") if steps.height else steps
    if len(analysis.axes(run)) < 2 or first.is_empty():
        return None
    size = pl.col("difference").abs()
    ordered = first.sort(size, descending=True, maintain_order=True).with_columns(
        pl.col("step").alias("label"), pl.lit("").alias("kind")
    )
    figures = difference_figures(
        ordered, "tornado", ["share of seat 0"], "Change of the first seat's share, percentage points"
    )
    text = (
        f"From the baseline ({baseline(run)}) one option is changed at a time, by one of the steps tried. Bars are paired differences on the "
        "same deals with 95 % intervals: a bar whose interval holds 0 may be noise. The longest bars are the rules worth turning first."
    )
    return Section(
        "One step from the baseline",
        [text],
        figures,
        difference_tables(ordered, "One step from the baseline", step=True),
    )
