"""What would be fair? Finds the value of a rule option (or of one option per seat) at which the seats are equal.

Three runs, each in its own folder and on deals of its own: `wide` over the whole range, `close` where the curves cross the fair
share (these give the value, also between whole numbers), and `check`, which measures the whole-numbered candidates afresh until
there is a verdict, since whatever was selected looks a little better than it is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit import analysis, catalogue, experiment
from simkit.errors import UsageError
from simkit.experiment import Cell, Experiment
from simkit.runlog import Run
from simkit.stats import crossing, equalising
from simkit.stats.crossing import Curve
from simkit.strategy import parse_lineup

WIDE = 9  # most values tried over a range
POOLED = "all lineups together"
MOST_CANDIDATES = 4
Play = Callable[[Experiment, str], Run]  # carries out a run in a folder of that name


class Asked(NamedTuple):
    """What is to be made fair."""

    game: str
    vary: dict[str, tuple[int, int]]  # option -> range
    lineups: list[list[str]]
    deals: int  # per value in the close run
    seed: int
    margin: float
    more: dict[str, Any]  # further keys of the experiments: options, cards

    def experiment(self, question: str, settings: list[tuple[int, ...]], **keys: Any) -> Experiment:
        """A run over some settings of the options."""
        names = list(self.vary)
        sweep = {names[0]: [one[0] for one in settings]} if len(names) == 1 else {", ".join(names): [list(one) for one in settings]}
        known = {"question": question, "game": self.game, "lineups": self.lineups, "margin": self.margin, "sweep": sweep}
        return experiment.parse(known | self.more | keys)

    @property
    def seats(self) -> int:
        """The number of seats of the (first) lineup."""
        return sum(len(parse_lineup(text)) for text in self.lineups[0])

    def usual(self) -> tuple[int, ...]:
        """The rulebook's values of the options."""
        of = catalogue.game(self.game)
        return tuple(of.option(name).default for name in self.vary)


class Value(NamedTuple):
    """The fair value of one lineup (or of all together): per option value, low, high; nan where the range holds none."""

    lineup: str
    values: list[float]
    low: list[float]
    high: list[float]
    setting: tuple[int, ...]  # the best whole numbers
    said: str


@dataclass(frozen=True)
class Found:
    """The answer: values, the check of the candidates on fresh deals, what to beware of, and the runs it rests upon."""

    values: list[Value]
    checked: pl.DataFrame  # as `analysis.first_player_advantage`
    best: tuple[int, ...]
    best_verdicts: list[dict[str, Any]]
    warnings: list[str] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)


def check_asked(asked: Asked) -> None:
    """Refuse what cannot be varied."""
    of = catalogue.game(asked.game)
    for name, (low, high) in asked.vary.items():
        option = of.option(name)
        if option.kind is not int:
            raise UsageError(f"option {name} is not a whole number; a fair value lies on a line (--vary option=low:high)")
        for end in (low, high):
            option.number(end)
        if low >= high:
            raise UsageError(f"--vary {name}={low}:{high}: the range goes up, low:high")
        if name in asked.more.get("options", {}):
            raise UsageError(f"option {name} is given with --set and with --vary; once is enough")
    if len({sum(len(parse_lineup(text)) for text in lineup) for lineup in asked.lineups}) > 1:
        raise UsageError("the lineups have different numbers of seats; ask for one number of seats at a time")


def solve(asked: Asked, play: Play) -> Found:
    """Find the fair value and check it on fresh deals; `play` carries out the three runs."""
    check_asked(asked)
    solver = _one_option if len(asked.vary) == 1 else _many_options
    values, warnings, folders = solver(asked, play)
    candidates = _candidates(asked, values)
    keys = {"deals": 3 * asked.deals, "seed": asked.seed + 2, "until_verdict": True}
    run = play(asked.experiment(f"Are these settings of {', '.join(asked.vary)} fair?", candidates, **keys), "check")
    checked = analysis.first_player_advantage(run)
    best = values[-1].setting
    verdicts = [row for row in checked.iter_rows(named=True) if _setting(asked, row) == best]
    return Found(values, checked, best, verdicts, warnings, [*folders, run.folder])


def _setting(asked: Asked, row: dict[str, Any]) -> tuple[int, ...]:
    return tuple(row[name] for name in asked.vary)


def _candidates(asked: Asked, values: list[Value]) -> list[tuple[int, ...]]:
    """The whole-numbered settings to check: the pooled one first, those of the lineups."""
    wanted = dict.fromkeys(value.setting for value in reversed(values))
    return sorted(list(wanted)[:MOST_CANDIDATES])


class Data(NamedTuple):
    """Mean shares over common deals: means[setting, lineup, seat] and the covariance of all of them, flattened in that order."""

    settings: list[tuple[int, ...]]
    labels: list[str]
    means: np.ndarray
    covariance: np.ndarray

    def part(self, lineup: int | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Means [setting, seat], their covariance and their weights on everything, of one lineup or of all alike (None)."""
        settings, lineups, seats = self.means.shape
        by = np.full(lineups, 1 / lineups) if lineup is None else np.eye(lineups)[lineup]
        onto = np.kron(np.kron(np.eye(settings), by), np.eye(seats))
        return (onto @ self.means.ravel()).reshape(settings, seats), onto @ self.covariance @ onto.T, onto


def data(asked: Asked, run: Run) -> Data:
    """The data of a run over settings."""
    settings = list(dict.fromkeys(_cell_setting(asked, cell) for cell in run.cells))
    labels = list(dict.fromkeys(analysis.lineup_words(cell.labels) for cell in run.cells))
    seats = run.cells[0].seats
    rows = run.seats().group_by("deal", "cell", "seat").agg(pl.col("share").mean()).collect(engine="streaming")
    wide = rows.sort("cell", "seat", "deal").pivot("deal", index=["cell", "seat"], values="share").sort("cell", "seat").drop("cell", "seat")
    values = wide.to_numpy()
    covariance = np.cov(values) / values.shape[1]
    return Data(settings, labels, values.mean(axis=1).reshape(len(settings), len(labels), seats), covariance)


def _cell_setting(asked: Asked, cell: Cell) -> tuple[int, ...]:
    return tuple(cell.varied[name] for name in asked.vary)


# one option: the share of the first seat is a curve over its values ------------------------------------------------


def _one_option(asked: Asked, play: Play) -> tuple[list[Value], list[str], list[Path]]:
    ((name, (low, high)),) = asked.vary.items()
    wide = play(_first(asked, [(x,) for x in _spaced(low, high, WIDE)]), "wide")
    known = data(asked, wide)
    around = [_crossing_of(_curve(known, lineup), asked, low, high) for lineup in range(len(known.labels))]
    places = [one.value for one in around if one] or [_nearest_end(known, low, high)]
    step = max(1, math.ceil((high - low) / (WIDE - 1)))
    begin, end = max(low, math.floor(min(places)) - step), min(high, math.ceil(max(places)) + step)
    close = play(_second(asked, [(x,) for x in _spaced(begin, end, WIDE)]), "close")
    known = data(asked, close)
    which: list[int | None] = [*range(len(known.labels)), *([None] if len(known.labels) > 1 else [])]
    curves = [_curve(known, lineup) for lineup in which]
    values = [_value(curve, name, asked, known, lineup) for curve, lineup in zip(curves, which, strict=True)]
    return values, _disagreeing(known, curves, values), [wide.folder, close.folder]


def _first(asked: Asked, settings: list[tuple[int, ...]]) -> Experiment:
    question = f"Where along {', '.join(asked.vary)} do the seats come close to equal?"
    return asked.experiment(question, settings, deals=max(500, asked.deals // 5), seed=asked.seed)


def _second(asked: Asked, settings: list[tuple[int, ...]]) -> Experiment:
    question = f"At which value of {', '.join(asked.vary)} are the seats equal?"
    return asked.experiment(question, settings, deals=asked.deals, seed=asked.seed + 1)


def _spaced(low: int, high: int, most: int) -> list[int]:
    """At most so many whole numbers from low to high, both included, as evenly spaced as they can be."""
    many = min(most, high - low + 1)
    return sorted({round(low + (high - low) * i / (many - 1)) for i in range(many)})


def _curve(known: Data, lineup: int | None) -> Curve:
    """The share of the first seat over the values."""
    means, covariance, _ = known.part(lineup)
    seats = means.shape[1]
    return crossing.simplest([x for (x,) in known.settings], means[:, 0], covariance[::seats, ::seats])


def _crossing_of(curve: Curve, asked: Asked, low: float, high: float) -> crossing.Crossing | None:
    """Where the curve crosses the fair share; of several places the one nearest to the rulebook's value."""
    found = crossing.crossings(curve, 1 / asked.seats, low, high)
    return min(found, key=lambda one: abs(one.value - asked.usual()[0]), default=None)


def _nearest_end(known: Data, low: int, high: int) -> float:
    """The end of the range at which the first seat is nearer to its fair share."""
    off = np.abs(known.means[:, :, 0].mean(axis=1) - 1 / known.means.shape[2])
    return float(low if off[0] < off[-1] else high)


def _value(curve: Curve, name: str, asked: Asked, known: Data, lineup: int | None) -> Value:
    label = POOLED if lineup is None else known.labels[lineup]
    low, high = known.settings[0][0], known.settings[-1][0]
    found = _crossing_of(curve, asked, low, high)
    whole = np.arange(low, high + 1)
    best = (int(whole[np.argmin(np.abs(curve.at(whole) - 1 / asked.seats))]),)
    if found is None:
        share = float(curve.at(best[0]))
        said = f"no value of {name} in the range makes the seats equal; at {best[0]} the first seat wins {100 * share:.1f} %"
        return Value(label, [math.nan], [math.nan], [math.nan], best, said)
    said = f"{name} = {found.value:.2f} makes the seats equal ({_interval(found.low, found.high)})"
    return Value(label, [found.value], [found.low], [found.high], best, said)


def _interval(low: float, high: float) -> str:
    """A 95 % interval in words; an open end is said as such."""
    if math.isinf(low) and math.isinf(high):
        return "95 % interval: wider than the range tried"
    if math.isinf(low) or math.isinf(high):
        return f"95 % interval: {f'up to {high:.2f}' if math.isinf(low) else f'from {low:.2f} up'}, open beyond the range tried"
    return f"95 % interval {low:.2f} to {high:.2f}"


def _disagreeing(known: Data, curves: list[Curve], values: list[Value]) -> list[str]:
    """Pairs of lineups whose fair values differ beyond noise (Bonferroni over the pairs)."""
    seats = known.means.shape[2]
    have = [i for i in range(len(known.labels)) if not math.isnan(values[i].values[0])]
    pairs, said = list(itertools.combinations(have, 2)), []
    for i, j in pairs:
        onto = [known.part(lineup)[2][::seats] for lineup in (i, j)]
        common = onto[0] @ known.covariance @ onto[1].T
        places = values[i].values[0], values[j].values[0]
        apart = crossing.difference_of_crossings(curves[i], places[0], curves[j], places[1], common, 1 - 0.05 / len(pairs))
        if not apart[1] <= 0 <= apart[2]:
            said.append(f"{known.labels[i]} ({places[0]:.1f}) and {known.labels[j]} ({places[1]:.1f})")
    if len(have) < len(known.labels):
        said += [f"{known.labels[i]} (none in the range)" for i in range(len(known.labels)) if i not in have and have]
    return [f"Lineups disagree on the fair value: {'; '.join(said)}. Judge by the players you expect."] if said else []


# one option per seat: all seats are to have the same share ---------------------------------------------------------


def _many_options(asked: Asked, play: Play) -> tuple[list[Value], list[str], list[Path]]:
    low, high = (np.array(ends, float) for ends in zip(*asked.vary.values(), strict=True))
    wide = play(_first(asked, _star(low, high)), "wide")
    centre = _solved(data(asked, wide), None, asked, low, high).values
    radius = np.maximum(1.0, (high - low) / 6)
    begin, end = np.maximum(low, np.floor(centre - radius)), np.minimum(high, np.ceil(centre + radius))
    close = play(_second(asked, _star(begin, end)), "close")
    known = data(asked, close)
    which: list[int | None] = [*range(len(known.labels)), *([None] if len(known.labels) > 1 else [])]
    values = [_setting_value(known, lineup, asked, begin, end) for lineup in which]
    return values, _apart(values), [wide.folder, close.folder]


def _star(low: np.ndarray, high: np.ndarray) -> list[tuple[int, ...]]:
    """The middle, and from there each option at its low and its high end."""
    middle = np.round((low + high) / 2)
    ends = [np.where(np.arange(len(low)) == axis, end, middle) for axis in range(len(low)) for end in (low, high)]
    return list(dict.fromkeys(tuple(int(x) for x in point) for point in [middle, *ends]))


def _solved(known: Data, lineup: int | None, asked: Asked, low: np.ndarray, high: np.ndarray) -> equalising.Setting:
    means, covariance, _ = known.part(lineup)
    return equalising.equal_setting(known.settings, means, covariance, asked.usual(), low, high)


def _setting_value(known: Data, lineup: int | None, asked: Asked, low: np.ndarray, high: np.ndarray) -> Value:
    found = _solved(known, lineup, asked, low, high)
    label = POOLED if lineup is None else known.labels[lineup]
    parts = [f"{name} = {x:.2f} ({_interval(a, b)})" for name, x, a, b in zip(asked.vary, found.values, found.low, found.high, strict=True)]
    off = 100 * float(np.abs(found.shares - found.shares.mean()).max())
    said = f"{', '.join(parts)} comes nearest to equal seats (expected: all within {off:.1f} points)"
    best = tuple(round(float(x)) for x in found.values)
    return Value(label, found.values.tolist(), found.low.tolist(), found.high.tolist(), best, said)


def _apart(values: list[Value]) -> list[str]:
    """Lineups whose intervals do not meet in some option."""
    said = []
    for a, b in itertools.combinations([value for value in values if value.lineup != POOLED], 2):
        if any(a.low[i] > b.high[i] or b.low[i] > a.high[i] for i in range(len(a.values))):
            said.append(f"{a.lineup} and {b.lineup}")
    return [f"Lineups disagree on the fair setting: {'; '.join(said)}. Judge by the players you expect."] if said else []
