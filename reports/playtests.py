"""The page of playtests: games of people beside simulated ones."""

from simkit.reporting.pages import Recipe

from .sections.length import length
from .sections.playtests import playtests
from .sections.seats import seats
from .sections.who import who

recipe = Recipe(
    "playtests",
    brief=[playtests],
    chapters={"Seats": [playtests], "Simulated games": [seats, length], "Players": [who]},
    needs="a run of simkit playtests",
    fits=lambda findings: findings.playtests.width > 0,
)
