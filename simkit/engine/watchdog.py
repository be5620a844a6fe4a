"""Watchdog: a thread that reports slow decisions of the threads that play, even in compiled code.

In a worker process the same thread ends the process when its runner is gone, in the middle of a game if
need be.
"""

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import Any, NamedTuple

from simkit.system import WINDOWS

PLAYS = "simkit plays"  # name of threads that play games or hand them out to workers
LOOK = 0.5  # seconds between two checks
LONG = 1.0  # seconds after which a decision or a batch is reported as slow
FIRST = 10.0  # seconds until the first line for people; the next ones follow at twice the time each


class Slow(NamedTuple):
    """Slow decision, or slow rules, of a thread that plays."""

    doing: str  # 'strategy bad, deal 0, seat 0 has been deciding'
    seconds: float  # since the decision began
    batch: float  # seconds since the batch of games began


Listener = Callable[[Slow], object]  # called at every check while a decision or a batch is slow
_listeners = dict[int, Listener]()  # by thread that plays
_playing = dict[int, "Play"]()  # by thread that plays
_watcher: threading.Thread | None = None
_runner = 0  # process that this one works for


class Play:
    """Batch of games that a thread plays, with the arrays that the kernel writes to meanwhile.

    `place` is the kernel's record of its position (kernel.PLACE).
    """

    def __init__(self, game: str, lineup: Any, deals: Any, shifts: Any, states: Any, place: Any) -> None:
        self.game, self.lineup, self.deals, self.shifts = game, lineup, deals, shifts
        self.states, self.place = states, place
        self.began = self.decision_began = time.monotonic()
        self.last_mark = self.mark()

    def mark(self) -> tuple[Any, ...]:
        """Return the position of the batch, which stays equal during one decision."""
        game, seat = int(self.place[0].game), int(self.place[0].seat)
        return self.began, game, seat, int(self.states["log"]["game"]["decisions"][game : game + 1].sum())

    def check(self, listener: Listener) -> None:
        """Report the batch if it, or the decision that it is at, has taken long."""
        mark, now = self.mark(), time.monotonic()
        if mark != self.last_mark:
            self.last_mark, self.decision_began = mark, now
        if now - self.began >= LONG:
            listener(Slow(self._doing(), now - self.decision_began, now - self.began))

    def _doing(self) -> str:
        """Return a clause on what the batch is doing now, up to the duration."""
        at = self.place[0]
        deal, seat = f"deal {self.deals[at.game]}", int(at.seat)
        if seat < 0:
            return f"the setup of {self.game}, {deal} has been going on"
        if not at.deciding:
            return f"the rules of {self.game}, {deal}, seat {seat} have been at work"
        player = self.lineup[(seat + int(self.shifts[at.game])) % len(self.lineup)]
        return f"strategy {player.label}, {deal}, seat {seat} has been deciding"


@contextmanager
def watch(play: Play) -> Iterator[None]:
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
def listen(listener: Listener) -> Iterator[None]:
    """Call `listener` about slow decisions in the games that this thread plays."""
    thread = threading.get_ident()
    _listeners[thread] = listener
    _begin()
    try:
        yield
    finally:
        del _listeners[thread]


def serve(runner: int) -> None:
    """Make this worker process ignore Ctrl-C and end with its runner, a process ID."""
    global _runner
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _runner = runner
    _begin()


def _begin() -> None:
    """Start the watchdog thread unless it runs."""
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_watch, daemon=True)
        _watcher.start()


def _watch() -> None:
    """Check all threads that play, every LOOK seconds; end the process when its runner is gone."""
    while True:
        time.sleep(LOOK)
        if _runner and _has_ended(_runner):
            os._exit(1)
        for thread, play in list(_playing.items()):
            with suppress(Exception):  # a listener without room to write must not end the watchdog
                if listener := _listeners.get(thread):
                    play.check(listener)


def _has_ended(runner: int) -> bool:
    """Return whether the process that started this worker has ended."""
    if not WINDOWS:
        return os.getppid() != runner
    # There a process keeps the number of a parent that has ended; loky gives its workers a handle of it.
    parent = multiprocessing.parent_process()
    return parent is not None and not parent.is_alive()


def keep_from_workers() -> None:
    """Block Ctrl-C in the processes that this thread starts, from their very start."""
    if hasattr(signal, "pthread_sigmask"):
        resource_tracker.ensure_running()  # a later start of it would unblock the signals
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def kill_workers(prefix: str = "") -> None:
    """Kill the child processes of this process, or only those whose names have a prefix."""
    for worker in multiprocessing.active_children():
        if worker.pid is not None and worker.name.startswith(prefix):
            with suppress(OSError):  # it has just ended
                os.kill(worker.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


class Notices:
    """Lines for people about slow decisions: after FIRST seconds, then after twice as many each time."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say, self.next = say, dict[str, float]()  # seconds at which the next line is due, by doing

    def __call__(self, slow: Slow) -> None:
        if slow.seconds >= self.next.get(slow.doing, FIRST):
            self.next[slow.doing] = 2 * slow.seconds
            self.say(f"{slow.doing} for {slow.seconds:.0f} s")
