"""The streams of a command: any text can be shown; a stream that is closed or full ends the command."""

import codecs
import errno
import io
import os
import sys
import traceback
import unicodedata

from simkit.errors import UsageError, brief
from simkit.system import WINDOWS

WRITERS = ("click.utils", "rich.console", "simkit.cli")  # modules that write and flush the output
NO_READER = 141  # exit code after a broken pipe, as shells give it (128 + SIGPIPE)
LOOKALIKES = {"−": "-", "–": "-", "—": "-", "±": "+/-", "×": "x", "·": "*", "→": "->", "⁄": "/"}
LOOKALIKES |= {"≤": "<=", "≥": ">=", "≠": "!=", "“": "'", "”": "'", "‘": "'", "’": "'"}


def prepare() -> None:
    """Let the streams show any text; raise UsageError, before anything is done, if the output is closed."""
    if sys.stdout is None:
        raise UsageError("output: is closed; to discard it, give: > /dev/null")
    for name, mode in (("stdin", "r"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    codecs.register_error("lookalikes", _look_alike)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="lookalikes")


def _look_alike(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII letters that replace those that an encoding lacks."""
    assert isinstance(error, UnicodeEncodeError)
    text = "".join(LOOKALIKES.get(letter, letter) for letter in error.object[error.start : error.end])
    letters = [each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each)]
    return "".join(letters).encode("ascii", "replace").decode(), error.end


def end_of(error: Exception) -> tuple[int, str]:
    """Return exit code and message for what the system refuses, such as room for the output.

    What is left of the output is discarded; Python would try to write it once more at exit.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    place = "output" if frame.f_globals["__name__"] in WRITERS else getattr(error, "filename", None)
    no_reader = WINDOWS and place == "output" and getattr(error, "errno", 0) == errno.EINVAL
    if no_reader or isinstance(error, BrokenPipeError):
        return NO_READER, ""
    return 2, f"{place}: {error.strerror}" if place and isinstance(error, OSError) else brief(error)
