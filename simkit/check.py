"""Does a game keep its promises? Random play under random options, stepped and looked at after every action."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from simkit import catalogue
from simkit.errors import PlayError, UsageError
from simkit.game import OVER, Game
from simkit.kernel import Player, Table
from simkit.steps import driver

SETTINGS, GAMES, STEPS_LOOKED_AT = 12, 3, 4_000


class Result(NamedTuple):
    """What one check has found; no problems = passed."""

    game: str
    check: str
    looked_at: str
    problems: list[str]


class Check(NamedTuple):
    """A promise, and the function that looks whether a game keeps it: (game, settings) -> how much was looked at, problems."""

    name: str
    run: Callable[[Game, list[dict[str, Any]]], tuple[str, list[str]]]


def check(game: Game, seed: int = 1) -> list[Result]:
    """Every check of one game."""
    settings = [{}, *random_settings(game, SETTINGS, seed)]
    return [_result(one, game, settings) for one in CHECKS]


def _result(one: Check, game: Game, settings: list[dict[str, Any]]) -> Result:
    try:
        return Result(game.name, one.name, *one.run(game, settings))
    except Exception as error:  # whatever a game's functions raise is what this command is asked to find
        place = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__}: {error}".splitlines()[0]
        return Result(game.name, one.name, "stopped", [f"{told} ({place.filename}:{place.lineno})"])


def random_settings(game: Game, count: int, seed: int) -> list[dict[str, Any]]:
    """Random option values that fit together; each changes up to nine options, and those with presets every time."""
    luck = random.Random(seed)
    always = [o for o in game.options if o.name in game.presets]
    found: list[dict[str, Any]] = []
    for _ in range(50 * count if game.options else 0):
        chosen = always + luck.sample(game.options, min(len(game.options), luck.randint(1, 9)))
        setting = {
            o.name: o.shown(luck.choice(list(o.kind)) if o.is_choice else luck.randint(o.low, o.high))
            for o in chosen
        }
        try:
            game.rules(setting)
        except UsageError:
            continue
        found.append(setting)
        if len(found) == count:
            break
    return found


def _invariants(game: Game, settings: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """Step through random games; after every action no invariant is broken."""
    found, steps = [], 0
    low, high = game.seats
    for setting in settings:
        table = Table(game, game.rules(setting))
        for deal in range(GAMES):
            for s, _ in positions(table, deal, low + steps % (high - low + 1)):
                steps += 1
                found += [
                    f"{problem} ({setting or 'rulebook options'}, deal {deal})"
                    for problem in game.problems(s, table.rules[0])
                ]
    return f"{steps:,} positions, {len(settings)} option settings", found[:5]


def positions(table: Table, deal: int, seats: int | None = None) -> Any:
    """States along one random game with the legal actions of each, stepped outside the kernel; the last one is the end."""
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


def _looking(game: Game, settings: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """`legal` is ascending and only looks; `observe` and `trace` only look; `redeal` keeps what the view shows and leaves legal actions."""
    found, looked = [], 0
    view, again, copy = (np.zeros(1, game.state_dtype) for _ in range(3))
    now, drive = np.zeros(1, game.state_dtype), driver(game)
    stream, row = np.array([7], np.uint64), np.zeros(1, game.turn_dtype)
    for setting in settings:
        table = Table(game, game.rules(setting))
        for s, ids in positions(table, 0):
            before = s.tobytes()
            now[0] = s
            looked += 1
            if len(ids) and (np.diff(ids) <= 0).any():
                found.append(f"legal actions are not ascending ({setting})")
            for seat in range(s.seats):
                where = f"seat {seat}, {setting or 'rulebook options'}"
                drive.observe(now, table.rules, seat, view)
                if game.log.note is not None:
                    game.log.note(s, table.rules[0], seat, row[0])
                copy[:] = view
                drive.redeal(copy, table.rules, seat, stream)
                drive.observe(copy, table.rules, seat, again)
                if again.tobytes() != view.tobytes():
                    found.append(f"redeal changes what is seen ({where})")
                if s.seat != OVER and drive.legal(copy, table.rules, table.ids) < 1:
                    found.append(f"redeal leaves no legal action ({where})")
            if s.tobytes() != before or now.tobytes() != before:
                found.append(f"looking changes the state ({setting})")
    return f"{looked:,} positions", found[:5]


def _strategies(game: Game, settings: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """Every strategy plays legal games under every setting, the same alone and in a batch."""
    found: list[str] = []
    names = list(catalogue.strategies(game))
    for name in names:
        player = catalogue.strategy(game, name).player(game)
        for setting in settings:
            found += _plays(Table(game, game.rules(setting)), player)
    return f"{len(names)} strategies", found[:5]


def _plays(table: Table, player: Player) -> list[str]:
    lineup, deals, still = [player] * table.game.seats[0], np.arange(GAMES), np.zeros(GAMES, np.int64)
    try:
        batch = table.play(lineup, 1, deals, still)
        alone = np.concatenate([table.play(lineup, 1, deals[i : i + 1], still[:1]) for i in range(GAMES)])
    except PlayError as error:
        return [str(error)]
    return (
        []
        if batch.tobytes() == alone.tobytes()
        else [f"{player.label} plays another game alone than in a batch"]
    )


def _words(game: Game, settings: list[dict[str, Any]]) -> tuple[str, list[str]]:
    """Every option and field says what it means, and every position can be shown."""
    silent = [o.name for o in game.options if not o.meaning or not o.clause]
    silent += [
        f.name
        for f in [*game.state, *game.game_fields, *game.seat_fields, *game.log.trace, *game.components.fields]
        if not f.meaning
    ]
    table = Table(game, game.rules())
    blank = [1 for s, _ in positions(table, 0) if not game.show(s, table.rules[0])]
    found = [f"{name} has no meaning in words" for name in silent] + [
        "a position is shown as nothing" for _ in blank[:1]
    ]
    return f"{len(game.options)} options, {len(game.state)} fields", found


CHECKS = [
    Check("invariants hold after every action", _invariants),
    Check("looking changes nothing; redeal fits the view", _looking),
    Check("strategies play legally, alone as in a batch", _strategies),
    Check("everything has its words", _words),
]
