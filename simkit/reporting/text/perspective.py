"""The side whose share a run measures, and the noun for its lineups."""

from collections.abc import Callable
from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.labels import labels_of, lower_first
from simkit.reporting.text.numbers import distance
from simkit.reporting.text.phrases import TableRow, capital, join_names, prose
from simkit.runs.folder import Run
from simkit.stats.verdicts import INNER, OF_SEATS, OF_TEAM, OUTER


class Side(NamedTuple):
    """The side whose share a run measures, and its target."""

    name: str
    aim: str
    verdicts: tuple[str, ...]


class Claim(NamedTuple):
    """What is said of tables of one size, and the numbers behind it."""

    text: str
    numbers: str
    settled: bool = True


FIRST_SEAT = Side("first player", "fair", OF_SEATS)
TEAM = Side("team", "the target", OF_TEAM)
SCALE = prose("""FAIR means that every seat is less than {margin} off its fair share, BORDERLINE that the
    farthest is {half:g} to {more:g} off (your call), UNFAIR that the farthest is more than {whole:g} off""")
SCALE_OF_TEAM = prose("""ON TARGET means that the team is less than {margin} off its target, BORDERLINE that
    it is {half:g} to {more:g} off (your call), TOO EASY or TOO HARD that it is more than {whole:g} off""")


def side_of(run: Run) -> Side:
    """Return the side whose share a run measures."""
    return TEAM if run.team else FIRST_SEAT


def verdict_scale(run: Run) -> str:
    """Return the meaning of all verdicts in one sentence."""
    half, whole, more = (100 * part * run.experiment.margin for part in (INNER, 1, OUTER))
    text = SCALE_OF_TEAM if run.team else SCALE
    return text.format(margin=distance(run.experiment.margin), half=half, whole=whole, more=more)


def beyond_two(findings: Findings) -> bool:
    """Return whether more than two seats play against each other, so that one share is not enough."""
    return not findings.run.team and max(findings.cells["seats"]) > 2


def players(findings: Findings) -> str:
    """Return the noun for several lineups."""
    if findings.run.team:
        return "teams"
    strategies = {cell.labels[0] for cell in findings.run.cells}
    alike = labels_of(findings).all_alike and len(strategies) == findings.cells["lineup"].n_unique()
    return "computer players" if alike else "lineups"


def of_each_size(findings: Findings, text_of: Callable[[Findings], str]) -> str:
    """Return a text for each number of players."""
    texts = {seats: text_of(part) for seats, part in findings.by_size()}
    return next(iter(texts.values())) if len(texts) == 1 else texts_of_sizes(texts)


def texts_of_sizes(texts: dict[int, str]) -> str:
    """Return a text for each number of players; what several say, or begin with up to a colon, is said once.

    >>> texts_of_sizes({2: "Keep it.", 3: "Keep it.", 4: ""})
    'With 2 and 3 players: keep it.'
    >>> texts_of_sizes({2: "The game is UNFAIR: 60.", 3: "The game is UNFAIR: 70."})
    'The game is UNFAIR: with 2 players 60; with 3 players 70.'
    """
    sizes, heads = dict[str, list[str]](), {text.rpartition(": ")[0] for text in texts.values() if text}
    for seats, text in texts.items():
        if text:
            sizes.setdefault(text, []).append(str(seats))
    sized = {text: f"with {join_names(seats)} players" for text, seats in sizes.items()}
    if len(sizes) > 1 and len(heads) == 1 and heads != {""}:
        (head,) = heads
        tails = (f"{who} {text.rpartition(': ')[2].rstrip('.')}" for text, who in sized.items())
        return f"{head}: {'; '.join(tails)}."
    return " ".join(f"{capital(who)}: {lower_first(text)}" for text, who in sized.items())


def join_sizes(claims: dict[int, Claim]) -> list[str]:
    """Return sentences on each number of players, what is settled first; a common claim is said once.

    >>> wins = [Claim("the game is UNFAIR", won) for won in ("60", "70")]
    >>> join_sizes({2: wins[0]})
    ['The game is UNFAIR: 60.']
    >>> join_sizes({2: wins[0], 3: wins[1]})
    ['The game is UNFAIR: with 2 players 60; with 3 players 70.']
    >>> join_sizes({2: Claim("the game is NOT SETTLED", "50", settled=False), 3: Claim("it is UNFAIR", "70")})
    ['It is UNFAIR: with 3 players 70.', 'The game is NOT SETTLED: with 2 players 50.']
    """
    ordered = sorted(claims.values(), key=lambda claim: not claim.settled)
    sentences = []
    for text in dict.fromkeys(claim.text for claim in ordered):
        numbers = {seats: claim.numbers for seats, claim in claims.items() if claim.text == text}
        sized = [f"with {seats} players {won}" if len(claims) > 1 else won for seats, won in numbers.items()]
        sentences.append(f"{capital(text)}: {'; '.join(sized)}.")
    return sentences


def label_rows(findings: Findings, table: pl.DataFrame) -> list[TableRow]:
    """Return the rows of a table, labelled."""
    return labels_of(findings).label(table).rows(named=True)
