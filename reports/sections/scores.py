"""Final scores by seat; of a team the common score."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, table, with_extremes
from simkit.reporting.text import headings

DEVIATION = (pl.col("mean") - pl.col("mean").mean()).abs()
EXTREMES = "the highest and the lowest scores"


def section(findings: Findings) -> Section:
    """Return the mean scores with their intervals and standard deviations."""
    words, scores, team = findings.run.words, findings.scores, findings.run.team
    text = [f"Score: {words.score_is}."] if words.score_is else []
    scores = scores.filter(seat=0) if team else scores
    heads = {"mean": Show(f"mean score ({words.score})", "{:.2f}")}
    heads |= {"sd": Show("sd", "{:.2f}", "standard deviation")}
    names = f"cell {'' if team else 'seat'} mean low high sd n"
    listed = table(findings, scores, names, "Score" if team else "Score of each seat", **heads)
    return Section(
        headings.scores(findings), text, tables=[with_extremes(listed, scores, DEVIATION, EXTREMES)]
    )
