"""What would be fair? The value of a rule option (or of one option per seat) that makes the seats equal.

Runs, each on deals of its own: `wide` over the whole range (`wide1` ... where too coarse), `close` where the
shares are near fair (`close1` ... half as wide, where one curve does not fit), which give the value, and
`check` of the whole-numbered candidates until a verdict, since what was selected looks better than it is.

Coverage of the 95 % interval (tests/test_fair_coverage.py): one option 93 to 98 %; one per seat 91 to 98 %,
at times open or very wide. Where the slope changes suddenly at the value: 24 to 48 % (to a fifth), 32 to 76 %
(to 0.4). Where shares jump from one whole number to the next only the check counts.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.experiment import Experiment
from simkit.fair.asking import MOST_CLOSE, Asked, Data, Look, Value, check_asked, data
from simkit.fair.many_options import many_options
from simkit.fair.one_option import one_option
from simkit.runlog import Run

MOST_CANDIDATES = 4
Play = Callable[[Experiment, str], Run]  # carries out a run in a folder of that name


class Found(NamedTuple):
    """The answer: values, the candidates checked on fresh deals, what to beware of, the runs behind it."""

    values: list[Value]
    checked: pl.DataFrame  # as the finding `first_player_advantage`
    best: tuple[int, ...]
    best_verdicts: list[dict[str, Any]]
    warnings: list[str]
    runs: list[Run]


def solve(asked: Asked, play: Play) -> Found:
    """Find the fair value and check it on fresh deals; `play` carries out the runs."""
    check_asked(asked)
    runs: list[Run] = []

    def look(wanted: Experiment, name: str) -> Data:
        runs.append(play(wanted, name))
        return data(asked, runs[-1])

    values, warnings = fair_values(asked, look)
    best, names = values[-1].setting, list(asked.vary)
    candidates = list(dict.fromkeys(value.setting for value in reversed(values)))[:MOST_CANDIDATES]
    keys = {"deals": 3 * asked.deals, "seed": asked.seed + 1 + MOST_CLOSE, "until_verdict": True}
    right = f"on target ({asked.aim})" if asked.team else "fair"
    question = f"Are these settings of {', '.join(names)} {right}?"
    runs.append(play(asked.experiment(question, sorted(candidates), **keys), "check"))
    checked = Findings(runs[-1]).first_player_advantage
    verdicts = [row for row in checked.rows(named=True) if tuple(row[name] for name in names) == best]
    return Found(values, checked, best, verdicts, warnings, runs)


def fair_values(asked: Asked, look: Look) -> tuple[list[Value], list[str]]:
    """The fair values before they are checked, and what to beware of; `look` measures the shares."""
    return (one_option if len(asked.vary) == 1 else many_options)(asked, look)
