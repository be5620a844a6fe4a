"""Named colours for light and dark pages, and the styles of lines and dots in grey."""

from collections.abc import Sequence
from typing import Any

import polars as pl

HALO = "halo"  # id of texts that lie on lines: a page draws the colour of paper around them
PAPERS = "#ffffff", "#16181b"  # backgrounds of a light and a dark page
# Contrast is at least 3:1 on both backgrounds for lines, dots and fields, 4.5:1 for texts. The colours follow
# Okabe & Ito 2008, "Color Universal Design", which colour-blind readers can distinguish.
SERIES = [("#0065a8", "#6cb4f0"), ("#b86e00", "#f0b040"), ("#1b1b1b", "#f2f2f2"), ("#3a93c8", "#4a90c4")]
SERIES += [("#c8420a", "#ff8a5c"), ("#008060", "#3cc79a"), ("#a8558a", "#e39ac8")]
GREYS = [("#4a4a4a", "#b8b8b8"), ("#858585", "#858585")]  # for anything but seats and lineups
COLOURS = {
    "ink": ("#1c1c1c", "#e6e6e6"),
    "faint": ("#595959", "#a8a8a8"),
    "paper": PAPERS,
    "grid": ("#dcdcdc", "#34383d"),
    "band": ("#e2e4e6", "#33383e"),
    "picked": ("#fdeec9", "#40351a"),
    "above": ("#f0a838", "#8f5200"),
    "below": ("#5cb0e8", "#1c5f96"),
    "edge": ("#767676", "#8a8a8a"),
    **{f"c{place}": pair for place, pair in enumerate(SERIES)},
    **{f"g{place}": pair for place, pair in enumerate(GREYS)},
}
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", "*", "p"]
# Lengths of lines and gaps in points; a line that is not dashed has none.
Dash = tuple[float, ...] | None
DASHES: list[Dash] = [None, (6, 2.5), (6, 2, 1.5, 2), (1.6, 1.8), (6, 1.5, 1.5, 1.5, 1.5, 1.5), (10, 2.5)]
DASHES += [(3, 1.5), (12, 3, 3, 3), (4, 4), (9, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5)]
LINES = [(0, dash) for dash in DASHES]  # offset and lengths, as of matplotlib


def hue(name: str) -> str:
    """Return a named colour as it is on a light page; each name has another one."""
    return COLOURS[name][0]


def colour(style: int) -> str:
    """Return a style's colour; negative styles are grey."""
    return hue(f"g{(-1 - style) % len(GREYS)}" if style < 0 else f"c{style % len(SERIES)}")


def shape(variants: Sequence[Any], style: int) -> Any:
    """Return the variant (one of MARKERS or LINES) that distinguishes a style without colour."""
    return variants[(-1 - style if style < 0 else style) % len(variants)]


def styles(table: pl.DataFrame, column: str) -> dict[str, int]:
    """Return the style of each value of a column: from the table's `style`, else by order."""
    if "style" not in table.columns:
        return {name: place for place, name in enumerate(table[column].unique(maintain_order=True))}
    return dict(table.unique(column, keep="first", maintain_order=True).select(column, "style").iter_rows())
