"""The page of playtests: games of people beside simulated ones."""

from simkit.reporting.pages import Recipe

CHAPTERS = "playtests\nSeats: playtests\nSimulated games: seats length\nPlayers: who"
NEEDS = "a run of simkit playtests"
recipe = Recipe("playtests", CHAPTERS, NEEDS, lambda findings: findings.playtests.width > 0)
