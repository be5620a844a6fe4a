"""The game page: one rule set, with its components and stories in the middle."""

from simkit.reporting.pages import Recipe

from .sections.answer import answer
from .sections.beginners import beginners
from .sections.cards_changed import cards_changed
from .sections.components import components
from .sections.drama import drama
from .sections.endings import endings
from .sections.length import length
from .sections.load import load
from .sections.luck import luck
from .sections.pieces import pieces
from .sections.rules import rules
from .sections.scores import scores
from .sections.seats import seats
from .sections.skill import skill
from .sections.stories import stories
from .sections.verdicts import verdicts
from .sections.who import who
from .sections.yardsticks import yardsticks

recipe = Recipe(
    "what happens in the game",
    brief=[answer],
    chapters={
        "The rules": [cards_changed, rules],
        "Seats": [seats, verdicts],
        "Players": [who, skill],
        "Length": [length, load],
        "Tension": [drama, yardsticks],
        "Luck and scores": [beginners, luck, endings, scores],
        "What goes with winning": [pieces, components],
        "Games worth a look": [stories],
    },
    question="What happens in a game of {game}?",
    of_baseline=True,
)
