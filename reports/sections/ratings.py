"""Elo ratings of strategies and seats on one scale."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, at_setting, labels_of, prose, table, with_extremes
from simkit.reporting.pages.scope import setting_looked_at
from simkit.reporting.text import seat_name
from simkit.reporting.text.groups import looked_place
from simkit.reporting.text.meetings import everybody_met, met_at
from simkit.reporting.text.phrases import capital

TEXT = prose("""All games put on one scale (Elo): a strategy 70 points above another wins about 60 % against
    it, 191 points 75 %, 400 points 91 %. 0 is the mean of the strategies here. The last rows are seats: what
    a later player is worth against the first for the same strategy.""")
NOT_ALL_MET = prose("""Not all of these strategies met: those that did not are put on the scale through
    opponents that both met.""")
SCALE = "of two strategies 70 points apart the better wins about 60 %, 191 points 75 %, 400 points 91 %"
WORDS = {"Elo": f"a scale of strength: {SCALE}."}


def section(findings: Findings) -> Section:
    """Return the ratings at every setting, with the reason where there is none."""
    rated = _labelled(findings)
    reasons = at_setting(findings, rated)["reason"].drop_nulls().unique(maintain_order=True)
    labels = dict(rated.select("name", "called").iter_rows())
    shows = {"name": Show("strategy or seat", labels.__getitem__), "reason": "why there is no rating"}
    names = f"where name elo low high n {'reason' if len(reasons) else ''}"
    listed = table(findings, rated, names, "Elo ratings of strategies and seats", **shows)
    at_setting_shown = pl.when(setting=setting_looked_at(findings)).then(1)
    listed = with_extremes(listed, rated, at_setting_shown, "those that the heading is about")
    text = [*(f"No ratings: {labels_of(findings).in_text(reason)}." for reason in reasons), TEXT]
    text += [] if everybody_met(at_setting(findings, findings.meetings)) else [NOT_ALL_MET]
    heading = _heading(findings, rated) + looked_place(findings, at_setting(findings, rated))
    return Section(heading, text, tables=[listed], words=WORDS)


def _heading(findings: Findings, rated: pl.DataFrame) -> str:
    """Name the strategy rated highest and its lead over the next."""
    plans = at_setting(findings, rated).filter(pl.col("seat").is_null()).drop_nulls("elo")
    ranked = plans.filter(pl.col("seats") == pl.col("seats").first()).sort("elo", descending=True)
    if ranked.height < 2:
        return "These games give no ratings"
    best, second = ranked.head(2).rows(named=True)
    meeting = met_at(at_setting(findings, findings.meetings), best["seats"])
    through = "" if meeting.met(best["name"], second["name"]) else ", through common opponents"
    if second["high"] >= best["low"]:
        return f"{capital(best['called'])} and {second['called']} may rate alike{through}"
    gap = f"{best['elo'] - second['elo']:.0f} Elo"
    return f"{capital(best['called'])} rates {gap} above the next{through}"


def _labelled(findings: Findings) -> pl.DataFrame:
    """Return the ratings with the label of each strategy and seat, and the number of the seat."""
    strategy, number = labels_of(findings).strategy, pl.col("name").str.extract(r"(\d+)$").cast(pl.Int64)
    seat = pl.when(pl.col("kind") == "seat").then(number)
    label = pl.col("name").map_elements(strategy, return_dtype=pl.String)
    of_seat = seat.map_elements(seat_name, return_dtype=pl.String)
    return findings.ratings.with_columns(seat.alias("seat"), pl.coalesce(of_seat, label).alias("called"))
