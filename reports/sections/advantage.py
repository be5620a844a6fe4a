"""Every setting and lineup played, with its share, interval and verdict."""

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, axes, labels_of, table
from simkit.reporting.pages.sweeps import along, main_axis
from simkit.reporting.text.perspective import TEAM, side_of


def section(findings: Findings) -> Section:
    """Return a table of all cells and the pictures along the options, without the brief's."""
    first, side, axis = findings.first_player_advantage, side_of(findings.run), main_axis(findings)
    heads = {"share": f"{side.name} wins"} | ({"fair": "target"} if side == TEAM else {})
    fair = "fair" if side == TEAM or first["fair"].n_unique() > 1 else ""
    listed = table(findings, first, f"cell share low high {fair} verdict n", "Every case", **heads)
    meaning = labels_of(findings).axis_meaning(axis) if axis else ""
    texts = [f"{labels_of(findings).axis(axis)}: {meaning}."] if axis and meaning else []
    settings = counted(first["setting"].n_unique(), "setting") if axes(findings.run) else "One setting"
    lineups = first["lineup"].n_unique()
    each_setting = " each" if first["setting"].n_unique() > 1 else ""
    lineup_counts = f" with {counted(lineups, 'lineup')}{each_setting}" if lineups > 1 else ""
    # The first picture is on the brief; the grid of a team without a target shows all cells.
    pictures = findings.cached(along)[1:2]  # the first is on the brief
    return Section(f"{settings}{lineup_counts}", texts, pictures, [listed])
