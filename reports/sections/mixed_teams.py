"""The worth of a strategy to its team: wins by the number of seats that play it."""

import polars as pl

from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    at_setting,
    charts,
    figure,
    labels_of,
    table,
    where,
)
from simkit.reporting.text.teams import single_member

TEXT = "Seat after seat plays the second strategy instead of the first, on the same deals."


def section(findings: Findings) -> Section | None:
    """Return the mixed teams, or None for a run without any."""
    rows, called = findings.mixed_teams, labels_of(findings).strategy
    if not rows.width:
        return None
    heads = {"one": "first strategy", "other": "second strategy", "with_it": "seats with the second"}
    names = "where one other with_it share low high difference difference_low difference_high p_adjusted n"
    labels = (pl.col(name).map_elements(called, return_dtype=pl.String) for name in ("one", "other"))
    labelled = rows.with_columns(*labels)
    listed = table(findings, labelled, names, "Seat by seat", share="team wins", **heads)
    heading = single_member(at_setting(findings, rows).rows(named=True), called)
    return Section(heading, [TEXT], [_picture(findings, at_setting(findings, labelled))], [listed])


def _picture(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return how often teams of the first size win by the seats of the second strategy."""
    seats = rows["seats"][0]
    parts = {
        "line": pl.format("{} in teams of {}", "other", "one"),
        "tick": pl.col("with_it").cast(pl.String),
    }
    parts |= {"x": pl.col("with_it"), "style": pl.col("mix")}
    alt = (
        f"How often teams of {seats} win by the number of seats with the second strategy, with 95 % intervals"
    )
    options = {"label": "Seats with the second strategy", "unit": "Share of the team", "aim": "target"}
    shown = rows.filter(seats=seats)
    shown = shown if findings.run.judged else shown.drop("fair", strict=False)
    return figure(findings, ("mixed", charts.curve), shown, alt, where(findings), parts, **options)
