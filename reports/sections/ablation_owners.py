"""Owning a component compared with changing it: how each goes with winning."""

from simkit.reporting.pages import Findings, Section, Show, points, table
from simkit.reporting.text.ablation import word_of

TEXT = (
    "Whoever is ahead can take more, so owners may win for other reasons; what the change does is the cause."
)


def section(findings: Findings) -> Section | None:
    """Return the table of owners, or None for a run without measured owners."""
    rows = findings.ablation_owners
    if not rows.width or rows["gap"].is_null().all():
        return None
    names = "case component owned gap gap_low gap_high effect low high fell"
    shows = {
        "component": Show(word_of(findings.run)),
        "owned": Show("owners", "{:.2f}", "owners in a game, as printed"),
        "gap": Show("owners win more", points, "games of 100 more than all in their place, as printed"),
        "effect": Show("changing it", points, "what it does to the seat that it falls to, games of 100"),
        "fell": Show("n", "{:,}", "games in which it fell to a seat"),
    }
    listed = table(findings, rows, names, "What goes with winning, and what does it", **shows)
    return Section("Owning it and what it does are two things", [TEXT], tables=[listed])
