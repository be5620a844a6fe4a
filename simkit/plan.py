"""How many deals a question needs, before they are played; with the scatter of a run at hand, from that."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit import analysis
from simkit.analysis.compare import wins
from simkit.errors import UsageError
from simkit.experiment import Cell
from simkit.runlog import Run
from simkit.stats import planning, verdicts
from simkit.stats.deals import joint_level
from simkit.stats.quantiles import normal

MOST = 10**12  # deals
BAR = math.log(20)  # evidence that settles a single cell
ONE_TEST = "one test, one look"
FAR = 2.5  # margins: how far off a game is that UNFAIR is planned for, where the effect is within the margin
NOT_EQUAL = "NOT EQUAL"
# Standard errors by which a run that is looked at all along is luckier, when half of all have their verdict,
# than one that is looked at once; found by simulation (tests/test_plan.py).
LUCKY_FAIR, LUCKY_FAIR_OF_TWO = 0.12, 0.19
LUCKY, MANY = 0.29, 5  # UNFAIR, with so many seats; as the median of an inverse Gaussian at 4.5 nats says


class Need(NamedTuple):
    """Something one may want to know, and the deals (per cell) that it takes."""

    cell: str
    question: str
    deals: int | None  # None: no number of deals is enough
    note: str = ""
    seconds: float | None = None  # at the pace of the run, all workers together
    verdict: str = ""  # the verdict that comes by then


class Group(NamedTuple):
    """Cells of one number of seats and of games per deal: what each verdict takes there."""

    seats: int
    rotations: int
    needs: list[Need]


class Aim(NamedTuple):
    """An effect in shares (0.02 = 2 points) to be told apart: level, power, margin of the verdicts."""

    effect: float
    level: float = 0.95
    power: float = 0.8
    margin: float = 0.02

    def deals(self, variance: float) -> int:
        return planning.deals_needed(self.effect, variance, self.level, self.power)

    def width(self, variance: float) -> int:
        return planning.deals_for_width(self.effect, variance, self.level)


def plan(seats: int, aim: Aim, target: float | None = None) -> list[Need]:
    """The needs of single games between equal strategies, whose scatter is known beforehand; of a team."""
    _check(seats, aim)
    if target is not None:
        return _of_team(target, aim)
    points, variance = _points(aim.effect), 1 / seats * (1 - 1 / seats)
    single = planning.games_needed(aim.effect, seats, aim.level, aim.power)
    note = "per rule set, on deals of their own; common deals need fewer"
    return [
        Need("", f"one seat's share differs from 1/{seats} by {points}", single, ONE_TEST),
        Need("", f"its interval is ± {points}", aim.width(variance)),
        Need("", f"two rule sets differ by {points}", aim.deals(2 * variance), note),
        *_verdicts("", seats, variance, aim),
    ]


def _of_team(target: float, aim: Aim) -> list[Need]:
    """The needs of single games of a team that wins as often as it should."""
    points, variance = _points(aim.effect), target * (1 - target)
    note = "per rule set, on deals of their own; common deals need fewer"
    return [
        Need("", f"the team differs from {100 * target:g} % by {points}", aim.deals(variance), ONE_TEST),
        Need("", f"its interval is ± {points}", aim.width(variance)),
        Need("", f"two rule sets differ by {points}", aim.deals(2 * variance), note),
        *_verdicts("", 1, variance, aim, target),
    ]


def groups(run: Run, aim: Aim) -> list[Group]:
    """What each verdict takes, from the scatter of the deals: cells alike in seats and games per deal."""
    found: dict[tuple[int, int], list[tuple[float, Cell]]] = {}
    for cell in run.cells:
        shares = _first_shares(run, cell)
        if len(shares) > 1 and shares.var() > 0:
            found.setdefault((cell.seats, cell.rotations), []).append((float(shares.var(ddof=1)), cell))
    return [
        Group(seats, rotations, list(_verdicts("", seats, _middle(some), aim, some[0][1].target)))
        for (seats, rotations), some in found.items()
    ]


def _middle(some: list[tuple[float, Cell]]) -> float:
    return float(np.median([variance for variance, _ in some]))


def pace(run: Run) -> float:
    """Seconds per game, all workers together."""
    return float(run.manifest["seconds"] / max(1, run.manifest["games"]))


def _first_shares(run: Run, cell: Cell) -> np.ndarray:
    """The share of the first seat (of the team) in each deal of a cell."""
    rows = run.only([cell.index]).seats().filter((pl.col("cell") == cell.index) & (pl.col("seat") == 0))
    means = rows.group_by("deal").agg(pl.col("share").mean())
    return means.collect(engine="streaming")["share"].to_numpy()


def plan_from(run: Run, aim: Aim) -> list[Need]:
    """The needs of each cell of a run, from the scatter of its deals, and their time at the run's pace."""
    _check(2, aim)
    found = []
    for cell in run.cells:
        shares = _first_shares(run, cell)
        parts = analysis.setting_words(cell.varied), analysis.lineup_words(cell.labels)
        needs = _of_share(", ".join(filter(None, parts)), shares, cell, aim) if len(shares) > 1 else []
        each = cell.rotations * pace(run)
        found += [one._replace(seconds=None if one.deals is None else one.deals * each) for one in needs]
    return [*found, *_of_pairs(run, aim)]


def _check(seats: int, aim: Aim) -> None:
    if not 0 < aim.effect < 1 - 1 / seats:
        raise UsageError(f"an effect of {aim.effect:g} leaves no share between 0 and 1; 0.02 is 2 points")


def _of_share(words: str, shares: np.ndarray, cell: Cell, aim: Aim) -> list[Need]:
    variance, points = float(shares.var(ddof=1)), _points(aim.effect)
    if not variance > 0:
        return [Need(words, "anything", None, "the deals of this run do not vary")]
    side = (
        "first player differs from its fair share" if cell.target is None else "team differs from its target"
    )
    differs = f"the {side} by {points}"
    return [
        Need(words, differs, aim.deals(variance), ONE_TEST),
        Need(words, f"its interval is ± {points}", aim.width(variance)),
        *_verdicts(words, cell.seats, variance, aim, cell.target),
    ]


def _of_pairs(run: Run, aim: Aim) -> Iterator[Need]:
    """Rule sets against the baseline on common deals."""
    table = analysis.Findings(run).comparisons
    first = table.filter(pl.col("variance") > 0, wins(run)) if table.width else table
    for row in first.iter_rows(named=True):
        deals, rotations = aim.deals(row["variance"]), run.cells[row["cell"]].rotations
        note = f"common deals; on deals of their own {row['factor']:.1f} times as many"
        words = ", ".join(filter(None, [row["setting"], row["lineup"]]))
        side = "team" if run.team else "first player"
        asked = f"the {side} gains or loses {_points(aim.effect)} against the baseline"
        yield Need(words, asked, deals, note, 2 * deals * rotations * pace(run))


def _verdicts(
    words: str, seats: int, variance: float, aim: Aim, target: float | None = None
) -> Iterator[Need]:
    """Deals until half of all runs that are looked at all along have each verdict on a game that is ...

    FAIR: exactly fair; UNFAIR and NOT EQUAL: off by the effect; BORDERLINE: off by the margin. With a target
    it is a team that is ON TARGET, or EASY or HARD: one side, as of two seats.
    """
    note, fair = "half of all runs by then, if looked at all along; one cell alone", target or 1 / seats
    near, far, exactly = "FAIR", "UNFAIR", "fair"
    if target is not None:
        near, far, exactly, seats = "ON TARGET", "EASY or HARD", "on target", 2
    unlucky = normal(0.5 ** (1 / max(1, seats - 1)))  # of every seat, for FAIR; their shares add up to 1
    luck = unlucky - (LUCKY_FAIR_OF_TWO if seats == 2 else LUCKY_FAIR)
    deals, margin = _until("fair", variance, fair, fair, aim.margin, luck, BAR), _points(aim.margin)
    yield Need(words, f"{near} within {margin}, if it is exactly {exactly}", deals, note, verdict=near)
    effect = aim.effect if aim.effect > aim.margin else FAR * aim.margin
    who = "it" if target is not None else "a seat"
    off, half = f"if {who} is off by {_points(effect)}", _points(verdicts.INNER * aim.margin)
    claims = {"unfair": (far, f"{far} beyond {half}, {off}")}
    if target is None:
        claims = {"unequal": (NOT_EQUAL, f"the seats are not equal, {off}")} | claims
    bar, share = BAR + (math.log(seats) if seats > 2 else 0.0), min(0.999, fair + effect)
    there = variance * share * (1 - share) / (fair * (1 - fair))  # a share nearer to a half scatters more
    for claim, (verdict, question) in claims.items():
        deals = _until(claim, there, share, fair, aim.margin, LUCKY * min(1, MANY / seats), bar)
        yield Need(words, question, deals, note, verdict=verdict)
    known, level = f"{verdicts.BORDERLINE} from then on, if it is off by about {margin}", joint_level(seats)
    enough = planning.deals_for_width(verdicts.WELL * aim.margin, variance, level)
    yield Need(words, known, enough, "measured to half the margin", verdict=verdicts.BORDERLINE)


def _until(
    claim: str, variance: float, share: float, fair: float, margin: float, luck: float, bar: float
) -> int | None:
    """Deals, to 2 %, at which a seat with so much luck, in standard errors, has the evidence of a claim."""
    for deals in np.geomspace(10, MOST, 1280):
        values, parts = _two_kinds(min(0.999, share + luck * math.sqrt(variance / deals)), variance)
        found = verdicts.evidence(values, parts * deals, fair, margin)
        if getattr(found, claim) >= bar:
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
