"""What other rules change for the first seat, a sentence for each rule set and lineup."""

import math
from typing import Any

import polars as pl

SURE = 0.05  # adjusted p-value below which a difference is said without a doubt


def comparison_sentences(table: pl.DataFrame, gain: bool = True) -> list[str]:
    """What the finding `comparisons` says of the first seat; with `gain` what the common deals were worth."""
    return [_sentence(row, gain) for row in table.filter(measure="fpa").rows(named=True)]


def _sentence(row: dict[str, Any], gain: bool) -> str:
    here, before = (100 * (row[name] + 1 / row["seats"]) for name in ("value", "base_value"))
    more = "more" if row["difference"] > 0 else "less"
    change = (
        f"{abs(100 * row['difference']):.1f} percentage points {more}" if row["difference"] else "no change"
    )
    luck = row["p_adjusted"] >= SURE or row["low"] <= 0 <= row["high"]
    doubt = "; this may be luck" if luck else ""
    worth = gain and row["factor"] and math.isfinite(row["factor"])
    paired = f"; common deals were worth {row['factor']:.1f} times as many" if worth else ""
    ends = f"{100 * row['low']:+.1f} to {100 * row['high']:+.1f}".replace("-", "−")
    return (
        f"With {row['setting']} the first seat wins {here:.1f} % instead of {before:.1f} % "
        f"({row['lineup']}): {change} (95 % interval {ends}, n = {row['deals']:,} common deals"
        f"{doubt}{paired})."
    )
