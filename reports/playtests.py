"""The page of playtests: games of people beside those of simulated players."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "playtests",
    "playtests\nSimulated games: seats length\nPlayers: who",
    needs="a run of simkit playtests",
    fits=lambda findings: findings.playtests.width > 0,
)
