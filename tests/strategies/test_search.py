"""Searches: how well they play where the best play is known, and that they play by the rules."""

import itertools
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from optimal_pig import optimal, solved
from versus import decisions, interval, lineup, shares

from simkit.engine import registry
from simkit.engine.compile.jit import clone
from simkit.engine.lineups import parse_lineup
from simkit.engine.rng import keyed
from simkit.engine.strategy import any_of, strategy
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.games.pig import game as pig
from simkit.games.reference import kuhn_poker as kuhn
from simkit.runs import experiment, runner
from simkit.runs.folder import open_run
from simkit.runs.plan import Layout
from simkit.verify.check import random_settings
from tests.everyday import everyday

pytestmark = [pytest.mark.slow, pytest.mark.proof("games", "strategies", "games/README.md")]

ROOT = Path(__file__).parents[2]
SEARCHES = ("search(budget=6, horizon=2, blunder=0.1)", "tree(budget=4, horizon=2, blunder=0.1)")


def test_the_optimal_player_of_pig_is_that_of_neller_and_presser():
    value, holds = solved()
    assert value[0, 0, 0] == pytest.approx(0.5306, abs=5e-5)
    assert np.flatnonzero(holds[41, 49, :30]).tolist() == [*range(22, 27), 28, 29]  # rolls again at 27
    states = GameTable(pig, pig.rules()).play(
        [optimal().player(pig)] * 2, 3, np.arange(40_000), np.zeros(40_000, int)
    )
    assert abs((states["rank"][:, 0] == 1).mean() - 0.5306) < 4 * 0.0025


@pytest.mark.parametrize("deals", everyday([300, 4_000], 1))
def test_a_search_of_pig_makes_a_weak_policy_strong(deals):
    policy = "hold_at(threshold=10)"
    alone = shares(pig, f"{policy}, optimal", deals, optimal=optimal())
    searching = f"search(budget=200, policy={policy}, horizon=2, mix=0, caution=0)"
    low, _ = interval(shares(pig, f"{searching}, optimal", deals, optimal=optimal()))
    assert low > 0.42 - 0.8 / np.sqrt(deals) > interval(alone)[1]


@pytest.fixture(scope="module")
def connect_four(tmp_path_factory):
    """The game of the manual, in a project."""
    folder = tmp_path_factory.mktemp("project")
    manual = (ROOT / "simkit/games/README.md").read_text(encoding="utf-8")
    (source,) = [
        code for code in re.findall(r"```python\n(.*?)```", manual, re.DOTALL) if "game = Game(" in code
    ]
    (folder / "games").mkdir()
    (folder / "games/connect_four.py").write_text(source, encoding="utf-8")
    before = registry.projects()
    registry.add_project(folder)
    yield registry.game("connect_four")
    registry.set_projects(before)
    shutil.rmtree(folder)


def snatcher(game):
    """A strategy that takes a win at once, else anything."""
    apply = game.apply

    @strategy(game)
    def snatches(view, rules, legal, rng, scratch):
        """Win at once, else play at random."""
        for i in range(legal.size):
            clone(scratch[0], view)
            apply(scratch[0], rules, legal[i], rng)
            if scratch[0].rank[view.seat] == 1:
                return legal[i]
        return any_of(legal, keyed(rng, view.discs, 0))

    return snatches


def wins(game, s, rules, seat):
    """The actions with which a seat, were it to decide, would win at once."""
    ids, position = np.zeros(game.max_actions, np.int64), s.copy()
    position.seat = seat
    legal = ids[: game.legal(position, rules, ids)].tolist()
    return {action for action in legal if _after(game, position, rules, action).rank[seat] == 1}


def _after(game, s, rules, action):
    s = s.copy()
    game.step(s, rules, action, None)
    return s


@pytest.mark.parametrize("deals", everyday([8, 60], 1))
@pytest.mark.parametrize("text", everyday(["tree(budget=2000)", "search(budget=2000, policy=snatches)"], 1))
def test_in_connect_four_it_wins_at_once_or_else_prevents_a_win(connect_four, text, deals):
    """A flat search expects of its rival what its policy does, so only a policy that wins makes it prevent."""
    own, won, prevented = {"snatches": snatcher(connect_four)}, 0, 0
    for shift in (0, 1):
        for s, rules, action in decisions(connect_four, f"{text}*2", deals, shift, **own):
            mine, threats = (wins(connect_four, s, rules, seat) for seat in (s.seat, 1 - s.seat))
            if mine:
                assert action in mine
                won += 1
            elif len(threats) == 1:
                assert action in threats or _is_lost(connect_four, s, rules, *threats)
                prevented += action in threats
    assert won > deals / 2 and prevented > deals


def _is_lost(game, s, rules, action):
    """Whether the rival wins at once even after an action."""
    return bool(wins(game, _after(game, s, rules, action), rules, 1 - s.seat))


@pytest.mark.parametrize("budget", [200, 2_000])
def test_in_connect_four_a_search_with_a_random_policy_wins_at_once(connect_four, budget):
    for s, rules, action in decisions(connect_four, f"search(budget={budget})*2", 20):
        mine = wins(connect_four, s, rules, s.seat)
        assert not mine or action in mine


def test_in_connect_four_it_wins_95_of_100_games_against_random_play(connect_four):
    assert interval(shares(connect_four, "search(budget=200), random", 200))[0] > 0.95


DECIDING = [name for name, game in registry.games().items() if game.max_actions > 1]
GOALS = [("pig", 2_000), *((name, 150_000 // len(DECIDING)) for name in DECIDING)]


@pytest.mark.parametrize(("name", "goal"), everyday(GOALS, 1))
def test_searches_choose_legal_actions_under_any_settings(name, goal):
    """Play until so many decisions; an illegal choice, also of a policy, raises PlayError.

    Random errors end games of Pig without a losing face, in which a search for points would roll forever.
    """
    game, deals, decided = registry.game(name), np.arange(50), 0
    settings = [{}, *random_settings(game, 20, seed=9)]
    for seed in itertools.count():
        seats = game.seats[0] + seed % (min(game.seats[1], 5) - game.seats[0] + 1)
        players = lineup(game, ", ".join(SEARCHES[(seed + seat) % 2] for seat in range(seats)))
        table = GameTable(game, game.rules(settings[seed % len(settings)]))
        states = table.play(players, seed, deals, deals % seats)
        decided += int(states["log"]["game"]["decisions"].sum())
        if decided >= goal:
            return


@strategy(kuhn.game)
def imagines(view, rules, legal, rng, scratch):
    """Deal the rival's card again, and play by it."""
    clone(scratch[0], view)
    kuhn.redeal(scratch[0], rules, view.seat, rng)
    return legal[scratch[0].card[1 - view.seat] % legal.size]


@pytest.mark.parametrize(
    ("name", "policy"), everyday([("kuhn_poker", "imagines"), ("outpost_seven", "lookahead")], 1)
)
def test_a_policy_may_redeal_itself(name, policy):
    game, own = registry.game(name), {"imagines": imagines}
    text = ", ".join(f"{search}(budget=4, policy={policy}, horizon=1)" for search in ("search", "tree"))
    table, deals = GameTable(game, game.rules()), np.arange(1)
    states = table.play(lineup(game, text, **own), 3, deals, deals)
    assert (states["seat"] == -1).all()


@pytest.mark.parametrize("policy", ["search", "tree(budget=50)", "search(policy=hold_at)"])
@pytest.mark.parametrize("name", ["search", "tree"])
def test_a_search_is_no_policy_of_a_search(name, policy):
    message = f"{name}(policy) takes one strategy that does not search, not '{policy}'"
    with pytest.raises(UsageError) as refused:
        registry.player(pig, parse_lineup(f"{name}(policy={policy})")[0], 2)
    assert str(refused.value) == message


LINEUP = "search(budget=20, policy=hold_at), tree(budget=20, policy=hold_at(threshold=15))"


def test_a_game_of_searches_is_the_same_alone_or_in_a_batch():
    table, players, deals = GameTable(pig, pig.rules({"goal": 30})), lineup(pig, LINEUP), np.arange(30)
    together = table.play(players, 3, deals, deals % 2)
    alone = [table.play(players, 3, deals[i : i + 1], deals[i : i + 1] % 2) for i in reversed(range(30))]
    assert together.tobytes() == np.concatenate(alone[::-1]).tobytes()


@pytest.mark.parametrize(
    ("name", "text"),
    everyday(
        [
            ("pig", LINEUP),
            ("tic_tac_toe", "tree(budget=30), search(budget=20)"),
            ("kuhn_poker", "tree(budget=30), search(budget=20)"),
        ],
        1,
    ),
)
def test_a_game_of_searches_is_the_same_compiled_or_not(name, text):
    game = registry.game(name)
    options = {"goal": 15} if name == "pig" else {}
    table, players, deals = GameTable(game, game.rules(options)), lineup(game, text), np.arange(4)
    compiled, plain = (table.play(players, 3, deals, deals % 2, compiled=c) for c in (True, False))
    assert compiled.tobytes() == plain.tobytes()


def test_games_of_searches_do_not_depend_on_the_number_of_jobs(tmp_path):
    keys = {"question": "?", "game": "pig", "deals": 24, "lineups": [LINEUP], "rotate": True}
    request, layout = experiment.parse(keys), Layout(5, 5)
    runs = [open_run(runner.run(request, tmp_path / str(jobs), jobs=jobs, layout=layout)) for jobs in (1, 2)]
    first, second = (run.seats().collect().sort("play", "seat") for run in runs)
    assert first.equals(second) and first.height == 2 * 2 * 24
