"""RO-3 rounds, phases, order of turns: the docstring of each test begins with its clause."""

from __future__ import annotations

from functools import cache

import pytest

from .positions import LOCATIONS, ORDINARY, PHASES, WORKERS, Position, Walk, given, moves

OTHERS = [name for name in WORKERS if name != "miner"]
EVERYBODY = " ".join(WORKERS)
ALL = " ".join(ORDINARY)
T13 = dict(
    zip(WORKERS, ["pasture", "farm", "lake", "mine", "beer_house", "administration"], strict=True)
)  # at default tokens


@cache
def turns_of(seats, **options):
    """Seats of the turns of a random game by round and phase, as digits."""
    walk, result = Walk(options, seats), {}
    for kind, seat, _, _ in walk.steps():
        if kind == "move":
            key = int(walk.s.round_no) + 1, PHASES[int(walk.s.phase)]
            result[key] = result.get(key, "") + str(seat)
    return result, walk


ORDER = {
    (2, 1): "01 101010 01 101010 01",
    (2, 2): "10 010101 10 010101 10",
    (3, 1): "012 120120 201 012012 120",
    (3, 2): "201 012012 120 201201 012",
    (4, 1): "0123 123012 2301 301230 0123",
    (4, 2): "1230 230123 3012 012301 1230",
}


@pytest.mark.parametrize("rounds", [1, 3])
def test_rounds(rounds):
    """RO-3.1 so many rounds of Morning, Day 1, Lunch, Day 2, Evening."""
    result, walk = turns_of(2, rounds=rounds)
    assert list(result) == [(r, phase) for r in range(1, rounds + 1) for phase in PHASES]
    assert walk.game_log()["turns"] == 18 * rounds


def test_turns_of_the_phases():
    """RO-3.2 E4, T3: one turn each, six in a Day; with four players each has 12 turns in the game."""
    for seats, turns in ((2, 36), (3, 42), (4, 48)):
        result, walk = turns_of(seats)
        assert {phase: len(result[1, phase]) for phase in PHASES} == {
            phase: 6 if "day" in phase else seats for phase in PHASES
        }
        assert walk.game_log()["turns"] == turns
        assert [walk.seat_log(seat)["turns"] for seat in range(seats)] == [turns // seats] * seats
    assert [turns_of(4)[0][1, "day1"].count(digit) for digit in "0123"] == [1, 2, 2, 1]


def test_equal_days():
    """RO-3.2 day_turns = equal: four turns with four players; the other workers are not moved."""
    result, walk = turns_of(4, day_turns="equal")
    assert (result[1, "day1"], result[1, "day2"]) == ("1230", "3012")
    assert walk.game_log()["turns"] == 2 * (3 * 4 + 2 * 4) and walk.problems() == []
    for seats in (2, 3):
        assert turns_of(seats, day_turns="equal")[0] == turns_of(seats)[0]


@pytest.mark.parametrize(
    ("seats", "token", "day"), [(3, 1, "120021"), (2, 0, "011001"), (4, 0, "012332"), (2, 1, "100110")]
)
def test_snake(seats, token, day):
    """RO-3.2 T21: every second lap of a Day goes back; short phases do not."""
    position = given(phase="day1", seat=token, seats=seats, options={"day_order": "snake"})
    result = ""
    while position.facts()["phase"] == "day1":
        result += str(int(position.s.seat))
        position.finish("turn")
    assert result == day
    text = turns_of(seats, day_order="snake")[0]
    assert {key: text[key] for key in text if "day" not in key[1]} == {
        key: order for key, order in turns_of(seats)[0].items() if "day" not in key[1]
    }


def test_snake_of_equal_days():
    """RO-3.2 with four turns of four players there is no second lap."""
    result, _ = turns_of(4, day_order="snake", day_turns="equal")
    assert result == turns_of(4, day_turns="equal")[0]


@pytest.mark.parametrize(("seats", "round"), ORDER)
def test_token_passes(seats, round):
    """RO-3.3 after every phase, also the Evening: the table of the specification."""
    result, _ = turns_of(seats)
    assert " ".join(result[round, phase] for phase in PHASES) == ORDER[seats, round]


def test_token_passes_after_a_round():
    """RO-3.3 first_player_pass = round: only after the Evening."""
    result, _ = turns_of(3, first_player_pass="round")
    assert {order[0] for (r, _), order in result.items() if r == 1} == {"0"}
    assert {order[0] for (r, _), order in result.items() if r == 2} == {"1"}


def test_token_stays():
    """RO-3.3 first_player_pass = never: stays with seat 0."""
    result, _ = turns_of(3, first_player_pass="never")
    assert {order[0] for order in result.values()} == {"0"}


def test_morning():
    """RO-3.4 E1: ordinary locations without a token; neither Barracks nor Field Kitchen; 42 ids."""
    free = [name for name in ORDINARY if name not in ("spaceship", "palace", "beer_house")]
    assert Position().legal() == moves(EVERYBODY, " ".join(free)) and len(Position().legal()) == 42
    position = given(phase="morning", blocked=("mine lake farm", ""))
    assert len(position.legal()) == 42
    position.when(0, "bureaucrat beer_house", "beer nothing").then(
        seat=1, flat="bureaucrat", at={"bureaucrat": "beer_house"}, moods={"bureaucrat": 2}, reserve=[8, 9],
        disks={0: {"bureaucrat": 1}, 1: {}}, crystals=[1, 1],
    )  # fmt: skip


def test_second_turn_of_the_morning():
    """RO-3.4 E2: five workers, six locations."""
    position = given(phase="morning", blocked=("mine lake farm", "")).when(0, "miner beer_house")
    position.when(0, "beer nothing")
    assert len(position.legal()) == 30
    assert position.legal() == moves(
        "shepherd farmer fisherman commissar bureaucrat",
        "pasture palace storehouse administration spaceship labor_camp",
    )


@pytest.mark.parametrize("phase", ["day1", "day2"])
def test_days(phase):
    """RO-3.5 all ordinary locations; tokens have no effect."""
    assert given(phase=phase, turn=1).legal() == moves(EVERYBODY, ALL)


def test_lunch():
    """RO-3.6 T13: only the Field Kitchen: 6 ids; any number may be there."""
    position = given(T13, phase="lunch", seats=4).then(legal=moves(EVERYBODY, "field_kitchen"))
    for seat, worker in enumerate(WORKERS[:4]):
        position.when(seat, f"{worker} field_kitchen")
    position.then(phase="day2", at=dict.fromkeys(WORKERS[:4], "field_kitchen"), flat="")


def test_evening():
    """RO-3.7 T13: Barracks and ordinary locations without a token: 30 ids."""
    position = given(T13, phase="evening")
    assert position.legal() == moves(EVERYBODY, "palace storehouse spaceship labor_camp barracks")
    assert len(position.legal()) == 30


def test_end_of_a_phase():
    """RO-3.8 E4: sleepers gain mood, all stand up where they are, the token passes."""
    position = Position().when(0, "miner mine").when(1, "shepherd pasture")
    position.then(
        phase="day1", turn=0, token=1, seat=1, flat="", at={"miner": "mine", "shepherd": "pasture"},
        moods=dict(zip(WORKERS, [0, 1, 1, 0, 1, 1], strict=True)),
    )  # fmt: skip


def test_evening_ends_with_the_round():
    """RO-3.8 the token passes, then the round is scored."""
    position = given(phase="evening", turn=1, seat=1, disks={0: {"miner": 1}}, moods={"miner": 3})
    position.when(1, "farmer palace", "palace nothing").then(
        round=1, phase="morning", token=1, seat=1, vp=[8, 6], flat="", reserve=[9, 9]
    )


@pytest.mark.parametrize("bonus", [0, 1, 2])
def test_sleepers(bonus):
    """RO-3.9 each worker in the Barracks gains barracks_bonus at the end of the Morning, and only then."""
    at = {"farmer": "barracks", "miner": "lake"} | dict.fromkeys(
        ("shepherd", "commissar", "bureaucrat"), "barracks"
    )
    position = given(
        at, moods={"farmer": 5}, phase="morning", turn=1, seat=1, options={"barracks_bonus": bonus}
    )
    position.when(1, "fisherman storehouse", "store nothing").then(
        moods={"farmer": 5, "shepherd": bonus, "commissar": bonus, "miner": 0, "fisherman": 0},
        log={"slept_in": 4, "mood_up": 3 * bonus, "mood_clamped": bonus},
    )
    given(turn=5, seat=1).when(1, "miner mine").then(moods={"farmer": 0}, log={"slept_in": 0})


def test_workers_asleep_after_the_morning():
    """RO-3.9 six less one for each player."""
    for seats in (2, 3, 4):
        position = Position(seats=seats).finish("phase")
        assert position.facts()["phase"] == "day1"
        assert sum(int(place) == LOCATIONS.index("barracks") for place in position.s.wloc) == 6 - seats


TIGHT = {
    "blocking": "random_each_round", "blocking_tokens": 5, "special_location_cards": 3,
    "special_worker_cards": 3, "rounds": 2,
}  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"day_turns": "equal", "day_order": "snake"}], ids=str)
def test_nobody_is_without_a_move(options):
    """RO-3.10 no turn is forfeited, whatever the options."""
    for seats in (2, 4):
        walk = Walk(TIGHT | options, seats, seats)
        for kind, _, ids, _ in walk.steps():
            assert kind != "move" or ids
        assert walk.game_log()["no_legal_move"] == 0 and walk.problems() == []


def test_two_laid_down_leave_four():
    """RO-3.10 T19: after card 9 has laid down two workers, everybody of four has a move."""
    position = given(T13, phase="day1", seats=4, cards={2: [9]}, turn=5, flat=" ".join(OTHERS), seat=0)
    position.when(0, "miner storehouse", "store nothing").then(decision="lunch_down", seat=2)
    position.when(2, "down miner", "down farmer").then(flat="farmer miner", phase="lunch")
    assert len(position.legal()) == 4
    for _ in range(4):
        position.apply(position.legal()[0])
    position.then(phase="day2", log={"card_9_uses": 2, "no_legal_move": 0})


def test_a_forfeited_turn_is_not_counted():
    """RO-3.10 without a legal move a turn is skipped without disk, and counted as forfeited."""
    position = given(phase="lunch", at=dict.fromkeys(WORKERS, "farm"), flat=" ".join(WORKERS[1:]), turn=0)
    position.when(0, "shepherd field_kitchen")
    assert position.facts()["phase"] == "day2" and position.facts()["turn"] == 0
    assert position.logged()["no_legal_move"] == 1 and position.logged()["turns"] == 1
    assert position.facts()["reserve"] == [8, 9]
