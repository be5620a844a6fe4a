"""Families of players: what they are read from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simkit.engine import registry
from simkit.engine.families import family_of
from simkit.engine.lineups import parse_strategy
from simkit.engine.table import Player


def player(text: str) -> Player:
    return registry.player(registry.game("pig"), parse_strategy(text)[0], 2)


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("random", ""),
        ("random(blunder=0.5)", ""),
        ("hold_at", "scripted"),
        ("hold_at(threshold=25, blunder=0.1)", "scripted"),
        ("search(budget=4)", "search"),
        ("search(policy=hold_at)", "search"),
        ("tree", "search"),
    ],
)
def test_the_family_of_a_player_follows_from_how_it_decides(text: str, family: str) -> None:
    assert family_of(player(text)) == family


def test_a_player_that_decides_by_trained_values_is_learned_even_as_a_part_of_a_search() -> None:
    net = np.zeros(1, np.int16)
    search = player("search")
    assert search.search
    by_value = replace(search, search=search.search._replace(net=net))
    assert {family_of(each) for each in (replace(search, net=net), by_value)} == {"learned"}
    assert family_of(replace(player("hold_at"), net=net)) == "learned"
