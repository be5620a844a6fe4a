"""How often the team wins with each character or the like among its members, and which teams win most."""

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
BEST = "The dashed line is the target."
ENDS = 10  # teams shown from either end of the list


def section(findings: Findings) -> Section | None:
    """Nothing where no column of the seats holds names, or the same ones in all games."""
    looked = findings.looked()
    if not looked.members.width or looked.members["difference"].is_null().all():
        return None
    heads = {"name": "with", "share": "team wins", "without_share": "team wins without it"}
    rows = _called(looked, looked.members, "name")
    names = "case name share low high without_share difference difference_low difference_high p_adjusted n"
    first = first_cell(findings, rows)
    of_heading = pl.when(pl.col("cell") == first["cell"][0]).then(1)
    listed = table(looked, rows, names, "Wins by member", **heads)
    tables = [with_extremes(listed, rows, of_heading, "those of the heading"), *_teams(looked)]
    where = looked_words(findings) if findings.looked().cells.height > 1 else ""
    heading = f"{_heading(first)}{f' – {where}' * bool(where)}"
    return Section(heading, [f"{TEXT} {BEST}"], [_picture(findings, first)], tables)


def _heading(rows: pl.DataFrame) -> str:
    """With whom the team wins more, and with whom less, than without them, beyond luck."""
    real = rows.filter(pl.col("p_adjusted") < SURE).sort("share", descending=True, maintain_order=True)
    more, less = real.filter(pl.col("difference") > 0), real.filter(pl.col("difference") < 0)
    told = [*more.head(1).rows(named=True), *less.tail(1).rows(named=True)]
    if not told:
        return "No member makes the team win more or less beyond luck"
    first, *rest = told
    others = [f"{in_hundred(row['share'])} with {row['name']}" for row in rest]
    other = others[0] if others else f"{in_hundred(first['without_share'])} without"
    return f"The team wins {in_hundred(first['share'])} games of 100 with {first['name']}, {other}"


def _called(findings: Findings, rows: pl.DataFrame, column: str) -> pl.DataFrame:
    """With each name, or each of several names, as the game calls it."""

    def said(names: str) -> str:
        return " + ".join(map(labels_of(findings).name, names.split(" + ")))

    return rows.with_columns(pl.col(column).map_elements(said, return_dtype=pl.String))


def _teams(findings: Findings) -> list[Table]:
    """The teams that win most and least, those at the ends of a long list."""
    if not findings.crews.width:
        return []
    place, many = pl.int_range(pl.len()).over("cell"), pl.len().over("cell")
    ends = findings.crews.filter((place < ENDS) | (place >= many - ENDS))
    caption = "Teams that win most and least" if ends.height < findings.crews.height else "Wins by team"
    heads = {"crew": "team", "share": "team wins"}
    return [table(findings, _called(findings, ends, "crew"), "case crew share low high n", caption, **heads)]


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    parts = {"label": pl.col("name"), "kind": pl.lit(""), "style": pl.lit(-1)}
    alt = "Share of the team with each member, with 95 % interval and target"
    chart = ("members", charts.forest)
    return figure(findings, chart, rows, alt, here(findings), parts, unit="Team wins", fair="target")
