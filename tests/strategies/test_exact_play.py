"""Known answers: learned players search small games perfectly; how exploitable they are at Kuhn poker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from exact_play import exact_player, positions
from test_tree import HALVES, chances, exploitability
from versus import decisions, shares

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_strategy
from simkit.engine.playout import WIN
from simkit.engine.rng import open_streams, purposes
from simkit.engine.table import NO_NET, GameTable, Player
from strategies import tree as tree_file
from tests.commands import invoke
from tests.made_nets import made_net, made_player
from tests.projects import project_of

TOYS = ("tic_tac_toe", "nim")
FEW_GAMES = ("--games", 20_480, "--confirm", 200)


def lost(game: Game, player: Player, seed: int = 7, states: Any = None) -> tuple[list[Any], int]:
    """The positions from which a player throws away a win or a draw into a loss, and how many it met."""
    table, thrown_away, number = GameTable(game, game.rules()), [], 0
    for state, worths in states or positions(game).not_lost():
        view, stream = np.zeros(1, game.state_dtype)[0], np.zeros(1, np.uint64)
        game.observe(state, table.rules[0], state.seat, view)
        open_streams(stream, seed, number, purposes([f"choice/{state.seat}"]))
        action = table.decide(player, view, np.array([*worths]), stream, number)
        number += 1
        if worths[action] < 0:
            thrown_away.append(state)
    return thrown_away, number


def tree_over(game: Game, packed: Any, **weights: str) -> Player:
    """A tree whose leaves a net values, with the net's player as policy."""
    given, policy = {"leaf": "made", **weights}, made_player(game, packed, 2)
    return registry.strategy(game, "tree").player(game, given, policy, packed)


@pytest.mark.slow
def test_the_exact_players_are_exact() -> None:
    for name, worth in (("tic_tac_toe", 0.5), ("nim", 1.0)):
        game = registry.game(name)
        assert max(positions(game).of(positions(game).states[-1]).values()) == 2 * worth - 1
        assert lost(game, exact_player(game).player(game))[0] == []
    toe, nim = registry.game("tic_tac_toe"), registry.game("nim")
    assert (shares(toe, "exact*2", 50, exact=exact_player(toe)) == 0.5).all()
    assert (
        shares(nim, "exact*2", 50, exact=exact_player(nim)) == 0.5
    ).all()  # the first wins in each rotation
    assert shares(toe, "exact, random", 50, exact=exact_player(toe)).min() >= 0.5


@pytest.mark.parametrize("name", TOYS)
def test_what_a_tree_can_prove_it_does_not_lose_whatever_the_net_says(name: str) -> None:
    """All positions of Nim and a fifth of those of tic-tac-toe that are not lost."""
    game = registry.game(name)
    some = list(positions(game).not_lost())[:: 5 if name == "tic_tac_toe" else 1]
    player = tree_over(game, made_net(game, 2), budget="10000", caution="5")
    assert lost(game, player, states=some) == ([], len(some)) and len(some) > 180


@pytest.mark.slow
def test_a_tree_asks_its_leaf_at_once_or_after_the_turns_of_the_horizon() -> None:
    """Pig: a leaf beyond the end of the game changes nothing, one at once or after a turn does."""
    game, numbers = registry.game("pig"), np.arange(3)
    packed, policy = made_net(game, 2), registry.player(game, parse_strategy("hold_at")[0], 2)

    def play(**given: str) -> Any:
        net = packed if "leaf" in given else NO_NET
        player = registry.strategy(game, "tree").player(game, {"budget": "40", **given}, policy, net)
        states = GameTable(game, game.rules()).play([player] * 2, 3, numbers, 0 * numbers)
        return states["log"].tobytes()

    plain = play()
    assert play(leaf="made", horizon="10000") == plain
    assert len({plain, play(leaf="made"), play(leaf="made", horizon="1")}) == 3


@pytest.fixture(scope="module", params=TOYS)
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """A game that the command alone has learned, in fewer games than usual."""
    folder = tmp_path_factory.mktemp(request.param)
    with project_of(folder / "mine", {"README.md": "Mine."}) as project:
        done = invoke("--project", project, "learn", request.param, *FEW_GAMES, "-o", folder / "run")
        assert "installed: learned" in done.stderr
        yield registry.game(request.param)


@pytest.mark.slow
@pytest.mark.proof("games.reference", "strategies", "questions.learn")
def test_strong_throws_no_position_away(trained: Game) -> None:
    """All positions of tic-tac-toe and Nim that are won or drawn, with two streams of luck."""
    strong = registry.player(trained, parse_strategy("strong")[0], 2)
    for seed in (7, 8):
        thrown_away, number = lost(trained, strong, seed)
        assert (thrown_away, number) == ([], {"tic_tac_toe": 3_666, "nim": 190}[trained.name])


@pytest.mark.slow
@pytest.mark.proof("games.reference", "strategies", "questions.learn")
@pytest.mark.parametrize(("blunder", "deals"), [(0, 1_000), (0.3, 200)], ids=["exact", "with random moves"])
def test_strong_loses_no_game_to_the_exact_player_unless_the_position_is_lost(
    trained: Game, blunder: float, deals: int
) -> None:
    """2,000 games, 1,000 from each seat; then 400 with random moves of the exact player, to odd positions."""
    judged = 0
    for shift in (0, 1):
        opponent = f"exact(blunder={blunder})"
        played = decisions(trained, f"strong, {opponent}", deals, shift, exact=exact_player(trained))
        for state, _, action in played:
            worths = positions(trained).of(state)
            if max(worths.values()) >= 0:
                judged += 1
                assert worths[action] >= 0
    assert judged > 2 * deals


@pytest.mark.slow
@pytest.mark.proof("games.reference", "strategies", "questions.learn")
def test_a_learned_player_of_kuhn_poker_is_less_exploitable_than_random_play(tmp_path: Path) -> None:
    """Points a hand that the best answers win of it, mean over the seats (Zinkevich et al., NIPS 2007).

    It does not beat the best scripted player and is not installed: it is played from the folder of its run.
    """
    with project_of(tmp_path / "mine", {"README.md": "Mine."}) as project:
        invoke("--project", project, "learn", "kuhn_poker", *FEW_GAMES, "-o", tmp_path / "run")
    with registry.also(tmp_path / "run" / "side_runs" / "training"):
        learned = float(exploitability(chances("learned", 3_000)))
    assert float(exploitability([HALVES, HALVES])) == pytest.approx(11 / 24)
    assert 0 < learned < 0.35


@pytest.mark.parametrize(
    ("outcome", "wins", "action"),
    [(0.0, 0.0, 7), (0.5, 0.0, 5), (0.5, 6.0, 7), (1.0, 9.0, 5)],
    ids=["a loss is left", "a draw is taken", "a draw is left for more", "a win is taken"],
)
def test_a_proven_choice_is_taken_if_it_wins_no_less_than_what_is_open(
    outcome: float, wins: float, action: int
) -> None:
    """The root has a choice 5 of proven worth and one of ten visits, 7, which has won some of them."""
    words = np.zeros(3 * tree_file.SIZE, np.int64)
    root, proven, most_visited = nodes = words.view(tree_file.NODE)
    root["child"], nodes["sibling"][1:], nodes["action"][1:] = 1, (2, 0), (5, 7)
    proven["proven"], proven["outcome"], proven["visits"] = 1, outcome, 3
    most_visited["visits"], most_visited["sums"][WIN] = 10, wins
    weights = SimpleNamespace(mix=0.6, caution=0.0)
    assert tree_file.chosen(words, weights) == action
