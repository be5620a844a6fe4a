"""The brief: answer, advice, picture, the certainty of the numbers and every case behind them."""

import polars as pl

from simkit.reporting.pages import Figure, Findings, Section, charts, figure, takeaways_of
from simkit.reporting.pages.scope import drawn_cells, where_drawn
from simkit.reporting.pages.sweeps import along, wins_grid, wins_table
from simkit.reporting.text import balance_answer
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import capital
from simkit.reporting.text.stamps import answer_stamp

from .advantage import cases


def answer(findings: Findings) -> Section:
    """Return the takeaways, the picture, the cases behind them and the warnings of the brief."""
    summary = findings.cached(balance_answer)
    judged = findings.run.judged
    return Section(
        takeaways=takeaways_of(findings, summary, "first_player_advantage"),
        stamp=answer_stamp(findings),
        picture=(findings.cached(along) or [_seats_figure(findings)])[0] if judged else wins_grid(findings),
        glance=cases(findings) if judged else wins_table(findings),
        warnings=summary.warnings,
    )


def _seats_figure(findings: Findings) -> Figure:
    """Return the share of the team or the first of two players, else of each seat, at the setting shown."""
    shares, side = drawn_cells(findings, findings.seat_shares), side_of(findings.run)
    parts, how = {"label": "lineup", "kind": pl.lit("")}, {"unit": f"{capital(side.name)} wins"}
    who, style, how = f"the {side.name}", "", how | ({"aim": "target"} if findings.run.team else {})
    if not findings.run.team and max(shares["seats"]) > 2:
        who, style, how = "each player", "seat", {"unit": "Share of games won"}
        parts = {"label": "lineup", "kind": "seat", "low": "joint_low", "high": "joint_high"}
    elif not findings.run.team:
        shares = shares.filter(seat=0)
    alt = f"How often {who} wins, with 95 % intervals and the {how.get('aim', 'fair share')}"
    chart, caption = ("seats", charts.forest), where_drawn(findings)
    return figure(findings, chart, shares, alt, caption, parts, style, **how)
