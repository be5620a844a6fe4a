"""Does a game keep its promises? Random play under random options, looked at after every action."""

import random
import traceback
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from simkit import catalogue
from simkit.errors import PlayError, UsageError
from simkit.game import OVER, Game
from simkit.kernel import Table
from simkit.steps import driver

SETTINGS, GAMES, STEPS_LOOKED_AT = 12, 3, 4_000
MOST_TOLD = 5  # problems

Setting = dict[str, Any]  # values of options


class Result(NamedTuple):
    """What one check has found; no problems = passed."""

    game: str
    check: str
    looked_at: str
    problems: list[str]


def check(game: Game, seed: int = 1) -> list[Result]:
    settings, found = [{}, *random_settings(game, SETTINGS, seed)], []
    for name, look in CHECKS.items():
        try:
            looked_at, problems = look(game, settings)
        except Exception as error:  # whatever a game's functions raise is what this command is asked to find
            place = traceback.extract_tb(error.__traceback__)[-1]
            told = f"{type(error).__name__}: {error}".splitlines()[0]
            looked_at, problems = "stopped", [f"{told} ({place.filename}:{place.lineno})"]
        found.append(Result(game.name, name, looked_at, problems[:MOST_TOLD]))
    return found


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


def _invariants(game: Game, settings: list[Setting]) -> tuple[str, list[str]]:
    """Step through random games; after every action no invariant is broken."""
    found, steps = [], 0
    low, high = game.seats
    for setting in settings:
        table, where = Table(game, game.rules(setting)), setting or "rulebook options"
        for deal in range(GAMES):
            for s, _ in positions(table, deal, low + steps % (high - low + 1)):
                steps += 1
                said = [*game.problems(s, table.rules[0]), *_result(game, s)]
                found += [f"{one} ({where}, deal {deal})" for one in said]
    return f"positions: {steps:,}, option settings: {len(settings)}", found


def _result(game: Game, s: Any) -> list[str]:
    """What is wrong with the ranks of a game that is over."""
    ranks = sorted(s.rank[: s.seats].tolist())
    if s.seat != OVER:
        return []
    if game.team:
        return (
            [] if ranks in ([0] * s.seats, [1] * s.seats) else [f"a team wins or loses together, not {ranks}"]
        )
    fits = ranks == [0] * s.seats or (ranks[0] == 1 and ranks[-1] <= s.seats)
    return [] if fits else [f"ranks {ranks}: the winners have rank 1, or nobody wins and all have rank 0"]


def positions(table: Table, deal: int, seats: int | None = None) -> Any:
    """States along one random game with the legal actions of each, stepped outside the kernel, to its end."""
    game, luck = table.game, random.Random(deal)
    states = np.zeros(1, game.state_dtype)
    s, drive = states[0], driver(game)
    table.open_luck(1, deal)
    drive.start(states, table.rules, table.rng, seats or game.seats[0])
    for _ in range(STEPS_LOOKED_AT):
        n = 0 if s.seat == OVER else drive.legal(states, table.rules, table.ids)
        if s.seat != OVER and n < 1:
            raise PlayError(f"seat {s.seat} has no legal action although the game is not over, deal {deal}")
        ids = table.ids[:n].copy()  # who looks may use the table's own
        yield s, ids
        if s.seat == OVER:
            return
        drive.step(states, table.rules, table.rng, int(luck.choice(ids)))


def _looking(game: Game, settings: list[Setting]) -> tuple[str, list[str]]:
    """`legal` is ascending and only looks, as `observe`, `note`, `pieces` do; `redeal` keeps views."""
    found, looked, drive = [], 0, driver(game)
    now, view, copy, again = (np.zeros(1, game.state_dtype) for _ in range(4))
    stream, row = np.array([7], np.uint64), np.zeros(1, game.turn_dtype)
    for setting in settings:
        table, where = Table(game, game.rules(setting)), setting or "rulebook options"
        for s, ids in positions(table, 0):
            now[0], before, said = s, s.tobytes(), []
            for seat in range(s.seats):
                drive.observe(now, table.rules, seat, view)
                if game.log.note is not None:
                    game.log.note(s, table.rules[0], seat, row[0])
                copy[:] = view
                drive.redeal(copy, table.rules, seat, stream)
                drive.observe(copy, table.rules, seat, again)
                if again.tobytes() != view.tobytes():
                    said.append(f"redeal changes what seat {seat} sees")
                if s.seat != OVER and drive.legal(copy, table.rules, table.ids) < 1:
                    said.append(f"redeal for seat {seat} leaves no legal action")
            said += _counted(game, s, table.rules[0])
            said += ["legal actions are not ascending"] if (np.diff(ids) <= 0).any() else []
            said += ["looking changes the state"] if {s.tobytes(), now.tobytes()} != {before} else []
            found += [f"{one} ({where})" for one in said]
            looked += 1
    return f"positions: {looked:,}", found


def _counted(game: Game, s: Any, rules: Any) -> list[str]:
    """What is wrong with the counts of the pieces."""
    if game.pieces is None:
        return []
    many = len(game.pieces.names(rules))
    offer, used, held = (np.zeros(shape, np.int64) for shape in (many, many, (int(s.seats), many)))
    game.pieces.count(s, rules, offer, used, held)
    least = min(int(counts.min(initial=0)) for counts in (offer, used, held))
    return [f"a count of pieces is {least}"] if least < 0 else []


def _strategies(game: Game, settings: list[Setting]) -> tuple[str, list[str]]:
    """Every strategy plays legal games under every setting, the same alone and in a batch."""
    players = [one.player(game) for one in catalogue.strategies(game).values()]
    tables = [Table(game, game.rules(setting)) for setting in settings]
    found, deals, still = [], np.arange(GAMES), np.zeros(GAMES, np.int64)
    for player, table in product(players, tables):
        lineup = [player] * game.seats[0]
        try:
            batch = table.play(lineup, 1, deals, still)
            alone = [table.play(lineup, 1, deals[i : i + 1], still[:1]) for i in range(GAMES)]
        except PlayError as error:
            found.append(str(error))
        else:
            if batch.tobytes() != np.concatenate(alone).tobytes():
                found.append(f"{player.label} plays another game alone than in a batch")
    return f"strategies: {len(players)}", found


def _words(game: Game, settings: list[Setting]) -> tuple[str, list[str]]:
    """Every option and field says what it means, and every position can be shown."""
    fields = [*game.state, *game.game_fields, *game.log.seat, *game.log.trace, *game.components.fields]
    silent = [option.name for option in game.options if not option.meaning or not option.clause]
    silent += [field.name for field in fields if not field.meaning]
    found = [f"{name} has no meaning in words" for name in silent]
    table = Table(game, game.rules())
    if not all(game.show(s, table.rules[0]) for s, _ in positions(table, 0)):
        found.append("a position is shown as nothing")
    return f"options: {len(game.options)}, fields: {len(game.state)}", found


CHECKS: dict[str, Callable[[Game, list[Setting]], tuple[str, list[str]]]] = {
    "invariants hold after every action": _invariants,
    "looking changes nothing; redeal fits the view": _looking,
    "strategies play legally, alone as in a batch": _strategies,
    "everything has its words": _words,
}  # each says how much it looked at, and what is wrong
