"""Differences from the baseline on the same deals: tables, figures and texts of sections."""

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.compare import EFFECT
from simkit.reporting import charts
from simkit.reporting.document import Figure, Section, Show, Table
from simkit.reporting.document.tables import MAX_ROWS_SHOWN, Form
from simkit.reporting.pages.columns import points, table, with_extremes
from simkit.reporting.pages.pictures import by_lineup, figure
from simkit.reporting.text.changes import greatest_change, measure_name
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import capital, listed, prose

MAX_TABLES = 4  # lineups with a table each
MAX_BARS = 48  # bars in a figure
WORDS = {
    "Paired difference": "both rule sets were played on the same deals; the difference is taken deal by "
    "deal, so that common luck cancels out.",
    "Real, beyond luck": "luck alone would hardly give such a difference: its adjusted p-value is below "
    "0.05, and its interval leaves 0 out.",
    "Adjusted p-value": "how often luck alone would give so great a difference, allowing for how many "
    "differences were looked at (Holm 1979): of many differences some look great by luck. Who wins "
    "is the first question of a comparison and adjusted for the number of rule sets and lineups only; all "
    "other differences are adjusted among themselves.",
    "Level of an interval": "95 %, or higher and so wider, the more differences may be luck: the chance that "
    "any interval leaves out 0 by luck alone is at most 5 %, for who wins and for all else.",
    "Gain": "variance reduction: by pairing, these deals say as much about the difference as this many "
    "times the deals, played apart.",
}
REAL = "an interval that leaves out 0 is beyond luck, allowing for all such differences of this run"
STOPPED = prose("""The cells of this run stopped by themselves. The intervals and p-values of differences are
    those of a number of deals fixed beforehand, so they are a little too sure here; confirm what matters with
    a run of fixed length and another seed.""")


def stopped(findings: Findings) -> list[str]:
    """Return a caution about p-values where cells stopped by themselves."""
    tables = findings.comparisons, findings.team_strategies, findings.mixed_teams
    return [STOPPED] if findings.run.experiment.adaptive and any(table.height for table in tables) else []


def drawn_sometimes() -> pl.Expr:
    """Return the condition that drops draws where there are none."""
    return ~((pl.col("measure") == "draw") & (pl.col("base_value") == 0) & (pl.col("value") == 0))


def compared() -> pl.Expr:
    """Return the column with the name of what is compared."""
    name = pl.struct("measure", "seat").map_elements(lambda row: measure_name(**row), return_dtype=pl.String)
    return name.alias("compared")


def difference_tables(
    findings: Findings,
    changes: pl.DataFrame,
    caption: str,
    label: str = "setting",
    split_by_lineup: bool = True,
) -> list[Table]:
    """Return tables of differences, by lineup if `apart` and they fit; each kind of measure has its own."""
    share, fpa = pl.col("unit") == "share", pl.col("measure") == "fpa"
    kind = pl.when(fpa).then(pl.lit("fpa")).when(share).then(pl.lit("shares")).otherwise(pl.lit("amounts"))
    rows, by_lineups = changes.with_columns(kind.alias("kind")), split_by_lineup and _fits(changes)
    tables, front = [], label if by_lineups else f"{label} lineup"
    for part in rows.partition_by("lineup", maintain_order=True) if by_lineups else [rows]:
        lineup = f": {labels_of(findings).named(part)['lineup'][0]}" if by_lineups else ""
        for group in part.partition_by("kind", maintain_order=True):
            heading = group["kind"][0]
            heading = "First-player advantage" if heading == "fpa" else f"{caption}, {heading}"
            title = caption if part["kind"].n_unique() == 1 else heading
            tables.append(_difference_table(findings, group, title + lineup, front))
    return tables


def _fits(changes: pl.DataFrame) -> bool:
    """Return whether a table per lineup fits on a page."""
    return changes["lineup"].n_unique() <= MAX_TABLES and changes.height <= MAX_ROWS_SHOWN


def _difference_table(findings: Findings, part: pl.DataFrame, caption: str, front: str) -> Table:
    kind = part["kind"][0]
    value: Form = {"shares": "{:.1%}", "amounts": "{:.2f}"}.get(kind, points)
    form: Form = "{:+.2f}" if kind == "amounts" else points
    sure = pl.when(pl.col("p_adjusted") < SURE).then(pl.lit("yes")).otherwise(pl.lit("unsure"))
    varies = pl.any_horizontal(pl.col("difference", "low", "high") != 0)
    sure = pl.when(varies).then(sure).otherwise(pl.lit("no"))
    rows = part.with_columns(compared(), sure.alias("beyond_noise"))
    measured = "" if kind == "fpa" else "compared"
    names = f"{front} {measured} difference low high confidence beyond_noise base_value value factor "
    names += "p_adjusted deals"
    shows = {
        "low": Show("from", form, "lower end of the interval"),
        "high": Show("to", form, "upper end of the interval"),
        "difference": Show("change", form, "here less baseline; shares in data as fractions, here in points"),
        "base_value": Show("base", value, "value at the baseline"),
        "value": Show("here", value, "value under these rules"),
        "deals": Show("deals", "{:,}", "played under both rule sets"),
    }
    listed, real = table(findings, rows, names, caption, **shows), pl.col("p_adjusted") < SURE
    return with_extremes(listed, rows, pl.when(real).then(EFFECT), "the greatest changes beyond luck")


def difference_figures(
    findings: Findings, changes: pl.DataFrame, name: str, unit: str, label: str = "setting"
) -> list[Figure]:
    """Return a figure per lineup of bars about 0: a group per `label` with a bar per measure."""
    figures, kinds = [], changes.select(compared().n_unique()).item() if changes.height else 0
    for number, lineup, rows in by_lineup(findings, changes):
        part, selection = _greatest(rows, label)
        scale, form = (100, "{:+.1f}") if part["unit"][0] == "share" else (1, "{:+.2f}")
        ends = {"value": "difference", "low": "low", "high": "high"}
        parts = {end: scale * pl.col(column) for end, column in ends.items()} | {"label": label}
        parts |= {"kind": compared()} if kinds > 1 else {}
        alt, chart = f"{unit} with intervals about 0, {lineup}", (f"{name}{number}", charts.bars)
        caption = ". ".join(filter(None, [lineup, selection]))
        figures.append(figure(findings, chart, part, alt, caption, parts, "measure", unit=unit, form=form))
    return figures


def _greatest(part: pl.DataFrame, label: str) -> tuple[pl.DataFrame, str]:
    """Return the rule sets with the greatest changes where all would be too many, and a note on that."""
    total = part[label].n_unique()
    most = MAX_BARS * total // part.height
    if part.height <= MAX_BARS or most < 1:
        return part, ""
    sizes = part.group_by(label, maintain_order=True).agg(pl.col("difference").abs().max())
    largest = sizes.sort("difference", descending=True, maintain_order=True)[label].head(most)
    selection = f"Of {total} rule sets the {most} with the greatest changes."
    return part.filter(pl.col(label).is_in(largest.to_list())), selection


def change_section(findings: Findings, name: str, subject: str, changes: pl.DataFrame, unit: str) -> Section:
    """Return the section on the changes of a measure (such as `draws`), headed by the greatest change.

    Measures that no rule set changes in any deal are only listed.
    """
    base, moved = labels_of(findings).base, changes.filter(~_same())
    still = changes.filter(_same())["measure"].unique(maintain_order=True).to_list()
    stays = listed(measure_name(measure, None) for measure in still) if still else ""
    text = [f"{capital(stays)}: as with the {base}."] if still else []
    if moved.is_empty():
        return Section(greatest_change(findings, subject, changes), text)
    if still and moved["measure"].n_unique() == 1:
        subject = measure_name(moved["measure"][0], None)
        unit = unit.replace("Change", f"Change of {subject}", 1)
    figures = []
    for number, part in enumerate(parts := moved.partition_by("measure", maintain_order=True)):
        measured = measure_name(part["measure"][0], None)  # each has its own scale
        part, alike = part.filter(~_same("lineup")), labels_of(findings).named(part.filter(_same("lineup")))
        if alike.height:
            lineups = listed(alike["lineup"].unique(maintain_order=True).to_list())
            text.append(f"{capital(measured)} with {lineups}: as with the {base}.")
        scale = unit.replace("Change", f"Change of {measured}", 1) if len(parts) > 1 else unit
        figures += difference_figures(findings, part, f"{name}{number}-" if len(parts) > 1 else name, scale)
    tables = difference_tables(findings, moved, f"Change of {subject}")
    text.append(f"Against the {base} on the same deals; {REAL}.")
    return Section(greatest_change(findings, subject, moved), text, figures, tables)


def _same(*columns: str) -> pl.Expr:
    """Return the condition that no rule set ever changes a measure, within each combination of `columns`."""
    none = (pl.col("difference") == 0) & (pl.col("low") == 0) & (pl.col("high") == 0)
    return none.fill_null(False).all().over("measure", *columns)
