"""Runs as any user's: an experiment, played by the runner into a run folder, opened by runlog."""

from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from simkit import experiment, runlog, runner
from simkit.analysis import setting_words
from simkit.errors import UsageError
from simkit.game import Game, Known
from simkit.runlog import Run
from simkit.shards import Layout
from simkit.strategy import parse_lineup
from simkit.validate.result import Subject, Values


class Question(NamedTuple):
    """A cell whose answers are known."""

    game: str
    lineups: list[list[str]]
    options: dict[str, Any]
    known: list[Known]

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
        keys = {"question": f"What is known of {asked.game}?", "game": asked.game, "seed": seed}
        keys |= {"deals": deals or self.plays, "lineups": asked.lineups, "options": asked.options}
        place = self.folder / str(len(list(self.folder.iterdir())))
        layout = Layout(shard, shard) if shard else None
        made = runner.run(experiment.parse(keys), place, self.jobs, self.backend, layout=layout)
        return runlog.open_run(made)


def first_seat(run: Run) -> Values:
    """The share of seat 0 by deal."""
    rows = run.seats().filter(pl.col("seat") == 0).group_by("deal").agg(pl.col("share").mean())
    return rows.sort("deal").collect()["share"].to_numpy()
