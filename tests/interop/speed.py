"""Rate of games stepped together against single environments: python tests/interop/speed.py [GAME ...]."""

import sys
import time

import numpy as np

from simkit.interop.pettingzoo import env, vector_env

STEPS = 300


def rate_of_single(name: str) -> float:
    """Return the decisions per second of single environments with random actions."""
    single, rng, steps, began = env(name), np.random.default_rng(1), 0, time.perf_counter()
    while steps < STEPS:
        single.reset()
        for _ in single.agent_iter():
            observation, _, over, _, _ = single.last()
            single.step(None if over else int(rng.choice(observation["action_mask"].nonzero()[0])))
            steps += not over
    return steps / (time.perf_counter() - began)


def rate_of_vector(name: str, n: int) -> float:
    """Return the decisions per second of n games stepped together with random actions."""
    games, rng, steps = vector_env(name, n), np.random.default_rng(1), 0
    step, began = games.reset(), time.perf_counter()
    for _ in range(STEPS):
        chosen = (rng.random(step.action_mask.shape) * step.action_mask).argmax(axis=1)
        steps += int((~step.done).sum())
        step = games.step(chosen)
    return steps / (time.perf_counter() - began)


if __name__ == "__main__":
    print("game | single, decisions/s | 64 games | 1,024 games | ratio at 64 | at 1,024")
    for name in sys.argv[1:] or ("pig", "outpost_seven"):
        single, few, lots = rate_of_single(name), rate_of_vector(name, 64), rate_of_vector(name, 1024)
        print(f"{name} | {single:,.0f} | {few:,.0f} | {lots:,.0f} | {few / single:.0f} | {lots / single:.0f}")
