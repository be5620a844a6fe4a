"""Wins of the team with each member, and the teams that win most and least."""

import polars as pl

from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    Table,
    charts,
    figure,
    here,
    labels_of,
    prose,
    table,
    with_extremes,
)
from simkit.reporting.pages.scope import first_cell, looked_words
from simkit.reporting.text.beginners import in_hundred
from simkit.reporting.text.confidence import SURE

TEXT = prose("""How often the team wins with each among its seats, and how often without. What luck
    deals is compared fairly; what is chosen in play may go with winning without bringing it about; what the
    rules fix is compared deal by deal in another run, which varies it. An adjusted p-value below 0.05 says
    that a difference is beyond luck.""")
TARGET_NOTE = "The dashed line is the target."
TEAMS_PER_END = 10  # teams shown from either end of a long list


def section(findings: Findings) -> Section | None:
    """Return wins by member, or None where the members have no names or never differ."""
    baseline = findings.at_baseline()
    if not baseline.members.width or baseline.members["difference"].is_null().all():
        return None
    heads = {"name": "with", "share": "team wins", "without_share": "team wins without it"}
    rows = _labelled(baseline, baseline.members, "name")
    names = "case name share low high without_share difference difference_low difference_high p_adjusted n"
    first = first_cell(findings, rows)
    of_heading = pl.when(pl.col("cell") == first["cell"][0]).then(1)
    listed = table(baseline, rows, names, "Wins by member", **heads)
    tables = [with_extremes(listed, rows, of_heading, "those of the heading"), *_teams(baseline)]
    place = looked_words(findings) if findings.at_baseline().cells.height > 1 else ""
    heading = f"{_heading(first)} – {place}" if place else _heading(first)
    text = f"{TEXT} {TARGET_NOTE}" if findings.run.judged else TEXT
    return Section(heading, [text], [_picture(findings, first)], tables)


def _heading(rows: pl.DataFrame) -> str:
    """Name the members with whom the team wins significantly more or less often."""
    beyond_luck = rows.filter(pl.col("p_adjusted") < SURE).sort("share", descending=True, maintain_order=True)
    better, worse = beyond_luck.filter(pl.col("difference") > 0), beyond_luck.filter(pl.col("difference") < 0)
    members = [*better.head(1).rows(named=True), *worse.tail(1).rows(named=True)]
    if not members:
        return "Which member helps the team is not settled"
    first, *rest = members
    contrasts = [f"{in_hundred(row['share'])} with {row['name']}" for row in rest]
    contrast = contrasts[0] if contrasts else f"{in_hundred(first['without_share'])} without"
    return f"The team wins {in_hundred(first['share'])} games of 100 with {first['name']}, {contrast}"


def _labelled(findings: Findings, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """Return the rows with the names of a column, joined by " + ", as labels."""

    def label(names: str) -> str:
        return " + ".join(map(labels_of(findings).name, names.split(" + ")))

    return rows.with_columns(pl.col(column).map_elements(label, return_dtype=pl.String))


def _teams(findings: Findings) -> list[Table]:
    """Return the teams by wins; of a long list its two ends."""
    if not findings.crews.width:
        return []
    place, count = pl.int_range(pl.len()).over("cell"), pl.len().over("cell")
    ends = findings.crews.filter((place < TEAMS_PER_END) | (place >= count - TEAMS_PER_END))
    caption = "Teams that win most and least" if ends.height < findings.crews.height else "Wins by team"
    heads = {"crew": "team", "share": "team wins"}
    return [
        table(findings, _labelled(findings, ends, "crew"), "case crew share low high n", caption, **heads)
    ]


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    parts = {"label": pl.col("name"), "kind": pl.lit(""), "style": pl.lit(-1)}
    alt = "How often the team wins with each member, with 95 % interval"
    aim = "target" if findings.run.judged else ""
    chart = ("members", charts.forest)
    return figure(findings, chart, rows, alt, here(findings), parts, unit="Team wins", aim=aim)
