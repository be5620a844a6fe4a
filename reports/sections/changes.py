"""What each rule set changes besides who wins, and what the same deals gained."""

from simkit.pages import Findings, Section
from simkit.words.changes import also_changed, pairing
from simkit.words.phrases import prose
from simkit.words.rules import rule_name


def section(found: Findings) -> Section | None:
    if not found.comparisons.width:
        return None
    name = rule_name(found)
    texts = [f"{name(setting)}: {said}." for setting, said in also_changed(found)]
    return Section("Besides who wins", [*texts, prose(pairing(found).text)])
