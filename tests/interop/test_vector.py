"""Games stepped together: the same games as run by the kernel, in one call, with masks, rewards and restarts."""

import copy
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.table import GameTable
from simkit.errors import UsageError
from simkit.interop.vector import Step, VectorEnv
from tests.broken_games import SOUND
from tests.projects import project_of

FIVE = ("outpost_seven", "lunar_outpost", "exoplanet_colony", "red_outpost", "outpost")


def choices(step: Step, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(step.action_mask.shape) * step.action_mask).argmax(axis=1)


def assert_same(step: Step, other: Step) -> None:
    for name, array, expected in zip(Step._fields, step, other, strict=True):
        np.testing.assert_array_equal(array, expected, err_msg=name)


@pytest.mark.parametrize("name", ["pig", pytest.param("outpost_seven", marks=pytest.mark.slow)])
@pytest.mark.proof("interop", "games", "strategies")
def test_games_stepped_together_are_those_stepped_alone_in_plain_python(name: str) -> None:
    together, rng = VectorEnv(name, 5), np.random.default_rng(1)
    alone = [VectorEnv(name, 1, compiled=False) for _ in range(5)]
    step = together.reset(seed=3, deal=10)
    steps = [games.reset(seed=3, deal=10 + i) for i, games in enumerate(alone)]
    for _ in range(80):
        for i, single in enumerate(steps):
            assert_same(Step(*(array[i : i + 1] for array in step)), single)
        chosen = choices(step, rng)
        running = ~step.done
        step = together.step(chosen)
        for i in np.flatnonzero(running):
            steps[i] = alone[i].step(chosen[i : i + 1])
        for i in np.flatnonzero(~running):
            steps[i] = alone[i].reset(seed=3, deal=int(together._deals[i]))


SPOKEN = """
from dataclasses import replace
from simkit.games.reference.kuhn_poker import game as kuhn
game = replace(kuhn, name="spoken", public_actions=True, known_answers=[])
"""


def test_nothing_was_done_before_the_first_action(tmp_path: Path) -> None:
    with project_of(tmp_path, {"games/spoken.py": SPOKEN}):
        games = VectorEnv("spoken", 1, compiled=False)
        step = games.reset()
        assert games.states["last_action"].tolist() == [[-1, -1]]
        games.step(choices(step, np.random.default_rng(1)))
        assert games.states["last_action"][0, 1] == -1 < games.states["last_action"][0, 0]


@pytest.mark.parametrize("name", ["pig", "kuhn_poker", "nim"])
def test_a_deal_is_the_deal_that_a_run_plays(name: str) -> None:
    game = registry.game(name)
    player = registry.player(game, parse_lineup("random")[0], 2)
    notes, deals = np.zeros((500, 4), np.int64), np.array([4])
    final = GameTable(game, game.rules()).play([player] * 2, 7, deals, deals * 0, notes=notes, compiled=False)
    games = VectorEnv(name, 1, compiled=False)
    step = games.reset(seed=7, deal=4)
    for turn, seat, count, chosen in notes[: final[0].log.game.decisions]:
        legal = step.action_mask[0].nonzero()[0]
        assert (step.seat[0], len(legal)) == (seat, count), turn
        step = games.step(legal[[chosen]])
    assert step.done.all()
    assert games.states.tobytes() == final.tobytes()


def test_a_finished_game_waits_for_a_step_and_then_plays_its_next_deal() -> None:
    games, rng = VectorEnv("kuhn_poker", 4, compiled=False), np.random.default_rng(1)
    step = games.reset(seed=1)
    while not step.done.any():
        step = games.step(choices(step, rng))
    over = step.done
    assert not step.action_mask[over].any() and not step.observation[over].any()
    assert (step.seat[over] == -1).all() and not step.reward[~over].any()
    step = games.step(choices(step, rng))
    assert not step.done[over].any() and not step.reward[over].any()
    assert games._deals[over].tolist() == (np.flatnonzero(over) + 4).tolist()
    fresh = VectorEnv("kuhn_poker", 1, compiled=False)
    for i in np.flatnonzero(over):
        assert_same(Step(*(array[i : i + 1] for array in step)), fresh.reset(seed=1, deal=int(i) + 4))


@pytest.mark.parametrize(
    ("options", "rewards"),
    [({}, {(0.5, -0.5), (-0.5, 0.5)}), ({"reward": "score"}, {(1, -1), (-1, 1), (2, -2), (-2, 2)})],
)
def test_rewards_are_shares_or_scores_less_the_mean(options: dict, rewards: set) -> None:
    games, rng, given = (
        VectorEnv("kuhn_poker", 64, compiled=False, **options),
        np.random.default_rng(1),
        set(),
    )
    step = games.reset()
    for _ in range(12):
        step = games.step(choices(step, rng))
        given |= {tuple(row) for row in step.reward[step.done].tolist()}
    assert given == rewards


def test_a_team_gets_one_for_a_win_and_nothing_for_a_loss() -> None:
    games, rng, given = VectorEnv("rope_bridge", 32, compiled=False), np.random.default_rng(1), set()
    step = games.reset()
    for _ in range(100):
        step = games.step(choices(step, rng))
        given |= {tuple(row) for row in step.reward[step.done].tolist()}
    assert given == {(0.0,) * games.seats, (1.0,) * games.seats}


def test_a_draw_is_shared() -> None:
    games, step = VectorEnv("tic_tac_toe", 1, compiled=False), None
    for cell in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        step = games.step([cell]) if games.states["seat"][0] >= 0 else step
    assert step is not None and step.done.all() and step.reward.tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("name", ["pig", "nim", "tic_tac_toe"])
def test_a_mask_holds_the_legal_actions_and_forced_ones_are_not_asked(name: str) -> None:
    games, rng = VectorEnv(name, 3, compiled=False), np.random.default_rng(1)
    step, ids = games.reset(), np.zeros(games.game.max_actions, np.int64)
    for _ in range(30):
        for i in np.flatnonzero(~step.done):
            n = games.game.legal(games.states[i], games.rules[0], ids)
            assert n > 1 and step.action_mask[i].nonzero()[0].tolist() == ids[:n].tolist()
        step = games.step(choices(step, rng))


def test_an_observation_is_the_view_of_the_seat_to_decide_in_numbers() -> None:
    games = VectorEnv("kuhn_poker", 8, compiled=False)
    step = games.reset()
    named = [games.views[name].reshape(8, -1) for name in games.game.state_fields]
    assert step.observation.tolist() == np.concatenate(named, 1).tolist()
    assert (games.views["card"][:, 0] >= 0).all() and (games.views["card"][:, 1] == -1).all()


def test_copies_are_played_on_by_themselves() -> None:
    games = VectorEnv("pig", 2, compiled=False)
    before = games.states.tobytes()
    twin = copy.deepcopy(games)
    twin.step([0, 0])
    assert games.states.tobytes() == before != twin.states.tobytes()
    assert_same(
        games.step([0, 0]), Step(*(array.copy() for array in VectorEnv("pig", 2, False).step([0, 0])))
    )


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([0, 7], "game 1: action 7 is not legal; legal actions: 0, 1"),
        ([-1, 0], "game 0: action -1 is not legal"),
        ([0], "actions must be 2 whole numbers"),
        ([0.5, 0.5], "actions must be 2 whole numbers"),
    ],
)
def test_an_illegal_action_is_refused_before_any_game_moves(actions: list, message: str) -> None:
    games = VectorEnv("pig", 2, compiled=False)
    before = games.states.tobytes()
    with pytest.raises(UsageError, match=message):
        games.step(actions)
    assert games.states.tobytes() == before


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("pigs", {}, "unknown game 'pigs'; did you mean 'pig'"),
        ("pig", {"goals": 50}, "goals"),
        ("pig", {"goal": -1}, "goal"),
        ("pig", {"players": 99}, "players cannot be 99"),
        ("pig", {"reward": "shares"}, "unknown reward 'shares'; did you mean 'share'"),
        ("pig", {"files": {"cards": "mine.csv"}}, "unknown table of pig that a file may replace 'cards'"),
        ("race_to_six", {}, "nobody decides in race_to_six"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(name: str, options: dict, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        VectorEnv(name, 1, compiled=False, **options)
    assert "\n" not in str(caught.value)


def test_numbers_out_of_range_are_refused() -> None:
    for n in (0, 1.5, "x", 10**12, True):
        with pytest.raises(UsageError, match=f"n, .*, must be a whole number from 1 to 1000000, not {n!r}"):
            VectorEnv("pig", n)
    games, first = VectorEnv("pig", 2, compiled=False), {"seed": 1, "deal": 0}
    for name, value in product(first, (-1, 2**63, 1.5, "x", None)):
        with pytest.raises(UsageError, match=f"{name} must be a whole number from 0 to .*, not {value!r}"):
            games.reset(**first | {name: value})
    with pytest.raises(UsageError, match="deal must be"):
        games.reset(deal=2**63 - 1)  # the second game has no deal


def test_options_and_players_are_in_force() -> None:
    games = VectorEnv("pig", 1, compiled=False, goal=50, players=3)
    assert (games.seats, games.rules[0].goal) == (3, 50)
    assert VectorEnv("nim", 1, compiled=False, heap_1=np.int64(2)).rules[0].heap_1 == 2


def test_a_game_with_actions_beyond_its_masks_is_told_what_to_declare(tmp_path) -> None:
    """Its ids are 1 to 5 where there are at most 5 of them: no fault, but masks have no place for the last."""
    (tmp_path / "games").mkdir()
    source = tmp_path / "games" / "bids.py"
    source.write_text(SOUND)
    registry.add_project(tmp_path)
    try:
        with pytest.raises(ValueError, match=r"say action_ids=\.\.\. of Game\(\.\.\.\), above every action"):
            VectorEnv("bids", 1, compiled=False)
        registry.set_projects([])
        source.write_text(SOUND.replace("max_actions=MOST", "max_actions=MOST, action_ids=MOST + 1"))
        registry.add_project(tmp_path)
        assert VectorEnv("bids", 1, compiled=False).masks.tolist() == [[0, 1, 1, 1, 1, 1]]
    finally:
        registry.set_projects([])


def test_twins_keep_their_own_deals() -> None:
    games = VectorEnv("kuhn_poker", 1, compiled=False)
    twin = copy.deepcopy(games)
    for _ in range(8):
        twin.step(twin.masks.argmax(axis=1))
    assert games._deals.tolist() == [0] != twin._deals.tolist()


def test_a_table_of_your_own_is_in_force(tmp_path) -> None:
    table = registry.game("outpost_seven").components.files["cards"]
    rows = table.rows(table.printed(registry.game("outpost_seven").resolve({})))
    (tmp_path / "cards.csv").write_text("\n".join(",".join(row) for row in rows[:-1]))
    own = VectorEnv("outpost_seven", 1, compiled=False, files={"cards": tmp_path / "cards.csv"})
    printed = VectorEnv("outpost_seven", 1, compiled=False)
    assert printed.rules.tobytes() != own.rules.tobytes()


def test_action_ids_bound_the_masks() -> None:
    sizes = {name: VectorEnv(name, 1, compiled=False).masks.shape[1] for name in FIVE}
    assert sizes == {
        "outpost_seven": 512, "lunar_outpost": 289, "exoplanet_colony": 112, "red_outpost": 72, "outpost": 251,
    }  # fmt: skip
