"""Training: the same player for any number of jobs and after kills, from games of all teachers."""

import signal
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from simkit.engine.learned.file import save
from simkit.questions.learn.result import Request
from simkit.questions.learn.teachers import SelfPlay
from simkit.questions.learn.training import Trainer, first_weights, in_real_numbers, integers
from simkit.runs.progress import Progress

GAMES = 3 * 1_024


def trainer(folder, jobs=1, **given):
    keys = {
        "game": "tic_tac_toe", "seats": 2, "fixed": {}, "vary": {}, "files": {}, "games": GAMES, "seed": 5,
        "name": "best", "start": "", "panel": ["random"], "command": "simkit learn tic_tac_toe",
    }  # fmt: skip
    return Trainer(Request(**keys | given), folder, jobs, Progress())


def trained(folder, jobs=1, teacher="self", **given):
    """The bytes of the file of a player that is trained in a folder."""
    save(folder / "player.npz", trainer(folder, jobs, **given).train(teacher, GAMES))
    return (folder / "player.npz").read_bytes()


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    return trained(tmp_path_factory.mktemp("usual"))


def test_the_player_is_the_same_for_any_number_of_jobs(usual, tmp_path):
    assert trained(tmp_path, jobs=2) == usual


class Killed(Exception):
    """Stands for a kill."""


def kill(*arguments):
    raise Killed


def test_a_training_that_was_killed_goes_on_to_the_same_player(usual, tmp_path, monkeypatch):
    """It is killed while it learns from the games of the second epoch, and while it writes the third."""
    with monkeypatch.context() as patch:
        killed = trainer(tmp_path)
        course = killed._course("self", GAMES)
        course.run(1, killed._report)
        patch.setattr("simkit.questions.learn.fitting.learn", kill)
        with pytest.raises(Killed):
            trained(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", kill)
        with pytest.raises(Killed):
            trained(tmp_path)
    assert trained(tmp_path) == usual


def test_another_seed_gives_another_player(usual, tmp_path):
    assert trained(tmp_path, seed=6) != usual


def test_a_match_is_won_to_a_part_that_can_be_averaged_with_other_matches(tmp_path):
    """given a match that is won to some part and one that is won whole, a trial takes the mean of both."""
    learner = trainer(tmp_path, panel=["random", "random"])
    course = learner._course("self", GAMES)
    assert type(learner.match(course, "random", 1, "a match").share) is float


def test_a_player_of_games_against_itself_wins_against_random_players(usual, tmp_path):
    learner = trainer(tmp_path)
    learner.train("self", GAMES)
    curve = learner._course("self", GAMES).curve
    assert curve[-1].low > 0.7
    assert [look.games for look in curve] == [1_024, 2_048, GAMES]


@pytest.mark.slow
def test_play_outs_improve_the_best_scripted_player(tmp_path):
    """The scripted player is here a random one, whose play-outs show which action is good."""
    learner = trainer(tmp_path)
    player = learner.train("improve", 8 * GAMES)
    assert (player.meta.teacher, player.meta.base) == ("improve", "random")
    assert learner._course("improve", 8 * GAMES).curve[-1].low > 0.7


def test_play_outs_are_those_of_the_base_at_first_and_then_of_the_player_itself(tmp_path):
    course = trainer(tmp_path)._course("improve", 10 * 8 * 1_024)
    by_epoch = [course.teacher._policy(course.net, epoch).net.size > 0 for epoch in range(10)]
    assert by_epoch == [False] * 3 + [True] * 7


@pytest.mark.parametrize(("game", "samples"), [("pig", 24), ("tic_tac_toe", 1), ("outpost_seven", 1)])
def test_games_with_few_actions_and_luck_after_them_average_over_it(tmp_path, game, samples):
    lesson = trainer(tmp_path, game=game).lesson
    assert SelfPlay(lesson, None, GAMES).samples == samples


def test_integers_are_those_of_the_weights(tmp_path):
    layout = trainer(tmp_path).seen.layout
    weights = first_weights(layout, np.random.default_rng(1))
    whole = integers(weights)
    shifts = whole["shifts"].tolist()
    assert np.allclose(whole["rows"] / 1024, weights.rows, atol=1 / 2048)
    assert np.allclose(whole["hidden"] / 2 ** shifts[0], weights.hidden, atol=1 / 1024)
    assert np.allclose(whole["out"].T / 2 ** shifts[1], weights.out, atol=1 / 1024)
    assert np.allclose(whole["hidden_bias"] / 2 ** (8 + shifts[0]), weights.hidden_bias, atol=1 / 1024)


def test_large_weights_are_shifted_less(tmp_path):
    """So that no sum of the net can leave int32; a file with a larger one would be refused."""
    layout = trainer(tmp_path).seen.layout
    weights = first_weights(layout, np.random.default_rng(1))
    weights.hidden[:] = 31
    whole = integers(weights)
    assert whole["shifts"][0] < 10
    assert (np.abs(whole["hidden"].astype(int)).sum(axis=0) * 8191 < 2**31).all()


def test_a_training_goes_on_from_a_player(tmp_path):
    """Its weights in real numbers are those that it has as integers."""
    layout = trainer(tmp_path).seen.layout
    weights = first_weights(layout, np.random.default_rng(1))
    returned = in_real_numbers(integers(weights))
    assert all(np.allclose(own, other, atol=1 / 1024) for own, other in zip(weights, returned, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("low", "teachers"),
    [
        pytest.param(0.49, {"self", "improve"}, id="both teachers are tried"),
        pytest.param(0.51, {"self"}, id="after its own games it is the stronger one"),
    ],
)
def test_a_trial_decides_who_teaches(tmp_path, monkeypatch, low, teachers):
    monkeypatch.setattr("simkit.questions.learn.training.RANDOM", "nobody")
    monkeypatch.setattr("simkit.questions.learn.training.LOOK_COUNT", 0)
    shares = {"self": 0.5, "improve": 0.6}

    def match(learner, course, *others, **weights):
        return SimpleNamespace(share=shares[course.teacher.name], low=low)

    monkeypatch.setattr(Trainer, "match", match)
    player = trainer(tmp_path).train("", GAMES)
    assert player.meta.trial == {name: shares[name] for name in teachers}
    assert player.meta.teacher == ("improve" if "improve" in teachers else "self")
    assert trainer(tmp_path).train("", GAMES).meta.trial == player.meta.trial


def test_the_caution_is_the_one_that_wins_most(tmp_path, monkeypatch):
    learner = trainer(tmp_path)
    shares = {0.03: 0.5, 0.06: 0.7, 0.08: 0.6}
    monkeypatch.setattr("simkit.questions.learn.training.CAUTIONS", tuple(shares))
    monkeypatch.setattr(Trainer, "match", lambda *own, caution=0.06: SimpleNamespace(share=shares[caution]))
    monkeypatch.setattr("simkit.questions.learn.training.LOOK_COUNT", 0)
    assert learner.train("improve", 1_024).meta.caution == 0.06
    assert learner.train("self", 1_024).meta.caution == 0


TRAIN = """
import os, signal
from pathlib import Path
from tests.questions.test_training import trained

def replace_and_die(half, path, replace=os.replace):
    replace(half, path)
    if str(path).endswith({name!r}):
        os.kill(os.getpid(), signal.SIGKILL)

os.replace = replace_and_die
trained(Path({folder!r}))
"""


@pytest.mark.posix
@pytest.mark.slow
def test_a_process_that_is_killed_again_and_again_trains_the_same_player(usual, tmp_path):
    """It is killed as soon as it has written a further checkpoint, or samples beyond it."""
    for name in ("samples/0.npz", "checkpoint.npz", "samples/2.npz"):
        process = subprocess.run([sys.executable, "-c", TRAIN.format(folder=str(tmp_path), name=name)])
        assert process.returncode == -signal.SIGKILL
    assert trained(tmp_path) == usual
