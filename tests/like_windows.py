"""simkit in a process that lacks what Windows lacks, for tests here: `python like_windows.py WORDS`.

Calls and modules of POSIX are missing, text goes to a console of code page 1252, a file that names no encoding
is an error, and no file is renamed, replaced or deleted while this process has it open or mapped.
"""

import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

MODULES = ("fcntl", "grp", "pty", "pwd", "resource", "termios", "tty")
OF_OS = ("fork", "forkpty", "geteuid", "getpgid", "killpg", "mkfifo", "register_at_fork", "setsid")
OF_SIGNAL = (
    "SIGALRM",
    "SIGHUP",
    "SIGKILL",
    "SIGUSR1",
    "alarm",
    "pthread_kill",
    "pthread_sigmask",
    "setitimer",
)


def is_open(path: Any) -> bool:
    """Return whether this process has a file open, or mapped into memory."""
    target = os.path.realpath(path)
    links = [f"/proc/self/fd/{name}" for name in os.listdir("/proc/self/fd")]
    maps = Path("/proc/self/maps").read_text("utf-8")
    return target in map(os.path.realpath, links) or f" {target}\n" in maps


def refusing(function: Callable[..., Any], paths: int) -> Callable[..., Any]:
    """Return a function of `os` that refuses files that are open; its first arguments are `paths` paths."""

    def call(*arguments: Any, **named: Any) -> Any:
        folder = os.readlink(f"/proc/self/fd/{named['dir_fd']}") if "dir_fd" in named else ""
        for path in (os.path.join(folder, each) for each in arguments[:paths]):
            if os.path.isfile(path) and is_open(path):
                error = PermissionError(13, "The process cannot access the file", str(path))
                error.winerror = 32  # type: ignore[attr-defined]
                raise error
        return function(*arguments, **named)

    return call


def refuse_open_files() -> None:
    """Let renaming and deleting fail for files that are open, as on Windows."""
    for name, paths in (("replace", 2), ("rename", 2), ("unlink", 1), ("remove", 1)):
        setattr(os, name, refusing(getattr(os, name), paths))


def become() -> None:
    """Take away what Windows lacks, before anything of simkit is imported."""
    sys.modules |= dict.fromkeys(MODULES)
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL)):
        for name in names:
            delattr(module, name)
    refuse_open_files()
    warnings.filterwarnings("error", category=EncodingWarning, module=r"simkit|strategies|reports")
    from simkit import system

    system.WINDOWS = system.DOUBLE_QUOTES = True


if __name__ == "__main__":
    assert sys.flags.warn_default_encoding and sys.stdout.encoding == "cp1252"
    become()
    from simkit.cli import main

    main()
