"""Differences to the baseline on the same deals: tables, pictures and words of the sections that show some of them."""

from __future__ import annotations

import polars as pl

from simkit import charts
from simkit.analysis import Findings
from simkit.pages.columns import points, table
from simkit.pages.pictures import MOST_PICTURES, figure
from simkit.report import Figure, Section, Show, Table
from simkit.report.tables import Form
from simkit.words.changes import SURE, measure_name, rule_sets
from simkit.words.labels import Labels

MOST_TABLES = 4  # lineups that get a table each
WORDS = {
    "Paired difference": "both rule sets were played on the same deals; the difference is taken deal by "
    "deal, so that common luck cancels out.",
    "Real, beyond noise": "luck alone would hardly give such a difference: its adjusted p-value is below "
    "0.05.",
    "Adjusted p-value": "how often luck alone would give so great a difference, allowing for how many "
    "differences were looked at (Holm 1979): of the many differences on this page some would look great by "
    "luck. Intervals hold for one difference each.",
    "Gain": "variance reduction: by pairing, these deals say as much about the difference as this many "
    "times the deals, played apart.",
}
STOPPED = (
    "The cells of this run stopped by themselves. The intervals and p-values of differences are those of a "
    "number of deals fixed beforehand, so they are a little too sure here; confirm what matters with a run "
    "of fixed length and another seed."
)


def stopped(found: Findings) -> list[str]:
    """What to beware of where cells stopped by themselves."""
    return [STOPPED] if found.run.experiment.adaptive and found.comparisons.height else []


def drawn_sometimes() -> pl.Expr:
    """All but draws where there are none."""
    return ~((pl.col("measure") == "draw") & (pl.col("base_value") == 0) & (pl.col("value") == 0))


def measure() -> pl.Expr:
    """What is compared, in words."""
    name = pl.struct("measure", "seat").map_elements(lambda row: measure_name(**row), return_dtype=pl.String)
    return name.alias("compared")


def by_rules(found: Findings) -> pl.DataFrame:
    """The comparisons, each rule set named by what it has other than the baseline (`rules`)."""
    rules = pl.col("cell").replace_strict(rule_sets(found), return_dtype=pl.String).alias("rules")
    return found.comparisons.with_columns(rules)


def difference_tables(
    found: Findings, changes: pl.DataFrame, caption: str, rules: str = "setting"
) -> list[Table]:
    """By lineup where these are few; the first-player advantage, shares and all else in tables of their own."""
    share, fpa = pl.col("unit") == "share", pl.col("measure") == "fpa"
    kind = pl.when(fpa).then(pl.lit("fpa")).when(share).then(pl.lit("shares")).otherwise(pl.lit("amounts"))
    rows, few = changes.with_columns(kind.alias("kind")), changes["lineup"].n_unique() <= MOST_TABLES
    tables = []
    for part in rows.partition_by("lineup", maintain_order=True) if few else [rows]:
        alone = part["kind"].n_unique() == 1
        lineup = f": {Labels(found.run).named(part)['lineup'][0]}" if few else ""
        for some in part.partition_by("kind", maintain_order=True):
            which = some["kind"][0]
            title = (
                caption if alone else "First-player advantage" if which == "fpa" else f"{caption}, {which}"
            )
            names = f"{rules} {'' if few else 'lineup'}"
            tables.append(_difference_table(found, some, f"{title}{lineup}", names))
    return tables


def _difference_table(found: Findings, part: pl.DataFrame, caption: str, front: str) -> Table:
    kind, sure = (
        part["kind"][0],
        pl.when(pl.col("p_adjusted") < SURE).then(pl.lit("yes")).otherwise(pl.lit("unsure")),
    )
    value: Form = points if kind == "fpa" else "{:.1%}" if kind == "shares" else "{:.2f}"
    gap: Form = "{:+.2f}" if kind == "amounts" else points
    measured = "" if kind == "fpa" else "compared"
    names = f"{front} {measured} difference low high beyond_noise base_value value factor p_adjusted deals"
    meaning = "here less baseline; of shares in data a fraction, on the page in percentage points"
    forms = {
        "difference": Show("change", gap, meaning),
        "base_value": Show("base", value, "value at the baseline"),
        "value": Show("here", value, "value under these rules"),
        "factor": Show("gain", "× {:.1f}", "variance on independent deals ÷ variance on the same deals"),
        "deals": Show("deals", "{:,}", "played under both rule sets"),
    }
    heads = {"setting": "rules", "compared": "measure"}
    return table(
        found, part.with_columns(measure(), sure.alias("beyond_noise")), names, caption, **heads, **forms
    )


def difference_figures(
    found: Findings, changes: pl.DataFrame, name: str, unit: str, label: str = "rules"
) -> list[Figure]:
    """Bars about 0, a picture per lineup: a group per `label`, in it a bar per measure. All in the same unit."""
    figures = []
    for number, part in enumerate(changes.partition_by("lineup", maintain_order=True)[:MOST_PICTURES]):
        lineup, shares = Labels(found.run).named(part)["lineup"][0], part["unit"][0] == "share"
        scale, form = (100.0, "{:+.1f}") if shares else (1.0, "{:+.2f}")
        ends = {"value": "difference", "low": "low", "high": "high"}
        parts = {end: scale * pl.col(column) for end, column in ends.items()} | {"label": pl.col(label)}
        parts |= {"kind": measure()} if part.select(measure()).n_unique() > 1 else {}
        alt, how = f"{unit} with 95 % intervals about 0, {lineup}", {"unit": unit, "form": form}
        figures.append(
            figure(found, (f"{name}{number}", charts.bars), part, alt, lineup, parts, "measure", **how)
        )
    return figures


def change_section(found: Findings, name: str, heading: str, changes: pl.DataFrame, unit: str) -> Section:
    """The changes of some measures of one unit."""
    text = f"{heading} against the baseline on the same deals; real?: beyond noise, allowing for all differences of this run."
    figures = difference_figures(found, changes, name, unit)
    return Section(
        heading, [text], figures, difference_tables(found, changes, f"Change of {heading.lower()}", "rules")
    )
