"""Checks that a game keeps its promises: random play under random options, inspected after every action.

Static checks come first; then games are stepped through as plain Python, where a fault has a line and no
write goes beyond the end of an array; only a game that passes is played compiled.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import registry, watchdog
from simkit.engine.compile import jit
from simkit.engine.game import OVER, Game
from simkit.engine.kernel import Player, Table
from simkit.engine.tasks import Endless, Task
from simkit.errors import UNCOMPILED, Crash, PlayError, UsageError
from simkit.verify.check import ending, sight, twins, walking
from simkit.verify.check.walking import calling, place, positions, walked
from simkit.verify.validate.runs import look_up_answers

__all__ = ["check", "positions", "random_settings"]

SETTINGS, GAMES = 12, 3
RULEBOOK_STEPS, SETTING_STEPS = 600, 50  # uncompiled, with the rulebook options and with each other setting
FIRST_POSITIONS, THEN_EVERY = 40, 10  # uncompiled positions with checks of views: the first, then each 10th
MAX_PROBES = 300  # fields of views that are blanked
VIEWS, VIEW_GAMES = 400, 20  # positions and games of each setting whose views are checked
TWINS, PLAYED_ON_EVERY = 200, 40  # positions of each setting with twins; each 40th is played to the end
DECISIONS = 30  # positions of each setting at which writes of strategies to their view are detected
MAX_PROBLEMS = 5  # reported per check

Setting = dict[str, Any]  # values of options
Outcome = tuple[str, list[str]]  # the amount that was inspected, and the problems


class Result(NamedTuple):
    """The result of one check; it has passed if there are no problems."""

    game: str
    check: str
    looked_at: str
    problems: list[str]


def check(game: Game, seed: int = 1) -> list[Result]:
    """Return the results of the checks up to the first with problems, since later checks rely on it."""
    settings, results = [{}, *random_settings(game, SETTINGS, seed)], []
    for name, function in CHECKS.items():
        looked_at, problems = _run_check(game, function, settings)
        results.append(Result(game.name, name, looked_at, problems[:MAX_PROBLEMS]))
        if problems:
            break
    return results


def _run_check(
    game: Game, function: Callable[[Game, list[Setting]], Outcome], settings: list[Setting]
) -> Outcome:
    """Run a check; return its outcome, or the failure that stopped it as its only problem."""

    def work() -> Outcome:
        with calling("a function of the game"):
            return function(game, settings)

    try:
        return Task(work).result(_progress)
    except Crash as crash:
        problem = f"{crash}; uncompiled it names its line: {UNCOMPILED}simkit check {game.name}"
    except Endless as error:  # compiled code, which has no line numbers
        name = walking.last_call.name
        problem = f"{name} {error}{place(getattr(game, name, None))}"
    except (PlayError, UsageError) as error:
        problem = str(error)
    return "stopped", [problem]


def _progress() -> object:
    """Return the progress of a check; while the compiler works, a new value each time."""
    return walking.last_call, watchdog.marks(), jit.COMPILING.locked() and object()


def random_settings(game: Game, count: int, seed: int) -> list[Setting]:
    """Return valid random settings; each changes up to nine options and all those with presets."""
    rng, settings = random.Random(seed), list[Setting]()
    with_presets = [option for option in game.options if option.name in game.presets]
    for _ in range(50 * count if game.options else 0):
        if len(settings) == count:
            break
        setting: Setting = {}
        for option in with_presets + rng.sample(game.options, min(len(game.options), rng.randint(1, 9))):
            values: Any = list(option.kind) if option.is_choice else range(option.low, option.high + 1)
            setting[option.name] = option.shown(int(rng.choice(values)))
        with suppress(UsageError):
            game.rules(setting)
            settings.append(setting)
    return settings


def _answers(game: Game, settings: list[Setting]) -> Outcome:
    """Check that the known answers refer to existing columns, seats, strategies and options."""
    look_up_answers(game)
    return f"known answers: {len(game.known_answers)}", []


def _words(game: Game, settings: list[Setting]) -> Outcome:
    """Check that every option and field has a meaning."""
    fields = [*game.state, *game.game_fields, *game.log.seat, *game.log.trace, *game.components.fields]
    unexplained = [option.name for option in game.options if not option.meaning]
    unexplained += [field.name for field in fields if not field.meaning]
    problems = [f"{name} has no meaning in words" for name in unexplained]
    return f"options: {len(game.options)}, fields: {len(game.state)}", problems


def _uncompiled(game: Game, settings: list[Setting]) -> Outcome:
    """Check positions in plain Python, which respects array bounds and names the line of a fault."""
    problems, steps, stream = dict[str, str](), 0, np.array([7], np.uint64)
    leaks, views = sight.Leaks(game, MAX_PROBES), sight.ViewWrites(game)
    for setting in settings:
        limit = SETTING_STEPS if setting else RULEBOOK_STEPS
        for walk, ids, where in islice(walked(game, setting, compiled=False, games=GAMES), limit):
            messages = [*_shown(walk), *ending.faults(walk)]
            if steps < FIRST_POSITIONS or steps % THEN_EVERY == 0:
                messages += sight.faults(walk, ids, stream)
                leaks.look(walk, stream)
                views.look(walk)
            _note(problems, messages, where)
            steps += 1
            if len(problems) >= MAX_PROBLEMS:
                break
    return f"positions: {steps:,}", [*map(" ".join, problems.items()), *leaks.faults(), *views.faults()]


def _note(problems: dict[str, str], messages: list[str], where: str) -> None:
    """Add the messages that are new, with the game in which each occurred first."""
    for message in messages:
        problems.setdefault(message, where)


def _shown(walk: Any) -> list[str]:
    """Return the broken invariants of a position, and whether it cannot be shown."""
    game, s, rules = walk.game, walk.s, walk.table.rules[0]
    with calling("problems"):
        problems = list(game.problems(s, rules))
    with calling("show"):
        shown = game.show(s, rules)
    return problems if shown else [*problems, f"a position is shown as nothing{place(game.show)}"]


def _invariants(game: Game, settings: list[Setting]) -> Outcome:
    """Check that no invariant is broken after any action of random games."""
    problems, steps = dict[str, str](), 0
    for setting in settings:
        for walk, _, where in walked(game, setting, compiled=True, games=GAMES):
            steps += 1
            with calling("problems"):
                messages = [*game.problems(walk.s, walk.table.rules[0]), *ending.faults(walk)]
            _note(problems, messages, where)
    return f"positions: {steps:,}, option settings: {len(settings)}", [*map(" ".join, problems.items())]


def _looking(game: Game, settings: list[Setting]) -> Outcome:
    """Check that `legal` is ascending, `observe` and the like change nothing, and `redeal` keeps views."""
    problems, steps, stream = dict[str, str](), 0, np.array([7], np.uint64)
    views = sight.ViewWrites(game)
    for setting in settings:
        for walk, ids, where in islice(walked(game, setting, compiled=True, games=VIEW_GAMES), VIEWS):
            _note(problems, sight.faults(walk, ids, stream), where)
            views.look(walk)
            steps += 1
    return f"positions: {steps:,}", [*map(" ".join, problems.items()), *views.faults()]


def _twins(game: Game, settings: list[Setting]) -> Outcome:
    """Check that play does not depend on the log, and that it goes on from a view to a legal end."""
    problems, steps, stream = dict[str, str](), 0, np.array([7], np.uint64)
    for setting in settings:
        for walk, ids, where in islice(walked(game, setting, compiled=True, games=VIEW_GAMES), TWINS):
            _note(problems, [*twins.log_faults(walk)], where)
            if len(ids) and steps % PLAYED_ON_EVERY == 0 and not problems:
                _note(problems, [*twins.view_faults(walk, stream)], where)
            steps += 1
            if len(problems) >= MAX_PROBLEMS:
                break
    return f"positions: {steps:,}", [*map(" ".join, problems.items())]


def _strategies(game: Game, settings: list[Setting]) -> Outcome:
    """Check that strategies play legally under every setting, equally in batches, and only read views."""
    players = [strategy.player(game) for strategy in registry.strategies(game).values()]
    tables = [Table(game, game.rules(setting)) for setting in settings]
    problems, deals, unrotated = dict[str, str](), np.arange(GAMES), np.zeros(GAMES, np.int64)
    for player, table in product(players, tables):
        lineup = [player] * game.seats[0]
        try:
            batch = table.play(lineup, 1, deals, unrotated)
            alone = [table.play(lineup, 1, deals[i : i + 1], unrotated[:1]) for i in range(GAMES)]
        except PlayError as error:
            if isinstance(error.__cause__, Crash | Endless):
                raise  # the memory of the table is damaged, or still in use
            problems.setdefault(str(error).rpartition("(")[2], str(error))  # once per failing line
        else:
            if batch.tobytes() != np.concatenate(alone).tobytes():
                message = f"{player.label} plays another game alone than in a batch"
                problems.setdefault(message, message)
    return f"strategies: {len(players)}", list(problems.values()) or _writing(game, players, settings)


def _writing(game: Game, players: list[Player], settings: list[Setting]) -> list[str]:
    """Return a problem for each strategy that changes its view, through which seats could communicate."""
    writers = dict[str, None]()
    for setting in settings:
        choices = (step for step in walked(game, setting, compiled=True, games=1) if len(step[1]) > 1)
        for walk, ids, _ in islice(choices, DECISIONS):
            writers |= {player.label: None for player in players if sight.writes(walk, ids, player)}
    return [f"{label} writes to its view, which it may only read: clone it to scratch" for label in writers]


# The checks in their order; each returns the amount that it inspected, and the problems.
CHECKS: dict[str, Callable[[Game, list[Setting]], Outcome]] = {
    "known answers are about what there is": _answers,
    "as plain Python: results, bounds, hidden fields": _uncompiled,
    "invariants hold after every action": _invariants,
    "looking changes nothing; redeal fits the view": _looking,
    "the log never matters; play goes on from views": _twins,
    "strategies play legally, alone as in a batch": _strategies,
    "everything has its words": _words,
}
