"""Comparison of a game with the other games measured here; only unusual values are mentioned."""

from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted, formed
from simkit.reporting.text.phrases import Row, Sentence


class Measure(NamedTuple):
    """Format of a measure, and the words for more and for less than in other games."""

    form: str
    more: str
    less: str


MEASURES = {
    "decisions": Measure("{:.0f}", "many decisions", "few decisions"),
    "per_turn": Measure("{:.1f}", "many decisions in a turn", "few decisions in a turn"),
    "branching": Measure("{:.0f}", "many possibilities", "few possibilities"),
    "wait": Measure("{:.1f}", "long waits between turns", "short waits between turns"),
    "lead_changes": Measure("{:.1f}", "frequent lead changes", "few lead changes"),
    "decided": Measure("{:.0%}", "a late decision", "an early decision"),
    "late": Measure("{:.0%}", "an open end", "a safe late lead"),
    "slope": Measure("{:.0%}", "long-lived leads", "short-lived leads"),
    "draws": Measure("{:.1%}", "many draws", "few draws"),
    "beginner": Measure("{:.0%}", "forgiven errors", "costly errors"),
    "team_beginner": Measure("{:.0%}", "forgiven errors", "costly errors"),
    "king": Measure("{:.0%}", "much kingmaking", "little kingmaking"),
}


def unusual(findings: Findings) -> list[Row]:
    """Return the rows of measures outside the range of all others, the farthest in terms of it first."""
    beyond = pl.max_horizontal(pl.col("value") - pl.col("most"), pl.col("least") - pl.col("value"))
    size = beyond / (pl.col("most") - pl.col("least")).clip(1e-9)
    return findings.yardsticks.drop_nulls("unusual").sort(size, descending=True).rows(named=True)


def yardstick_sentence(row: Row) -> str:
    """Return an unusual measure as text: `few decisions (25; in 5 other games 30 to 90)`.

    >>> row = {"measure": "slope", "unusual": "more", "value": 2.0, "others": 5, "least": 0.4, "most": 1.2}
    >>> yardstick_sentence(row)
    'long-lived leads (200 %; in 5 other games 40 to 120 %)'
    """
    measure = MEASURES[row["measure"]]
    numbers = (formed(measure.form, row[name]).replace("%", " %") for name in ("value", "least", "most"))
    value, least, most = numbers
    others = f"in {counted(row['others'], 'other game')} {least.removesuffix(' %')} to {most}"
    return f"{measure.more if row['unusual'] == 'more' else measure.less} ({value}; {others})"


def yardsticks(findings: Findings) -> Sentence:
    """Return the sentence on what is unusual, or that nothing is."""
    if rows := unusual(findings):
        texts = "; ".join(map(yardstick_sentence, rows))
        return Sentence(f"Unlike the other games measured here: {texts}.", "yardsticks.drop_nulls('unusual')")
    taken = counted(findings.yardsticks.filter(pl.col("others") > 0).height, "measure")
    return Sentence(f"Nothing stands out from the other games measured here, in {taken}.", "yardsticks")
