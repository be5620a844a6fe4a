"""Validation: games with known answers are played, logged and analysed as any other run."""

from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from simkit.engine.game import Game
from simkit.errors import UsageError
from simkit.verify.validate import known_answers, luck
from simkit.verify.validate.chances import check_chances
from simkit.verify.validate.runs import Comparison, KnownCell, Runs, Subject, chi_square, look_up_answers

PLAYS = 200_000
PROMISE = (Path(__file__).parent / "promise.md").read_text(encoding="utf-8").strip()  # coverage of intervals
Announce = Callable[[str], None]


def validate(
    games: list[Game], plays: int, seed: int, jobs: int, backend: str, report: Announce = lambda text: None
) -> Iterator[Comparison]:
    """Yield the result of every check: streams of luck, games with known answers, all games together."""
    chosen = [game for game in games if game.known_answers]
    if not chosen:
        names = ", ".join(game.name for game in games)
        raise UsageError(f"{names}: no known answers to check; give them as Game(known_answers=...)")
    questions = [look_up_answers(game) for game in chosen]
    report("streams of luck")
    yield from luck.checks(seed)
    independent = list[Comparison]()
    for game, game_questions in zip(chosen, questions, strict=True):
        with TemporaryDirectory(prefix="simkit-validate-", ignore_cleanup_errors=True) as folder:
            runs = Runs(Path(folder), game, plays, seed, jobs, backend)
            independent += yield from _game(runs, game_questions, report)
    if independent:
        yield omnibus(independent)


def omnibus(independent: list[Comparison]) -> Comparison:
    """Test all cells together: the sum of z² of independent normal values has a chi-square distribution.

    The test detects a bias that is too small to show in a single value, but common to many. Only the first
    value of each cell counts, as the others depend on it. Two games may draw from the same streams, but
    rarely do: the largest correlation of two first values on the same deals is .25, which widens the
    distribution by .3 %.
    """
    total, n = sum(result.z**2 for result in independent), len(independent)
    return chi_square(Subject("all games"), "sum of z² of the first value of each cell", total, n, n)


def _game(
    runs: Runs, questions: list[KnownCell], report: Announce
) -> Generator[Comparison, None, list[Comparison]]:
    """Yield the results of a game; return those that do not depend on each other."""
    independent = list[Comparison]()
    yield from check_chances(runs.game, runs.plays, runs.seed)
    for number, question in enumerate(questions):
        report(f"{runs.game.name}: {question.words}, {runs.plays:,} deals")
        run = runs.play(question, runs.seed + number)
        first, *others = known_answers.cell_checks(run, question)
        if first.error > 0:
            independent.append(first)
        yield from (first, *others)
        if number == 0:
            yield from known_answers.same(runs, question, run)
            yield from known_answers.check_paired_difference(runs, question, run, questions[1:])
    yield from known_answers.rotation(runs)
    return independent
