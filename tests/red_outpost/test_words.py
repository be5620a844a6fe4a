"""What is told of a game: every action in words, every position as a table, a row of the trace."""

from __future__ import annotations

import numpy as np

from simkit.engine.components import reconstructed_tables
from simkit.games.red_outpost import game

from .positions import copied, given


def test_outcome_is_told():
    """What is produced, exported and won."""
    position = given(store={"coal": 2}, wheel=[3])
    before = copied(position.states)
    position.when(0, "miner mine")
    message = game.describe(before[0], position.rules, 12 * 3 + 7, position.s)
    assert "Miner to the Mine" in message and "2 coal" in message and "3 VP" in message and "10 VP" in message


def test_table_of_a_position():
    """Workers with mood and place, tokens of the phase, disks, crystals at the Palace, cards."""
    position = given(
        {"miner": "mine"}, moods={"miner": -2}, flat="miner", phase="evening", palace=[0, 2], seat=1,
        cards={1: [4]}, disks={0: {"miner": 2}}, portraits={0: {"miner": 1}}, vp=[-3, 12],
    )  # fmt: skip
    shown = game.show(position.s, position.rules)
    for part in (
        "Evening, turn 2", "blocked: Pasture, Farm, Lake", "Miner -2 Mine (flat)", "seat 0: -3 VP",
        "Miner 3", "2 at the Palace", "card 4 (beer house)",
    ):  # fmt: skip
        assert part in shown, part


def test_row_of_the_trace():
    """Worker, location, crystals and disks; points if round and game ended now."""
    position = given(
        disks={0: {"miner": 1}, 1: {"miner": 1, "farmer": 1}}, moods={"miner": 3, "farmer": -4},
        crystals=[3, 5], palace=[2, 0],
    ).when(0, "bureaucrat administration")  # fmt: skip
    rows = np.zeros(1, game.turn_dtype)
    results = []
    for seat in (0, 1):
        game.log.note(position.s, position.rules, seat, rows[0])
        results.append(
            {name: int(rows[0][name]) for name in ("worker", "location", "crystals", "disks", "projected")}
        )
    # seat 0: 5 + Palace 4 + four crystals 2 + Miner 3 + Bureaucrat 0; seat 1: 5 + 0 + 2 + 3 - 4
    assert results[0] == {"worker": 5, "location": 5, "crystals": 4, "disks": 2, "projected": 14}
    assert results[1] == {"worker": 5, "location": 5, "crystals": 5, "disks": 2, "projected": 6}


def test_provenance_says_what_is_reconstructed():
    """RO-18: tracks, deck splits and cubes are told as reconstructed."""
    options = {option.name: option.value(option.default) for option in game.options}
    text = game.words.provenance(options, [])
    assert reconstructed_tables(text) == [
        "cubes of each type",
        "mood tracks",
        "export tracks",
        "lake cards",
        "spaceship cards",
    ]
    own = game.words.provenance(options, ["mood_track"])
    assert reconstructed_tables(own) == [
        "cubes of each type",
        "export tracks",
        "lake cards",
        "spaceship cards",
    ]
