"""The comparison page: rule sets against the baseline on the same deals."""

from simkit.reporting.pages import Chapters, Recipe

from .sections.cards_changed import cards_changed
from .sections.changes import changes
from .sections.confirmed import confirmed_settings
from .sections.cures import cures
from .sections.deal_by_deal import deal_by_deal
from .sections.drama import drama
from .sections.endings import endings
from .sections.luck import luck
from .sections.matchups import matchups
from .sections.next_steps import next_steps
from .sections.pieces import pieces
from .sections.rule_sets import rule_sets
from .sections.seats import seats
from .sections.stories import stories
from .sections.verdicts import verdicts
from .sections.who import who

OF_RULES: Chapters = {
    "What would be fair": [confirmed_settings, cures],
    "Your own cards": [cards_changed],
    "What else changes": [changes],
    "Deal by deal": [deal_by_deal],
    "Tension": [drama],
    "What goes with winning": [pieces],
    "Games worth a look": [stories],
}
OF_PLAYERS: Chapters = {"Who beats whom": [matchups], "Players and certainty": [verdicts, luck, seats, who]}
recipe = Recipe(
    "comparison of rules",
    brief=[rule_sets, next_steps],
    chapters={**OF_RULES, **OF_PLAYERS},
    of_team={**OF_RULES, "How it ends": [endings], **OF_PLAYERS},
    needs="several settings of the rules and a baseline among them (simkit compare)",
    fits=lambda findings: findings.comparisons.height > 0,
)
