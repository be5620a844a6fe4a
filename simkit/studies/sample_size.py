"""How many deals a question needs, before they are played; with the scatter of a run at hand, from that."""

import math
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import polars as pl

from simkit import analysis
from simkit.analysis.compare import wins
from simkit.errors import UsageError
from simkit.runs.experiment import Cell, schedule
from simkit.runs.run import Run
from simkit.stats import planning, verdicts

MOST = 10**12  # deals
BAR = math.log(20)  # evidence that settles a single cell
ONE_TEST = "one test, one look"
FAR = 2.5  # margins off fair for which UNFAIR is planned where the effect is no clear case of it
NOT_EQUAL = "NOT EQUAL"
EARLY = "half of all runs by then, if they stop by themselves; one cell alone"
RUNS, MOSTLY = 1_000, 950  # simulated runs, and how many of them `Need.most` is enough for


class Need(NamedTuple):
    """Something one may want to know, and the deals (per cell) that it takes."""

    cell: str
    question: str
    deals: int | None  # None: no number of deals is enough
    note: str = ""
    seconds: float | None = None  # at the pace of the run, all workers together
    verdict: str = ""  # the verdict that comes by then
    most: int | None = None  # the deals by which 95 % of all runs have the verdict


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
    points, fair = _points(aim.effect), 1 / seats if target is None else target
    variance = fair * (1 - fair)
    if target is None:
        differs = f"one seat's share differs from 1/{seats} by {points}"
        single = planning.games_needed(aim.effect, seats, aim.level, aim.power)
    else:
        differs, single = f"the team differs from {100 * target:g} % by {points}", aim.deals(variance)
    note = "per rule set, on deals of their own; common deals need fewer"
    return [
        Need("", differs, single, ONE_TEST),
        Need("", f"its interval is ± {points}", aim.width(variance)),
        Need("", f"two rule sets differ by {points}", aim.deals(2 * variance), note),
        *_verdicts("", seats, variance, aim, target),
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
        needs = _of_share(cell_words(cell), shares, cell, aim) if len(shares) > 1 else []
        each = cell.rotations * pace(run)
        found += [one._replace(seconds=None if one.deals is None else one.deals * each) for one in needs]
    return [*found, *_of_pairs(run, aim)]


def cell_words(cell: Cell) -> str:
    """Return the setting and the lineup of a cell in one text, which names the cell of a `Need`."""
    return ", ".join(filter(None, [analysis.setting_words(cell.varied), analysis.lineup_words(cell.labels)]))


def _check(seats: int, aim: Aim) -> None:
    if not 0 < aim.effect < 1 - 1 / seats:
        raise UsageError(f"an effect of {aim.effect:g} leaves no share between 0 and 1; 0.02 is 2 points")


def _of_share(words: str, shares: np.ndarray, cell: Cell, aim: Aim) -> list[Need]:
    variance, points = float(shares.var(ddof=1)), _points(aim.effect)
    if not variance > 0:
        return [Need(words, "anything", None, "the deals of this run do not vary")]
    who, aim_of = ("first player", "fair share") if cell.target is None else ("team", "target")
    differs = f"the {who} differs from its {aim_of} by {points}"
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
        words = cell_words(run.cells[row["cell"]])
        side = "team" if run.team else "first player"
        asked = f"the {side} gains or loses {_points(aim.effect)} against the baseline"
        yield Need(words, asked, deals, note, 2 * deals * rotations * pace(run))


def _verdicts(
    words: str, seats: int, variance: float, aim: Aim, target: float | None = None
) -> Iterator[Need]:
    """Deals until half of all runs, and 95 % of them, have a verdict on a game that is ...

    FAIR: exactly fair; UNFAIR and NOT EQUAL: off by the effect; BORDERLINE: off by the margin. With a target
    it is a team that is ON TARGET, or TOO EASY or TOO HARD.
    """
    fair, who, near, far, exactly = 1 / seats, "a seat", "FAIR", "UNFAIR", "fair"
    if target is not None:
        fair, who, near, far, exactly = target, "it", "ON TARGET", "TOO EASY or TOO HARD", "on target"
    beyond = aim.effect > verdicts.OUTER * aim.margin
    effect, margin = aim.effect if beyond else FAR * aim.margin, _points(aim.margin)
    off, edge = f"if {who} is off by {_points(effect)}", f"if {who} is off by {margin}"
    asked = [
        (near, f"{near} within {margin}, if it is exactly {exactly}", 0.0, "strongest"),
        (NOT_EQUAL, f"the seats are not equal, {off}", effect, "unequal"),
        (far, f"{far} beyond {margin}, {off}", effect, "strongest"),
        (verdicts.BORDERLINE, f"{verdicts.BORDERLINE}, {edge}", aim.margin, "strongest"),
    ]
    scatter = variance / (fair * (1 - fair))  # of that of single games
    drawn = max(0.1, min(1.0, round(scatter, 1)))
    for verdict, question, away, claim in asked:
        if target is None or verdict != NOT_EQUAL:
            below = fair + away >= 1 and away < fair
            share = fair - away if below else min(0.999, fair + away)
            shares = (share, *[(1 - share) / (seats - 1)] * (seats - 1)) if target is None else (share,)
            half, most = (deals * scatter / drawn for deals in _until(claim, shares, fair, drawn, aim.margin))
            yield Need(words, question, math.ceil(half), EARLY, verdict=verdict, most=math.ceil(most))


@cache
def _until(
    claim: str, shares: tuple[float, ...], fair: float, drawn: float, margin: float
) -> tuple[float, float]:
    """Deals by which half of RUNS simulated runs of a cell, and MOSTLY of them, have evidence of a claim.

    shares: of the seats; drawn: the part of the deals that one seat wins alone; the others have the shares
    themselves as their result, so that results scatter as those of deals that are played several times.
    """
    rng, before, ends = np.random.default_rng(1), 0, np.full(RUNS, np.inf)
    chances = drawn * np.array([*shares, max(0.0, 1 - sum(shares)), (1 - drawn) / drawn])
    counts = np.zeros((RUNS, chances.size))
    for deals in schedule(MOST):
        going = np.flatnonzero(np.isinf(ends))
        if going.size <= RUNS - MOSTLY:
            break
        counts[going] += rng.multinomial(deals - before, chances, going.size)
        won, flat, before = counts[going, : len(shares)], counts[going, -1], deals
        each = [
            verdicts.evidence(
                [0, 1, share], np.stack([deals - mine - flat, mine, flat], axis=-1), fair, margin
            )
            for share, mine in zip(shares, won.T, strict=True)
        ]
        reached = getattr(verdicts.evidence_of_cell(each), claim) >= BAR
        ends[going[reached]] = deals
    half, most = np.sort(ends)[[RUNS // 2 - 1, MOSTLY - 1]]
    return float(half), float(most)


def _points(share: float) -> str:
    return f"{100 * share:g} point{'' if share == 0.01 else 's'}"
