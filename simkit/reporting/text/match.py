"""Sentences about a match of two strategies: who is stronger, by how much and how certain."""

import math

from simkit.analysis import Findings
from simkit.reporting.text.failed_games import failures
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import interval_words, number, percent, roughly, span
from simkit.reporting.text.phrases import Summary, TableRow, capital

STRONGER, NOT_STRONGER = "H1", "H0"
MAX_RATIO = 100  # widest half interval, in leads, from which the games that settle a match are estimated
ERRORS = "such a test is wrong in at most about one match of 20"
STOPPED = "share and Elo are corrected for stopping: too high as often as too low"
FIXED = "the number of deals was fixed before, as the interval requires"
AT_TABLES = "Elo is of how often each wins alone among the others; 50 % is as good alone as the other"


def match_answer(findings: Findings) -> Summary:
    """Return the result of a match with its certainty and warnings."""
    (row,) = labels_of(findings).label(findings.match).rows(named=True)
    tested = row["decision"] is not None
    sure = [ERRORS, STOPPED] if tested else [FIXED]
    sure += [AT_TABLES] if row["seats"] > 2 else []
    doubts = failures(findings)
    if row["same"]:
        return Summary(" ".join(same_players_sentences(findings)), "", [], doubts)
    return Summary((_of_test if tested else _of_elo)(row), _measurement(row), sure, doubts)


def same_players_sentences(findings: Findings, setting: str = "") -> list[str]:
    """Return a sentence per pair of strategies that played every deal alike."""
    rows = labels_of(findings).label(findings.same_players).rows(named=True)
    texts = (
        f"{capital(row['strategy'])} and {row['opponent']} made the same moves in all {row['deals']:,} deals."
        for row in rows
        if setting in ("", row["setting"])
    )
    return list(dict.fromkeys(texts))


def is_settled(row: TableRow) -> bool:
    """Return whether it is known who is stronger, or that more deals would show no more."""
    beyond = row["decision"] is None and not row["low"] <= 0.5 <= row["high"]
    return bool(row["same"] or beyond or row["decision"] in (STRONGER, NOT_STRONGER))


def _of_test(row: TableRow) -> str:
    """Return the result of a sequential test of the first strategy's lead."""
    first, second, games = row["strategy"], row["opponent"], f"{row['games']:,} games"
    scale = "normalised Elo" if row["normalized"] else "Elo"
    least, most = number(row["elo0"]), f"{number(row['elo1'])} {scale}"
    if row["decision"] == STRONGER:
        lead = f"leads {second} by more than {least} {scale}" if row["elo0"] else f"is stronger than {second}"
        return f"{capital(first)} {lead}, settled in {games}."
    if row["decision"] == NOT_STRONGER:
        return f"{capital(first)} does not lead {second} by {most}, settled in {games}."
    return f"It is not settled after {games} whether {first} leads {second} by {least} or by {most}."


def _of_elo(row: TableRow) -> str:
    """Return which strategy is stronger beyond luck, for a fixed number of deals."""
    first, second = row["strategy"], row["opponent"]
    if row["low"] > 0.5 or row["high"] < 0.5:
        first, second = (first, second) if row["low"] > 0.5 else (second, first)
        return f"{capital(first)} is stronger than {second}."
    needed = games_needed(row)
    more = f": about {roughly(needed)} games would settle it" if needed else ""
    return f"It is not settled whether {first} or {second} is stronger{more}."


def games_needed(row: TableRow) -> int | None:
    """Return about how many games would settle a match if the score stays as it is; None for an even score.

    >>> row = {"score": 0.51, "low": 0.49, "high": 0.53, "games": 2500}
    >>> games_needed(row), games_needed(row | {"score": 0.5})
    (10000, None)
    """
    off = abs(row["score"] - 0.5)
    ratio = (row["high"] - row["low"]) / 2 / off if off else math.inf
    return round(row["games"] * ratio**2) if ratio < MAX_RATIO else None


def _measurement(row: TableRow) -> str:
    """Return the share of the first strategy with its Elo."""
    share = f"{percent(row['score'])} ({span(row['low'], row['high'], scale=100)} %)"
    games = "of the games between them" if row["seats"] == 2 else "against one half where both are equal"
    verb = "wins" if row["seats"] == 2 else "scores"
    elos = f"Elo {elo_interval(row)}"
    if row["normalized"] and row["normalized_elo"] is not None:
        elos += f", normalised Elo {elo_interval(row, 'normalized_elo')}"
    return f"{capital(row['strategy'])} {verb} {share} {games}, {elos}."


def elo_interval(row: TableRow, key: str = "elo") -> str:
    """Return the Elo of a match with its interval; missing ends have no bound.

    >>> elo_interval({"elo": 20.04, "elo_low": 10.0, "elo_high": 30.0})
    '+20.0 (10.0 to 30.0)'
    >>> elo_interval({"elo": None, "elo_low": 400.0, "elo_high": None})
    'without bound (from 400.0 up)'
    """
    low, high = row[f"{key}_low"], row[f"{key}_high"]
    value = "without bound" if row[key] is None else number(row[key], sign=True)
    return f"{value} ({'open' if low is None and high is None else interval_words(low, high)})"
