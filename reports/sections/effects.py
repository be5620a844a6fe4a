"""The brief of the effects page: changes of game length and wins by the options varied."""

from dataclasses import replace

import polars as pl

from simkit.analysis.compare import wins
from simkit.reporting.pages import Findings, Section, Takeaway, labels_of, query
from simkit.reporting.text.losses import sure_changes
from simkit.reporting.text.numbers import ends, games_of_100, number
from simkit.reporting.text.perspective import side_of
from simkit.reporting.text.phrases import capital, join_names

from .answer import answer


def effects(findings: Findings) -> Section:
    """Return the effects against the baseline; without a baseline the answer about fairness."""
    usual = answer(findings)
    if not findings.comparisons.width or findings.comparisons.is_empty():
        return usual
    source = query(findings, "comparisons", "lengths", "first_player_advantage")
    headline, ranges = effects_headline(findings), ranges_over_all(findings)
    takeaways = [Takeaway(headline, source, "answer"), Takeaway(ranges, kind="advice")]
    sure = [takeaway for takeaway in usual.takeaways if takeaway.kind == "sure"]
    return replace(usual, takeaways=[*takeaways, *sure], stamp=None)


def effects_headline(findings: Findings) -> str:
    """Return the settings that most change the game length and the wins of the first player (the team)."""
    frequency = f"how often the {side_of(findings.run).name} wins"
    changes = {
        "the length of a game": _greatest(findings, pl.col("measure") == "turns", " turns", 1),
        frequency: _greatest(findings, wins(findings.run), " percentage points", 100),
    }
    texts = [sentence.format(subject) for subject, sentence in changes.items() if sentence]
    if none := [subject for subject, sentence in changes.items() if not sentence]:
        lineups = " with every lineup" if findings.cells["lineup"].n_unique() > 1 else ""
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
    turns, shares = findings.lengths.filter(measure="turns")["p50"], findings.first_player_advantage["share"]
    games, long = games_of_100(*shares), ends(f"{min(turns)}", f"{max(turns)}")
    return f"Over all settings a game takes {long} turns, and the {side_of(findings.run).name} wins {games}."
