"""Sentences about kingmaking."""

from collections import Counter
from collections.abc import Iterator
from math import ceil

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text import groups
from simkit.reporting.text.beginners import in_hundred
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, Sentence, whole

RARELY, OFTEN = 0.05, 0.2  # shares of late choices that decide who wins, for headings


def pairs(findings: Findings) -> list[tuple[Row, Row | None]]:
    """Return per cell the rows of the last seat and of the leader; empty where nothing was sampled."""
    table = findings.kingmaking
    if table.is_empty():
        return []
    named = labels_of(findings).named(table).partition_by("cell", maintain_order=True)
    return [(last, _row(part, "leader")) for part in named if (last := _row(part, "last"))]


def _row(part: pl.DataFrame, role: str) -> Row | None:
    rows = part.filter(role=role).rows(named=True)
    return rows[0] if rows else None


def heading(findings: Findings) -> str:
    """Return how often kingmaking occurs beyond luck, with the lineup where it is most frequent."""
    rows = [last for last, _ in pairs(findings)]
    kings = [last for last in rows if last["king_low"] > 0]
    if not kings:
        return "No sign that the last player decides who wins"
    most = max(kings, key=lambda last: last["king"])
    sentence = f"{_often(most['king'])} the player in last place decides who wins"
    if len(kings) == len(rows) and len({_often(last["king"]) for last in rows}) == 1:
        return f"{sentence}{groups.over(findings, [last['cell'] for last in rows])}"
    where = f", {groups.place(findings, most['setting'])}" if findings.cells["setting"].n_unique() > 1 else ""
    return f"{sentence}, {labels_of(findings).when(most['lineup'])}{where}"


def _often(king: float) -> str:
    return "Often" if king >= OFTEN else "Now and then" if king >= RARELY else "Rarely"


def kingmaking(findings: Findings) -> Iterator[Sentence]:
    """Yield for each number of seats how often the last seat is kingmaker, with its first lineup."""
    rows = pairs(findings)
    first_of_size = {last["seats"]: (last, leader) for last, leader in reversed(rows)}
    lineups = Counter(last["seats"] for last, _ in rows)
    for place, seats in enumerate(sorted(first_of_size)):
        last, leader = first_of_size[seats]
        rests = f"kingmaking.filter(cell={last['cell']})"
        lineup = f" {labels_of(findings).when(last['lineup'])}" if lineups[seats] > 1 else ""
        yield Sentence(_first(last, leader, lineup) if place == 0 else _further(last, lineup), rests)


def _first(last: Row, leader: Row | None, lineup: str) -> str:
    text = f"""With {last["seats"]} players{lineup}, {in_hundred(last["king"])} of 100 late choices of the
        player in last place decide, beyond luck, which of the others wins a game that this player can no
        longer win ({_interval(last)})."""
    if leader is None:
        return text
    of_leader, of_last = in_hundred(leader["others"]), in_hundred(last["others"])
    return f"""{text} For comparison, whether or not the player can still win: who is best of the others
        hangs on {of_last} of 100 late choices of the last, on {of_leader} of 100 of the leader."""


def _further(last: Row, lineup: str) -> str:
    return f"With {last['seats']} players{lineup} it is {in_hundred(last['king'])} ({_interval(last)})."


def _interval(row: Row) -> str:
    """Return the interval in whole percent (an upper bound where it starts at 0) and the sample size."""
    least, most = row["king_low"], row["king_high"]
    ends = f"{whole(least)} to {whole(most)}" if least else f"at most {ceil(100 * most)}"
    return f"{ends}, n = {row['games']:,} choices"
