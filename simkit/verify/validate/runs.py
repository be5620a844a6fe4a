"""Runs for validation, made as by any user: an experiment, played by the runner into a run folder."""

from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from simkit.engine.game import Game, KnownAnswer
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError, look_up
from simkit.runs import experiment, log, runner
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run, open_run
from simkit.runs.plan import Layout, make_plan
from simkit.tables.findings import setting_words
from simkit.verify.validate.result import Subject, Values


class Question(NamedTuple):
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


def questions(game: Game) -> list[Question]:
    """Return the known answers of a game, grouped by cell."""
    by_cell: dict[tuple[str, str], Question] = {}
    for answer in game.known_answers:
        lineup = [str(named) for named in parse_lineup(answer.lineup)]
        if answer.seat is not None and not 0 <= answer.seat < len(lineup):
            where = f"seat {answer.seat} of the lineup {answer.lineup}"
            raise UsageError(f"{game.name}: a known answer is about {where}, which does not exist")
        key = (answer.lineup, repr(sorted(answer.options.items())))
        question = by_cell.setdefault(key, Question(game.name, lineup, dict(answer.options), []))
        question.known_answers.append(answer)
    return list(by_cell.values())


def look_up_answers(game: Game) -> list[Question]:
    """Return the questions of a game; UsageError if one refers to an unknown column, seat or option."""
    all_questions = questions(game)
    for question in all_questions:
        cell = make_plan(_experiment(question, seed=1, deals=1)).check().cells[0]
        described, _ = log.describe_columns(game, cell)
        for answer in question.known_answers:
            described_columns = described["games" if answer.seat is None else "seats"]
            look_up(f"column of a known answer of {game.name}", answer.column, described_columns)
    return all_questions


def _experiment(question: Question, seed: int, deals: int) -> Experiment:
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

    def play(self, question: Question, seed: int, deals: int = 0, shard: int = 0) -> Run:
        """Play the deals of a question; `deals` and `shard` (deals per file) 0 for the defaults."""
        plan, layout = (
            _experiment(question, seed, deals or self.plays),
            Layout(shard, shard) if shard else None,
        )
        folder = self.folder / str(len(list(self.folder.iterdir())))
        return open_run(runner.run(plan, folder, self.jobs, self.backend, layout=layout))


def first_seat(run: Run) -> Values:
    """Return the share of seat 0 by deal."""
    rows = run.seats().filter(pl.col("seat") == 0).group_by("deal").agg(pl.col("share").mean())
    return rows.sort("deal").collect()["share"].to_numpy()
