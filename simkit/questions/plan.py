"""Questions: Estimate how many deals a question needs.

The function, and the deals that each need takes: closed formulas for one test, simulated runs for verdicts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Annotated, NamedTuple

import numpy as np
import polars as pl
from pydantic import Field

from simkit.ask.arguments import Shell
from simkit.ask.question import checked
from simkit.ask.results import AnyRun, findings
from simkit.errors import UsageError
from simkit.runs.experiment import USUAL_MARGIN, Margin, Share
from simkit.runs.folder import Run
from simkit.runs.plan import Cell, schedule
from simkit.stats import planning, verdicts
from simkit.tables.compare import comparisons, wins
from simkit.tables.findings import Findings, lineup_words, setting_words

Power = Annotated[float, Field(ge=0.1, le=0.999)]
SeatCount = Annotated[int, Field(ge=2, le=20)]


@checked
def plan(
    run: Annotated[AnyRun, Shell(metavar="[RUN]", positional=True)] | None = None,
    *,
    effect: Share = 0.02,
    seats: SeatCount | None = None,
    power: Power = 0.8,
    margin: Margin | None = None,
    target: Share | None = None,
) -> pl.DataFrame:
    """Estimate how many deals a question needs.

    Without a run you get the deals for single games of equal strategies, or of a team that wins as often as
    `target` says. With a run, which may be small, you get its verdicts so far, and for each case the deals
    and the time that would settle it.

    Args:
        run: A run (it may be small) whose verdicts are to be settled; without one, games of equal
            strategies.
        effect: Difference of shares to detect: 0.02 is two points.
        seats: Seats of the game, for a plan without a run; 2 by default.
        power: Chance of detecting the difference if it exists.
        margin: Shares this close to fair count as fair; by default that of `run`, else 0.02.
        target: Win rate of a team, for a plan without a run.

    Returns:
        A row per verdict or comparison, with the deals that it needs.

    Raises:
        UsageError: A number out of range.

    Example:
        >>> plan(effect=0.01)["deals"][0]
        19620

    Command line::

        simkit plan --effect 0.01 --seats 4
    """
    played = None if run is None else findings(run).run
    aim, seats, target = plan_of(played, effect, seats, power, margin, target)
    needs = needs_of_run(played, aim) if played else needs_of_game(seats, aim, target)
    return pl.DataFrame([need._asdict() for need in needs], infer_schema_length=None)


class Aim(NamedTuple):
    """An effect to detect, in shares (0.02 = 2 points), with level, power and the margin of the verdicts."""

    effect: Share
    level: float = 0.95
    power: Power = 0.8
    margin: Margin = USUAL_MARGIN

    def deals(self, variance: float) -> int:
        """Return the deals that detect the effect."""
        return planning.deals_needed(self.effect, variance, self.level, self.power)

    def width(self, variance: float) -> int:
        """Return the deals whose interval has the effect as its half width."""
        return planning.deals_for_width(self.effect, variance, self.level)


def plan_of(
    run: Run | None,
    effect: float,
    seats: int | None,
    power: float,
    margin: float | None,
    target: float | None,
) -> tuple[Aim, int, float | None]:
    """Return aim, seats and target of a plan; UsageError for seats or a target beside a run."""
    if run and (seats is not None or target is not None):
        name = "target" if seats is None else "seats"
        raise UsageError(f"{name}: is for a plan without a run; a run has its own")
    usual = run.experiment.margin if run else USUAL_MARGIN
    return Aim(effect, power=power, margin=usual if margin is None else margin), seats or 2, target


# Needs, from the variance of equal strategies or of a run.

MAX_DEALS = 10**12
EVIDENCE_NEEDED = math.log(20)  # log evidence that settles a single cell
ONE_TEST = "one test, one look"
UNFAIR_MARGINS = 2.5  # distance from fair, in margins, for which UNFAIR is planned if the effect is too small
EARLY = "half of all runs by then, if they stop by themselves; one cell alone"
RUNS, MOSTLY = 1_000, 950  # simulated runs, and the number for which `Need.most` deals are enough


class Need(NamedTuple):
    """A question, and the deals per cell that answer it."""

    question: str
    deals: int | None  # None: no number of deals is enough
    note: str = ""
    verdict: str = ""  # the verdict that half of all runs have by then
    most: int | None = None  # the deals by which 95 % of all runs have the verdict
    cell: str = ""  # setting and lineup of the cell of a run
    seconds: float | None = None  # at the pace of the run, all workers together


def needs_of_game(seats: int, aim: Aim, target: float | None = None) -> list[Need]:
    """Return the needs of single games between equal strategies (or of a team), whose variance is known."""
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
        Need(differs, single, ONE_TEST),
        Need(f"its interval is ± {points}", aim.width(variance)),
        Need(f"two rule sets differ by {points}", aim.deals(2 * variance), note),
        *_verdicts(seats, variance, aim, target),
    ]


def verdict_needs(run: Run, aim: Aim) -> dict[tuple[int, int], list[Need]]:
    """Return the deals of each verdict by seats and games per deal, from the variance of a run."""
    variances: dict[tuple[int, int], list[float]] = {}
    for cell in run.cells:
        shares = _first_shares(run, cell)
        if len(shares) > 1 and shares.var() > 0:
            variances.setdefault((cell.seats, cell.rotations), []).append(float(shares.var(ddof=1)))
    judged = run.cells[0].target, run.team
    return {
        (seats, rotations): list(_verdicts(seats, float(np.median(group)), aim, *judged))
        for (seats, rotations), group in variances.items()
    }


def pace(run: Run) -> float:
    """Return the seconds per game, all workers together."""
    return run.manifest.seconds / max(1, run.manifest.games)


def _first_shares(run: Run, cell: Cell) -> np.ndarray:
    """Return the share of the first seat (or of the team or side) in each deal of a cell."""
    rows = run.judged_rows(run.only([cell.index]).seats())
    rows = rows.filter((pl.col("cell") == cell.index) & (pl.col("seat") == 0))
    means = rows.group_by("deal").agg(pl.col("share").mean())
    return means.collect(engine="streaming")["share"].to_numpy()


def needs_of_run(run: Run, aim: Aim) -> list[Need]:
    """Return the needs of each cell of a run from the variance of its deals, with their time at its pace."""
    _check(2, aim)
    needs = []
    for cell in run.cells:
        for need in _cell_needs(cell, _first_shares(run, cell), aim, _subject(run)):
            seconds = None if need.deals is None else need.deals * cell.rotations * pace(run)
            needs.append(need._replace(cell=cell_words(cell), seconds=seconds))
    return [*needs, *_comparison_needs(run, aim)]


def cell_words(cell: Cell) -> str:
    """Return the setting and the lineup of a cell in one text, which names the cell of a `Need`."""
    return ", ".join(filter(None, [setting_words(cell.varied), lineup_words(cell.labels)]))


def _check(seats: int, aim: Aim) -> None:
    """Raise UsageError for an effect that no share can have."""
    if not 0 < aim.effect < 1 - 1 / seats:
        raise UsageError(f"an effect of {aim.effect:g} leaves no share between 0 and 1; 0.02 is 2 points")


def _subject(run: Run) -> str:
    if run.one_side:
        return run.role or run.sides[0]
    return "team" if run.team else "first player"


def _cell_needs(cell: Cell, shares: np.ndarray, aim: Aim, subject: str) -> list[Need]:
    """Return the needs of one cell from the shares of its deals."""
    if len(shares) < 2:
        return []
    variance, points = float(shares.var(ddof=1)), _points(aim.effect)
    if not variance > 0:
        return [Need("anything", None, "the deals of this run do not vary")]
    aim_of = "target" if cell.team else "fair share"
    return [
        Need(f"the {subject} differs from its {aim_of} by {points}", aim.deals(variance), ONE_TEST),
        Need(f"its interval is ± {points}", aim.width(variance)),
        *_verdicts(cell.seats, variance, aim, cell.target, cell.team),
    ]


def _comparison_needs(run: Run, aim: Aim) -> Iterator[Need]:
    """Yield the needs of comparisons with the baseline on common deals."""
    table = comparisons(Findings(run))
    first = table.filter(pl.col("variance") > 0, wins(run)) if table.width else table
    for row in first.iter_rows(named=True):
        cell, deals = run.cells[row["cell"]], aim.deals(row["variance"])
        note = f"common deals; on deals of their own {row['factor']:.1f} times as many"
        question = f"the {_subject(run)} gains or loses {_points(aim.effect)} against the baseline"
        seconds = 2 * deals * cell.rotations * pace(run)
        yield Need(question, deals, note, cell=cell_words(cell), seconds=seconds)


def _verdicts(
    seats: int, variance: float, aim: Aim, target: float | None = None, team: bool = True
) -> Iterator[Need]:
    """Yield the deals until half of all runs, and 95 % of them, have a verdict.

    The game is exactly fair for FAIR, off by the effect for UNFAIR and NOT EQUAL, and off by the margin for
    BORDERLINE. The verdicts on a team are ON TARGET, TOO EASY or TOO HARD.
    """
    fair, subject, near, far, exactly = 1 / seats, "a seat", "FAIR", "UNFAIR", "fair"
    if target is not None and not team:
        fair, subject = target, "the side or role"
    elif target is not None:
        fair, subject, near, far, exactly = target, "it", "ON TARGET", "TOO EASY or TOO HARD", "on target"
    beyond = aim.effect > verdicts.OUTER * aim.margin
    effect, margin = aim.effect if beyond else UNFAIR_MARGINS * aim.margin, _points(aim.margin)
    off, edge = f"if {subject} is off by {_points(effect)}", f"if {subject} is off by {margin}"
    claims = [
        (near, f"{near} within {margin}, if it is exactly {exactly}", 0.0, "strongest"),
        (verdicts.NOT_EQUAL, f"the seats are not equal, {off}", effect, "unequal"),
        (far, f"{far} beyond {margin}, {off}", effect, "strongest"),
        (verdicts.BORDERLINE, f"{verdicts.BORDERLINE}, {edge}", aim.margin, "strongest"),
    ]
    scatter = variance / (fair * (1 - fair))  # of that of single games
    drawn = max(0.1, min(1.0, round(scatter, 1)))
    for verdict, question, away, claim in claims:
        if target is None or verdict != verdicts.NOT_EQUAL:
            other_direction = fair + away >= 1 and away < fair
            share = fair - away if other_direction else min(0.999, fair + away)
            shares = (share, *[(1 - share) / (seats - 1)] * (seats - 1)) if target is None else (share,)
            half, most = (deals * scatter / drawn for deals in _until(claim, shares, fair, drawn, aim.margin))
            yield Need(question, math.ceil(half), EARLY, verdict, math.ceil(most))


@cache
def _until(
    claim: str, shares: tuple[float, ...], fair: float, drawn: float, margin: float
) -> tuple[float, float]:
    """Return the deals by which half of RUNS simulated runs, and MOSTLY of them, have evidence of a claim.

    `shares` are those of the seats. `drawn` is the part of the deals that one seat wins alone; the others
    have the shares themselves as their result, so that results vary like those of deals that are played
    several times.
    """
    rng, before, ends = np.random.default_rng(1), 0, np.full(RUNS, np.inf)
    chances = drawn * np.array([*shares, max(0.0, 1 - sum(shares)), (1 - drawn) / drawn])
    counts = np.zeros((RUNS, chances.size))
    for deals in schedule(MAX_DEALS):
        going = np.flatnonzero(np.isinf(ends))
        if going.size <= RUNS - MOSTLY:
            break
        counts[going] += rng.multinomial(deals - before, chances, going.size)
        won, flat, before = counts[going, : len(shares)], counts[going, -1], deals
        evidence = [
            verdicts.evidence(
                [0, 1, share], np.stack([deals - mine - flat, mine, flat], axis=-1), fair, margin
            )
            for share, mine in zip(shares, won.T, strict=True)
        ]
        reached = getattr(verdicts.evidence_of_cell(evidence), claim) >= EVIDENCE_NEEDED
        ends[going[reached]] = deals
    half, most = np.sort(ends)[[RUNS // 2 - 1, MOSTLY - 1]]
    return float(half), float(most)


def _points(share: float) -> str:
    """Return a share as a number of points."""
    return f"{100 * share:g} point{'' if share == 0.01 else 's'}"
