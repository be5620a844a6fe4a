"""Limits of commands and experiments for every game: shares, counts, numbers and plain text.

A `Range` has the bounds ge, gt, le and lt of pydantic's `Field`. The schema of experiments takes them, and so
do the arguments of questions, so that a question refuses what the schema behind it would refuse.
"""

import re
from typing import Any

LEAST_SHARE = 0.0001  # smallest margin, effect or target: anything less takes too many games to detect
MOST_SHARE = 1 - LEAST_SHARE
Range = dict[str, Any]
DEALS: Range = {"ge": 1, "le": 10**10}
SEED: Range = {"ge": 0, "lt": 2**63}
TRACE: Range = {"ge": 0, "le": 10**10}
KINGMAKING: Range = {"ge": 0, "le": 10**6}
MARGIN: Range = {"ge": LEAST_SHARE, "lt": 0.5}
SHARE: Range = {"ge": LEAST_SHARE, "le": MOST_SHARE}
WIDTH: Range = {"gt": 0, "lt": 1}
MOST_CELLS = 1_000_000
MOST_JOBS = 1_000
MOST_NUMBER = 2**63  # bound of whole numbers in files, from TOML
DEEPEST = 5  # levels of nested tables and lists
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")  # no option or key takes a longer number
ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
STRANGE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")  # control characters, surrogates


def value_problem(value: Any, depth: int = 0) -> str:
    """Return what is wrong with a value from a file, as a predicate to its name, or "" for a usable value.

    >>> value_problem({"called": ["Anna", "B\\x1b[2Jert"]})
    "holds the control character '\\\\x1b'"
    """
    if depth > DEEPEST:
        return f"holds tables or lists more than {DEEPEST} deep"
    if isinstance(value, str):
        control = STRANGE.search(value)
        return f"holds the control character {control[0]!r}" if control else ""
    if isinstance(value, int):
        return "" if abs(value) < MOST_NUMBER else "holds a whole number of more than 64 bits"
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return next(filter(None, (value_problem(part, depth + 1) for part in parts)), "")


def escape_controls(text: str) -> str:
    """Return a text with terminal control characters escaped; as JSON it keeps its meaning.

    >>> escape_controls("20 %\\x1b[2J fair")
    '20 %\\\\u001b[2J fair'
    """
    return ORDERS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def one_line(text: str, limit: int = 4_000, word: int = 200) -> str:
    """Return a text on one line, safe for a terminal: control characters escaped, words and lines cut.

    >>> one_line("goal =  " + 10 * "9" + " is too\\x1b[2J much", word=8)
    'goal = 99999…99 is too\\\\x…2J much'
    """
    characters = (
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in " ".join(text.split())
    )
    return _cut(" ".join(_cut(part, word) for part in "".join(characters).split(" ")), limit)


def _cut(text: str, limit: int) -> str:
    """Return a text cut to `limit` characters, its start and its end."""
    end = limit // 3
    return text if len(text) <= limit else f"{text[: limit - end - 1]}…{text[-end:]}"
