"""What to do next: the fair value between the values tried, and what would settle the open verdicts."""

import polars as pl

from simkit.pages import Findings, Section, Story, axes, labels_of, prose
from simkit.pages.commands import fair_command, lineups, settle_command

MOST_TIMES = 5  # so many times the deals played are still advised


def section(found: Findings) -> Section | None:
    """Commands that go on from here; nothing where nothing is open."""
    run, text, stories = found.run, list[str](), list[Story]()
    if fair := fair_command(run, lineups(run)):
        value = "value on target" if run.team else "fair value"
        stories = [Story(f"Find the {value} and check it on fresh deals", fair)]
        solver = prose(f"""The settings above were picked from these games, so the best of them looks a little
            better than it is. The solver finds the {value} of {labels_of(found).axis(axes(run)[0])},
            between the values tried too, and measures the best whole number again on fresh deals.""")
        text = [solver]
    unsettled = found.deals_to_settle
    near = unsettled.filter(pl.col("needed") <= MOST_TIMES * pl.col("deals"))["needed"].sort()
    if unsettled.height:
        text.append(_settling(len(run.cells), unsettled.height, near))
    if len(near):
        stories.append(Story("Play on until there is a verdict", settle_command(run, _rounded(near[-1]))))
    return Section("What to do next", text, stories=stories) if text else None


def _settling(cells: int, unsettled: int, near: pl.Series) -> str:
    are = f"{unsettled} of the {cells} cases {'is' if unsettled == 1 else 'are'}"
    text, far = f"{are if cells > 1 else 'The case is'} UNDECIDED", unsettled - len(near)
    so_near = f"so near the margin that even {MOST_TIMES} times the deals would not tell"
    rest = f"{far} {'lies' if far == 1 else 'lie'} {so_near}"
    if not len(near):
        return f"{text}: {rest}."
    settled = f"about {_rounded(near[-1]):,} deals each would settle {len(near) if far else 'them'}"
    return f"{text}. If the shares stay as they are, {settled}{f'; {rest}' if far else ''}."


def _rounded(deals: int) -> int:
    """Up to two digits.

    >>> _rounded(12_345), _rounded(950)
    (13000, 950)
    """
    unit: int = 10 ** max(0, len(str(deals)) - 2)
    return -(-deals // unit) * unit
