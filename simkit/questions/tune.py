"""Questions: Search for the weights of a strategy that win most.

The function with its opponents, the study, and the results: gains over the defaults, tables and words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Unpack

import numpy as np
import polars as pl
from pydantic import BaseModel, Field

from simkit.ask.arguments import Common, Pair, Seats, Shell, Texts, Word
from simkit.ask.execution import Execution
from simkit.ask.proposals import BATCH_SIZE, CMA_ES, MAX_PROPOSALS_PER_TRIAL, TPE, Proposals, Sampler
from simkit.ask.question import question
from simkit.ask.requests import study_keys
from simkit.ask.results import Result, answer
from simkit.ask.study import Deals, Play, Study, Trials
from simkit.engine import lineups as engine_lineups
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_strategy
from simkit.engine.strategy import RANDOM, NamedChoice, Policy, Trained, Weight
from simkit.errors import UsageError, look_up
from simkit.page.words.labels import labels_of
from simkit.page.words.numbers import TableRow
from simkit.runs.answers import Count, Number, Stage, StudyResults
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import make_plan
from simkit.stats.deals import Difference, difference_from_moments
from simkit.stats.quantiles import Floats
from simkit.system import relative
from simkit.tables.findings import Findings, as_text, finding
from simkit.tables.reading import reals, text_columns, whole

WEIGHTS = Shell("--vary", metavar="WEIGHT", repeatable=True)
OPPONENTS = Annotated[Texts, Shell(metavar="STRATEGY", repeatable=True)]


@question()
def tune(
    execution: Execution,
    game: Word,
    strategy: Word,
    *,
    weights: Annotated[Texts | Mapping[str, Pair | None], WEIGHTS] = (),
    against: OPPONENTS = (),
    holdout: OPPONENTS = (),
    trials: Trials = 60,
    sampler: Sampler = TPE,
    deals: Deals = 2_000,
    confirm: Deals = 20_000,
    seats: Seats | None = None,
    save: Annotated[str, Shell(metavar="NAME", default="tuned")] = "",
    **keywords: Unpack[Common],
) -> Result:
    """Search for the weights of a strategy that win most.

    Candidates play the same deals against a panel of opponents. The best one and the weights that `strategy`
    starts from then play fresh deals, also against players that were not in the panel. If the best one wins
    more there, and not less outside the panel, its weights are saved as the preset that `save` names, for
    every lineup.

    Args:
        game: Name of the game.
        strategy: Strategy with the weights that the search starts from.
        weights: Weight to tune, also with a range "WEIGHT=LOW:HIGH"; by default all.
        against: Opponent of the search; by default the game's other strategies but the holdout.
        holdout: Opponent of the check alone; by default a strategy that is not in the panel.
        trials: Candidates to try.
        sampler: Method of Optuna.
        deals: Deals per promising candidate.
        confirm: Fresh deals of the check.
        seats: Seats at the table; by default the usual number of the game.
        save: Name under which weights that win more are saved: tuned for STRATEGY@tuned.

    Returns:
        The findings; `result.tuned` has the check on fresh deals, `result.run.answer.tuned` the strategy with
        its new weights.

    Raises:
        UsageError: An unknown strategy or weight, or an opponent that is named twice.

    Example:
        >>> ranges = {"threshold": (5, 30)}
        >>> result = tune("pig", "hold_at(threshold=5)", weights=ranges, trials=2, deals=20, confirm=40)
        >>> result.run.answer.strategy
        'hold_at(threshold=5)'

    Command line::

        simkit tune pig "hold_at(threshold=5)" --trials 20
    """
    if save and not engine_lineups.PRESET_NAME.fullmatch(save):
        raise UsageError(f"save {save}: a name has letters, digits and underscores, a letter first")
    definition, start = registry.game(game), _single(strategy)
    own: dict[str, Any] = {"trials": trials, "sampler": sampler, "confirm": confirm}
    own |= {"strategy": str(start), "vary": _weights_to_tune(definition, start, weights)}
    panel, own["holdout"] = opponents(definition, start, against, holdout)
    rivals = (seats or definition.default_seats) - 1
    lineups = [[str(start), *[other] * rivals] for other in panel]
    result = answer(execution, TuneStudy(**own, **study_keys(game, deals, {**keywords, "lineups": lineups})))
    if save and has_gained(label_opponents(result)):
        named = _single(result.run.answer_of(Tuning).tuned)
        path = registry.save_preset(definition, save, named)
        execution.say(f"saved: {named.name}@{save} in {relative(path)}")
    return result


def _single(text: str) -> Named:
    """Return the strategy in a text; UsageError for several."""
    strategies = parse_strategy(text)
    if len(strategies) != 1:
        raise UsageError(f"'{text}' is {len(strategies)} strategies; one is needed")
    return strategies[0]


def _weights_to_tune(game: Game, own: Named, given: Mapping[str, Any] | Sequence[str]) -> dict[str, str]:
    """Return the weights to tune with their ranges as given; by default all, but none of a search."""
    chosen = registry.strategy(game, own.name)
    if isinstance(given, Mapping):
        return {name: f"{ends[0]}:{ends[1]}" if ends else "" for name, ends in given.items()}
    if not given and (chosen.searches or not chosen.weights):
        cure = f"name weights: {', '.join(chosen.weights)}" if chosen.searches else "take another"
        why = "searches, and more play-outs only take longer" if chosen.searches else "has no weights"
        raise UsageError(f"{own.name} {why}; {cure}")
    varied: dict[str, str] = {}
    for name, _, text in (part.partition("=") for part in given or chosen.weights):
        if name in varied:
            raise UsageError(f"weight {name} is given twice")
        varied[name] = text
    return varied


def opponents(
    game: Game, own: Named, against: Sequence[str], holdout: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Return panel and holdout: by default the game's own strategies, the last as holdout; else random."""
    if game.team:
        if against or holdout:
            raise UsageError(f"{game.name} is co-operative: nobody plays against the team, name no opponents")
        return [str(own)], []
    panel, others = ([str(_single(text)) for text in texts] for texts in (against, holdout))
    scripted = registry.scripted(game).items()
    mine = [name for name, each in scripted if each.game and name != own.name and name not in panel + others]
    if not others:
        others = [mine.pop()] if len(mine) > bool(not panel) else [*({RANDOM} - {*panel})]
    if both := {*panel} & {*others}:
        raise UsageError(f"{min(both)} is in the panel and in the holdout; once is enough")
    return panel or mine or [own.name], others


# The study: a strategy, its weights with their ranges, its opponents, and the candidates that it plays.

BY_RATIO = 100  # ratio of the ends of a range from which on its logarithm is sampled
DEFAULTS = "defaults"
Measured = dict[str, Floats]  # strategy as written -> its share of each deal, on average against the panel
MeasureStrategies = Callable[[list[str], int, str], Measured]  # strategies, deals, name of the side run


@dataclass(frozen=True)
class TuneStudy(Study):
    """A search for the weights that win most; `lineups` are those of the weights that it starts from.

    `side_runs/defaults` measures these weights; `side_runs/round1` ... play a few candidates each on few of
    the same deals; `side_runs/race1` ... play on all deals the candidates that are not clearly worse than the
    best, by the interval of the paired difference (a race: Maron & Moore 1997, Artif. Intell. Rev. 11,
    193-225; Birattari et al. 2002, GECCO, 11-18). The run in the folder itself plays the best candidate and
    the defaults against the panel and the holdout.
    """

    strategy: str  # as written in a lineup
    vary: dict[str, str]  # weight -> LOW:HIGH, or an empty text for its whole range
    holdout: list[str]  # opponents of the check alone
    trials: Trials  # candidates
    confirm: Deals  # deals of the check
    sampler: Sampler

    OPEN_KEYS: ClassVar = {"lineups", "called"}

    def check(self) -> None:
        """Raise UsageError for weights without a choice, and for players that the game does not have."""
        self.check_varied([])
        make_plan(self.side_run([self.strategy], 1)).check()
        make_plan(self.last_run()).check()
        self.space()
        if self.choices and self.sampler == CMA_ES:
            raise UsageError(f"sampler cma-es tunes numbers; {self.choices[0]} has names: tune other weights")

    def side_run(self, strategies: Iterable[str], deals: int) -> Experiment:
        """Return the experiment of a side run; all side runs share their deals."""
        question = f"Which weights of {self.strategy} win most?"
        lineups = self._lineups(strategies, self.panel)
        return self.experiment(question, "tune/looks", lineups=lineups, deals=deals)

    def confirmation(self, tuned: str) -> Experiment:
        """Return the experiment that plays tuned weights and the defaults on deals of its own."""
        lineups = self._lineups([tuned, self.strategy], [*self.panel, *self.holdout])
        lineups += [] if self.team else self._lineups([tuned], [self.strategy])
        unique = [list(lineup) for lineup in dict.fromkeys(map(tuple, lineups))]
        question = f"Do tuned weights of {self.strategy} win more than its defaults?"
        label = registry.strategy(registry.game(self.game), self.named.name).label
        word = "tuned again" if self.named.preset else "tuned"
        called = {tuned: f"{label} ({word})"} if tuned != self.strategy else {}
        return self.experiment(question, "tune/check", lineups=unique, deals=self.confirm, called=called)

    def last_run(self) -> Experiment:
        """Return the check of the defaults."""
        return self.confirmation(self.strategy)

    def _lineups(self, strategies: Iterable[str], opponents: Iterable[str]) -> list[list[str]]:
        return [[own, *[other or own] * (self.seats - 1)] for own in strategies for other in opponents]

    @property
    def panel(self) -> list[str]:
        """The opponents of the search; in a team the strategy itself, as an empty text."""
        return [""] if self.team else [lineup[-1] for lineup in self.lineups]

    @property
    def plays(self) -> int:
        """Games of a candidate on each deal."""
        return len(self.panel) * (1 if self.team else self.seats)

    @property
    def named(self) -> Named:
        """The strategy with the weights it starts from."""
        return parse_strategy(self.strategy)[0]

    def space(self) -> dict[str, Any]:
        """Return Optuna's distribution of each weight."""
        return {name: _distribution(name, self._weight(name), text) for name, text in self.vary.items()}

    def defaults(self) -> dict[str, str]:
        """Return the weights to tune as the strategy starts with them."""
        full = registry.without_preset(registry.game(self.game), self.named)
        return {name: full.weights.get(name, self._weight(name).default_text) for name in self.vary}

    def start(self) -> dict[str, Any]:
        """Return the same as a point of the space, or outside it."""
        return {name: x if name in self.choices else float(x) for name, x in self.defaults().items()}

    @property
    def choices(self) -> list[str]:
        """The weights to tune whose values have names."""
        return [name for name in self.vary if isinstance(self._weight(name), NamedChoice)]

    def _weight(self, name: str) -> Weight | NamedChoice:
        """Return a weight; UsageError for others than those of the strategy, and for a policy."""
        chosen = registry.strategy(registry.game(self.game), self.named.name)
        weight = look_up(f"weight of {chosen.name}", name, chosen.weights)
        if isinstance(weight, Policy):
            raise UsageError(f"weight {name} is a strategy, which is not tuned: tune it by itself")
        if isinstance(weight, Trained):
            raise UsageError(f"weight {name} is a trained player, which is not tuned: train another one")
        return weight

    def candidate(self, point: Mapping[str, Any]) -> str:
        """Return the strategy at a point of the space, as written in a lineup, to three digits."""
        weights = {name: f"{x:.3g}" if isinstance(x, float) else str(x) for name, x in point.items()}
        return str(self.named._replace(weights={**self.named.weights, **weights}))

    def carry_out(self, play: Play) -> tuple[Experiment, Tuning]:
        """Measure candidates; return the check of the best."""
        names = list[str]()

        def measure(strategies: list[str], deals: int, name: str) -> Measured:
            names.append(name)
            values = deal_shares(play(self.side_run(strategies, deals), name))
            return {strategy: against(values, strategy, self.panel) for strategy in strategies}

        measured = self._explore(measure)
        trials = [self._trial(strategy, measured) for strategy in measured]
        best = max(trials[1:] or trials, key=lambda trial: (trial.deals, trial.gain))
        results = Tuning(
            strategy=self.strategy,
            tuned=best.strategy,
            panel=self.panel,
            holdout=self.holdout,
            sampler=self.sampler,
            trials=trials,
            deals=self.deals,
            side_runs=names,
        )
        return self.confirmation(best.strategy), results

    def _explore(self, measure: MeasureStrategies) -> Measured:
        """Return the measured strategies, the defaults first."""
        measured = measure([self.strategy], self.deals, DEFAULTS)
        proposals = Proposals(self.space(), self.seed, self.sampler, self.start())
        proposed = number = 0
        while len(measured) <= self.trials and proposed < MAX_PROPOSALS_PER_TRIAL * self.trials:
            points = proposals.next(min(BATCH_SIZE, self.trials + 1 - len(measured)))
            batch = [self.candidate(point) for point in points]
            proposed += len(batch)
            if fresh := [candidate for candidate in dict.fromkeys(batch) if candidate not in measured]:
                number += 1
                measured |= self._race(fresh, number, measured, measure)
            proposals.learn([-self._trial(candidate, measured).gain for candidate in batch])
        return measured

    def _race(
        self, fresh: list[str], number: int, measured: Measured, measure: MeasureStrategies
    ) -> Measured:
        """Measure candidates on few deals, and on all deals those not clearly worse than the best so far."""
        first = measure(fresh, self.first_deals, f"round{number}")
        if self.first_deals == self.deals:
            return first
        best = max((own for own in measured.values() if own.size == self.deals), key=lambda own: own.mean())
        best = best[: self.first_deals]
        left = [each for each, own in first.items() if gain(own, best, self.plays).high >= 0]
        return first | (measure(left, self.deals, f"race{number}") if left else {})

    def _trial(self, strategy: str, measured: Measured) -> Candidate:
        """Return a measured strategy with its gain over the defaults on the same deals."""
        own, given = measured[strategy], parse_strategy(strategy)[0].weights
        weights = {name: given.get(name, usual) for name, usual in self.defaults().items()}
        each = gain(own, measured[self.strategy][: own.size], self.plays)
        low, high = (each.low, each.high) if strategy != self.strategy else (0.0, 0.0)
        front = {"strategy": strategy, "weights": weights, "deals": own.size}
        return Candidate.model_validate({**front, "gain": each.difference, "low": low, "high": high})


def _distribution(name: str, weight: Weight | NamedChoice, text: str) -> Any:
    """Return the distribution of Optuna from which a weight is sampled."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    where = f"weight {name}"
    if isinstance(weight, NamedChoice):
        if text:
            cure = "its values are names, and tune plays them all; leave them out"
            raise UsageError(f"{where}={text}: {cure}")
        return CategoricalDistribution([member.name for member in type(weight.default)])
    ends = [weight.number(where, part.strip()) for part in text.split(":")] if text else weight[1:3]
    if len(ends) != 2 or ends[0] >= ends[1]:
        raise UsageError(f"{where}={text}: a range LOW:HIGH that goes up is needed")
    kind: Any = IntDistribution if isinstance(weight.default, int) else FloatDistribution
    low, high = map(type(weight.default), ends)
    return kind(low, high, log=low > 0 and high / low >= BY_RATIO)


# Results: candidates, and gains over the defaults, deal by deal.

TUNING_LEVEL = 0.95
PANEL, HOLDOUT, DIRECT, AVERAGE = "panel", "holdout", "direct", "average"  # roles of opponents
Shares = dict[tuple[str, str], Floats]  # (first strategy of a lineup, last one) -> its share by deal


class Candidate(BaseModel):
    """Weights that were played, with their gain over the defaults in points of share, and its interval."""

    strategy: str  # as written in a lineup
    weights: dict[str, str]  # the tuned ones
    deals: Count
    gain: Number
    low: Number
    high: Number


class Tuning(StudyResults):
    """The results of a search for the weights of a strategy."""

    kind: Literal["tune"] = "tune"
    strategy: str  # the defaults, as written in a lineup
    tuned: str  # the best weights, as written in a lineup
    panel: list[str] = Field(min_length=1)  # opponents of the search; empty text: the strategy itself
    holdout: list[str]  # opponents of the check alone
    sampler: str
    trials: list[Candidate] = Field(min_length=1)  # the defaults first
    deals: Count
    side_runs: list[Stage]

    @property
    def stages(self) -> list[str]:
        """Names of the side runs."""
        return self.side_runs


def deal_shares(run: Run) -> Shares:
    """Return the share of the first strategy of each lineup in each deal, over all rotations.

    Between equal players it is the same in every deal, as it should be: the mean over all seats.
    """
    first = {cell.index: cell.labels[0] for cell in run.cells}
    mine = as_text("strategy") == pl.col("cell").replace_strict(first, return_dtype=pl.String)
    share = pl.col("share").cast(pl.Float64).mean()
    rows = run.seats().filter(mine).group_by("cell", "deal").agg(share)
    by_cell = rows.collect(engine="streaming").sort("deal").partition_by("cell", as_dict=True)
    ends = {cell.index: (cell.labels[0], cell.labels[-1]) for cell in run.cells}
    return {ends[cell]: table["share"].to_numpy() for (cell,), table in by_cell.items()}


def against(values: Shares, strategy: str, opponents: list[str]) -> Floats:
    """Return the mean share of a strategy against some opponents in each deal; "" is the strategy itself."""
    every = np.stack([values[strategy, other or strategy] for other in opponents])
    return np.asarray(every.mean(axis=0))


def gain(own: Floats, base: Floats, plays: int, level: float = TUNING_LEVEL) -> Difference:
    """Return the paired difference of two shares over common deals; `plays`: games of each deal."""
    gaps, unpaired = own - base, float(own.var(ddof=1) + base.var(ddof=1))
    return difference_from_moments(
        float(gaps.mean()), float(gaps.var(ddof=1)), unpaired, gaps.size, 1.0, level, plays
    )


@finding
def trials(findings: Findings) -> pl.DataFrame:
    """Per candidate of a tuning, the defaults first: gain over them on the deals of the search, and interval.

    dropped: measured on few deals only; best: the greatest gain so far on all deals.
    """
    if findings.run.kind != "tune":
        return pl.DataFrame()
    results = findings.run.answer_of(Tuning)
    rows = [each.model_dump(exclude={"weights"}) for each in results.trials]
    dropped = pl.col("deals") < results.deals
    best = pl.when(dropped).then(None).otherwise(pl.col("gain")).cum_max().forward_fill()
    return pl.DataFrame(rows).with_row_index("trial").with_columns(dropped=dropped, best=best)


@finding
def tuned(findings: Findings) -> pl.DataFrame:
    """Per opponent of a tuned strategy on fresh deals: its share, that of the defaults, and the gain.

    role: average (over the panel, on which the weights were chosen), panel, holdout (was not in the panel),
    direct (against the defaults themselves, whose `base` is the share of equal players). All intervals hold
    together at 95 %.
    """
    if findings.run.kind != "tune":
        return pl.DataFrame()
    run, results, values = findings.run, findings.run.answer_of(Tuning), deal_shares(findings.run)
    seats = run.cells[0].seats
    groups = [(AVERAGE, results.panel)] if len(results.panel) > 1 else []
    groups += [(PANEL, [name]) for name in results.panel] + [(HOLDOUT, [name]) for name in results.holdout]
    groups += [] if run.team or results.strategy in results.panel else [(DIRECT, [results.strategy])]
    level, rows = 1 - (1 - TUNING_LEVEL) / len(groups), list[dict[str, Any]]()
    for role, opponents in groups:
        own = against(values, results.tuned, opponents)
        base = 0 * own + 1 / seats if role == DIRECT else against(values, results.strategy, opponents)
        each = gain(own, base, len(opponents) * run.cells[0].rotations, level)
        means = {"share": float(own.mean()), "base": float(base.mean()), "deals": each.deals}
        ends = {"gain": each.difference, "low": each.low, "high": each.high}
        rows.append({"role": role, "opponent": ", ".join(opponents), **means, **ends})
    kinds = text_columns("role", "opponent") | reals("share", "base", "gain", "low", "high") | whole("deals")
    return pl.DataFrame(rows, schema_overrides=kinds)


# Sentences about a search for the weights of a strategy: what they gain on fresh deals, if anything.


def label_opponents(findings: Findings) -> list[TableRow]:
    """Return the rows of `tuned`, the panel first, with `against`: the opponent in words."""
    results, called, rows = findings.run.answer_of(Tuning), labels_of(findings).strategy, list[TableRow]()
    names = {results.strategy: "the defaults", "": "the game"}
    for row in tuned(findings).rows(named=True):
        opponent = row["opponent"] or ""
        panel = f"the panel of {len(results.panel)}" if row["role"] == AVERAGE else ""
        rows.append(row | {"against": panel or names.get(opponent) or called(opponent)})
    return rows


def has_gained(rows: Sequence[TableRow]) -> bool:
    """Return whether the best weights win more against the panel, and not less against anybody else."""
    return bool(rows[0]["low"] > 0) and not worse_against(rows)


def worse_against(rows: Sequence[TableRow]) -> list[TableRow]:
    """Return the results against opponents outside the panel that are surely worse."""
    return [row for row in rows if row["role"] in (HOLDOUT, DIRECT) and row["high"] < 0]
