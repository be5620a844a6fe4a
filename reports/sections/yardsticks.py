"""The feel of the game, compared with the other games measured."""

import polars as pl

from simkit.formatting import counted, formed
from simkit.reporting.pages import Findings, Section, here, prose
from simkit.reporting.text.phrases import TableRow

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
YARDSTICKS_METHOD = prose("""Only what lies clearly outside every other game that comes with simkit is named;
    each was measured on 300 deals with 2 to 4 players.""")


def yardsticks(findings: Findings) -> Section | None:
    """Return what is unusual, or None if no other game has any of the measures."""
    if not findings.yardsticks.height or not (findings.yardsticks["others"] > 0).any():
        return None
    text = [unusual(findings), f"{YARDSTICKS_METHOD} {here(findings)}".strip()]
    return Section("Compared with other games", text)


def unusual(findings: Findings) -> str:
    """Return what lies outside the range of all other games, the farthest first, or that nothing does."""
    beyond = pl.max_horizontal(pl.col("value") - pl.col("most"), pl.col("least") - pl.col("value"))
    size = beyond / (pl.col("most") - pl.col("least")).clip(1e-9)
    rows = findings.yardsticks.drop_nulls("unusual").sort(size, descending=True).rows(named=True)
    if rows:
        texts = "; ".join(map(_measure, rows))
        return f"Unlike the other games measured here: {texts}."
    taken = counted(findings.yardsticks.filter(pl.col("others") > 0).height, "measure")
    return f"Nothing stands out from the other games measured here, in {taken}."


def _measure(row: TableRow) -> str:
    """Return an unusual measure as text: `decisions per player 25 (in 5 other games 30 to 90)`.

    >>> _measure({"measure": "slope", "value": 2.0, "others": 5, "least": 0.4, "most": 1.2})
    'lead kept after a round 200 % (in 5 other games 40 to 120 %)'
    """
    label, form = MEASURES[row["measure"]]
    value, least, most = (formed(form, row[name]).replace("%", " %") for name in ("value", "least", "most"))
    others = f"in {counted(row['others'], 'other game')} {least.removesuffix(' %')} to {most}"
    return f"{label} {value} ({others})"
