"""Can the numbers be believed? Games with known answers go through the same play, log and analysis as any user's run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from simkit.errors import UsageError
from simkit.game import Game
from simkit.validate import answers, coverage, luck, paired, rotation, same, sequential
from simkit.validate.result import Result
from simkit.validate.runs import Runs, questions

PLAYS = 200_000
PROMISE = (Path(__file__).parent / "promise.md").read_text(encoding="utf-8").strip()  # of every interval
__all__ = ["PLAYS", "PROMISE", "Result", "validate"]


def validate(
    games: list[Game],
    plays: int = PLAYS,
    seed: int = 1,
    jobs: int = -1,
    backend: str = "threading",
    tell: Callable[[str], None] = lambda text: None,
) -> Iterator[Result]:
    """Every check, as it is done: the streams of luck first, then each game that carries known answers."""
    chosen = [of for of in games if of.known]
    if not chosen:
        raise UsageError(
            f"{', '.join(of.name for of in games)}: no known answers to check (a game carries them as Game(known=...))"
        )
    tell("streams of luck")
    yield from luck.checks(seed)
    for of in chosen:
        with tempfile.TemporaryDirectory(prefix="simkit-validate-") as folder:
            yield from _game(Runs(Path(folder), of, plays, seed, jobs, backend), tell)


def _game(runs: Runs, tell: Callable[[str], None]) -> Iterator[Result]:
    """The checks of one game."""
    asked = questions(runs.game)
    for number, question in enumerate(asked):
        tell(f"{runs.game.name}: {question.words}, {runs.plays:,} deals")
        run = runs.play(question.lineups, question.options, seed=runs.seed + number)
        yield from answers.checks(run, question)
        yield from coverage.checks(run, question)
        yield from sequential.checks(run, question)
        if number == 0:
            yield from same.checks(runs, question, run)
            yield from paired.checks(runs, question, run, asked[1:])
    yield from rotation.checks(runs)
