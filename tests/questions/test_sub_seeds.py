"""The runs of one search, and of searches with other seeds, share no deals: each has a seed of its own."""

from itertools import combinations

import numpy as np
import pytest

from simkit.ask.confirm import ConfirmStudy
from simkit.engine import rng
from simkit.questions.design import DesignStudy
from simkit.questions.fair import FairStudy
from simkit.questions.screen import ScreenStudy
from simkit.questions.tune import TuneStudy
from simkit.runs.experiment import Experiment

PAIR = [["hold_at", "hold_at"]]
SEEDS = [1, 2, 3, 2**63 - 1]


def fair_runs(seed: int) -> list[Experiment]:
    study = FairStudy("pig", PAIR, 1000, seed, 0.02, {}, {"goal": (20, 40)})
    wide = [study.wide([(20,)], number) for number in range(8)]
    close = [study.close([(20,)], number) for number in range(4)]
    return [*wide, *close, study.confirmation([(20,)])]


def design_runs(seed: int) -> list[Experiment]:
    study = DesignStudy("pig", PAIR, 500, seed, 0.02, {}, {"goal": [20, 40]}, ["fairness"], 4, 1, 500)
    return [study.side_run([(20,)], 100), study.confirmation([(20,)])]


def screen_runs(seed: int) -> list[Experiment]:
    study, levels = ScreenStudy("pig", PAIR, 500, seed, 0.02, {}, {}, 0.05, 1, 16, []), {"goal": (20, 40)}
    sampled = study.sobol_experiment(["goal"], [(20,), (40,)])
    return [study.two_level_experiment(levels), study.alone(levels), sampled, study.together(levels)]


def tune_runs(seed: int) -> list[Experiment]:
    keys = {"strategy": "hold_at", "vary": {"threshold": ""}, "holdout": ["random"], "sampler": "tpe"}
    study = TuneStudy("pig", PAIR, 500, seed, 0.02, {}, trials=4, confirm=500, **keys)
    return [study.side_run(["hold_at(threshold=9)"], 100), study.confirmation("hold_at(threshold=9)")]


def confirm_runs(seed: int) -> list[Experiment]:
    return [ConfirmStudy("pig", PAIR, 500, seed, 0.02, {}, [{"goal": 20}]).last_run()]


@pytest.mark.parametrize("runs", [fair_runs, design_runs, screen_runs, tune_runs, confirm_runs])
def test_no_run_of_a_search_has_the_seed_of_a_plain_run_or_of_a_search_with_another_seed(runs) -> None:
    seeds = [{run.seed for run in runs(seed)} for seed in SEEDS]
    assert len({len(some) for some in seeds}) == 1
    assert not any(a & b for a, b in combinations(seeds, 2))
    assert not set(SEEDS) & set.union(*seeds)


def test_the_runs_of_a_search_have_a_seed_each() -> None:
    """But those looks of `design` and `tune` that are to have the same deals."""
    every = [
        run.seed for runs in (fair_runs, design_runs, screen_runs, tune_runs, confirm_runs) for run in runs(1)
    ]
    assert len(set(every)) == len(every) == 13 + 2 + 4 + 2 + 1


def test_sub_seeds_of_10_000_seeds_share_none_of_a_million_deals() -> None:
    """Two seeds share deals only if the words that they start streams from differ in the low 20 bits."""
    purposes = [f"fair/close{number}" for number in range(12)] + ["design/check", "screen/alone", "confirm"]
    seeds = [*range(10_000)]
    seeds += [rng.sub_seed(seed, purpose) for seed in range(10_000) for purpose in purposes]
    words = rng._mix(np.array(seeds, np.uint64)) >> np.uint64(20)
    assert np.unique(words).size == len(seeds) == 160_000


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_a_sub_seed_can_be_typed_and_given_to_any_experiment(seed: int) -> None:
    sub_seed = rng.sub_seed(seed, "fair/check")
    assert len(str(sub_seed)) == 15 and sub_seed == rng.sub_seed(seed, "fair/check") < 2**53
