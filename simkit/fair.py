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
MOST_CLOSE = 3  # closer looks, each narrower, where the curve is too bent to be fitted or the value lies outside
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
    keys = {"deals": 3 * asked.deals, "seed": asked.seed + 1 + MOST_CLOSE, "until_verdict": True}
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
    runs, known = [wide], data(asked, wide)
    begin, end = _around(asked, known, low, high)
    for number in range(MOST_CLOSE):
        runs.append(play(_second(asked, [(x,) for x in _spaced(begin, end, WIDE)], number), f"close{number or ''}"))
        known = data(asked, runs[-1])
        which: list[int | None] = [*range(len(known.labels)), *([None] if len(known.labels) > 1 else [])]
        curves = [_curve(known, lineup) for lineup in which]
        narrower = _around(asked, known, begin, end)
        if all(not curve.lack < crossing.LACK for curve in curves) or narrower == (begin, end):
            break
        begin, end = narrower
    values = [_value(curve, name, asked, known, lineup) for curve, lineup in zip(curves, which, strict=True)]
    lacking = [value.lineup for value, curve in zip(values, curves, strict=True) if curve.lack < crossing.LACK]
    doubt = (
        [f"The curve does not fit well ({', '.join(lacking)}): trust the check more than the fair value and its interval."]
        if lacking
        else []
    )
    return values, _disagreeing(known, curves, values) + doubt, [run.folder for run in runs]


def _around(asked: Asked, known: Data, low: int, high: int) -> tuple[int, int]:
    """The part of the range to look at more closely: the neighbouring values between which each lineup becomes fair, and one step more."""
    tried = [x for (x,) in known.settings]
    step = max(np.diff(tried))
    pairs = [_bracket(asked, known, lineup, tried) for lineup in range(len(known.labels))]
    return max(low, int(min(pair[0] for pair in pairs) - step)), min(high, int(max(pair[1] for pair in pairs) + step))


def _bracket(asked: Asked, known: Data, lineup: int, tried: list[int]) -> tuple[int, int]:
    """Two neighbouring values on both sides of fair, those nearest to the rulebook; without any, the value nearest to fair."""
    off = known.means[:, lineup, 0] - 1 / asked.seats
    found = [i for i in range(len(tried) - 1) if off[i] * off[i + 1] <= 0]
    if not found:
        nearest = tried[int(np.argmin(np.abs(off)))]
        return nearest, nearest
    i = min(found, key=lambda place: abs(tried[place] - asked.usual()[0]))
    return tried[i], tried[i + 1]


def _first(asked: Asked, settings: list[tuple[int, ...]]) -> Experiment:
    question = f"Where along {', '.join(asked.vary)} do the seats come close to equal?"
    return asked.experiment(question, settings, deals=max(500, asked.deals // 5), seed=asked.seed)


def _second(asked: Asked, settings: list[tuple[int, ...]], number: int = 0) -> Experiment:
    question = f"At which value of {', '.join(asked.vary)} are the seats equal?"
    return asked.experiment(question, settings, deals=asked.deals, seed=asked.seed + 1 + number)


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


def _value(curve: Curve, name: str, asked: Asked, known: Data, lineup: int | None) -> Value:
    label = POOLED if lineup is None else known.labels[lineup]
    low, high = known.settings[0][0], known.settings[-1][0]
    found = _crossing_of(curve, asked, low, high)
    whole = np.arange(low, high + 1)
    best = (int(whole[np.argmin(np.abs(curve.at(whole) - 1 / asked.seats))]),)
    if found is None:
        return Value(label, [math.nan], [math.nan], [math.nan], best, _none(curve, name, asked, best[0]))
    what = "makes the seats equal" if asked.seats == 2 else "gives the first seat its fair share"
    said = f"{name} = {found.value:.2f} {what} ({_interval(found.low, found.high)})"
    return Value(label, [found.value], [found.low], [found.high], best, said)


def _none(curve: Curve, name: str, asked: Asked, best: int) -> str:
    """What is known where the fitted curve does not cross the fair share."""
    share, half = float(curve.at(best)), 1.96 * float(curve.error(best))
    there = f"at {best} the first seat wins {100 * share:.1f} % (95 % interval {100 * (share - half):.1f} to {100 * (share + half):.1f} %)"
    ((low, high),) = asked.vary.values()
    if abs(share - 1 / asked.seats) <= half:
        return f"not settled whether a value of {name} from {low} to {high} is fair; {there}, which may be fair"
    return f"no value of {name} from {low} to {high} was found to be fair; nearest is {best}: {there}"


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
    runs = [play(_first(asked, _star(low, high)), "wide")]
    centre = _solved(data(asked, runs[0]), None, asked).values
    radius = np.maximum(1.0, (high - low) / 6)
    for number in range(MOST_CLOSE):
        begin, end = np.maximum(low, np.floor(centre - radius)), np.minimum(high, np.ceil(centre + radius))
        runs.append(play(_second(asked, _star(begin, end), number), f"close{number or ''}"))
        known = data(asked, runs[-1])
        found = _solved(known, None, asked)
        centre = found.values
        if (begin <= centre).all() and (centre <= end).all() and not found.lack < crossing.LACK:
            break
        radius = np.maximum(1.0, radius / 2)
    which: list[int | None] = [*range(len(known.labels)), *([None] if len(known.labels) > 1 else [])]
    values = [_setting_value(known, lineup, asked) for lineup in which]
    doubt = ["The shares are not straight lines there: trust the check more than the fair setting and its intervals."]
    return values, _apart(values) + (doubt if found.lack < crossing.LACK else []), [run.folder for run in runs]


def _star(low: np.ndarray, high: np.ndarray) -> list[tuple[int, ...]]:
    """The middle, and from there each option at its low and its high end."""
    middle = np.round((low + high) / 2)
    ends = [np.where(np.arange(len(low)) == axis, end, middle) for axis in range(len(low)) for end in (low, high)]
    return list(dict.fromkeys(tuple(int(x) for x in point) for point in [middle, *ends]))


def _solved(known: Data, lineup: int | None, asked: Asked) -> equalising.Setting:
    low, high = zip(*asked.vary.values(), strict=True)
    means, covariance, _ = known.part(lineup)
    return equalising.equal_setting(known.settings, means, covariance, asked.usual(), low, high)


def _setting_value(known: Data, lineup: int | None, asked: Asked) -> Value:
    found = _solved(known, lineup, asked)
    label = POOLED if lineup is None else known.labels[lineup]
    parts = [f"{name} = {x:.2f} ({_interval(a, b)})" for name, x, a, b in zip(asked.vary, found.values, found.low, found.high, strict=True)]
    off = 100 * float(np.abs(found.shares - found.shares.mean()).max())
    said = f"{', '.join(parts)} comes nearest to equal seats (expected: all within {off:.1f} points)"
    return Value(label, found.values.tolist(), found.low.tolist(), found.high.tolist(), _best_corner(found, asked), said)


def _best_corner(found: equalising.Setting, asked: Asked) -> tuple[int, ...]:
    """Of the whole-numbered settings around the values the one whose seats are expected to be nearest to equal."""
    sides = [{math.floor(x + 1e-9), math.ceil(x - 1e-9)} for x in found.values]
    return min(itertools.product(*map(sorted, sides)), key=lambda x: float(np.ptp(found.at(x))))


def _apart(values: list[Value]) -> list[str]:
    """Lineups whose intervals do not meet in some option."""
    said = []
    for a, b in itertools.combinations([value for value in values if value.lineup != POOLED], 2):
        if any(a.low[i] > b.high[i] or b.low[i] > a.high[i] for i in range(len(a.values))):
            said.append(f"{a.lineup} and {b.lineup}")
    return [f"Lineups disagree on the fair setting: {'; '.join(said)}. Judge by the players you expect."] if said else []
