"""Checks that a game keeps its promises: random play under random options, inspected after every action.

The rules are compiled first, which takes seconds and refuses what Numba cannot do. They are then played as
plain Python, where a fault has a line and no write goes beyond the end of an array. Compiled code only runs
in a game that passes, for the check of its strategies.
"""

import dis
import random
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from itertools import islice, product
from types import CodeType
from typing import Any, NamedTuple

import numpy as np

from simkit.engine import registry, watchdog
from simkit.engine.compile import jit
from simkit.engine.compile.fingerprint import functions
from simkit.engine.game import Game
from simkit.engine.perspective import different_fields
from simkit.engine.rule_helpers import redeal_nothing
from simkit.engine.strategy import RANDOM
from simkit.engine.table import GameTable, Player
from simkit.engine.tasks import Endless, Task
from simkit.errors import UNCOMPILED, Crash, PlayError, UsageError
from simkit.formatting import counted
from simkit.runs.run_metadata import Setting
from simkit.verify.check import inspections, walking
from simkit.verify.check.coverage import Coverage
from simkit.verify.check.hidden import BUDGET, QUICK_BUDGET, Hidden
from simkit.verify.check.positions import position_faults
from simkit.verify.check.walking import Array, Walk, calling, place, walk_positions
from simkit.verify.validate.chances import check_chances
from simkit.verify.validate.runs import look_up_answers

SETTINGS, GAMES = 12, 3  # random settings; games of each strategy with each setting
RULEBOOK_POSITIONS, SETTING_POSITIONS = 1_500, 300  # fewest with the rulebook options, with other settings
QUICK = 5  # part of the positions, chances and settings that a quick check looks at
FIRST_POSITIONS = 300  # of a game that is played before its rules are compiled
CHANCES = 4_000  # deals for which a known chance is counted
# Positions of each setting at which the inspections of a kind are made.
ALL, VIEWS, PLAYED_ON = range(10**9), range(0, 400, 13), range(0, 400, 131)
OFTEN = {*range(300), *range(300, 10**5, 5)}  # a broken invariant mostly stays broken
DECISIONS = 30  # positions of each setting at which writes of strategies to their view are detected
MAX_PROBLEMS = 5  # reported per check

Outcome = tuple[str, list[str]]  # the amount that was inspected, and the problems
Inspection = Callable[[Walk, Array], Iterable[str] | None]  # (game in progress, legal actions) -> problems


class CheckResult(NamedTuple):
    """The result of one check; it has passed if there are no problems."""

    game: str
    check: str
    looked_at: str
    problems: list[str]
    notes: list[str] = []  # what was never reached: no faults


class Request(NamedTuple):
    """A game to check, and how thoroughly."""

    game: Game
    settings: list[Setting]  # the rulebook options first
    seed: int
    share: int  # 1, or QUICK for a part of everything
    coverage: Coverage


def check(
    game: Game, seed: int = 1, quick: bool = False, report: Callable[[str], None] = lambda text: None
) -> list[CheckResult]:
    """Return the results of the checks up to the first with problems, since later checks rely on it.

    `report` is called with what is being checked now.
    """
    share = QUICK if quick else 1
    settings, results = [{}, *random_settings(game, SETTINGS // share, seed)], list[CheckResult]()
    request = Request(game, settings, seed, share, Coverage(game))
    for name, function in CHECKS.items():
        report(f"{game.name}: {name}")
        looked_at, problems = _run_check(request, function)
        results.append(CheckResult(game.name, name, looked_at, _first_problems(problems)))
        if problems:
            return results
    notes = [] if quick else list(request.coverage.notes())
    return [*results[:-1], results[-1]._replace(notes=notes)]


def _first_problems(problems: list[str]) -> list[str]:
    """Return the first problems, and the number of all others in words."""
    more = len(problems) - MAX_PROBLEMS
    return problems[:MAX_PROBLEMS] + ([f"and {counted(more, 'more problem')}"] if more > 0 else [])


def _run_check(request: Request, function: Callable[[Request], Outcome]) -> Outcome:
    """Run a check; return its outcome, or the failure that stopped it as its only problem."""

    def work() -> Outcome:
        with calling("a function of the game"):
            return function(request)

    try:
        return Task(work).result(_progress)
    except Crash as crash:
        problem = f"{crash}; to learn the line, run {UNCOMPILED}simkit check {request.game.name}"
    except (PlayError, UsageError, Endless) as error:
        problem = str(error)
    return "stopped", [problem]


def _progress() -> object:
    """Return the progress of a check; while the compiler works, a new value each time."""
    return walking.calls, watchdog.marks(), jit.COMPILING.locked() and object()


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
            setting[option.name] = option.value(int(rng.choice(values)))
        with suppress(UsageError):
            game.rules(setting)
            settings.append(setting)
    return settings


def _check_descriptions(request: Request) -> Outcome:
    """Check that known answers name columns, that options and fields have meanings, and that roles move."""
    game = request.game
    look_up_answers(game)
    fields = [*game.state, *game.game_fields, *game.log.seat, *game.log.trace, *game.components.fields]
    entries: list[Any] = [*game.options, *fields]
    problems = [f"{entry.name} has no meaning in words" for entry in entries if not entry.meaning]
    amount = f"known answers: {len(game.known_answers)}, options and fields: {len(entries)}"
    return amount, problems + list(inspections.role_faults(game))


def _compile(request: Request) -> Outcome:
    """Compile the rules without running them: what Numba refuses is told before anything is inspected.

    First a game is played in plain Python, whose errors are easier to understand than those of Numba.
    """
    game = request.game
    if fault := _foreign_luck(game):
        return "stopped", [fault]
    for seats in {game.seats[0], game.seats[1]}:
        walk = Walk(GameTable(game, game.rules()))
        for number, _ in enumerate(islice(walk.positions(0, seats), FIRST_POSITIONS)):
            if number == 0:
                walk.call("redeal", walk.view(walk.states, 0), 0, walk.stream)
    player = registry.scripted(game)[RANDOM].player(game)
    entries = GameTable(game, game.rules()).entries([player])
    if jit.COMPILED:
        for entry in entries:
            _ = entry.compiled
    return "compiled" if jit.COMPILED else "plain Python", []


def _foreign_luck(game: Game) -> str:
    """Return a problem if the rules draw from Python's or NumPy's random numbers, or an empty text."""
    for root in (game.setup, game.legal, game.apply, game.observe, game.redeal):
        for function, reached in functions(root):
            for path, value in reached:
                module = function.__globals__.get(path.partition(".")[0])
                of_numpy = module is np and path.split(".")[1:2] == ["random"]
                if (
                    of_numpy
                    or module is random
                    or isinstance(getattr(value, "__self__", None), random.Random)
                ):
                    name = "random" if of_numpy else path.partition(".")[0]
                    cure = 'draw from a stream of the game: Game(streams=["nature/die"]), below(rng.die, 6)'
                    line = f"{function.__code__.co_filename}:{_line_of(function.__code__, name)}"
                    return f"{path} gives other luck in each run: {cure} ({line})"
    return ""


def _line_of(code: CodeType, name: str) -> int:
    """Return the first line on which a function loads a name."""
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        line = step.starts_line or line
        if step.argval == name:
            break
    return line


def _facts(request: Request) -> Outcome:
    """Check known chances and the positions of the game."""
    game, problems = request.game, list[str]()
    chances = list(check_chances(game, CHANCES // request.share, request.seed, calling))
    for chance in (chance for chance in chances if not chance.passed):
        counted = f"counted in {chance.measured:.1%} of {chance.n:,} deals"
        problems.append(f"known answer: {chance.check}: {chance.expected:.1%} expected, {counted}")
    with request.coverage.lines():
        for position in game.positions:
            faults, walk = position_faults(game, position)
            problems += faults
            if walk:
                request.coverage.show(position, walk)
    return f"chances: {len(chances)}, positions: {len(game.positions)}", problems


def _rules(request: Request) -> Outcome:
    """Check positions of random games, up to the first with problems."""
    game, coverage, steps = request.game, request.coverage, 0
    leaks, views = inspections.Leaks(game), inspections.ViewWrites(game)
    made_at: dict[Inspection, Container[int]] = {_broken_invariants: OFTEN, inspections.result_faults: ALL}
    sampled: list[Inspection] = [
        _observer_faults,
        inspections.kind_faults,
        inspections.seat_faults,
        views.faults,
        leaks.look,
    ]
    made_at |= dict.fromkeys([*sampled, inspections.log_faults], VIEWS)
    made_at[inspections.twin_faults] = PLAYED_ON
    for index, setting in enumerate(request.settings):
        positions = (SETTING_POSITIONS if setting else RULEBOOK_POSITIONS) // request.share
        deal = index + 100 * (request.seed - 1)
        for number, (walk, ids, where) in enumerate(walk_positions(game, setting, positions, deal, coverage)):
            steps += 1
            for inspection, numbers in made_at.items():
                problems = list(inspection(walk, ids) or ()) if number in numbers else []
                if problems:
                    return f"positions: {steps:,}", [f"{problem} {where}" for problem in problems]
    return f"positions: {steps:,}, option settings: {len(request.settings)}", leaks.faults()


def _hidden(request: Request) -> Outcome:
    """Check redealt states against the true ones, and against what seats saw before."""
    if request.game.redeal is redeal_nothing:
        return "nothing is hidden", []
    hidden = Hidden(request.game, request.seed)
    problems = list(hidden.faults(request.settings, BUDGET if request.share == 1 else QUICK_BUDGET))
    return f"games: {hidden.looked_at:,}", problems


def _broken_invariants(walk: Walk, ids: Array) -> list[str]:
    """Return the broken invariants of a position, in the words of the game."""
    with calling("problems"):
        return list(walk.game.problems(walk.s, walk.table.rules[0]))


def _observer_faults(walk: Walk, ids: Array) -> Iterator[str]:
    """Yield the problems of the functions that show, note and count, which may only read."""
    game, s, rules = walk.game, walk.s, walk.table.rules[0]
    with calling("show"):
        shown = game.show(s, rules)
    if not shown:
        yield f"a position is shown as nothing{place(game.show)}"
    if game.log.note is not None:
        with calling("note"):
            for seat in range(s.seats):
                game.log.note(s, rules, seat, np.zeros(1, game.turn_dtype)[0])
    if game.pieces is not None:
        with calling("count"):
            kinds = len(game.pieces.names(rules))
            counts = [np.zeros(shape, np.int64) for shape in (kinds, kinds, (int(s.seats), kinds))]
            game.pieces.count(s, rules, *counts)
        least = min(int(count.min(initial=0)) for count in counts)
        if least < 0:
            yield f"a count of pieces is {least}{place(game.pieces.count)}"


def _strategies(request: Request) -> Outcome:
    """Check that strategies play legally under every setting, equally in batches, and only read views."""
    game, settings = request.game, request.settings
    players = [strategy.player(game) for strategy in registry.scripted(game).values()]
    tables = [GameTable(game, game.rules(setting)) for setting in settings]
    problems = dict[str, str]()
    for player, table in product(players, tables):
        try:
            for problem in _differences(player, table):
                problems.setdefault(problem, problem)
        except PlayError as error:
            if isinstance(error.__cause__, Crash | Endless):
                raise  # the memory of the table is damaged, or still in use
            problems.setdefault(str(error).rpartition("(")[2], str(error))  # once per failing line
    return f"strategies: {len(players)}", list(problems.values()) or _writing(game, players, settings)


def _differences(player: Player, table: GameTable) -> Iterator[str]:
    """Yield the ways to play the same games, with a strategy in all seats, that end differently."""
    game, lineup = table.game, [player] * table.game.seats[0]
    deals, unrotated = np.arange(GAMES), np.zeros(GAMES, np.int64)
    batch = table.play(lineup, 1, deals, unrotated)
    alone = [table.play(lineup, 1, deals[i : i + 1], unrotated[:1]) for i in range(GAMES)]
    if batch.tobytes() != np.concatenate(alone).tobytes():
        yield f"{player.label} plays a game differently alone than in a batch"
    if player.label == RANDOM:
        plain = table.play(lineup, 1, deals[:1], unrotated[:1], compiled=False)
        if fields := different_fields(game, plain[0], batch[0]):
            names = ", ".join(sorted(fields))
            yield f"compiled rules and plain Python play the same game to different ends: {names}"


def _writing(game: Game, players: list[Player], settings: list[Setting]) -> list[str]:
    """Return a problem for each strategy that changes its view, through which seats could communicate."""
    writers = dict[str, None]()
    for setting in settings:
        choices = (step for step in walk_positions(game, setting, DECISIONS) if len(step[1]) > 1)
        for walk, ids, _ in islice(choices, DECISIONS):
            writers |= {player.label: None for player in players if inspections.writes(walk, ids, player)}
    return [f"{label} writes to its view, which it may only read: clone it to scratch" for label in writers]


# The checks in their order, cheap ones first; each returns the amount that it inspected, and the problems.
CHECKS: dict[str, Callable[[Request], Outcome]] = {
    "known answers, options and fields are described": _check_descriptions,
    "rules compile": _compile,
    "chances and positions are as the rulebook says": _facts,
    "rules: results, bounds, invariants, views, log": _rules,
    "hidden information: what seats may know": _hidden,
    "strategies play legally, alone as in a batch": _strategies,
}
