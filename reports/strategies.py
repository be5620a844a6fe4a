"""The strategies page: strength and necessity of each strategy, who beats whom, and skill against luck."""

from simkit.reporting.pages import Findings, Recipe


def _met(findings: Findings) -> bool:
    meetings = (findings.team_strategies, findings.mixed_teams) if findings.run.team else (findings.ranking,)
    return any(table.height for table in meetings)


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
    fits=_met,
    of_team="""
    strength
    Team by team: team_strategies
    Member by member: mixed_teams
    The target: advantage
    Players: who luck
    """,
)
