"""Whose share a run is about, and what several lineups are called."""

from typing import NamedTuple

import polars as pl

from simkit.analysis import Findings
from simkit.runlog import Run
from simkit.stats.verdicts import BORDERLINE, EASY, FAIR, FAULTY, HARD, INNER, ON_TARGET, TOO_FEW, UNFAIR
from simkit.words.labels import labels_of
from simkit.words.phrases import Row, distance


class Side(NamedTuple):
    """Whose share a run is about, and what it should be near."""

    name: str
    aim: str
    verdicts: tuple[str, ...]


OPEN = (TOO_FEW, BORDERLINE, FAULTY)
FIRST_SEAT = Side("first player", "fair", (FAIR, UNFAIR, *OPEN))
TEAM = Side("team", "the target", (ON_TARGET, EASY, HARD, *OPEN))


def side_of(run: Run) -> Side:
    return TEAM if run.team else FIRST_SEAT


def inner_margin(run: Run) -> str:
    """How far off at least a seat is that makes a case UNFAIR."""
    return distance(INNER * run.experiment.margin)


def beyond_two(found: Findings) -> bool:
    """Whether one share does not say it all: three and more seats that play against each other."""
    return not found.run.team and max(found.cells["seats"]) > 2


def players(found: Findings) -> str:
    """What several lineups are called."""
    if found.run.team:
        return "teams"
    if not labels_of(found).all_alike:
        return "lineups"
    strategies = len({cell.labels[0] for cell in found.run.cells})
    lineups = found.cells["lineup"].n_unique()
    return "computer players" if strategies == lineups else "table sizes" if strategies == 1 else "lineups"


def named(found: Findings, table: pl.DataFrame) -> list[Row]:
    return labels_of(found).named(table).rows(named=True)
