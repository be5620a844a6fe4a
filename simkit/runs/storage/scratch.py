"""Folder for what can be made or fetched again."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return SIMKIT_CACHE, else ~/.cache/simkit."""
    usual = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "simkit"
    return Path(os.environ.get("SIMKIT_CACHE") or usual).expanduser()
