"""The strategies page: strength and necessity of each strategy, who beats whom, and skill against luck."""

from simkit.reporting.pages import Recipe

recipe = Recipe(
    "strategies report",
    """
    strength
    Who beats whom: matchups
    How much is skill: ladder
    What the seats are worth: mirrors best_choices seats
    Players: who luck
    """,
    needs="strategies that met each other, or teams of several (key round_robin)",
    fits=lambda met: any(map(len, (met.team_strategies, met.mixed_teams, met.ranking))),
    of_team="""
    strength
    Team by team: team_strategies
    Member by member: mixed_teams
    The target: advantage
    Players: who luck
    """,
)
