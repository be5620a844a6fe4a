"""Shares of each seat against the fair share."""

import polars as pl

from simkit.reporting.pages import Findings, Section, labels_of, table, with_extremes
from simkit.reporting.pages.scope import looked_words, setting_looked_at
from simkit.reporting.text.player_counts import who_wins_most


def section(findings: Findings) -> Section | None:
    """Return the shares by seat, or None for a team or for two seats, where one share is enough."""
    shares = findings.seat_shares
    if findings.run.team or max(shares["seats"]) == 2:
        return None
    at_every_look = ", at every look" if findings.run.experiment.adaptive else ""
    several = len(findings.run.cells) > 1
    family = "; the heading allows for all cases of the run, too" if several else ""
    text = [f"The intervals hold for all players of a lineup together{at_every_look}{family}."]
    if setting := looked_words(findings, lineup=False):
        named = f"the {setting}" if setting == labels_of(findings).base else setting
        text.insert(0, f"The heading is about {named}.")
    listed = table(findings, shares, "cell seat share joint_low joint_high fair n", "Share of each player")
    off = (pl.col("share") - pl.col("fair")).abs()
    listed = with_extremes(listed, shares, off, "those farthest from fair")
    return Section(who_wins_most(findings, setting_looked_at(findings)), text, [], [listed])
