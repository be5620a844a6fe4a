"""What strength does to the seats: the first player among equals, the strongest first."""

import polars as pl

from simkit.pages import Findings, Section, Story, at_setting, charts, figure, prose, table
from simkit.pages.commands import with_mirrors

HEADING = "Seat advantage by strength"
NONE = prose("""No strategy sat in every seat, so this run cannot say whether the seats matter more to strong
    play. Another run would:""")
TEXT = prose("""What the first player is worth where the same strategy sits in every seat, the strongest
    strategy on top. A seat advantage that grows with strength is in the game; one that strong play loses came
    from weak play.""")


def section(found: Findings) -> Section:
    alike = found.mirrors
    if alike.is_empty():
        command = Story("Commands for a run that says it", with_mirrors(found.run))
        return Section(HEADING, [NONE], stories=[command])
    parts = {"label": "strategy", "kind": pl.format("tables of {}", "seats")}
    alt = "Share of the first player by strategy, the strongest on top, with 95 % interval and fair share"
    drawn, unit = at_setting(found, alike), "Share of the first player"
    picture = figure(found, ("mirrors", charts.forest), drawn, alt, "", parts, unit=unit)
    names = "where strategy elo share fpa fpa_low fpa_high verdict n"
    return Section(HEADING, [TEXT], [picture], [table(found, alike, names, HEADING, share="first player")])
