"""The compiled loop that plays every game: built once per game, for any lineup, option or weight.

The rules are passed as a record and the strategies as first-class functions, so that changing them does not
recompile the kernel.
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
READ_ONLY = "assignment destination is read-only"  # NumPy's message when plain Python writes to the rules
REDRAWN_SUFFIX = "#again"  # follows the name of a stream that is drawn anew
WROTE = "the rules record was written to, which may only be read"
RULES_FAILED = "the rules failed"
NUMBERS, WORDS = types.Array(types.int64, 1, "C"), types.Array(types.uint64, 1, "C")


class Fault(enum.IntEnum):
    """Reason why a game cannot go on."""

    none, no_legal_action, illegal_action, too_many_steps, too_many_actions = range(5)


FAULT_MESSAGES = {
    Fault.no_legal_action: "has no legal action although the game is not over",
    Fault.illegal_action: "chose the illegal action {action}",
    Fault.too_many_steps: "is to decide in a game of more than {max_steps} actions: it does not end",
    Fault.too_many_actions: "has more legal actions than max_actions = {max_actions} of the game",
}
# Position of the kernel and the fault that stopped it; `deciding` is 1 while a strategy decides.
PLACE = np.dtype((np.record, [(name, "i8") for name in ("fault", "game", "seat", "action", "deciding")]))


@jit.rule
def is_legal(action, ids, n):  # type: ignore[no-untyped-def]
    """Return whether `action` is among the first n of `ids`.

    For a few dozen actions a scan without branches is fastest.
    """
    legal = False
    for i in range(n):
        legal |= ids[i] == action
    return legal


def arrays(game: Game) -> tuple[Any, Any, Any]:
    """Return the Numba types of arrays of states, of rules and of streams."""
    state, rules, rng = (numba.from_dtype(d) for d in (game.state_dtype, game.rules_dtype, game.rng_dtype))
    return types.Array(state, 1, "C"), types.Array(rules, 1, "C", readonly=True), types.Array(rng, 1, "C")


def strategy_signature(game: Game) -> Any:
    """Return the type of `decide(view, rules, legal, weights, rng, scratch, memo, work) -> action`."""
    states, rules, _ = arrays(game)
    legal, weights = (types.Array(kind, 1, "C", readonly=True) for kind in (types.int64, types.float64))
    return types.int64(states.dtype, rules.dtype, legal, weights, WORDS, states, NUMBERS, NUMBERS)


def _play_signature(game: Game) -> Any:
    (states, rules, rng), number = arrays(game), types.int64
    strategies = types.UniTuple(types.FunctionType(strategy_signature(game)), game.max_seats)
    weights, memos = types.Array(types.float64, 2, "C"), types.Array(types.int64, 2, "C")
    blunders, takes_view = types.Array(types.float64, 1, "C"), types.Array(types.boolean, 1, "C")
    place = types.Array(numba.from_dtype(PLACE), 1, "C")
    return types.void(
        number, NUMBERS, NUMBERS, number, rules, strategies, weights, blunders, takes_view, states,
        states, rng, WORDS, WORDS, WORDS, WORDS, NUMBERS, memos, NUMBERS, NUMBERS, place,
    )  # fmt: skip


@jit.rule
def _fault(n, max_actions, steps, max_steps):  # type: ignore[no-untyped-def]
    if n < 1:
        return Fault.no_legal_action
    if n > max_actions:
        return Fault.too_many_actions
    return Fault.too_many_steps if steps >= max_steps else Fault.none


@jit.rule
def _random_error(luck, blunder, n):  # type: ignore[no-untyped-def]
    """Return the index of the random error action, or -1 to ask the strategy."""
    return below(luck, n) if blunder > 0.0 and uniform(luck) < blunder else -1


@cache
def build(game: Game) -> jit.Entry:
    """Return the kernel of a game, which plays one game per deal into `states`.

    `lent` holds the view and the scratch states, `choices` the streams of choices and of random errors.
    """
    setup, legal, apply, observe, max_steps = game.setup, game.legal, game.step, game.observe, game.max_steps

    def play(seed, deals, shifts, seats, rules_array, players, weights, blunders, takes_view,  # type: ignore[no-untyped-def]
             states, lent, rng_array, words, names, choices, choosing, ids, memos, work,
             trail, place):  # fmt: skip
        rules, rng, view, scratch, at, actions = rules_array[0], rng_array[0], lent[0], lent[1:], place[0], 0
        for i in range(deals.size):
            s, at.game, at.seat, first_action = states[i], i, -1, actions
            open_streams(words, seed, deals[i], names)
            open_streams(choices, seed, deals[i], choosing)
            memos[:] = 0
            jit.wipe(view)  # `observe` does not write to hidden fields
            s.seats = seats
            setup(s, rules, rng)
            while s.seat >= 0:
                at.seat = seat = s.seat
                n = legal(s, rules, ids)
                at.fault = _fault(n, ids.size, actions - first_action, max_steps)
                if at.fault != Fault.none:
                    return
                action = ids[0]
                if n > 1:
                    k, luck = (seat + shifts[i]) % seats, choices[seat : seat + 1]
                    error_index = _random_error(choices[seats + seat :], blunders[k], n)
                    s.log.game.decisions += 1
                    action = ids[max(error_index, 0)]
                    if error_index < 0:
                        if takes_view[k]:
                            observe(s, rules, seat, view)
                        at.deciding = 1
                        action = players[k](
                            view, rules, ids[:n], weights[k], luck, scratch, memos[seat], work
                        )
                        at.deciding = 0
                    if not is_legal(action, ids, n):
                        at.fault, at.action = Fault.illegal_action, action
                        return
                if actions < trail.size:
                    trail[actions] = action
                actions += 1
                apply(s, rules, action, rng)

    return jit.Entry(play, _play_signature(game), f"kernel {game.name}", allocates=False)


@dataclass(frozen=True)
class Player:
    """Strategy that is ready to play one game: its function and its weights."""

    label: str  # as written in a lineup
    decide: jit.Entry
    weights: np.ndarray  # float64[number of weights]
    blunder: float = 0.0  # probability of a random legal action at a decision
    takes_view: bool = True  # whether the strategy takes `view`; the others skip the observation


Lineup = list[Player]  # by seat


class Games(NamedTuple):
    """Games to play: with shift r, lineup[(i + r) % seats] plays seat i."""

    lineup: Lineup
    seed: int
    deals: Ints
    shifts: Ints

    def alone(self, game: int) -> "Games":
        """Return the game at this index alone."""
        return self._replace(deals=self.deals[game : game + 1], shifts=self.shifts[game : game + 1])

    def between(self, first: int, last: int) -> "Games":
        """Return the games from index `first` up to, but not including, `last`."""
        return self._replace(deals=self.deals[first:last], shifts=self.shifts[first:last])

    def player(self, game: int, seat: int) -> Player:
        """Return the player of a seat in a game."""
        return self.lineup[(seat + int(self.shifts[game])) % len(self.lineup)]


class Wrong(NamedTuple):
    """Failure of a game: the message, and the position of the kernel."""

    message: str
    at: Any  # a record of PLACE
    line: str = ""  # of the author: FILE:LINE
    cause: Exception | None = None

    @property
    def by_strategy(self) -> bool:
        """Whether the fault is the strategy's that was to decide, not the rules'."""
        return bool(self.at.deciding) or self.at.fault == Fault.illegal_action


class Table:
    """Memory for playing one game with one set of rules; not to be shared between threads."""

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
        """Draw only the streams of these kinds (deal, nature, choice, blunder) anew from now on."""
        self.redrawn = kinds
        self.names = self._purposes(self.game.purposes)

    def _purposes(self, names: list[str]) -> np.ndarray:
        """Return the purposes of streams; those of redrawn kinds get another name and so other luck."""
        kinds = ((name, name.partition("/")[0]) for name in names)
        return purposes([f"{name}{REDRAWN_SUFFIX}" if kind in self.redrawn else name for name, kind in kinds])

    def open_luck(self, seed: int, deal: int) -> np.record:
        """Return the streams of one deal at their start, for stepping through it outside the kernel."""
        open_streams(self.rng.view(np.uint64), seed, deal, self.names)
        return cast(np.record, self.rng[0])

    def play(
        self, lineup: Lineup, seed: int, deals: Ints, shifts: Ints, trail: Ints = NONE, compiled: bool = True
    ) -> np.ndarray:
        """Play one game per deal and return the final states, an array of `game.state_dtype`.

        Args:
            lineup: players; with shift r, lineup[(i + r) % seats] plays seat i.
            seed, deals, shifts: seed, and int64 arrays with the deal number and the rotation of each game.
            trail: int64 array, filled with the actions of one game after the other as far as it reaches.
            compiled: False plays in plain Python, with the same result.

        Raises PlayError, with seed, deal, seat and the author's line, for the first game that fails.
        """
        games = Games(lineup, seed, *(np.ascontiguousarray(array, np.int64) for array in (deals, shifts)))
        states, wrong = self.attempt(games, trail, compiled)
        if wrong is None:
            return states
        wrong = self.explained(games, wrong) if compiled else wrong
        line = f" ({wrong.line})" if wrong.line else ""
        deal, rotation = int(games.deals[wrong.at.game]), int(games.shifts[wrong.at.game])
        raise PlayError(
            f"{self._where(games, wrong.at)} {wrong.message}{line}", deal, rotation
        ) from wrong.cause

    def attempt(
        self, games: Games, trail: Ints = NONE, compiled: bool = True
    ) -> tuple[np.ndarray, Wrong | None]:
        """Play as `play` does, up to the first game that fails; return the states and the failure.

        The states of the games after a failed one have no meaning.
        """
        entries, compiled = self.entries(games.lineup), compiled and jit.COMPILED
        functions = [entry.compiled if compiled else entry.function for entry in entries]
        return self._attempt(games, functions, trail)

    def explained(self, games: Games, wrong: Wrong) -> Wrong:
        """Return a failure of compiled code with the author's line, which a replay in plain Python finds."""
        if not jit.COMPILED or wrong.at.fault == Fault.too_many_steps:
            return wrong
        game = int(wrong.at.game)
        replayed = self._as_python(games.alone(game), wrong)
        replayed.at.game = wrong.at.game = game
        return replayed

    def _attempt(self, games: Games, functions: list[Any], trail: Ints) -> tuple[np.ndarray, Wrong | None]:
        """Return the final states and the failure, if any; only compiled code can change the rules."""
        lineup, seed, deals, shifts = games
        states, place = np.zeros(len(deals), self.game.state_dtype), np.zeros(1, PLACE)
        before, blunders = self.rules.tobytes(), np.array([player.blunder for player in lineup])
        takes_view = np.array([player.takes_view for player in lineup])
        kinds = ["choice", "blunder"] if blunders.any() else ["choice"]
        names = self._purposes([f"{kind}/{seat}" for kind in kinds for seat in range(len(lineup))])
        (play, *players), wrong = functions, None
        try:
            with watchdog.playing(watchdog.Play(self.game.name, lineup, deals, shifts, states, place)):
                arguments = (
                    seed, deals, shifts, len(lineup), self.rules, tuple(players), self._weights(lineup),
                    blunders, takes_view, states, self.lent, self.rng, self.rng.view(np.uint64), self.names,
                    self.choices, names, self.ids, self.memos, self.work, trail, place,
                )  # fmt: skip
                if play is self.kernel.function:
                    play(*arguments)
                else:
                    Task(partial(play, *arguments)).result()
        except Crash as crash:
            raise self._crash(games, place[0], crash) from crash
        except Exception as error:
            subject = "failed" if place[0].deciding else RULES_FAILED
            message = WROTE if str(error) == READ_ONLY else brief(error)
            wrong = Wrong(f"{subject}: {message}", place[0], traceback.of(error), error)
        if place[0].fault:
            wrong = self._reported_fault(games, place[0])
        if self.rules.tobytes() == before:
            return states, wrong
        self.rules = np.frombuffer(before, self.rules.dtype)
        return states, self._who_wrote(games, functions, place[0])

    def _crash(self, games: Games, at: Any, crash: Crash) -> Crash:
        """Return the crash with seed, deal, seat and lineup of its game."""
        lineup = ", ".join(player.label for player in games.lineup)
        deal, rotation = int(games.deals[at.game]), int(games.shifts[at.game])
        return Crash(f"{self._where(games, at)} {crash} with lineup {lineup}", deal, rotation)

    def _reported_fault(self, games: Games, at: Any) -> Wrong:
        """Return the fault that the kernel reports, with the first line of the function at fault."""
        message = FAULT_MESSAGES[at.fault].format(action=at.action, **vars(self.game))
        function = self.game.apply if at.fault == Fault.too_many_steps else self.game.legal
        if at.fault == Fault.illegal_action:
            function = games.player(at.game, at.seat).decide.body
        return Wrong(message, at, beginning(function))

    def _who_wrote(self, games: Games, functions: list[Any], at: Any) -> Wrong:
        """Return the first game in which the rules are changed, by playing the games one by one."""
        if len(games.deals) == 1:
            return Wrong(f"in this game {WROTE}", at)
        for game in range(len(games.deals)):
            _, wrong = self._attempt(games.alone(game), functions, NONE)
            if wrong is not None:
                wrong.at.game = game
                return wrong
        return Wrong(f"in this game or one before {WROTE}", at)

    def _as_python(self, games: Games, compiled: Wrong) -> Wrong:
        """Replay one failed game in plain Python; return the failure with the author's line."""
        kernel, *entries = self.entries(games.lineup)
        endless = isinstance(compiled.cause, Endless)  # compiled code would run without end a second time
        players = [entry.function if endless else traceback.careful(entry) for entry in entries]
        with np.errstate(all="ignore", divide="raise", invalid="raise"):
            _, wrong = self._attempt(games, [kernel.function, *players], NONE)
        compiled.at.game = 0
        if wrong is None:
            return compiled._replace(message=f"{compiled.message}; played again as plain Python it goes well")
        return wrong

    def entries(self, lineup: Lineup) -> list[jit.Entry]:
        """Return what is compiled: the kernel, and a strategy for every seat that the game can have."""
        return [self.kernel, *(lineup[k % len(lineup)].decide for k in range(self.game.max_seats))]

    def _weights(self, lineup: Lineup) -> np.ndarray:
        """Return the weights of the players, float64[player, weight], padded with zeros."""
        widest = max(1, *(len(p.weights) for p in lineup))
        return np.array([np.pad(p.weights, (0, widest - len(p.weights))) for p in lineup])

    def _where(self, games: Games, at: Any) -> str:
        """Return the game, deal, rotation, seat and strategy of a position, for a message."""
        place = f"{self.game.name}: seed {games.seed}, deal {games.deals[at.game]}"
        place = f"{place}, rotation {games.shifts[at.game]}"
        if at.seat < 0:
            return f"{place}: the setup"
        return f"{place}, seat {at.seat}, strategy {games.player(at.game, at.seat).label}:"
