"""What each upgrade is worth: the balance page with prices and owners in front."""

from __future__ import annotations

import dataclasses

from reports import balance
from reports.sections.ownership import ownership_section, ownership_takeaways
from simkit.report import Report
from simkit.runlog import Run


def build(run: Run) -> Report:
    """The page of `balance` with the section on upgrades first."""
    page = balance.build(run)
    return dataclasses.replace(
        page,
        title=page.title.replace("balance", "upgrades"),
        takeaways=[*ownership_takeaways(run), *page.takeaways],
        sections=[ownership_section(run), *page.sections],
    )
