"""The page of the order of play: who gains by it, for each number of players from 2 to 10.

The figure of the brief has every player above or below fair, a row for each number of players; the rest is
the balance page.
"""

from dataclasses import replace

import polars as pl

from simkit.page import charts
from simkit.page.document.parts import Figure, Section
from simkit.page.pictures import at_setting, figure, where
from simkit.page.words.labels import labels_of
from simkit.tables.findings import Findings
from simkit.tables.seats import seat_shares

from .balance import recipe as balance
from .sections.answer import answer, next_steps


def _sizes_figure(findings: Findings) -> Figure:
    """Return a dot per seat at the setting in view, by number of players and, of several, by lineup."""
    rows = at_setting(findings, seat_shares(findings))
    rows = rows.sort("seats", "cell", "seat", maintain_order=True)
    labels, cells = labels_of(findings), findings.run.cells
    alike = len({tuple(set(cell.labels)) for cell in cells}) == 1
    names = dict[int, str]()
    for cell in cells:
        lineup, size = "" if alike else labels.lineup(cell.labels), f"{cell.seats} players"
        names[cell.index] = lineup if lineup.startswith(size) else ", ".join(filter(None, [size, lineup]))
    ends = {"value": "share", "low": "joint_low", "high": "joint_high"}
    parts = {end: 100 * (pl.col(column) - pl.col("fair")) for end, column in ends.items()}
    how = {"label": pl.col("cell").cast(pl.Int64).replace_strict(names), "kind": "seat"}
    alt = "Wins above or below the fair share, by player and number of players, with 95 % intervals"
    unit, margin = "Percentage points above or below fair", 100 * findings.run.experiment.margin
    options = {"unit": f"{unit}; the band is the margin", "margin": margin, "form": "{:+.1f}"}
    return figure(
        findings, ("sizes", charts.forest), rows, alt, where(findings), parts | how, "seat", **options
    )


SIZES_WORDS = {
    "Points above or below fair": "the share of the games that a player wins less the fair share (1 divided "
    "by the number of players), in percentage points."
}


def seats_by_size(findings: Findings) -> Section:
    """Return the brief; of a team, whose seats win together, the answer about fairness.

    Advice for several numbers of players is too long for a brief, and stands behind it.
    """
    usual = answer(findings)
    if findings.run.team:
        return usual
    several = len(findings.by_size()) > 1
    behind = [
        part._replace(kind="") if several and part.kind == "advice" else part for part in usual.takeaways
    ]
    return replace(usual, takeaways=behind, picture=_sizes_figure(findings), words=SIZES_WORDS)


recipe = replace(balance, title="the order of play", brief=[seats_by_size, next_steps])
