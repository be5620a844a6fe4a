"""Differences to the baseline on the same deals: tables, pictures and words of sections that show some."""

import polars as pl

from simkit import charts
from simkit.analysis import Findings, setting_words
from simkit.pages.columns import points, table
from simkit.pages.pictures import by_lineup, figure
from simkit.report import Figure, Section, Show, Table
from simkit.report.tables import MOST_ROWS, Form
from simkit.words.changes import measure_name
from simkit.words.labels import labels_of, rule_sets
from simkit.words.phrases import prose
from simkit.words.sure import SURE

MOST_TABLES = 4  # lineups that get a table each
WORDS = {
    "Paired difference": "both rule sets were played on the same deals; the difference is taken deal by "
    "deal, so that common luck cancels out.",
    "Real, beyond luck": "luck alone would hardly give such a difference: its adjusted p-value is below "
    "0.05.",
    "Adjusted p-value": "how often luck alone would give so great a difference, allowing for how many "
    "differences were looked at (Holm 1979): of the many differences on this page some would look great by "
    "luck. Intervals hold for one difference each.",
    "Gain": "variance reduction: by pairing, these deals say as much about the difference as this many "
    "times the deals, played apart.",
}
STOPPED = prose("""The cells of this run stopped by themselves. The intervals and p-values of differences are
    those of a number of deals fixed beforehand, so they are a little too sure here; confirm what matters with
    a run of fixed length and another seed.""")


def stopped(found: Findings) -> list[str]:
    """What to beware of where cells stopped by themselves."""
    tables = found.comparisons, found.team_strategies, found.mixed_teams
    return [STOPPED] if found.run.experiment.adaptive and any(table.height for table in tables) else []


def by_rules(found: Findings) -> pl.DataFrame:
    """The comparisons, each rule set named by what it has other than the baseline (`rules`)."""
    names = {cell: setting_words(varied) for cell, varied in rule_sets(found.run).items()}
    rules = pl.col("cell").replace_strict(names, return_dtype=pl.String)
    return found.comparisons.with_columns(rules.alias("rules"))


def drawn_sometimes() -> pl.Expr:
    """All but draws where there are none."""
    return ~((pl.col("measure") == "draw") & (pl.col("base_value") == 0) & (pl.col("value") == 0))


def compared() -> pl.Expr:
    name = pl.struct("measure", "seat").map_elements(lambda row: measure_name(**row), return_dtype=pl.String)
    return name.alias("compared")


def difference_tables(
    found: Findings, changes: pl.DataFrame, caption: str, rules: str = "setting"
) -> list[Table]:
    """By lineup where these are few; the first-player advantage, shares and all else apart."""
    share, fpa = pl.col("unit") == "share", pl.col("measure") == "fpa"
    kind = pl.when(fpa).then(pl.lit("fpa")).when(share).then(pl.lit("shares")).otherwise(pl.lit("amounts"))
    rows, few = changes.with_columns(kind.alias("kind")), _fits(changes)
    tables, front = [], rules if few else f"{rules} lineup"
    for part in rows.partition_by("lineup", maintain_order=True) if few else [rows]:
        lineup = f": {labels_of(found).named(part)['lineup'][0]}" if few else ""
        for some in part.partition_by("kind", maintain_order=True):
            which = "First-player advantage" if some["kind"][0] == "fpa" else f"{caption}, {some['kind'][0]}"
            title = caption if part["kind"].n_unique() == 1 else which
            tables.append(_difference_table(found, some, title + lineup, front))
    return tables


def _fits(changes: pl.DataFrame) -> bool:
    """Whether a table for each lineup is not too much for a page."""
    return changes["lineup"].n_unique() <= MOST_TABLES and changes.height <= MOST_ROWS


def _difference_table(found: Findings, part: pl.DataFrame, caption: str, front: str) -> Table:
    kind = part["kind"][0]
    value: Form = {"shares": "{:.1%}", "amounts": "{:.2f}"}.get(kind, points)
    gap: Form = "{:+.2f}" if kind == "amounts" else points
    sure = pl.when(pl.col("p_adjusted") < SURE).then(pl.lit("yes")).otherwise(pl.lit("unsure"))
    rows = part.with_columns(compared(), sure.alias("beyond_noise"))
    measured = "" if kind == "fpa" else "compared"
    names = f"{front} {measured} difference low high beyond_noise base_value value factor p_adjusted deals"
    shows = {
        "difference": Show("change", gap, "here less baseline; shares in data as fractions, here in points"),
        "base_value": Show("base", value, "value at the baseline"),
        "value": Show("here", value, "value under these rules"),
        "deals": Show("deals", "{:,}", "played under both rule sets"),
    }
    return table(found, rows, names, caption, setting="rules", **shows)


def difference_figures(
    found: Findings, changes: pl.DataFrame, name: str, unit: str, label: str = "rules"
) -> list[Figure]:
    """Bars about 0, a picture per lineup: a group per `label`, in it a bar per measure of the same unit."""
    figures, kinds = [], changes.select(compared().n_unique()).item() if changes.height else 0
    for number, lineup, part in by_lineup(found, changes):
        scale, form = (100, "{:+.1f}") if part["unit"][0] == "share" else (1, "{:+.2f}")
        ends = {"value": "difference", "low": "low", "high": "high"}
        parts = {end: scale * pl.col(column) for end, column in ends.items()} | {"label": label}
        parts |= {"kind": compared()} if kinds > 1 else {}
        alt, chart = f"{unit} with 95 % intervals about 0, {lineup}", (f"{name}{number}", charts.bars)
        figures.append(figure(found, chart, part, alt, lineup, parts, "measure", unit=unit, form=form))
    return figures


def change_section(found: Findings, name: str, heading: str, changes: pl.DataFrame, unit: str) -> Section:
    real = "real?: beyond luck, allowing for all differences of this run"
    figures = difference_figures(found, changes, name, unit)
    tables = difference_tables(found, changes, f"Change of {heading.lower()}", "rules")
    return Section(heading, [f"{heading} against the baseline on the same deals; {real}."], figures, tables)
