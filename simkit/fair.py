"""What would be fair? Finds the value of a rule option (or of one option per seat) at which the seats are equal.

Runs, each in its own folder and on deals of its own: `wide` over the whole range (`wide1` ... where that was too coarse), `close` where the
shares are near fair (`close1` ... half as wide, where one curve does not fit; these give the value, also between whole numbers), and `check`,
which measures the whole-numbered candidates afresh until there is a verdict, since whatever was selected looks a little better than it is.

How often the 95 % interval holds the truth was simulated (tests/test_fair_coverage.py: luck common to the settings with correlation 0.3). One
option, 2,000 deals per value, 400 searches each (10,000 deals: 150): logistic curves of scale 1 to 6, also to one side, probit, lopsided, two
plateaus, tickets, nearly straight and nearly flat ones: 93 to 98 %. One option per seat, 150 to 250 searches each: 91 to 98 %, a little low where
the log ratios bend (tickets of three seats); its intervals are now and then open or several times as wide as usual.
Between whole numbers the value is that of a smooth curve: a rule whose shares
jump from one whole number to the next has no such value, and the check of the whole numbers is then what counts.
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
from scipy import special

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
LOCAL = 0.7  # log odds from fair within which one curve is fitted: shares of 33 to 67 % for two seats
NEARER = 0.05  # the same for straight lines, one option per seat, at 20,000 deals; fewer deals show bends less and reach further
MOST_WIDE = 8  # cheap looks to find where that is
MOST_CLOSE = 4  # closer looks, each narrower, where the curve is too bent to be fitted or the value lies outside
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


Look = Callable[[Experiment, str], "Data"]  # measures what an experiment asks for, under that name


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
    folders: list[Path] = []

    def look(wanted: Experiment, name: str) -> Data:
        run = play(wanted, name)
        folders.append(run.folder)
        return data(asked, run)

    values, warnings = fair_values(asked, look)
    candidates = _candidates(asked, values)
    keys = {"deals": 3 * asked.deals, "seed": asked.seed + 1 + MOST_CLOSE, "until_verdict": True}
    run = play(asked.experiment(f"Are these settings of {', '.join(asked.vary)} fair?", candidates, **keys), "check")
    checked = analysis.first_player_advantage(run)
    best = values[-1].setting
    verdicts = [row for row in checked.iter_rows(named=True) if _setting(asked, row) == best]
    return Found(values, checked, best, verdicts, warnings, [*folders, run.folder])


def fair_values(asked: Asked, look: Look) -> tuple[list[Value], list[str]]:
    """The fair values, before they are checked, and what to beware of; `look` measures the shares an experiment asks for."""
    return (_one_option if len(asked.vary) == 1 else _many_options)(asked, look)


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
    deals: int

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
    return Data(settings, labels, values.mean(axis=1).reshape(len(settings), len(labels), seats), covariance, values.shape[1])


def _cell_setting(asked: Asked, cell: Cell) -> tuple[int, ...]:
    return tuple(cell.varied[name] for name in asked.vary)


# one option: the share of the first seat is a curve over its values ------------------------------------------------


class Window(NamedTuple):
    """The part of a range in which one lineup comes close to fair, and about where it is fair."""

    low: int
    high: int
    near: float
    local: bool  # whether the shares in it are near enough to fair for one curve


class Fitted(NamedTuple):
    """A curve of the first seat's log odds, and the weights of its means on everything that was measured."""

    curve: Curve
    onto: np.ndarray


def _one_option(asked: Asked, look: Look) -> tuple[list[Value], list[str]]:
    which, windows = _windows(asked, look)
    known: Data | None = None
    for number in range(MOST_CLOSE):
        known = _joined(known, look(_second(asked, _grid(windows), number), f"close{number or ''}"))
        fits = [_fitted(known, lineup, window) for lineup, window in zip(which, windows, strict=True)]
        narrower = [_narrower(one.curve, window, asked) for one, window in zip(fits, windows, strict=True)]
        if narrower == windows or number == MOST_CLOSE - 1:
            break
        windows = narrower
    assert known is not None
    labels = [POOLED if lineup is None else known.labels[lineup] for lineup in which]
    values = [_value(fit.curve, window, label, asked) for fit, window, label in zip(fits, windows, labels, strict=True)]
    lacking = [label for label, fit in zip(labels, fits, strict=True) if fit.curve.lack < crossing.LACK]
    doubt = f"The curve does not fit well ({', '.join(lacking)}): trust the check more than the fair value and its interval."
    return values, _disagreeing(known, fits, values) + ([doubt] if lacking else [])


def _joined(before: Data | None, new: Data) -> Data:
    """Two looks on deals of their own as one; a setting may come twice."""
    if before is None:
        return new
    apart = np.zeros((len(before.covariance), len(new.covariance)))
    covariance = np.block([[before.covariance, apart], [apart.T, new.covariance]])
    return Data([*before.settings, *new.settings], new.labels, np.concatenate([before.means, new.means]), covariance, new.deals)


def _windows(asked: Asked, look: Look) -> tuple[list[int | None], list[Window]]:
    """Of each lineup, and of all together, the part of the range to measure: found by cheap looks, each at a quarter of the last."""
    ((low, high),) = asked.vary.values()
    whole = Window(low, high, math.nan, False)
    known = look(_first(asked, _grid([whole])), "wide")
    which: list[int | None] = [*range(len(known.labels)), *([None] if len(known.labels) > 1 else [])]
    windows = [_window(asked, known, lineup, whole) for lineup in which]
    for number in range(1, MOST_WIDE):
        open_ones = [window for window in windows if not window.local]
        if not open_ones:
            break
        known = look(_first(asked, _grid(open_ones), number), f"wide{number}")
        windows = [old if old.local else _window(asked, known, lineup, old) for old, lineup in zip(windows, which, strict=True)]
    return which, windows


def _grid(windows: list[Window]) -> list[tuple[int, ...]]:
    """The values to try: those of all windows, taken as one where they nearly are."""
    low, high = min(one.low for one in windows), max(one.high for one in windows)
    alike = high - low <= 1.5 * min(one.high - one.low for one in windows)
    parts = [(low, high)] if alike else [(one.low, one.high) for one in windows]
    return [(x,) for x in sorted({x for part in parts for x in _spaced(*part, WIDE)})]


def _window(asked: Asked, known: Data, lineup: int | None, within: Window) -> Window:
    """All values near fair around the change of sign nearest to the rulebook's value; or, seen too coarsely, where to look again."""
    ((least, most),) = asked.vary.values()
    tried, off = _off_fair(asked, known, lineup, within)
    left, right, near = _bracket(tried, off, asked.usual()[0])
    step = int(tried[right] - tried[left])
    if step > 1 and max(abs(off[left]), abs(off[right])) > 2 * LOCAL:
        found = Window(max(least, int(tried[left]) - step // 2), min(most, int(tried[right]) + step // 2), near, False)
        return found._replace(local=found[:2] == within[:2])
    low, high = (_reach(tried, off, start, near, way) for start, way in ((left, -1), (right, 1)))
    low, high = max(least, math.floor(low)), min(most, math.ceil(high))
    return Window(max(least, min(low, high - 1)), min(most, max(high, low + 1)), near, True)


def _off_fair(asked: Asked, known: Data, lineup: int | None, within: Window) -> tuple[np.ndarray, np.ndarray]:
    """The values tried within a window, and by how much the log odds of the first seat are off fair there."""
    tried = np.array([x for (x,) in known.settings])
    inside = (within.low <= tried) & (tried <= within.high)
    means, covariance, _ = known.part(lineup)
    seats = means.shape[1]
    logits = crossing.log_odds(means[:, 0], covariance[::seats, ::seats], known.deals).values
    return tried[inside], logits[inside] - math.log(1 / (asked.seats - 1))


def _bracket(tried: np.ndarray, off: np.ndarray, usual: float) -> tuple[int, int, float]:
    """The places of two neighbouring values on both sides of fair, and about where fair lies; else those around the value nearest to it."""
    found = [i for i in range(len(tried) - 1) if off[i] * off[i + 1] <= 0]
    if not found:
        nearest = int(np.argmin(np.abs(off)))
        return max(0, nearest - 1), min(len(tried) - 1, nearest + 1), float(tried[nearest])
    i = min(found, key=lambda place: abs(tried[place] - usual))
    part = off[i] / (off[i] - off[i + 1]) if off[i] != off[i + 1] else 0.5
    return i, i + 1, float(tried[i] + part * (tried[i + 1] - tried[i]))


def _reach(tried: np.ndarray, off: np.ndarray, start: int, near: float, way: int) -> float:
    """How far from `start` the log odds stay within LOCAL of fair; between values tried, on a straight line."""
    inner, inner_off, place = near, 0.0, start
    while 0 <= place < len(tried) and abs(off[place]) <= LOCAL:
        inner, inner_off, place = float(tried[place]), abs(float(off[place])), place + way
    if not 0 <= place < len(tried):
        return inner
    return inner + (float(tried[place]) - inner) * (LOCAL - inner_off) / (abs(float(off[place])) - inner_off)


def _narrower(curve: Curve, window: Window, asked: Asked) -> Window:
    """A window of half the width, around the crossing, where the curve lacks something in this one."""
    if not curve.lack < crossing.LACK:
        return window
    found = _crossing_of(curve, window, asked)
    near = found.value if found and window.low <= found.value <= window.high else window.near
    half = max(1.0, (window.high - window.low) / 4)
    return Window(max(window.low, math.floor(near - half)), min(window.high, math.ceil(near + half)), near, True)


def _first(asked: Asked, settings: list[tuple[int, ...]], number: int = 0) -> Experiment:
    question = f"Where along {', '.join(asked.vary)} do the seats come close to equal?"
    seed = asked.seed + (1 + MOST_CLOSE + number if number else 0)
    return asked.experiment(question, settings, deals=max(500, asked.deals // 5), seed=seed)


def _second(asked: Asked, settings: list[tuple[int, ...]], number: int = 0) -> Experiment:
    question = f"At which value of {', '.join(asked.vary)} are the seats equal?"
    return asked.experiment(question, settings, deals=asked.deals, seed=asked.seed + 1 + number)


def _spaced(low: int, high: int, most: int) -> list[int]:
    """At most so many whole numbers from low to high, both included, as evenly spaced as they can be."""
    many = min(most, high - low + 1)
    return sorted({round(low + (high - low) * i / (many - 1)) for i in range(many)})


def _fitted(known: Data, lineup: int | None, window: Window) -> Fitted:
    """The curve of the first seat's log odds over the values in a window."""
    tried = np.array([x for (x,) in known.settings])
    inside = np.flatnonzero((window.low <= tried) & (tried <= window.high))
    means, covariance, onto = known.part(lineup)
    first = inside * means.shape[1]
    odds = crossing.log_odds(means[inside, 0], covariance[np.ix_(first, first)], known.deals)
    return Fitted(crossing.local(tried[inside], odds.values, odds.covariance), odds.slopes[:, np.newaxis] * onto[first])


def _crossing_of(curve: Curve, window: Window, asked: Asked) -> crossing.Crossing | None:
    """Where the curve crosses the fair share, up to half a window outside; of several places the one expected."""
    ((low, high),) = asked.vary.values()
    more = (window.high - window.low) / 2
    ends = max(low, window.low - more), min(high, window.high + more)
    found = crossing.crossings(curve, _fair_odds(asked), *ends)
    return min(found, key=lambda one: abs(one.value - window.near), default=None)


def _fair_odds(asked: Asked) -> float:
    return math.log(1 / (asked.seats - 1))


def _value(curve: Curve, window: Window, label: str, asked: Asked) -> Value:
    ((name, _),) = asked.vary.items()
    found = _crossing_of(curve, window, asked)
    whole = np.arange(window.low, window.high + 1)
    best = (int(whole[np.argmin(np.abs(curve.at(whole) - _fair_odds(asked)))]),)
    if found is None:
        return Value(label, [math.nan], [math.nan], [math.nan], best, _none(curve, name, asked, best[0]))
    what = "makes the seats equal" if asked.seats == 2 else "gives the first seat its fair share"
    said = f"{name} = {found.value:.2f} {what} ({_interval(found.low, found.high)})"
    return Value(label, [found.value], [found.low], [found.high], best, said)


def _none(curve: Curve, name: str, asked: Asked, best: int) -> str:
    """What is known where the fitted curve does not cross the fair share."""
    odds, half = float(curve.at(best)), 1.96 * float(curve.error(best))
    share, least, most = (100 * float(special.expit(x)) for x in (odds, odds - half, odds + half))
    there = f"at {best} the first seat wins {share:.1f} % (95 % interval {least:.1f} to {most:.1f} %)"
    ((low, high),) = asked.vary.values()
    if abs(odds - _fair_odds(asked)) <= half:
        return f"not settled whether a value of {name} from {low} to {high} is fair; {there}, which may be fair"
    return f"no value of {name} from {low} to {high} was found to be fair; nearest is {best}: {there}"


def _interval(low: float, high: float) -> str:
    """A 95 % interval in words; an open end is said as such."""
    if math.isinf(low) and math.isinf(high):
        return "95 % interval: wider than the range tried"
    if math.isinf(low) or math.isinf(high):
        return f"95 % interval: {f'up to {high:.2f}' if math.isinf(low) else f'from {low:.2f} up'}, open beyond the range tried"
    return f"95 % interval {low:.2f} to {high:.2f}"


def _disagreeing(known: Data, fits: list[Fitted], values: list[Value]) -> list[str]:
    """Pairs of lineups whose fair values differ beyond noise (Bonferroni over the pairs)."""
    have = [i for i in range(len(known.labels)) if not math.isnan(values[i].values[0])]
    pairs, said = list(itertools.combinations(have, 2)), []
    for i, j in pairs:
        common = fits[i].onto @ known.covariance @ fits[j].onto.T
        places = values[i].values[0], values[j].values[0]
        apart = crossing.difference_of_crossings(fits[i].curve, places[0], fits[j].curve, places[1], common, 1 - 0.05 / len(pairs))
        if not apart[1] <= 0 <= apart[2]:
            said.append(f"{known.labels[i]} ({places[0]:.1f}) and {known.labels[j]} ({places[1]:.1f})")
    if len(have) < len(known.labels):
        said += [f"{known.labels[i]} (none in the range)" for i in range(len(known.labels)) if i not in have and have]
    return [f"Lineups disagree on the fair value: {'; '.join(said)}. Judge by the players you expect."] if said else []


# one option per seat: all seats are to have the same share ---------------------------------------------------------


def _many_options(asked: Asked, look: Look) -> tuple[list[Value], list[str]]:
    centre, radius = _nearby(asked, look)
    for number in range(MOST_CLOSE):
        begin, end = _box(asked, centre, radius)
        known = look(_second(asked, _star(begin, end), number), f"close{number or ''}")
        found = _solved(known, None, asked)
        if (begin <= found.values).all() and (found.values <= end).all() and not found.lack < crossing.LACK:
            break
        centre, radius = found.values, np.maximum(1.0, radius / 2) if found.lack < crossing.LACK else radius
    which: list[int | None] = [*range(len(known.labels)), *([None] if len(known.labels) > 1 else [])]
    values = [_setting_value(known, lineup, asked) for lineup in which]
    doubt = ["The shares do not fit the model well there: trust the check more than the fair setting and its intervals."]
    return values, _apart(values) + (doubt if found.lack < crossing.LACK else [])


def _nearby(asked: Asked, look: Look) -> tuple[np.ndarray, np.ndarray]:
    """About where the seats are equal, and how far each option may go from there for a straight line: by cheap looks."""
    low, high = (np.array(ends, float) for ends in zip(*asked.vary.values(), strict=True))
    centre, radius = (low + high) / 2, (high - low) / 2
    for number in range(MOST_WIDE):
        found = _solved(look(_first(asked, _star(*_box(asked, centre, radius)), number), f"wide{number or ''}"), None, asked)
        slopes = np.maximum(np.abs(found.coefficients[1:]).max(axis=1), 1e-9)
        known = np.where(np.isfinite(found.high - found.low), found.high - found.low, 0.0) / 2
        wanted = np.clip(np.maximum(known, NEARER * (20_000 / asked.deals) ** 0.25 / slopes), 1.0, np.maximum(1.0, (high - low) / 2))
        central = (np.abs(found.values - centre) <= np.maximum(1.0, radius / 2)).all()
        if central and (radius <= 1.5 * wanted).all():
            break
        centre, radius = found.values, np.maximum(np.minimum(radius, wanted), radius / 2)
    return found.values, wanted


def _box(asked: Asked, centre: np.ndarray, radius: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    low, high = (np.array(ends, float) for ends in zip(*asked.vary.values(), strict=True))
    return np.maximum(low, np.floor(centre - radius)), np.minimum(high, np.ceil(centre + radius))


def _star(low: np.ndarray, high: np.ndarray) -> list[tuple[int, ...]]:
    """The middle, and from there each option at its low and its high end."""
    middle = np.round((low + high) / 2)
    ends = [np.where(np.arange(len(low)) == axis, end, middle) for axis in range(len(low)) for end in (low, high)]
    return list(dict.fromkeys(tuple(int(x) for x in point) for point in [middle, *ends]))


def _solved(known: Data, lineup: int | None, asked: Asked) -> equalising.Setting:
    low, high = zip(*asked.vary.values(), strict=True)
    means, covariance, _ = known.part(lineup)
    return equalising.equal_setting(known.settings, means, covariance, known.deals, asked.usual(), low, high)


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
