"""Proposals of Optuna: points to try, several before it learns the loss of any of them."""

import warnings
from collections.abc import Mapping
from typing import Any, Final, Literal

TPE: Final = "tpe"
CMA_ES: Final = "cma-es"
Sampler = Literal["tpe", "cma-es"]
BATCH_SIZE = 8  # points that Optuna proposes before it learns the losses of any of them
MAX_PROPOSALS_PER_TRIAL = 3  # Optuna may propose the same point several times
RANDOM_TRIALS = 10  # random points before the first that TPE models


class Proposals:
    """Points of a space of Optuna's distributions, from a sampler that copes with noise.

    Source: Bergstra et al. 2011, NeurIPS 24 (TPE: a tree-structured Parzen estimator); Watanabe 2023,
    arXiv:2304.11127 (multivariate, and the settings of Optuna's `TPESampler`); Hansen 2016, arXiv:1604.00772
    (CMA-ES, for numbers alone). While a batch is open, its points count as bad ones (constant liar, in TPE).
    """

    def __init__(
        self, space: Mapping[str, Any], seed: int, sampler: Sampler = TPE, start: Mapping[str, Any] = {}
    ) -> None:
        """Start with a space; `start` is a point of loss 0, at which CMA-ES begins, unless it is outside."""
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.space, samplers = dict(space), optuna.samplers
        try:
            first = [optuna.trial.create_trial(params=dict(start), distributions=self.space, value=0.0)]
        except ValueError:
            first, start = [], {}
        keywords: dict[str, Any] = {"multivariate": True, "constant_liar": True}
        keywords["n_startup_trials"] = RANDOM_TRIALS
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            warnings.simplefilter("ignore", FutureWarning)  # Optuna 6 will have no x0
            if sampler == CMA_ES:
                chosen: Any = samplers.CmaEsSampler(seed=seed % 2**32, x0=dict(start) or None)
            else:
                chosen = samplers.TPESampler(seed=seed % 2**32, **keywords)
        self.study = optuna.create_study(sampler=chosen)
        self.study.add_trials(first)
        self.open: list[Any] = []

    def next(self, count: int) -> list[dict[str, Any]]:
        """Return `count` points that Optuna proposes."""
        self.open = [self.study.ask(self.space) for _ in range(count)]
        return [trial.params for trial in self.open]

    def learn(self, losses: list[float]) -> None:
        """Report the losses of the open batch to Optuna."""
        for trial, loss in zip(self.open, losses, strict=True):
            self.study.tell(trial, loss)
