"""Every pairing of a page about best choices: who sat where, what the first player won."""

from simkit.reporting.pages import Findings, Section, table
from simkit.reporting.pages.pairings import pairings, values_along

TEXT = "Games that nobody won count half for either side. Pairings that cannot matter were played less often."


def section(findings: Findings) -> Section | None:
    rows = findings.equilibrium_matrix
    if not rows.width:
        return None
    where = ["setting"] * (rows["setting"].n_unique() > 1)
    names = [*where, "row", "column", "share", "low", "high", "games"]
    heads = {"row": "first player", "column": "second player", "share": "first player wins"}
    listed = table(findings, rows.sort("setting", maintain_order=True), names, "Every pairing", **heads)
    pictures = (
        pairings(findings, "pairings") if values_along(findings) else []
    )  # else it stands on the first screen
    met = rows.select("row", "column").unique().height
    return Section(f"All {met} pairings", [TEXT], pictures, [listed])
