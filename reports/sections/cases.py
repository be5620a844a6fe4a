"""Every setting and lineup that was played, without pictures, where the first screen has drawn them all."""

from dataclasses import replace

from reports.sections import advantage
from simkit.reporting.pages import Findings, Section


def section(findings: Findings) -> Section:
    return replace(advantage.section(findings), figures=[])
