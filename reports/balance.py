"""The default page of a run: whether the game is fair, for whom, and along the options varied."""

from itertools import islice

from simkit.page.document.parts import Section
from simkit.page.recipe import Recipe
from simkit.tables.findings import Findings
from simkit.tables.players import ranking

from .sections.answer import answer, next_steps
from .sections.best_choices import best_choices
from .sections.components import components, pieces
from .sections.length import length, load, yardsticks
from .sections.luck import beginners, kingmaking, luck
from .sections.players import skill, strength_figures, who
from .sections.roles import counters, roles, roles_by_seat
from .sections.seats import confirmed_settings, cures, seats, verdict_map, verdicts
from .sections.stories import stories
from .sections.teams import contributions, crew, mixed_teams, team_strategies
from .sections.tension import drama, endings, scores


def strategies(findings: Findings) -> Section | None:
    """Return how often each strategy wins at the setting in view; None for a team or where none met."""
    if ranking(findings).is_empty() or findings.run.team:
        return None
    return Section("How often each strategy wins", figures=[*islice(strength_figures(findings), 1)])


recipe = Recipe(
    "balance report",
    brief=[answer, next_steps],
    chapters={
        "Seats and settings": [confirmed_settings, seats, verdicts, best_choices, cures],
        "Roles": [roles, roles_by_seat],
        "Who counters whom": [counters],
        "Players": [who, skill, strategies],
        "Length": [length, load],
        "Tension": [drama, yardsticks],
        "Skill and luck": [beginners, luck, kingmaking],
        "How games end": [endings, scores],
        "What goes with winning": [pieces, components],
        "Games worth a look": [stories],
    },
    of_team={
        "Settings": [confirmed_settings, verdict_map, verdicts],
        "Players": [who, team_strategies, mixed_teams],
        "Length": [length, load, yardsticks],
        "Skill and luck": [beginners, luck],
        "How games end": [endings, scores],
        "Who contributes": [contributions],
        "Members and components": [crew, pieces, components],
        "Games worth a look": [stories],
    },
)
