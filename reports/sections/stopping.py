"""Where a run that decides by itself stopped, and why; the share with and without the adjustment."""

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, prose, table
from simkit.reporting.text import distance
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import Row


def section(findings: Findings) -> Section | None:
    if not findings.run.experiment.adaptive:
        return None
    first = findings.first_player_advantage
    why = [_why(findings, row) for row in first.iter_rows(named=True)]
    rows = first.with_columns(pl.Series("why", why, dtype=pl.String))
    text = prose(f"""This run played each case until it knew enough, at most {findings.run.experiment.deals:,}
        deals. Stopping when the evidence suffices exaggerates a little; the adjusted share takes that
        out.""")
    names = "cell deals why share adjusted low high"
    listed = table(findings, rows, names, "Deals spent", share=f"{side_of(findings.run).name}, plain")
    early = first.filter(pl.col("deals") < findings.run.experiment.deals).height
    heading = f"{early or 'None'} of {counted(first.height, 'case')} stopped before the most deals allowed"
    return Section(heading, [text], tables=[listed])


def _why(findings: Findings, row: Row) -> str:
    keys = findings.run.experiment
    if row["deals"] >= keys.deals:
        return "the most deals allowed" + f" ({row['verdict']})" * keys.until_verdict
    aims = [f"it is {row['verdict']}"] if keys.until_verdict else []
    aims += ["the test of the match is decided"] if keys.until_elo else []
    aims += ["no best mix needs it"] if keys.until_outclassed else []
    aims += [f"interval within {distance(keys.until_width)}"] if keys.until_width else []
    return " and ".join(aims)
