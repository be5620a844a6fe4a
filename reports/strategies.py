"""The strategies page: strength, pairings, necessity of each strategy, and skill against luck."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "strategies report",
    """
    strength
    Who beats whom: matchups ranking ratings
    Which are needed: landscape ladder
    What the seats are worth: mirrors best_choices seats
    Who played: who luck
    """,
    instead="""no_strategies
    Who played: who luck seats""",
    of_team="""
    strength
    Teams: team_strategies mixed_teams advantage
    Who played: who luck
    """,
)
