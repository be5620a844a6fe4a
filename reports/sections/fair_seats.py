"""Gains and losses of every seat at the best whole numbers, in games of three and more."""

from simkit.reporting.pages import Findings, Section, Show, charts, figure, points, table
from simkit.reporting.text.best_values import best_of_all, of_each_seat
from simkit.reporting.text.fairness import seats_said


def section(findings: Findings) -> Section | None:
    """Return the shares by seat, or None for a team or for two seats, where one share is enough."""
    if not findings.fair_values.width or findings.run.team or findings.run.cells[0].seats == 2:
        return None
    best = best_of_all(findings)
    rows = of_each_seat(findings)
    parts = {"label": "lineup", "kind": "seat", "low": "joint_low", "high": "joint_high"}
    alt = f"How often each player wins at {best.setting}, on fresh deals, with 95 % intervals"
    picture = figure(findings, ("fair_seats", charts.forest), rows, alt, "", parts, style_by="seat")
    off = Show("above or below fair", points, "share less the fair share, in percentage points")
    listed = table(findings, rows, "lineup seat share joint_low joint_high fair off n", "Every seat", off=off)
    text = f"At {best.setting}, on fresh deals; the intervals hold for all seats together, at any look."
    return Section(seats_said(findings), [text], [picture], [listed])
