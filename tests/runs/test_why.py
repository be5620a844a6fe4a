"""What decisions were worth: by what the seat that decides can see, in facts and in sentences."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.alternatives import ACTION, DECISION, SAMPLES, value_alternatives
from simkit.engine.lineups import parse_strategy
from simkit.engine.table import GameTable
from simkit.runs import narrate, why
from simkit.runs.folder import open_run
from simkit.runs.why import Alternative, Decision
from tests.commands import invoke

KEEP = Alternative(41, "keeps blue 6, green 6", 0.543, 0.01)
OTHER = Alternative(7, "keeps blue 5, green 5", 0.512, 0.01)
WORST = Alternative(3, "keeps nothing", 0.204, 0.01)
EVERY = [KEEP, OTHER, WORST]


def decision(taken: Alternative, cost: float, low: float, **given: int) -> Decision:
    keys = {"number": 0, "step": 0, "turn": 1, "seat": 0, "samples": 64} | given
    return Decision(**keys, action=taken.action, cost=cost, low=low, high=2 * cost - low, alternatives=EVERY)


@pytest.mark.parametrize(
    ("taken", "sentence"),
    [
        (KEEP, "worth 54; next best: keeps blue 5, green 5, 51"),
        (OTHER, "worth 51; best: keeps blue 6, green 6, 54"),
        (WORST, "worth 20; best: keeps blue 6, green 6, 54"),
    ],
)
def test_a_decision_stands_against_its_best_alternative(taken: Alternative, sentence: str) -> None:
    assert why.verdict(decision(taken, KEEP.value - taken.value, 0.0)) == sentence


def test_a_hint_has_the_best_alternatives() -> None:
    sentence = "keeps blue 6, green 6: 54; keeps blue 5, green 5: 51; keeps nothing: 20"
    assert why.hint(decision(KEEP, 0.0, 0.0)) == sentence


def test_the_turning_point_is_what_surely_cost_its_seat_most() -> None:
    rows = [
        decision(OTHER, 0.031, 0.02, number=0),
        decision(WORST, 0.339, -0.01, number=1),  # perhaps nothing
        decision(WORST, 0.339, 0.25, number=2, turn=9, seat=1),
        decision(KEEP, 0.0, 0.0, number=3),
    ]
    assert why.turning_point(rows) is rows[2]
    assert why.turning_sentence(rows, ["red", "yellow"].__getitem__) == (
        "turning point: in turn 9 yellow gave up 34 (25 to 43) of 54 chances in 100 to win: "
        "keeps nothing, instead of: keeps blue 6, green 6"
    )


def test_without_a_mistake_there_is_no_turning_point() -> None:
    rows = [decision(KEEP, 0.0, 0.0), decision(OTHER, 0.004, 0.003)]
    assert why.turning_point(rows) is None
    assert why.turning_sentence(rows, str) == (
        "turning point: none; no decision surely cost its seat a chance in 100 to win"
    )


def test_a_single_value_of_each_alternative_is_sure_of_nothing() -> None:
    """With one sample the error is unknown, and any difference was called a sure cost."""
    by = "by this player's values"
    point = why.turning_sentence([decision(WORST, 0.339, 0.339, samples=1)], str)
    assert f"gave up 34 of 54 chances in 100 to win, {by}: keeps nothing" in point
    none = why.turning_sentence([decision(KEEP, 0.0, 0.0, samples=1)], str)
    assert none == f"turning point: none; no decision cost its seat a chance in 100 to win, {by}"


def test_parts_of_a_compound_decision_have_their_values_after_the_moves_of_their_turn() -> None:
    game, moves = registry.game("pig"), [narrate.Move(0, "rolls", 0, step=1)]
    turn = narrate.Turn(1, moves, [], [], [], [])
    rows = [decision(OTHER, 0.031, 0.02, step=0), decision(KEEP, 0.0, 0.0, step=1)]
    assert list(narrate._parts(turn, game, rows)) == [
        "seat 0: keeps blue 5, green 5, worth 51; best: keeps blue 6, green 6, 54"
    ]


def values_of(name: str, lineup: str, judge: str, deal: int) -> dict[int, float]:
    """The value of each action at the first decision of a game."""
    game, trail = registry.game(name), np.full(4096, -1, np.int64)
    players = [registry.player(game, each, 2) for each in parse_strategy(lineup)]
    table, policy = GameTable(game, game.rules({})), registry.player(game, parse_strategy(judge)[0], 2)
    table.play(players, 3, np.array([deal]), np.zeros(1, np.int64), trail)
    rows, values = value_alternatives(table, policy, 2, 3, deal, trail[trail >= 0])
    first = [i for i, row in enumerate(rows) if row[DECISION] == 0]
    return {int(rows[i, ACTION]): float(values[i, : rows[i, SAMPLES]].mean()) for i in first}


@pytest.mark.slow
def test_values_do_not_know_what_the_seat_cannot_see() -> None:
    """A bet wins with the king always, with the queen against a jack, with the jack where a queen folds."""
    bets = [values_of("kuhn_poker", "nash*2", "nash", deal)[1] for deal in range(12)]
    exact = [1, 1 / 2, 1 / 3]
    nearest = [min(exact, key=lambda value: abs(value - bet)) for bet in bets]
    assert set(nearest) == set(exact)
    assert max(abs(bet - value) for bet, value in zip(bets, nearest, strict=True)) < 0.1


@pytest.mark.slow
def test_a_replay_says_why_in_words_and_as_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    invoke("match", "pig", "hold_at", "random", "--deals", "2", "-o", "run")
    words, play = invoke("replay", "run", "0", "--why").output, open_run("run").games().collect()["play"][0]
    document = json.loads(invoke("replay", "run", str(play), "--why", "--json").output)
    rows = document["why"]["decisions"]
    assert (
        "play-outs of hold_at for each action, with common luck" in words
        and "turning point: in turn" in words
    )
    point = rows[document["why"]["turning_point"]]
    assert point["cost"] == max(row["cost"] for row in rows if row["low"] > 0)
    assert point["cost"] == pytest.approx(
        point["alternatives"][0]["value"]
        - next(each["value"] for each in point["alternatives"] if each["action"] == point["action"])
    )
    assert "why" not in json.loads(invoke("replay", "run", str(play), "--json").output)
