"""Untested values between two neighbours, one of which favours the first player and one the second."""

import itertools
from typing import NamedTuple

from simkit.analysis import Findings
from simkit.words.again import again, game_words, until_verdict
from simkit.words.labels import labels_of
from simkit.words.phrases import Row, games_of_100
from simkit.words.whose import side_of


class Gap(NamedTuple):
    """Two neighbours among the values of an option that leave values between them, with the rows of each."""

    low: int
    high: int
    at_low: list[Row]
    at_high: list[Row]


def gap_around_fair(rows: list[Row], option: str) -> Gap | None:
    """Return the first two neighbours whose intervals lie on opposite sides of fair with every lineup.

    rows: of `first_player_advantage`, where the only option varied is a column.
    """
    by_value: dict[int, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row[option]):
        by_value.setdefault(row[option], []).append(row)
    for low, high in itertools.pairwise(by_value):
        sides = _side(by_value[low]), _side(by_value[high])
        if high - low > 1 and sides in ((1, -1), (-1, 1)):
            return Gap(low, high, by_value[low], by_value[high])
    return None


def _side(rows: list[Row]) -> int:
    """1 where the first player wins more than a fair share with every lineup, -1 where less, 0 where open."""
    if all(row["low"] > row["fair"] for row in rows):
        return 1
    return -1 if all(row["high"] < row["fair"] for row in rows) else 0


def gap_sentence(gap: Gap, option: str, side: str, fair: str, command: str) -> str:
    """Say which values may be fair and how to test them.

    >>> gap = Gap(6, 8, [{"share": 0.62}], [{"share": 0.4}])
    >>> gap_sentence(gap, "miles", "team", "on target", "simkit sweep trip miles=7").partition(": ")[0]
    'Miles 7 may be on target'
    """
    some = f"{gap.low + 1}" if gap.high - gap.low == 2 else f"{gap.low + 1} to {gap.high - 1}"
    won = [games_of_100(*(pick(row["share"] for row in rows) for pick in (min, max))) for rows in gap[2:]]
    wins = f"the {side} wins {won[0]} with {gap.low} and {won[1]} with {gap.high}"
    return f"{option[:1].upper()}{option[1:]} {some} may be {fair}: {wins}. To test that: {command}"


def between_neighbours(found: Findings) -> str:
    """Say which untested value of the only option may be fair; nothing where no neighbours straddle fair."""
    swept, first, run = labels_of(found).swept, found.first_player_advantage, found.run
    if len(swept) != 1 or len(swept[0].options) > 1 or not swept[0].whole_numbers:
        return ""
    (name,) = swept[0].options
    gap = gap_around_fair(first.rows(named=True), name) if run.team or set(first["seats"]) == {2} else None
    if gap is None or labels_of(found).is_seat(name):
        return ""
    values = f"{name}={gap.low + 1}" + (f":{gap.high - 1}" if gap.high - gap.low > 2 else "")
    lineups = [list(names) for names in dict.fromkeys(tuple(cell.labels) for cell in run.cells)]
    words = [values, *game_words(run, lineups), *until_verdict(run, max(cell.deals for cell in run.cells))]
    option, fair = labels_of(found).option(name), "on target" if run.team else "fair"
    command = again(run, "sweep", run.experiment.game, *words)
    return gap_sentence(gap, option, side_of(found.run).name, fair, command)
