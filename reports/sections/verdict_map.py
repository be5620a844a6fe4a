"""The map of verdicts, FAIR, UNFAIR or open: setting by lineup."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, axes, charts, figure, labels_of, prose, table
from simkit.reporting.pages.pictures import MOST_LINES, called
from simkit.reporting.pages.scope import values
from simkit.reporting.pages.sweeps import along
from simkit.reporting.text.answer import FAULTY
from simkit.reporting.text.perspective import TEAM, side_of, verdict_scale
from simkit.reporting.text.verdict_counts import settings_decided

LETTERS = "F is FAIR, ≈ BORDERLINE, U UNFAIR, + NOT SETTLED"
LETTERS_OF_TEAM = "T is ON TARGET, ≈ BORDERLINE, E TOO EASY, H TOO HARD, + NOT SETTLED"
MOST = {"row": 40, "column": 8}  # fields of a map that can be read


def section(findings: Findings) -> Section:
    side = side_of(findings.run)
    letters = LETTERS_OF_TEAM if side == TEAM else LETTERS
    text = prose(f"""{letters}. {verdict_scale(findings.run)}. The number is the share of the {side.name} in
        percent. Of the cells with a claim at most one in 20 is expected to be wrong.""")
    present = findings.first_player_advantage["verdict"].unique().to_list()
    kinds_told = [kind for kind in side.verdicts if kind != FAULTY or FAULTY in present]
    counts = [pl.col("verdict").eq(kind).sum().cast(pl.Int64).alias(kind) for kind in kinds_told]
    rows = findings.first_player_advantage.group_by("lineup", maintain_order=True).agg(*counts)
    tallied = table(findings, rows, ["lineup", *kinds_told], "Settings by verdict")
    drawn = _drawn_above(findings)
    return Section(
        settings_decided(findings), [] if drawn else [text], [] if drawn else [_picture(findings)], [tallied]
    )


def _drawn_above(findings: Findings) -> bool:
    """Whether the picture of the first screen has every setting and lineup."""
    return len(findings.kept(along)) == 1 and findings.cells["lineup"].n_unique() <= MOST_LINES


def _picture(findings: Findings) -> Figure:
    """Setting by lineup; for one lineup one of two options by the other."""
    first, swept, labels = findings.first_player_advantage, axes(findings.run), labels_of(findings)
    named = values(findings, *swept)
    marks = pl.col("baseline") & (named != labels.base)  # of tied options the baseline has no other name
    marked = named + pl.when(marks).then(pl.lit(f" ({labels.base})")).otherwise(pl.lit(""))
    down, across, row, column = " / ".join(map(labels.axis, swept)), "", marked, called(findings, "lineup")
    caption = []
    if first["lineup"].n_unique() == 1 and len(swept) == 2:
        down, across = map(labels.axis, swept)
        row, column = (values(findings, axis) for axis in swept)
        caption = labels.named(first)["lineup"].head(1).to_list()
    drawn = first.with_columns(row.alias("row"), column.alias("column"))
    few = [pl.col(k).is_in(drawn[k].unique(maintain_order=True).head(n).to_list()) for k, n in MOST.items()]
    shown = drawn.filter(*few)
    if shown.height < drawn.height:
        rest = "the table along the options has all."
        caption.append(f"{shown.height} of {drawn.height} fields are shown; {rest}")
    alt = f"Verdict and share of the {side_of(findings.run).name} in percent by setting and lineup"
    parts, how = {"row": "row", "column": "column"}, {"across": across, "down": down}
    return figure(findings, ("verdicts", charts.verdicts), shown, alt, " ".join(caption), parts, **how)
