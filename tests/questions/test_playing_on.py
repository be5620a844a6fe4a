"""Play-outs: the actions of a decision are compared under the same luck, from what its seat sees."""

import numpy as np

from simkit.engine import registry
from simkit.engine.lineups import parse_strategy
from simkit.engine.table import GameTable
from simkit.questions.learn.playing_on import ACTIONS, SAMPLES, compare_actions


def compared(name, chance=1.0, games=20, policy="random"):
    game = registry.game(name)
    table, deals = GameTable(game, game.rules({})), np.arange(games)
    lineup = [registry.player(game, *parse_strategy("random"), 2)] * 2
    policy = registry.player(game, *parse_strategy(policy), 2)
    (outcomes,) = compare_actions(table, lineup, 7, deals, 0 * deals, policy, chance)
    return outcomes


def groups(outcomes):
    ends = np.cumsum(outcomes.sizes)
    return [slice(end - size, end) for end, size in zip(ends, outcomes.sizes, strict=True)]


def test_the_views_of_a_group_differ_in_the_action_alone():
    outcomes = compared("tic_tac_toe")
    for part in groups(outcomes):
        boards, seats = outcomes.views["board"][part], outcomes.seats[part]
        assert len(np.unique(boards, axis=0)) == len(boards) <= ACTIONS
        assert len(np.unique(seats)) == 1
        stones = (boards != 0).sum(axis=1)
        assert (stones == stones[0]).all()
    assert len(outcomes.sizes) % SAMPLES == 0


def test_the_seat_sees_what_it_sees_in_play():
    """The redealt card of the other seat is hidden again in the views after an action."""
    outcomes = compared("kuhn_poker")
    rows = np.arange(len(outcomes.seats))
    assert (outcomes.views["card"][rows, outcomes.seats] >= 0).all()
    assert (outcomes.views["card"][rows, 1 - outcomes.seats] == -1).all()


def test_results_are_those_of_play_outs():
    """From an empty board the middle is the best first move of random players, and a corner better than a side."""
    outcomes = compared("tic_tac_toe", games=3_000, chance=0.3)
    boards = outcomes.views["board"]
    first = (boards != 0).sum(axis=1) == 1
    shares = {cell: outcomes.results[first & (boards[:, cell] != 0), 0].mean() for cell in (4, 0, 1)}
    assert shares[4] > shares[0] + 0.03 > shares[1] + 0.06


def test_decisions_are_chosen_by_chance_and_their_play_outs_by_the_seed():
    every, some, repeated = (
        compared("tic_tac_toe"),
        compared("tic_tac_toe", 0.2),
        compared("tic_tac_toe", 0.2),
    )
    assert 0.1 < len(some.sizes) / len(every.sizes) < 0.3
    assert some.results.tobytes() == repeated.results.tobytes()
