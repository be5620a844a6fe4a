"""What each single step away from the baseline does to the first player, the greatest first."""

import polars as pl

from simkit.analysis.compare import wins
from simkit.pages import Findings, Section, axes, labels_of, points, prose
from simkit.pages.differences import WORDS, difference_figures, difference_tables
from simkit.words.whose import side_of

NEXT = "from the baseline to the next smaller or greater value tried of a number"
STEP = {"One step": f"{NEXT}, or to any other value of a named choice."}


def section(found: Findings) -> Section | None:
    """Nothing for a sweep of one option."""
    steps = found.one_step.filter(wins(found.run)) if found.one_step.height else found.one_step
    if len(axes(found.run)) < 2 or steps.is_empty():
        return None
    ordered = steps.sort(pl.col("difference").abs(), descending=True, maintain_order=True)
    text = prose(f"""From the baseline ({labels_of(found).baseline}) one option is changed at a time, by one
        of the steps tried. Bars are paired differences on the same deals with 95 % intervals: a bar whose
        interval holds 0 may be luck. The longest bars are the rules worth turning first.""")
    who = side_of(found.run).name
    most = labels_of(found).named(ordered).row(0, named=True)
    heading = f"{most['step']} moves the {who} most: by {points(most['difference'])} points"
    unit = f"Change of the {who}'s share, percentage points"
    figures = difference_figures(found, ordered, "tornado", unit, "step")
    tables = difference_tables(found, ordered, "One step from the baseline", "step")
    return Section(heading, [text], figures, tables, words=STEP | WORDS)
