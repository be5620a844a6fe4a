"""The sweep page: fairness along the options varied, the setting nearest to fair, and how it feels."""

from simkit.reporting.pages import Chapters, Recipe, axes

from .sections.answer import answer
from .sections.beginners import beginners
from .sections.best_choices import best_choices
from .sections.changes import changes
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
from .sections.next_steps import next_steps
from .sections.pieces import pieces
from .sections.scores import scores
from .sections.seats import seats
from .sections.skill import skill
from .sections.stories import stories
from .sections.tornado import tornado
from .sections.verdict_map import verdict_map
from .sections.verdicts import verdicts
from .sections.who import who
from .sections.yardsticks import yardsticks

OF_SETTINGS: Chapters = {
    "All settings": [confirmed_settings, verdict_map, verdicts, best_choices, seats, cures],
    "Players": [who, skill],
}
OF_GAMES: Chapters = {
    "Length": [length, load],
    "Tension": [drama, yardsticks, endings, scores],
    "Luck": [beginners, luck, kingmaking],
    "What goes with winning": [pieces, components],
    "Games worth a look": [stories],
}
recipe = Recipe(
    "sweep report",
    brief=[answer, next_steps],
    chapters={**OF_SETTINGS, "What else changes": [tornado, changes], **OF_GAMES},
    needs="an option that varies (simkit sweep)",
    fits=lambda findings: bool(axes(findings.run)),
    of_team={
        "All settings": [confirmed_settings, verdict_map, verdicts],
        "Players": [who],
        "What else changes": [tornado, changes],
        "Length": [length, load, yardsticks],
        "How games end": [endings, scores, beginners, luck],
        "Who contributes": [contributions],
        "Members and components": [crew, pieces, components],
        "Games worth a look": [stories],
    },
)
