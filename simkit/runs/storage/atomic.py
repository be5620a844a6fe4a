"""Atomic writing: a file is complete or absent, even after a crash."""

import os
from pathlib import Path

from simkit import system


def put(path: Path, content: bytes) -> None:
    """Write a file, in a folder that may not exist yet: sync it under a temporary name, then rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.tmp")
    unfinished.unlink(missing_ok=True)  # left by a crash, or a planted link
    try:
        with open(unfinished, "xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        system.replace(unfinished, path)
    except BaseException:  # a full disk, say, or Ctrl-C
        unfinished.unlink(missing_ok=True)
        raise
