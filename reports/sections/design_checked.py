"""The settings checked on fresh deals: the value of each wish with each lineup, and whether it is met."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, Show, prose, table
from simkit.reporting.text.designs import (
    VERDICT_WORDS,
    amount,
    goal_words,
    goals_of,
    interval_words,
    played_again,
    wish_words,
)

TEXT = prose("""{who} were played again on {deals:,} deals of their own. All intervals of the table hold
    together at 95 %; a wish is met where the interval lies within it, not met where it lies outside, else not
    sure. A wish about the printed rules is told as the difference on the same deals.""")


def section(findings: Findings) -> Section | None:
    """Return a row per setting, wish and lineup, or None for a run that is no design search."""
    if not findings.wishes.width:
        return None
    goals, rows = goals_of(findings.run), []
    settings = dict(findings.cells.select("cell", "setting").iter_rows())
    for setting in findings.checked_settings.rows(named=True):
        for row in findings.wishes.filter(setting=setting["setting_number"]).rows(named=True):
            goal = goals[row["goal"]]
            rows.append(
                {
                    "setting": settings[setting["cell"]],
                    "wished": wish_words(goal.wish),
                    "what": goal_words(findings, goal),
                    "lineup": row["lineup"],
                    "measured": amount(goal, row["value"]),
                    "interval": interval_words(goal, row),
                    "said": VERDICT_WORDS[row["verdict"]],
                }
            )
    frame = pl.DataFrame(rows)
    heads = {"wished": Show("wish"), "what": Show("what")}
    heads |= {"measured": Show("measured"), "interval": Show("interval"), "said": Show("wish is")}
    lineup = ["lineup"] if frame["lineup"].n_unique() > 1 else []
    names = ["setting", "wished", *lineup, "what", "measured", "interval", "said"]
    listed = table(findings, frame, names, "The settings checked, wish by wish", **heads)
    count = findings.wishes["setting"].n_unique()
    subject = played_again(findings)
    text = TEXT.format(who=subject[:1].upper() + subject[1:], deals=findings.run.experiment.deals)
    return Section(f"{counted(count, 'rule set')} on fresh deals, wish by wish", [text], tables=[listed])
