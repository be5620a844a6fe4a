"""Watchdog: a thread that reports slow decisions of the threads that play, even in compiled code.

In a worker process the same thread ends the process when its runner is gone, in the middle of a game if
need be.
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
LOOK = 0.5  # seconds between two checks
LONG = 1.0  # seconds after which a decision is reported as slow
FIRST = 10.0  # seconds until the first line for people; the next ones follow at twice the time each


class Slow(NamedTuple):
    """Slow decision, or slow rules, of a thread that plays."""

    doing: str = ""  # 'strategy bad, deal 0, seat 0 has been deciding'
    seconds: float = 0.0  # since the decision began
    batch: float = 0.0  # seconds since the batch of games began


@dataclass(eq=False)
class Play:
    """Batch of games that a thread plays, with the arrays that the kernel writes to meanwhile."""

    game: str
    lineup: Any
    deals: Any
    shifts: Any
    states: Any
    place: Any  # kernel.PLACE

    def mark(self) -> tuple[Any, ...]:
        """Return the position of the batch, which stays equal during one decision."""
        game, seat = int(self.place[0].game), int(self.place[0].seat)
        return self, game, seat, int(self.states["log"]["game"]["decisions"][game : game + 1].sum())

    def doing(self) -> str:
        """Return a clause on what the batch is doing now, up to the duration."""
        at = self.place[0]
        deal, seat = f"deal {self.deals[at.game]}", int(at.seat)
        if seat < 0:
            return f"the setup of {self.game}, {deal} has been going on"
        if not at.deciding:
            return f"the rules of {self.game}, {deal}, seat {seat} have been at work"
        player = self.lineup[(seat + int(self.shifts[at.game])) % len(self.lineup)]
        return f"strategy {player.label}, {deal}, seat {seat} has been deciding"


Hears = Callable[[Slow], None]  # called at every check of a slow decision, with `Slow()` when it is over
_playing = dict[int, Play]()  # by thread
_listeners = dict[int, Hears]()  # by thread that plays
_lock = threading.Lock()
_watcher: threading.Thread | None = None
_runner = 0  # process that this one works for


@contextmanager
def playing(play: Play) -> Iterator[None]:
    """Let the watchdog see the batch while this thread plays it."""
    thread = threading.get_ident()
    _playing[thread] = play
    try:
        yield
    finally:
        del _playing[thread]


def has_players() -> bool:
    """Return whether threads of this process still play games or hand them out."""
    return any(thread.name == PLAYS for thread in threading.enumerate())


def marks() -> list[tuple[Any, ...]]:
    """Return the positions of all batches, which stay equal until a decision ends."""
    return [play.mark() for play in list(_playing.values())]


@contextmanager
def heard_by(hears: Hears) -> Iterator[None]:
    """Call `hears` about slow decisions in the games that this thread plays."""
    thread = threading.get_ident()
    with _lock:
        _listeners[thread] = hears
    _begin()
    try:
        yield
    finally:
        with _lock:
            del _listeners[thread]


def serve(runner: int) -> None:
    """Make this worker process ignore Ctrl-C and end with its runner, a process ID."""
    global _runner
    if os.getppid() == runner and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _runner = runner
        _begin()


def _begin() -> None:
    """Start the watchdog thread unless it runs."""
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_watch, daemon=True)
        _watcher.start()


def keep_from_workers() -> None:
    """Block Ctrl-C in the processes that this thread starts, from their very start."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # a later start of it would unblock the signals
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def kill_workers(pids: Container[int] | None = None) -> None:
    """Kill the worker processes of this process, or only those with the given process IDs."""
    for worker in multiprocessing.active_children():
        if worker.pid is not None and (pids is None or worker.pid in pids):
            with suppress(ProcessLookupError):
                os.kill(worker.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _watch() -> None:
    """Check all threads that play, every LOOK seconds; end the process when its runner is gone."""
    since = dict[int, tuple[tuple[Any, ...], float, float]]()  # mark, start of its decision, of its batch
    while True:
        time.sleep(LOOK)
        if _runner and os.getppid() != _runner:
            os._exit(1)
        with _lock:
            since = {thread: _report(thread, play, since) for thread, play in list(_playing.items())}
            for thread in _listeners.keys() - since.keys():
                _listeners[thread](Slow())


def _report(thread: int, play: Play, since: Any) -> tuple[tuple[Any, ...], float, float]:
    """Report a thread if it is slow; return its mark and when its decision and its batch began."""
    mark, now = play.mark(), time.monotonic()
    before = since.get(thread, ((None,), now, now))
    began = before[2] if before[0][0] is play else now
    current = before if before[0] == mark else (mark, now, began)
    if thread in _listeners:
        long = max(now - current[1], now - began) >= LONG
        _listeners[thread](Slow(play.doing(), now - current[1], now - began) if long else Slow())
    return current


class Notices:
    """Lines for people about slow decisions: after FIRST seconds, then after twice as many each time."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say, self.next = say, dict[str, float]()  # seconds at which the next line is due, by doing

    def __call__(self, slow: Slow) -> None:
        if slow.seconds >= self.next.get(slow.doing, FIRST):
            self.next[slow.doing] = 2 * slow.seconds
            self.say(f"{slow.doing} for {slow.seconds:.0f} s")
