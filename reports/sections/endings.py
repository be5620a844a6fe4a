"""Reasons for the end of games, and the winners by reason."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, charts, figure, labels_of, table
from simkit.reporting.pages.pictures import label_column
from simkit.reporting.pages.scope import drawn_cells, where_drawn
from simkit.reporting.text import seat_name
from simkit.reporting.text.labels import lower_first
from simkit.reporting.text.numbers import percent

MAX_CASES = 48  # rows of a picture


def endings(findings: Findings) -> Section:
    """Return end reasons and draws, with a table and a picture only where games end in several ways."""
    reasons, draws = findings.end_reasons.filter(pl.col("share") > 0), findings.draws
    drawn = f"At most {percent(max(draws['share']))} of the games of a case were draws"
    texts = [] if findings.run.team else [f"{drawn} (n = {draws['games'].sum():,} games)."]
    if reasons["end_reason"].n_unique() == 1:
        return Section(f"All games end by “{labels_of(findings).name(reasons['end_reason'][0])}”", texts)
    figures = _outcome_figures(findings) if findings.run.team else [_winners_figure(findings)]
    listed = table(findings, reasons, "cell end_reason share low high n", "End reasons")
    return Section("How games end", texts, figures, [listed])


def _outcome_figures(findings: Findings) -> list[Figure]:
    """Return a picture of the first logged column of names, a row for each case as far as they fit."""
    if not findings.outcomes.width:
        return []
    column, all_fit = findings.outcomes["column"][0], findings.outcomes.height <= MAX_CASES
    shown = findings.outcomes if all_fit else drawn_cells(findings, findings.outcomes)
    rows, label = shown.filter(pl.col("share") > 0, column=column), labels_of(findings).name
    name = pl.col("name").map_elements(lambda text: label(text, column), return_dtype=pl.String)
    several = ["setting", "lineup"] if rows["setting"].n_unique() > 1 else ["lineup"]
    case = pl.concat_str([label_column(findings, part) for part in several], separator=", ")
    parts = {"label": case, "kind": name, "style": (pl.col("name").rank("dense") - 1).cast(pl.Int64)}
    title = f"How games end: {lower_first(findings.run.meanings('games').get(column) or column)}"
    chart, about = (f"ends_{column}", charts.forest), "" if all_fit else where_drawn(findings)
    return [figure(findings, chart, rows, title, about, parts, unit="Share of games", aim="")]


def _winners_figure(findings: Findings) -> Figure:
    """Return the ends of games by the winner, a row for each."""
    rows = drawn_cells(findings, findings.end_winners).filter(pl.col("share") > 0)
    names = {seat: f"{seat_name(seat)} wins" for seat in range(max(findings.cells["seats"]))}
    wins = pl.col("winner").replace_strict(names | {-1: "shared or nobody"}, return_dtype=pl.String)
    reason = pl.col("end_reason").cast(pl.String)
    ended = reason.map_elements(labels_of(findings).name, return_dtype=pl.String)
    label = pl.concat_str([label_column(findings, "lineup"), ended], separator=": ")
    parts = {"label": label, "kind": wins, "style": pl.col("winner").cast(pl.Int64)}
    alt, chart = "How games end, and who wins then", ("ends", charts.forest)
    return figure(findings, chart, rows, alt, where_drawn(findings), parts, unit="Share of games", aim="")
