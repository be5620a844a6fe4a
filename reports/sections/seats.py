"""Shares of each seat against the fair share."""

import polars as pl

from simkit.reporting.pages import Findings, Section, table, with_extremes


def seats(findings: Findings) -> Section | None:
    """Return the shares by seat, or None for a team or for two seats, where one share is enough."""
    shares = findings.seat_shares
    if findings.run.team or max(shares["seats"]) == 2:
        return None
    at_every_look = ", at every look" if findings.run.experiment.adaptive else ""
    text = [f"The intervals hold for all players of a lineup together{at_every_look}."]
    listed = table(findings, shares, "cell seat share joint_low joint_high fair n", "Share of each player")
    off = (pl.col("share") - pl.col("fair")).abs()
    listed = with_extremes(listed, shares, off, "those farthest from fair")
    return Section("What each player wins", text, [], [listed])
