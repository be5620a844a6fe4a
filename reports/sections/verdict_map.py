"""The map of verdicts, FAIR, UNFAIR or open, by setting and lineup."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, axes, charts, figure, labels_of, prose, table
from simkit.reporting.pages.pictures import MOST_LINES, called
from simkit.reporting.pages.scope import values
from simkit.reporting.pages.sweeps import along
from simkit.reporting.text.perspective import side_of, verdict_scale
from simkit.reporting.text.phrases import listed
from simkit.reporting.text.verdict_counts import FAULTY, settings_decided

SIGNS = {"FAIR": "F", "ON TARGET": "T", "BORDERLINE": "≈", "UNFAIR": "U", "TOO EASY": "E"}
SIGNS |= {"TOO HARD": "H", "NOT SETTLED": "+", "TOO MANY FAILED": "×"}
MAX_FIELDS = {"row": 40, "column": 8}  # rows and columns of a readable map


def section(findings: Findings) -> Section | None:
    """Return the counts of verdicts, with the map unless the brief shows every field."""
    if not findings.run.judged:
        return None
    side = side_of(findings.run)
    signs = listed(f"{sign} is {verdict}" for verdict, sign in SIGNS.items() if verdict in side.verdicts)
    text = prose(f"""{signs}. {verdict_scale(findings.run)}. The number is the share of the {side.name} in
        percent. Of the cells with a claim at most one in 20 is expected to be wrong.""")
    present = findings.first_player_advantage["verdict"].unique().to_list()
    verdicts = [kind for kind in side.verdicts if kind != FAULTY or FAULTY in present]
    counts = [pl.col("verdict").eq(kind).sum().cast(pl.Int64).alias(kind) for kind in verdicts]
    rows = findings.first_player_advantage.group_by("lineup", maintain_order=True).agg(*counts)
    tallied = table(findings, rows, ["lineup", *verdicts], "Settings by verdict")
    drawn_above = _drawn_above(findings)
    return Section(
        settings_decided(findings),
        [] if drawn_above else [text],
        [] if drawn_above else [_picture(findings)],
        [tallied],
    )


def _drawn_above(findings: Findings) -> bool:
    """Return whether the picture of the brief shows every setting and lineup."""
    return len(findings.cached(along)) == 1 and findings.cells["lineup"].n_unique() <= MOST_LINES


def _picture(findings: Findings) -> Figure:
    """Return the map by setting and lineup; for one lineup, of two options by each other."""
    first, swept, labels = findings.first_player_advantage, axes(findings.run), labels_of(findings)
    named = values(findings, *swept)
    # Tied options have no other name for the baseline.
    is_marked = pl.col("baseline") & (named != labels.base)
    marked = named + pl.when(is_marked).then(pl.lit(f" ({labels.base})")).otherwise(pl.lit(""))
    down, across, row, column = " / ".join(map(labels.axis, swept)), "", marked, called(findings, "lineup")
    caption = []
    if first["lineup"].n_unique() == 1 and len(swept) == 2:
        down, across = map(labels.axis, swept)
        row, column = (values(findings, axis) for axis in swept)
        caption = labels.named(first)["lineup"].head(1).to_list()
    drawn = first.with_columns(row.alias("row"), column.alias("column"))
    shown = drawn.filter(
        *(
            pl.col(column).is_in(drawn[column].unique(maintain_order=True).head(limit).to_list())
            for column, limit in MAX_FIELDS.items()
        )
    )
    if shown.height < drawn.height:
        rest = "the table along the options has all."
        caption.append(f"{shown.height} of {drawn.height} fields are shown; {rest}")
    alt = (
        f"How often the {side_of(findings.run).name} wins, in percent, and the verdict, by setting and lineup"
    )
    sign = pl.col("verdict").str.split(" (").list.first().replace_strict(SIGNS)
    parts = {"row": "row", "column": "column", "sign": sign}
    side = side_of(findings.run)
    chart_options = {"across": across, "down": down, "middle": side.aim, "title": f"The {side.name} wins, %"}
    return figure(findings, ("verdicts", charts.heat), shown, alt, " ".join(caption), parts, **chart_options)
