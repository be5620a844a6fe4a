"""What a player has learned is lent to it, and to it alone; a strategy may contain another."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from simkit.engine import strategy as strategies
from simkit.engine.compile.jit import rule
from simkit.engine.kernel import WORK
from simkit.engine.playout import usual_choice
from simkit.engine.rng import keyed
from simkit.engine.strategy import Policy, Strategy, Trained, Weight, searching, strategy, workspace
from simkit.engine.table import GameTable, Player
from simkit.errors import PlayError, UsageError
from simkit.games import pig

DEALS = np.arange(40)
OTHERS = WORK + 100  # numbers of `work`


@strategy(pig.game, allocates=False, name=Trained("Total from which it holds"))
def trained(view, net):  # type: ignore[no-untyped-def]
    """Hold from the total that was learned, the last number of the net."""
    return pig.HOLD if view.turn_total >= net[net.size - 1] else pig.ROLL


@strategy(pig.game, total=Weight(7, 1, 100, "Total from which it holds"))
def holding(view, w):  # type: ignore[no-untyped-def]
    """Hold from a total."""
    return pig.HOLD if view.turn_total >= w.total else pig.ROLL


@searching(room=lambda game, w: 1, policy=Policy("Decides"), leaf=Trained("Whether it decides otherwise"))
def contrary(game):  # type: ignore[no-untyped-def]
    """Decide as the policy does, or otherwise from the second decision on, as was learned."""

    @rule
    def decide(view, rules, legal, rng, work, net, lent, ply):  # type: ignore[no-untyped-def]
        work[:] = 99  # the policy's memory is another
        usual = usual_choice(view, rules, legal, lent, keyed(rng, ply, 0))
        return pig.HOLD + pig.ROLL - usual if net.size > 0 and net[0] > 0 else usual

    return decide


COUNTS = workspace(counts=(int, WORK))


@strategy(pig.game, holds=Weight(7, 1, 100, "Total from which it holds"))
def remembering(view, w, memo, work):  # type: ignore[no-untyped-def]
    """Hold from a total that it keeps in `work` from its first decision on."""
    counts = COUNTS(work).counts
    if memo[0] == 0:
        counts[:] = w.holds
        memo[0] = 1
    return pig.HOLD if view.turn_total >= counts[WORK - 1] else pig.ROLL


@strategy(None, allocates=False, makes=True, once=Weight(0, 0, 1, "Whether the second turn is held at once"))
def improving(game, base):  # type: ignore[no-untyped-def]
    """Decide as the base does but for one choice, if there is a base."""
    if base is None:
        return lambda view: pig.HOLD if view.turn_total >= 3 else pig.ROLL

    @rule
    def decide(view, rules, legal, w, rng, scratch, memo, work, lent):  # type: ignore[no-untyped-def]
        action = base(view, rules, legal, lent.weights, rng, scratch, memo, lent.work)
        work[:] = -1  # the base's memory is another
        return pig.HOLD if w.once and view.turn_total > 0 else action

    return decide


@pytest.fixture(autouse=True)
def room_of_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies, "room_of", lambda net: 100)


def net(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int16)


def holds(total: int) -> Player:
    return holding.player(pig.game, {"total": str(total)})


def played(*lineup: Player, compiled: bool = True) -> bytes:
    deals, table = DEALS if compiled else DEALS[:5], GameTable(pig.game, pig.game.rules({"goal": 40}))
    return table.play(list(lineup), 5, deals, 0 * deals, compiled=compiled).tobytes()


@pytest.mark.parametrize("compiled", [True, False])
def test_a_player_plays_by_what_it_has_learned(compiled: bool) -> None:
    player, other = (trained.player(pig.game, net=net(*numbers)) for numbers in ((1, 15), (5,)))
    for seats in (2, 3):
        expected = played(*[holds(15)] * seats, compiled=compiled)
        assert played(*[player] * seats, compiled=compiled) == expected
    assert played(player, other, compiled=compiled) == played(holds(15), holds(5), compiled=compiled)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_search_and_its_policy_have_nets_of_their_own(compiled: bool) -> None:
    policy, against = trained.player(pig.game, net=net(12)), holds(12)
    usual = contrary.player(pig.game, {}, policy)
    other = contrary.player(pig.game, {}, policy, net(1))
    expected = played(against, against, compiled=compiled)
    assert played(usual, against, compiled=compiled) == expected
    assert played(usual, policy, compiled=compiled) == expected
    assert played(other, against, compiled=compiled) != expected
    assert (
        other.search is not None and other.search.room == WORK + 100 and other.room == policy.room == OTHERS
    )


def test_a_player_outside_the_kernel_has_its_net_too() -> None:
    table, view = GameTable(pig.game, pig.game.rules()), np.zeros(1, pig.game.state_dtype)[0]
    view.seats, view.turn_total = 2, 8
    legal, stream = np.array([pig.HOLD, pig.ROLL]), np.array([7], np.uint64)
    eight, nine = (trained.player(pig.game, net=net(total)) for total in (8, 9))
    assert [table.decide(player, view, legal, stream, 0) for player in (eight, nine)] == [pig.HOLD, pig.ROLL]
    turned = contrary.player(pig.game, {}, eight, net(1))
    assert table.decide(turned, view, legal, stream, 0) == pig.ROLL


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("base", [remembering, strategies.random])
def test_a_strategy_that_contains_another_can_decide_as_this_does(base: Strategy, compiled: bool) -> None:
    its = base.player(pig.game, {"holds": "11"} if base is remembering else {})
    same = improving.player(pig.game, base=its)
    assert same.room == its.room + WORK and len(same.weights) == 1 + len(its.weights)
    expected, hold = played(its, its, compiled=compiled), holds(20)
    assert played(same, its, compiled=compiled) == expected
    assert played(same, hold, compiled=compiled) == played(its, hold, compiled=compiled)
    other = improving.player(pig.game, {"once": "1"}, base=its)
    assert other.decide is same.decide and played(other, its, compiled=compiled) != expected


def test_a_strategy_that_may_contain_another_decides_without_one() -> None:
    three = holds(3)
    assert played(improving.player(pig.game), three) == played(three, three)


@strategy(pig.game, name=Trained("Zero fails"))
def dividing(view, net):  # type: ignore[no-untyped-def]
    """Hold from a total, by a division."""
    return pig.HOLD if view.turn_total >= 20 // net[0] else pig.ROLL


@pytest.mark.parametrize("compiled", [True, False])
def test_a_failure_by_what_was_learned_has_the_line_of_the_strategy(compiled: bool) -> None:
    players = [dividing.player(pig.game, net=net(number)) for number in (1, 0)]
    line = inspect.getsourcelines(dividing.body)[1] + 3
    with pytest.raises(PlayError, match=rf"seat 1, strategy dividing: failed: .*test_nets.py:{line}\)$"):
        played(*players, compiled=compiled)


def test_a_trained_player_is_no_number() -> None:
    assert trained.player(pig.game).weights.size == 0
    with pytest.raises(UsageError, match=r"trained\(name\) is no number"):
        trained.number("name", {})
