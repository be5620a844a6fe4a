"""How wide texts are and where they break: by DejaVu Sans, which is wider than the fonts of most readers."""

from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

SIZE, SMALL = 9.5, 8.5  # points
LEADING = 1.25  # from line to line, in sizes
ASCENT, DESCENT = 0.93, 0.24  # above and below the line that letters stand on, in sizes
MIDDLE = 0.29  # above it, where letters are half as high
EM = 2048  # units that the font's letters are measured in, per size


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    """The font that comes with matplotlib, which itself takes 0.15 s to import."""
    found = find_spec("matplotlib")
    if not found or not found.origin:
        raise FileNotFoundError("matplotlib, which brings the font DejaVu Sans")
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    path = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / name
    return ImageFont.truetype(str(path), EM, layout_engine=ImageFont.Layout.BASIC)


@cache
def _advance(letter: str, bold: bool) -> float:
    return _font(bold).getlength(letter) / EM  # of one that the font has not its box


@lru_cache(20_000)
def wide(text: str, size: float = SIZE, bold: bool = False) -> float:
    """Points that a line of text takes.

    >>> round(wide("fair", 10), 1)
    16.5
    """
    return size * sum(_advance(letter, bold) for letter in text)


def widest(texts: list[str], size: float = SIZE, bold: bool = False) -> float:
    return max((wide(text, size, bold) for text in texts), default=0.0)


def high(lines: list[str], size: float = SIZE) -> float:
    """Points that some lines of text take."""
    return len(lines) * LEADING * size


@lru_cache(5000)
def broken(text: str, room: float, size: float = SIZE) -> tuple[str, ...]:
    """A text in lines no wider than `room`, rather after a comma than within a phrase, lines about equal.

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
    """What stays together if it can: words up to a comma, a bracket with what is in it."""
    phrases: list[list[str]] = [[]]
    for word in words:
        if phrases[-1] and (phrases[-1][-1].endswith((",", ":", ";")) or word.startswith("(")):
            phrases.append([])
        phrases[-1].append(word)
    return [" ".join(phrase) for phrase in phrases]


def _filled(pieces: list[str], room: float, size: float) -> list[str]:
    """As many pieces on each line as fit; a single one that is too wide is cut."""
    lines = [""]
    for piece in (part for whole in pieces for part in _cut(whole, room, size)):
        longer = f"{lines[-1]} {piece}".strip()
        if lines[-1] and wide(longer, size) > room:
            lines.append(piece)
        else:
            lines[-1] = longer
    return lines


def _cut(piece: str, room: float, size: float) -> list[str]:
    """A word that no line has room for, in parts."""
    if wide(piece, size) <= room or " " in piece:
        return [piece]
    parts = [""]
    for letter in piece:
        if parts[-1] and wide(parts[-1] + letter, size) > room:
            parts.append("")
        parts[-1] += letter
    return parts


def _evened(words: list[str], lines: list[str], room: float, size: float) -> list[str]:
    """In as many lines as found, but about equally long ones; a word that has room is not cut for that."""
    longest = widest([word for word in words if wide(word, size) <= room], size)
    for part in (0.9, 0.8, 0.7, 0.6):
        if longest > room * part:
            break
        tried = _filled(words, room * part, size)
        if len(tried) > len(lines) or widest(tried, size) > room * part:
            break
        lines = tried
    return lines
