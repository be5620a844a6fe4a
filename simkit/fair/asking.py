"""What is asked of the solver, what it measures, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit import analysis, catalogue, experiment
from simkit.errors import UsageError
from simkit.experiment import Cell, Experiment
from simkit.runlog import Run
from simkit.strategy import parse_lineup

POOLED = "all lineups together"
MOST_WIDE = 8  # cheap looks to find where the shares are near fair
MOST_CLOSE = (
    4  # closer looks, each narrower, where the curve is too bent to be fitted or the value lies outside
)


class Asked(NamedTuple):
    """What is to be made fair."""

    game: str
    vary: dict[str, tuple[int, int]]  # option -> range
    lineups: list[list[str]]
    deals: int  # per value in the close run
    seed: int
    margin: float
    more: dict[str, Any]  # further keys of the experiments: options, files

    def experiment(self, question: str, settings: list[tuple[int, ...]], **keys: Any) -> Experiment:
        """A run over some settings of the options."""
        names = list(self.vary)
        sweep = (
            {names[0]: [one[0] for one in settings]}
            if len(names) == 1
            else {", ".join(names): [list(one) for one in settings]}
        )
        known = {
            "question": question,
            "game": self.game,
            "lineups": self.lineups,
            "margin": self.margin,
            "sweep": sweep,
        }
        return experiment.parse(known | self.more | keys)

    @property
    def seats(self) -> int:
        """The number of seats of the (first) lineup."""
        return sum(len(parse_lineup(text)) for text in self.lineups[0])

    def usual(self) -> tuple[int, ...]:
        """The usual values of the options, under those that are given."""
        usual = catalogue.game(self.game).resolve(self.more.get("options", {}))
        return tuple(usual[name] for name in self.vary)


class Value(NamedTuple):
    """The fair value of one lineup (or of all together): per option value, low, high; nan where the range holds none."""

    lineup: str
    values: list[float]
    low: list[float]
    high: list[float]
    setting: tuple[int, ...]  # the best whole numbers
    said: str


def check_asked(asked: Asked) -> None:
    """Refuse what cannot be varied."""
    of = catalogue.game(asked.game)
    for name, (low, high) in asked.vary.items():
        option = of.option(name)
        if option.kind is not int:
            raise UsageError(
                f"option {name} is not a whole number; a fair value lies on a line (--vary option=low:high)"
            )
        for end in (low, high):
            option.number(end)
        if low >= high:
            raise UsageError(f"--vary {name}={low}:{high}: the range goes up, low:high")
        if name in asked.more.get("options", {}):
            raise UsageError(f"option {name} is given with --set and with --vary; once is enough")
    if len({sum(len(parse_lineup(text)) for text in lineup) for lineup in asked.lineups}) > 1:
        raise UsageError("the lineups have different numbers of seats; ask for one number of seats at a time")


class Data(NamedTuple):
    """Mean shares over common deals: means[setting, lineup, seat] and the covariance of all of them, flattened in that order."""

    settings: list[tuple[int, ...]]
    labels: list[str]
    means: np.ndarray
    covariance: np.ndarray
    deals: int

    def part(self, lineup: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Means [setting, seat], their covariance and their weights on everything, of one lineup or of all alike (None)."""
        settings, lineups, seats = self.means.shape
        by = np.full(lineups, 1 / lineups) if lineup is None else np.eye(lineups)[lineup]
        onto = np.kron(np.kron(np.eye(settings), by), np.eye(seats))
        return (onto @ self.means.ravel()).reshape(settings, seats), onto @ self.covariance @ onto.T, onto


def data(asked: Asked, run: Run) -> Data:
    """The data of a run over settings."""
    settings = list(dict.fromkeys(cell_setting(asked, cell) for cell in run.cells))
    labels = list(dict.fromkeys(analysis.lineup_words(cell.labels) for cell in run.cells))
    seats = run.cells[0].seats
    rows = (
        run.seats().group_by("deal", "cell", "seat").agg(pl.col("share").mean()).collect(engine="streaming")
    )
    wide = (
        rows.sort("cell", "seat", "deal")
        .pivot("deal", index=["cell", "seat"], values="share")
        .sort("cell", "seat")
        .drop("cell", "seat")
    )
    values = wide.to_numpy()
    covariance = np.cov(values) / values.shape[1]
    return Data(
        settings,
        labels,
        values.mean(axis=1).reshape(len(settings), len(labels), seats),
        covariance,
        values.shape[1],
    )


def cell_setting(asked: Asked, cell: Cell) -> tuple[int, ...]:
    """The values of the varied options in a cell."""
    return tuple(cell.varied[name] for name in asked.vary)


Look = Callable[[Experiment, str], Data]  # measures what an experiment asks for, under that name


def first_look(asked: Asked, settings: list[tuple[int, ...]], number: int = 0) -> Experiment:
    """A cheap look, on deals of its own."""
    question = f"Where along {', '.join(asked.vary)} do the seats come close to equal?"
    seed = asked.seed + (1 + MOST_CLOSE + number if number else 0)
    return asked.experiment(question, settings, deals=max(500, asked.deals // 5), seed=seed)


def close_look(asked: Asked, settings: list[tuple[int, ...]], number: int = 0) -> Experiment:
    """A look with as many deals as were asked for, on deals of its own."""
    question = f"At which value of {', '.join(asked.vary)} are the seats equal?"
    return asked.experiment(question, settings, deals=asked.deals, seed=asked.seed + 1 + number)


def interval_words(low: float, high: float) -> str:
    """A 95 % interval in words; an open end is said as such."""
    if math.isinf(low) and math.isinf(high):
        return "95 % interval: wider than the range tried"
    if math.isinf(low) or math.isinf(high):
        return f"95 % interval: {f'up to {high:.2f}' if math.isinf(low) else f'from {low:.2f} up'}, open beyond the range tried"
    return f"95 % interval {low:.2f} to {high:.2f}"
