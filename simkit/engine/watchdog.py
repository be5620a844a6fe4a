"""Who has been deciding for how long: a thread looks at those that play, even in compiled code.

A worker process is watched by the same thread: it ends with its runner, in the midst of a game if need be.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import Any, NamedTuple

PLAYS = "simkit plays"  # name of threads that play games or hand them out to workers
LOOK = 0.5  # seconds between two looks
LONG = 1.0  # a decision of so many seconds is told
FIRST = 10.0  # people hear of it after so many seconds, then after twice as many each time


class Slow(NamedTuple):
    """What a thread has been doing for long."""

    doing: str = ""  # 'strategy bad, deal 0, seat 0 has been deciding'
    seconds: float = 0.0  # of this decision
    batch: float = 0.0  # seconds since its batch of games began


@dataclass(eq=False)
class Play:
    """A batch of games that a thread plays: arrays that the kernel writes to meanwhile."""

    game: str
    lineup: Any
    deals: Any
    shifts: Any
    states: Any
    place: Any  # kernel.PLACE

    def mark(self) -> tuple[Any, ...]:
        """Where it is: alike as long as the same decision is being taken."""
        game, seat = int(self.place[0].game), int(self.place[0].seat)
        return self, game, seat, int(self.states["log"]["game"]["decisions"][game : game + 1].sum())

    def doing(self) -> str:
        at = self.place[0]
        deal, seat = f"deal {self.deals[at.game]}", int(at.seat)
        if seat < 0:
            return f"the setup of {self.game}, {deal} has been going on"
        if not at.asked:
            return f"the rules of {self.game}, {deal}, seat {seat} have been at work"
        player = self.lineup[(seat + int(self.shifts[at.game])) % len(self.lineup)]
        return f"strategy {player.label}, {deal}, seat {seat} has been deciding"


Hears = Callable[[Slow], None]  # called at every look at a slow decision, with `Slow()` when it is over
_playing = dict[int, Play]()  # by thread
_hearing = dict[int, Hears]()  # by thread that plays
_looking = threading.Lock()
_watcher: threading.Thread | None = None
_runner = 0  # process that this one works for


@contextmanager
def playing(play: Play) -> Iterator[None]:
    """While this thread plays a batch of games."""
    me = threading.get_ident()
    _playing[me] = play
    try:
        yield
    finally:
        del _playing[me]


def has_players() -> bool:
    """Return whether threads of this process still play games or hand them out."""
    return any(thread.name == PLAYS for thread in threading.enumerate())


def marks() -> list[tuple[Any, ...]]:
    """Where all batches are: alike as long as nobody decides anything."""
    return [play.mark() for play in list(_playing.values())]


@contextmanager
def heard_by(hears: Hears) -> Iterator[None]:
    """Tell somebody about slow decisions of the games that this thread plays."""
    me = threading.get_ident()
    with _looking:
        _hearing[me] = hears
    _begin()
    try:
        yield
    finally:
        with _looking:
            del _hearing[me]


def serve(runner: int) -> None:
    """In a worker process of a runner: leave Ctrl-C to it, and end with it."""
    global _runner
    if os.getppid() == runner and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _runner = runner
        _begin()


def _begin() -> None:
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_watch, daemon=True)
        _watcher.start()


def keep_from_workers() -> None:
    """Processes that this thread starts hear nothing of Ctrl-C, not even before they are at work."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # its start would let signals through again
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def kill_workers(of: Container[int] | None = None) -> None:
    """Kill the worker processes of this one, or those of certain numbers, whatever they do."""
    for worker in multiprocessing.active_children():
        if worker.pid is not None and (of is None or worker.pid in of):
            with suppress(ProcessLookupError):
                os.kill(worker.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _watch() -> None:
    since = dict[int, tuple[tuple[Any, ...], float, float]]()  # mark, when it and its batch were first seen
    while True:
        time.sleep(LOOK)
        if _runner and os.getppid() != _runner:
            os._exit(1)
        with _looking:
            since = {thread: _look(thread, play, since) for thread, play in list(_playing.items())}
            for thread in _hearing.keys() - since.keys():
                _hearing[thread](Slow())


def _look(thread: int, play: Play, since: Any) -> tuple[tuple[Any, ...], float, float]:
    """Tell of a thread if it is slow; what is known of it then."""
    mark, now = play.mark(), time.monotonic()
    before = since.get(thread, ((None,), now, now))
    began = before[2] if before[0][0] is play else now
    known = before if before[0] == mark else (mark, now, began)
    if thread in _hearing:
        long = max(now - known[1], now - began) >= LONG
        _hearing[thread](Slow(play.doing(), now - known[1], now - began) if long else Slow())
    return known


class Notices:
    """Lines for people about slow decisions: after FIRST seconds, then after twice as many each time."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say, self.next = say, dict[str, float]()  # seconds at which the next line is due, by doing

    def __call__(self, slow: Slow) -> None:
        if slow.seconds >= self.next.get(slow.doing, FIRST):
            self.next[slow.doing] = 2 * slow.seconds
            self.say(f"{slow.doing} for {slow.seconds:.0f} s")
