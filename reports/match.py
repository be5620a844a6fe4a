"""The match page: which of two strategies is stronger and by how many Elo, with the course of the test."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "match report",
    """
    match
    The match: match_course
    Players: who luck
    """,
    needs="a run of simkit match",
    fits=lambda findings: findings.match.width > 0,
)
