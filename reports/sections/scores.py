"""Final scores by seat; of a team the common score."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, prose, table, with_extremes
from simkit.reporting.text import headings

DEVIATION = (pl.col("mean") - pl.col("mean").mean()).abs()
EXTREMES = "the highest and the lowest scores"


def section(findings: Findings) -> Section:
    """Return the mean scores with their intervals and standard deviations."""
    points = findings.run.words.score
    text = prose(f"""Final scores ({points}) by seat: the mean with its 95 % interval, and how far single
        games scatter around it (sd).""")
    mean = Show(f"mean score ({points})", "{:.2f}")
    sd, names = Show("sd", "{:.2f}", "standard deviation"), "cell seat mean low high sd n"
    if findings.run.team:
        text += f" Score: {findings.run.words.score_is}." if findings.run.words.score_is else ""
        text, team = text.replace(" by seat", ""), findings.scores.filter(seat=0)
        names = names.replace(" seat", "")
        listed = table(findings, team, names, "Score", mean=mean, sd=sd)
        listed = with_extremes(listed, team, DEVIATION, EXTREMES)
        return Section(headings.scores(findings), [text], tables=[listed])
    listed = table(findings, findings.scores, names, "Score of each seat", mean=mean, sd=sd)
    listed = with_extremes(listed, findings.scores, DEVIATION, EXTREMES)
    return Section(headings.scores(findings), [text], tables=[listed])
