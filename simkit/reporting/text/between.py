"""Untested values between two neighbours, one of which favours the first player and one the second."""

from itertools import pairwise

from simkit.analysis import Findings
from simkit.reporting.text.commands import command_again, game_words, lineups, until_verdict
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import games_of_100
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row, capital


def gap_around_fair(rows: list[Row], option: str) -> tuple[int, int] | None:
    """Return the first two neighbours whose intervals lie on opposite sides of fair with every lineup.

    Between them are untested values. rows: of `first_player_advantage`; the option is one of its columns.
    """
    values = sorted({row[option] for row in rows})
    sides = {value: _side([row for row in rows if row[option] == value]) for value in values}
    for low, high in pairwise(values):
        if high - low > 1 and {sides[low], sides[high]} == {1, -1}:
            return low, high
    return None


def _side(rows: list[Row]) -> int:
    """Return 1 if the first player wins more than a fair share with every lineup, -1 if less, else 0."""
    if all(row["low"] > row["fair"] for row in rows):
        return 1
    return -1 if all(row["high"] < row["fair"] for row in rows) else 0


def between_neighbours(findings: Findings) -> str:
    """Return the untested values that may be fair and a command; empty where no neighbours straddle fair."""
    labels, first, run = labels_of(findings), findings.first_player_advantage, findings.run
    if len(labels.swept) != 1 or len(labels.swept[0].options) > 1 or not labels.swept[0].whole_numbers:
        return ""
    (name,), rows = labels.swept[0].options, first.rows(named=True)
    gap = gap_around_fair(rows, name) if run.team or set(first["seats"]) == {2} else None
    if gap is None or labels.is_seat(name):
        return ""
    values = list(dict.fromkeys((f"{gap[0] + 1}", f"{gap[1] - 1}")))
    until = until_verdict(run, max(cell.deals for cell in run.cells))
    words = [f"{name}={':'.join(values)}", *game_words(run, lineups(run)), *until]
    command = command_again(run, "sweep", run.experiment.game, *words)
    low, high = (games_of_100(*(row["share"] for row in rows if row[name] == value)) for value in gap)
    wins = f"the {side_of(run).name} wins {low} with {gap[0]} and {high} with {gap[1]}"
    fair, option = "on target" if run.team else "fair", capital(labels.option(name))
    return f"{option} {' to '.join(values)} may be {fair}: {wins}. To test that: {command}"
