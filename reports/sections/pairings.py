"""Pairings of players of different skill: a matrix of what each wins, and what a seat is worth in each.

The page of `simkit skill` shows the pairings of its levels, that of `simkit ladder` those of its rungs.
"""

from collections.abc import Sequence
from itertools import product

import polars as pl

from simkit.page import charts
from simkit.page.columns import points, table
from simkit.page.document.parts import Figure, Section
from simkit.page.document.tables import Show, Table
from simkit.page.pictures import figure
from simkit.page.words.numbers import in_words, prose
from simkit.questions.ladder import rung_matrix, rung_seat_effects
from simkit.questions.skill import seat_effects, skill_matrix
from simkit.tables.findings import Findings
from simkit.tables.rungs import rungs

SIDES = ("row", "column")  # who sits alone, and who sits in all other seats


def with_gaps(pairings: pl.DataFrame, players: Sequence[str]) -> pl.DataFrame:
    """Return a row for each ordered pair of players, which is empty if they did not meet.

    >>> met = pl.DataFrame({"row": ["b"], "column": ["a"], "share": [0.7]})
    >>> with_gaps(met, ["b", "a"])["share"].to_list()
    [0.7, None]
    """
    with_mirrors = bool((pairings["row"] == pairings["column"]).any())
    pairs = [(row, column) for row, column in product(players, repeat=2) if row != column or with_mirrors]
    every = pl.DataFrame(pairs, schema=SIDES, orient="row")
    return every.join(pairings, on=SIDES, how="left", maintain_order="left")


def distinct_pairings(effects: pl.DataFrame, seats: int) -> pl.DataFrame:
    """Return one row per pairing at tables of two, where a seat is worth the same to both; else all rows."""
    if seats > 2:
        return effects
    levels = effects["row"].unique(maintain_order=True)
    row, column = (pl.col(side).replace_strict(levels, range(len(levels))) for side in SIDES)
    return effects.filter(row <= column)


# Levels of `simkit skill` have labels; the page of a ladder names its rungs as commands do.


def _of_rungs(findings: Findings) -> bool:
    return findings.run.kind == "ladder"


def _matrix(findings: Findings) -> pl.DataFrame:
    return rung_matrix(findings) if _of_rungs(findings) else skill_matrix(findings)


def _players(findings: Findings) -> list[str]:
    """Return the players, the strongest first."""
    if _of_rungs(findings):
        return rungs(findings)["strategy"].reverse().to_list()
    return skill_matrix(findings)["row"].unique(maintain_order=True).to_list()


def _heads(findings: Findings) -> dict[str, str | Show]:
    """Return the headings of the players of a pairing."""
    if _of_rungs(findings):
        return {"row": Show("rung", "{}"), "column": Show("against", "{}")}
    return {"row": "level", "column": "against"}


def _heat(findings: Findings, name: str, rows: pl.DataFrame, alt: str, value: str, **how: str) -> Figure:
    """Return the figure of a number of each pairing."""
    sides = {side: pl.col(side) if _of_rungs(findings) else side for side in SIDES}
    parts = sides | {"value": value, "low": "low", "high": "high"}
    rows = with_gaps(rows, _players(findings))
    return figure(findings, (name, charts.heat), rows, alt, "", parts, across="", **how)


def wins_figure(findings: Findings) -> Figure:
    """Return the matrix of what each player wins against each other."""
    players, seats = "rung" if _of_rungs(findings) else "level of skill", findings.run.cells[0].seats
    against = "the column's" if seats == 2 else f"{in_words(seats - 1)} of the column's"
    title, middle = (
        f"Wins of the row's player against {against}, %",
        "half" if seats == 2 else "its fair share",
    )
    alt = f"How often each {players} wins against each other, the strongest first"
    return _heat(findings, "skill", _matrix(findings), alt, "share", title=title, middle=middle)


def wins_table(findings: Findings) -> Table:
    """Return a row per ordered pair of players that met."""
    heads, names = _heads(findings) | {"share": "wins"}, "row column share low high games"
    return table(findings, _matrix(findings), names, "Every pairing", **heads)


WORTH_TEXT = prose("""The worth of a seat depends on the players in the other seats. Where one player
    wins nearly every game, no seat can be worth much.""")


def seats_by_pairing(findings: Findings) -> Section | None:
    """Return what each seat is worth to each player against each; None for the ladder of a team."""
    effects = rung_seat_effects(findings) if _of_rungs(findings) else seat_effects(findings)
    if effects.is_empty():
        return None
    seats, alt = (
        findings.run.cells[0].seats,
        "What going first is worth to the row's player against the column's",
    )
    # At a table of two, the second seat is worth the opposite of the first.
    rows = effects if seats > 2 else distinct_pairings(effects, seats).filter(seat=0)
    heads = _heads(findings) | {"worth": Show("worth", points, "in percentage points")}
    heads |= {end: Show(name, points) for end, name in (("low", "from"), ("high", "to"))}
    names = f"row column {'seat' if seats > 2 else ''} worth low high deals"
    listed = table(findings, rows, names, "What a seat is worth", **heads)
    first, how = effects.filter(seat=0).with_columns(fair=0.0), {"middle": "nothing"}
    how |= {"title": "Worth of going first, percentage points"}
    drawn = _heat(findings, "worth", first, alt, "worth", **how)
    return Section("What a seat is worth between unequal players", [WORTH_TEXT], [drawn], [listed])
