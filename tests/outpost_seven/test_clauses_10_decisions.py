"""O7-10 Decisions: the docstring of each test begins with its clause."""

from __future__ import annotations

import numpy as np

from simkit.engine import rng
from simkit.engine.strategy import random
from simkit.engine.table import GameTable
from simkit.games.outpost_seven import game

from .engine import DRIVE, Play, luck, rules_of
from .positions import given, given_deal
from .test_clauses_2_setup import RED, YELLOW


def test_forced_decisions_are_not_counted() -> None:
    """O7-10.1 a decision with one legal id is taken without asking: not counted, and no random number is
    drawn.
    """
    player = random.player(game)
    options = dict(start_rule="deal_count", faceup=1, hand_limit=2)
    table = GameTable(game, rules_of(options))
    for deal in range(5):
        trail = np.full(game.max_steps, -1, np.int64)
        final = table.play([player, player], 4, np.array([deal]), np.array([0]), trail)[0]
        play = Play(np.zeros(1, game.state_dtype), rules_of(options), luck(4, deal))
        DRIVE.start(play.states, play.rules_array, play.rng, 2)
        decided = forced = 0
        for action in trail[trail >= 0]:
            ids = play.legal()
            assert action in ids
            decided += len(ids) > 1
            forced += len(ids) == 1
            play.apply(int(action))
        assert final.log.game.decisions == decided and forced > 0
        play.s.log.game.decisions = decided
        assert play.states[0].tobytes() == final.tobytes()


def test_forced_decisions_draw_no_luck() -> None:
    """O7-10.1 the strategy's stream moves on once per decision, and not for forced ones."""
    options = dict(start_rule="deal_count", faceup=1, hand_limit=2)
    table, player = GameTable(game, rules_of(options)), random.player(game)
    final = table.play([player, player], 4, np.array([1]), np.array([0]))[0]
    starts = np.zeros(2, np.uint64)
    rng.open_streams(starts, 4, 1, rng.purposes(["choice/0", "choice/1"]))
    gamma = 0x9E3779B97F4A7C15
    draws = [
        ((int(now) - int(then)) * pow(gamma, -1, 2**64)) % 2**64
        for now, then in zip(table.choices[:2], starts, strict=True)
    ]
    assert (
        sum(draws) == final.log.game.decisions
    )  # one draw per decision: `below` needs no second one on small numbers but rarely


def test_hand_closes_up() -> None:
    """O7-10.2 after a repair the hand closes up in order; new cards are appended."""
    start = given(red=[0, 36, 3, 37, 7], offer=[12, 13])
    start.copy_position().when("red repairs module 36 with scrap 37 at (2,2)").then(red=[0, 3, 7])
    start.copy_position().when("red repairs module 3 with scrap 7 at (2,2)").then(red=[0, 36, 37])
    start.copy_position().when("red repairs module 37 with scrap 0 at (2,2)").then(red=[36, 3, 7])
    start.copy_position().when("red salvages 12 13").then(red=[0, 36, 3, 37, 7, 12, 13])
    for name in ("0 36", "36 0"):
        module, scrap = name.split()
        position = (
            start.copy_position()
            .when(f"red repairs module {module} with scrap {scrap} at (2,2)")
            .then(red=[3, 37, 7])
        )
        assert position.s.hand[0].tolist() == [3, 37, 7] + [-1] * 7


def test_slots_of_the_hand() -> None:
    """O7-10.2 a pair is 256 + 10 * module slot + scrap slot, of the current hand."""
    given(red=[3, 21], offer=[], deck=[]).then(legal=[256 + 0 * 10 + 1, 256 + 1 * 10 + 0])
    given(red=[0, 12, 7], offer=[], deck=[]).then(legal=[257, 258, 256 + 21])


def test_slots_of_the_offer() -> None:
    """O7-10.2 bit i of a salvage mask is slot i of the current offer."""
    start = given(red=[], offer=[12, 13, 0, 3, 7], deck=[50])
    start.apply(0b10100)
    start.then(red=[0, 7], offer=[12, 13, 3, 50])


def test_slots_of_the_dealt_cards() -> None:
    """O7-10.2 bit i of a KEEP mask is slot i of the dealt cards; kept cards stay in order."""
    position = given_deal(RED, YELLOW)
    position.apply(0b0101100)
    position.then(red=[7, 3, 0])


def test_cells_and_lines_are_ids() -> None:
    """O7-10.2 CELL is row * columns + column, DRAFT a pool slot, BONUSPOP a line: ids ascend."""
    position = given(grid={(1, 1): "40 N"}, red=[0, 2], options=dict(rows=3, cols=4)).when(
        "red chooses module 0 and scrap 2"
    )
    position.then(legal=[1, 4, 6, 9])
    assert given_deal(RED, YELLOW, options=dict(start_rule="draft", start_total_second=5)).legal() == [
        2,
        3,
        4,
        5,
        6,
        9,
        10,
        11,
        12,
        13,
    ]


def test_cards_stay_in_the_hand_until_the_cell_is_chosen() -> None:
    """O7-10.2 between MAIN and CELL module and scrap are noted by slot and stay in the hand."""
    position = given(red=[0, 36, 37]).when("red chooses module 36 and scrap 37")
    position.then(red=[0, 36, 37], sel_module=1, sel_scrap=2, sel_cubes=1, decision="cell", turn=10)
    position.apply(12)
    position.then(red=[0], sel_module=-1, sel_scrap=-1, turn=11)
