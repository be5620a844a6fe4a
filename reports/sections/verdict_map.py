"""The map of verdicts, FAIR, UNFAIR or open, by setting and lineup."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, axes, charts, figure, labels_of, prose
from simkit.reporting.pages.pictures import MOST_LINES, label_column
from simkit.reporting.pages.scope import values
from simkit.reporting.pages.sweeps import along
from simkit.reporting.text.perspective import side_of, verdict_scale
from simkit.reporting.text.phrases import capital, join_names
from simkit.reporting.text.verdict_counts import FAULTY, NOT_EQUAL, with_not_equal

VERDICT_SIGNS = {"FAIR": "F", "ON TARGET": "T", "BORDERLINE": "≈", "UNFAIR": "U", "TOO EASY": "E"}
VERDICT_SIGNS |= {"TOO HARD": "H", NOT_EQUAL: "≠", "NOT SETTLED": "+", FAULTY: "×"}
MAX_FIELDS = {"row": 40, "column": 8}  # rows and columns of a readable map


def verdict_map(findings: Findings) -> Section | None:
    """Return the map, or None where the brief shows every field or there is nothing to judge."""
    drawn_above = len(findings.cached(along)) == 1 and findings.cells["lineup"].n_unique() <= MOST_LINES
    if not findings.run.judged or drawn_above:
        return None
    side, rows = side_of(findings.run), with_not_equal(findings.first_player_advantage, findings.run.team)
    verdicts = set(rows["verdict"])
    signs = join_names(f"{sign} is {kind}" for kind, sign in VERDICT_SIGNS.items() if kind in verdicts)
    text = prose(f"""{capital(signs)}. {verdict_scale(findings.run)}. The number is the share of the
        {side.name} in percent. Of the cells with a claim at most one in 20 is expected to be wrong.""")
    return Section("Verdicts on all settings", [text], [_verdicts_figure(findings, rows)])


def _verdicts_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the map by setting and lineup; for one lineup, of two options by each other."""
    swept, labels, side = axes(findings.run), labels_of(findings), side_of(findings.run)
    label = " / ".join(map(labels.axis, swept))
    across, down, row, column = "", label, values(findings, *swept), label_column(findings, "lineup")
    if rows["lineup"].n_unique() == 1 and len(swept) == 2:
        down, across = map(labels.axis, swept)
        row, column = (values(findings, axis) for axis in swept)
    else:
        is_marked = pl.col("baseline") & (row != labels.base)  # tied options have no other name for it
        row += pl.when(is_marked).then(pl.lit(f" ({labels.base})")).otherwise(pl.lit(""))
    shown = rows.with_columns(row.alias("row"), column.alias("column"))
    for name, limit in MAX_FIELDS.items():
        first = shown[name].unique(maintain_order=True).head(limit)
        shown = shown.filter(pl.col(name).is_in(first.to_list()))
    cut = f"{shown.height} of {rows.height} fields are shown; the table of every case has all."
    caption = cut if shown.height < rows.height else ""
    parts = {"row": "row", "column": "column", "sign": pl.col("verdict").replace_strict(VERDICT_SIGNS)}
    how = {"across": across, "down": down, "middle": side.aim, "title": f"The {side.name} wins, %"}
    alt = f"How often the {side.name} wins, in percent, and the verdict, by setting and lineup"
    return figure(findings, ("verdicts", charts.heat), shown, alt, caption, parts, **how)
