"""Widths and line breaks of text, measured with DejaVu Sans, which is wider than most readers' fonts."""

from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

SIZE, SMALL = 9.5, 8.5  # font sizes in points
LEADING = 1.25  # distance of lines, in font sizes
ASCENT, DESCENT = 0.93, 0.24  # height above and below the baseline, in font sizes
MIDDLE = 0.29  # middle of letters above the baseline, in font sizes
EM = 2048  # font units per font size


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    """Return the font that comes with matplotlib, without the 0.15 s of importing matplotlib."""
    spec = find_spec("matplotlib")
    if not spec or not spec.origin:
        raise FileNotFoundError("matplotlib, which brings the font DejaVu Sans")
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    path = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf" / name
    return ImageFont.truetype(str(path), EM, layout_engine=ImageFont.Layout.BASIC)


@cache
def _advance(letter: str, bold: bool) -> float:
    return _font(bold).getlength(letter) / EM  # of the replacement box if the font lacks it


@lru_cache(20_000)
def wide(text: str, size: float = SIZE, bold: bool = False) -> float:
    """Return the width of a line of text in points.

    >>> round(wide("fair", 10), 1)
    16.5
    """
    return size * sum(_advance(letter, bold) for letter in text)


def widest(texts: list[str], size: float = SIZE, bold: bool = False) -> float:
    """Return the width of the widest line in points."""
    return max((wide(text, size, bold) for text in texts), default=0.0)


def high(lines: list[str], size: float = SIZE) -> float:
    """Return the height of lines of text in points."""
    return len(lines) * LEADING * size


@lru_cache(5000)
def broken(text: str, room: float, size: float = SIZE) -> tuple[str, ...]:
    """Break a text into lines no wider than `room`, of similar length, preferably after a comma.

    >>> broken("plain player, second seat", 90)
    ('plain player,', 'second seat')
    >>> broken("second player keeps", 70)
    ('second', 'player keeps')
    """
    lines: list[str] = []
    for part in text.split("\n"):
        lines += _lines(part.split(), room, size)
    return tuple(lines)


def _lines(words: list[str], room: float, size: float) -> list[str]:
    by_words = _filled(words, room, size)
    phrases = _phrases(words)
    if all(wide(phrase, size) <= room for phrase in phrases):
        by_phrases = _filled(phrases, room, size)
        if len(by_phrases) <= len(by_words) + 1:
            return by_phrases
    return _evened(words, by_words, room, size)


def _phrases(words: list[str]) -> list[str]:
    """Split words into phrases that should stay together: up to a comma, or a bracket."""
    phrases: list[list[str]] = [[]]
    for word in words:
        if phrases[-1] and (phrases[-1][-1].endswith((",", ":", ";")) or word.startswith("(")):
            phrases.append([])
        phrases[-1].append(word)
    return [" ".join(phrase) for phrase in phrases]


def _filled(pieces: list[str], room: float, size: float) -> list[str]:
    """Fill lines with as many pieces as fit; a single piece that is too wide is cut."""
    lines = [""]
    for piece in (part for whole in pieces for part in _cut(whole, room, size)):
        longer = f"{lines[-1]} {piece}".strip()
        if lines[-1] and wide(longer, size) > room:
            lines.append(piece)
        else:
            lines[-1] = longer
    return lines


def _cut(piece: str, room: float, size: float) -> list[str]:
    """Cut a word that is wider than a line."""
    if wide(piece, size) <= room or " " in piece:
        return [piece]
    parts = [""]
    for letter in piece:
        if parts[-1] and wide(parts[-1] + letter, size) > room:
            parts.append("")
        parts[-1] += letter
    return parts


def _evened(words: list[str], lines: list[str], room: float, size: float) -> list[str]:
    """Break words into the same number of lines of similar length; words that fit are not cut for that."""
    longest = widest([word for word in words if wide(word, size) <= room], size)
    for part in (0.9, 0.8, 0.7, 0.6):
        if longest > room * part:
            break
        narrower = _filled(words, room * part, size)
        if len(narrower) > len(lines) or widest(narrower, size) > room * part:
            break
        lines = narrower
    return lines
