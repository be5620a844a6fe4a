"""Results of a rule design: goals, the distance of rules from them, and the tables of settings."""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray
from pydantic import BaseModel, Field, model_validator

from simkit.ask.requests import alone_among
from simkit.runs.answers import Count, Number, SettingValue, Stage, StudyResults
from simkit.runs.folder import Run
from simkit.stats.deals import Mean, Share, mean_from_moments, share_from_moments
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
    role: str = ""  # in the log, whose excess over all seats is measured; `measure` is then the column
    unit: str
    low: Number | None
    high: Number | None
    printed: bool  # whether the ends are differences from the printed rules
    scale: Number = Field(default=1.0, gt=0)  # one tolerance, in the unit of the measure
    strategy: str | None = None  # whose share is measured, alone (or in `seat`) at a table of `opponent`
    opponent: str | None = None
    lineups: list[str] = []  # lineups on which the goal is measured; empty (in older runs): all

    def lineup(self, seats: int) -> list[str]:
        """Return the lineup of a goal about skill."""
        return alone_among(str(self.strategy), str(self.opponent), seats)

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


def wish_words(wish: str) -> str:
    """Return a wish in readable words.

    >>> wish_words("turns=25:35"), wish_words("lead_changes>=printed"), wish_words("fairness")
    ('“turns 25 to 35”', '“lead changes at least as printed”', '“fairness”')
    >>> wish_words("skill=60:70 with hold_at over random")
    '“hold_at wins 60 to 70 of 100 games against random”'
    >>> wish_words("learnable>=55 with random, hold_at")
    '“each level wins at least 55 of 100 games against the level before: random, hold_at”'
    >>> wish_words("fairness=45:55 with random, hold_at")
    '“fairness within 45 to 55 of 100 games among equal players: random, hold_at”'
    """
    range_text, players = split_wish(wish)
    text = range_text.replace("=printed", "= as printed")
    text = text.replace(">=", " at least ").replace("<=", " at most ")
    if "=" in text:
        text = text.replace("=", " ").replace(":", " to ")
    words = " ".join(text.replace("_", " ").split())
    if players:
        players = ", ".join(part.strip() for part in players.split(","))  # weights as in labels
        form, _, amount = words.partition(" ")
        wins, (first, over, second) = f"wins {amount} of 100 games", players.partition(" over ")
        words = f"{first} {wins} against {second}" if over else f"each level {wins} against the level before"
        words = f"fairness within {amount} of 100 games among equal players" if form == FAIRNESS else words
        words = words if over else f"{words}: {players}"
    return f"“{words}”"


def split_wish(wish: str) -> tuple[str, str]:
    """Return the parts of a wish before and after `with`, which names players.

    >>> split_wish("skill=60:70 with a  over b"), split_wish("fairness")
    (('skill=60:70', 'a over b'), ('fairness', ''))
    """
    range_text, _, players = " ".join(wish.split()).partition(" with ")
    return range_text, players


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
    """Return by lineup and goal index the mean of each deal [setting, deal], for the lineups of each goal."""
    values: dict[tuple[str, int], Floats] = {}
    for lineups in dict.fromkeys(tuple(goal.lineups) for goal in goals):
        own = {i: _measure_goal(run, goal) for i, goal in enumerate(goals) if tuple(goal.lineups) == lineups}
        means = means_by_deal(at_lineups(run, lineups), list({m.name: m for m in own.values()}.values()))
        played = dict.fromkeys(lineup for lineup, _ in means)
        values |= {
            (lineup, i): means[lineup, measure.name] for lineup in played for i, measure in own.items()
        }
    return values


def at_lineups(run: Run, lineups: Collection[str]) -> Run:
    """Return the run restricted to some lineups, given in words; all of them if none are given."""
    return run.only([cell.index for cell in run.cells if not lineups or lineup_words(cell.labels) in lineups])


def _measure_goal(run: Run, goal: Goal) -> Measure:
    if goal.strategy and goal.seat is None:
        return compare.strategy_share(goal.strategy)
    if goal.role:
        return compare.role_excess(goal.measure, goal.role)
    seats = run.cells[0].seats
    shares = compare.shares_won(run, seats)
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
            mean, variance = float(gap.mean()), float(gap.var(ddof=1))
            estimate: Mean | Share = mean_from_moments(mean, variance, gap.size, level)
            if goal.strategy:  # may be near 0 or 1
                estimate = share_from_moments(mean, variance, gap.size, gap.size, level)
            columns = {"setting": setting, "lineup": lineup, "goal": place, "value": float(own.mean())}
            rows.append(columns | {"mean": mean, "low": estimate.low, "high": estimate.high})
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

    cell: the cell with the setting and lineup; strategy: whose share a wish about skill is about, alone at
    a table of its opponent or in a seat among its like, null for other wishes; value: the mean; mean, low,
    high: of the value, or of the difference from the printed rules where the wish is relative to them. All
    intervals hold simultaneously at 95 %.
    """
    if findings.run.kind != "design":
        return pl.DataFrame()
    run, goals = (findings.whole or findings).run, findings.run.answer_of(RuleDesign).goals
    settings = list({repr(cell.varied): cell for cell in run.cells}.values())
    place = next(i for i, cell in enumerate(settings) if cell.baseline)
    printed = {key: values[place] for key, values in _values(run, goals).items()}
    tests = len(settings) * len(printed)
    cells = {(repr(cell.varied), lineup_words(cell.labels)): cell.index for cell in run.cells}
    rows = []
    for row in measure_goals(run, goals, printed, 1 - (1 - GOAL_LEVEL) / tests):
        goal, cell = goals[row["goal"]], settings[row["setting"]]
        columns = {"cell": cells[repr(cell.varied), row["lineup"]], "wish": goal.wish}
        columns |= {"measure": goal.measure, "seat": goal.seat, "printed": cell.baseline}
        columns |= {"strategy": goal.strategy}
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
