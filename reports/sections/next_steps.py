"""What to do next: the fair value between the values tried, and what would settle the open verdicts."""

from __future__ import annotations

import polars as pl

from simkit.analysis import Findings, axes
from simkit.pages import Section
from simkit.pages.commands import fair_command, lineups, settle_command
from simkit.report import Story
from simkit.words.labels import Labels
from simkit.words.said import counted

MOST_TIMES = 5  # so many times the deals played are still advised


def section(found: Findings) -> Section | None:
    """Commands that go on from here; nothing where nothing is open."""
    text, stories = [], []
    run, swept = found.run, axes(found.run)
    fair = fair_command(run, lineups(run)) if swept else None
    if fair:
        text.append(
            "The settings above were picked from these games, so the best of them looks a little better "
            f"than it is. The solver finds the fair value of {Labels(run).axis(swept[0])}, between the "
            "values tried too, and measures the best whole number again on fresh deals."
        )
        stories.append(Story("Find the fair value and check it on fresh deals", fair))
    most = 0
    if found.deals_to_settle.height:
        said, most = _settling(found)
        text.append(said)
    if most:
        stories.append(Story("Play on until there is a verdict", settle_command(run, most)))
    return Section("What to do next", text, stories=stories) if text else None


def _settling(found: Findings) -> tuple[str, int]:
    """How many deals the open verdicts would take, in words, and the deals of those that are worth playing."""
    unsettled = found.deals_to_settle
    near = unsettled.filter(pl.col("needed") <= MOST_TIMES * pl.col("deals")).sort("needed")
    far = unsettled.height - near.height
    are = f"{unsettled.height} of the {counted(len(found.run.cells), 'case')} {'is' if unsettled.height == 1 else 'are'}"
    text = f"{are if len(found.run.cells) > 1 else 'The case is'} UNDECIDED"
    lie = "lies" if far == 1 else "lie"
    rest = f"{far} {lie} so near the margin that even {MOST_TIMES} times the deals would not tell"
    if near.is_empty():
        return f"{text}: {rest}.", 0
    most = _rounded(near["needed"][-1])
    settled = f"about {most:,} deals each would settle {near.height if far else 'them'}"
    return f"{text}. If the shares stay as they are, {settled}{f'; {rest}' if far else ''}.", most


def _rounded(deals: int) -> int:
    """Up to two digits.

    >>> _rounded(12_345), _rounded(950)
    (13000, 950)
    """
    unit: int = 10 ** max(0, len(str(deals)) - 2)
    return -(-deals // unit) * unit
