"""Strategies that play on with a policy: what they compile, what they leave alone, whom they blame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.compile.jit import clone, rule
from simkit.engine.lineups import parse_strategy
from simkit.engine.playout import open_luck, playing_on, policy_action, redealing
from simkit.engine.rng import keyed
from simkit.engine.strategy import Policy, Strategy, Weight, searching, strategy
from simkit.engine.table import GameTable, Player
from simkit.errors import PlayError, UsageError
from simkit.games import pig

PIG = registry.game("pig")
DEALS = np.arange(60)
STILL = np.zeros_like(DEALS)


@searching(
    room=lambda game, w: game.max_actions,
    policy=Policy("Plays on in all seats"),
    samples=Weight(3, 0, 100, "Games that are played on before each decision"),
)
def follow(game):  # type: ignore[no-untyped-def]
    """Play some games on, and decide as the policy does."""
    redealt, play_on, step = redealing(game), playing_on(game), game.step

    @rule
    def decide(view, rules, legal, w, rng, scratch, work, lent, ply):  # type: ignore[no-untyped-def]
        key = keyed(rng, ply, 0)
        for sample in range(w.samples):
            redealt(scratch[0], view, rules, key, sample, lent.streams[:1])
            clone(scratch[1], scratch[0])
            open_luck(lent, key, sample, 0)
            step(scratch[1], rules, legal[sample % legal.size], lent.luck)
            play_on(scratch[1], rules, lent, work, key, sample, 0)
        lent.memos[:] = 0
        return policy_action(lent, view, rules, legal, view.seat)

    return decide


@strategy(pig.game)
def lawless(view):  # type: ignore[no-untyped-def]
    """Hold at ten, by an action that there is not."""
    return 99 if view.turn_total >= 10 else pig.ROLL


@strategy(pig.game)
def lawless_at_once(view):  # type: ignore[no-untyped-def]
    """Do what cannot be done."""
    return -3


def written(text: str) -> Player:
    return registry.player(PIG, parse_strategy(text)[0], 2)


def with_policy(chosen: Strategy, policy: str | Strategy) -> Player:
    """A search that plays on with a strategy, which no folder has to hold."""
    player = written(policy) if isinstance(policy, str) else policy.player(PIG)
    return chosen.player(PIG, {"policy": player.label}, player)


def played(*lineup: Player, compiled: bool = True, deals: Any = DEALS) -> Any:
    return GameTable(PIG, PIG.rules({"goal": 40})).play(
        list(lineup), 5, deals, STILL[: len(deals)], compiled=compiled
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search(policy=search)", "search(policy) takes one strategy that does not search, not 'search'"),
        ("search(policy=search(budget=4))", "does not search, not 'search(budget=4)'"),
        ("search(policy=hold_at*2)", "takes one strategy"),
        ("search(policy=nobody)", "unknown strategy of pig 'nobody'"),
        ("search(policy=hold_at(threshold=0))", "hold_at(threshold) = 0 is out of range"),
        ("search(policy=hold_at(thresh=9))", "did you mean 'threshold'?"),
        ("search(budget=1.5)", "search(budget) takes a whole number"),
        ("search(depth=2)", "unknown weight of search 'depth'"),
        ("hold_at(policy=random)", "unknown weight of hold_at 'policy'"),
    ],
)
def test_a_policy_is_one_strategy_that_does_not_search(text: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        written(text)
    assert message in str(refused.value) and "\n" not in str(refused.value)


def test_another_policy_or_weight_compiles_nothing_new_for_the_search() -> None:
    texts = [
        "search",
        "search(policy=hold_at)",
        "search(policy=hold_at(threshold=9), budget=8)",
        "search(mix=0)",
    ]
    players = [written(text) for text in texts]
    assert len({id(player.search.decide) for player in players if player.search}) == 1
    assert players[1].decide is players[2].decide is written("hold_at").decide
    assert players[0].decide is written("random").decide


def test_players_that_differ_in_their_search_or_policy_are_different() -> None:
    same = [
        ("search", "search(budget=50)"),
        ("search(policy=hold_at)", "search(policy=hold_at(threshold=20))"),
    ]
    other = [("search", "search(budget=51)"), ("search", "search(policy=hold_at)"), ("search", "random")]
    for pairs, expected in ((same, True), (other, False)):
        for texts in pairs:
            assert registry.same_player(PIG, *(parse_strategy(text)[0] for text in texts), 2) is expected


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [True, False])
def test_play_outs_leave_the_game_and_the_luck_of_all_seats_alone(compiled: bool) -> None:
    """A search that decides as its policy plays the games of its policy, whatever it has played on before."""
    deals = DEALS if compiled else DEALS[:4]
    hold, random = written("hold_at(threshold=15)"), written("random")
    searches = with_policy(follow, "hold_at(threshold=15)")
    for other in (random, hold, searches):
        expected = played(hold, random if other is random else hold, compiled=compiled, deals=deals)
        assert played(searches, other, compiled=compiled, deals=deals).tobytes() == expected.tobytes()


def test_a_search_writes_neither_to_its_view_nor_to_the_rules_nor_to_its_stream() -> None:
    table, view, legal = GameTable(PIG, PIG.rules()), np.zeros(1, PIG.state_dtype), np.array([0, 1])
    view[0].seats, view[0].turn_total, stream = 2, 13, np.array([7], np.uint64)
    before = view.tobytes(), table.rules.tobytes(), stream.tobytes()
    for player in (written("search(budget=8)"), with_policy(follow, "hold_at")):
        actions = {table.decide(player, view[0], legal, stream, 3) for _ in range(3)}
        assert len(actions) == 1 and actions <= {0, 1}
        assert (view.tobytes(), table.rules.tobytes(), stream.tobytes()) == before


def test_a_search_plays_the_same_games_in_any_batch_and_beside_a_search_of_another_size() -> None:
    small, large = written("search(budget=4)"), written("search(budget=32, policy=hold_at)")
    together = played(small, large)
    alone = [played(small, large, deals=DEALS[i : i + 1])[0].tobytes() for i in range(5)]
    assert [state.tobytes() for state in together[:5]] == alone
    assert played(small, small).tobytes() != together.tobytes()


@pytest.mark.parametrize("policy", [lawless, lawless_at_once])
@pytest.mark.parametrize("compiled", [True, False])
def test_an_illegal_action_of_a_policy_is_an_error_that_names_the_strategy(
    policy: Strategy, compiled: bool
) -> None:
    search = with_policy(registry.strategy(PIG, "search"), policy)
    with pytest.raises(PlayError) as refused:
        played(written("hold_at"), search, compiled=compiled, deals=DEALS[:3])
    message = str(refused.value)
    assert f"seat 1, strategy search(policy={policy.name}): failed" in message and "\n" not in message
    assert "the policy chose an illegal action" in message


@searching(room=lambda game, w: 0, policy=Policy("Is not asked"))
def lawless_search(game):  # type: ignore[no-untyped-def]
    """Search for nothing."""

    @rule
    def decide(ply):  # type: ignore[no-untyped-def]
        return 98 + ply

    return decide


def test_an_illegal_action_of_a_search_is_refused_as_that_of_a_strategy() -> None:
    player = with_policy(lawless_search, "hold_at")
    for compiled in (True, False):
        with pytest.raises(
            PlayError, match=r"strategy lawless_search\(policy=hold_at\): chose the illegal action"
        ):
            played(player, written("hold_at"), compiled=compiled)


def test_a_search_needs_a_docstring_a_policy_and_arguments_that_exist() -> None:
    policy = Policy("Plays on")

    def silent(game: Any) -> Any:
        return None

    def spoken(game: Any) -> Any:
        """Search for something else."""
        return lambda view, rules, horizon: 0

    with pytest.raises(UsageError, match="strategy silent has no docstring"):
        searching(room=lambda game, w: 0, policy=policy)(silent)
    with pytest.raises(UsageError, match=r"needs a weight policy=Policy\(meaning\)"):
        searching(room=lambda game, w: 0, player=policy)(spoken)
    with pytest.raises(UsageError, match="every strategy has a weight 'blunder'"):
        searching(room=lambda game, w: 0, policy=policy, blunder=Weight(0.0, 0.0, 1.0, "?"))(spoken)
    with pytest.raises(UsageError, match="unknown argument of strategy spoken 'horizon'"):
        with_policy(searching(room=lambda game, w: 0, policy=policy)(spoken), "random")
