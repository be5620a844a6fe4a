"""How often each seat wins, against the fair share."""

import polars as pl

from simkit.reporting.pages import Findings, Section, labels_of, table, with_extremes
from simkit.reporting.pages.scope import looked_words, setting_looked_at
from simkit.reporting.text.player_counts import who_wins_most


def section(findings: Findings) -> Section | None:
    """Nothing for a team, whose seats win together, nor where two seats share all games."""
    shares = findings.seat_shares
    if findings.run.team or max(shares["seats"]) == 2:
        return None
    looks = ", at every look" if findings.run.experiment.adaptive else ""
    cases = "; the heading allows for all cases of the run, too" * (len(findings.run.cells) > 1)
    text = [f"The intervals hold for all players of a lineup together{looks}{cases}."]
    if setting := looked_words(findings, lineup=False):
        named = f"the {setting}" if setting == labels_of(findings).base else setting
        text.insert(0, f"The heading is about {named}.")
    listed = table(findings, shares, "cell seat share joint_low joint_high fair n", "Share of each player")
    off = (pl.col("share") - pl.col("fair")).abs()
    listed = with_extremes(listed, shares, off, "those farthest from fair")
    return Section(who_wins_most(findings, setting_looked_at(findings)), text, [], [listed])
