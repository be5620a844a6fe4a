"""Phrases shared by sentences: names of seats, lists, and the findings behind them."""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from simkit.reporting.text.numbers import in_words

ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
ORDINALS += ["eleventh", "twelfth"]
TableRow = dict[str, Any]


class Sentence(NamedTuple):
    """A sentence, possibly on several lines, and the finding behind its numbers: `draws.filter(cell=0)`."""

    text: str
    rests: str


class Summary(NamedTuple):
    """The answer of a page: a headline, advice, notes on certainty and warnings."""

    headline: str
    advice: str
    sure: list[str]
    warnings: list[str]


def capital(text: str) -> str:
    """Return a text with its first letter capitalized; a file name at its start stays as it is.

    >>> capital("the game"), capital("mine.csv is fair")
    ('The game', 'mine.csv is fair')
    """
    return text if "." in text.partition(" ")[0] else text[:1].upper() + text[1:]


def seat_name(seat: int) -> str:
    """Return the name of a seat for readers; data have its number.

    >>> seat_name(0), seat_name(12)
    ('first player', '13th player')
    """
    return f"{ORDINALS[seat]} player" if seat < len(ORDINALS) else f"{seat + 1}th player"


def seats_named(text: str, article: str = "the ") -> str:
    """Replace the numbers of seats in a text by their names.

    >>> seats_named("Seat 1 bluffs"), seats_named("seat 1 (yellow) rolls", article="")
    ('The second player bluffs', 'second player (yellow) rolls')
    >>> seats_named("whether player 0 chooses")
    'whether the first player chooses'
    """

    def replace(match: re.Match[str]) -> str:
        seat = f"{article}{seat_name(int(match[3]))}"
        return seat[0].upper() + seat[1:] if match[1] == "S" or match[2] == "P" else seat

    return re.sub(r"\b(?:([Ss])eat|([Pp])layer) (\d+)\b", replace, text)


def prose(text: str) -> str:
    """Join a text that is written on several lines."""
    return " ".join(text.split())


def with_heading(name: str, text: str) -> str:
    """Return a text after its name; a name with a colon is followed by a dash.

    >>> with_heading("Scores", "as before"), with_heading("Mega-cards: on", "as before")
    ('Scores: as before', 'Mega-cards: on – as before')
    """
    return f"{name}{' –' if ': ' in name else ':'} {text}"


def with_all(count: int, lineups: str) -> str:
    """Return a suffix that says with how many lineups something holds; empty for one.

    >>> with_all(1, "teams"), with_all(2, "teams"), with_all(3, "teams")
    ('', ' with both teams', ' with all three teams')
    """
    return f" with {'both' if count == 2 else f'all {in_words(count)}'} {lineups}" if count > 1 else ""


def join_names(names: Iterable[str], last_by: str = "and", most: int | None = None) -> str:
    """Join names by commas and a final word; those beyond the `most` first are counted.

    >>> join_names(["a"]), join_names(["a", "b", "c"]), join_names(["20", "21"], "or")
    ('a', 'a, b and c', '20 or 21')
    >>> join_names(["a", "b", "c"], most=1)
    'a and 2 more'
    """
    names = list(names)
    more = [f"{len(names) - most} more"] if most and len(names) > most else []
    *front, last = [*names[:most], *more]
    return f"{', '.join(front)} {last_by} {last}" if front else last
