"""Games as environments of PettingZoo (https://pettingzoo.farama.org), for multi-agent learning."""

from copy import deepcopy
from typing import Any

import numpy as np

from simkit.engine.elements import flatten
from simkit.interop.vector import Array, Step, VectorEnv

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    install = "pip install 'simkit-tabletop[pettingzoo]'"
    raise ImportError(f"simkit.interop.pettingzoo needs PettingZoo: {install}") from error

vector_env = VectorEnv


class TableEnv(AECEnv):  # type: ignore[misc]
    """Game of the agents `seat_0`, `seat_1`, …, which are not asked where one action is legal."""

    render_mode = "ansi"

    def __init__(self, game: str, **options: Any) -> None:
        super().__init__()
        self._table = table = VectorEnv(game, 1, compiled=False, **options)
        self.metadata = {"name": game, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = [f"seat_{seat}" for seat in range(table.seats)]
        seen = Box(-np.inf, np.inf, flatten(table.game, table.views)[0].shape, np.float64)
        space = Dict(observation=seen, action_mask=Box(0, 1, table.masks[0].shape, np.int8))
        self.observation_spaces = {agent: deepcopy(space) for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(table.masks.shape[1]) for agent in self.possible_agents}
        self._seed, self._deal = 1, -1

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game: deal 0 of the seed, or `options={"deal": 7}`; without a seed the next deal."""
        following = (self._seed, self._deal + 1) if seed is None else (seed, 0)
        seed, deal = following[0], (options or {}).get("deal", following[1])
        step = self._table.reset(seed, deal)
        self._seed, self._deal = seed, deal
        self.agents = self.possible_agents[:]
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.truncations = dict.fromkeys(self.agents, False)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._take(step)

    def step(self, action: Any) -> None:
        """Apply an action of the agent to decide, or None at the end; UsageError if it is not legal."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._take(self._table.step([action]))
        self._accumulate_rewards()

    def _take(self, step: Step) -> None:
        """Take over the rewards and who decides next."""
        self.agent_selection = self.agents[max(0, step.seat[0])]
        self.rewards = dict(zip(self.agents, step.reward[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(self.agents, bool(step.done[0]))

    def observe(self, agent: str) -> dict[str, Array]:
        """Return what an agent sees, float64[number], and may do, int8[action]."""
        table, seat = self._table, self.possible_agents.index(agent)
        mask = table.masks[0] * np.int8(seat == table.states[0].seat)
        return {"observation": flatten(table.game, table.seen(seat))[0], "action_mask": mask}

    def view(self, agent: str) -> dict[str, Array]:
        """Return what an agent sees, by the names of the fields of the game."""
        view = self._table.seen(self.possible_agents.index(agent))[0]
        return {name: view[name] for name in self._table.game.state_fields}

    def render(self) -> str:
        """Return the table in words, with all that is hidden."""
        return str(self._table.game.show(self._table.states[0], self._table.rules[0]))

    def close(self) -> None:
        pass


def env(game: str, **options: Any) -> OrderEnforcingWrapper:
    """Return a game as an environment of PettingZoo; UsageError for a game that cannot be stepped through.

    Args:
        game: Name of the game.
        options: Rule options by name; also `players`, `files` (your own tables of components) and `reward`:
            what a seat gets at the end, its "share" of the win or its "score", less the mean of all seats. In
            a co-operative game 1 for a win and 0 for a loss, or the score.

    >>> env("pig", players=3).possible_agents
    ['seat_0', 'seat_1', 'seat_2']
    """
    return OrderEnforcingWrapper(TableEnv(game, **options))
