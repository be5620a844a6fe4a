"""The next step after a page about fairness: the fair value between the values tried, or a verdict."""

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
    """Return the step to take next, with its command."""
    target = _target(findings)
    return Section(step=target or _fair_value(findings) or _fresh_deals(findings) or _verdict(findings))


def _target(findings: Findings) -> Step | None:
    """Return the run that judges a team by a target, where there is none."""
    run = findings.run
    if run.judged:
        return None
    words = [f"{run.place}/experiment.toml", "--target", "0.5", "-o", f"{run.place}-judged"]
    return Step("Set a target to judge it.", command_again(run, "run", *words))


def _fair_value(findings: Findings) -> Step | None:
    """Return the search for the fair value of the only number that was swept."""
    run = findings.run
    if not (command := fair_command(run)):
        return None
    value, picked = "value on target" if run.team else "fair value", _unchecked(findings)
    confirm = f"confirm {labels_of(findings).settings(picked)} and " if picked else ""
    return Step(f"On fresh deals, {confirm}find the exact {value}.", command)


def _fresh_deals(findings: Findings) -> Step | None:
    """Return the games that confirm the settings other than the baseline that look fair."""
    run, baseline = findings.run, findings.cells.filter("baseline")["setting"].to_list()
    if not (picked := [setting for setting in _unchecked(findings) if setting not in baseline]):
        return None
    cells = [findings.cells.filter(setting=setting)["cell"][0] for setting in picked]
    commands = "\n".join(fresh_command(run, cell, lineups(run)) for cell in cells)
    return Step(f"Confirm {labels_of(findings).settings(picked)} on fresh deals.", commands)


def _verdict(findings: Findings) -> Step | None:
    """Return the games that settle the cases without a verdict, as far as they are affordable."""
    unsettled = findings.deals_to_settle
    finite = unsettled.drop_nulls("needed").rows(named=True) if unsettled.height else []
    affordable = [row["needed"] for row in finite if row["needed"] <= MAX_DEALS_RATIO * row["deals"]]
    if not affordable:
        return None
    deals = about(max(affordable))
    text = f"Play on until there is a verdict (about {deals:,} deals for each case)."
    if len(affordable) < unsettled.height:
        cases = f"{len(affordable)} of the {unsettled.height} cases without a verdict"
        text = f"Play on: about {deals:,} deals for each case would settle {cases}."
    return Step(text, settle_command(findings.run, deals))


def _unchecked(findings: Findings) -> list[str]:
    """Return the settings that look fair and were not played on fresh deals."""
    return [] if findings.confirmed.width else in_order(findings, advised(findings))
