"""Untested values between two neighbours, one of which favours the first player and one the second."""

import itertools
from typing import NamedTuple

from simkit.analysis import Findings
from simkit.reporting.text.commands import command_again, game_words, lineups, until_verdict
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import games_of_100
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row


class Gap(NamedTuple):
    """Two neighbouring values of an option with untested values between them, and the rows of each."""

    low: int
    high: int
    at_low: list[Row]
    at_high: list[Row]


def gap_around_fair(rows: list[Row], option: str) -> Gap | None:
    """Return the first two neighbours whose intervals lie on opposite sides of fair with every lineup.

    rows: of `first_player_advantage`, where the only varied option is a column.
    """
    values = sorted({row[option] for row in rows})
    for low, high in itertools.pairwise(values):
        at_low, at_high = ([row for row in rows if row[option] == value] for value in (low, high))
        if high - low > 1 and {_side(at_low), _side(at_high)} == {1, -1}:
            return Gap(low, high, at_low, at_high)
    return None


def _side(rows: list[Row]) -> int:
    """Return 1 if the first player wins more than a fair share with every lineup, -1 if less, else 0."""
    if all(row["low"] > row["fair"] for row in rows):
        return 1
    return -1 if all(row["high"] < row["fair"] for row in rows) else 0


def gap_sentence(gap: Gap, option: str, side: str, fair: str, command: str) -> str:
    """Return the sentence that names the values that may be fair and the command that tests them.

    >>> gap = Gap(6, 8, [{"share": 0.62}], [{"share": 0.4}])
    >>> gap_sentence(gap, "miles", "team", "on target", "simkit sweep trip miles=7").partition(": ")[0]
    'Miles 7 may be on target'
    """
    values = f"{gap.low + 1}" if gap.high - gap.low == 2 else f"{gap.low + 1} to {gap.high - 1}"
    low, high = (games_of_100(*(row["share"] for row in rows)) for rows in (gap.at_low, gap.at_high))
    wins = f"the {side} wins {low} with {gap.low} and {high} with {gap.high}"
    return f"{option[:1].upper()}{option[1:]} {values} may be {fair}: {wins}. To test that: {command}"


def between_neighbours(findings: Findings) -> str:
    """Return the sentence on the untested value that may be fair; empty where no neighbours straddle fair."""
    labels, first, run = labels_of(findings), findings.first_player_advantage, findings.run
    if len(labels.swept) != 1 or len(labels.swept[0].options) > 1 or not labels.swept[0].whole_numbers:
        return ""
    ((name,), two) = labels.swept[0].options, set(first["seats"]) == {2}
    gap = gap_around_fair(first.rows(named=True), name) if run.team or two else None
    if gap is None or labels.is_seat(name):
        return ""
    values = ":".join(dict.fromkeys((f"{gap.low + 1}", f"{gap.high - 1}")))
    until = until_verdict(run, max(cell.deals for cell in run.cells))
    words = [f"{name}={values}", *game_words(run, lineups(run)), *until]
    command = command_again(run, "sweep", run.experiment.game, *words)
    fair = "on target" if run.team else "fair"
    return gap_sentence(gap, labels.option(name), side_of(run).name, fair, command)
