"""Does a game keep its promises? Random play under random options, looked at after every action.

What can be read off is read first; then games are stepped through as plain Python, where a fault has a line
and nothing is written beyond its end; only a game that passes is played compiled.
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
RULEBOOK_STEPS, STEPS = 600, 50  # uncompiled, by the rulebook and under each other setting
SEEN_AT, EVERY = 40, 10  # positions looked at with the eyes of all seats: the first ones, then every tenth
PROBES = 300  # fields of views that are blanked
LOOKED_AT, LOOKED_GAMES = 400, 20  # positions and games of each setting with the eyes of all seats
TWINS_AT, PLAYED_ON = 200, 40  # positions of each setting with twins; each 40th is played on from a view
ASKED_AT = 30  # positions of each setting at which strategies are asked whether they write to their view
MOST_TOLD = 5  # problems

Setting = dict[str, Any]  # values of options
Found = tuple[str, list[str]]  # how much was looked at, and what is wrong


class Result(NamedTuple):
    """What one check has found; no problems = passed."""

    game: str
    check: str
    looked_at: str
    problems: list[str]


def check(game: Game, seed: int = 1) -> list[Result]:
    """The results of the checks, up to the first that finds something: those after it rely on it."""
    settings, found = [{}, *random_settings(game, SETTINGS, seed)], []
    for name, look in CHECKS.items():
        looked_at, problems = _found(game, look, settings)
        found.append(Result(game.name, name, looked_at, problems[:MOST_TOLD]))
        if problems:
            break
    return found


def _found(game: Game, look: Callable[[Game, list[Setting]], Found], settings: list[Setting]) -> Found:
    """What a check finds, or what stops it."""

    def work() -> Found:
        with calling("a function of the game"):
            return look(game, settings)

    try:
        return Task(work).result(_step)
    except Crash as crash:
        said = f"{crash}; uncompiled it names its line: {UNCOMPILED}simkit check {game.name}"
    except Endless as error:  # compiled code, which knows no line
        name = walking.last_call.name
        said = f"{name} {error}{place(getattr(game, name, None))}"
    except (PlayError, UsageError) as error:
        said = str(error)
    return "stopped", [said]


def _step() -> object:
    """Return where a check is; while the compiler works, a new place each time."""
    return walking.last_call, watchdog.marks(), jit.COMPILING.locked() and object()


def random_settings(game: Game, count: int, seed: int) -> list[Setting]:
    """Random option values that fit together; each changes up to nine options and all those with presets."""
    luck, found = random.Random(seed), list[Setting]()
    always = [option for option in game.options if option.name in game.presets]
    for _ in range(50 * count if game.options else 0):
        if len(found) == count:
            break
        setting: Setting = {}
        for option in always + luck.sample(game.options, min(len(game.options), luck.randint(1, 9))):
            values: Any = list(option.kind) if option.is_choice else range(option.low, option.high + 1)
            setting[option.name] = option.shown(int(luck.choice(values)))
        with suppress(UsageError):
            game.rules(setting)
            found.append(setting)
    return found


def _answers(game: Game, settings: list[Setting]) -> Found:
    """Known answers are about columns, seats, strategies and options that there are."""
    look_up_answers(game)
    return f"known answers: {len(game.known)}", []


def _words(game: Game, settings: list[Setting]) -> Found:
    """Every option and field says what it means."""
    fields = [*game.state, *game.game_fields, *game.log.seat, *game.log.trace, *game.components.fields]
    silent = [option.name for option in game.options if not option.meaning]
    silent += [field.name for field in fields if not field.meaning]
    found = [f"{name} has no meaning in words" for name in silent]
    return f"options: {len(game.options)}, fields: {len(game.state)}", found


def _uncompiled(game: Game, settings: list[Setting]) -> Found:
    """Plain Python keeps within bounds, says its lines, and finds nothing wrong."""
    found, steps, stream = dict[str, str](), 0, np.array([7], np.uint64)
    leaks, looks = sight.Leaks(game, PROBES), sight.Looks(game)
    for setting in settings:
        most = STEPS if setting else RULEBOOK_STEPS
        for walk, ids, where in islice(walked(game, setting, compiled=False, games=GAMES), most):
            said = [*_shown(walk), *ending.faults(walk)]
            if steps < SEEN_AT or steps % EVERY == 0:
                said += sight.faults(walk, ids, stream)
                leaks.look(walk, stream)
                looks.look(walk)
            _keep(found, said, where)
            steps += 1
            if len(found) >= MOST_TOLD:
                break
    return f"positions: {steps:,}", [*map(" ".join, found.items()), *leaks.faults(), *looks.faults()]


def _keep(found: dict[str, str], said: list[str], where: str) -> None:
    """Each fault once, with where it was met first."""
    for one in said:
        found.setdefault(one, where)


def _shown(walk: Any) -> list[str]:
    """What plain Python says of a position: broken invariants, and that it cannot be shown."""
    game, s, rules = walk.game, walk.s, walk.table.rules[0]
    with calling("problems"):
        found = list(game.problems(s, rules))
    with calling("show"):
        shown = game.show(s, rules)
    return found if shown else [*found, f"a position is shown as nothing{place(game.show)}"]


def _invariants(game: Game, settings: list[Setting]) -> Found:
    """Step through random games; after every action no invariant is broken."""
    found, steps = dict[str, str](), 0
    for setting in settings:
        for walk, _, where in walked(game, setting, compiled=True, games=GAMES):
            steps += 1
            with calling("problems"):
                said = [*game.problems(walk.s, walk.table.rules[0]), *ending.faults(walk)]
            _keep(found, said, where)
    return f"positions: {steps:,}, option settings: {len(settings)}", [*map(" ".join, found.items())]


def _looking(game: Game, settings: list[Setting]) -> Found:
    """`legal` is ascending and only looks, as `observe`, `note`, `pieces` do; `redeal` keeps views."""
    found, looked, stream = dict[str, str](), 0, np.array([7], np.uint64)
    looks = sight.Looks(game)
    for setting in settings:
        for walk, ids, where in islice(walked(game, setting, compiled=True, games=LOOKED_GAMES), LOOKED_AT):
            _keep(found, sight.faults(walk, ids, stream), where)
            looks.look(walk)
            looked += 1
    return f"positions: {looked:,}", [*map(" ".join, found.items()), *looks.faults()]


def _twins(game: Game, settings: list[Setting]) -> Found:
    """With another log every position is the same to play; from a view play goes on to a legal end."""
    found, steps, stream = dict[str, str](), 0, np.array([7], np.uint64)
    for setting in settings:
        for walk, ids, where in islice(walked(game, setting, compiled=True, games=LOOKED_GAMES), TWINS_AT):
            _keep(found, [*twins.log_faults(walk)], where)
            if len(ids) and steps % PLAYED_ON == 0 and not found:
                _keep(found, [*twins.view_faults(walk, stream)], where)
            steps += 1
            if len(found) >= MOST_TOLD:
                break
    return f"positions: {steps:,}", [*map(" ".join, found.items())]


def _strategies(game: Game, settings: list[Setting]) -> Found:
    """Every strategy plays legal games under every setting, the same alone and in a batch; it only looks."""
    players = [one.player(game) for one in registry.strategies(game).values()]
    tables = [Table(game, game.rules(setting)) for setting in settings]
    found, deals, still = dict[str, str](), np.arange(GAMES), np.zeros(GAMES, np.int64)
    for player, table in product(players, tables):
        lineup = [player] * game.seats[0]
        try:
            batch = table.play(lineup, 1, deals, still)
            alone = [table.play(lineup, 1, deals[i : i + 1], still[:1]) for i in range(GAMES)]
        except PlayError as error:
            if isinstance(error.__cause__, Crash | Endless):
                raise  # the memory of the table is damaged, or still in use
            found.setdefault(str(error).rpartition("(")[2], str(error))  # each line that fails once
        else:
            if batch.tobytes() != np.concatenate(alone).tobytes():
                said = f"{player.label} plays another game alone than in a batch"
                found.setdefault(said, said)
    return f"strategies: {len(players)}", list(found.values()) or _writing(game, players, settings)


def _writing(game: Game, players: list[Player], settings: list[Setting]) -> list[str]:
    """Strategies that change the view, in which another seat would find it."""
    found = dict[str, None]()
    for setting in settings:
        choices = (at for at in walked(game, setting, compiled=True, games=1) if len(at[1]) > 1)
        for walk, ids, _ in islice(choices, ASKED_AT):
            found |= {player.label: None for player in players if sight.writes(walk, ids, player)}
    return [f"{label} writes to its view, which it may only read: clone it to scratch" for label in found]


# Each check says how much it looked at, and what is wrong.
CHECKS: dict[str, Callable[[Game, list[Setting]], Found]] = {
    "known answers are about what there is": _answers,
    "as plain Python: results, bounds, hidden fields": _uncompiled,
    "invariants hold after every action": _invariants,
    "looking changes nothing; redeal fits the view": _looking,
    "the log never matters; play goes on from views": _twins,
    "strategies play legally, alone as in a batch": _strategies,
    "everything has its words": _words,
}
