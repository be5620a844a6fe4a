"""Reading of TOML files: experiments, locks, presets, mappings of columns, component tables."""

import re
import tomllib
from pathlib import Path
from typing import Any

from simkit.errors import UsageError

MOST_BYTES = 50_000_000
MOST_DOTS = 100  # in a row of dotted keys; `tomllib` takes minutes for 30,000
DOTTED = re.compile(rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MOST_DOTS}}}""")


def read_toml(path: Path, text: str = "") -> dict[str, Any]:
    """Read a TOML file, or its text; raises a UsageError of one line that names the file."""
    try:
        text = (text or _text_of(path)).removeprefix("\ufeff")
        if DOTTED.search(text):
            raise UsageError(f"{path}: malformed TOML: a key has {MOST_DOTS} dots or more")
        return tomllib.loads(text)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: malformed TOML: {error}") from None
    except (ValueError, RecursionError):
        why = "a number is too long, or tables or lists are nested too deeply"
        raise UsageError(f"{path}: malformed TOML: {why}") from None


def _text_of(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path}: is larger than {MOST_BYTES // 10**6} MB")
    return data.decode()
