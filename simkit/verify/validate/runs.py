"""Runs as any user's: an experiment, played by the runner into a run folder, opened by runlog."""

from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from simkit.analysis import setting_words
from simkit.engine.game import Game, Known
from simkit.engine.strategy import parse_lineup
from simkit.errors import UsageError, look_up
from simkit.runs import columns, experiment, runner
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run, open_run
from simkit.runs.shards import Layout
from simkit.verify.validate.result import Subject, Values


class Question(NamedTuple):
    """A cell whose answers are known."""

    game: str
    lineups: list[list[str]]
    options: dict[str, Any]
    known: list[Known]
    more: dict[str, Any] = {}  # further keys of the experiment

    @property
    def words(self) -> str:
        return ", ".join(filter(None, [setting_words(self.options), self.known[0].lineup]))

    @property
    def subject(self) -> Subject:
        return Subject(self.game, self.words)

    @property
    def share(self) -> float | None:
        """The share of seat 0, if it is known."""
        keys = ("share", 0, None)
        return next((one.value for one in self.known if (one.column, one.seat, one.equals) == keys), None)


def questions(game: Game) -> list[Question]:
    """The known answers of a game, those of one cell together."""
    found: dict[tuple[str, str], Question] = {}
    for known in game.known:
        lineup = [str(named) for named in parse_lineup(known.lineup)]
        if known.seat is not None and not 0 <= known.seat < len(lineup):
            where = f"seat {known.seat} of the lineup {known.lineup}"
            raise UsageError(f"{game.name}: a known answer is about {where}")
        question = Question(game.name, [lineup], dict(known.options), [])
        key = (known.lineup, repr(sorted(known.options.items())))
        found.setdefault(key, question).known.append(known)
    return list(found.values())


def look_up_answers(game: Game) -> list[Question]:
    """The questions, each of a column, seats, strategies and options that there are: before any is played."""
    asked = questions(game)
    for question in asked:
        cell = experiment.check(_experiment(question, seed=1, deals=1))[0]
        described = columns.described(game, cell)
        for known in question.known:
            there = described["games" if known.seat is None else "seats"]
            look_up(f"column of a known answer of {game.name}", known.column, there)
    return asked


def _experiment(question: Question, seed: int, deals: int) -> Experiment:
    keys = {"question": f"What is known of {question.game}?", "game": question.game, "seed": seed}
    keys |= {"deals": deals, "lineups": question.lineups, "options": question.options}
    return experiment.parse(keys | question.more)


class Runs(NamedTuple):
    """Plays questions about one game; every run gets a folder of its own."""

    folder: Path
    game: Game
    plays: int
    seed: int
    jobs: int
    backend: str

    def play(self, question: Question | list[str], seed: int, deals: int = 0, shard: int = 0) -> Run:
        """The run of a question, or of one lineup by the rulebook; `deals`, `shard` for the usual."""
        asked = Question(self.game.name, [question], {}, []) if isinstance(question, list) else question
        place = self.folder / str(len(list(self.folder.iterdir())))
        layout = Layout(shard, shard) if shard else None
        made = runner.run(
            _experiment(asked, seed, deals or self.plays), place, self.jobs, self.backend, layout=layout
        )
        return open_run(made)


def first_seat(run: Run) -> Values:
    """The share of seat 0 by deal."""
    rows = run.seats().filter(pl.col("seat") == 0).group_by("deal").agg(pl.col("share").mean())
    return rows.sort("deal").collect()["share"].to_numpy()
