"""O7-3 Turns and O7-4 Salvage: the docstring of each test begins with its clause."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from simkit.games.outpost_seven.facts import Decision

from .engine import Play, reached, rules_of
from .positions import given, given_deal
from .test_clauses_2_setup import RED, YELLOW

NOTHING = dict(offer=[], deck=[])
NO_NEUTRAL = dict(allow_neutral_play=False)


def test_first_player_takes_the_first_turn() -> None:
    """O7-3.1 the first player takes the first turn, players alternate, salvage or repair."""
    position = (
        given_deal(RED, YELLOW)
        .when("red keeps 12 13")
        .when("yellow keeps 48 49 39")
        .then(on_turn="red", turn=0)
    )
    position.when("red repairs module 12 with scrap 13 at (0,0)").then(on_turn="yellow", turn=1)
    position.when(f"yellow salvages {position.s.offer[0]}").then(on_turn="red", turn=2)
    position.when(f"red salvages {position.s.offer[0]}").then(on_turn="yellow", turn=3)


def test_salvage_or_repair() -> None:
    """O7-3.2 on his turn a player salvages or repairs, free choice; one of them ends the turn."""
    start = given(red=[3, 7], offer=[12, 13, 14, 15, 16])
    start.then(salvages=[1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 16, 17, 18, 20, 24], pairs=[(3, 7)])
    start.copy_position().when("red salvages 12 13").then(on_turn="yellow", red=[3, 7, 12, 13])
    start.copy_position().when("red repairs module 3 with scrap 7 at (4,4)").then(
        on_turn="yellow", red=[], offer=[12, 13, 14, 15, 16]
    )


def test_no_passing() -> None:
    """O7-3.3 who can do something must: there is no id for passing, in no state of any random game."""
    for deal in range(6):
        play = Play.begin({}, seed=3, deal=deal)
        for before, action in play.steps(np.random.default_rng(deal)):
            assert before[0].decision != Decision.main or action != 0
    given(red=[3], offer=[12]).then(legal=[1])


@pytest.mark.parametrize(
    ("title", "red", "offer", "options", "can"),
    [
        ("room and an offer", [0], [12], {}, True),
        ("no card and an offer", [], [12], {}, True),
        ("a full hand and an offer", [0, 1, 2, 3, 4, 5, 6], [12], {}, True),
        ("a full hand of one pair", [0, 12], [13], dict(hand_limit=2), True),
        ("no offer, two cards", [0, 3], [], {}, True),
        ("no offer, one card", [0], [], {}, False),
        ("no offer, no card", [], [], {}, False),
        ("no offer, a pair that pays nothing", [4, 21], [], NO_NEUTRAL, False),
        ("no offer, a pair of one colour", [3, 4], [], NO_NEUTRAL, True),
        ("no offer, overpaid by another colour", [0, 21], [], NO_NEUTRAL, True),
        ("a full hand that pays nothing", [4, 21], [12], NO_NEUTRAL | dict(hand_limit=2), False),
        ("colours do not pay, one colour", [3, 4], [], NO_NEUTRAL | dict(cubes_same_colour=0), False),
        ("every repair pays", [4, 21], [], NO_NEUTRAL | dict(cubes_per_play=1), True),
    ],
)
def test_can_play(
    title: str, red: list[int], offer: list[int], options: dict[str, object], can: bool
) -> None:
    """O7-3.4 a player can play who has a legal non-empty salvage or a legal repair."""
    position = given(red=red, yellow=[36, 42], offer=offer, deck=[], on_turn="yellow", options=options)
    position.when("yellow repairs module 36 with scrap 42 at (1,1)")
    assert (position.fact("on_turn") == "red") == can, title
    assert ("red" in position.fact("stopped")) == (not can), title


def test_cannot_play_on_a_full_grid() -> None:
    """O7-3.4 without a free cell there is no repair, with any number of cards."""
    grid = {(r, c): f"{9 * r + 3 * c + 1} N" for r in range(3) for c in range(3)}
    del grid[2, 2]
    position = given(
        grid=grid, red=[0, 2], yellow=[3, 5, 6], options=dict(rows=3, cols=3), **NOTHING, on_turn="yellow"
    )
    position.when("yellow repairs module 3 with scrap 5 at (2,2)").then(
        decision="none", stopped=["red", "yellow"], log=dict(hand_cards_left=3)
    )


def test_stopping_is_final() -> None:
    """O7-3.5 whose turn comes and who cannot play stops for good; the other takes all further turns."""
    position = given(red=[0], yellow=[18, 19, 20, 21, 22, 23], on_turn="yellow", turn=4, **NOTHING)
    for turn, (module, scrap, cell) in enumerate([(18, 19, "(2,2)"), (20, 21, "(2,3)"), (22, 23, "(3,3)")]):
        position.when(f"yellow repairs module {module} with scrap {scrap} at {cell}")
        position.then(
            red_log=dict(stop_turn=5),
            log=dict(solo_turns=turn),
            stopped=["red"] if turn < 2 else ["red", "yellow"],
        )
    position.then(decision="none", yellow_log=dict(stop_turn=7))


def test_a_stopped_player_keeps_everything() -> None:
    """O7-3.5 the offer never grows while a player is out, and his hand does not change."""
    seen = 0
    for deal in range(60):
        play = Play.begin(
            dict(allow_neutral_play=False, hand_limit=3, initial_discards=30), seed=5, deal=deal
        )
        for before, _ in play.steps(np.random.default_rng(deal)):
            for seat in range(2):
                if before[0].stopped[seat]:
                    seen += 1
                    assert play.s.stopped[seat] and play.s.offer_n <= before[0].offer_n
                    assert (play.s.hand[seat] == before[0].hand[seat]).all()
    assert seen > 20


def test_game_ends_when_both_have_stopped() -> None:
    """O7-3.6 the game ends when both have stopped; the opponent is tried first, then the player who moved."""
    position = given(red=[0, 3], yellow=[18], **NOTHING).when("red repairs module 0 with scrap 3 at (1,1)")
    position.then(
        decision="none",
        on_turn="nobody",
        end_reason="both_stopped",
        red_log=dict(stop_turn=11),
        yellow_log=dict(stop_turn=11),
    )
    position = given(red=[0, 1, 3, 4], yellow=[18], **NOTHING).when(
        "red repairs module 0 with scrap 3 at (1,1)"
    )
    position.then(on_turn="red", stopped=["yellow"], decision="main")


def test_end_at_the_first_stop() -> None:
    """O7-3.6 play_on_after_stop = false: the game ends as soon as one player stops, though the other could
    play.
    """
    position = given(red=[0, 1, 3, 4], yellow=[18], options=dict(play_on_after_stop=False), **NOTHING)
    position.when("red repairs module 0 with scrap 3 at (1,1)").then(
        decision="none", end_reason="one_stopped", stopped=["yellow"]
    )


def test_before_the_first_turn() -> None:
    """O7-3.6 before the first turn the first player is tried, then the second; who is tried and cannot play
    has stopped.
    """
    tight = dict(
        allow_neutral_play=False,
        cubes_per_overpay=0,
        cubes_same_colour=0,
        hand_limit=2,
        start_rule="deal_count",
    )
    ended = reached(tight | dict(start_count_first=2, start_count_second=2), 5)
    assert all(
        s.decision == 8 and s.turn == 0 and s.stopped.tolist() == [1, 1] and s.log.game.end_reason == 1
        for s in ended
    )
    passed_over = reached(tight | dict(start_count_first=2, start_count_second=1), 5, decision=5)
    assert all(
        s.seat == 1 and s.stopped.tolist() == [1, 0] and s.log.seat[0].stop_turn == 0 for s in passed_over
    )
    at_once = reached(tight | dict(start_count_first=2, start_count_second=1, play_on_after_stop=False), 5)
    assert all(
        s.decision == 8 and s.turn == 0 and s.stopped.tolist() == [1, 0] and s.log.game.end_reason == 2
        for s in at_once
    )
    not_tried = reached(
        tight | dict(start_count_first=1, start_count_second=2, play_on_after_stop=False), 5, decision=5
    )
    assert all(s.seat == 0 and s.stopped.tolist() == [0, 0] for s in not_tried)


@pytest.mark.parametrize("passing", [False, True])
def test_termination_bound(passing: bool) -> None:
    """O7-3.7 turns <= S + floor((S + H) / 2), with empty salvages at most twice that plus 2; at default 49,
    repairs <= 19.
    """
    for options in ({}, dict(faceup=1, salvage_limit=6), dict(initial_discards=0, hand_limit=10)):
        options = options | dict(allow_empty_salvage=passing)
        rules = rules_of(options)[0]
        supply = 54 - 2 * rules.deal_size - rules.initial_discards
        states = reached(options, 2000)
        log, turns = states["log"]["game"], states["turn"]
        total = states["log"]["seat"]["kept_cards"].sum(axis=1)
        bound = supply + (supply + total) // 2
        assert (log["turns"] == turns).all() and (turns <= (2 * bound + 2 if passing else bound)).all()
        assert (log["salvages"] <= supply).all() and (log["repairs"] <= (supply + total) // 2).all()
        assert set(log["end_reason"]) <= ({1, 3} if passing else {1})
    assert reached(dict(faceup=1), 2000)["turn"].max() > 38


def test_salvage_limit() -> None:
    """O7-4.1 any combination of offer cards up to salvage_limit in total value, 12 included, 13 not."""
    offer = [12, 13, 0, 3, 7]
    for limit in (6, 9, 12, 13, 30):
        values = [6, 6, 3, 4, 5]
        masks = sorted(
            sum(1 << i for i in c)
            for k in range(1, 6)
            for c in combinations(range(5), k)
            if sum(values[i] for i in c) <= limit
        )
        given(red=[], offer=offer, options=dict(salvage_limit=limit)).then(salvages=masks)


def test_salvage_goes_into_the_hand() -> None:
    """O7-4.1 the cards taken go into the hand, behind those already there."""
    position = given(red=[36, 37], offer=[12, 0, 3, 7, 8]).when("red salvages 0 7")
    position.then(
        red=[36, 37, 0, 7],
        log=dict(salvages=1, salvaged_cards=2, salvaged_value=8),
        red_log=dict(salvages=1, salvaged_cards=2, salvaged_value=8, turns=1),
    )


def test_hand_limit() -> None:
    """O7-4.2 the hand may not exceed the limit afterwards; with a full hand no salvage is possible."""
    offer = [0, 18, 36, 1, 19]
    for cards, room in ((4, 3), (5, 2), (6, 1), (7, 0)):
        position = given(red=[12, 13, 14, 15, 16, 17, 30][:cards], offer=offer)
        assert {int(m).bit_count() for m in position.fact("salvages")} == set(range(1, room + 1))
    given(red=[12, 13], offer=offer, options=dict(hand_limit=2)).then(salvages=[])
    assert (
        max(
            int(m).bit_count()
            for m in given(red=[], offer=offer, options=dict(hand_limit=10)).fact("salvages")
        )
        == 4
    )


def test_at_least_one_card() -> None:
    """O7-4.3 at least one card must be taken; with allow_empty_salvage taking nothing is a legal turn."""
    given(red=[36, 37], offer=[12]).then(salvages=[1])
    position = given(red=[36, 37], offer=[12], deck=[], options=dict(allow_empty_salvage=True)).then(
        salvages=[0, 1]
    )
    position.when("red salvages nothing").then(on_turn="yellow", offer=[12], red=[36, 37], turn=11, passes=1,
                                               log=dict(turns=11, salvages=0, empty_salvages=1), red_log=dict(turns=1, salvages=0))  # fmt: skip
    full = [12, 13, 14, 15, 16, 17, 30]
    given(red=full, options=dict(allow_empty_salvage=True)).then(salvages=[0])


def test_two_empty_salvages_in_succession_end_the_game() -> None:
    """O7-4.3 the game ends when all players still in it take nothing in direct succession."""
    start = given(
        red=[36, 37], yellow=[39, 40, 41], offer=[12, 13], deck=[], options=dict(allow_empty_salvage=True)
    )
    start.when("red salvages nothing")
    start.copy_position().when("yellow salvages nothing").then(
        decision="none", end_reason="empty_salvages", turn=12, stopped=[], yellow_log=dict(turns=1)
    )
    for deed in ("yellow salvages 12", "yellow repairs module 39 with scrap 40 at (2,2)"):
        start.copy_position().when(deed).then(passes=0).when("red salvages nothing").then(
            on_turn="yellow", passes=1, decision="main"
        )


def test_one_empty_salvage_ends_the_game_after_a_stop() -> None:
    """O7-4.3 one empty salvage is enough if the other player has already stopped, with the stop flags of that
    moment.
    """
    options = dict(allow_empty_salvage=True)
    position = given(red=[36, 37, 38], yellow=[39], stopped=("yellow",), options=options, **NOTHING)
    position.when("red salvages nothing").then(
        decision="none", end_reason="empty_salvages", log=dict(solo_turns=1)
    )
    position = given(red=[36, 37, 38], yellow=[39], options=options, **NOTHING)
    position.when("red salvages nothing").then(decision="main", on_turn="red", stopped=["yellow"])
    position.when("red salvages nothing").then(decision="none", end_reason="empty_salvages")


def test_nobody_passes_who_cannot_play() -> None:
    """O7-4.3 taking nothing is only for a player who can play: who cannot has stopped."""
    position = given(red=[36, 37], yellow=[39], options=dict(allow_empty_salvage=True), **NOTHING)
    position.when("red repairs module 36 with scrap 37 at (2,2)").then(
        decision="none", end_reason="both_stopped"
    )


def test_refill() -> None:
    """O7-4.4 the offer is refilled at once from the top of the deck up to faceup cards, by a salvage and
    never by a repair.
    """
    start = given(red=[36, 37], offer=[12, 0, 3, 7, 8], deck=[50, 51, 52, 53, 35, 34], yellow=[18, 19])
    start.copy_position().when("red salvages 0 3 8").then(offer=[12, 7, 50, 51, 52], deck=[53, 35, 34])
    short = given(red=[36, 37], offer=[12, 0], deck=[], yellow=[18, 19])
    short.when("red repairs module 36 with scrap 37 at (1,1)").then(offer=[12, 0])
    start.when("red repairs module 36 with scrap 37 at (1,1)").then(
        offer=[12, 0, 3, 7, 8], deck=[50, 51, 52, 53, 35, 34]
    )


def test_empty_deck() -> None:
    """O7-4.5 with an empty deck the offer is not refilled and play goes on; the discard pile is never
    reshuffled.
    """
    position = given(red=[36, 37], offer=[12, 0, 3, 7, 8], deck=[50], yellow=[18, 19]).when(
        "red salvages 0 3"
    )
    position.then(offer=[12, 7, 8, 50], deck=[], log=dict(deck_empty_turn=11))
    pile = position.fact("discard")
    position.when("yellow salvages 12").then(offer=[7, 8, 50], discard=pile).when("red salvages 7").then(
        offer=[8, 50]
    )
    position.when("yellow salvages 8").when("red salvages 50").then(
        offer=[], discard=pile, on_turn="yellow", decision="main"
    )


def test_salvaged_cards_are_public() -> None:
    """O7-4.6 the opponent sees what was salvaged, also much later, but not what was kept."""
    position = given(red=[36, 37], offer=[12, 0, 3, 7, 8], yellow=[18, 19]).when("red salvages 0 3")
    assert position.view(1)[0].hand[0, :4].tolist() == [-1, -1, 0, 3]
    position.when("yellow repairs module 18 with scrap 19 at (2,2)").when(
        "red repairs module 36 with scrap 3 at (2,3)"
    )
    assert position.view(1)[0].hand[0, :2].tolist() == [-1, 0] and position.view(0)[0].hand[
        0, :2
    ].tolist() == [37, 0]


def test_new_offer_cards_go_behind() -> None:
    """O7-4.6 the remaining offer cards keep their order, new ones go behind them."""
    given(red=[36, 37], offer=[12, 0, 3, 7, 8], deck=[50, 51, 52]).when("red salvages 12").then(
        offer=[0, 3, 7, 8, 50]
    )


def test_first_turn_salvage_limit() -> None:
    """O7-4.7 first_turn_salvage_limit replaces the limit on the very first turn of the game only."""

    def totals(position: object) -> int:
        values = [6, 6, 3, 4, 5]
        return max(sum(v for i, v in enumerate(values) if m >> i & 1) for m in position.fact("salvages"))  # type: ignore[attr-defined]

    for limit, greatest in ((0, 12), (6, 6), (7, 7), (18, 18)):
        position = given(
            red=[],
            yellow=[],
            offer=[12, 13, 0, 3, 7],
            deck=[14, 15, 16],
            turn=0,
            options=dict(first_turn_salvage_limit=limit),
        )
        assert totals(position) == greatest
        position = given(
            red=[],
            yellow=[],
            offer=[12, 13, 0, 3, 7],
            deck=[14, 15, 16],
            turn=1,
            options=dict(first_turn_salvage_limit=limit),
        )
        assert totals(position) == 12


def test_first_turn_is_the_first_one_taken() -> None:
    """O7-4.7 if the first player cannot play, the limit holds for the second player's first turn."""
    tight = dict(
        allow_neutral_play=False,
        cubes_per_overpay=0,
        cubes_same_colour=0,
        hand_limit=2,
        start_rule="deal_count",
    )
    options = tight | dict(start_count_first=2, start_count_second=0, first_turn_salvage_limit=6)
    for limit, greatest in ((6, 6), (0, 12)):
        states = reached(options | dict(first_turn_salvage_limit=limit), 40, decision=Decision.main)
        assert all(s.seat == 1 and s.turn == 0 for s in states)
        plays = [
            Play(np.array([s]), rules_of(options | dict(first_turn_salvage_limit=limit))) for s in states
        ]
        totals = [
            sum(int(p.rules.value[p.s.offer[i]]) for i in range(5) if mask >> i & 1)
            for p in plays
            for mask in p.legal()
        ]
        assert max(totals) == greatest
