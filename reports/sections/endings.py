"""Reasons for the end of games, and the winners by reason."""

from collections.abc import Iterator

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, charts, figure, labels_of, table
from simkit.reporting.pages.pictures import called
from simkit.reporting.pages.scope import drawn_cells, where_drawn
from simkit.reporting.text import headings
from simkit.reporting.text.rules import rule_name

MAX_BARS = 30


def section(findings: Findings) -> Section:
    """Return end reasons and draws, with tables only for what differs between games."""
    reasons, draws = findings.end_reasons.filter(pl.col("share") > 0), findings.draws
    games, tables = f"{draws['games'].sum():,} games", []
    one_way = reasons["end_reason"].n_unique() == 1  # then other sections say who wins
    if one_way:
        text = [f"Counted in {games}."]
    else:
        text = ["Why games end." if findings.run.team else "Why games end, and who wins then."]
        tables.append(table(findings, reasons, "cell end_reason share low high n", "End reasons"))
    if draws["share"].max():
        caption = "Draws: share of games whose win was shared"
        tables.append(table(findings, draws, "cell share low high n", caption))
    elif not findings.run.team:
        text.append("No game was drawn." if one_way else f"No game was drawn (n = {games}).")
    pictures = (
        [*_outcome_pictures(findings)] if findings.run.team else [] if one_way else [_picture(findings)]
    )
    if findings.outcomes.width:
        outcomes = findings.outcomes.filter(pl.col("share") > 0)
        labelled = outcomes.with_columns(component=_column_meaning(findings), name=_outcome_label(findings))
        names = "cell component name share low high n"
        tables.append(table(findings, labelled, names, "How games went", component="what", name="how"))
    return Section(headings.endings(findings), text, pictures, tables)


def _column_meaning(findings: Findings) -> pl.Expr:
    meanings = findings.run.meanings("games")
    return pl.col("column").replace_strict(
        {column: meanings.get(column) or column for column in meanings}, default=""
    )


def _outcome_label(findings: Findings) -> pl.Expr:
    def label(row: dict[str, str]) -> str:
        return labels_of(findings).name(row["name"], row["column"])

    return pl.struct("name", "column").map_elements(label, return_dtype=pl.String)


def _outcome_pictures(findings: Findings) -> Iterator[Figure]:
    """Yield a picture per logged column of names, a bar for each setting and lineup of a team.

    Where the bars are too many, only those of the setting shown.

    Of too many for a picture those of the setting looked at.
    """
    if not findings.outcomes.width:
        return
    all_fit = findings.cells.height <= MAX_BARS
    drawn = findings.outcomes if all_fit else drawn_cells(findings, findings.outcomes)
    label = _case_label(findings) if all_fit else "lineup"
    for part in drawn.partition_by("column", maintain_order=True):
        label_of_part, column = _outcome_label(findings), part["column"][0]
        style = (pl.col("name").rank("dense") - 1).cast(pl.Int64)
        parts = {"label": label, "part": label_of_part, "style": style}
        meaning = findings.run.meanings("games").get(column) or column
        chart, rows = (f"ends_{column}", charts.stacked), part.filter(pl.col("share") > 0)
        yield figure(
            findings,
            chart,
            rows,
            f"Share of games: {meaning}",
            meaning if all_fit else f"{meaning}. {where_drawn(findings)}".strip(),
            parts,
        )


def _case_label(findings: Findings) -> str | pl.Expr:
    """Return the label of each row: its setting, its lineup, or both, whichever differ."""
    if findings.cells["setting"].n_unique() == 1:
        return "lineup"
    setting = pl.col("setting").map_elements(rule_name(findings), return_dtype=pl.String)
    if findings.cells["lineup"].n_unique() == 1:
        return setting
    return pl.concat_str([setting, called(findings, "lineup")], separator=", ")


def _picture(findings: Findings) -> Figure:
    rows = drawn_cells(findings, findings.end_winners).sort("end_reason", "winner", "cell", nulls_last=True)
    wins = pl.format("{} wins", called(findings, "winner")).fill_null("shared or nobody")
    name = labels_of(findings).name
    ended = pl.col("end_reason").cast(pl.String).map_elements(name, return_dtype=pl.String)
    tone = (pl.col("end_reason").rank("dense") - 1).cast(pl.Int64)
    style, part = pl.col("winner").cast(pl.Int64).fill_null(-2), pl.format("{}: {}", ended, wins)
    parts = {"label": "lineup", "part": part, "style": style, "tone": tone}
    alt = "Share of games by end reason and winning seat"
    return figure(findings, ("ends", charts.stacked), rows, alt, where_drawn(findings), parts)
