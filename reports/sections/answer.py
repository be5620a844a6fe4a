"""The first screen: the answer, what to do, a picture, a few rows that say it, how sure it is."""

from typing import Any

import polars as pl

from simkit.reporting.pages import (
    Figure,
    Findings,
    Section,
    Show,
    Table,
    Takeaway,
    charts,
    figure,
    labels_of,
    query,
    table,
)
from simkit.reporting.pages.commands import confirm_command
from simkit.reporting.pages.scope import drawn_cells, head_at, where_drawn
from simkit.reporting.pages.sweeps import along
from simkit.reporting.text import Answer, answer, seat_name
from simkit.reporting.text.answer import BORDERLINE, EASY, FAULTY, HARD, NOT_SETTLED, UNFAIR, advised
from simkit.reporting.text.perspective import TEAM, beyond_two, side_of
from simkit.reporting.text.phrases import Row, number
from simkit.reporting.text.player_counts import player_of
from simkit.reporting.text.precision import Judged, whole_hides

MOST_SIDE_BY_SIDE = 4  # lineups whose shares stand beside each other
MOST_SEATS = 6  # seats that do
WHOLE = "{:.0%}"
PERCENTS = (WHOLE, "{:.1%}")  # the finer one where whole percents would hide the margin
FARTHEST = "Who is farthest from fair, and wins how much"


def section(findings: Findings) -> Section:
    told = findings.kept(answer)
    source = query(findings, "first_player_advantage")
    again = "\n# ".join(
        confirm_command(findings.run, row["cell"]) for row in told.nearest[:MOST_SIDE_BY_SIDE]
    )
    if again:
        near = f"# the setting nearest to {side_of(findings.run).aim}, on fresh deals, in a terminal:"
        source = f"{source}\n\n{near}\n# {again}"
    said = [Takeaway(told.headline, source, "answer")]
    said += [Takeaway(told.advice, kind="advice")] if told.advice else []
    said += [Takeaway(one, kind="sure") for one in told.sure]
    pictures = findings.kept(along) or [_seats(findings)]
    return Section(
        takeaways=said, picture=pictures[0], glance=_glance(findings, told), warnings=told.warnings
    )


def _seats(findings: Findings) -> Figure:
    """How often each seat wins, or the team, where one setting was played."""
    team = findings.run.team
    shares = drawn_cells(findings, findings.seat_shares)
    two = not team and set(shares["seats"]) == {2}
    shares = shares.filter(seat=0) if two else shares
    parts = {"label": "lineup", "kind": pl.lit("") if team or two else "seat"}
    parts |= {} if team or two else {"low": "joint_low", "high": "joint_high"}
    side = side_of(findings.run)
    who = f"{side.name[0].upper()}{side.name[1:]} wins" if team or two else "Share of games won"
    alt = f"{who}, by lineup, with 95 % intervals and the {'target' if team else 'fair share'}"
    fair = {"fair": "target"} if team else {}
    looks = "" if team or two else "seat"
    chart, some = ("seats", charts.forest), where_drawn(findings)
    return figure(findings, chart, shares, alt, some, parts, looks, unit=who, **fair)


def _glance(findings: Findings, told: Answer) -> Table:
    if told.settings and len(told.settings[0]["lineups"]) <= MOST_SIDE_BY_SIDE:
        return _by_setting(findings, told)
    return _by_lineup(findings, told)


def _by_setting(findings: Findings, told: Answer) -> Table:
    """The baseline and the settings nearest to fair: who wins with each lineup, and a word."""
    labels, rows, side, beyond = labels_of(findings), [], side_of(findings.run), beyond_two(findings)
    before = next((_sides(row) for row in told.settings if row["baseline"]), set())
    judged = [_judged(one, beyond) for row in told.settings for one in row["lineups"]]
    fine = int(whole_hides(judged, findings.run.experiment.margin))
    for row in told.settings:
        won = {one["lineup"]: _farthest(one, fine) if beyond else one["share"] for one in row["lineups"]}
        good = ", recommended" * (row["setting"] in advised(findings) and not row["baseline"])
        rows.append({"setting": row["setting"]} | won | {"word": _word(row, before) + good})
    called = labels.of_column("lineup") or str
    lineups = [one["lineup"] for one in told.settings[0]["lineups"]]
    caption, form = (FARTHEST, "{}") if beyond else (f"The {side.name} wins", PERCENTS[fine])
    only = "farthest off" if beyond else f"{side.name} wins"
    heads: dict[str, Any] = {
        one: Show(called(one) if len(lineups) > 1 else only, form, caption.lower()) for one in lineups
    }
    names = ["setting", *lineups, "word"]
    return table(findings, pl.DataFrame(rows), names, caption, word="verdict", **heads)


def _judged(row: Row, beyond: bool) -> Judged:
    """The share that is shown, with its verdict."""
    return Judged(
        row["farthest_share" if beyond and row["seats"] > 2 else "share"], row["fair"], row["verdict"]
    )


def _farthest(row: Row, digits: int) -> str:
    """Who is farthest from fair, of two the first player; and how often that player wins."""
    seat, share = (0, row["share"]) if row["seats"] == 2 else (row["farthest"], row["farthest_share"])
    return f"{player_of(seat, row['seats'])} {number(100 * share, digits)} %"


def _word(row: Row, before: set[bool]) -> str:
    """What a setting is with all lineups; `before`: the sides on which the baseline is bad."""
    kinds, bad = {one["verdict"] for one in row["lineups"]}, _sides(row)
    two = UNFAIR in kinds and all(one["seats"] == 2 for one in row["lineups"])
    if two and len(bad) == len(before) == 1 and bad != before:
        return "overshoots"
    if len(kinds) == 1:
        return str(kinds.pop()).lower()
    if not bad:
        return next(kind for kind in (FAULTY, NOT_SETTLED, BORDERLINE) if kind in kinds).lower()
    return "unfair" if UNFAIR in kinds else "/".join(sorted(kinds & {EASY, HARD})).lower()


def _sides(row: Row) -> set[bool]:
    """Whether more than fair is won, of the lineups that are not fair."""
    return {one["share"] > one["fair"] for one in row["lineups"] if one["verdict"] in (UNFAIR, EASY, HARD)}


def _by_lineup(findings: Findings, told: Answer) -> Table:
    """Each lineup where it was looked at: the share of the first player, of all seats where these are few."""
    side, rows = side_of(findings.run), pl.DataFrame(told.first_seat, infer_schema_length=None)
    judged = [_judged(row, beyond_two(findings)) for row in told.first_seat]
    form = PERCENTS[whole_hides(judged, findings.run.experiment.margin)]
    names = ["lineup", "share", "verdict"]
    heads: dict[str, Any] = {"share": Show(f"{side.name} wins", form), "lineup": head_at(findings, "lineup")}
    if rows["setting"].n_unique() > 1:
        heads["lineup"] = "lineup"
    lower, caption = pl.col("verdict").str.to_lowercase(), f"The {side.name} wins"
    if side != TEAM and 2 < max(rows["seats"]) <= MOST_SEATS:
        seats = findings.seat_shares.filter(pl.col("cell").is_in(rows["cell"].to_list()))
        wide = seats.pivot("seat", index="cell", values="share")
        rows = rows.join(wide, on="cell", maintain_order="left")
        every = [name for name in wide.columns if name != "cell"]
        heads |= {name: Show(seat_name(int(name)), form) for name in every}
        names, caption = ["lineup", *every, "verdict"], "How often each player wins"
    if rows["setting"].n_unique() > 1:
        names.insert(1, "setting")
    if told.nearest and findings.first_player_advantage["setting"].n_unique() > 1:
        near = {row["lineup"]: row for row in told.nearest}
        at = [labels_of(findings).at(near[name]["setting"]) for name in rows["lineup"]]
        there = [near[name]["share"] for name in rows["lineup"]]
        rows = rows.with_columns(nearest=pl.Series(at), there=pl.Series(there))
        names += ["nearest", "there"]
        heads |= {"nearest": f"nearest to {side.aim}", "there": Show(f"{side.name} there", WHOLE)}
    return table(findings, rows.with_columns(lower), names, caption, **heads)
