"""Next steps: the fair value between the values tried, and the deals that would settle a verdict."""

from collections.abc import Iterator

from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, labels_of
from simkit.reporting.pages.commands import (
    command_again,
    fair_command,
    fresh_command,
    lineups,
    settle_command,
)
from simkit.reporting.text.answer import advised, in_order
from simkit.reporting.text.phrases import about

MAX_DEALS_RATIO = 5  # most deals still advised, as a multiple of those played


def section(findings: Findings) -> Section:
    """Return the steps to take next, each with its command."""
    return Section(steps=list(_steps(findings)))


def _steps(findings: Findings) -> Iterator[Step]:
    run, labels = findings.run, labels_of(findings)
    if not run.judged:
        words = ["--target", "0.5", "-o", f"{run.place}-judged"]
        yield Step(
            "Set a target to judge it.", command_again(run, "run", f"{run.place}/experiment.toml", *words)
        )
        return
    if command := fair_command(run):
        value, picked = "value on target" if run.team else "fair value", _unchecked(findings)
        confirm = f"confirm {labels.settings(picked)} and " if picked else ""
        yield Step(f"On fresh deals, {confirm}find the exact {value}.", command)
        return
    baseline = findings.cells.filter("baseline")["setting"].to_list()
    if picked := [setting for setting in _unchecked(findings) if setting not in baseline]:
        cells = [findings.cells.filter(setting=setting)["cell"][0] for setting in picked]
        commands = "\n".join(fresh_command(run, cell, lineups(run)) for cell in cells)
        yield Step(f"Confirm {labels.settings(picked)} on fresh deals.", commands)
    unsettled = findings.deals_to_settle
    finite = unsettled.drop_nulls("needed") if unsettled.height else unsettled
    affordable = [
        row["needed"] for row in finite.rows(named=True) if row["needed"] <= MAX_DEALS_RATIO * row["deals"]
    ]
    if affordable:
        deals = about(max(affordable))
        text = f"Play on until there is a verdict (about {deals:,} deals for each case)."
        if len(affordable) < unsettled.height:
            cases = f"{len(affordable)} of the {unsettled.height} cases without a verdict"
            text = f"Play on: about {deals:,} deals for each case would settle {cases}."
        yield Step(text, settle_command(run, deals))


def _unchecked(findings: Findings) -> list[str]:
    """Return the settings that look fair and were not played on fresh deals."""
    return [] if findings.confirmed.width else in_order(findings, advised(findings))
