"""The feel of the game, compared with the other games measured."""

from simkit.reporting.pages import Findings, Section, here, prose
from simkit.reporting.text.groups import of_first
from simkit.reporting.text.yardsticks import heading, yardsticks

METHOD = prose("""“Unusual” means clearly outside every other game that comes with simkit, each measured
    on 300 deals with 2 to 4 players.""")


def section(findings: Findings) -> Section | None:
    """Return what is unusual, or None if no other game has any of the measures."""
    if not findings.yardsticks.height or not (findings.yardsticks["others"] > 0).any():
        return None
    text = [yardsticks(findings).text, f"{METHOD} {here(findings)}".strip()]
    return Section(heading(findings) + of_first(findings), text)
