"""The strategies page: strength and necessity of each strategy, who beats whom, and skill against luck."""

from simkit.reporting.pages import Recipe

from .sections.advantage import advantage
from .sections.best_choices import best_choices
from .sections.ladder import ladder
from .sections.luck import luck
from .sections.matchups import matchups
from .sections.mirrors import mirrors
from .sections.mixed_teams import mixed_teams
from .sections.seats import seats
from .sections.strength import strength
from .sections.team_strategies import team_strategies
from .sections.who import who

recipe = Recipe(
    "strategies report",
    brief=[strength],
    chapters={
        "Who beats whom": [matchups],
        "How much is skill": [ladder],
        "What the seats are worth": [mirrors, best_choices, seats],
        "Players": [who, luck],
    },
    needs="strategies that met each other, or teams of several (key round_robin)",
    fits=lambda met: any(map(len, (met.team_strategies, met.mixed_teams, met.ranking))),
    of_team={
        "Team by team": [team_strategies],
        "Member by member": [mixed_teams],
        "The target": [advantage],
        "Players": [who, luck],
    },
)
