"""What to do next: the fair value between the values tried, what would settle a verdict."""

from collections.abc import Iterator

from simkit.reporting.document import Step
from simkit.reporting.pages import Findings, Section, labels_of
from simkit.reporting.pages.commands import fair_command, fresh_command, lineups, settle_command
from simkit.reporting.text.answer import advised, in_order
from simkit.reporting.text.phrases import about

MOST_TIMES = 5  # so many times the deals played are still advised


def section(findings: Findings) -> Section:
    return Section(steps=list(_steps(findings)))


def _steps(findings: Findings) -> Iterator[Step]:
    run, labels = findings.run, labels_of(findings)
    if fair := fair_command(run):
        value, good = "value on target" if run.team else "fair value", advised(findings)
        confirm = f"confirm {labels.settings(in_order(findings, good))} and " if good else ""
        yield Step(f"On fresh deals, {confirm}find the exact {value}.", fair)
        return
    base = findings.cells.filter("baseline")["setting"].to_list()
    if picked := [setting for setting in in_order(findings, advised(findings)) if setting not in base]:
        cells = [findings.cells.filter(setting=setting)["cell"][0] for setting in picked]
        commands = "\n".join(fresh_command(run, cell, lineups(run)) for cell in cells)
        yield Step(f"Confirm {labels.settings(picked)} on fresh deals.", commands)
    unsettled = findings.deals_to_settle
    few = unsettled.drop_nulls("needed") if unsettled.height else unsettled
    near = [row["needed"] for row in few.rows(named=True) if row["needed"] <= MOST_TIMES * row["deals"]]
    if near:
        deals = about(max(near))
        what = f"Play on until there is a verdict (about {deals:,} deals for each case)."
        if len(near) < unsettled.height:
            so_many = f"{len(near)} of the {unsettled.height} cases without a verdict"
            what = f"Play on: about {deals:,} deals for each case would settle {so_many}."
        yield Step(what, settle_command(run, deals))
