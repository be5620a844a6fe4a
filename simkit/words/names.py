"""Words that all sentences share: the name of a seat, a distance between shares, the ends of an interval."""

import re
from collections.abc import Callable

ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
ORDINALS += ["eleventh", "twelfth"]
FINEST = 3  # digits more than usual that tell the ends of an interval apart


def seat_name(seat: int) -> str:
    """The one name of a seat; numbers are for data.

    >>> seat_name(0), seat_name(12)
    ('first seat', '13th seat')
    """
    return f"{ORDINALS[seat]} seat" if seat < len(ORDINALS) else f"{seat + 1}th seat"


def seats_named(text: str, article: str = "the ") -> str:
    """A text of the log or of the analysis with the names of the seats in place of their numbers.

    >>> seats_named("Seat 1 bluffs"), seats_named("seat 1 (yellow) rolls", article="")
    ('The second seat bluffs', 'second seat (yellow) rolls')
    >>> seats_named("whether player 0 chooses")
    'whether the first seat chooses'
    """

    def name(found: re.Match[str]) -> str:
        said = f"{article}{seat_name(int(found[3]))}"
        return said[0].upper() + said[1:] if found[1] == "S" or found[2] == "P" else said

    return re.sub(r"\b(?:([Ss])eat|([Pp])layer) (\d+)\b", name, text)


def distance(share: float) -> str:
    """A difference of shares; never to be taken for points of the game.

    >>> distance(0.02), distance(0.01)
    ('2 percentage points', '1 percentage point')
    """
    size = f"{100 * share:g}"
    return f"{size} percentage point{'' if size == '1' else 's'}"


def places(low: float, high: float, said: Callable[[float, int], str], digits: int = 1) -> int:
    """How many digits tell the ends of an interval apart; as many as asked for where no few more do.

    `said` writes a number with so many digits.

    >>> places(31.02, 31.04, lambda x, n: f"{x:.{n}f}"), places(1, 1, lambda x, n: f"{x:.{n}f}")
    (2, 1)
    """
    apart = (n for n in range(digits, digits + FINEST + 1) if said(low, n) != said(high, n))
    return next(apart, digits)


def span(low: float, high: float, digits: int = 1, sign: bool = False, scale: float = 1.0) -> str:
    """An interval for a sentence.

    >>> span(0.5001, 0.5004, scale=100), span(-0.5, 2, sign=True)
    ('50.01 to 50.04', '−0.5 to +2.0')
    >>> span(2.00001, 2.00002)
    '2.0, less than 0.1 wide'
    """
    form = "+" if sign else ""

    def said(number: float, places: int) -> str:
        return f"{number:{form}.{places}f}".replace("-", "−")

    low, high = scale * low, scale * high
    enough = places(low, high, said, digits)
    texts = said(low, enough), said(high, enough)
    same = texts[0] == texts[1] and low != high
    return f"{texts[0]}, less than {10**-digits:g} wide" if same else " to ".join(texts)
