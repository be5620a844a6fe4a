"""The default page of a run: whether the game is fair, for whom, and along the options varied."""

from simkit.page.recipe import Recipe

from .sections.answer import answer, next_steps
from .sections.best_choices import best_choices
from .sections.components import components, pieces
from .sections.length import length, load, yardsticks
from .sections.luck import beginners, kingmaking, luck
from .sections.players import skill, strategies, who
from .sections.seats import confirmed_settings, cures, seats, verdict_map, verdicts
from .sections.stories import stories
from .sections.teams import contributions, crew, mixed_teams, team_strategies
from .sections.tension import drama, endings, scores

recipe = Recipe(
    "balance report",
    brief=[answer, next_steps],
    chapters={
        "Seats and settings": [confirmed_settings, seats, verdicts, best_choices, cures],
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
