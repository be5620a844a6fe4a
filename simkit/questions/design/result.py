"""Results of a rule design: goals, the distance of rules from them, and the tables of settings."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from pydantic import BaseModel, Field, model_validator

from simkit.runs.answers import Count, Number, SettingValue, Stage, StudyResults
from simkit.runs.folder import Run
from simkit.stats.deals import mean_from_moments
from simkit.stats.quantiles import Floats
from simkit.tables import compare
from simkit.tables.compare import Measure, means_by_deal
from simkit.tables.findings import Findings, finding, lineup_words

FAIRNESS = "fairness"
ONE_SIDED_TOLERANCE = 0.1  # tolerance of a one-sided range, relative to its end
MET, MISSED, OPEN = "met", "missed", "open"
GOAL_LEVEL = 0.95
GoalRow = dict[str, Any]
Shortfalls = dict[str, tuple[float, float]]  # by wish: greatest shortfall, and the corresponding mean
Printed = dict[tuple[str, int], Floats]  # by lineup and goal index: value of each deal in the printed rules


class Goal(BaseModel):
    """A measure and the range in which it should lie; one wish may have several goals."""

    wish: str  # as written in the request
    measure: str  # share, or a column of the games table
    seat: Count | None
    unit: str
    low: Number | None
    high: Number | None
    printed: bool  # whether the ends are differences from the printed rules
    scale: Number = Field(default=1.0, gt=0)  # one tolerance, in the unit of the measure

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the range, infinite where it is open."""
        return -math.inf if self.low is None else self.low, math.inf if self.high is None else self.high

    def shortfall(self, value: float) -> float:
        """Return the distance outside the range, in tolerances.

        Inside the range, the distance to the nearer end is negative, but not below −1.
        """
        low, high = self.ends
        return max(-1.0, max(low - value, value - high) / self.scale)

    def best_within(self, low: float, high: float) -> float:
        """Return the value within an interval that serves the goal best."""
        return float(np.clip(sum(self.ends) / 2, low, high))

    def verdict(self, low: float, high: float) -> str:
        """Return MET or MISSED where an interval allows the conclusion, else OPEN."""
        least, most = self.ends
        if least <= low and high <= most:
            return MET
        return MISSED if high < least or low > most else OPEN


class GoalEstimate(BaseModel):
    """The mean of a goal's measure for a lineup, with its interval."""

    lineup: str
    goal: Count  # index
    value: Number
    mean: Number  # of the value, or of its difference from the printed rules
    low: Number
    high: Number


class Trial(BaseModel):
    """A setting that was played, with its distance from the wishes."""

    setting: dict[str, SettingValue]
    deals: Count
    loss: Number
    rows: list[GoalEstimate]


class RuleDesign(StudyResults):
    """The results of a search for rules that meet wishes."""

    kind: Literal["design"] = "design"
    vary: dict[str, list[SettingValue]]
    goals: list[Goal] = Field(min_length=1)
    trials: list[Trial] = Field(min_length=1)
    printed: dict[str, SettingValue]
    refused: Count  # number of settings that the game refuses
    deals: Count
    side_runs: list[Stage]

    @property
    def stages(self) -> list[str]:
        """Names of the side runs."""
        return self.side_runs

    @property
    def options(self) -> Iterable[str]:
        """Options that the confirmation varies."""
        return self.vary

    @property
    def tried_settings(self) -> list[dict[str, SettingValue]]:
        """Settings that were played, the printed rules first."""
        return [trial.setting for trial in self.trials]

    @model_validator(mode="after")
    def check_trials(self) -> Self:
        """Refuse settings of other options, and settings without a row for each goal."""
        if any({*trial.setting} != {*self.vary} for trial in self.trials):
            raise ValueError("the options in it are not those in 'vary'")
        if any({row.goal for row in trial.rows} != {*range(len(self.goals))} for trial in self.trials):
            raise ValueError("a setting without a number for each wish")
        return self


def with_tolerances(goals: Sequence[Goal], printed: Printed) -> list[Goal]:
    """Return the goals with tolerances: half of a range, else a tenth of its end or of the printed value."""
    tolerances = []
    for place, goal in enumerate(goals):
        low, high = goal.ends
        usual = max(abs(float(values.mean())) for (_, at), values in printed.items() if at == place)
        end = usual if goal.printed else min(abs(low), abs(high))
        half, one_sided = (high - low) / 2, ONE_SIDED_TOLERANCE * end or 1.0
        tolerances.append(half if math.isfinite(half) else one_sided)
    return [goal.model_copy(update={"scale": scale}) for goal, scale in zip(goals, tolerances, strict=True)]


def printed_of(run: Run, goals: Sequence[Goal]) -> Printed:
    """Return the values of each deal in the first setting of a run."""
    return {key: values[0] for key, values in _values(run, goals).items()}


def _values(run: Run, goals: Sequence[Goal]) -> dict[tuple[str, int], Floats]:
    """Return by lineup and goal index the mean of each deal [setting, deal]."""
    every = [_measure_goal(run, goal) for goal in goals]
    means = means_by_deal(run, list({measure.name: measure for measure in every}.values()))
    lineups = dict.fromkeys(lineup for lineup, _ in means)
    return {(lineup, i): means[lineup, measure.name] for lineup in lineups for i, measure in enumerate(every)}


def _measure_goal(run: Run, goal: Goal) -> Measure:
    seats = run.cells[0].seats
    shares = compare.usual_measures(seats)[:seats]
    return compare.logged_measures(run, seats, goal.measure)[0] if goal.seat is None else shares[goal.seat]


def measure_goals(
    run: Run, goals: Sequence[Goal], printed: Printed, level: float = GOAL_LEVEL
) -> list[GoalRow]:
    """Return mean and interval by setting, lineup and goal; differences where a goal is relative to printed.

    value: the mean itself. All settings share their deals, so differences are taken deal by deal.
    """
    rows = []
    for (lineup, place), values in _values(run, goals).items():
        goal = goals[place]
        base = printed[lineup, place][: values.shape[1]] if goal.printed else 0.0
        for setting, own in enumerate(values):
            gap = own - base
            estimate = mean_from_moments(float(gap.mean()), float(gap.var(ddof=1)), gap.size, level)
            columns = {"setting": setting, "lineup": lineup, "goal": place, "value": float(own.mean())}
            rows.append(columns | {"mean": estimate.mean, "low": estimate.low, "high": estimate.high})
    return rows


def loss(goals: Sequence[Goal], rows: Iterable[GoalRow], hopeful: bool = False) -> float:
    """Return the sum of the shortfalls of unmet wishes, or the greatest shortfall (below 0) if all are met.

    The worst goal and lineup of a wish counts. hopeful: take the values of the intervals that serve best.
    """
    shortfalls = [short for short, _ in worst(goals, rows, hopeful).values()]
    return sum(max(0.0, short) for short in shortfalls) or max(shortfalls)


def worst(
    goals: Sequence[Goal], rows: Iterable[GoalRow], hopeful: bool = False
) -> dict[str, tuple[float, float]]:
    """Return by wish the greatest shortfall over goals and lineups, and the corresponding mean."""
    shortfalls: Shortfalls = {}
    for row in rows:
        goal = goals[row["goal"]]
        value = goal.best_within(row["low"], row["high"]) if hopeful else float(row["mean"])
        seen = goal.shortfall(value), value
        shortfalls[goal.wish] = max(seen, shortfalls.get(goal.wish, seen), key=lambda pair: pair[0])
    return shortfalls


def front(shortfalls: ArrayLike) -> NDArray[np.bool_]:
    """Return a mask of the rows that no other row dominates: as good in every column, better in one.

    Smaller is better.

    >>> front([[1, 2], [2, 1], [2, 2]]).tolist()
    [True, True, False]
    """
    every = np.asarray(shortfalls, np.float64)
    beaten = [((every <= row).all(axis=1) & (every < row).any(axis=1)).any() for row in every]
    return ~np.array(beaten, bool)


@finding
def wishes(findings: Findings) -> pl.DataFrame:
    """Per setting, lineup and goal of a search for rules: whether the goal is met on fresh deals.

    cell: the cell with the setting and lineup; value: its mean; mean, low, high: of the value, or of the
    difference from the printed rules where the wish is relative to them. All intervals hold simultaneously at
    95 %.
    """
    if findings.run.kind != "design":
        return pl.DataFrame()
    run, goals = (findings.whole or findings).run, findings.run.answer_of(RuleDesign).goals
    settings = list({repr(cell.varied): cell for cell in run.cells}.values())
    lineups = {lineup_words(cell.labels) for cell in run.cells}
    tests = len(settings) * len(lineups) * len(goals)
    place = next(i for i, cell in enumerate(settings) if cell.baseline)
    printed = {key: values[place] for key, values in _values(run, goals).items()}
    cells = {(repr(cell.varied), lineup_words(cell.labels)): cell.index for cell in run.cells}
    rows = []
    for row in measure_goals(run, goals, printed, 1 - (1 - GOAL_LEVEL) / tests):
        goal, cell = goals[row["goal"]], settings[row["setting"]]
        columns = {"cell": cells[repr(cell.varied), row["lineup"]], "wish": goal.wish}
        columns |= {"measure": goal.measure, "seat": goal.seat, "printed": cell.baseline}
        rows.append(row | columns | {"verdict": goal.verdict(row["low"], row["high"])})
    return pl.DataFrame(rows, infer_schema_length=None)


@finding
def checked_settings(findings: Findings) -> pl.DataFrame:
    """Per setting checked on fresh deals by a search for rules: `loss`, and counts of wishes by verdict.

    met, missed, open: number of wishes that are met with every lineup, missed with at least one, and
    undecided. Sorted by loss.
    """
    table, verdict = wishes(findings), pl.col("verdict")
    if not table.width:
        return pl.DataFrame()
    met = pl.when((verdict == MET).all()).then(pl.lit(MET)).otherwise(pl.lit(OPEN))
    each_wish = pl.when((verdict == MISSED).any()).then(pl.lit(MISSED)).otherwise(met)
    by_wish = table.group_by("setting", "wish").agg(verdict=each_wish)
    numbers = {kind: (verdict == kind).sum().cast(pl.Int64) for kind in (MET, MISSED, OPEN)}
    counts = by_wish.group_by("setting").agg(**numbers)
    goals = findings.run.answer_of(RuleDesign).goals
    parts = table.partition_by("setting", maintain_order=True)
    losses = pl.Series("loss", [loss(goals, part.rows(named=True)) for part in parts])
    heads = table.group_by("setting", maintain_order=True).agg(pl.col("cell", "printed").first())
    each = heads.with_columns(losses).join(counts, on="setting", maintain_order="left")
    return each.rename({"setting": "setting_number"}).sort("loss", maintain_order=True)


@finding
def tried_settings(findings: Findings) -> pl.DataFrame:
    """Per setting tried in a search for rules, in order: loss and shortfalls on the deals of the search.

    loss: distance from all wishes in tolerances (below 0: all means meet them); dropped: measured on few
    deals; front: whether no other setting, dropped ones aside, is better in every wish. values, shortfalls:
    by wish, for the worst lineup; differences where a wish is relative to the printed rules.
    """
    if findings.run.kind != "design":
        return pl.DataFrame()
    design, rows = findings.run.answer_of(RuleDesign), list[dict[str, Any]]()
    goals = design.goals
    for trial in design.trials:
        seen = worst(goals, map(dict, trial.rows))
        ends = {"shortfalls": [short for short, _ in seen.values()], "values": [x for _, x in seen.values()]}
        front_row = {"setting": repr(trial.setting), "deals": trial.deals, "loss": trial.loss}
        rows.append(front_row | {"dropped": trial.deals < design.deals} | ends)
    table = pl.DataFrame(rows)
    whole = ~table["dropped"].to_numpy()
    best = np.zeros(table.height, bool)
    best[whole] = front(np.array(table["shortfalls"].to_list())[whole])
    return table.with_columns(front=pl.Series(best))
