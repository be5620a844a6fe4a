"""The first player's wins where both sides choose best, if every strategy met every other."""

from simkit.reporting.pages import Findings, Section, prose, table
from simkit.reporting.pages.pairings import pairings
from simkit.reporting.text.equilibrium import equilibrium_answer
from simkit.reporting.text.groups import looked_place

TEXT = prose("""Mirrors say what first place is worth to a player; this says what it is worth where either
    side chooses whoever does best there, knowing how the other side chooses.""")


def section(findings: Findings) -> Section | None:
    """Return the equilibrium of the setting shown; `simkit equilibrium` computes the other settings."""
    baseline = findings.at_baseline()
    if not baseline.equilibrium.width:
        return None
    summary = equilibrium_answer(baseline)
    heading = summary.headline.removesuffix(".") + looked_place(findings, baseline.equilibrium)
    names = "seat strategy weight against"
    heads = {"weight": "in the best mix", "seat": "chosen by the", "against": "wins against the other's mix"}
    listed = table(baseline, baseline.equilibrium_mixes, names, "The best mixes", **heads)
    return Section(heading, [summary.advice, TEXT], pairings(baseline, "pairings"), [listed])
