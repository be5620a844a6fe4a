"""Tasks in threads of their own: a crash of a task reaches the waiting thread as an exception.

The operating system stops compiled code that reads outside its arrays with a signal (such as SIGSEGV), which
by default ends the process without a message. A handler, which runs in the thread that crashed, passes a
`Crash` to the waiting thread and never returns to the code that failed. This needs Linux.

`faulthandler` cannot take its place: it ends the process with a dump, before anybody can name the game, and
after an endless recursion without a word, as neither it nor `signal` gives this thread a stack for handlers.
"""

import ctypes
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import cache
from typing import Any, Generic, TypeVar

from simkit.engine.watchdog import PLAYS
from simkit.errors import Crash

Outcome = TypeVar("Outcome")
SLICE = 0.5  # seconds after which a waiting thread can be interrupted
LIMIT = 10.0  # seconds of processor time for one step of a task that may be endless
SIGNALS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
STACK = 1 << 18  # bytes of stack for the handler: after an endless recursion the thread's own has no room
SA_ONSTACK = 0x08000000
# Structures of Linux: (handler, mask, flags, restorer) and (memory, flags, size).
SIGACTION, STACK_T = "P128xiP", "Pin"
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)


class Endless(Exception):
    """Error of a task that has been at one step for too long."""

    def __str__(self) -> str:
        return f"does not end within {LIMIT:g} s of processor time"


class Task(threading.Thread, Generic[Outcome]):
    """Work that runs in a thread of its own, so that Ctrl-C reaches the main thread meanwhile."""

    def __init__(self, work: Callable[[], Outcome]) -> None:
        super().__init__(name=PLAYS, daemon=True)
        self.work, self.done = work, Future[Outcome]()
        self.start()

    def run(self) -> None:
        """Do the work; keep its result or error."""
        self.stack = _catch_signals()
        try:
            self.done.set_result(self.work())
        except BaseException as error:  # `result` raises it in the waiting thread
            self.done.set_exception(error)

    def result(self, step: Callable[[], object] = object) -> Outcome:
        """Wait for the work; return its result or raise its error.

        `step` returns the position of the work; when this stays equal for LIMIT seconds, `Endless` is raised
        in the work. Processor time is measured, so that a busy machine makes no difference. Compiled code
        cannot be interrupted: after LIMIT seconds more it is abandoned, and `Endless` is raised here.
        """
        last, began, interrupted = step(), time.process_time(), False
        while not wait([self.done], SLICE).done:
            if (now := step()) != last:
                last, began, interrupted = now, time.process_time(), False
            elif time.process_time() - began > LIMIT:
                if interrupted:
                    raise Endless
                _raise_in(self.ident, Endless)
                began, interrupted = time.process_time(), True
        return self.done.result()


def _report_crash(number: int) -> None:
    """End the task of this thread with a `Crash`; in other threads restore the previous handler."""
    task = threading.current_thread()
    if not isinstance(task, Task):
        _library().sigaction(number, _before[number], None)  # the failing instruction repeats the signal
        return
    task.done.set_exception(Crash(f"crashed in compiled code ({signal.Signals(number).name})"))
    while True:  # a return would repeat the failing instruction
        time.sleep(3600)


_handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(_report_crash)
_before = dict[int, Any]()  # replaced handlers, by signal


@cache
def _library() -> Any:
    """Return the C library, after the handler is installed for all signals."""
    library, handler = ctypes.CDLL(None), ctypes.cast(_handler, ctypes.c_void_p).value
    for name in SIGNALS:
        number, before = int(signal.Signals[name]), ctypes.create_string_buffer(struct.calcsize(SIGACTION))
        library.sigaction(number, struct.pack(SIGACTION, handler, SA_ONSTACK, 0), before)
        _before[number] = before
    return library


def _catch_signals() -> Any:
    """Let the handler catch signals in this thread; return the memory of the handler's stack."""
    if sys.platform != "linux":
        return None
    memory = ctypes.create_string_buffer(STACK)
    _library().sigaltstack(struct.pack(STACK_T, ctypes.addressof(memory), 0, STACK), None)
    return memory
