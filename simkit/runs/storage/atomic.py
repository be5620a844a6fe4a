"""Files that are whole or absent, whatever happens while they are written."""

import os
from pathlib import Path


def put(path: Path, content: bytes) -> None:
    """Write a file under another name beside it, wait until it is on disk, then rename it."""
    unfinished = path.with_name(f".{path.name}.tmp")
    unfinished.unlink(missing_ok=True)  # left by a crash, or a link, which leads elsewhere
    with open(unfinished, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)
