"""Every setting and lineup played, without the pictures that the first screen already shows."""

from dataclasses import replace

from reports.sections import advantage
from simkit.reporting.pages import Findings, Section


def section(findings: Findings) -> Section:
    """Return the section `advantage` without its figures."""
    return replace(advantage.section(findings), figures=[])
