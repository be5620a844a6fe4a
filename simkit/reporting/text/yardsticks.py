"""Comparison of a game with the other games measured here; only unusual values are mentioned."""

from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted, formed
from simkit.reporting.text.pacing import EVEN
from simkit.reporting.text.phrases import Row, Sentence, ends

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
MAX_MEASURES_NAMED = 3  # unusual measures in a heading


def unusual(findings: Findings) -> list[Row]:
    """Return the rows of measures outside the range of all others, the farthest first."""
    rows = findings.yardsticks.drop_nulls("unusual").rows(named=True)
    return sorted(rows, key=_beyond, reverse=True)


def _beyond(row: Row) -> float:
    """Return the distance outside the others as a part of their range."""
    out = max(row["value"] - row["most"], row["least"] - row["value"])
    return float(out / max(row["most"] - row["least"], 1e-9))


def yardstick_sentence(row: Row) -> str:
    """Return an unusual measure as text: `few decisions (25; in 5 other games 30 to 90)`."""
    measure = MEASURES[row["measure"]]
    others = f"in {counted(row['others'], 'other game')} {measure.span(row['least'], row['most'])}"
    return f"{_what(row)} ({measure.formatted(row['value'])}; {others})"


def _what(row: Row) -> str:
    """Return what is unusual.

    >>> _what({"measure": "slope", "unusual": "more", "value": 2.83})
    'leads run away'
    >>> _what({"measure": "slope", "unusual": "less", "value": 1.3})
    'leads grow slowly'
    """
    measure = MEASURES[row["measure"]]
    if row["measure"] == "slope" and row["value"] > 1 + EVEN:
        return "leads run away" if row["unusual"] == "more" else "leads grow slowly"
    return measure.more if row["unusual"] == "more" else measure.less


def heading(findings: Findings) -> str:
    """Return the most unusual measures, or that nothing is unusual and in how many measures."""
    rows = unusual(findings)
    if not rows:
        return f"Nothing stands out from the games measured here, in {_taken(findings)}"
    named = rows if len(rows) <= MAX_MEASURES_NAMED else rows[: MAX_MEASURES_NAMED - 1]
    more = f" and {len(rows) - len(named)} more" if len(named) < len(rows) else ""
    return f"What stands out: {', '.join(map(_what, named))}{more}"


def _taken(findings: Findings) -> str:
    """Return the number of measures compared with other games; without a turn trace there are few."""
    return counted(findings.yardsticks.filter(pl.col("others") > 0).height, "measure")


def yardsticks(findings: Findings) -> Sentence:
    """Return the sentence on what is unusual, or that nothing is."""
    if rows := unusual(findings):
        texts = "; ".join(map(yardstick_sentence, rows))
        return Sentence(f"Unlike the other games measured here: {texts}.", "yardsticks.drop_nulls('unusual')")
    counts = findings.yardsticks.filter(pl.col("others") > 0)["others"].to_list()
    games = f"{ends(str(min(counts)), str(max(counts)))} game{'' if max(counts) == 1 else 's'}"
    each = " a measure" if min(counts) < max(counts) else ""
    taken = _taken(findings)
    text = f"In none of the {taken} taken does it lie outside the others measured here ({games}{each})."
    return Sentence(text, "yardsticks")
