"""Comparison of a game with the other games measured here; only unusual values are mentioned."""

from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted, formed
from simkit.reporting.text.phrases import Row, Sentence

MEASURE = """
decisions     | decisions per player           | {:.0f} | many decisions           | few decisions
per_turn      | decisions in a turn            | {:.1f} | many decisions in a turn | few decisions in a turn
branching     | possibilities at a decision    | {:.0f} | many possibilities       | few possibilities
wait          | decisions of others in between | {:.1f} | long waits between turns | short waits between turns
lead_changes  | changes of the lead            | {:.1f} | frequent lead changes    | few lead changes
decided       | part of the game to be decided | {:.0%} | a late decision          | an early decision
late          | late leaders who lose          | {:.0%} | an open end              | a safe late lead
slope         | lead kept after a round        | {:.0%} | long-lived leads         | short-lived leads
draws         | drawn games                    | {:.1%} | many draws               | few draws
beginner      | wins kept by a weak player      | {:.0%} | forgiven errors          | costly errors
team_beginner | wins kept with a weak player    | {:.0%} | forgiven errors          | costly errors
king          | kings made by the last         | {:.0%} | much kingmaking          | little kingmaking
"""


class Measure(NamedTuple):
    """Wording of a measure."""

    name: str  # label for readers
    form: str
    more: str  # text for more than in other games
    less: str

    def formatted(self, value: float) -> str:
        """Return a value of the measure as text."""
        return formed(self.form, value).replace("%", " %")

    def span(self, low: float, high: float) -> str:
        """Return a range such as `47 to 74 %`."""
        return f"{self.formatted(low).removesuffix(' %')} to {self.formatted(high)}"


LINES = [[part.strip() for part in line.split("|")] for line in MEASURE.strip().splitlines()]
MEASURES = {name: Measure(*rest) for name, *rest in LINES}


def unusual(findings: Findings) -> list[Row]:
    """Return the rows of measures outside the range of all others, the farthest first."""
    rows = findings.yardsticks.drop_nulls("unusual").rows(named=True)
    return sorted(rows, key=_beyond, reverse=True)


def _beyond(row: Row) -> float:
    """Return the distance outside the others as a part of their range."""
    out = max(row["value"] - row["most"], row["least"] - row["value"])
    return float(out / max(row["most"] - row["least"], 1e-9))


def yardstick_sentence(row: Row) -> str:
    """Return an unusual measure as text: `few decisions (25; in 5 other games 30 to 90)`.

    >>> row = {"measure": "slope", "unusual": "more", "value": 2.0, "others": 5, "least": 0.4, "most": 1.2}
    >>> yardstick_sentence(row)
    'long-lived leads (200 %; in 5 other games 40 to 120 %)'
    """
    measure = MEASURES[row["measure"]]
    others = f"in {counted(row['others'], 'other game')} {measure.span(row['least'], row['most'])}"
    what = measure.more if row["unusual"] == "more" else measure.less
    return f"{what} ({measure.formatted(row['value'])}; {others})"


def yardsticks(findings: Findings) -> Sentence:
    """Return the sentence on what is unusual, or that nothing is."""
    if rows := unusual(findings):
        texts = "; ".join(map(yardstick_sentence, rows))
        return Sentence(f"Unlike the other games measured here: {texts}.", "yardsticks.drop_nulls('unusual')")
    taken = counted(findings.yardsticks.filter(pl.col("others") > 0).height, "measure")
    return Sentence(f"Nothing stands out from the other games measured here, in {taken}.", "yardsticks")
