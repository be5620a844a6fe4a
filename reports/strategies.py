"""How strong each strategy is, who beats whom, which ones matter, how much is skill."""

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
