"""What commands and experiments take, whatever the game: least shares, most of everything, plain text."""

import re
from typing import Any

LEAST_SHARE = 0.0001  # a margin, an effect or a target: less than that nobody can play enough games to tell
MOST_SHARE = 1 - LEAST_SHARE
MOST_CELLS = 1_000_000
MOST_JOBS = 1_000
MOST_NUMBER = 2**63  # whole numbers in files are below it, as TOML says
DEEPEST = 5  # tables and lists within each other
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")  # as a text; longer ones are no number that anything takes
ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
STRANGE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")  # orders to a terminal, halves


def unusable(value: Any, deep: int = 0) -> str:
    """What is wrong with a value from a file, in words that follow its name; nothing where it can be used.

    >>> unusable({"called": ["Anna", "B\\x1b[2Jert"]})
    "holds the control character '\\\\x1b'"
    """
    if deep > DEEPEST:
        return f"holds tables or lists more than {DEEPEST} deep"
    if isinstance(value, str):
        strange = STRANGE.search(value)
        return f"holds the control character {strange[0]!r}" if strange else ""
    if isinstance(value, int):
        return "" if abs(value) < MOST_NUMBER else "holds a whole number of more than 64 bits"
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return next(filter(None, (unusable(part, deep + 1) for part in parts)), "")


def plain(text: str) -> str:
    """A text without orders to a terminal; in JSON it means the same.

    >>> plain("20 %\\x1b[2J fair")
    '20 %\\\\u001b[2J fair'
    """
    return ORDERS.sub(lambda one: f"\\u{ord(one[0]):04x}", text)


def shown(text: str, most: int = 4_000, word: int = 200) -> str:
    """A text on one line as a terminal may show it: no orders to it, no word or line without end.

    >>> shown("goal =  " + 10 * "9" + " is too\\x1b[2J much", word=8)
    'goal = 99999…99 is too\\\\x…2J much'
    """
    plain = "".join(one if one.isprintable() else _escaped(one) for one in " ".join(text.split()))
    return _cut(" ".join(_cut(one, word) for one in plain.split(" ")), most)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()


def _cut(text: str, most: int) -> str:
    """At most so many characters of a text, from both ends."""
    end = most // 3
    return text if len(text) <= most else f"{text[: most - end - 1]}…{text[-end:]}"
