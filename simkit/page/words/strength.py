"""Sentences about strategies on several pages: who met whom, reversed matches, players that are alike."""

from collections.abc import Iterable, Iterator
from math import comb
from typing import NamedTuple

import polars as pl

from simkit.page.words.labels import labels_of, place
from simkit.page.words.numbers import Sentence, TableRow, capital, games_of_100, join_names, span, whole
from simkit.tables import landscape as landscape_tables
from simkit.tables.findings import Findings, cells
from simkit.tables.players import same_players

MAX_NAMED_STRATEGIES = 4  # strategies, or pairs of them, named in a sentence
DIFFERENT = "Not all of these plans met: each share is against the opponents that the plan had."
UNSETTLED_MATCH = "not settled"


class Meetings(NamedTuple):
    """Strategies at tables of one size in groups linked by games, and whether every one met every other."""

    groups: list[list[str]]
    everybody: bool


class ReversedMatches(NamedTuple):
    """Matches whose winner loses at the setting looked at, and those at settings that reverse no match."""

    swapped: pl.DataFrame
    others: pl.DataFrame

    @property
    def undecided(self) -> pl.DataFrame:
        """Matches that may be reversed, too."""
        return self.others.filter(result=UNSETTLED_MATCH)


def reversals_at(findings: Findings, setting: str) -> ReversedMatches | None:
    """Return how the matches lost at a setting end at others, if some are surely reversed."""
    matchups, pair = landscape_tables.matchups(findings), ["strategy", "opponent"]
    if not matchups.width:
        return None
    lost = matchups.filter(setting=setting, result="loses to").select(*pair, before="share")
    elsewhere = matchups.filter(pl.col("setting") != setting).join(lost, on=pair, maintain_order="left")
    swapped = elsewhere.filter(result="beats")
    others = elsewhere.filter(~pl.col("setting").is_in(swapped["setting"].implode()))
    return ReversedMatches(swapped, others) if swapped.height else None


def reversals(findings: Findings, setting: str) -> list[Sentence]:
    """Return a sentence on the settings at which two strategies surely swap winner and loser."""
    if (matches := reversals_at(findings, setting)) is None:
        return []
    rows = labels_of(findings).label(matches.swapped).rows(named=True)
    texts = [*reversal_words(rows, place(findings, setting)), *_unsettled_pairs(findings, matches)]
    if cells(findings)["seats"].n_unique() > 1:
        texts.append("This is of games of 2 players; larger tables are not compared plan by plan.")
    return [Sentence(text, "matchups") for text in texts]


def _unsettled_pairs(findings: Findings, matches: ReversedMatches) -> Iterator[str]:
    """Yield the pairs whose winner is not settled, with their settings; then what reverses nothing."""
    undecided, others = matches.undecided, matches.others
    if undecided.height:
        of_pairs = labels_of(findings).label(undecided).group_by("strategy", "opponent", maintain_order=True)
        open_pairs = [_open_pair(str(a), str(b), rows) for (a, b), rows in of_pairs]
        yield f"It is not settled who wins {', and '.join(open_pairs)}."
    same = others.filter(~pl.col("setting").is_in(undecided["setting"].implode()))["setting"]
    if len(same):
        names = labels_of(findings).settings(same.unique(maintain_order=True).to_list(), "and")
        yield f"{capital(names)} {'reverse' if same.n_unique() > 1 else 'reverses'} nothing."


def _open_pair(strategy: str, opponent: str, rows: pl.DataFrame) -> str:
    size = span(float(str(rows["low"].min())), float(str(rows["high"].max())), 0, scale=100)
    return f"between {strategy} and {opponent} with {join_names(rows['setting'], 'or')} ({size} games of 100)"


def reversal_words(rows: list[TableRow], usual: str) -> Iterator[str]:
    """Yield for each pair, the one with the greatest change first, which settings reverse who wins.

    >>> row = {"setting": "goal 9", "strategy": "b", "opponent": "a", "share": 0.61, "before": 0.3}
    >>> "".join(reversal_words([row], "at the rulebook"))
    'Goal 9 reverses who wins: b beats a (61 games of 100 instead of 30 at the rulebook).'
    """
    pairs: dict[tuple[str, str], list[TableRow]] = {}
    for row in sorted(rows, key=lambda row: row["before"] - row["share"]):
        pairs.setdefault((row["strategy"], row["opponent"]), []).append(row)
    for number, ((strategy, opponent), own) in enumerate(list(pairs.items())[:MAX_NAMED_STRATEGIES]):
        settings = list(dict.fromkeys(row["setting"] for row in own))
        won = games_of_100(*(row["share"] for row in own))
        beats = f"{strategy} beats {opponent} ({won} instead of {whole(own[0]['before'])} {usual})."
        reverse = (
            f"{capital(join_names(settings))} {'reverse' if len(settings) > 1 else 'reverses'} who wins:"
        )
        yield f"With {join_names(settings, 'or')}, {beats}" if number else f"{reverse} {beats}"


def seats_differ(names: Iterable[str], at: str = "") -> str:
    """Return why strategies are not ranked that did not sit in each seat equally often.

    >>> seats_differ(["a", "b"])
    'Seat and strategy cannot be told apart: a and b did not sit in each seat equally often.'
    """
    sat = "did not sit in each seat equally often"
    return f"Seat and strategy cannot be told apart{at}: {join_names(names)} {sat}."


def meetings_at(meetings: pl.DataFrame, seats: int) -> Meetings:
    """Return which strategies met at tables of a size; `meetings`: rows of one setting."""
    if not meetings.width:
        return Meetings([], True)
    rows = meetings.filter(seats=seats)
    parts = rows.partition_by("group", maintain_order=True)
    groups = [part["strategy"].unique(maintain_order=True).to_list() for part in parts]
    pairs = set(map(frozenset, rows.select("strategy", "opponent").iter_rows()))
    return Meetings(groups, len(pairs) == comb(sum(map(len, groups)), 2))


def same_players_sentences(findings: Findings, setting: str = "") -> list[str]:
    """Return a sentence per pair of strategies that played every deal alike."""
    rows = labels_of(findings).label(same_players(findings)).rows(named=True)
    texts = (
        f"{capital(row['strategy'])} and {row['opponent']} made the same moves in all {row['deals']:,} deals."
        for row in rows
        if setting in ("", row["setting"])
    )
    return list(dict.fromkeys(texts))
