"""Runs as any user's: an experiment, played by the runner into a run folder, opened by runlog."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from simkit import experiment, runlog, runner
from simkit.analysis import setting_words
from simkit.errors import UsageError
from simkit.game import Game, Known
from simkit.runlog import Run
from simkit.strategy import parse_lineup


class Question(NamedTuple):
    """A cell whose answers are known."""

    lineups: list[list[str]]
    options: dict[str, Any]
    known: list[Known]

    @property
    def words(self) -> str:
        """Options and lineup, for a table."""
        return ", ".join(filter(None, [setting_words(self.options), self.known[0].lineup]))


def questions(game: Game) -> list[Question]:
    """The known answers of a game, those of one cell together."""
    found: dict[tuple[str, str], Question] = {}
    for known in game.known:
        key = (known.lineup, repr(sorted(known.options.items())))
        lineup = [str(named) for named in parse_lineup(known.lineup)]
        if known.seat is not None and not 0 <= known.seat < len(lineup):
            raise UsageError(
                f"{game.name}: a known answer is about seat {known.seat} of the lineup {known.lineup}"
            )
        found.setdefault(key, Question([lineup], dict(known.options), [])).known.append(known)
    return list(found.values())


@dataclass
class Runs:
    """Plays questions about one game; every run gets a folder of its own."""

    folder: Path
    game: Game
    plays: int
    seed: int
    jobs: int
    backend: str
    made: int = 0

    def play(
        self,
        lineups: list[list[str]],
        options: dict[str, Any],
        seed: int,
        deals: int | None = None,
        shard: int | None = None,
    ) -> Run:
        """The run of some lineups under fixed options."""
        question = f"What is known of {self.game.name}?"
        keys = {"question": question, "game": self.game.name, "deals": deals or self.plays, "seed": seed}
        asked = experiment.parse({**keys, "lineups": lineups, "options": options})
        self.made += 1
        return runlog.open_run(
            runner.run(asked, self.folder / str(self.made), self.jobs, self.backend, shard_deals=shard)
        )
