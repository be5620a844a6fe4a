"""The strategies page: strength, pairings, necessity of each strategy, and skill against luck."""

from simkit.reporting.pages import Findings, Recipe


def _met(findings: Findings) -> bool:
    meetings = (findings.team_strategies, findings.mixed_teams) if findings.run.team else (findings.ranking,)
    return any(table.height for table in meetings)


recipe = Recipe(
    "strategies report",
    """
    strength
    Who beats whom: matchups
    How strong: ranking ratings
    Which are needed: landscape ladder
    What the seats are worth: mirrors best_choices seats
    Players: who luck
    """,
    needs="strategies that met each other, or teams of several (key round_robin)",
    fits=_met,
    of_team="""
    strength
    Teams: team_strategies
    Mixed teams: mixed_teams
    Every case: advantage
    Players: who luck
    """,
)
