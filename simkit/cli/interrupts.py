"""Ctrl-C ends a command within two seconds, whatever it does, and says how to go on; a second one kills."""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import click

from simkit.engine import watchdog
from simkit.errors import UsageError

SOON = 1.5  # seconds after Ctrl-C at which the process ends if it has not by then
INTERRUPTED = 130  # exit code
MEMORY = 3 << 30  # bytes of addresses that the libraries take with two processors, though few are ever used
_command = ""  # plays a run and goes on with it when it is given again


@contextmanager
def resumable(command: str) -> Iterator[None]:
    """While a run is played that the command finishes when it is given again."""
    global _command
    before, _command = _command, command
    try:
        yield
    except KeyboardInterrupt:
        before = command  # it is still to be told
        raise
    finally:
        _command = before


class Stop:
    """Listener for Ctrl-C in a thread of its own: the main thread does not hear it in compiled code."""

    def __init__(self) -> None:
        self.telling, self.said = threading.Lock(), False

    @contextmanager
    def listening(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        hears, told = socket.socketpair()
        told.setblocking(False)
        before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._listen, args=(hears,), daemon=True).start()
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            told.close()

    def say(self) -> None:
        """The last line, once."""
        with self.telling:
            if not self.said:
                go_on = f"; what was played is kept, go on with: {_command}" if _command else ""
                click.echo(f"simkit: stopped{go_on}", err=True)
            self.said = True

    def _listen(self, hears: socket.socket) -> None:
        with hears:
            if not _interrupted(hears):
                return
            ends = time.monotonic() + SOON
            hears.settimeout(SOON)
            with suppress(TimeoutError):
                if not _interrupted(hears):  # the command is done, the process is about to end
                    time.sleep(max(0.0, ends - time.monotonic()))
        self.say()
        leave(INTERRUPTED)


def _interrupted(hears: socket.socket) -> bool:
    """Wait for Ctrl-C; false if nobody listens any more."""
    while number := hears.recv(1):
        if number[0] == signal.SIGINT:
            return True
    return False


def check_memory() -> None:
    """Refuse a memory limit below which libraries hang, or abort with messages of their own."""
    with suppress(ImportError):  # elsewhere than on POSIX there are no such limits
        from resource import RLIMIT_AS, getrlimit

        if 0 <= (limit := getrlimit(RLIMIT_AS)[0]) < MEMORY:
            least = f"simkit needs {MEMORY >> 30} GB; raise it (ulimit -v {MEMORY >> 10})"
            raise UsageError(f"memory is limited to {limit / 2**30:.3g} GB of addresses: {least}")


def close_output(code: int) -> int:
    """Drop output that cannot be written, which Python would try again at its end; returns the code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def end(code: int) -> None:
    """Leave Python; at once after Ctrl-C, or if threads still play."""
    if code == INTERRUPTED or watchdog.has_players():
        leave(code)
    sys.exit(code)


def leave(code: int) -> None:
    """End this process and the workers that it has, in the midst of whatever they do."""
    watchdog.kill_workers()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
