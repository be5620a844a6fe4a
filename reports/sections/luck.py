"""Skill and luck: a player who errs, how much of winning is luck, and kingmaking."""

from collections.abc import Iterator

import polars as pl

from simkit.page import charts
from simkit.page.columns import table
from simkit.page.document.parts import Figure, Section
from simkit.page.document.tables import Show
from simkit.page.pictures import figure, first_cell, here, in_points
from simkit.page.words.labels import labels_of
from simkit.page.words.luck import CALLED, luck_sentences
from simkit.page.words.numbers import TableRow, percent, prose, span
from simkit.tables import luck as luck_tables
from simkit.tables.findings import Findings
from simkit.tables.luck import luck_parts

REPORTED_RATE = 0.2  # error rate of the beginner that sentences report, or the nearest one played
ERRORS_READING = prose("""An error is a random one of the possible actions in place of the strategy's own,
    which now and then is a good one; people who begin also err in other ways. In the picture a flat line
    means that errors hardly matter, a steep one that they do; 100 % is the share without errors. One of the
    players, in every seat as often, errs.""")


def beginners(findings: Findings) -> Section | None:
    """Return the curve and the table of a player who errs, or None for a run without beginners."""
    if luck_tables.beginners(findings).is_empty():
        return None
    text = [*beginner_sentences(findings), ERRORS_READING]
    heads = {"errs": Show("errs in", "{:.0%}"), "share": "wins", "fair": "without errors"}
    names = "seats strategy errs share low high fair games"
    numbers = table(findings, luck_tables.beginners(findings), names, "Wins of a player who errs", **heads)
    return Section("A player who errs", text, [_errors_figure(findings)], [numbers])


def beginner_sentences(findings: Findings) -> Iterator[str]:
    """Yield for each number of seats what a player who errs at the reported rate wins."""
    distance = (pl.col("errs") - REPORTED_RATE).abs()
    erring = luck_tables.beginners(findings).filter(pl.col("errs") > 0).sort(distance, maintain_order=True)
    winner = "the team" if findings.run.team else "this player"
    for row in erring.unique("seats", keep="first").sort("seats").rows(named=True):
        errs = f"With {row['seats']} players, of whom one errs in {percent(row['errs'])} of the decisions"
        interval = span(row["low"], row["high"], scale=100)
        wins = f"{winner} wins {percent(row['share'])} of the games ({interval})"
        yield f"{errs}, {wins}; without errors it would be {percent(row['fair'])}."


def _errors_figure(findings: Findings) -> Figure:
    """Return shares relative to play without errors, a line per number of seats, from no errors on."""
    rows = luck_tables.beginners(findings).filter(pl.col("fair") > 0)
    start = rows.unique("seats", maintain_order=True).with_columns(errs=0.0, share=1.0, low=1.0, high=1.0)
    ends = [pl.col(end) / pl.col("fair") for end in ("share", "low", "high")]
    curves = pl.concat([start, rows.filter(pl.col("errs") > 0).with_columns(ends)])
    line = pl.format("{} players", "seats")
    curves = curves.with_columns(line=line, x=100 * pl.col("errs"), fair=pl.lit(1.0))
    label = "Decisions in which one player errs, %"
    options = {"label": label, "aim": "", "unit": "Games won, 100 %: as many as without errors"}
    alt = f"How often {'the team' if findings.run.team else 'a player'} wins the more one player errs"
    parts = {"line": pl.col("line"), "x": "x"}
    return figure(findings, ("beginners", charts.curve), curves, alt, "", parts, **options)


LUCK_METHOD = prose("""Measured by playing deals again with some of the luck held fixed: the setup, the draws
    during play or the chance in choices (ties that strategies break, and mistakes). How strong the players
    are is no part of it.""")
ALONE = "part of its variance that goes with this luck, whatever the others do (first-order index)"
TOTAL = "part that would be gone if this luck were held fixed and all else varied (total index)"


def luck(findings: Findings) -> Section | None:
    """Return the parts of luck, or None for a run without a luck study."""
    if luck_parts(findings).is_empty():
        return None
    rows = luck_parts(findings).with_columns(pl.col("part").replace_strict(CALLED).alias("luck"))
    heads = {"luck": Show("luck"), "streams": Show("streams", str, "names of its random streams")}
    heads |= {"alone": Show("by itself", "{:.1%}", ALONE), "total": Show("has a hand in", "{:.1%}", TOTAL)}
    names = "cell luck streams alone alone_low alone_high total total_low total_high deals games"
    listed = table(findings, rows, names, "What decides who wins", **heads)
    text = [*(sentence.text for sentence in luck_sentences(findings)), LUCK_METHOD]
    first = first_cell(findings, rows)
    figures = [_luck_figure(findings, first)] if first["alone"].count() else []
    return Section("How much is luck", text, figures, [listed])


def _luck_figure(findings: Findings, rows: pl.DataFrame) -> Figure:
    """Return the picture of what each kind of luck decides by itself and of what it has a hand in."""
    kinds = {"by itself": "alone", "has a hand in": "total"}
    frames = [
        rows.with_columns(**in_points(name), kind=pl.lit(kind)).drop_nulls("value")
        for kind, name in kinds.items()
    ]
    alt = "What each kind of luck decides of who wins, with 95 % intervals"
    parts = {name: name for name in ("value", "low", "high", "kind")} | {"label": "luck"}
    options = {"unit": "Part of the variance of who wins, %", "form": "{:.0f}", "aim": ""}
    chart = ("luck", charts.forest)
    return figure(findings, chart, pl.concat(frames), alt, here(findings), parts, **options)


KINGMAKING_METHOD = prose("""To make a king is to decide which of the others wins when one can no longer win.
    A choice in the last third of a game, of the player who alone has the fewest points (last) or the most
    (leader), is played on eight times with each possible action: how much more often does another player win?
    Programs do not choose out of spite; people may.""")


def kingmaking(findings: Findings) -> Section | None:
    """Return the numbers, or None for a run without kingmaking: not requested, two seats, or a team."""
    rows = luck_tables.kingmaking(findings)
    if rows.is_empty() or (last := rows.filter(role="last")).is_empty():
        return None
    sentences = map(_king_sentence, labels_of(findings).label(last).rows(named=True))
    heads = {
        "king": Show("makes the king", "{:.1%}", "who wins differs beyond luck, itself it never wins"),
        "others": Show("changes the others", "{:.1%}", "who is best of the others differs beyond luck"),
        "wins": Show("may win", "{:.1%}", "the player itself wins one of the games played on"),
        "choices": Show("choices", "{:.1f}", "possible actions, on average"),
        "role": Show("player", str),
    }
    names = "cell role king king_low king_high others wins choices games"
    numbers = table(findings, rows, names, "What late choices change", **heads)
    return Section("Kingmaking", [*sentences, KINGMAKING_METHOD], tables=[numbers])


def _king_sentence(row: TableRow) -> str:
    """Return how often the player in last place decides, beyond luck, which of the others wins."""
    interval = span(row["king_low"], row["king_high"], scale=100)
    choices = f"{percent(row['king'])} ({interval}) of the late choices of the last player make a king"
    return f"With {row['seats']} players ({row['lineup']}), {choices}."
