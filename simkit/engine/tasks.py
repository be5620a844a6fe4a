"""Work in a thread of its own, whose crash reaches the thread that waits for it as an exception.

Compiled code that reads beyond an array is stopped by the operating system with a signal (such as SIGSEGV),
which by default ends the process without a word. A handler, which runs in the thread that crashed, hands a
`Crash` to the thread that waits and never returns to the code that failed. It needs Linux.
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

Result = TypeVar("Result")
SLICE = 0.5  # seconds after which a thread that waits can be interrupted
LIMIT = 10.0  # seconds of processor time for one step of a task that may be endless
SIGNALS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
STACK = 1 << 18  # bytes of stack for the handler: an endless recursion leaves none on that of its thread
SA_ONSTACK = 0x08000000
SIGACTION, STACK_T = "P128xiP", "Pin"  # of Linux: (handler, mask, flags, restorer), (memory, flags, size)
_raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
_raise_in.argtypes = (ctypes.c_ulong, ctypes.py_object)


class Endless(Exception):
    """A task has been at one step for too long."""

    def __str__(self) -> str:
        return f"does not end within {LIMIT:g} s of processor time"


class Task(threading.Thread, Generic[Result]):
    """Work that has begun in a thread; there compiled code does not keep Ctrl-C from the main thread."""

    def __init__(self, work: Callable[[], Result]) -> None:
        super().__init__(name=PLAYS, daemon=True)
        self.work, self.done = work, Future[Result]()
        self.start()

    def run(self) -> None:
        self.stack = _catch_signals()
        try:
            self.done.set_result(self.work())
        except BaseException as error:  # raised again in the thread that waits
            self.done.set_exception(error)

    def result(self, step: Callable[[], object] = object) -> Result:
        """Wait for the work; raise what it raised.

        `step`: where the work is; `Endless` is raised in it when it has been there for LIMIT seconds.
        Processor time counts, so that a busy machine changes nothing. Compiled code cannot be interrupted:
        after LIMIT seconds more it is left alone, and `Endless` is raised here.
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


def _crashed(number: int) -> None:
    """End the task of this thread with a `Crash`; elsewhere leave the signal to the handler before."""
    task = threading.current_thread()
    if not isinstance(task, Task):
        _library().sigaction(number, _before[number], None)  # the signal comes again
        return
    task.done.set_exception(Crash(f"crashed in compiled code ({signal.Signals(number).name})"))
    while True:  # to return would be to crash again
        time.sleep(3600)


_handler = ctypes.CFUNCTYPE(None, ctypes.c_int)(_crashed)
_before = dict[int, Any]()  # the actions that ours replaced, by signal


@cache
def _library() -> Any:
    """The C library, once it calls the handler."""
    library, handler = ctypes.CDLL(None), ctypes.cast(_handler, ctypes.c_void_p).value
    for name in SIGNALS:
        number, before = int(signal.Signals[name]), ctypes.create_string_buffer(struct.calcsize(SIGACTION))
        library.sigaction(number, struct.pack(SIGACTION, handler, SA_ONSTACK, 0), before)
        _before[number] = before
    return library


def _catch_signals() -> Any:
    """Catch signals in this thread; return the memory that the handler uses."""
    if sys.platform != "linux":
        return None
    memory = ctypes.create_string_buffer(STACK)
    _library().sigaltstack(struct.pack(STACK_T, ctypes.addressof(memory), 0, STACK), None)
    return memory
