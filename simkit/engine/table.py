"""Play games of one set of rules through the kernel, and report those that fail."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np

from simkit.engine import watchdog
from simkit.engine.compile import jit
from simkit.engine.compile.messages import author_line, beginning
from simkit.engine.game import SIDE, Game
from simkit.engine.kernel import (
    FAULT_MESSAGES,
    PLACE,
    SEARCH_STATES,
    WORK,
    Batch,
    Fault,
    Ints,
    build,
    no_search,
)
from simkit.engine.rng import open_streams, purposes
from simkit.engine.tasks import Endless, Task
from simkit.errors import Crash, PlayError, brief

NONE = np.zeros(0, np.int64)
NONE_FORCED, NO_NOTES = np.zeros((0, 3), np.int64), np.zeros((0, 4), np.int64)
READ_ONLY = "assignment destination is read-only"  # NumPy's message when plain Python writes to the rules
WROTE = "the rules record was written to, which may only be read"
RULES_FAILED = "the rules failed"
ENDED = "a fault"  # end reason of a failed game; end reasons of games have no space


NO_NET = np.zeros(0, np.int16)  # of players that have learned nothing


class Search(NamedTuple):
    """Search of a player: its function, and what is lent to it beside what is lent to its policy."""

    decide: jit.EntryPoint
    weights: np.ndarray  # float64[number of weights]
    room: int = WORK  # numbers of `work`
    net: np.ndarray = NO_NET  # int16, what the search has learned


@dataclass(frozen=True)
class Player:
    """Strategy that is ready to play one game; a search has function and weights of its policy.

    A player that has learned plays only at tables with the number of seats for which it was trained.
    """

    label: str  # as written in a lineup
    decide: jit.EntryPoint
    weights: np.ndarray  # float64[number of weights]
    blunder: float = 0.0  # probability of a random legal action at a decision
    takes_view: bool = True  # whether the strategy takes `view`; the others skip the observation
    search: Search | None = None
    net: np.ndarray = field(default_factory=lambda: NO_NET)  # int16, what the player has learned
    room: int = WORK  # numbers of `work`

    @property
    def nets(self) -> list[np.ndarray]:
        """What the player has learned, and what its search has."""
        return [self.net, self.search.net if self.search else NO_NET]

    @property
    def entries(self) -> list[jit.EntryPoint]:
        """Functions to compile."""
        return [self.decide, self.search.decide] if self.search else [self.decide]


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


class FailedGame(NamedTuple):
    """Game that failed."""

    game: int  # index among the games played
    seat: int  # seat to decide, −1 in the setup
    by_strategy: bool  # whether the strategy is at fault, not the rules
    message: str
    line: str = ""  # of the author: FILE:LINE
    cause: Exception | None = None  # None for a fault that the kernel reports


def _failure_at(at: Any, message: str, error: Exception) -> FailedGame:
    """Return the failure by an error at a position of the kernel."""
    return FailedGame(int(at.game), int(at.seat), bool(at.deciding), message, author_line(error), error)


class GameTable:
    """Memory for playing one game with one set of rules; not to be shared between threads."""

    def __init__(self, game: Game, rules: np.ndarray) -> None:
        self.game, self.rules = game, rules
        self.rng = np.zeros(2, game.rng_dtype)
        self.redraw()
        self.choices = np.zeros(3 * game.max_seats, np.uint64)
        self.lent = np.zeros(1 + game.scratch + SEARCH_STATES, game.state_dtype)
        self.ids = np.zeros(game.max_actions, np.int64)
        self.memos = np.zeros((2 * game.max_seats, game.memo), np.int64)
        self.work, self.search_work = np.zeros(WORK, np.int64), np.zeros(WORK, np.int64)
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
        raise self._error(games, self.explain(games, failed) if compiled else failed)

    def attempt(
        self, games: Games, trail: Ints = NONE, compiled: bool = True, notes: Ints = NO_NOTES
    ) -> tuple[np.ndarray, FailedGame | None]:
        """Play as `play` does, up to the first game that fails; return the states and the failure.

        The states of the games after a failed one have no meaning. Raises PlayError if compiled code writes
        to the rules, which may spoil other games, too.
        """
        compiled, before = compiled and jit.COMPILED, self.rules.tobytes()
        kernel, *entries = self.entries(games.lineup)
        functions = [entry.address if compiled else entry.function for entry in entries]
        functions = [kernel.compiled if compiled else kernel.function, *functions]
        states, failed = self._attempt(games, functions, trail, notes)
        if self.rules.tobytes() != before:
            self.rules = np.frombuffer(before, self.rules.dtype)
            refused = self._replay_in_python(games)
            raise self._error(games, refused) if refused else PlayError(f"{self.game.name}: {WROTE}")
        return states, failed

    def explain(self, games: Games, failed: FailedGame) -> FailedGame:
        """Return a failure of compiled code with the author's line, which a replay in plain Python finds."""
        if not jit.COMPILED or failed.cause is None:
            return failed
        endless = isinstance(failed.cause, Endless)  # compiled code would run without end a second time
        replayed = self._replay_in_python(games.between(failed.game, failed.game + 1), endless)
        return replayed._replace(game=failed.game) if replayed else failed

    def _attempt(
        self, games: Games, functions: list[Any], trail: Ints, notes: Ints
    ) -> tuple[np.ndarray, FailedGame | None]:
        """Play with the functions of the kernel and the seats; return the final states and the failure."""
        lineup, seed, deals, shifts, forced = games
        states, place = np.zeros(len(deals), self.game.state_dtype), np.zeros(1, PLACE)
        blunders = np.array([player.blunder for player in lineup])
        takes_view = np.array([player.takes_view for player in lineup])
        kinds = ["choice", "blunder"] if blunders.any() else ["choice"]
        choosing = self._purposes([f"{kind}/{seat}" for kind in kinds for seat in range(len(lineup))])
        play, in_python = functions[0], functions[0] is self.kernel.function
        handed: Any = tuple if in_python else np.array  # functions, or addresses of machine code
        players, searches = handed(functions[1::2]), handed(functions[2::2])
        lent, nets = [player.search for player in lineup], [net for p in lineup for net in p.nets]
        self._make_room(lineup)
        batch = Batch(
            seed=seed, deals=deals, shifts=shifts, seats=len(lineup), rules=self.rules,
            players=players, weights=_pad_rows(p.weights for p in lineup), blunders=blunders,
            takes_view=takes_view, searches=searches,
            search_weights=_pad_rows(s.weights if s else [] for s in lent),
            nets=tuple(nets) if in_python else np.array(list(map(jit.address_of, nets))),
            net_sizes=np.array([net.size for net in nets]),
            searching=np.array([s is not None for s in lent]), states=states, lent=self.lent, rng=self.rng,
            words=self.rng.view(np.uint64), names=self.names, choices=self.choices, choosing=choosing,
            ids=self.ids, memos=self.memos, work=self.work, search_work=self.search_work, trail=trail,
            forced=forced, notes=notes, place=place,
        )  # fmt: skip
        try:
            with watchdog.watch(watchdog.Play(self.game.name, lineup, deals, shifts, states, place)):
                if in_python:
                    play(batch)
                else:
                    Task(partial(play, batch)).result()
        except Crash as crash:
            message = f"{crash} with lineup {', '.join(player.label for player in lineup)}"
            raise self._error(games, _failure_at(place[0], message, crash), Crash) from crash
        except Exception as error:
            message = WROTE if str(error) == READ_ONLY else brief(error)
            subject = "failed" if place[0].deciding else RULES_FAILED
            return states, _failure_at(place[0], f"{subject}: {message}", error)
        return states, self._reported_failure(games, place[0]) if place[0].fault else None

    def _make_room(self, lineup: Lineup) -> None:
        """Lend the players of a lineup, and their searches, as many numbers as they need."""
        searches = [player.search for player in lineup if player.search]
        self.work = _enlarge(self.work, max(player.room for player in lineup))
        self.search_work = _enlarge(self.search_work, max((s.room for s in searches), default=0))

    def decide(
        self, player: Player, view: Any, legal: Ints, stream: np.ndarray, ply: int, memo: Ints | None = None
    ) -> int:
        """Return the action of a player that sees `view`; without `memo` it remembers nothing of the game."""
        self._make_room([player])
        if memo is None:
            self.memos[:] = 0
            memo = self.memos[view.seat]
        seats = int(view.seats)
        seen, states, net = (view, self.rules[0], legal), self.lent[1:], _handed(player.net)
        if player.search is None:
            return int(player.decide(*seen, player.weights, stream, states, memo, self.work, *net))
        search, words = player.search, self.rng.view(np.uint64)
        luck = self.rng[1], words[self.names.size :], self.choices[:seats], self.memos[seats:]
        policy = player.decide.compiled, player.weights, self.work, *net
        own = *seen, search.weights, stream, states, memo, self.search_work
        return int(search.decide(*own, *_handed(search.net), *luck, *policy, ply))

    def _reported_failure(self, games: Games, at: Any) -> FailedGame:
        """Return the failure that the kernel reports, with the first line of the function at fault."""
        message = FAULT_MESSAGES[at.fault].format(action=at.action, **vars(self.game))
        by_strategy = at.fault == Fault.illegal_action
        function = self.game.apply if at.fault == Fault.too_many_steps else self.game.legal
        if by_strategy:
            function = games.player(at.game, at.seat).decide.body
        return FailedGame(int(at.game), int(at.seat), by_strategy, message, beginning(function))

    def _replay_in_python(self, games: Games, endless: bool = False) -> FailedGame | None:
        """Replay games in plain Python; return the first failure, if any, with the author's line."""
        kernel, *entries = self.entries(games.lineup)
        if endless:
            functions = [entry.function for entry in entries]
        else:
            pairs = zip(entries[::2], entries[1::2], strict=True)
            functions = [f for d, s in pairs for f in (_retry_in_python(d), _retry_in_python(s, d))]
        with np.errstate(all="ignore", divide="raise", invalid="raise"):
            return self._attempt(games, [kernel.function, *functions], NONE, NO_NOTES)[1]

    def entries(self, lineup: Lineup) -> list[jit.EntryPoint]:
        """Return what is compiled: the kernel, and player and search of every seat that the game can have."""
        players = [lineup[k % len(lineup)] for k in range(self.game.max_seats)]
        none = no_search(self.game)
        return [self.kernel, *(e for p in players for e in (p.decide, p.search.decide if p.search else none))]

    def _error(self, games: Games, failed: FailedGame, kind: type[PlayError] = PlayError) -> PlayError:
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


def _enlarge(work: Ints, room: int) -> Ints:
    """Return memory of at least `room` numbers: this one if it is large enough."""
    return work if work.size >= room else np.zeros(room, np.int64)


def _handed(net: np.ndarray) -> tuple[Any, int]:
    """Return an array as arguments of an `EntryPoint`: its address, in plain Python itself, and its size."""
    return jit.address_of(net) if jit.COMPILED else net, net.size


def _pad_rows(rows: Iterable[Any]) -> np.ndarray:
    """Return rows of numbers as one array, padded with zeros to at least one column."""
    filled = list(rows)
    widest = max(1, *(len(row) for row in filled))
    return np.array([np.pad(row, (0, widest - len(row))) for row in filled], np.float64)


def _retry_in_python(entry: jit.EntryPoint, policy: jit.EntryPoint | None = None) -> Callable[..., Any]:
    """Return a strategy that decides in compiled code and, where that fails, once more in plain Python.

    `policy` is the policy of a search.
    """

    def decide(*arguments: Any) -> Any:
        view, rules, legal, weights, rng, scratch, memo, *lent = arguments
        lent = [policy.compiled if policy and callable(part) else part for part in lent]
        lent = [jit.address_of(part) if getattr(part, "dtype", None) == np.int16 else part for part in lent]
        before = [array.copy() for array in (view, rng, scratch, memo)]
        writable = rules.copy()  # compiled code can write to them
        with suppress(Exception):  # plain Python raises it below
            action = entry.compiled(view, writable, legal, weights, rng, scratch, memo, *lent)
            if action in legal and writable.tobytes() == rules.tobytes():
                return action
        jit.clone(view, before[0])
        rng[:], scratch[:], memo[:] = before[1:]
        return entry.function(*arguments)

    return decide


def play_on(
    table: GameTable, lineup: list[Player], seed: int, deals_and_shifts: np.ndarray, explain: bool
) -> tuple[np.ndarray, list[FailedGame]]:
    """Play as `GameTable.play` does, but continue after failures; return the final states and the failures.

    A failed game keeps the state in which it failed. `explain` requests the author's line of the first
    failure, which takes a replay in plain Python.
    """
    games = Games(lineup, seed, *np.ascontiguousarray(deals_and_shifts))
    game_count = len(games.deals)
    states, failures, start = np.zeros(game_count, table.game.state_dtype), list[FailedGame](), 0
    while start < game_count:
        part = games.between(start, game_count)
        played, failed = table.attempt(part)
        end = game_count
        if failed is not None:
            end = start + failed.game + 1
            line = table.explain(part, failed).line if explain and not failures else failed.line
            message = f"{_subject(part, failed)}{failed.message}"
            failures.append(failed._replace(game=end - 1, message=message, line=line, cause=None))
            _lose(table.game, played[failed.game], failures[-1], len(lineup))
        states[start:end] = played[: end - start]
        start = end
    return states, failures


def _subject(games: Games, failed: FailedGame) -> str:
    """Return the seat or strategy that a failure is about, as the beginning of a message."""
    if failed.by_strategy:
        return f"strategy {games.player(failed.game, failed.seat).label} "
    return "" if failed.message.startswith(RULES_FAILED) else f"seat {failed.seat} "


def _lose(game: Game, s: np.void, failed: FailedGame, seats: int) -> None:
    """Rank the seat at fault, with its side, last and all others first; if the rules failed, nobody wins."""
    s["rank"] = 0
    if not failed.by_strategy or seats == 1 or game.team:
        return
    at_fault = np.arange(seats) == failed.seat
    if game.rival_sides:
        side = s["log"]["seat"][SIDE][:seats]
        at_fault = side == side[failed.seat]
    if not at_fault.all():  # sides may not be known yet
        s["rank"][:seats] = np.where(at_fault, 1 + np.count_nonzero(~at_fault), 1)
