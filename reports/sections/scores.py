"""Final scores by seat; of a team the common score."""

import polars as pl

from simkit.reporting.pages import Findings, Section, Show, table, with_extremes


def scores(findings: Findings) -> Section:
    """Return the mean scores with their intervals and standard deviations."""
    words, scores, team = findings.run.words, findings.scores, findings.run.team
    scores = scores.filter(seat=0) if team else scores
    heads = {"mean": Show(f"mean score ({words.score})", "{:.2f}")}
    heads |= {"sd": Show("sd", "{:.2f}", "standard deviation")}
    names, caption = ("cell", "Score") if team else ("cell seat", "Score of each seat")
    listed = table(findings, scores, f"{names} mean low high sd n", caption, **heads)
    deviation = (pl.col("mean") - pl.col("mean").mean()).abs()
    listed = with_extremes(listed, scores, deviation, "the highest and the lowest scores")
    text = [f"Score: {words.score_is}."] if words.score_is else []
    return Section("Scores", text, tables=[listed])
