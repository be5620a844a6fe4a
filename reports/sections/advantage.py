"""Every setting and lineup played, with its share, interval and verdict."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Table, axes, table, with_extremes
from simkit.reporting.text.answer import near_fair
from simkit.reporting.text.perspective import TEAM, beyond_two, side_of
from simkit.reporting.text.verdict_counts import with_not_equal


def advantage(findings: Findings) -> Section:
    """Return a table of all cells."""
    return Section("Every case", tables=[cases(findings)])


def cases(findings: Findings) -> Table:
    """Return all cells; a long table opens on the cells of the answer and of the settings nearest to fair."""
    side, rows = side_of(findings.run), with_not_equal(findings.first_player_advantage, findings.run.team)
    heads = {"share": f"{side.name} wins"} | ({"fair": "target"} if side == TEAM else {})
    fair = "fair " if side == TEAM or rows["fair"].n_unique() > 1 else ""
    farthest = "farthest farthest_share " if beyond_two(findings) else ""
    place = "setting lineup" if axes(findings.run) else "lineup"
    names = f"{place} share low high {fair}{farthest}verdict n"
    listed = table(findings, rows, names, "Every case", **heads)
    answered = pl.col("cell").is_in(findings.answered["cell"].to_list())
    near = pl.col("setting").is_in(near_fair(findings) if findings.run.judged else [])
    order = pl.when(answered).then(2).when(near).then(1).otherwise(0)
    return with_extremes(listed, rows, order, "those of the answer first")
