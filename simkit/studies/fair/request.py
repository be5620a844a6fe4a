"""The request of the fair-value solver, its measurements and its solution."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import linalg

from simkit import analysis
from simkit.analysis.fairness import POOLED
from simkit.engine import registry
from simkit.engine.rng import sub_seed
from simkit.engine.strategy import seats_of
from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run
from simkit.stats import crossing
from simkit.stats.crossing import LogOdds, Polyline, rounded_in

Row = dict[str, Any]
MIN_DRAWN_STEPS, MAX_DRAWN_STEPS = 40, 1000  # steps of a curve
MAX_WIDE_LOOKS = 8  # cheap rounds that find where the shares are near fair
MAX_CLOSE_LOOKS = 4  # closer rounds, each narrower than the one before


class Request(NamedTuple):
    """The options to vary, the lineups, and the precision of the search."""

    game: str
    vary: dict[str, tuple[int, int]]  # option -> range
    lineups: list[list[str]]
    deals: int  # per value in the close run
    seed: int
    margin: float
    more: dict[str, Any]  # further keys of the experiments: options, files, target
    team: bool = False  # whether the game is co-operative

    def experiment(self, question: str, settings: list[tuple[int, ...]], **keys: Any) -> Experiment:
        """Return an experiment with a cell for each lineup and setting."""
        defaults = {"question": question, "game": self.game, "lineups": self.lineups, "margin": self.margin}
        defaults |= {"seed": self.seed}
        values = [list(setting) if len(setting) > 1 else setting[0] for setting in settings]
        return experiment.parse(defaults | {"sweep": {", ".join(self.vary): values}} | self.more | keys)

    def first_look(self, settings: list[tuple[int, ...]], number: int = 0) -> Experiment:
        """Return a cheap experiment over a wide part of the range."""
        does = f"does the team come close to {self.aim}" if self.team else "do the seats come close to equal"
        question = f"Where along {', '.join(self.vary)} {does}?"
        seed = sub_seed(self.seed, f"fair/wide{number}")
        return self.experiment(question, settings, deals=max(500, self.deals // 5), seed=seed)

    def close_look(self, settings: list[tuple[int, ...]], number: int, times: float = 1) -> Experiment:
        """Return an experiment near the fair value, on `times` the deals of the request."""
        does = f"does the team win {self.aim}" if self.team else "are the seats equal"
        question = f"At which value of {', '.join(self.vary)} {does}?"
        seed = sub_seed(self.seed, f"fair/close{number}")
        return self.experiment(question, settings, deals=round(times * self.deals), seed=seed)

    @property
    def question(self) -> str:
        """The question that the run of the folder answers."""
        right = f"does the team win {self.aim}" if self.team else "is the game fair"
        return f"At which {' and '.join(f'“{self.label(name)}”' for name in self.vary)} {right}?"

    @property
    def ranges(self) -> np.ndarray:
        """The ends of the ranges, as floats [end, option]."""
        return np.array(list(self.vary.values()), float).T  # [end, option]

    @property
    def seats(self) -> int:
        """Number of seats of the lineups."""
        return seats_of(self.lineups)

    @property
    def fair(self) -> float:
        """The share of the first player that counts as fair; for a team its target."""
        target: float = self.more.get("target", experiment.USUAL_TARGET)
        return target if self.team else 1 / self.seats

    @property
    def aim(self) -> str:
        """The fair share as a phrase of a question."""
        return f"{100 * self.fair:.1f} % of its games"

    def label(self, name: str) -> str:
        """Return the label of an option."""
        return registry.game(self.game).option(name).label

    def usual(self) -> tuple[int, ...]:
        """Return the usual values of the varied options, given the options that are set."""
        usual = registry.game(self.game).resolve(self.more.get("options", {}))
        return tuple(usual[name] for name in self.vary)


class Value(NamedTuple):
    """The fair value of a lineup (or of all lineups together) by option; nan where the range holds none."""

    lineup: str
    values: list[float]
    low: list[float]  # ends of the 95 % interval; infinite where it is open beyond the range
    high: list[float]
    setting: tuple[int, ...]  # the best whole numbers


class Solution(NamedTuple):
    """The fair values before their check, doubts about them, and the fitted shares to draw."""

    values: list[Value]
    differing: list[tuple[str, str]]  # lineups whose fair values differ beyond noise
    unfit: list[str]  # lineups that straight lines fit badly (several options only)
    curve: list[Row]  # lineup, option, seat, x, share, low, high


def check_asked(request: Request) -> None:
    """Raise UsageError for a request that the solver cannot answer, before anything is played."""
    game = registry.game(request.game)
    for name, (low, high) in request.vary.items():
        option = game.option(name)
        if option.kind is not int:
            raise UsageError(f"option {name} is not a whole number; a fair value lies on a line (low:high)")
        for end in (low, high):
            option.number(end)
        if low >= high:
            raise UsageError(f"--vary {name}={low}:{high}: the range goes up, low:high")
        if name in request.more.get("options", {}):
            raise UsageError(f"option {name} is given with --set and with --vary; once is enough")
    _ = request.seats
    if request.team and len(request.vary) > 1:
        enough = "one --vary is enough to make its team win as often"
        raise UsageError(f"{request.game} is co-operative: {enough}")
    if not request.team and "target" in request.more:
        raise UsageError(f"--target is for co-operative games; {request.game} is none: leave it out")


class Data(NamedTuple):
    """Mean shares over common deals [setting, lineup, seat], and the covariance of all of them, flattened."""

    settings: list[tuple[int, ...]]
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


def data(request: Request, run: Run) -> Data:
    """Return the measurements of a run."""
    settings = list(dict.fromkeys(tuple(cell.varied[name] for name in request.vary) for cell in run.cells))
    labels = list(dict.fromkeys(analysis.lineup_words(cell.labels) for cell in run.cells))
    keys = ["cell", "seat"]
    rows = run.seats().group_by("deal", *keys).agg(pl.col("share").mean()).collect(engine="streaming")
    if not request.team:  # what nobody wins is shared by all, so that fair is 1 / seats
        lost = (1 - pl.col("share").sum().over("deal", "cell")).round(9)
        rows = rows.with_columns(pl.col("share") + lost / run.cells[0].seats)
    wide = rows.sort(*keys, "deal").pivot("deal", index=keys, values="share").sort(keys).drop(keys)
    values, deals = wide.to_numpy(), wide.width
    means = values.mean(axis=1).reshape(len(settings), len(labels), run.cells[0].seats)
    return Data(settings, labels, means, np.cov(values) / deals, deals)


def pooled(measurements: list[Data]) -> Data:
    """Pool measurements on deals of their own along the only option, each weighted by its deals.

    The settings of the result ascend. Shares that never varied get a variance (`rounded_in`).
    """
    settings = sorted({setting for data in measurements for setting in data.settings})
    weights = np.array(
        [[data.deals * (at == own) for data in measurements for own in data.settings] for at in settings]
    )
    weights = weights / weights.sum(axis=1, keepdims=True)
    parts = [rounded_in(data.means.ravel(), data.covariance, data.deals) for data in measurements]
    flat, spread = (
        np.concatenate([mean for mean, _ in parts]),
        linalg.block_diag(*(part for _, part in parts)),
    )
    shape = measurements[0].means.shape[1:]
    onto = np.kron(weights, np.eye(math.prod(shape)))
    means = (onto @ flat).reshape(len(settings), *shape)
    deals = sum(data.deals for data in measurements)
    return Data(settings, measurements[0].labels, means, onto @ spread @ onto.T, deals)


Look = Callable[[Experiment, str], Data]  # measures what an experiment asks for, under that name


def fine(low: float, high: float) -> np.ndarray:
    """Return the places at which a curve is drawn: the whole numbers, with even steps between them where few.

    If there are more than 1,000 whole numbers, the places are evenly spaced.

    >>> fine(1, 3).size, fine(0, 100).size, fine(0, 10**6).size
    (41, 101, 1001)
    """
    if high - low > MAX_DRAWN_STEPS:
        return np.linspace(low, high, MAX_DRAWN_STEPS + 1)
    return np.linspace(low, high, math.ceil(MIN_DRAWN_STEPS / (high - low)) * round(high - low) + 1)
