"""Numbers in sentences: shares, intervals, counts, and how many decimals they need; names of
seats, lists, plurals, durations.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from simkit.formatting import formed, rounded

FINEST = 3  # most extra decimals used to distinguish the ends of an interval


def distance(share: float) -> str:
    """Return a difference of shares in percentage points, never confused with points of the game.

    >>> distance(0.02), distance(0.01)
    ('2 percentage points', '1 percentage point')
    """
    size = f"{100 * share:g}"
    return f"{size} percentage point{'' if size == '1' else 's'}"


def in_elo(ends: Sequence[float], normalized: bool = False) -> str:
    """Return the two hypotheses of a sequential test.

    >>> in_elo([0, 10]), in_elo([0, 5], normalized=True)
    ('an Elo difference of 0 and one of 10', 'a normalised Elo difference of 0 and one of 5')
    """
    low, high = (f"{end:g}".replace("-", "\N{MINUS SIGN}") for end in ends)
    return f"{'a normalised' if normalized else 'an'} Elo difference of {low} and one of {high}"


def span(low: float, high: float, digits: int = 1, sign: bool = False, scale: float = 1.0) -> str:
    """Return an interval for a sentence, with a few decimals more than `digits` where these would mislead.

    They would where both ends look alike, or where an end of a difference (`sign`) looks like 0.

    >>> span(0.5001, 0.5004, scale=100), span(-0.5, 2, sign=True), span(-5.9, -0.02, sign=True)
    ('50.01 to 50.04', '−0.5 to +2.0', '−5.90 to −0.02')
    >>> span(2.00001, 2.00002)
    '2.0, less than 0.1 wide'
    """
    low, high = scale * low, scale * high
    precisions = range(digits, digits + FINEST + 1)
    written = [(number(low, places, sign), number(high, places, sign)) for places in precisions]
    differing = [ends for ends in written if ends[0] != ends[1]] or written[:1]
    other_than_zero = [at for at, end in enumerate((low, high)) if sign and end]
    clear = (ends for ends in differing if not any(_is_zero(ends[at]) for at in other_than_zero))
    texts = next(clear, differing[0])
    same = texts[0] == texts[1] and low != high
    return f"{texts[0]}, less than {10**-digits:g} wide" if same else " to ".join(texts)


def _is_zero(text: str) -> bool:
    return not text.strip("+−0.")


def interval_words(low: float | None, high: float | None) -> str:
    """Return a 95 % interval as text; a missing end lies beyond the searched range.

    >>> interval_words(19.41, 20.7), interval_words(None, 5), interval_words(None, None)
    ('19.4 to 20.7', 'up to 5.0', 'wider than the range tried')
    """
    if low is None:
        return "wider than the range tried" if high is None else f"up to {number(high)}"
    return f"from {number(low)} up" if high is None else span(low, high)


def number(value: float, digits: int = 1, sign: bool = False) -> str:
    """Format a number with a fixed number of decimals; `sign` marks differences."""
    return formed(f"{{:{'+' if sign else ''}.{digits}f}}", value).replace("-", "−")


def ends(least: str, most: str) -> str:
    """Return "least to most", or one value if both are equal."""
    return least if least == most else f"{least} to {most}"


def percent(share: float) -> str:
    """Return a share in percent with one decimal."""
    return f"{rounded(100 * share, 1):.1f} %"


def whole(share: float) -> str:
    """Return a share in whole percent without the percent sign; halves go away from zero.

    >>> whole(0.585), whole(0.595), whole(-0.045)
    ('59', '60', '−5')
    """
    return number(100 * share, 0)


def games_of_100(*shares: float) -> str:
    """Return the range of shares in whole games of 100.

    >>> games_of_100(0.567, 0.586), games_of_100(0.498, 0.502), games_of_100(0.003)
    ('57 to 59 games of 100', '50 games of 100', 'less than 1 game of 100')
    """
    low, high = min(shares), max(shares)
    least, most = (int(rounded(100 * share)) for share in (low, high))
    if most == 0 and high > 0:
        return "less than 1 game of 100"
    if least == 100 and low < 1:
        return "more than 99 games of 100"
    return f"{ends(str(least), str(most))} game{'' if least == most == 1 else 's'} of 100"


def fair_of_100(share: float) -> str:
    """Return a fair share or a target in games of 100; a half is kept.

    >>> fair_of_100(0.125), fair_of_100(1 / 3), fair_of_100(0.5), fair_of_100(0.4931)
    ('12.5', '33', '50', '49')
    """
    halves = round(200 * share)
    return f"{halves / 2:g}" if abs(200 * share - halves) < 1e-6 else whole(share)


def in_words(count: int) -> str:
    """Return a small number as a word."""
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    return words[count] if count < len(words) else str(count)


def about(deals: int) -> int:
    """Round a number of deals up to two significant digits."""
    unit: int = 10 ** max(0, len(str(deals)) - 2)
    return -(-deals // unit) * unit


def roughly(deals: int) -> str:
    """Return `about` as text."""
    return f"{about(deals):,}"


# Phrases shared by sentences: names of seats, lists, and the findings behind them.

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


def name_seats(text: str, article: str = "the ") -> str:
    """Replace the numbers of seats in a text by their names.

    >>> name_seats("Seat 1 bluffs"), name_seats("seat 1 (yellow) rolls", article="")
    ('The second player bluffs', 'second player (yellow) rolls')
    >>> name_seats("whether player 0 chooses")
    'whether the first player chooses'
    """

    def replace(match: re.Match[str]) -> str:
        seat = f"{article}{seat_name(int(match[3]))}"
        return seat[0].upper() + seat[1:] if match[1] == "S" or match[2] == "P" else seat

    return re.sub(r"\b(?:([Ss])eat|([Pp])layer) (\d+)\b", replace, text)


def prose(text: str) -> str:
    """Join a text that is written on several lines."""
    return " ".join(text.split())


def quoted(name: str) -> str:
    """Return a name in quotation marks: names of players may have commas and spaces."""
    return f"“{name}”"


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


def in_minutes(minutes: float) -> str:
    """Return a duration, rounded as one plans it.

    >>> in_minutes(0.4), in_minutes(1.2), in_minutes(37.4), in_minutes(93)
    ('a minute', 'a minute', '37 minutes', '1½ hours')
    """
    if minutes < 75:
        return "a minute" if minutes < 1.5 else f"{minutes:.0f} minutes"
    halves = round(minutes / 30)
    hours = f"{halves // 2}{'½' if halves % 2 else ''}"
    return "an hour" if halves == 2 else f"{hours} hours"


def plural_of(word: str) -> str:
    """Return the plural of an English noun."""
    return f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"


def count_in_words(count: int, word: str) -> str:
    """Return a count in words with its noun.

    >>> count_in_words(1, "card"), count_in_words(12, "factory"), count_in_words(40, "tile")
    ('one card', '12 factories', '40 tiles')
    """
    return f"{in_words(count)} {word if count == 1 else plural_of(word)}"


def count_different(count: int, word: str) -> str:
    """Return a count of pieces with different names, of which a deck may hold several copies.

    >>> count_different(1, "card"), count_different(51, "card")
    ('one card', '51 different cards')
    """
    return count_in_words(count, word) if count == 1 else f"{in_words(count)} different {plural_of(word)}"
