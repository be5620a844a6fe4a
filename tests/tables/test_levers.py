"""Levers apart from signs: what seats begin with does not change in play, and is told first."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from of_games.driver import driver
from simkit.content.reports.sections.components import LEVERS_HEADING, SIGNS_HEADING, components
from synthetic import Story, made_stories, with_words

from simkit.engine import registry
from simkit.engine.table import GameTable
from simkit.tables.findings import Findings

GAMES = [game for game in map(registry.game, registry.games()) if game.words.levers]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_levers_are_settled_when_the_first_turn_is_over(game) -> None:
    seats, names = game.default_seats, game.words.levers
    table, player = GameTable(game, game.rules()), registry.strategy(game, "random").player(game)
    for deal in range(4):
        trail = np.full(game.max_steps, -1, np.int64)
        deals = np.array([deal])
        final = (
            table.play([player] * seats, 3, deals, np.zeros(1, np.int64), trail)[0].log.seat[:seats].copy()
        )
        table.open_luck(3, deal)
        states, play = np.zeros(1, game.state_dtype), driver(game)
        play.start(states, table.rules, table.rng, seats)
        for action in trail:
            if states[0].log.game.turns > 0:
                break
            play.step(states, table.rules, table.rng, action)
        begun = states[0].log.seat[:seats]
        assert {name: begun[name].tolist() for name in names} == {
            name: final[name].tolist() for name in names
        }


def built(tmp_path: Path, levers: list[str]) -> Findings:
    """`modules` goes with winning more than `start` does."""
    rng, stories = np.random.default_rng(1), []
    for _ in range(600):
        won, start = int(rng.integers(2)), rng.integers(2, size=2)
        seat = won if rng.random() < 0.8 else 1 - won
        start[won] = rng.random() < 0.65
        log = {"start": tuple(map(int, start)), "modules": (int(seat == 0), int(seat == 1))}
        stories.append(Story([(3, 1)], (1 - won, won), log=log))
    run = made_stories(tmp_path, stories)
    return Findings(with_words(run, levers=levers))


def test_the_section_shows_levers_apart_from_signs(tmp_path: Path) -> None:
    findings = built(tmp_path, ["start"])
    section = components(findings)
    (listed,), (picture,) = section.tables, section.figures
    assert section.heading == listed.caption == LEVERS_HEADING
    assert [row[0] for row in listed.rows] == ["start"] * 2
    seats = findings.run.seats().filter(seat=0).group_by("start").agg(pl.col("share").mean())
    without, with_ = seats.sort("start").collect()["share"].to_list()
    first = listed.records()[0]
    assert (first["with_share"], first["without_share"]) == pytest.approx((with_, without))
    assert picture.drawing.table["label"].to_list() == ["start\nsome against none"]


def test_without_levers_the_section_speaks_of_signs(tmp_path: Path) -> None:
    section = components(built(tmp_path, []))
    assert section.heading == SIGNS_HEADING
    assert [row[0] for row in section.tables[0].rows][:1] == ["modules"]
