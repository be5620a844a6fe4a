"""Speeds are those of play alone, whatever the first game of a process has to load."""

import pytest

from simkit.engine import registry
from simkit.verify import bench


def test_loading_the_compiled_kernel_makes_no_batch_smaller(monkeypatch):
    batches = []

    def timed(table, players, games):
        batches.append(games)
        return games / 1_000 + (2.0 if len(batches) == 1 else 0.0), 10 * games

    monkeypatch.setattr(bench, "_time_games", timed)
    game = registry.game("pig")
    first, second = bench.speeds(game, bench.lineups(game)[:2], seconds=0.5)
    assert first.games == second.games == pytest.approx(1_000)
    assert first.decisions == pytest.approx(10_000)
    assert batches[-1] == 500 and batches.count(500) == 2 * bench.ROUNDS


def test_play_outs_are_counted_for_each_decision_and_the_fastest_round_counts(monkeypatch):
    rounds = iter([(9.0, 1), (1.0, 100), (2.0, 100), (0.5, 100), (1.0, 100), (1.0, 100)])
    monkeypatch.setattr(bench, "_time_play_outs", lambda table, players, deals: next(rounds))
    assert bench.playout_speed(registry.game("pig")) == bench.PlayOuts("pig", 2, "random", 200)
