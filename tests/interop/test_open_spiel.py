"""Games of OpenSpiel: its own test, exact and sampled chance, information states, its solvers on our players."""

from itertools import pairwise

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, evaluate_bots, exploitability, mcts
from open_spiel.python.bots import uniform_random

from simkit.engine.elements import flatten
from simkit.engine.rng import uniform
from simkit.errors import UsageError
from simkit.games.reference.kuhn_poker import JACK, KING, NOBODY, QUEEN
from simkit.interop.open_spiel import Listed, TableGame, load
from strategies.kuhn_poker import chance_to_bet, chance_to_call
from tests.kuhn_matrix import kuhn_poker

FIVE = ("outpost_seven", "lunar_outpost", "exoplanet_colony", "red_outpost", "outpost")


@pytest.mark.parametrize("name", ["kuhn_poker", "pig", "tic_tac_toe", "rope_bridge", "high_card"])
def test_it_passes_the_random_simulation_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(load(name), 2, False, False)


@pytest.mark.slow
@pytest.mark.proof("interop", "games", "strategies")
@pytest.mark.parametrize("name", FIVE)
def test_published_games_pass_the_random_simulation_of_openspiel(name: str) -> None:
    pyspiel.random_sim_test(load(name), 1, False, False)


@pytest.mark.parametrize(
    ("name", "played", "action", "legal"),
    [
        ("tic_tac_toe", [4], 4, "0, 1, 2, 3, 5, 6, 7, 8"),
        ("tic_tac_toe", [], 99, "0, 1"),
        ("tic_tac_toe", [0, 3, 1, 4, 2], 5, "none"),  # after the end
        ("kuhn_poker", [], 6, "0, 1, 2, 3, 4, 5"),  # deals of the cards
    ],
)
def test_an_illegal_action_is_refused_and_changes_nothing(name, played, action, legal) -> None:
    state = load(name).new_initial_state()
    for earlier in played:
        state.apply_action(earlier)
    before = str(state), state.history()
    with pytest.raises(UsageError, match=f"^action {action} is not legal; legal actions: {legal}"):
        state.apply_action(action)
    assert (str(state), state.history()) == before


@pytest.mark.parametrize("samples", [-1, 1.5, "x", 10**12])
def test_a_number_of_samples_that_cannot_be_is_refused(samples) -> None:
    with pytest.raises(UsageError, match=f"samples must be a whole number from 0 .*, not {samples!r}"):
        load("pig", samples=samples)


def kuhn() -> TableGame:
    return load("kuhn_poker", reward="score")


def policy_of(game: TableGame, bets, calls) -> policy.TabularPolicy:
    """Return the policy of a player whose chances to bet and to call depend on card and seat."""
    result = policy.TabularPolicy(game)
    for state in result.states:
        s = state.table.states[0]
        chance = (bets if s.bettor == NOBODY else calls)(s.card[s.seat], s.seat)
        row = result.state_lookup[state.information_state_string()]
        result.action_probability_array[row] = 1 - chance, chance
    return result


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_the_shipped_equilibrium_of_kuhn_poker_cannot_be_exploited(alpha: float) -> None:
    """Kuhn 1950: every equilibrium is worth -1/18 to the first; none is exploitable."""
    game = kuhn()
    nash = policy_of(
        game, *(lambda card, seat, f=f: f(card, seat, alpha) for f in (chance_to_bet, chance_to_call))
    )
    assert exploitability.exploitability(game, nash) == pytest.approx(0, abs=1e-12)
    assert game_value(game, nash) == pytest.approx(-1 / 18)


def game_value(game: TableGame, played: policy.TabularPolicy) -> float:
    result = exploitability.nash_conv(game, played, return_only_nash_conv=False)
    assert min(result.player_improvements) > -1e-12
    return float(exploitability._state_values(game.new_initial_state(), 2, played)[0])


@pytest.mark.parametrize(("bluff", "call", "king"), [(0, 1, 1), (1, 0, 1), (1, 1, 0), (0.3, 0.6, 0.9)])
def test_exploitability_of_the_shipped_chances_equals_that_by_our_matrix(bluff, call, king) -> None:
    """`chances` mixes the sensible strategies of tests/kuhn_matrix; the others are never better answers."""

    def bets(card, seat):
        return {JACK: bluff, QUEEN: 0, KING: 1 if seat else king}[card]

    def calls(card, seat):
        return {JACK: 0, QUEEN: call, KING: 1}[card]

    def weights(*chances):
        mix = np.ones(1)
        for chance in chances:
            mix = np.outer(mix, [1 - chance, chance]).ravel()
        return mix

    matrix = kuhn_poker()
    best_first = (matrix @ weights(bluff, call)).max()
    worst_first = (weights(bluff, call, king) @ matrix).min()
    assert exploitability.exploitability(kuhn(), policy_of(kuhn(), bets, calls)) == pytest.approx(
        (best_first - worst_first) / 2
    )


@pytest.mark.slow
@pytest.mark.proof("interop", "games", "strategies")
def test_cfr_finds_the_equilibrium_of_kuhn_poker() -> None:
    game = kuhn()
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    average = policy.tabular_policy_from_callable(game, solver.average_policy())
    assert exploitability.exploitability(game, average) < 0.01
    assert game_value(game, average) == pytest.approx(-1 / 18, abs=0.01)


def test_a_search_bot_of_openspiel_plays_our_game() -> None:
    game, rng = load("tic_tac_toe"), np.random.RandomState(1)
    searcher = mcts.MCTSBot(game, 2, 40, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    bots = [searcher, uniform_random.UniformRandomBot(1, rng)]
    results = [evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)[0] for _ in range(3)]
    assert min(results) >= 0 < max(results)


def test_every_deal_of_a_small_game_is_an_outcome_with_its_probability() -> None:
    state = kuhn().new_initial_state()
    outcomes = state.chance_outcomes()
    assert state.is_chance_node() and [p for _, p in outcomes] == pytest.approx([1 / 6] * 6)
    deals = {tuple(state.child(k).table.states[0].card.tolist()) for k, _ in outcomes}
    assert deals == {(a, b) for a in range(3) for b in range(3) if a != b}


def test_a_player_has_one_information_state_for_what_it_cannot_tell_apart() -> None:
    """Kuhn poker: each player has six, three cards in two situations."""
    states = policy.TabularPolicy(kuhn()).states
    assert len({state.information_state_string() for state in states}) == 12
    players = [state.current_player() for state in states]
    assert players.count(0) == players.count(1) == 6


def test_information_states_remember_what_observations_do_not() -> None:
    """Two orders of the same moves lead to the same table, but not to the same past."""
    ends = []
    for moves in ([0, 4, 8, 1], [8, 4, 0, 1]):
        state = load("tic_tac_toe").new_initial_state()
        for move in moves:
            state.apply_action(move)
        ends.append(state)
    assert ends[0].observation_string(0) == ends[1].observation_string(0)
    assert ends[0].information_state_string(0) != ends[1].information_state_string(0)
    assert ends[0].observation_string(0) != ends[0].observation_string(1)


def test_samples_of_luck_differ_between_outcomes_and_chance_nodes_and_repeat() -> None:
    game = load("pig", samples=50)
    rolls = []
    for _ in range(2):
        state, path = game.new_initial_state(), []
        for outcome in (3, 3, 7, 7):
            while not state.is_chance_node():
                state.apply_action(state.legal_actions()[0])
            state.apply_action(outcome)
            path.append(state.table.states.tobytes())
        rolls.append(path)
    assert rolls[0] == rolls[1] and all(a != b for a, b in pairwise(rolls[0]))
    assert len({game.new_initial_state().child(k).table.states.tobytes() for k in range(50)}) > 5


def test_luck_with_too_many_outcomes_is_sampled_from_the_setup_on_or_refused_later() -> None:
    assert load("kuhn_poker").samples == 0 and load("pig").samples == 100
    assert Listed([3]).below(1000) == 3
    with pytest.raises(UsageError, match="load with samples=100"):
        Listed([]).below(1001)
    with pytest.raises(UsageError, match="load with samples=100"):
        uniform(Listed([]))


@pytest.mark.parametrize(
    ("name", "chance", "information", "utility", "players"),
    [
        ("kuhn_poker", "EXPLICIT_STOCHASTIC", "IMPERFECT_INFORMATION", "ZERO_SUM", 2),
        ("tic_tac_toe", "DETERMINISTIC", "PERFECT_INFORMATION", "ZERO_SUM", 2),
        ("exoplanet_colony", "EXPLICIT_STOCHASTIC", "IMPERFECT_INFORMATION", "IDENTICAL", 3),
    ],
)
def test_the_type_of_a_game(name: str, chance: str, information: str, utility: str, players: int) -> None:
    game = load(name)
    kind = game.get_type()
    assert (kind.short_name, game.num_players()) == (f"simkit_{name}", players)
    assert kind.chance_mode.name == chance and kind.information.name == information
    assert kind.utility.name == utility


def test_options_players_and_rewards_are_those_of_the_game() -> None:
    game = load("pig", goal=30, players=3)
    assert game.num_players() == 3 and game.table.rules[0].goal == 30
    assert (game.min_utility(), game.max_utility()) == pytest.approx((-1 / 3, 2 / 3))


def test_observations_have_numbers_and_the_table_has_words() -> None:
    state = kuhn().new_initial_state()
    state.apply_action(0)
    numbers = state.observation_tensor(0)
    assert numbers == flatten(state.table.game, state.table.seen(0))[0].tolist()
    assert str(state).startswith("seat 0: ") and state.action_to_string(0, 1) == "action 1"
