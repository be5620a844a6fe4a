"""Every pairing of two strategies: the seats and the first player's wins."""

from simkit.reporting.pages import Findings, Section, prose, table

from .equilibrium import pairings, value_along

PAIRINGS_TEXT = prose("""Games that nobody won count half for either side. Pairings that cannot matter were
    played less often.""")


def equilibrium_matrix(findings: Findings) -> Section:
    """Return all pairings."""
    rows = findings.equilibrium_matrix
    names = f"{'setting' if rows['setting'].n_unique() > 1 else ''} row column share low high games"
    heads = {"row": "first player", "column": "second player", "share": "first player wins"}
    listed = table(findings, rows.sort("setting", maintain_order=True), names, "Every pairing", **heads)
    # Without values along an option the brief shows the pairings.
    pictures = [pairings(findings)] if value_along(findings) else []
    return Section("All pairings", [PAIRINGS_TEXT], pictures, [listed])
