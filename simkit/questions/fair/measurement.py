"""The request of a search for a fair value, the experiments that it plays, and the measured shares."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from scipy import linalg, special

from simkit.ask.study import SettingValues, Study, tied_sweep
from simkit.engine import registry
from simkit.engine.options import to_words
from simkit.errors import UsageError
from simkit.questions.fair.result import POOLED, CurvePoint, FairValue, Point
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.stats import crossing
from simkit.stats.crossing import LogOdds, Polyline, rounded_in
from simkit.stats.quantiles import normal
from simkit.tables import findings

CHECK_FACTOR = 3  # most deals of the check, in deals of the request
MIN_WIDE_DEALS, WIDE_DIVISOR = 500, 5  # a wide run has a fifth of the deals of the request


@dataclass(frozen=True)
class FairRequest(Study):
    """The options to vary; `deals` are those of each value in the first close run."""

    vary: dict[str, tuple[int, int]]  # option -> range

    def check(self) -> None:
        """Raise UsageError for options that are no whole numbers, and for ranges that do not go up."""
        self.check_varied(self.vary)
        for name, (low, high) in self.vary.items():
            option = registry.game(self.game).option(name)
            if option.kind is not int:
                raise UsageError(f"option {name} is not a whole number; a fair value lies between numbers")
            for end in (low, high):
                option.number(end)
            if low >= high:
                raise UsageError(f"vary {name}={low}:{high}: the range goes up, low:high")
        if self.one_share and len(self.vary) > 1:
            raise UsageError(f"one option is enough to make {self.subject} win as often as it should")

    def wide(self, settings: list[SettingValues], number: int = 0) -> Experiment:
        """Return a cheap experiment over a wide part of the range."""
        does = (
            f"does {self.subject} come close to {self.aim}"
            if self.subject
            else "do the seats come close to equal"
        )
        question = f"Where along {', '.join(self.vary)} {does}?"
        deals = max(MIN_WIDE_DEALS, self.deals // WIDE_DIVISOR)
        return self.experiment(
            question, f"fair/wide{number}", sweep=tied_sweep(self.vary, settings), deals=deals
        )

    def close(self, settings: list[SettingValues], number: int, times: float = 1) -> Experiment:
        """Return an experiment near the fair value, on `times` the deals of the request."""
        does = f"does {self.subject} win {self.aim}" if self.subject else "are the seats equal"
        question = f"At which value of {', '.join(self.vary)} {does}?"
        deals = round(times * self.deals)
        return self.experiment(
            question, f"fair/close{number}", sweep=tied_sweep(self.vary, settings), deals=deals
        )

    def confirmation(self, settings: list[SettingValues]) -> Experiment:
        """Return the experiment that plays candidates until a verdict, on deals of its own."""
        right = f"does {self.subject} win {self.aim}" if self.subject else "is the game fair"
        labels = [f"“{registry.game(self.game).option(name).label}”" for name in self.vary]
        question, deals = f"At which {' and '.join(labels)} {right}?", CHECK_FACTOR * self.deals
        keys = {"sweep": tied_sweep(self.vary, settings), "deals": deals, "until_verdict": True}
        return self.experiment(question, "fair/check", **keys)

    def last_run(self) -> Experiment:
        """Return the confirmation of the usual values."""
        return self.confirmation([self.usual(self.vary)])

    @property
    def subject(self) -> str:
        """The team, the first of two sides or a role as the subject of a question; empty for seats."""
        if not self.one_share or self.team:
            return "the team" if self.one_share else ""
        game = registry.game(self.game)
        if "role" in self.more:
            column, name = game.role_named(self.more["role"])
            return f"the {to_words(column)} {game.words.name_in(column, name)}"
        return f"the {game.words.side(game.rival_sides[0])}"

    @property
    def aim(self) -> str:
        """The fair share as a phrase of a question."""
        return f"{100 * self.fair:.1f} % of its games"

    @property
    def ranges(self) -> np.ndarray:
        """The ends of the ranges, as floats [end, option]."""
        return np.array(list(self.vary.values()), float).T


# Measured shares: means over common deals with their covariance.

MIN_DRAWN_STEPS, MAX_DRAWN_STEPS = 40, 1000  # steps of a curve


class Solution(NamedTuple):
    """The fair values before their confirmation, doubts about them, and the fitted shares to draw."""

    values: list[FairValue]  # by lineup (all lineups together last) and option
    differing: list[tuple[str, str]]  # lineups whose fair values differ beyond noise
    unfit: list[str]  # lineups that straight lines fit badly (several options only)
    curve: list[CurvePoint]


class Data(NamedTuple):
    """Mean shares over common deals [setting, lineup, seat], and the covariance of all of them, flattened."""

    settings: list[SettingValues]
    labels: list[str]
    means: np.ndarray
    covariance: np.ndarray
    deals: int

    @property
    def which(self) -> list[int | None]:
        """The indices of the lineups, and None for the mean of all lineups where there are several."""
        return [*range(len(self.labels)), *([None] if len(self.labels) > 1 else [])]

    def label(self, lineup: int | None) -> str:
        """Return the label of one of `which`."""
        return POOLED if lineup is None else self.labels[lineup]

    def part(self, lineup: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the means [setting, seat] of one of `which`, their covariance and their weights."""
        settings, lineups, seats = self.means.shape
        by = np.full(lineups, 1 / lineups) if lineup is None else np.eye(lineups)[lineup]
        onto = np.kron(np.kron(np.eye(settings), by), np.eye(seats))
        return (onto @ self.means.ravel()).reshape(settings, seats), onto @ self.covariance @ onto.T, onto

    @property
    def values(self) -> np.ndarray:
        """The values of the only option."""
        return np.array([x for (x,) in self.settings])

    def odds(self, lineup: int | None, places: np.ndarray, seat: int = 0) -> LogOdds:
        """Return the log odds of a seat at the settings with the given indices."""
        means, covariance, _ = self.part(lineup)
        own = places * means.shape[1] + seat
        return crossing.log_odds(means[places, seat], covariance[np.ix_(own, own)], self.deals)

    def line(self, lineup: int | None, seat: int = 0) -> tuple[Polyline, np.ndarray]:
        """Return the shares of a seat along the only option, and their weights on all means."""
        means, covariance, onto = self.part(lineup)
        own = np.arange(seat, means.size, means.shape[1])
        return crossing.polyline(self.values, means[:, seat], covariance[np.ix_(own, own)]), onto[own]


MeasureRun = Callable[[Experiment, str], Data]  # plays an experiment under that name


def measurements(request: FairRequest, run: Run) -> Data:
    """Return the measurements of a run."""
    settings = list(dict.fromkeys(tuple(cell.varied[name] for name in request.vary) for cell in run.cells))
    labels = list(dict.fromkeys(findings.lineup_words(cell.labels) for cell in run.cells))
    keys = ["cell", "seat"]
    rows = (
        run.judged_rows(run.seats())
        .group_by("deal", *keys)
        .agg(pl.col("share").mean())
        .collect(engine="streaming")
    )
    if "role" in request.more:  # deals in which it sits under all rules
        rows = rows.filter(pl.len().over("deal") == len(settings) * len(labels))
    if not request.one_share:  # what nobody wins is shared by all, so that fair is 1 / seats
        lost = (1 - pl.col("share").sum().over("deal", "cell")).round(9)
        rows = rows.with_columns(pl.col("share") + lost / run.cells[0].seats)
    wide = rows.sort(*keys, "deal").pivot("deal", index=keys, values="share").sort(keys).drop(keys)
    values, deals = wide.to_numpy(), wide.width
    means = values.mean(axis=1).reshape(len(settings), len(labels), rows["seat"].n_unique())
    return Data(settings, labels, means, np.cov(values) / deals, deals)


def pool(parts: list[Data]) -> Data:
    """Pool measurements on deals of their own along the only option, each weighted by its deals.

    The settings of the result ascend. Shares that never varied get a variance (`rounded_in`).
    """
    settings = sorted({setting for data in parts for setting in data.settings})
    weights = np.array(
        [[data.deals * (setting == own) for data in parts for own in data.settings] for setting in settings]
    )
    weights = weights / weights.sum(axis=1, keepdims=True)
    rounded = [rounded_in(data.means.ravel(), data.covariance, data.deals) for data in parts]
    flat = np.concatenate([means for means, _ in rounded])
    spread = linalg.block_diag(*(covariance for _, covariance in rounded))
    shape = parts[0].means.shape[1:]
    onto = np.kron(weights, np.eye(math.prod(shape)))
    means = (onto @ flat).reshape(len(settings), *shape)
    return Data(settings, parts[0].labels, means, onto @ spread @ onto.T, sum(data.deals for data in parts))


def points(request: FairRequest, name: str, data: Data) -> Iterator[Point]:
    """Yield the share of each seat (or of the team or side) at each setting, with its 95 % interval."""
    places = np.arange(len(data.settings))
    for lineup in data.which:
        for seat in range(1 if request.one_share else request.seats):
            odds = data.odds(lineup, places, seat)
            half = normal(0.95) * np.sqrt(np.diag(odds.covariance))
            ends = special.expit([odds.values - half, odds.values + half]).tolist()
            shares = zip(data.part(lineup)[0][:, seat].tolist(), *ends, strict=True)
            for setting, (share, low, high) in zip(data.settings, shares, strict=True):
                front = {"look": name, "lineup": data.label(lineup), "seat": seat}
                numbers = {"share": share, "low": low, "high": high, "deals": data.deals}
                yield Point.model_validate(front | dict(zip(request.vary, setting, strict=True)) | numbers)


def finite(number: float) -> float | None:
    """Return a number, or None where it is not finite."""
    return float(number) if math.isfinite(number) else None


def drawn_places(low: float, high: float) -> np.ndarray:
    """Return the places at which a curve is drawn: the whole numbers, with even steps between them where few.

    If there are more than 1,000 whole numbers, the places are evenly spaced.

    >>> drawn_places(1, 3).size, drawn_places(0, 100).size, drawn_places(0, 10**6).size
    (41, 101, 1001)
    """
    if high - low > MAX_DRAWN_STEPS:
        return np.linspace(low, high, MAX_DRAWN_STEPS + 1)
    return np.linspace(low, high, math.ceil(MIN_DRAWN_STEPS / (high - low)) * round(high - low) + 1)
