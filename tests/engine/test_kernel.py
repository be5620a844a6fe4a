"""The kernel: the same game alone or in any batch, and faults that say where they happened."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from simkit.content.strategies.pig import hold_at

from simkit.engine import kernel, registry, strategy
from simkit.engine.compile.jit import COMPILED, rule
from simkit.engine.lineups import parse_lineup, parse_strategy
from simkit.engine.strategy import Weight
from simkit.engine.table import GameTable
from simkit.errors import PlayError, UsageError
from simkit.games import pig

STILL = np.zeros(60, np.int64)


@pytest.fixture(scope="module")
def table():
    return GameTable(pig.game, pig.game.rules())


@pytest.fixture(scope="module")
def lineup():
    return [hold_at.player(pig.game), strategy.random.player(pig.game)]


def test_a_game_is_the_same_alone_in_any_batch_and_in_any_order(table, lineup):
    deals = np.arange(60)
    together = table.play(lineup, 3, deals, STILL)
    alone = np.concatenate([table.play(lineup, 3, deals[i : i + 1], STILL[:1]) for i in range(60)])
    backwards = table.play(lineup, 3, deals[::-1], STILL)[::-1]
    assert together.tobytes() == alone.tobytes() == backwards.tobytes()


def test_a_view_is_shown_only_to_who_asks_for_it_and_not_kept_for_the_next_game(table):
    blind, seeing = strategy.random.player(pig.game), hold_at.player(pig.game)
    for who, sees in ((blind, False), (seeing, True), (blind, False)):
        table.play([who, who], 3, np.arange(2), STILL[:2])
        assert any(table.lent[0].tobytes()) == sees


def test_the_kernel_takes_addresses_of_strategies():
    """Numba looks up each first-class function in Python at every call, which took .1 ms a function."""
    assert "FunctionType" not in str(kernel.argument_type(pig.game, kernel.Batch))


def test_the_states_of_a_batch_are_freed_without_the_garbage_collector(table, lineup):
    gc.disable()
    states = weakref.ref(table.play(lineup, 3, np.arange(2), STILL[:2]))
    gc.enable()
    assert states() is None  # else each batch takes fresh memory from the operating system


def test_another_seed_or_deal_is_another_game(table, lineup):
    states = table.play(lineup, 3, np.arange(60), STILL)
    assert states.tobytes() != table.play(lineup, 4, np.arange(60), STILL).tobytes()
    assert len({state.tobytes() for state in states}) == 60


def test_a_rotation_moves_the_strategies_round_the_seats(table, lineup):
    deals = np.arange(60)
    assert (
        table.play(lineup, 3, deals, STILL + 1).tobytes()
        == table.play(lineup[::-1], 3, deals, STILL).tobytes()
    )


def test_forced_moves_are_neither_asked_nor_counted(table, lineup):
    trail = np.full(100_000, -1, np.int64)
    state = table.play(lineup, 3, np.arange(1), STILL[:1], trail)[0]
    actions = (trail >= 0).sum()
    assert (
        state["log"]["game"]["decisions"] == actions - state["log"]["game"]["turns"]
    )  # each turn begins with a forced roll


def broken(**functions):
    game = replace(pig.game, name="broken_pig", **functions)
    return GameTable(game, game.rules()), [strategy.random.player(game)] * 2


@rule
def no_legal(s, rules, out):
    if s.log.game.turns < 5:
        return pig.legal(s, rules, out)
    return 0


@pytest.mark.slow
def test_a_game_without_a_legal_action_is_a_fault():
    table, players = broken(legal=no_legal)
    with pytest.raises(
        PlayError,
        match=r"broken_pig: seed 1, deal 7, rotation 0, seat \d, strategy random: has no legal action",
    ):
        table.play(players, 1, np.array([7]), STILL[:1])


@rule
def too_many_legal(s, rules, out):
    return pig.legal(s, rules, out) + (2 if s.log.game.turns > 5 else 0)


@pytest.mark.slow
def test_more_legal_actions_than_the_game_declares_are_a_fault():
    table, players = broken(legal=too_many_legal)
    with pytest.raises(PlayError, match="has more legal actions than max_actions = 2 of the game"):
        table.play(players, 1, np.array([7]), STILL[:1])


def test_a_game_that_does_not_end_is_a_fault():
    table, players = broken(max_steps=10)
    with pytest.raises(
        PlayError,
        match=r"deal 0, .*strategy random: is to decide in a game of more than 10 actions: it does not end",
    ):
        table.play(players, 1, np.array([0]), STILL[:1])


@rule
def failing_apply(s, rules, action, rng):
    if s.log.game.turns == 3:
        raise ValueError("the die rolled off the table")
    pig.apply(s, rules, action, rng)


def test_an_exception_in_the_rules_names_game_deal_seat_and_strategy():
    table, players = broken(apply=failing_apply)
    with pytest.raises(
        PlayError,
        match=r"broken_pig: seed 1, deal 2, rotation 0, seat \d, strategy random: the rules failed: "
        rf"ValueError: the die rolled off the table \({__file__}:\d+\)",
    ):
        table.play(players, 1, np.array([2]), STILL[:1])


@strategy.strategy(pig.game)
def cheat(view, rules, legal, w, rng, scratch, memo):
    """Plays what is not there."""
    return 5 if view.score[1] > 20 else legal[0]


def test_an_illegal_action_names_the_seat_and_the_strategy(table):
    with pytest.raises(
        PlayError,
        match=r"pig: seed 1, deal 4, rotation 1, seat 0, strategy cheat: chose the illegal action 5",
    ):
        table.play([hold_at.player(pig.game), cheat.player(pig.game)], 1, np.array([4]), STILL[:1] + 1)


def test_the_kernel_is_compiled_once_for_all_lineups_options_and_weights(lineup):
    other = GameTable(pig.game, pig.game.rules({"goal": 20}))
    other.play([hold_at.player(pig.game, {"threshold": "5"})] * 3, 1, np.arange(3), STILL[:3])
    assert kernel.build(pig.game) is other.kernel


def test_an_action_is_legal_if_it_is_among_the_first_n_ids():
    ids = np.array([0, 3, 4, 9])
    assert [a for a in range(-2, 12) if kernel.is_legal(a, ids, 4)] == [0, 3, 4, 9]
    assert [a for a in range(-2, 12) if kernel.is_legal(a, ids, 2)] == [0, 3]


@strategy.strategy(pig.game, slope=Weight(0.5, 0, 1, "a number"), steps=Weight(3, 1, 5, "a whole number"))
def weighted(view, rules, legal, w, rng, scratch, memo):
    """Holds once slope times steps is above one."""
    return pig.HOLD if w.slope * w.steps > 1 and view.last_roll else pig.ROLL


def test_weights_have_names_bounds_and_defaults(table):
    assert list(weighted.player(pig.game).weights) == [0.5, 3]
    assert list(weighted.player(pig.game, {"slope": "0.25"}).weights) == [0.25, 3]
    assert weighted.player(pig.game, {"slope": "0.25"}).label == "weighted(slope=0.25)"
    for given, message in [
        ({"slope": "2"}, "0 to 1"),
        ({"steps": "2.5"}, "whole number"),
        ({"slop": "1"}, "did you mean 'slope'"),
        ({"slope": "nan"}, "0 to 1"),
    ]:
        with pytest.raises(UsageError, match=message):
            weighted.player(pig.game, given)


def test_a_weight_changes_the_play(table):
    daring = table.play(
        [weighted.player(pig.game, {"slope": "0.1"}), hold_at.player(pig.game)], 1, np.arange(30), STILL[:30]
    )
    timid = table.play([weighted.player(pig.game), hold_at.player(pig.game)], 1, np.arange(30), STILL[:30])
    assert daring["log"]["seat"]["busts"][:, 0].sum() > timid["log"]["seat"]["busts"][:, 0].sum()


LINEUPS = [
    ("a,b", ["a", "b"]),
    (" a*3 ", ["a", "a", "a"]),
    ("greedy(caution=0.7, hand=own)*2, b", ["greedy(caution=0.7, hand=own)"] * 2 + ["b"]),
    ("a()", ["a"]),
]


@pytest.mark.parametrize("text, names", LINEUPS)
def test_lineups_are_read_as_written(text, names):
    assert [str(named) for named in parse_lineup(text)] == names


@pytest.mark.parametrize(
    "text", ["", "a,,b", "a(", "a(b)", "a(b=)", "a(b=1,b=2)", "a*0", "a*1000", "1a", "a b"]
)
def test_a_lineup_that_is_not_well_formed_is_refused(text):
    with pytest.raises(UsageError):
        parse_lineup(text)
    if "," not in text:
        with pytest.raises(UsageError):
            parse_strategy(text)


PUBLISHED = [
    name for name in sorted(registry.games()) if "reference_greedy" in registry.scripted(registry.game(name))
]


@pytest.mark.proof("games", "strategies")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(first, marks=[pytest.mark.slow] * (first in PUBLISHED))
        for first in sorted(registry.games())
    ],
)
def test_strategies_read_of_the_numbers_lent_only_what_they_have_written(name):
    game = registry.game(name)
    seats, deals = game.default_seats, np.arange(3)
    for first in registry.scripted(game).values():
        lineup, games = [first.player(game)] * seats, []
        for left in (0, -1, 7):
            table = GameTable(game, game.rules())
            table.work[:] = left
            games.append(table.play(lineup, 1, deals, deals * 0).tobytes())
        assert games[0] == games[1] == games[2], first.name


def test_a_workspace_is_arrays_by_name_in_the_numbers_lent():
    own = strategy.workspace(scores=(float, 2), counts=(np.int8, 2, 3))
    work = np.zeros(kernel.WORK, np.int64)
    own(work).scores[1], own(work).counts[1, 2] = 0.5, 7
    assert list(own(work).scores) == [0, 0.5] and own(work).counts.tolist() == [[0, 0, 0], [0, 0, 7]]
    assert work.view(float)[1] == 0.5 and work.view(np.int8)[16 + 5] == 7


LARGE = strategy.workspace(counts=(int, 5_000))


def fill_all(legal, work):
    """Fill a workspace larger than what every strategy is lent."""
    LARGE(work).counts[:] = 1
    return legal[LARGE(work).counts[4_999]]


@pytest.mark.parametrize("compiled", [True, False])
def test_a_strategy_has_the_room_that_it_declares_and_no_more(table, compiled):
    roomy = strategy.strategy(pig.game, work=lambda game, w: 5_000)(fill_all).player(pig.game)
    rolls = table.play([roomy, strategy.random.player(pig.game)], 1, np.arange(2), STILL[:2])
    assert rolls["log"]["game"]["decisions"].all() and table.work.size == 5_000
    other, narrow = GameTable(pig.game, pig.game.rules()), strategy.strategy(pig.game)(fill_all)
    with pytest.raises(
        PlayError, match=r"a workspace of counts takes 5,000 numbers: declare them with work="
    ):
        other.play([narrow.player(pig.game)] * 2, 1, np.arange(2), STILL[:2], compiled=compiled)


@rule(allocates=True)
def makes_an_array(n):
    return np.zeros(n)


@rule(allocates=True)
def adds_up_an_array(n):
    return int(makes_an_array(n).sum())


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_strategy_said_to_make_no_arrays_may_not_be_handed_one():
    @strategy.strategy(pig.game, allocates=False)
    def handed(view, legal):
        """Is handed an array that it does not give back."""
        return legal[int(makes_an_array(view.turn_total + 1)[0])]

    @strategy.strategy(pig.game, allocates=False)
    def text(view, legal):
        """Calls what makes an array and gives it back."""
        return legal[adds_up_an_array(view.turn_total + 1)]

    assert text.player(pig.game).decide.compiled
    with pytest.raises(
        UsageError, match=r"makes_an_array\(\) returns an array; say allocates=True of the function"
    ):
        _ = handed.player(pig.game).decide.compiled
    with pytest.raises(UsageError, match="returns an array"):  # nor is it left in the cache
        _ = handed.player(pig.game).decide.compiled


def test_what_only_a_weight_needs_is_not_compiled_while_it_has_its_default():
    def holds(view):
        return pig.HOLD

    @strategy.strategy(pig.game, at_default=("own", holds), own=Weight(0, 0, 9, "Rolls"))
    def rolls(view, w):
        """Rolls, or else holds."""
        return pig.ROLL

    usual, other = rolls.player(pig.game), rolls.player(pig.game, {"own": "1"})
    assert usual.decide.body is holds and other.decide.body is rolls.body
    states = GameTable(pig.game, pig.game.rules()).play([usual, other], 1, np.arange(9), STILL[:9])
    assert (states["rank"][:, 0] == 1).all()
