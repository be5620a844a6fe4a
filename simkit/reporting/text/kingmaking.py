"""Kingmaking in sentences."""

from collections import Counter
from collections.abc import Iterator
from math import ceil

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text import groups
from simkit.reporting.text.beginners import in_hundred
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Said, whole

RARELY, OFTEN = 0.05, 0.2  # of what hangs on late choices, for headings


def pairs(findings: Findings) -> list[tuple[Row, Row | None]]:
    """Per cell the row of the last seat and that of the leader; none where nothing was sampled."""
    table = findings.kingmaking
    if table.is_empty():
        return []
    named = labels_of(findings).named(table).partition_by("cell", maintain_order=True)
    return [(last, _row(part, "leader")) for part in named if (last := _row(part, "last"))]


def _row(part: pl.DataFrame, role: str) -> Row | None:
    rows = part.filter(role=role).rows(named=True)
    return rows[0] if rows else None


def heading(findings: Findings) -> str:
    """How often a king is made, beyond luck; where lineups differ, the one with which it is most often."""
    rows = [last for last, _ in pairs(findings)]
    kings = [last for last in rows if last["king_low"] > 0]
    if not kings:
        return "No sign that the last player decides who wins"
    most = max(kings, key=lambda last: last["king"])
    said = f"{_often(most['king'])} the player in last place decides who wins"
    if len(kings) == len(rows) and len({_often(last["king"]) for last in rows}) == 1:
        return f"{said}{groups.over(findings, [last['cell'] for last in rows])}"
    where = f", {groups.place(findings, most['setting'])}" if findings.cells["setting"].n_unique() > 1 else ""
    return f"{said}, {labels_of(findings).when(most['lineup'])}{where}"


def _often(king: float) -> str:
    return "Often" if king >= OFTEN else "Now and then" if king >= RARELY else "Rarely"


def kingmaking(findings: Findings) -> Iterator[Said]:
    """Per number of seats how far the last seat makes the king, in its first lineup; the first in full."""
    every = pairs(findings)
    known = {last["seats"]: (last, leader) for last, leader in reversed(every)}
    many = Counter(last["seats"] for last, _ in every)
    for place, (last, leader) in enumerate(known[seats] for seats in sorted(known)):
        rests = f"kingmaking.filter(cell={last['cell']})"
        who = f" {labels_of(findings).when(last['lineup'])}" if many[last["seats"]] > 1 else ""
        yield Said(_first(last, leader, who) if place == 0 else _further(last, who), rests)


def _first(last: Row, leader: Row | None, who: str) -> str:
    text = f"""With {last["seats"]} players{who}, {in_hundred(last["king"])} of 100 late choices of the player
        in last place decide, beyond luck, which of the others wins a game that this player can no longer win
        ({_sure(last)})."""
    if leader is None:
        return text
    there, here = in_hundred(leader["others"]), in_hundred(last["others"])
    return f"""{text} For comparison, whether or not the player can still win: who is best of the others
        hangs on {here} of 100 late choices of the last, on {there} of 100 of the leader."""


def _further(last: Row, who: str) -> str:
    return f"With {last['seats']} players{who} it is {in_hundred(last['king'])} ({_sure(last)})."


def _sure(row: Row) -> str:
    """The interval in whole numbers; from 0, what it is at most."""
    least, most = row["king_low"], row["king_high"]
    some = f"{whole(least)} to {whole(most)}" if least else f"at most {ceil(100 * most)}"
    return f"{some}, n = {row['games']:,} choices"
