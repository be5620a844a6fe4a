"""How often each seat wins, against the fair share."""

from simkit.pages import Findings, Section, charts, figure, table
from simkit.pages.scope import drawn_cells, where_drawn


def section(found: Findings) -> Section | None:
    """Nothing for a team, whose seats win together."""
    if found.run.team:
        return None
    parts = {"label": "lineup", "kind": "seat", "low": "joint_low", "high": "joint_high"}
    alt = "Share of the games won by each seat, with its 95 % interval and the fair share"
    chart, shown = ("seats", charts.forest), drawn_cells(found, found.seat_shares)
    picture = figure(found, chart, shown, alt, where_drawn(found), parts, looks="seat")
    bars = "The dashed line is the share every seat would have in a fair game; the bars are 95 % intervals"
    more = ", which hold for all seats of a lineup together" if max(found.cells["seats"]) > 2 else ""
    looks = " They hold at every look, since the run decided by itself when to stop."
    text = f"How often each seat wins. {bars}{more}.{looks if found.run.experiment.adaptive else ''}"
    names = "cell seat share joint_low joint_high fair n"
    listed = table(found, found.seat_shares, names, "Share of each seat")
    return Section("Seats", [text], [picture], [listed])
