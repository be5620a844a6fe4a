"""The effects page: what the varied options change, above the rest of the sweep page.

The brief names the settings that most change the length of a game and the wins of the first player.
"""

from dataclasses import replace

import polars as pl

from simkit.page.document.parts import Section, Takeaway
from simkit.page.pictures import query
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import capital, ends, games_of_100, join_names, number
from simkit.page.words.verdicts import side_of
from simkit.tables.compare import comparisons, wins
from simkit.tables.findings import Findings, cells
from simkit.tables.length import lengths
from simkit.tables.seats import first_player_advantage

from .compare import deal_by_deal
from .sections.answer import answer, next_steps
from .sections.changes import changes, sure_changes, tornado
from .sweep import OF_GAMES, OF_SETTINGS
from .sweep import recipe as sweep


def effects_headline(findings: Findings) -> str:
    """Return the settings that most change the game length and the wins of the first player (the team)."""
    frequency = f"how often the {side_of(findings.run).name} wins"
    changes = {
        "the length of a game": _greatest(findings, pl.col("measure") == "turns", " turns", 1),
        frequency: _greatest(findings, wins(findings.run), " percentage points", 100),
    }
    texts = [sentence.format(subject) for subject, sentence in changes.items() if sentence]
    if none := [subject for subject, sentence in changes.items() if not sentence]:
        lineups = " with every lineup" if cells(findings)["lineup"].n_unique() > 1 else ""
        texts.append(f"whether a setting changes {join_names(none, 'or')}{lineups} is not settled")
    return f"{capital('; '.join(texts))}."


def _greatest(findings: Findings, measure: pl.Expr, unit: str, scale: int) -> str:
    """Return the setting that surely changes a measure most; `{}` stands for the measure."""
    row = max(sure_changes(findings, measure), key=lambda row: abs(row["most"]), default=None)
    if row is None:
        return ""
    size = ends(*(number(scale * end, sign=True) for end in sorted((row["difference"], row["most"]))))
    return f"{labels_of(findings).at(row['setting'])} changes {{}} most, by {size}{unit}"


def ranges_over_all(findings: Findings) -> str:
    """Return the range of game lengths and of wins of the first player (the team) over all settings."""
    turns = lengths(findings).filter(measure="turns")["p50"]
    shares = first_player_advantage(findings)["share"]
    games, long = games_of_100(*shares), ends(f"{min(turns)}", f"{max(turns)}")
    return f"Over all settings a game takes {long} turns, and the {side_of(findings.run).name} wins {games}."


def effects(findings: Findings) -> Section:
    """Return the effects against the baseline; without a baseline the answer about fairness."""
    usual = answer(findings)
    if comparisons(findings).is_empty():
        return usual
    source = query(findings, "comparisons", "lengths", "first_player_advantage")
    headline, ranges = effects_headline(findings), ranges_over_all(findings)
    takeaways = [Takeaway(headline, source, "answer"), Takeaway(ranges, kind="advice")]
    sure = [takeaway for takeaway in usual.takeaways if takeaway.kind == "sure"]
    return replace(usual, takeaways=[*takeaways, *sure], stamp=None)


recipe = replace(
    sweep,
    title="what the options change",
    brief=[effects, next_steps],
    chapters={
        "What else changes": [changes],
        "Deal by deal": [deal_by_deal],
        **OF_SETTINGS,
        "Which option matters": [tornado],
        **OF_GAMES,
    },
    of_team={},
)
