"""Atomic writing: a file is complete or absent, even after a crash."""

import os
from pathlib import Path


def put(path: Path, content: bytes) -> None:
    """Write a file under a temporary name, sync it to disk, then rename it."""
    unfinished = path.with_name(f".{path.name}.tmp")
    unfinished.unlink(missing_ok=True)  # left by a crash, or a planted link
    with open(unfinished, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)
