"""Results of `learn`: what players were trained for, how they became stronger, how they did at the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import polars as pl
from pydantic import BaseModel, Field

from simkit.engine.strategy import BEST, LEARNED
from simkit.runs.answers import Count, Number, SettingValue, Share, Stage, StudyResults
from simkit.runs.folder import open_run
from simkit.tables.findings import Findings, finding
from simkit.tables.players import strategy_shares
from simkit.tables.reading import reals, text_columns, whole
from simkit.tables.teams import team_strategies

SELF, IMPROVE = "self", "improve"  # teachers
SEARCHES = "searches"  # name of the side run against players that search


@dataclass(frozen=True)
class Request:
    """What a player is trained for."""

    game: str
    seats: int
    fixed: dict[str, Any]  # options with one value
    vary: dict[str, list[Any]]  # options that vary from game to game, with their values
    files: dict[str, str]  # the designer's own tables
    games: int
    seed: int
    name: str
    start: str  # strategy to go on from, as written in a lineup; empty for none
    panel: list[str]  # strategies that measure the player, the best scripted one first
    command: str  # that trains the player


class Look(BaseModel):
    """An interim measurement of a player in training."""

    games: Count  # trained with so far
    share: Share  # against the best scripted player
    low: Share
    high: Share
    loss: Number


class Student(BaseModel):
    """A player that was trained."""

    name: str
    seed: int
    teacher: str  # self or improve
    trial: dict[str, Share] = {}  # of each teacher, the share against the panel after a short training
    curve: list[Look]


class Learning(StudyResults):
    """The results of a training; the run in the folder plays the final check."""

    kind: Literal["learn"] = "learn"
    seats: Count
    games: Count
    fixed: dict[str, SettingValue]
    vary: dict[str, list[SettingValue]]
    panel: list[str] = Field(min_length=1)  # the best scripted player first
    students: list[Student] = Field(min_length=1)
    side_runs: list[Stage]

    @property
    def stages(self) -> list[str]:
        """Names of the side runs."""
        return self.side_runs


def label_of(name: str) -> str:
    """Return a learned player as written in a lineup.

    >>> label_of("best"), label_of("late")
    ('learned', 'learned(name=late)')
    """
    return LEARNED if name == BEST else f"{LEARNED}(name={name})"


def is_stronger(findings: Findings, player: str) -> bool:
    """Return whether a player surely wins more than its share against the best scripted player."""
    best = findings.run.answer_of(Learning).panel[0]
    return bool(learned_matches(findings).filter(player=player, opponent=best)["ahead"].item())


@finding
def learning_curve(findings: Findings) -> pl.DataFrame:
    """Per player of a training and look: games so far, share against the best scripted player, interval.

    loss: of the net on the samples of the last games.
    """
    if findings.run.kind != "learn":
        return pl.DataFrame()
    students = findings.run.answer_of(Learning).students
    rows = [{"player": each.name, **look.model_dump()} for each in students for look in each.curve]
    kinds = text_columns("player") | whole("games") | reals("share", "low", "high", "loss")
    return pl.DataFrame(rows, schema=kinds)


@finding
def learned_matches(findings: Findings) -> pl.DataFrame:
    """Per learned player of a training and opponent on fresh deals: share, interval, and the fair share.

    ahead: whether the player surely wins more; a team is compared with the opponent's own team.
    """
    if findings.run.kind != "learn":
        return pl.DataFrame()
    rows = (_team_matches if findings.run.team else _matches)(findings)
    kinds = text_columns("player", "opponent") | reals("share", "low", "high", "fair") | whole("games")
    return pl.DataFrame(rows, schema_overrides=kinds)


def _matches(findings: Findings) -> list[dict[str, Any]]:
    """Return a row per player and opponent, the searches last, which a side run plays."""
    rows, labels = list[dict[str, Any]](), _labels(findings)
    for part in [findings, *_search_matches(findings)]:
        lineups = {cell.index: cell.labels for cell in part.run.cells}
        for row in strategy_shares(part).rows(named=True):
            if row["strategy"] in labels:
                opponent = lineups[row["cell"]][-1]
                rows.append(_row(labels[row["strategy"]], opponent, row, row["low"] > row["fair"]))
    return rows


def _search_matches(findings: Findings) -> list[Findings]:
    """Return the findings of the side run against searches, if it is there."""
    return [Findings(open_run(place)) for place in findings.run.search_runs if place.name == SEARCHES]


def _team_matches(findings: Findings) -> list[dict[str, Any]]:
    """Return a row per player, whose team is compared deal by deal with that of the best scripted player."""
    labels, every = _labels(findings), team_strategies(findings).rows(named=True)
    (best,) = (row for row in every if row["against"] is None)
    return [
        _row(
            labels[row["strategy"]],
            best["strategy"],
            row | {"fair": best["share"]},
            row["difference_low"] > 0,
        )
        for row in every
        if row["strategy"] in labels
    ]


def _labels(findings: Findings) -> dict[str, str]:
    """Return the names of the players by how lineups write them."""
    return {label_of(each.name): each.name for each in findings.run.answer_of(Learning).students}


def _row(player: str, opponent: str, row: dict[str, Any], ahead: bool) -> dict[str, Any]:
    """Return the row of a match from that of the player's share."""
    numbers = {name: row[name] for name in ("share", "low", "high", "fair", "games")}
    return {"player": player, "opponent": opponent, **numbers, "ahead": ahead}
