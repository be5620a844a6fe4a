"""What to do next: the fair value between the values tried, and what would settle the open verdicts."""

from __future__ import annotations

import polars as pl

from reports.sections import advice
from simkit import analysis
from simkit.report import Section, Story
from simkit.runlog import Run

MOST_TIMES = 5  # so many times the deals played are still advised


def next_section(run: Run, seats: pl.DataFrame) -> list[Section]:
    """Commands that go on from here; nothing where nothing is open."""
    text, stories = [], []
    swept = analysis.axes(run)
    fair = advice.fair_command(run, advice.lineups(run)) if swept else None
    if fair:
        text.append(
            f"The settings above were picked from these games, so the best of them looks a little better than it is. The solver finds the fair "
            f"value of {swept[0].label}, between the values tried too, and measures the best whole number again on fresh deals."
        )
        stories.append(Story("Find the fair value and check it on fresh deals", fair))
    settled = _settling(run, analysis.deals_to_settle(run, seats))
    return (
        [Section("What to do next", text + settled[0], stories=stories + settled[1])]
        if text or settled[0]
        else []
    )


def _settling(run: Run, open_cells: pl.DataFrame) -> tuple[list[str], list[Story]]:
    """How many deals the open verdicts would take, and the command that plays them."""
    if open_cells.is_empty():
        return [], []
    near = open_cells.filter(pl.col("needed") <= MOST_TIMES * pl.col("deals")).sort("needed")
    far = open_cells.height - near.height
    rest = (
        f"{far} {'lies' if far == 1 else 'lie'} so near the margin that even {MOST_TIMES} times the deals would not tell"
        if far
        else ""
    )
    if near.is_empty():
        return [f"{_cases(run, open_cells.height)} UNDECIDED: {rest}."], []
    most = _rounded(near["needed"][-1])
    said = f"{_cases(run, open_cells.height)} UNDECIDED. If the shares stay as they are, about {most:,} deals each would settle {'them' if not far else near.height}"
    return [said + (f"; {rest}." if far else ".")], [
        Story("Play on until there is a verdict", advice.settle_command(run, most))
    ]


def _cases(run: Run, many: int) -> str:
    return (
        f"{many} of the {len(run.cells)} cases {'is' if many == 1 else 'are'}"
        if len(run.cells) > 1
        else "The case is"
    )


def _rounded(deals: int) -> int:
    """Up to two digits.

    >>> _rounded(12_345), _rounded(950)
    (13000, 950)
    """
    unit: int = 10 ** max(0, len(str(deals)) - 2)
    return -(-deals // unit) * unit
