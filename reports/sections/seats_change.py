"""What other rules change, deal by deal: of two seats what sitting first is worth, else each share."""

from simkit.pages import Findings, Section, labels_of, prose
from simkit.pages.differences import WORDS, by_rules, difference_figures, difference_tables


def section(found: Findings) -> Section | None:
    """Nothing for a team: the first lines say how its share changes."""
    if found.run.team:
        return None
    changes, two = by_rules(found), set(found.cells["seats"]) == {2}  # then the advantage says it all
    base = f"{labels_of(found).base} ({labels_of(found).baseline})"
    text = prose(f"""Change against the {base} on the same deals, with 95 % intervals, each for itself;
        whether a change is real is decided allowing for all of them.""")
    told = changes.filter(measure="fpa" if two else "share")
    if two:
        tables = difference_tables(found, told, "Change of what sitting first is worth", "rules")
        return Section("What sitting first gains or loses", [text], tables=tables, words=WORDS)
    figures = difference_figures(found, told, "seats-change", "Change of shares, percentage points")
    tables = difference_tables(found, told, "Change of the seats", "rules")
    return Section("What each player gains or loses", [text], figures, tables, words=WORDS)
