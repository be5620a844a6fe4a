"""The default page of a run: whether the game is fair, for whom, and along the options varied."""

from simkit.reporting.pages import Recipe

from .sections.answer import answer
from .sections.beginners import beginners
from .sections.best_choices import best_choices
from .sections.components import components
from .sections.confirmed import confirmed_settings
from .sections.contributions import contributions
from .sections.crew import crew
from .sections.cures import cures
from .sections.drama import drama
from .sections.endings import endings
from .sections.kingmaking import kingmaking
from .sections.length import length
from .sections.load import load
from .sections.luck import luck
from .sections.mixed_teams import mixed_teams
from .sections.next_steps import next_steps
from .sections.pieces import pieces
from .sections.scores import scores
from .sections.seats import seats
from .sections.skill import skill
from .sections.stories import stories
from .sections.strategies import strategies
from .sections.team_strategies import team_strategies
from .sections.verdict_map import verdict_map
from .sections.verdicts import verdicts
from .sections.who import who
from .sections.yardsticks import yardsticks

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
