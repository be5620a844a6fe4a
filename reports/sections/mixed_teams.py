"""The worth of a strategy to its team: wins by the number of seats that play it."""

import polars as pl

from simkit.reporting.pages import Findings, Section, at_setting, charts, figure, labels_of, table, where

MIXED_TEAMS_TEXT = "Seat after seat plays the second strategy instead of the first, on the same deals."


def mixed_teams(findings: Findings) -> Section | None:
    """Return the mixed teams, or None for a run without any."""
    if not findings.mixed_teams.width:
        return None
    called = labels_of(findings).strategy
    labels = (pl.col(name).map_elements(called, return_dtype=pl.String) for name in ("one", "other"))
    rows = findings.mixed_teams.with_columns(*labels)
    heads = {"one": "first strategy", "other": "second strategy", "with_it": "seats with the second"}
    names = "where one other with_it share low high difference difference_low difference_high p_adjusted n"
    listed = table(findings, rows, names, "Seat by seat", share="team wins", **heads)
    shown = at_setting(findings, rows)
    shown = shown.filter(seats=shown["seats"][0]).drop([] if findings.run.judged else ["fair"], strict=False)
    alt = "How often teams win by the number of seats with the second strategy, with 95 % intervals"
    line, x = pl.format("{} in teams of {}", "other", "one"), pl.col("with_it")
    parts = {"line": line, "tick": x.cast(pl.String), "x": x, "style": pl.col("mix")}
    how = {"label": "Seats with the second strategy", "unit": "Share of the team", "aim": "target"}
    picture = figure(findings, ("mixed", charts.curve), shown, alt, where(findings), parts, **how)
    return Section("What a member is worth to a team", [MIXED_TEAMS_TEXT], [picture], [listed])
