"""Environments of PettingZoo: its own tests, hidden information, illegal actions, the table in words."""

import importlib
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from simkit.errors import UsageError
from simkit.interop.pettingzoo import env

FIVE = ("outpost_seven", "lunar_outpost", "exoplanet_colony", "red_outpost", "outpost")
EVERY = ["pig", "kuhn_poker", *(pytest.param(name, marks=pytest.mark.slow) for name in FIVE)]


def play(environment, rng: np.random.Generator, steps: int = 10**6):
    """Play at random for so many decisions, yielding the agents that decide."""
    for agent in environment.agent_iter():
        observation, _, over, _, _ = environment.last()
        if not over:
            yield agent
        steps -= 1
        if not steps:
            return
        environment.step(None if over else int(rng.choice(observation["action_mask"].nonzero()[0])))


@pytest.mark.proof("interop", "games", "strategies")
@pytest.mark.parametrize("name", EVERY)
def test_it_passes_the_tests_of_pettingzoo(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="Action mask numpy array is all zeros")
        api_test(env(name), num_cycles=300)
        seed_test(lambda: env(name), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.proof("interop", "games", "strategies")
@pytest.mark.parametrize("name", EVERY)
def test_what_a_seat_does_not_see_does_not_change_its_observation(name: str) -> None:
    environment, stream = env(name), np.array([5], np.uint64)
    environment.reset(seed=2)
    table = environment.unwrapped._table
    for _ in play(environment, np.random.default_rng(2), 40):
        for seat, agent in enumerate(environment.agents):
            before, actual = environment.observe(agent)["observation"], table.states.copy()
            other = table.seen(seat)
            table.game.redeal(other[0], table.rules[0], seat, stream)
            other["log"] = actual["log"]
            table.states = other
            np.testing.assert_array_equal(environment.observe(agent)["observation"], before)
            table.states = actual


def test_the_card_of_the_other_is_hidden_and_the_own_card_is_not() -> None:
    environment = env("kuhn_poker")
    environment.reset(seed=1)
    card = environment.unwrapped._table.states[0].card
    card[:] = 0, 1
    seen = {agent: environment.observe(agent)["observation"].tolist() for agent in environment.agents}
    card[1] = 2
    assert environment.observe("seat_0")["observation"].tolist() == seen["seat_0"]
    assert environment.observe("seat_1")["observation"].tolist() != seen["seat_1"]
    assert environment.view("seat_0")["card"].tolist() == [0, -1]


def test_only_the_agent_to_decide_has_legal_actions() -> None:
    environment = env("kuhn_poker")
    environment.reset(seed=1)
    masks = [environment.observe(agent)["action_mask"].tolist() for agent in ("seat_0", "seat_1")]
    assert masks == [[1, 1], [0, 0]] and environment.agent_selection == "seat_0"


def test_a_reset_without_seed_plays_the_next_deal_and_one_with_a_seed_begins_anew() -> None:
    environment, cards = env("kuhn_poker"), list[tuple[int, ...]]()
    for seed in (3, None, None, 3, None):
        environment.reset(seed=seed)
        cards.append(tuple(environment.unwrapped._table.states[0].card.tolist()))
    assert cards[:2] == cards[3:] and len(set(cards)) > 1
    environment.reset(seed=3, options={"deal": 2})
    assert tuple(environment.unwrapped._table.states[0].card.tolist()) == cards[2]


def test_a_reset_that_is_refused_changes_nothing() -> None:
    environment = env("kuhn_poker")
    environment.reset(seed=3, options={"deal": 1})
    for options in ({"seed": -1}, {"options": {"deal": -1}}, {"seed": 5, "options": {"deal": "x"}}):
        with pytest.raises(UsageError, match="must be a whole number from 0"):
            environment.reset(**options)
    cards = environment.unwrapped._table.states[0].card.tolist()
    environment.reset()
    following = environment.unwrapped._table.states[0].card.tolist()
    for deal, expected in ((1, cards), (2, following)):
        environment.reset(seed=3, options={"deal": deal})
        assert environment.unwrapped._table.states[0].card.tolist() == expected


def test_rewards_come_once_at_the_end() -> None:
    environment, rewards, rng = env("pig", players=3, goal=20), dict[str, float](), np.random.default_rng(1)
    environment.reset(seed=1)
    for agent in environment.agent_iter():
        _, reward, over, _, _ = environment.last()
        assert over or reward == 0
        if over:
            rewards[agent] = reward
        environment.step(None if over else int(rng.integers(2)))
    assert sorted(rewards.values()) == pytest.approx([-1 / 3, -1 / 3, 2 / 3])


def test_an_illegal_action_is_refused_or_ends_the_game_as_pettingzoo_has_it() -> None:
    environment = env("tic_tac_toe")
    environment.reset()
    environment.step(4)
    with pytest.raises(UsageError, match="action 4 is not legal; legal actions: 0, 1, 2, 3, 5"):
        environment.step(4)
    wrapped = TerminateIllegalWrapper(env("tic_tac_toe"), illegal_reward=-1)
    wrapped.reset()
    wrapped.step(4)
    wrapped.step(4)
    assert wrapped.rewards["seat_1"] == -1 and all(wrapped.terminations.values())


def test_the_table_is_told_in_words() -> None:
    environment = env("kuhn_poker")
    environment.reset(seed=1)
    cards = [("jack", "queen", "king")[card] for card in environment.unwrapped._table.states[0].card]
    assert environment.render() == f"seat 0: {cards[0]}, 1 in  seat 1: {cards[1]}, 1 in"
    assert environment.render_mode == "ansi" in environment.metadata["render_modes"]
    environment.close()


@pytest.mark.parametrize(("module", "library"), [("pettingzoo", "PettingZoo"), ("open_spiel", "OpenSpiel")])
def test_without_the_library_its_door_says_what_to_install(module: str, library: str, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, {"pettingzoo": "pettingzoo", "open_spiel": "pyspiel"}[module], None)
    monkeypatch.delitem(sys.modules, f"simkit.interop.{module}", raising=False)
    message = f"simkit.interop.{module} needs {library}: pip install 'simkit-tabletop[{module}]'"
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"simkit.interop.{module}")
    assert str(caught.value) == message
