"""Pairs of strategies whose result other settings reverse."""

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import games_of_100
from simkit.reporting.text.phrases import Row, Sentence, capital, listed

MAX_PAIRS_NAMED = 4  # pairs named in a sentence


def reversals(findings: Findings, setting: str) -> list[Sentence]:
    """Return the sentence on settings that reverse results of this setting beyond luck, if there are any."""
    matchups = findings.matchups
    if not matchups.width:
        return []
    beats = matchups.filter(result="beats")
    lost = beats.filter(setting=setting).select(strategy="opponent", opponent="strategy")
    others, pair = beats.filter(pl.col("setting") != setting), ["strategy", "opponent"]
    rows = labels_of(findings).named(others.join(lost, on=pair, how="semi", maintain_order="left"))
    return [Sentence(reversal_words(rows.rows(named=True)), "matchups")] if rows.height else []


def reversal_words(rows: list[Row]) -> str:
    """Return which setting reverses which results; the subject is the rule.

    >>> row = {"setting": "goal 9", "strategy": "hold at 20", "opponent": "greedy", "share": 0.61}
    >>> reversal_words([row])
    'Goal 9 reverses beyond luck who wins: hold at 20 beats greedy (61 games of 100).'
    """
    places = list(dict.fromkeys(row["setting"] for row in rows))
    texts = [f"{row['strategy']} beats {row['opponent']} ({games_of_100(row['share'])})" for row in rows]
    more = f"; and {len(texts) - MAX_PAIRS_NAMED} more" if len(texts) > MAX_PAIRS_NAMED else ""
    reverses = "reverse" if len(places) > 1 else "reverses"
    named = "; ".join(dict.fromkeys(texts[:MAX_PAIRS_NAMED]))
    return f"{capital(listed(places))} {reverses} beyond luck who wins: {named}{more}."
