"""Can the numbers be believed? Games with known answers are played, logged and analysed as any run is."""

from collections.abc import Callable, Iterator
from pathlib import Path

from simkit.errors import UsageError
from simkit.game import Game
from simkit.scratch import scratch_folder
from simkit.validate import ablations, cells, luck, pairs, published, screens
from simkit.validate.result import Result
from simkit.validate.runs import Question, Runs, look_up_answers

PLAYS = 200_000
PROMISE = (Path(__file__).parent / "promise.md").read_text(encoding="utf-8").strip()  # of every interval
Tell = Callable[[str], None]


def validate(
    games: list[Game], plays: int, seed: int, jobs: int, backend: str, tell: Tell = lambda text: None
) -> Iterator[Result]:
    """Every check, as it is done: luck, published values, screens, then each game with known answers."""
    chosen = [of for of in games if of.known]
    if not chosen:
        names = ", ".join(of.name for of in games)
        raise UsageError(f"{names}: no known answers to check (a game carries them as Game(known=...))")
    asked = [look_up_answers(of) for of in chosen]
    tell("streams of luck")
    yield from luck.checks(seed)
    yield from published.checks()
    tell("screens of many options")
    yield from screens.checks(seed)
    for of, questions in zip(chosen, asked, strict=True):
        with scratch_folder("simkit-validate-") as folder:
            yield from _game(Runs(folder, of, plays, seed, jobs, backend), questions, tell)


def _game(runs: Runs, asked: list[Question], tell: Tell) -> Iterator[Result]:
    for number, question in enumerate(asked):
        tell(f"{runs.game.name}: {question.words}, {runs.plays:,} deals")
        run = runs.play(question, runs.seed + number)
        yield from cells.checks(run, question)
        if number == 0:
            yield from pairs.same(runs, question, run)
            yield from pairs.paired(runs, question, run, asked[1:])
    yield from pairs.rotation(runs)
    if runs.game.planted and runs.plays >= ablations.LEAST:
        tell(f"{runs.game.name}: components changed by coins")
        yield from ablations.checks(runs)
