"""What the first player wins if both choose their strategies best, where every strategy met every one."""

from simkit.reporting.pages import Findings, Section, prose, table
from simkit.reporting.pages.pairings import pairings
from simkit.reporting.text.equilibrium import equilibrium_answer
from simkit.reporting.text.groups import looked_place

TEXT = prose("""Mirrors say what first place is worth to a player; this says what it is worth where either
    side chooses whoever does best there, knowing how the other side chooses.""")


def section(findings: Findings) -> Section | None:
    """Of the setting looked at only: others take their time, and `simkit equilibrium` is for them."""
    here = findings.looked()
    if not here.equilibrium.width:
        return None
    told = equilibrium_answer(here)
    heading = told.headline.removesuffix(".") + looked_place(findings, here.equilibrium)
    names = "seat strategy weight against"
    heads = {"weight": "in the best mix", "seat": "chosen by the", "against": "wins against the other's mix"}
    listed = table(here, here.equilibrium_mixes, names, "The best mixes", **heads)
    return Section(heading, [told.advice, TEXT], pairings(here, "pairings"), [listed])
