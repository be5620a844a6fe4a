"""Comparison of a game with the other games measured here; only unusual values are mentioned."""

import polars as pl

from simkit.analysis import Findings
from simkit.formatting import counted, formed
from simkit.reporting.text.phrases import Row, Sentence

MEASURES = {  # label and format of each measure
    "decisions": ("decisions per player", "{:.0f}"),
    "per_turn": ("decisions in a turn", "{:.1f}"),
    "branching": ("possibilities at a decision", "{:.0f}"),
    "wait": ("decisions of others in between", "{:.1f}"),
    "lead_changes": ("changes of the lead", "{:.1f}"),
    "decided": ("part of the game until it is decided", "{:.0%}"),
    "late": ("late leaders who lose", "{:.0%}"),
    "slope": ("lead kept after a round", "{:.0%}"),
    "draws": ("drawn games", "{:.1%}"),
    "beginner": ("wins kept by a player who errs", "{:.0%}"),
    "team_beginner": ("wins kept with a player who errs", "{:.0%}"),
    "king": ("kings made by the last player", "{:.0%}"),
}


def yardstick_sentence(row: Row) -> str:
    """Return an unusual measure as text: `decisions per player 25 (in 5 other games 30 to 90)`.

    >>> yardstick_sentence({"measure": "slope", "value": 2.0, "others": 5, "least": 0.4, "most": 1.2})
    'lead kept after a round 200 % (in 5 other games 40 to 120 %)'
    """
    label, form = MEASURES[row["measure"]]
    value, least, most = (formed(form, row[name]).replace("%", " %") for name in ("value", "least", "most"))
    others = f"in {counted(row['others'], 'other game')} {least.removesuffix(' %')} to {most}"
    return f"{label} {value} ({others})"


def yardsticks(findings: Findings) -> Sentence:
    """Return what lies outside the range of all other games, the farthest first, or that nothing does."""
    beyond = pl.max_horizontal(pl.col("value") - pl.col("most"), pl.col("least") - pl.col("value"))
    size = beyond / (pl.col("most") - pl.col("least")).clip(1e-9)
    rows = findings.yardsticks.drop_nulls("unusual").sort(size, descending=True).rows(named=True)
    if rows:
        texts = "; ".join(map(yardstick_sentence, rows))
        return Sentence(f"Unlike the other games measured here: {texts}.", "yardsticks.drop_nulls('unusual')")
    taken = counted(findings.yardsticks.filter(pl.col("others") > 0).height, "measure")
    return Sentence(f"Nothing stands out from the other games measured here, in {taken}.", "yardsticks")
