"""What other rules change for the seats: the first-player advantage and the share of every seat."""

import polars as pl

from simkit.pages import Findings, Section, labels_of, prose
from simkit.pages.differences import WORDS, by_rules, difference_figures, difference_tables


def section(found: Findings) -> Section | None:
    """Nothing for a team: the first lines say how its share changes."""
    if found.run.team:
        return None
    changes, two = by_rules(found), set(found.cells["seats"]) == {2}  # then the advantage says it all
    text = prose(f"""Change against the baseline ({labels_of(found).baseline}) on the same deals, with 95 %
        intervals about 0. The first player's advantage is its share less the fair share: a bar to the left
        takes something from the first player.""")
    of = "the first player's advantage" if two else "shares"
    drawn = changes.filter(measure="fpa" if two else "share")
    figures = difference_figures(found, drawn, "seats-change", f"Change of {of}, percentage points")
    told = changes.filter(pl.col("measure").is_in(["fpa", "share"]))
    tables = difference_tables(found, told, "Change of the seats", "rules")
    return Section("What changes for the seats", [text], figures, tables, words=WORDS)
