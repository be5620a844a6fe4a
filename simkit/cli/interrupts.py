"""Ctrl-C: every command ends within two seconds and says how to resume; a second Ctrl-C kills it."""

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

EXIT_SECONDS = 1.5  # after Ctrl-C the process ends no later than this
INTERRUPTED = 130  # exit code
MIN_MEMORY = 3 << 30  # bytes of address space that the libraries reserve with two processors
_command = ""  # the command that resumes the run being played


@contextmanager
def resumable(command: str) -> Iterator[None]:
    """Name the command that resumes the run, while the run is played."""
    global _command
    previous, _command = _command, command
    try:
        yield
    except KeyboardInterrupt:
        previous = command  # the last line still names it
        raise
    finally:
        _command = previous


@contextmanager
def paused_after(hours: float | None) -> Iterator[None]:
    """Stop the command as Ctrl-C does after so many hours; its own line then says how to resume it."""
    # Windows would kill a process to which another signal than its own two is sent (`os.kill`).
    timer = threading.Timer(3600 * (hours or 0), signal.raise_signal, (signal.SIGINT,))
    timer.daemon = True
    if hours:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


class Stop:
    """Listener for Ctrl-C in its own thread, because compiled code blocks signals in the main thread."""

    def __init__(self) -> None:
        self.lock, self.printed = threading.Lock(), False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen for Ctrl-C during the context, if this is the main thread."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        receiver, sender = socket.socketpair()
        sender.setblocking(False)
        previous = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):  # else the signal is ignored
            signal.signal(signal.SIGINT, signal.default_int_handler)
        threading.Thread(target=self._listen, args=(receiver,), daemon=True).start()
        try:
            yield
        finally:
            if callable(handler):
                signal.signal(signal.SIGINT, handler)
            signal.set_wakeup_fd(previous)
            sender.close()

    def say(self) -> None:
        """Print the last line, once."""
        with self.lock:
            if not self.printed:
                hint = f"; what was played is kept, go on with: {_command}" if _command else ""
                click.echo(f"simkit: stopped{hint}", err=True)
            self.printed = True

    def _listen(self, receiver: socket.socket) -> None:
        with receiver:
            if not _wait_for_interrupt(receiver):
                return
            deadline = time.monotonic() + EXIT_SECONDS
            receiver.settimeout(EXIT_SECONDS)
            with suppress(TimeoutError):
                if not _wait_for_interrupt(receiver):  # the command is done, the process is about to end
                    time.sleep(max(0.0, deadline - time.monotonic()))
        self.say()
        leave(INTERRUPTED)


def _wait_for_interrupt(receiver: socket.socket) -> bool:
    """Wait for Ctrl-C and return True; return False when the other end is closed."""
    while number := receiver.recv(1):
        if number[0] == signal.SIGINT:
            return True
    return False


def check_memory() -> None:
    """Raise UsageError for a memory limit at which the libraries hang or abort with messages of their own."""
    with suppress(ImportError):  # elsewhere than on POSIX there are no such limits
        from resource import RLIMIT_AS, getrlimit

        if 0 <= (limit := getrlimit(RLIMIT_AS)[0]) < MIN_MEMORY:
            needed = f"simkit needs {MIN_MEMORY >> 30} GB; raise it (ulimit -v {MIN_MEMORY >> 10})"
            raise UsageError(f"memory is limited to {limit / 2**30:.3g} GB of addresses: {needed}")


def end(code: int) -> None:
    """Leave Python, immediately after Ctrl-C or if threads still play."""
    if code == INTERRUPTED or watchdog.has_players():
        leave(code)
    sys.exit(code)


def leave(code: int) -> None:
    """End this process and its workers immediately."""
    watchdog.kill_workers()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
