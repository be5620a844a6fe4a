"""Tuning: a search for the weights of a strategy that win most against a panel of opponents.

`side_runs/defaults` measures the weights that the strategy starts from; `side_runs/round1` ... play a few
candidates each on few of the same deals; `side_runs/race1` ... play on all deals the candidates that are not
clearly worse than the best, by the interval of the paired difference (a race: Maron & Moore 1997, Artif.
Intell. Rev. 11, 193-225; Birattari et al. 2002, GECCO, 11-18). The run in the folder itself plays the best
candidate and the defaults against the panel and the holdout.
"""

from collections.abc import Callable

from simkit.analysis.tuning import against, deal_shares, gain
from simkit.engine.lineups import parse_strategy
from simkit.runs.experiment import Experiment
from simkit.runs.schemas.search import Candidate, Tuning
from simkit.stats.quantiles import Floats
from simkit.studies.proposals import BATCH_SIZE, MAX_PROPOSALS_PER_TRIAL, Proposals
from simkit.studies.study import Play
from simkit.studies.tune.request import Request

DEFAULTS = "defaults"
Measured = dict[str, Floats]  # strategy as written -> its share of each deal, on average against the panel
Measure = Callable[[list[str], int, str], Measured]  # strategies, deals, name of the side run


class TuneStudy(Request):
    """A search for the weights that win most."""

    def search(self, play: Play) -> tuple[Experiment, Tuning]:
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

    def _explore(self, measure: Measure) -> Measured:
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

    def _race(self, fresh: list[str], number: int, measured: Measured, measure: Measure) -> Measured:
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
