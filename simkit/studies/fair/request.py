"""What is asked of the solver, what it measures, and what it answers."""

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
DRAWN, MOST_DRAWN = 40, 1000  # steps of a curve at least, and at most
MOST_WIDE = 8  # cheap looks to find where the shares are near fair
MOST_CLOSE = 4  # closer looks, each narrower


class Asked(NamedTuple):
    """What is to be made fair."""

    game: str
    vary: dict[str, tuple[int, int]]  # option -> range
    lineups: list[list[str]]
    deals: int  # per value in the close run
    seed: int
    margin: float
    more: dict[str, Any]  # further keys of the experiments: options, files, target
    team: bool = False  # whether the game is co-operative

    def experiment(self, question: str, settings: list[tuple[int, ...]], **keys: Any) -> Experiment:
        known = {"question": question, "game": self.game, "lineups": self.lineups, "margin": self.margin}
        known |= {"seed": self.seed}
        values = [list(one) if len(one) > 1 else one[0] for one in settings]
        return experiment.parse(known | {"sweep": {", ".join(self.vary): values}} | self.more | keys)

    def first_look(self, settings: list[tuple[int, ...]], number: int = 0) -> Experiment:
        does = f"does the team come close to {self.aim}" if self.team else "do the seats come close to equal"
        question = f"Where along {', '.join(self.vary)} {does}?"
        seed = sub_seed(self.seed, f"fair/wide{number}")
        return self.experiment(question, settings, deals=max(500, self.deals // 5), seed=seed)

    def close_look(self, settings: list[tuple[int, ...]], number: int, times: float = 1) -> Experiment:
        does = f"does the team win {self.aim}" if self.team else "are the seats equal"
        question = f"At which value of {', '.join(self.vary)} {does}?"
        seed = sub_seed(self.seed, f"fair/close{number}")
        return self.experiment(question, settings, deals=round(times * self.deals), seed=seed)

    @property
    def question(self) -> str:
        right = f"does the team win {self.aim}" if self.team else "is the game fair"
        return f"At which {' and '.join(f'“{self.label(name)}”' for name in self.vary)} {right}?"

    @property
    def ranges(self) -> np.ndarray:
        return np.array(list(self.vary.values()), float).T  # [end, option]

    @property
    def seats(self) -> int:
        return seats_of(self.lineups)

    @property
    def fair(self) -> float:
        """The share of the first player that is asked for; of a team its target."""
        target: float = self.more.get("target", experiment.USUAL_TARGET)
        return target if self.team else 1 / self.seats

    @property
    def aim(self) -> str:
        return f"{100 * self.fair:.1f} % of its games"

    def label(self, name: str) -> str:
        return registry.game(self.game).option(name).label

    def usual(self) -> tuple[int, ...]:
        """The usual values of the options, under those that are given."""
        usual = registry.game(self.game).resolve(self.more.get("options", {}))
        return tuple(usual[name] for name in self.vary)


class Value(NamedTuple):
    """The fair value of a lineup (or of all together), by option; nan where the range holds none."""

    lineup: str
    values: list[float]
    low: list[float]  # of the 95 % interval; infinite where it is open beyond the range tried
    high: list[float]
    setting: tuple[int, ...]  # the best whole numbers


class Solution(NamedTuple):
    """What the looks say: values before they are checked, doubts about them, the fitted shares to draw."""

    values: list[Value]
    apart: list[tuple[str, str]]  # lineups whose fair values differ beyond noise
    unfit: list[str]  # lineups that straight lines fit badly, of several options
    curve: list[Row]  # lineup, option, seat, x, share, low, high


def check_asked(asked: Asked) -> None:
    of = registry.game(asked.game)
    for name, (low, high) in asked.vary.items():
        option = of.option(name)
        if option.kind is not int:
            raise UsageError(f"option {name} is not a whole number; a fair value lies on a line (low:high)")
        for end in (low, high):
            option.number(end)
        if low >= high:
            raise UsageError(f"--vary {name}={low}:{high}: the range goes up, low:high")
        if name in asked.more.get("options", {}):
            raise UsageError(f"option {name} is given with --set and with --vary; once is enough")
    _ = asked.seats
    if asked.team and len(asked.vary) > 1:
        raise UsageError(f"{asked.game} is co-operative: one --vary is enough to make its team win as often")
    if not asked.team and "target" in asked.more:
        raise UsageError(f"--target is for co-operative games; {asked.game} is none: leave it out")


class Data(NamedTuple):
    """Mean shares over common deals [setting, lineup, seat], and the covariance of all of them, flattened."""

    settings: list[tuple[int, ...]]
    labels: list[str]
    means: np.ndarray
    covariance: np.ndarray
    deals: int

    @property
    def which(self) -> list[int | None]:
        """The places of the lineups, and None for all alike where there are several."""
        return [*range(len(self.labels)), *([None] if len(self.labels) > 1 else [])]

    def label(self, lineup: int | None) -> str:
        return POOLED if lineup is None else self.labels[lineup]

    def part(self, lineup: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Means [setting, seat], their covariance and their weights on everything, of one of `which`."""
        settings, lineups, seats = self.means.shape
        by = np.full(lineups, 1 / lineups) if lineup is None else np.eye(lineups)[lineup]
        onto = np.kron(np.kron(np.eye(settings), by), np.eye(seats))
        return (onto @ self.means.ravel()).reshape(settings, seats), onto @ self.covariance @ onto.T, onto

    @property
    def tried(self) -> np.ndarray:
        return np.array([x for (x,) in self.settings])

    def odds(self, lineup: int | None, places: np.ndarray, seat: int = 0) -> LogOdds:
        """Log odds of a seat at some settings."""
        means, covariance, _ = self.part(lineup)
        own = places * means.shape[1] + seat
        return crossing.log_odds(means[places, seat], covariance[np.ix_(own, own)], self.deals)

    def line(self, lineup: int | None, seat: int = 0) -> tuple[Polyline, np.ndarray]:
        """The shares of a seat along the only option, and their weights on everything that was measured."""
        means, covariance, onto = self.part(lineup)
        own = np.arange(seat, means.size, means.shape[1])
        return crossing.polyline(self.tried, means[:, seat], covariance[np.ix_(own, own)]), onto[own]


def data(asked: Asked, run: Run) -> Data:
    settings = list(dict.fromkeys(tuple(cell.varied[name] for name in asked.vary) for cell in run.cells))
    labels = list(dict.fromkeys(analysis.lineup_words(cell.labels) for cell in run.cells))
    keys = ["cell", "seat"]
    rows = run.seats().group_by("deal", *keys).agg(pl.col("share").mean()).collect(engine="streaming")
    if not asked.team:  # what nobody wins is shared by all, so that fair is 1 / seats
        lost = (1 - pl.col("share").sum().over("deal", "cell")).round(9)
        rows = rows.with_columns(pl.col("share") + lost / run.cells[0].seats)
    wide = rows.sort(*keys, "deal").pivot("deal", index=keys, values="share").sort(keys).drop(keys)
    values, deals = wide.to_numpy(), wide.width
    means = values.mean(axis=1).reshape(len(settings), len(labels), run.cells[0].seats)
    return Data(settings, labels, means, np.cov(values) / deals, deals)


def pooled(looks: list[Data]) -> Data:
    """Looks on deals of their own as one, along the only option: settings ascend, each weighted by its deals.

    Shares that never varied get a variance (`rounded_in`).
    """
    settings = sorted({setting for one in looks for setting in one.settings})
    weights = np.array(
        [[one.deals * (at == own) for one in looks for own in one.settings] for at in settings]
    )
    weights = weights / weights.sum(axis=1, keepdims=True)
    parts = [rounded_in(one.means.ravel(), one.covariance, one.deals) for one in looks]
    flat, spread = (
        np.concatenate([mean for mean, _ in parts]),
        linalg.block_diag(*(part for _, part in parts)),
    )
    each = looks[0].means.shape[1:]
    onto = np.kron(weights, np.eye(math.prod(each)))
    means = (onto @ flat).reshape(len(settings), *each)
    return Data(settings, looks[0].labels, means, onto @ spread @ onto.T, sum(one.deals for one in looks))


Look = Callable[[Experiment, str], Data]  # measures what an experiment asks for, under that name


def fine(low: float, high: float) -> np.ndarray:
    """Places at which a curve is drawn: the whole numbers, and evenly between these where they are few.

    Of very many whole numbers only some places, evenly spaced.

    >>> fine(1, 3).size, fine(0, 100).size, fine(0, 10**6).size
    (41, 101, 1001)
    """
    if high - low > MOST_DRAWN:
        return np.linspace(low, high, MOST_DRAWN + 1)
    return np.linspace(low, high, math.ceil(DRAWN / (high - low)) * round(high - low) + 1)
