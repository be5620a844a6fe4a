"""Reasons for the end of games, and the winners by reason."""

from collections.abc import Iterator

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, charts, figure, labels_of, table
from simkit.reporting.pages.pictures import called
from simkit.reporting.pages.scope import drawn_cells, where_drawn
from simkit.reporting.text import headings, seat_name
from simkit.reporting.text.labels import lowered
from simkit.reporting.text.phrases import percent
from simkit.reporting.text.rules import rule_name

MAX_ROWS = 48


def section(findings: Findings) -> Section:
    """Return end reasons and draws, with a table and a picture only for what differs between games."""
    reasons, draws = findings.end_reasons.filter(pl.col("share") > 0), findings.draws
    text, games = [], f"{draws['games'].sum():,} games"
    if not findings.run.team:
        most = max(draws["share"])
        drawn = f"Up to {percent(most)} of the games of a case were draws" if most else "No game was drawn"
        text.append(f"{drawn} (n = {games}).")
    if findings.run.team:
        figures = list(_outcome_pictures(findings))[:1]
    else:
        figures = [_picture(findings)] if reasons["end_reason"].n_unique() > 1 else []
    tables = [table(findings, reasons, "cell end_reason share low high n", "End reasons")] if figures else []
    return Section(headings.endings(findings), text, figures, tables)


def _outcome_label(findings: Findings) -> pl.Expr:
    def label(row: dict[str, str]) -> str:
        return labels_of(findings).name(row["name"], row["column"])

    return pl.struct("name", "column").map_elements(label, return_dtype=pl.String)


def _outcome_pictures(findings: Findings) -> Iterator[Figure]:
    """Yield a picture per logged column of names, a row for each setting and lineup of a team.

    Where the rows are too many, only those of the setting in view.
    """
    if not findings.outcomes.width:
        return
    all_fit = findings.outcomes.height <= MAX_ROWS
    drawn = findings.outcomes if all_fit else drawn_cells(findings, findings.outcomes)
    label = _case_label(findings) if all_fit else "lineup"
    for part in drawn.partition_by("column", maintain_order=True):
        column, style = part["column"][0], (pl.col("name").rank("dense") - 1).cast(pl.Int64)
        parts = {"label": label, "kind": _outcome_label(findings), "style": style}
        meaning = findings.run.meanings("games").get(column) or column
        about, title = "" if all_fit else where_drawn(findings), f"How games end: {lowered(meaning)}"
        rows, chart = part.filter(pl.col("share") > 0), (f"ends_{column}", charts.forest)
        yield figure(findings, chart, rows, title, about, parts, unit="Share of games", aim="")


def _case_label(findings: Findings) -> str | pl.Expr:
    """Return the label of each row: its setting, its lineup, or both, whichever differ."""
    if findings.cells["setting"].n_unique() == 1:
        return "lineup"
    setting = pl.col("setting").map_elements(rule_name(findings), return_dtype=pl.String)
    if findings.cells["lineup"].n_unique() == 1:
        return setting
    return pl.concat_str([setting, called(findings, "lineup")], separator=", ")


def _picture(findings: Findings) -> Figure:
    """Return the ends of games by the winner, a row for each."""
    rows = drawn_cells(findings, findings.end_winners).filter(pl.col("share") > 0)
    names = {seat: f"{seat_name(seat)} wins" for seat in range(max(findings.cells["seats"]))}
    wins = pl.col("winner").replace_strict(names | {-1: "shared or nobody"}, return_dtype=pl.String)
    ended = (
        pl.col("end_reason").cast(pl.String).map_elements(labels_of(findings).name, return_dtype=pl.String)
    )
    label = pl.concat_str([called(findings, "lineup"), ended], separator=": ")
    parts = {"label": label, "kind": wins, "style": pl.col("winner").cast(pl.Int64)}
    alt = "How games end, and who wins then"
    chart = ("ends", charts.forest)
    return figure(findings, chart, rows, alt, where_drawn(findings), parts, unit="Share of games", aim="")
