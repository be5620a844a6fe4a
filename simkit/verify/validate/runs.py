"""Runs for validation, made as by any user, and results of checks: the difference that chance explains."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from simkit.engine.game import Game, KnownAnswer
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError, look_up
from simkit.runs import experiment, log, runner
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import Layout, make_plan
from simkit.tables.findings import setting_words

LIMIT = 4.0  # standard errors; chance alone exceeds them once in 16,000 values
ROUNDING = 1e-9
Values = NDArray[np.float64]


class Comparison(NamedTuple):
    """The result of a check."""

    subject: str  # the game, or "luck"
    cell: str  # options and lineup, if they matter
    check: str
    expected: float
    measured: float
    n: int  # sample size: deals, pairs, streams, replications
    error: float  # standard error of the observed value; 0 for an exact check
    z: float
    passed: bool
    allowance: float = 0.0  # difference from the expected value that is accepted


class Subject(NamedTuple):
    """The subject of a check: a game as a whole, or one of its cells."""

    name: str
    cell: str = ""


def judge_random_value(
    subject: Subject, check: str, expected: float, value: float, error: float, n: int, allowance: float = 0.0
) -> Comparison:
    """Return the result for a random value, which passes within LIMIT errors of expected ± allowance."""
    gap = value - expected
    beyond = 0.0 if abs(gap) <= allowance + ROUNDING else math.copysign(abs(gap) - allowance, gap)
    z = beyond / error if error > 0 else math.copysign(math.inf, beyond) if beyond else 0.0
    return Comparison(*subject, check, expected, value, n, error, z, abs(z) < LIMIT, allowance)


def exact(subject: Subject, check: str, exceptions: int, n: int) -> Comparison:
    """Return the result for a condition that must hold without exception."""
    passed = exceptions == 0 and n > 0
    return Comparison(*subject, check, 0.0, float(exceptions), n, 0.0, 0.0 if passed else math.inf, passed)


def rate(
    subject: Subject, check: str, expected: float, held: ArrayLike, level: float, allowance: float
) -> Comparison:
    """Return the result for the rate at which a condition held in replications, `level` or 1 − `level`."""
    values = np.asarray(held, np.float64)
    error = math.sqrt(level * (1 - level) / values.size)
    return judge_random_value(subject, check, expected, float(values.mean()), error, values.size, allowance)


def chi_square(subject: Subject, check: str, statistic: float, freedom: int, n: int) -> Comparison:
    """Return the result for a statistic with a chi-square distribution; z is the normal quantile of its p.

    >>> chi_square(Subject("luck"), "a die", 5.0, 5, 600).z.__round__(2)
    0.21
    """
    z = float(stats.norm.isf(stats.chi2.sf(statistic, freedom)))
    return Comparison(*subject, check, freedom, statistic, n, math.sqrt(2 * freedom), z, abs(z) < LIMIT)


def smallest_bias(plays: int) -> float:
    """Return the bias of a share of one half that every second validation detects: LIMIT standard errors."""
    return LIMIT * 0.5 / math.sqrt(plays)


def correlations(subject: Subject, check: str, a: Values, b: Values) -> Iterator[Comparison]:
    """Check that values have correlation 0 with error 1/sqrt(n); skip values that never vary."""
    if a.std() > 0 and b.std() > 0:
        yield judge_random_value(
            subject, check, 0.0, float(np.corrcoef(a, b)[0, 1]), 1 / math.sqrt(a.size), a.size
        )


# Runs: an experiment, played by the runner into a run folder.


class KnownCell(NamedTuple):
    """A cell with known answers."""

    game: str
    lineup: list[str]
    options: dict[str, Any]
    known_answers: list[KnownAnswer]

    @property
    def words(self) -> str:
        """Options and lineup in words."""
        return ", ".join(filter(None, [setting_words(self.options), self.known_answers[0].lineup]))

    @property
    def subject(self) -> Subject:
        """Game and cell as the subject of a check."""
        return Subject(self.game, self.words)

    @property
    def share(self) -> float | None:
        """Known share of seat 0; None if unknown."""
        for answer in self.known_answers:
            if (answer.column, answer.seat, answer.equals) == ("share", 0, None):
                return answer.value
        return None


def questions(game: Game) -> list[KnownCell]:
    """Return the known answers of a game, grouped by cell."""
    by_cell: dict[tuple[str, str], KnownCell] = {}
    for answer in (answer for answer in game.known_answers if answer.holds is None):
        lineup = [str(named) for named in parse_lineup(answer.lineup)]
        if answer.seat is not None and not 0 <= answer.seat < len(lineup):
            where = f"seat {answer.seat} of the lineup {answer.lineup}"
            raise UsageError(f"{game.name}: a known answer is about {where}, which does not exist")
        key = (answer.lineup, repr(sorted(answer.options.items())))
        question = by_cell.setdefault(key, KnownCell(game.name, lineup, dict(answer.options), []))
        question.known_answers.append(answer)
    return list(by_cell.values())


def look_up_answers(game: Game) -> list[KnownCell]:
    """Return the questions of a game; UsageError if one refers to an unknown column, seat or option."""
    all_questions = questions(game)
    for question in all_questions:
        cell = make_plan(_experiment(question, seed=1, deals=1)).check().cells[0]
        described, _ = log.describe_columns(game, cell)
        for answer in question.known_answers:
            described_columns = described["games" if answer.seat is None else "seats"]
            look_up(f"column of a known answer of {game.name}", answer.column, described_columns)
    return all_questions


def _experiment(question: KnownCell, seed: int, deals: int) -> Experiment:
    """Return the experiment that answers a question."""
    keys: dict[str, Any] = {"game": question.game, "lineups": [question.lineup], "options": question.options}
    keys |= {"question": f"Are the known answers of {question.game} right?", "deals": deals, "seed": seed}
    return experiment.parse(keys)


class Runs(NamedTuple):
    """Player of questions about one game; every run gets its own folder."""

    folder: Path
    game: Game
    plays: int
    seed: int
    jobs: int
    backend: str

    def play(self, question: KnownCell, seed: int, deals: int = 0, shard: int = 0) -> Run:
        """Play the deals of a question; `deals` and `shard` (deals per file) 0 for the defaults."""
        plan = _experiment(question, seed, deals or self.plays)
        layout = Layout(shard, shard) if shard else None
        folder = self.folder / str(len(list(self.folder.iterdir())))
        return open_run(runner.run(plan, folder, self.jobs, self.backend, layout=layout))


def first_seat(run: Run) -> Values:
    """Return the share of seat 0 by deal."""
    rows = run.seats().filter(pl.col("seat") == 0).group_by("deal").agg(pl.col("share").mean())
    return rows.sort("deal").collect()["share"].to_numpy()
