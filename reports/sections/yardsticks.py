"""The feel of the game, compared with the other games measured."""

from simkit.reporting.pages import Findings, Section, here, prose
from simkit.reporting.text.yardsticks import yardsticks

METHOD = prose("""Only what lies clearly outside every other game that comes with simkit is named; each was
    measured on 300 deals with 2 to 4 players.""")


def section(findings: Findings) -> Section | None:
    """Return what is unusual, or None if no other game has any of the measures."""
    if not findings.yardsticks.height or not (findings.yardsticks["others"] > 0).any():
        return None
    text = [yardsticks(findings).text, f"{METHOD} {here(findings)}".strip()]
    return Section("Compared with other games", text)
