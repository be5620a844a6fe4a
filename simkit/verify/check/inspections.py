"""Inspections of a position: the result of a finished game, views, and play that must not depend on the log.

Each takes a game in progress and the legal actions, and yields problems.
"""

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from simkit.engine.compile.messages import is_content
from simkit.engine.game import SIDE, Game
from simkit.engine.rule_helpers import OVER, redeal_nothing
from simkit.engine.table import GameTable, Player
from simkit.engine.tasks import Endless
from simkit.errors import PlayError
from simkit.verify.check.walking import (
    FIRST,
    GARBAGE,
    LINES,
    Array,
    Walk,
    calling,
    copy_state,
    lines_at_most,
    place,
    restore,
    save,
    tracing,
)

CURE = 'observe may copy the fields before it: clone_before(view, s, "log")'
COUNT = "which must not influence play: count in the state what it needs"
ROLE_DEALS = 8  # whose roles are moved round the seats
REDEALS = 4  # of each view
PROBES = 300  # most fields of views that are blanked
LOGS = (0, 1)  # values written over every number of the log; views show 0
STEPS = 100  # most actions that are played on from a view


# The result that a game records when it is over: ranks, end reason, turns, finite numbers.


def result_faults(walk: Walk, ids: Array) -> list[str]:
    """Return the problems of the result of a finished game, with the line that ends it."""
    if walk.s.seat != OVER:
        return []
    game, s = walk.game, walk.s
    problems = [*_ranks(game, s), *_sides(game, s), *_log(game, s), *_numbers("", s)]
    location = walk.line_when(lambda s: s.seat == OVER) if problems else ""
    return [problem + location for problem in problems]


def _ranks(game: Game, s: Any) -> Iterator[str]:
    """Yield violations of competition ranking: a rank is one more than the number of better seats."""
    ranks = sorted(s.rank[: s.seats].tolist())
    if game.team:
        if ranks not in ([0] * s.seats, [1] * s.seats):
            yield f"a team wins or loses together, not ranks {ranks}"
    elif not any(ranks):
        if not game.all_may_lose:
            cure = "say rank_by_score(s); a draw is rank 1 for all that share it"
            yield f"all ranks are still 0 at the end: {cure}; Game(all_may_lose=True) if nobody may win"
    elif ranks != [1 + sum(other < rank for other in ranks) for rank in ranks]:
        yield f"ranks {ranks} are no ranking: the winners have rank 1, others 1 + the seats before them"


def _sides(game: Game, s: Any) -> Iterator[str]:
    """Yield what is wrong with two sides: one is missing, or wins with some of its seats only."""
    winners = dict[int, set[bool]]()
    for seat in range(s.seats if game.rival_sides else 0):
        winners.setdefault(int(s.log.seat[seat].side), set()).add(int(s.rank[seat]) == 1)
    names = {int(side): side.name for side in game.rival_sides}
    for side in names.keys() - winners.keys():
        yield f"nobody is on the side '{names[side]}' at the end: write log.seat[seat].{SIDE} for every seat"
    for side, won in winners.items():
        if len(won) > 1:
            yield f"some seats of the side '{names.get(side, side)}' win, others do not: it wins together"


def role_faults(game: Game) -> Iterator[str]:
    """Yield roles that `rotate = "roles"` does not move: each seat gets the role of the one before it.

    Only roles that the log has from the setup on can be told.
    """
    table, seats = GameTable(game, game.rules({})), game.default_seats
    for deal, turn in product(range(ROLE_DEALS), range(seats) if game.rotates_roles else ()):
        held = [_roles_dealt(table, deal, seats, seats * shift) for shift in (turn, turn + 1)]
        for column, (before, after) in ((name, [roles[name] for roles in held]) for name in held[0]):
            if len(set(before)) < seats:
                yield f"after the setup seats share a role in column {column}: log what deal_roles has dealt"
                return
            if turn + 1 < seats and after != before[-1:] + before[:-1]:
                yield f"roles of column {column} do not move on by one seat: log what deal_roles has dealt"
                return


def _roles_dealt(table: GameTable, deal: int, seats: int, shift: int) -> dict[str, list[int]]:
    """Return the roles of all seats in the log after the setup of a rotation."""
    game, states = table.game, np.zeros(1, table.game.state_dtype)
    s, rng = states[0], table.open_luck(1, deal)
    s.seats = seats
    with calling("setup"):
        game.begin(s, table.rules[0], rng, shift)
    return {role.column: s.log.seat[role.column][:seats].tolist() for role in game.roles}


def _log(game: Game, s: Any) -> Iterator[str]:
    """Yield what is missing in the log: a valid end reason, the number of turns."""
    log, names = s.log.game, {int(member): member.name for member in game.end_reasons}
    reason = int(log.end_reason)
    if reason == 0:
        yield f"log.game.end_reason is still 0 ({names.get(0, 'unfinished')}) at the end: say end(s, REASON)"
    elif reason not in names:
        yield f"log.game.end_reason = {reason} is none of {', '.join(names.values())}"
    if log.turns < 1:
        yield f"log.game.turns is {log.turns} at the end: count each turn with s.log.game.turns += 1"


def _numbers(path: str, part: Any) -> Iterator[str]:
    """Yield the fields that hold infinity or nan."""
    for name in part.dtype.names:
        value, kind = part[name], part.dtype[name].base
        if kind.names:
            for inner in np.atleast_1d(value):
                yield from _numbers(f"{path}{name}.", inner)
        elif kind.kind == "f" and not np.isfinite(value).all():
            yield f"{path}{name} holds {np.asarray(value)[~np.isfinite(value)].flat[0]} at the end"


# Views: `observe` changes nothing, and what `redeal` may vary is hidden from the seat.


def kind_faults(walk: Walk, ids: Array) -> Iterator[str]:
    """Yield numbers that are not what their fields say they are: seats, members of an axis, places."""
    game, s = walk.game, walk.s
    for field in game.fields if s.seat != OVER else ():
        numbers = np.asarray(s[field.name])
        if numbers.dtype.kind not in "iu":
            continue
        value, most = field.content, int(numbers.max(initial=-1))
        if value.kind == "seat" and most >= max(value.firsts) + s.seats:
            yield f"{field.name} is {most}, which is no seat, but is declared to name seats"
        elif value.kind == "members" and (length := _axis_length(game, s, value.of)):
            width = 8 * numbers.dtype.itemsize
            sets = [int(number) % (1 << width) for number in numbers.flat]
            if (element := max(sets).bit_length() - 1) >= length:
                yield f"{field.name} has member {element}, but axis [{value.of}] has {length} elements"
        elif value.kind == "place" and most >= (length := _places(game, value.of)):
            yield f"{field.name} is place {most} of {value.of}, which has {length} places"


def _axis_length(game: Game, s: Any, name: str) -> int:
    """Return the greatest length of an axis of the state, 0 if no field has it."""
    lengths = (
        length
        for field in game.fields
        for axis, length in zip(field.axes, field.shape, strict=False)
        if axis == name
    )
    return int(s.seats) if name == "seat" else max(lengths, default=0)


def _places(game: Game, name: str) -> int:
    """Return the number of places of an array of the state, of one row if it begins with [seat]."""
    field = next(field for field in game.fields if field.name == name)
    return int(np.prod(field.shape[1:] if field.axes[:1] == ["seat"] else field.shape))


def seat_faults(walk: Walk, ids: Array) -> Iterator[str]:
    """Yield the problems of the legal actions, and of the views of the seat to decide and a random one."""
    if (np.diff(ids) <= 0).any():
        cure = "write them in ascending order, each once"
        yield f"legal actions are not ascending: {ids.tolist()}: {cure}{place(walk.game.legal)}"
    most = walk.game.action_ids or max(ids, default=0) + 1
    if ids.size and not 0 <= min(ids) <= max(ids) < most:
        limit = f"action_ids = {most}" if walk.game.action_ids else "numbers from 0 on"
        yield f"legal offers actions {ids.tolist()}, but there are only {limit}{place(walk.game.legal)}"
    some_seat = random.Random(walk.states.tobytes()).randrange(walk.s.seats)
    for seat in {int(walk.s.seat), some_seat} - {OVER}:
        yield from _view_faults(walk, seat)


def _view_faults(walk: Walk, seat: int) -> Iterator[str]:
    """Yield the problems of the view of a seat, and of states redealt from it."""
    game, view = walk.game, walk.view(walk.states, seat)
    if any(view["log"].tobytes()):
        yield f"seat {seat} sees the log: {CURE}{place(game.observe)}"
    for _ in range(REDEALS):
        copy = copy_state(view)
        walk.call("redeal", copy, seat, walk.stream)
        view_again = walk.view(copy, seat)
        if view_again.tobytes() != view.tobytes():
            field = difference(view[0], view_again[0])
            fault = "which redeal changes: observe must hide it, or redeal keep it"
            yield f"seat {seat} sees {field}, {fault}{place(game.observe)}"
            return
        if copy[0].seat != OVER:
            walk.legal(copy)


def difference(record: Any, other: Any) -> str:
    """Return the first place at which two records differ, such as `hand[1][3]`."""
    for name in record.dtype.names:
        a, b = record[name], other[name]
        if a.tobytes() == b.tobytes():
            continue
        if a.dtype.names and not a.shape:
            return f"{name}.{difference(a, b)}"
        first = np.argwhere(np.asarray(a != b))
        return f"{name}{''.join(f'[{i}]' for i in first[0])}"
    return ""


def writes(walk: Walk, ids: Array, player: Player) -> bool:
    """Return whether a strategy that decides at a position changes its view."""
    view, stream = walk.view(walk.states, int(walk.s.seat)), np.array([7], np.uint64)
    before = view.tobytes()
    with calling(f"{player.label}, asked in a random game,"):
        walk.table.decide(player, view[0], ids, stream, 0)
    return view.tobytes() != before


class ViewWrites:
    """Tracker of the fields that `observe` writes.

    A view is zero when a game begins, and each observation overwrites the one before. So `observe` must write
    a field of the state always or never, and the fields common to all games always.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.optional = game, {field.name for field in game.state}
        self.written: dict[str, set[str]] = {name: set() for name in game.state_fields}  # all, none, part

    def faults(self, walk: Walk, ids: Array) -> Iterator[str]:
        """Yield the first field that `observe` writes only in part, or in some views only."""
        for seat in range(walk.s.seats):
            first, over = (walk.view(walk.states, seat, fill) for fill in (FIRST, GARBAGE))
            for name, written in self.written.items():
                content = over[name].tobytes()
                untouched = content == bytes([GARBAGE]) * len(content)
                written.add("all" if content == first[name].tobytes() else "none" if untouched else "part")
                if written != {"all"} and (written != {"none"} or name not in self.optional):
                    fault = f"observe writes {name} of the view only in part, or only at times"
                    yield f"{fault}: write all of it each time{place(self.game.observe)}"
                    return


class Leaks:
    """Tracker of fields that `observe` always shows a seat, but `redeal` draws at random if blank."""

    def __init__(self, game: Game) -> None:
        self.game, self.left = game, PROBES
        self.names = [f.name for f in game.state if game.state_dtype[f.name].base.kind == "i"]
        self.hidden: set[tuple[str, int, int]] = set()  # field, seats, seat: hidden at least at times
        self.drawn: set[tuple[str, int, int]] = set()

    def look(self, walk: Walk, ids: Array) -> None:
        """Blank the view of the seat to decide, field by field, and redeal."""
        seats, seat = int(walk.s.seats), int(walk.s.seat)
        if seat == OVER or self.game.redeal is redeal_nothing:
            return
        view = walk.view(walk.states, seat)
        seen = [view, walk.states, *self._redealt(walk, view, seat)]
        for name in self.names:
            key = (name, seats, seat)
            if len({state[name].tobytes() for state in seen}) > 1:
                self.hidden.add(key)
            elif key not in self.hidden | self.drawn and self.left > 0:
                self.left -= 1
                if any(self._draws(walk, view, seat, name, blank) for blank in (-1, 0)):
                    self.drawn.add(key)

    def _draws(self, walk: Walk, view: Array, seat: int, name: str, blank: int) -> bool:
        """Return whether `redeal` puts different values into a field that is blank for all other seats."""
        blanked = copy_state(view)
        blanked[name] = blank
        if blanked[name].shape[1:2] == (self.game.max_seats,):
            blanked[name][0, seat] = view[name][0, seat]
        if blanked[name].tobytes() == view[name].tobytes():
            return False
        with suppress(Exception), lines_at_most(LINES):  # redeal may fail on an impossible view
            return len({copy[name].tobytes() for copy in self._redealt(walk, blanked, seat)}) > 1
        return False

    def _redealt(self, walk: Walk, view: Array, seat: int) -> list[Array]:
        """Return several states redealt from a view."""
        copies = [copy_state(view) for _ in range(REDEALS)]
        for copy in copies:
            walk.call("redeal", copy, seat, walk.stream)
        return copies

    def faults(self) -> list[str]:
        """Return the problems, after all positions have been observed."""
        fault = "which redeal draws at random where it is blank: observe must hide it, or redeal keep it"
        leaks = {name: seat for name, _, seat in sorted(self.drawn - self.hidden, reverse=True)}
        return [f"seat {seat} sees {name}, {fault}{place(self.game.observe)}" for name, seat in leaks.items()]


# Twin games: play does not depend on the log, and goes on from a view to a legal end.


def log_faults(walk: Walk, ids: Array) -> Iterator[str]:
    """Yield a problem for each function of the game that depends on the log at this position."""
    if walk.s.seat == OVER:
        return
    action = int(random.Random(walk.states.tobytes()).choice(ids))
    for name, arguments in (("legal", [walk.room]), ("apply", [action, walk.table.rng[0]])):
        outcomes = {_outcome(walk, name, walk.states, arguments)}
        for number in LOGS:
            other = copy_state(walk.states)
            other["log"] = number
            outcomes.add(_outcome(walk, name, other, arguments))
        if len(outcomes) > 1:
            yield f"{name} reads the log, {COUNT}{_line_that_reads_log(walk, name, arguments)}"


def _line_that_reads_log(walk: Walk, name: str, arguments: list[Any]) -> str:
    """Return the line after which two games that differ in their logs alone take different courses."""
    courses = []
    for number in LOGS:
        states, course = copy_state(walk.states), list[tuple[str, bytes]]()
        states["log"] = number
        buffers = save(walk.room, walk.table.rng)
        with suppress(PlayError), _lines_of(states, walk, course):
            walk.call(name, states, *arguments)
        restore(buffers)
        courses.append(course)
    steps = list(zip(*courses, strict=False))
    first = next((i for i, step in enumerate(steps) if step[0] != step[1]), len(steps))
    line = steps[first - 1][0][0] if steps and first else ""
    return f" ({line})" if line else place(getattr(walk.game, name))


def _lines_of(states: Array, walk: Walk, course: list[tuple[str, bytes]]) -> AbstractContextManager[None]:
    """Note each line of the game that runs, and what all buffers but the log hold before it."""

    def watch(frame: Any, event: str, argument: Any) -> Any:
        if not is_content(Path(frame.f_code.co_filename)):
            return None
        if event == "line":
            content = [_state_without_log(states), walk.room.tobytes(), walk.table.rng.tobytes()]
            course.append((f"{frame.f_code.co_filename}:{frame.f_lineno}", b"".join(content)))
        return watch

    return tracing(watch)


def _outcome(walk: Walk, name: str, states: Array, arguments: list[Any]) -> bytes:
    """Return the result of a call and the state without the log as bytes, or its error message."""
    after, before = copy_state(states), save(walk.room, walk.table.rng)
    try:
        returned = walk.call(name, after, *arguments)
        buffers = walk.room.tobytes() + walk.table.rng.tobytes()
        return _state_without_log(after) + buffers + repr(returned).encode()
    except PlayError as error:
        if isinstance(error.__cause__, Endless):
            raise
        return str(error).encode()
    finally:
        restore(before)


def _state_without_log(states: Array) -> bytes:
    """Return the bytes of the state without its log, but with the end reason once the game is over."""
    reason = states["log"]["game"]["end_reason"] if states[0].seat == OVER else states[:0]
    return states.tobytes()[: states.dtype.fields["log"][1]] + reason.tobytes()  # type: ignore[index]


def twin_faults(walk: Walk, ids: Array) -> Iterator[str]:
    """Yield the problems of play that goes on from the redealt view of the seat to decide."""
    game, seat = walk.game, int(walk.s.seat)
    if seat == OVER:
        return
    view = walk.view(walk.states, seat)
    where, unseen = f"played on from what seat {seat} sees", difference(view[0], walk.s)
    walk.call("redeal", view, seat, walk.stream)
    try:
        original, redealt = _played_on(walk, walk.states), _played_on(walk, view)
    except PlayError as error:
        yield f"{where}: {error}"
        return
    if game.redeal is redeal_nothing and redealt != original:
        if unseen.startswith("log"):  # a game in which all else is open
            reads = f"the rules read the log, {COUNT}"
            yield f"{where}, the game takes another course: {reads}{place(game.apply)}"
        else:
            reason = f"it does not see {unseen}, which redeal must deal"
            yield f"{where}, the game takes another course: {reason}{place(game.observe)}"


def _played_on(walk: Walk, states: Array) -> list[bytes]:
    """Return the legal actions at each further position, then ranks, scores and end reason, as bytes."""
    twin = walk.branch(states)
    course = list(twin.onward(random.Random(1), STEPS))
    results = [twin.s.rank, twin.s.score, twin.s.log.game.end_reason]
    return [part.tobytes() for part in [*course, *results]]
