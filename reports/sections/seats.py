"""How often each seat wins, against the fair share."""

import polars as pl

from simkit.pages import Findings, Section, table
from simkit.words import seat_name


def section(found: Findings) -> Section | None:
    """Nothing for a team, whose seats win together, nor where two seats share all games."""
    shares = found.seat_shares
    if found.run.team or max(shares["seats"]) == 2:
        return None
    looks = ", at every look" if found.run.experiment.adaptive else ""
    text = f"The intervals hold for all players of a line-up together{looks}."
    listed = table(found, shares, "cell seat share joint_low joint_high fair n", "Share of each player")
    off = shares.group_by("seat", maintain_order=True).agg((pl.col("share") - pl.col("fair")).mean())
    best, worst = (off.sort("share", descending=down)["seat"][0] for down in (True, False))
    heading = f"The {seat_name(best)} wins most, the {seat_name(worst)} least"
    return Section(heading, [text], [], [listed])
