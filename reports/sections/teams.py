"""Teams: strategies as teams and member by member, what each seat contributes, and named members."""

from itertools import islice

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Section
from simkit.page.document.tables import Show, with_extremes
from simkit.page.pictures import at_setting, figure, first_cell, here, in_points, where
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import name_seats, prose
from simkit.tables import teams as teams_tables
from simkit.tables.findings import Findings
from simkit.tables.teams import members

from .players import team_figures

TEAMS_HEADING = "Teams of one strategy, compared on the same deals"


def team_strategies(findings: Findings) -> Section | None:
    """Return teams of one strategy compared deal by deal, or None for a run without any."""
    rows = teams_tables.team_strategies(findings)
    if not rows.width:
        return None
    names = "where strategy share low high against difference difference_low difference_high p_adjusted n"
    heads = {"share": "team wins", "against": Show("compared with")}
    label = pl.col("against").map_elements(labels_of(findings).strategy, return_dtype=pl.String)
    listed = table(findings, rows.with_columns(label), names, TEAMS_HEADING, **heads)
    return Section(TEAMS_HEADING, [], [*islice(team_figures(findings), 1, 2)], [listed])


MIXED_TEAMS_TEXT = "Seat after seat plays the second strategy instead of the first, on the same deals."


def mixed_teams(findings: Findings) -> Section | None:
    """Return the wins of teams by the number of seats that play another strategy; None without any."""
    rows = teams_tables.mixed_teams(findings)
    if not rows.width:
        return None
    called = labels_of(findings).strategy
    labels = (pl.col(name).map_elements(called, return_dtype=pl.String) for name in ("one", "other"))
    rows = rows.with_columns(*labels)
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


CONTRIBUTIONS_TEXT = prose("""Each seat's part of what all do together, less its part of the turns: 0 means
    that nobody plays the game for the others.""")
MORE = "part of the sum less part of the turns, in percentage points"


def contributions(findings: Findings) -> Section | None:
    """Return each seat's part of what the team does, or None where the log holds no contributions."""
    baseline = findings.at_baseline()
    contributed = teams_tables.contributions(baseline)
    if not contributed.width or (contributed["column"] == "turns").all():
        return None
    meanings = findings.run.meanings("seats")
    labels = [name_seats(meanings.get(name) or name) for name in contributed["column"]]
    rows = first_cell(findings, contributed.with_columns(pl.Series("component", labels, dtype=pl.String)))
    names = "component seat per_game part low high more more_low more_high n"
    heads = {"component": "what", "more": "less its part of turns"}
    listed = table(baseline, rows, names, "What each seat contributes", **heads)
    parts = in_points("more") | {"label": pl.col("component"), "kind": "seat"}
    alt, chart = f"By column and seat: {MORE}, with 95 % interval", ("contributions", charts.forest)
    shown, how = rows.filter(pl.col("column") != "turns"), {"unit": MORE.capitalize(), "form": "{:+.1f}"}
    picture = figure(findings, chart, shown, alt, here(findings), parts, **how)
    return Section("Who contributes what", [CONTRIBUTIONS_TEXT], [picture], [listed])


CREW_TEXT = prose("""How often the team wins with each among its seats, and how often without. What luck
    deals is compared fairly; what is chosen in play may go with winning without bringing it about; what the
    rules fix is compared deal by deal in another run, which varies it. An adjusted p-value below 0.05 says
    that a difference is beyond luck.""")


def crew(findings: Findings) -> Section | None:
    """Return wins by member, or None where the members have no names or never differ."""
    baseline = findings.at_baseline()
    if not members(baseline).width or members(baseline)["difference"].is_null().all():
        return None
    label = pl.col("name").map_elements(labels_of(findings).name, return_dtype=pl.String)
    rows = members(baseline).with_columns(label)
    names = "case name share low high without_share difference difference_low difference_high p_adjusted n"
    heads = {"name": "with", "share": "team wins", "without_share": "team wins without it"}
    listed = table(baseline, rows, names, "Wins by member", **heads)
    listed = with_extremes(listed, rows, pl.col("difference").abs(), "the greatest differences")
    parts = {"label": pl.col("name"), "kind": pl.lit(""), "style": pl.lit(-1)}
    alt, chart = "How often the team wins with each member, with 95 % intervals", ("members", charts.forest)
    how = {"unit": "Team wins", "aim": "target" if findings.run.judged else ""}
    picture = figure(findings, chart, first_cell(findings, rows), alt, here(findings), parts, **how)
    return Section("Which member helps the team", [CREW_TEXT], [picture], [listed])
