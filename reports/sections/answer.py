"""The brief: answer, advice, picture, a few rows of shares and the certainty of the numbers."""

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
from simkit.reporting.pages.sweeps import along, wins_grid, wins_table
from simkit.reporting.text import Answer, answer, seat_name
from simkit.reporting.text.perspective import TEAM, beyond_two, side_of
from simkit.reporting.text.phrases import Row, number
from simkit.reporting.text.player_counts import player_of
from simkit.reporting.text.precision import Judged, whole_hides
from simkit.reporting.text.stamps import answered_stamp
from simkit.reporting.text.verdict_counts import joint_verdict

MAX_LINEUPS_SIDE_BY_SIDE = 4  # lineups with a column each
MAX_SEATS_SIDE_BY_SIDE = 6  # seats with a column each
WHOLE = "{:.0%}"
PERCENTS = (WHOLE, "{:.1%}")  # the second where whole percents would hide the margin
FARTHEST_CAPTION = "Who is farthest from fair, and wins how much"


def section(findings: Findings) -> Section:
    """Return the takeaways, the picture, the glance table and the warnings of the brief."""
    summary = findings.cached(answer)
    source = query(findings, "first_player_advantage")
    commands = "\n# ".join(
        confirm_command(findings.run, row["cell"]) for row in summary.nearest[:MAX_LINEUPS_SIDE_BY_SIDE]
    )
    if commands:
        comment = f"# the setting nearest to {side_of(findings.run).aim}, on fresh deals, in a terminal:"
        source = f"{source}\n\n{comment}\n# {commands}"
    takeaways = [Takeaway(summary.headline, source, "answer")]
    takeaways += [Takeaway(summary.advice, kind="advice")] if summary.advice else []
    takeaways += [Takeaway(note, kind="sure") for note in summary.sure]
    judged = findings.run.judged
    picture = (findings.cached(along) or [_seats(findings)])[0] if judged else wins_grid(findings)
    return Section(
        takeaways=takeaways,
        stamp=answered_stamp(findings),
        picture=picture,
        glance=_glance(findings, summary) if judged else wins_table(findings),
        warnings=summary.warnings,
    )


def _seats(findings: Findings) -> Figure:
    """Return the shares of the seats, or of the team, at the setting shown."""
    team = findings.run.team
    shares = drawn_cells(findings, findings.seat_shares)
    two_seats = not team and set(shares["seats"]) == {2}
    shares = shares.filter(seat=0) if two_seats else shares
    parts = {"label": "lineup", "kind": pl.lit("") if team or two_seats else "seat"}
    parts |= {} if team or two_seats else {"low": "joint_low", "high": "joint_high"}
    side = side_of(findings.run)
    unit = f"{side.name[0].upper()}{side.name[1:]} wins" if team or two_seats else "Share of games won"
    who = f"the {side.name}" if team or two_seats else "each player"
    by_lineup = ", by lineup" if shares["lineup"].n_unique() > 1 else ""
    alt = f"How often {who} wins{by_lineup}, with 95 % intervals and the {'target' if team else 'fair share'}"
    shows = {"aim": "target"} if team else {}
    style_column = "" if team or two_seats else "seat"
    chart, caption = ("seats", charts.forest), where_drawn(findings)
    return figure(findings, chart, shares, alt, caption, parts, style_column, unit=unit, **shows)


def _glance(findings: Findings, summary: Answer) -> Table:
    """Return a table by setting, or by lineup where the lineups are too many for columns."""
    if summary.settings and len(summary.settings[0]["lineups"]) <= MAX_LINEUPS_SIDE_BY_SIDE:
        return _by_setting(findings, summary)
    return _by_lineup(findings, summary)


def _by_setting(findings: Findings, summary: Answer) -> Table:
    """Return the shares at the baseline and the settings nearest to fair, with a verdict in a word."""
    labels, rows, side, more_than_two = labels_of(findings), [], side_of(findings.run), beyond_two(findings)
    checked = _checked(findings)
    judged = [_judged(case, more_than_two) for row in summary.settings for case in row["lineups"]]
    digits = int(whole_hides(judged, findings.run.experiment.margin))
    for row in summary.settings:
        shares = {
            case["lineup"]: _farthest(case, digits) if more_than_two else case["share"]
            for case in row["lineups"]
        }
        verdict = checked.get(row["setting"]) or joint_verdict([case["verdict"] for case in row["lineups"]])
        rows.append({"setting": row["setting"]} | shares | {"verdict": verdict})
    label = labels.of_column("lineup") or str
    lineups = [case["lineup"] for case in summary.settings[0]["lineups"]]
    caption, form = (FARTHEST_CAPTION, "{}") if more_than_two else (f"The {side.name} wins", PERCENTS[digits])
    single_head = "farthest off" if more_than_two else f"{side.name} wins"
    heads: dict[str, Any] = {
        lineup: Show(label(lineup) if len(lineups) > 1 else single_head, form, caption.lower())
        for lineup in lineups
    }
    names = ["setting", *lineups, "verdict"]
    return table(findings, pl.DataFrame(rows), names, caption, **heads)


def _checked(findings: Findings) -> dict[str, str]:
    """Return the verdict on fresh deals of each setting that was checked."""
    if not findings.confirmed.width:
        return {}
    parts = findings.confirmed.group_by("setting").agg("verdict")
    return {setting: f"{joint_verdict(verdicts)} on fresh deals" for setting, verdicts in parts.iter_rows()}


def _judged(row: Row, beyond: bool) -> Judged:
    """Return the share shown in the table, with its fair share and verdict."""
    return Judged(
        row["farthest_share" if beyond and row["seats"] > 2 else "share"], row["fair"], row["verdict"]
    )


def _farthest(row: Row, digits: int) -> str:
    """Return the player farthest from fair and its share; of two players the first."""
    seat, share = (0, row["share"]) if row["seats"] == 2 else (row["farthest"], row["farthest_share"])
    return f"{player_of(seat, row['seats'])} {number(100 * share, digits)} %"


def _by_lineup(findings: Findings, summary: Answer) -> Table:
    """Return each lineup at the setting shown: the first player's share, or those of a few seats."""
    side, rows = side_of(findings.run), pl.DataFrame(summary.first_seat, infer_schema_length=None)
    judged = [_judged(row, beyond_two(findings)) for row in summary.first_seat]
    form = PERCENTS[whole_hides(judged, findings.run.experiment.margin)]
    names = ["lineup", "share", "verdict"]
    heads: dict[str, Any] = {"share": Show(f"{side.name} wins", form), "lineup": head_at(findings, "lineup")}
    if rows["setting"].n_unique() > 1:
        heads["lineup"] = "lineup"
    caption = f"The {side.name} wins"
    if side != TEAM and 2 < max(rows["seats"]) <= MAX_SEATS_SIDE_BY_SIDE:
        seats = findings.seat_shares.filter(pl.col("cell").is_in(rows["cell"].to_list()))
        by_seat = seats.pivot("seat", index="cell", values="share")
        rows = rows.join(by_seat, on="cell", maintain_order="left")
        seat_columns = [name for name in by_seat.columns if name != "cell"]
        heads |= {name: Show(seat_name(int(name)), form) for name in seat_columns}
        names, caption = ["lineup", *seat_columns, "verdict"], "How often each player wins"
    if rows["setting"].n_unique() > 1:
        names.insert(1, "setting")
    if summary.nearest and findings.first_player_advantage["setting"].n_unique() > 1:
        nearest = {row["lineup"]: row for row in summary.nearest}
        settings = [labels_of(findings).at(nearest[name]["setting"]) for name in rows["lineup"]]
        shares = [nearest[name]["share"] for name in rows["lineup"]]
        rows = rows.with_columns(nearest=pl.Series(settings), there=pl.Series(shares))
        names += ["nearest", "there"]
        heads |= {"nearest": f"nearest to {side.aim}", "there": Show(f"{side.name} there", WHOLE)}
    return table(findings, rows, names, caption, **heads)
