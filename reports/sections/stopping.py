"""Sequential stopping: where each case stopped and why, with the plain and the adjusted share."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, prose, table
from simkit.reporting.text import distance
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row


def section(findings: Findings) -> Section | None:
    """Return the deals spent by case, or None for a run with a fixed number of deals."""
    if not findings.run.experiment.adaptive:
        return None
    first = findings.first_player_advantage
    reasons = [_stopping_reason(findings, row) for row in first.iter_rows(named=True)]
    rows = first.with_columns(pl.Series("why", reasons, dtype=pl.String))
    text = prose(f"""This run played each case until it knew enough, at most {findings.run.experiment.deals:,}
        deals. Stopping when the evidence suffices exaggerates a little; the adjusted share takes that
        out.""")
    names = "cell deals why share adjusted low high"
    listed = table(findings, rows, names, "Deals spent", share=f"{side_of(findings.run).name}, plain")
    early_count = first.filter(pl.col("deals") < findings.run.experiment.deals).height
    heading = (
        f"{early_count or 'None'} of {counted(first.height, 'case')} stopped before the most deals allowed"
    )
    return Section(heading, [text], tables=[listed])


def _stopping_reason(findings: Findings, row: Row) -> str:
    experiment = findings.run.experiment
    if row["deals"] >= experiment.deals:
        verdict = f" ({row['verdict']})" if experiment.until_verdict else ""
        return f"the most deals allowed{verdict}"
    reasons = [f"it is {row['verdict']}"] if experiment.until_verdict else []
    reasons += ["the test of the match is decided"] if experiment.until_elo else []
    reasons += ["no best mix needs it"] if experiment.until_outclassed else []
    reasons += [f"interval within {distance(experiment.until_width)}"] if experiment.until_width else []
    return " and ".join(reasons)
