"""The match page: which of two strategies is stronger and by how many Elo, with the course of the test."""

from simkit.reporting.pages import Recipe

from .sections.luck import luck
from .sections.match import match
from .sections.match_course import match_course
from .sections.who import who

recipe = Recipe(
    "match report",
    brief=[match],
    chapters={"The match": [match_course], "Players": [who, luck]},
    needs="a run of simkit match",
    fits=lambda findings: findings.match.width > 0,
)
