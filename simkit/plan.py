"""How many deals a question needs, before they are played; with the scatter of a run at hand, from that."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from simkit import analysis
from simkit.errors import UsageError
from simkit.stats import planning, verdicts
from simkit.stats.quantiles import normal

if TYPE_CHECKING:
    from simkit.runlog import Run

MOST = 10**12  # deals
BAR = math.log(20)  # evidence that settles a single cell


class Need(NamedTuple):
    """Something one may want to know, and the deals (per cell) that it takes."""

    cell: str
    question: str
    deals: int | None  # None: no number of deals is enough
    note: str = ""
    seconds: float | None = None  # at the pace of the run, all workers together


class Aim(NamedTuple):
    """What is to be told apart: an effect in shares (0.02 = 2 points), at which level, with which power, against which margin."""

    effect: float
    level: float = 0.95
    power: float = 0.8
    margin: float = 0.02


def plan(seats: int, aim: Aim) -> list[Need]:
    """The needs of single games between equal strategies, whose scatter is known beforehand."""
    _check(seats, aim)
    fair = 1 / seats
    single = planning.games_needed(aim.effect, seats, aim.level, aim.power)
    apart = 2 * fair * (1 - fair)
    return [
        Need("", f"one seat's share differs from 1/{seats} by {_points(aim.effect)}", single, "one test, one look"),
        Need("", f"its interval is ± {_points(aim.effect)}", planning.deals_for_width(aim.effect, fair * (1 - fair), aim.level)),
        Need("", f"two rule sets differ by {_points(aim.effect)}", planning.deals_needed(aim.effect, apart, aim.level, aim.power),
             "per rule set, on deals of their own; common deals need fewer"),
        *_verdicts("", seats, fair * (1 - fair), aim),
    ]  # fmt: skip


def plan_from(run: Run, aim: Aim) -> list[Need]:
    """The needs of each cell of a run, from the scatter of its deals, and the time they would take at its pace."""
    _check(2, aim)
    pace = run.manifest["seconds"] / max(1, run.manifest["games"])
    found = []
    for cell in run.cells:
        rows = run.only([cell.index]).seats().filter((pl.col("cell") == cell.index) & (pl.col("seat") == 0))
        values = (
            rows.group_by("deal").agg(pl.col("share").mean()).collect(engine="streaming")["share"].to_numpy()
        )
        words = ", ".join(
            filter(None, [analysis.setting_words(cell.varied), analysis.lineup_words(cell.labels)])
        )
        needs = _of_share(words, values, 1 / cell.seats, aim) if len(values) > 1 else []
        found += [
            need._replace(seconds=None if need.deals is None else need.deals * cell.rotations * pace)
            for need in needs
        ]
    return found + _of_pairs(run, aim, pace)


def _check(seats: int, aim: Aim) -> None:
    if not 0 < aim.effect < 1 - 1 / seats:
        raise UsageError(f"an effect of {aim.effect:g} leaves no share between 0 and 1; 0.02 is 2 points")


def _of_share(words: str, values: np.ndarray, fair: float, aim: Aim) -> list[Need]:
    variance = float(values.var(ddof=1))
    if not variance > 0:
        return [Need(words, "anything", None, "the deals of this run do not vary")]
    test = planning.deals_needed(aim.effect, variance, aim.level, aim.power)
    width = planning.deals_for_width(aim.effect, variance, aim.level)
    return [
        Need(
            words,
            f"the first seat differs from its fair share by {_points(aim.effect)}",
            test,
            "one test, one look",
        ),
        Need(words, f"its interval is ± {_points(aim.effect)}", width),
        *_verdicts(words, round(1 / fair), variance, aim),
    ]


def _of_pairs(run: Run, aim: Aim, pace: float) -> list[Need]:
    """Rule sets against the baseline on common deals."""
    if not any(cell.baseline for cell in run.cells) or all(cell.baseline for cell in run.cells):
        return []
    table = analysis.comparisons(run).filter(pl.col("measure") == "share of seat 0")
    found = []
    for row in table.iter_rows(named=True):
        cell = run.cells[row["cell"]]
        variance = row["variance"]
        if variance > 0:
            deals = planning.deals_needed(aim.effect, variance, aim.level, aim.power)
            note = f"common deals; on deals of their own {row['factor']:.1f} times as many"
            words = ", ".join(filter(None, [row["setting"], row["lineup"]]))
            asked = f"the first seat gains or loses {_points(aim.effect)} against the baseline"
            found.append(Need(words, asked, deals, note, 2 * deals * cell.rotations * pace))
    return found


def _verdicts(words: str, seats: int, variance: float, aim: Aim) -> list[Need]:
    """Deals after which half of all runs have the verdict FAIR where the game is fair, UNFAIR where one seat is off by the effect.

    FAIR asks every seat to be within the margin, so all of them must be lucky enough; UNFAIR takes the mean of the seats' evidence.
    """
    note, margin, fair = (
        "half of all runs by then; one cell alone, valid at every look",
        _points(aim.margin),
        1 / seats,
    )
    independent = max(1, seats - 1)  # the shares of all seats add up to 1
    luck = normal(0.5 ** (1 / independent))
    needs = [
        Need(
            words,
            f"FAIR within {margin}, if it is exactly fair",
            _until(variance, fair, fair, aim.margin, luck, BAR),
            note,
        )
    ]
    if aim.effect > aim.margin:
        bar = BAR + (math.log(seats) if seats > 2 else 0.0)
        share = min(0.999, fair + aim.effect)
        there = variance * share * (1 - share) / (fair * (1 - fair))  # a share nearer to a half scatters more
        deals = _until(there, share, fair, aim.margin, 0.0, bar)
        needs.append(
            Need(words, f"UNFAIR beyond {margin}, if it is off by {_points(aim.effect)}", deals, note)
        )
    return needs


def _until(variance: float, share: float, fair: float, margin: float, luck: float, bar: float) -> int | None:
    """The deals, to 2 %, at which a seat with so much luck (in standard errors) has evidence above the bar."""
    for deals in np.geomspace(10, MOST, 1280):
        values, parts = _two_kinds(min(0.999, share + luck * math.sqrt(variance / deals)), variance)
        found = verdicts.evidence(values, parts * deals, fair, margin)
        if max(found.fair, found.unfair) >= bar:
            return math.ceil(float(deals))
    return None


def _two_kinds(share: float, variance: float) -> tuple[list[float], np.ndarray]:
    """Deals of two kinds, and the part of each, with this mean and (where 0 to 1 allows it) this variance."""
    deviation = math.sqrt(variance)
    low = share - deviation if deviation <= min(share, 1 - share) else 0.0
    high = min(1.0, share + variance / (share - low))
    return [low, high], np.array([high - share, share - low]) / (high - low)


def _points(share: float) -> str:
    return f"{100 * share:g} point{'' if share == 0.01 else 's'}"
