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
from simkit.engine.rng import below, open_streams, purposes, start, uniform
from simkit.engine.tasks import Endless, Task
from simkit.errors import Crash, PlayError, brief

# Numba calls first-class functions experimental; tests compare compiled with uncompiled play byte for byte.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

Ints = np.ndarray  # int64
NONE = np.zeros(0, np.int64)
NONE_FORCED, NO_NOTES = np.zeros((0, 3), np.int64), np.zeros((0, 4), np.int64)
SAME = 0  # luck after the forced decision: the streams go on
TURN, SEAT, CHOICES, CHOSEN = range(4)  # notes[row, .]: turns ended before, seat, legal actions, index chosen
WORK = 4_096  # numbers lent to strategies for arrays of their own: 32 KiB
READ_ONLY = "assignment destination is read-only"  # NumPy's message when plain Python writes to the rules
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
    """Return whether `action` is among the first n of `ids`."""
    legal = False  # for a few dozen actions a scan without branches is fastest
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
    weights, numbers = types.Array(types.float64, 2, "C"), types.Array(types.int64, 2, "C")
    blunders, takes_view = types.Array(types.float64, 1, "C"), types.Array(types.boolean, 1, "C")
    place = types.Array(numba.from_dtype(PLACE), 1, "C")
    return types.void(
        number, NUMBERS, NUMBERS, number, rules, strategies, weights, blunders, takes_view, states,
        states, rng, WORDS, WORDS, WORDS, WORDS, NUMBERS, numbers, NUMBERS, NUMBERS, numbers, numbers, place,
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


@jit.rule
def _open(seed, deal, words, names, choices, choosing):  # type: ignore[no-untyped-def]
    """Set the streams of the game and of the strategies to their start."""
    open_streams(words, seed, deal, names)
    open_streams(choices, seed, deal, choosing)


@jit.rule
def _change_luck(luck, seed, deal, decision, words, names, choices, choosing):  # type: ignore[no-untyped-def]
    """Open all streams anew for the luck after a forced decision, unless it is SAME."""
    if luck != SAME:
        _open(start(seed, decision, luck), deal, words, names, choices, choosing)


@jit.rule
def _note(notes, row, turn, seat, action, ids, n):  # type: ignore[no-untyped-def]
    """Note a decision in a row of `notes`, if there is such a row; return the number of the next row."""
    if row < notes.shape[0]:
        notes[row, TURN], notes[row, SEAT], notes[row, CHOICES] = turn, seat, n
        for i in range(n):
            if ids[i] == action:
                notes[row, CHOSEN] = i
    return row + 1


@cache
def build(game: Game) -> jit.Entry:
    """Return the kernel of a game, which plays one game per deal into `states`.

    `lent` holds the view and the scratch states, `choices` the streams of choices and of random errors. At a
    forced decision the strategy still decides, so that its stream and memory advance. Other luck after it
    opens all streams anew for (seed, deal, decision, luck), alike for each action.
    """
    setup, legal, apply, observe, max_steps = game.setup, game.legal, game.step, game.observe, game.max_steps

    def play(seed, deals, shifts, seats, rules_array, players, weights, blunders, takes_view,  # type: ignore[no-untyped-def]
             states, lent, rng_array, words, names, choices, choosing, ids, memos, work,
             trail, forced, notes, place):  # fmt: skip
        rules, rng, view, scratch, at = rules_array[0], rng_array[0], lent[0], lent[1:], place[0]
        actions = row = 0
        for i in range(deals.size):
            s, at.game, at.seat, first_action, turn = states[i], i, -1, actions, 0
            _open(seed, deals[i], words, names, choices, choosing)
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
                action, turns = ids[0], s.log.game.turns
                if n > 1:
                    k, luck = (seat + shifts[i]) % seats, choices[seat : seat + 1]
                    error_index = _random_error(choices[seats + seat :], blunders[k], n)
                    decision = s.log.game.decisions
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
                    if i < forced.shape[0] and forced[i, 0] == decision:
                        action = ids[forced[i, 1]]
                        _change_luck(forced[i, 2], seed, deals[i], decision, words, names, choices, choosing)
                    row = _note(notes, row, turn, seat, action, ids, n)
                if actions < trail.size:
                    trail[actions] = action
                actions += 1
                apply(s, rules, action, rng)
                turn += s.log.game.turns != turns

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
    forced: Ints = NONE_FORCED  # int64[game, 3], as for the kernel

    def between(self, first: int, last: int) -> "Games":
        """Return the games from index `first` up to, but not including, `last`."""
        return Games(self.lineup, self.seed, *(array[first:last] for array in self[2:]))

    def player(self, game: int, seat: int) -> Player:
        """Return the player of a seat in a game."""
        return self.lineup[(seat + int(self.shifts[game])) % len(self.lineup)]


class Failed(NamedTuple):
    """Game that failed."""

    game: int  # index among the games played
    seat: int  # seat to decide, −1 in the setup
    by_strategy: bool  # whether the strategy is at fault, not the rules
    message: str
    line: str = ""  # of the author: FILE:LINE
    cause: Exception | None = None  # None for a fault that the kernel reports


def _failed(at: Any, message: str, error: Exception) -> Failed:
    """Return the failure by an error at a position of the kernel."""
    return Failed(int(at.game), int(at.seat), bool(at.deciding), message, traceback.of(error), error)


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
        return purposes([f"{name}#again" if kind in self.redrawn else name for name, kind in kinds])

    def open_luck(self, seed: int, deal: int) -> np.record:
        """Return the streams of one deal at their start, for stepping through it outside the kernel."""
        open_streams(self.rng.view(np.uint64), seed, deal, self.names)
        return cast(np.record, self.rng[0])

    def play(
        self,
        lineup: Lineup,
        seed: int,
        deals: Ints,
        shifts: Ints,
        trail: Ints = NONE,
        compiled: bool = True,
        forced: Ints = NONE_FORCED,
        notes: Ints = NO_NOTES,
    ) -> np.ndarray:
        """Play one game per deal and return the final states, an array of `game.state_dtype`.

        Args:
            lineup: players; with shift r, lineup[(i + r) % seats] plays seat i.
            seed, deals, shifts: seed, and int64 arrays with the deal number and the rotation of each game.
            trail: int64 array, filled with the actions of one game after the other as far as it reaches.
            compiled: False plays in plain Python, with the same result.
            forced: int64[game, 3], empty or a decision of each game to force: its number, from 0, the index
                of the action among the legal ones, and the luck from then on (SAME, 1, 2, …).
            notes: int64[row, 4], filled with TURN, SEAT, CHOICES, CHOSEN of each decision.

        Raises PlayError, with seed, deal, seat and the author's line, for the first game that fails.
        """
        arrays = (np.ascontiguousarray(array, np.int64) for array in (deals, shifts, forced))
        games = Games(lineup, seed, *arrays)
        states, failed = self.attempt(games, trail, compiled, notes)
        if failed is None:
            return states
        raise self._error(games, self.explained(games, failed) if compiled else failed)

    def attempt(
        self, games: Games, trail: Ints = NONE, compiled: bool = True, notes: Ints = NO_NOTES
    ) -> tuple[np.ndarray, Failed | None]:
        """Play as `play` does, up to the first game that fails; return the states and the failure.

        The states of the games after a failed one have no meaning. Raises PlayError if compiled code writes
        to the rules, which may spoil other games, too.
        """
        entries, compiled, before = (
            self.entries(games.lineup),
            compiled and jit.COMPILED,
            self.rules.tobytes(),
        )
        functions = [entry.compiled if compiled else entry.function for entry in entries]
        states, failed = self._attempt(games, functions, trail, notes)
        if self.rules.tobytes() != before:
            self.rules = np.frombuffer(before, self.rules.dtype)
            refused = self._as_python(games)
            raise self._error(games, refused) if refused else PlayError(f"{self.game.name}: {WROTE}")
        return states, failed

    def explained(self, games: Games, failed: Failed) -> Failed:
        """Return a failure of compiled code with the author's line, which a replay in plain Python finds."""
        if not jit.COMPILED or failed.cause is None:
            return failed
        endless = isinstance(failed.cause, Endless)  # compiled code would run without end a second time
        replayed = self._as_python(games.between(failed.game, failed.game + 1), endless)
        return replayed._replace(game=failed.game) if replayed else failed

    def _attempt(
        self, games: Games, functions: list[Any], trail: Ints, notes: Ints
    ) -> tuple[np.ndarray, Failed | None]:
        """Play with the functions of the kernel and the seats; return the final states and the failure."""
        lineup, seed, deals, shifts, forced = games
        states, place = np.zeros(len(deals), self.game.state_dtype), np.zeros(1, PLACE)
        blunders = np.array([player.blunder for player in lineup])
        takes_view = np.array([player.takes_view for player in lineup])
        kinds = ["choice", "blunder"] if blunders.any() else ["choice"]
        names = self._purposes([f"{kind}/{seat}" for kind in kinds for seat in range(len(lineup))])
        play, *players = functions
        arguments = (
            seed, deals, shifts, len(lineup), self.rules, tuple(players), self._weights(lineup), blunders,
            takes_view, states, self.lent, self.rng, self.rng.view(np.uint64), self.names, self.choices,
            names, self.ids, self.memos, self.work, trail, forced, notes, place,
        )  # fmt: skip
        try:
            with watchdog.playing(watchdog.Play(self.game.name, lineup, deals, shifts, states, place)):
                if play is self.kernel.function:
                    play(*arguments)
                else:
                    Task(partial(play, *arguments)).result()
        except Crash as crash:
            message = f"{crash} with lineup {', '.join(player.label for player in lineup)}"
            raise self._error(games, _failed(place[0], message, crash), Crash) from crash
        except Exception as error:
            message = WROTE if str(error) == READ_ONLY else brief(error)
            subject = "failed" if place[0].deciding else RULES_FAILED
            return states, _failed(place[0], f"{subject}: {message}", error)
        return states, self._reported(games, place[0]) if place[0].fault else None

    def _reported(self, games: Games, at: Any) -> Failed:
        """Return the failure that the kernel reports, with the first line of the function at fault."""
        message = FAULT_MESSAGES[at.fault].format(action=at.action, **vars(self.game))
        by_strategy = at.fault == Fault.illegal_action
        function = self.game.apply if at.fault == Fault.too_many_steps else self.game.legal
        if by_strategy:
            function = games.player(at.game, at.seat).decide.body
        return Failed(int(at.game), int(at.seat), by_strategy, message, beginning(function))

    def _as_python(self, games: Games, endless: bool = False) -> Failed | None:
        """Replay games in plain Python; return the first failure, if any, with the author's line."""
        kernel, *entries = self.entries(games.lineup)
        players = [entry.function if endless else traceback.careful(entry) for entry in entries]
        with np.errstate(all="ignore", divide="raise", invalid="raise"):
            return self._attempt(games, [kernel.function, *players], NONE, NO_NOTES)[1]

    def entries(self, lineup: Lineup) -> list[jit.Entry]:
        """Return what is compiled: the kernel, and a strategy for every seat that the game can have."""
        return [self.kernel, *(lineup[k % len(lineup)].decide for k in range(self.game.max_seats))]

    def _weights(self, lineup: Lineup) -> np.ndarray:
        """Return the weights of the players, float64[player, weight], padded with zeros."""
        widest = max(1, *(len(p.weights) for p in lineup))
        return np.array([np.pad(p.weights, (0, widest - len(p.weights))) for p in lineup])

    def _error(self, games: Games, failed: Failed, kind: type[PlayError] = PlayError) -> PlayError:
        """Return the error for a failure, with seed, deal, seat and the author's line."""
        line = f" ({failed.line})" if failed.line else ""
        deal, rotation = int(games.deals[failed.game]), int(games.shifts[failed.game])
        subject = ": the setup"
        if failed.seat >= 0:
            label = games.player(failed.game, failed.seat).label
            subject = f", seat {failed.seat}, strategy {label}:"
        place = f"{self.game.name}: seed {games.seed}, deal {deal}, rotation {rotation}{subject}"
        error = kind(f"{place} {failed.message}{line}", deal, rotation)
        error.__cause__ = failed.cause
        return error
