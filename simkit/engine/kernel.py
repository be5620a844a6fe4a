"""The one compiled loop that plays every game: built once per game, for any lineup, option or weight.

The rules come in as a record, the strategies as first-class functions, so neither recompiles the kernel.
"""

import enum
import warnings
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple, cast

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from simkit.engine import watchdog
from simkit.engine.compile import jit, traceback
from simkit.engine.compile.compile_errors import beginning
from simkit.engine.game import Game
from simkit.engine.rng import below, open_streams, purposes, uniform
from simkit.engine.tasks import Endless, Task
from simkit.errors import Crash, PlayError, brief

# Numba calls first-class functions experimental; tests compare compiled with uncompiled play byte for byte.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

Ints = np.ndarray  # int64
NONE = np.zeros(0, np.int64)
WORK = 4_096  # numbers lent to strategies for arrays of their own: 32 KiB
READ_ONLY = "assignment destination is read-only"  # NumPy, of the rules record in plain Python
AGAIN = "#again"  # after the name of a stream that is drawn anew
WROTE = "the rules record was written to, which may only be read"
RULES_FAILED = "the rules failed"
NUMBERS, WORDS = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")


class Fault(enum.IntEnum):
    """Why a game cannot go on."""

    none, no_legal_action, illegal_action, too_many_steps, too_many_actions = range(5)


SAID = {
    Fault.no_legal_action: "has no legal action although the game is not over",
    Fault.illegal_action: "chose the illegal action {action}",
    Fault.too_many_steps: "is to decide in a game of more than {max_steps} actions: it does not end",
    Fault.too_many_actions: "has more legal actions than max_actions = {max_actions} of the game",
}
# Where the kernel is, and what is wrong; `asked`: a strategy is deciding.
PLACE = np.dtype((np.record, [(name, "i8") for name in ("fault", "game", "seat", "action", "asked")]))


@jit.rule
def is_legal(action, ids, n):  # type: ignore[no-untyped-def]
    """Whether `action` is among the first n of `ids`; for some dozens a scan without branches is fastest."""
    found = False
    for i in range(n):
        found |= ids[i] == action
    return found


def arrays(game: Game) -> tuple[Any, Any, Any]:
    """The compiled types of state, rules and luck, as arrays."""
    state, rules, rng = (numba.from_dtype(d) for d in (game.state_dtype, game.rules_dtype, game.rng_dtype))
    return types.Array(state, 1, "C"), types.Array(rules, 1, "C", readonly=True), types.Array(rng, 1, "C")


def strategy_signature(game: Game) -> Any:
    """decide(view, rules, legal, weights, rng, scratch, memo, work) -> action."""
    states, rules, _ = arrays(game)
    legal, weights = (types.Array(kind, 1, "C", readonly=True) for kind in (types.int64, types.float64))
    return types.int64(states.dtype, rules.dtype, legal, weights, WORDS, states, NUMBERS, NUMBERS)


def _play_signature(game: Game) -> Any:
    (states, rules, rng), number = arrays(game), types.int64
    strategies = types.UniTuple(types.FunctionType(strategy_signature(game)), game.max_seats)
    weights, memos = types.Array(types.float64, 2, "C"), types.Array(types.int64, 2, "C")
    blunders, looks = types.Array(types.float64, 1, "C"), types.Array(types.boolean, 1, "C")
    place = types.Array(numba.from_dtype(PLACE), 1, "C")
    return types.void(
        number, NUMBERS, NUMBERS, number, rules, strategies, weights, blunders, looks, states,
        states, rng, WORDS, WORDS, WORDS, WORDS, NUMBERS, memos, NUMBERS, NUMBERS, place,
    )  # fmt: skip


@jit.rule
def _fault(n, most, steps, max_steps):  # type: ignore[no-untyped-def]
    if n < 1:
        return Fault.no_legal_action
    if n > most:
        return Fault.too_many_actions
    return Fault.too_many_steps if steps >= max_steps else Fault.none


@jit.rule
def _slip(luck, blunder, n):  # type: ignore[no-untyped-def]
    """The place of a legal action that is taken by mistake, -1 where the strategy is asked."""
    return below(luck, n) if blunder > 0.0 and uniform(luck) < blunder else -1


@cache
def build(game: Game) -> jit.Entry:
    """The kernel of a game: `lent` holds view and scratch, `choices` the luck of choices and blunders."""
    setup, legal, apply, observe, max_steps = game.setup, game.legal, game.step, game.observe, game.max_steps

    def play(seed, deals, shifts, seats, rules_array, players, weights, blunders, looks,  # type: ignore[no-untyped-def]
             states, lent, rng_array, words, names, choices, choosing, ids, memos, work,
             trail, place):  # fmt: skip
        rules, rng, view, scratch, at, told = rules_array[0], rng_array[0], lent[0], lent[1:], place[0], 0
        for i in range(deals.size):
            s, at.game, at.seat, began = states[i], i, -1, told
            open_streams(words, seed, deals[i], names)
            open_streams(choices, seed, deals[i], choosing)
            memos[:] = 0
            jit.wipe(view)  # looks leave what they never show
            s.seats = seats
            setup(s, rules, rng)
            while s.seat >= 0:
                at.seat = seat = s.seat
                n = legal(s, rules, ids)
                at.fault = _fault(n, ids.size, told - began, max_steps)
                if at.fault != Fault.none:
                    return
                action = ids[0]
                if n > 1:
                    k, luck = (seat + shifts[i]) % seats, choices[seat : seat + 1]
                    slip = _slip(choices[seats + seat :], blunders[k], n)
                    s.log.game.decisions += 1
                    action = ids[max(slip, 0)]
                    if slip < 0:
                        if looks[k]:
                            observe(s, rules, seat, view)
                        at.asked = 1
                        action = players[k](
                            view, rules, ids[:n], weights[k], luck, scratch, memos[seat], work
                        )
                        at.asked = 0
                    if not is_legal(action, ids, n):
                        at.fault, at.action = Fault.illegal_action, action
                        return
                if told < trail.size:
                    trail[told] = action
                told += 1
                apply(s, rules, action, rng)

    return jit.Entry(play, _play_signature(game), f"kernel {game.name}", allocates=False)


@dataclass(frozen=True)
class Player:
    """A strategy ready to play one game: its function and its weights."""

    label: str  # as written in a lineup
    decide: jit.Entry
    weights: np.ndarray  # float64[number of weights]
    blunder: float = 0.0  # probability of a random legal action at a decision
    looks: bool = True  # whether it asks for the view; who does not is shown none


Lineup = list[Player]  # by seat


class Games(NamedTuple):
    """Games to play: with shift r, lineup[(i + r) % seats] plays seat i."""

    lineup: Lineup
    seed: int
    deals: Ints
    shifts: Ints

    def alone(self, game: int) -> "Games":
        return self._replace(deals=self.deals[game : game + 1], shifts=self.shifts[game : game + 1])

    def between(self, first: int, last: int) -> "Games":
        return self._replace(deals=self.deals[first:last], shifts=self.shifts[first:last])

    def player(self, game: int, seat: int) -> Player:
        return self.lineup[(seat + int(self.shifts[game])) % len(self.lineup)]


class Wrong(NamedTuple):
    """What went wrong in a game."""

    said: str
    at: Any  # PLACE
    line: str = ""  # of the author: FILE:LINE
    cause: Exception | None = None

    @property
    def by_strategy(self) -> bool:
        """Whether the strategy that was to decide is to blame, and not the rules."""
        return bool(self.at.asked) or self.at.fault == Fault.illegal_action


class Table:
    """The memory for playing one game with one set of rules; not shared between threads."""

    def __init__(self, game: Game, rules: np.ndarray) -> None:
        self.game, self.rules = game, rules
        self.rng = np.zeros(1, game.rng_dtype)
        self.redraw()
        self.choices = np.zeros(2 * game.max_seats, np.uint64)
        self.lent = np.zeros(1 + game.scratch, game.state_dtype)
        self.ids = np.zeros(game.max_actions, np.int64)
        self.memos = np.zeros((game.max_seats, game.memo), np.int64)
        self.work = np.zeros(WORK, np.int64)
        self.kernel = build(game)

    def redraw(self, *kinds: str) -> None:
        """Other luck from now on in the streams of these kinds (deal, nature, choice, blunder) only."""
        self.redrawn = kinds
        self.names = self._purposes(self.game.purposes)

    def _purposes(self, names: list[str]) -> np.ndarray:
        return purposes([name + AGAIN * (name.partition("/")[0] in self.redrawn) for name in names])

    def open_luck(self, seed: int, deal: int) -> np.record:
        """The luck of one deal, for stepping through it outside the kernel."""
        open_streams(self.rng.view(np.uint64), seed, deal, self.names)
        return cast(np.record, self.rng[0])

    def play(
        self, lineup: Lineup, seed: int, deals: Ints, shifts: Ints, trail: Ints = NONE, compiled: bool = True
    ) -> np.ndarray:
        """The final states of one game per deal; with shift r, lineup[(i + r) % seats] plays seat i.

        `trail` is filled with the actions of one game after the other, as far as it reaches. Not `compiled`:
        as plain Python, to the same result.
        """
        games = Games(lineup, seed, *(np.ascontiguousarray(one, np.int64) for one in (deals, shifts)))
        states, wrong = self.attempt(games, trail, compiled)
        if wrong is None:
            return states
        wrong = self.explained(games, wrong) if compiled else wrong
        line = f" ({wrong.line})" if wrong.line else ""
        deal, rotation = int(games.deals[wrong.at.game]), int(games.shifts[wrong.at.game])
        raise PlayError(f"{self._where(games, wrong.at)} {wrong.said}{line}", deal, rotation) from wrong.cause

    def attempt(
        self, games: Games, trail: Ints = NONE, compiled: bool = True
    ) -> tuple[np.ndarray, Wrong | None]:
        """As `play`, up to the first game that fails: the states of those after it are not to be used."""
        entries, compiled = self.entries(games.lineup), compiled and jit.COMPILED
        return self._attempt(games, [one.compiled if compiled else one.function for one in entries], trail)

    def explained(self, games: Games, wrong: Wrong) -> Wrong:
        """What went wrong in compiled code, with the line, as plain Python tells it."""
        if not jit.COMPILED or wrong.at.fault == Fault.too_many_steps:
            return wrong
        game = int(wrong.at.game)
        found = self._as_python(games.alone(game), wrong)
        found.at.game = wrong.at.game = game
        return found

    def _attempt(self, games: Games, functions: list[Any], trail: Ints) -> tuple[np.ndarray, Wrong | None]:
        """The final states of the games, and what went wrong; only compiled code can change the rules."""
        lineup, seed, deals, shifts = games
        states, place = np.zeros(len(deals), self.game.state_dtype), np.zeros(1, PLACE)
        before, blunders = self.rules.tobytes(), np.array([player.blunder for player in lineup])
        looks = np.array([player.looks for player in lineup])
        kinds = ["choice", "blunder"] if blunders.any() else ["choice"]
        names = self._purposes([f"{kind}/{seat}" for kind in kinds for seat in range(len(lineup))])
        (play, *players), wrong = functions, None
        try:
            with watchdog.playing(watchdog.Play(self.game.name, lineup, deals, shifts, states, place)):
                given = (
                    seed, deals, shifts, len(lineup), self.rules, tuple(players), self._weights(lineup),
                    blunders, looks, states, self.lent, self.rng, self.rng.view(np.uint64), self.names,
                    self.choices, names, self.ids, self.memos, self.work, trail, place,
                )  # fmt: skip
                if play is self.kernel.function:
                    play(*given)
                else:
                    Task(partial(play, *given)).result()
        except Crash as crash:
            raise self._crash(games, place[0], crash) from crash
        except Exception as error:
            who = "failed" if place[0].asked else RULES_FAILED
            what = WROTE if str(error) == READ_ONLY else brief(error)
            wrong = Wrong(f"{who}: {what}", place[0], traceback.of(error), error)
        if place[0].fault:
            wrong = self._told(games, place[0])
        if self.rules.tobytes() == before:
            return states, wrong
        self.rules = np.frombuffer(before, self.rules.dtype)
        return states, self._who_wrote(games, functions, place[0])

    def _crash(self, games: Games, at: Any, crash: Crash) -> Crash:
        """Return the crash with the place of its game."""
        lineup = ", ".join(player.label for player in games.lineup)
        deal, rotation = int(games.deals[at.game]), int(games.shifts[at.game])
        return Crash(f"{self._where(games, at)} {crash} with lineup {lineup}", deal, rotation)

    def _told(self, games: Games, at: Any) -> Wrong:
        """What the kernel says, and where the function begins that is to blame."""
        said = SAID[at.fault].format(action=at.action, **vars(self.game))
        function = self.game.apply if at.fault == Fault.too_many_steps else self.game.legal
        if at.fault == Fault.illegal_action:
            function = games.player(at.game, at.seat).decide.body
        return Wrong(said, at, beginning(function))

    def _who_wrote(self, games: Games, functions: list[Any], at: Any) -> Wrong:
        """The first game that changes the rules."""
        if len(games.deals) == 1:
            return Wrong(f"in this game {WROTE}", at)
        for game in range(len(games.deals)):
            _, wrong = self._attempt(games.alone(game), functions, NONE)
            if wrong is not None:
                wrong.at.game = game
                return wrong
        return Wrong(f"in this game or one before {WROTE}", at)

    def _as_python(self, games: Games, compiled: Wrong) -> Wrong:
        """What goes wrong in the one game, with the line, as plain Python tells it."""
        kernel, *entries = self.entries(games.lineup)
        endless = isinstance(compiled.cause, Endless)  # compiled code would not end once more
        players = [entry.function if endless else traceback.careful(entry) for entry in entries]
        with np.errstate(all="ignore", divide="raise", invalid="raise"):
            _, wrong = self._attempt(games, [kernel.function, *players], NONE)
        compiled.at.game = 0
        if wrong is None:
            return compiled._replace(said=f"{compiled.said}; played again as plain Python it goes well")
        return wrong

    def entries(self, lineup: Lineup) -> list[jit.Entry]:
        """What is compiled: the kernel, and a strategy for every seat that the game can have."""
        return [self.kernel, *(lineup[k % len(lineup)].decide for k in range(self.game.max_seats))]

    def _weights(self, lineup: Lineup) -> np.ndarray:
        widest = max(1, *(len(p.weights) for p in lineup))
        return np.array([np.pad(p.weights, (0, widest - len(p.weights))) for p in lineup])

    def _where(self, games: Games, at: Any) -> str:
        place = f"{self.game.name}: seed {games.seed}, deal {games.deals[at.game]}"
        place = f"{place}, rotation {games.shifts[at.game]}"
        if at.seat < 0:
            return f"{place}: the setup"
        return f"{place}, seat {at.seat}, strategy {games.player(at.game, at.seat).label}:"
