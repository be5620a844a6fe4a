"""RO-2 setup: the docstring of each test begins with its clause."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import takewhile

import pytest

from simkit.games.red_outpost import game

from .positions import LOCATIONS, ORDINARY, PHASES, WORKERS, Position, Walk, moves


@cache
def starts():
    """The beginnings of 240 full games."""
    return [Position({"ruleset": "full_game"}, deal=deal) for deal in range(240)]


def places(mask):
    """The names in a set of locations."""
    return [name for i, name in enumerate(LOCATIONS) if int(mask) >> i & 1]


def test_first_player():
    """RO-2.1 seat 0 holds the token and moves first."""
    for seats in (2, 3, 4):
        Position(seats=seats).then(token=0, seat=0, decision="move", round=0, phase="morning", turn=0)
        assert int(Position(seats=seats).s.first) == 0


@pytest.mark.parametrize("delta", [-4, 0, 3])
def test_reserve(delta):
    """RO-2.2 9, 7, 6 disks for 2, 3, 4 seats, plus disks_delta."""
    for seats, disks in ((2, 9), (3, 7), (4, 6)):
        Position({"disks_delta": delta}, seats).then(reserve=[disks + delta] * seats)


def test_start():
    """RO-2.3 5 VP, wheel space 0, a crystal from the supply."""
    Position(seats=3).then(vp=[5, 5, 5], wheel=[0, 0, 0], crystals=[1, 1, 1], supply=21)
    Position({"start_vp": 0, "start_crystals": 4}).then(vp=[0, 0], crystals=[4, 4], supply=16)


def test_start_crystals_as_far_as_they_last():
    """RO-2.3 T29: seat by seat from seat 0; what they lack is not counted as lost in play."""
    position = Position({"crystal_supply": 5, "start_crystals": 2}, 4)
    position.then(crystals=[2, 2, 1, 0], supply=0)
    log = position.game_log()
    assert log["crystal_supply_empty"] == log["crystals_gained"] == 0


def test_board():
    """RO-2.4 all workers upright in the Barracks, moods on the start, everything else empty."""
    position = Position(seats=4)
    position.then(
        at=dict.fromkeys(WORKERS, "barracks"), flat="", moods=dict.fromkeys(WORKERS, 0),
        store=dict.fromkeys(("wool", "wheat", "fish", "coal"), 0), palace=[0, 0, 0, 0],
        track=dict.fromkeys(("wool", "wheat", "fish", "coal"), 0),
    )  # fmt: skip
    assert not position.s.infl.any() and not position.s.pcry.any() and not position.s.card_disk.any()


def test_decks_are_shuffled():
    """RO-2.5 every order is as likely; discard piles are empty; the decks are shuffled separately."""
    lake, ship, both = Counter(), Counter(), Counter()
    for s in (position.s for position in starts()):
        assert s.lake_disc.sum() == s.ship_disc.sum() == 0
        top = int(s.lake_deck[s.lake_n - 1]), int(s.ship_deck[s.ship_n - 1])
        lake[top[0]] += 1
        ship[top[1]] += 1
        both[top[0] == 0, top[1] == 0] += 1
    assert all(abs(lake[kind] - 240 * n / 6) < 26 for kind, n in enumerate((3, 2, 1)))
    chi = sum((ship[kind] - 240 * n / 12) ** 2 / (240 * n / 12) for kind, n in enumerate([2] + [1] * 10))
    assert chi < 30  # 10 degrees of freedom: 99.9 % are below
    assert abs(both[True, True] - 240 / 12) < 14


def test_recommended_tokens():
    """RO-2.6 morning: Spaceship, Palace, Beer House; evening: Farm, Pasture, Lake; in both rounds."""
    rounds = layouts({})
    for number in (0, 1):
        morning, evening = rounds[number]
        assert sorted(morning) == ["beer_house", "palace", "spaceship"]
        assert sorted(evening) == ["farm", "lake", "pasture"]


def layouts(options, seats=2, deal=0):
    """Morning and evening tokens in the rounds of a random game."""
    walk, result = Walk(options, seats, deal), {}
    for _ in walk.steps():
        result[int(walk.s.round_no)] = (
            frozenset(places(walk.s.block_morning)),
            frozenset(places(walk.s.block_evening)),
        )
    return result


@pytest.mark.parametrize("tokens", range(6))
def test_random_tokens(tokens):
    """RO-2.7 so many of the ten ordinary locations for the Morning, others for the Evening."""
    s = Position({"blocking": "random", "blocking_tokens": tokens}).s
    morning, evening = set(places(s.block_morning)), set(places(s.block_evening))
    assert len(morning) == len(evening) == tokens and not morning & evening
    assert morning | evening <= set(ORDINARY)


def test_random_tokens_stay():
    """RO-2.7 for the whole game."""
    rounds = layouts({"blocking": "random"})
    assert len(rounds) == 2 and rounds[0] == rounds[1]


def test_random_tokens_are_uniform():
    """RO-2.7 every location is drawn as often as every other."""
    counts = Counter()
    for s in (position.s for position in starts()):
        counts.update((name, "m") for name in places(s.block_morning))
        counts.update((name, "e") for name in places(s.block_evening))
    assert len(counts) == 20 and min(counts.values()) > 48 and max(counts.values()) < 97


def test_random_tokens_of_each_round():
    """RO-2.7 random_each_round: drawn anew; the log tells those of the first round."""
    walk, rounds = Walk({"blocking": "random_each_round", "rounds": 4}), {}
    for _ in walk.steps():
        tokens = places(walk.s.block_morning), places(walk.s.block_evening)
        assert [len(tokens[0]), len(tokens[1])] == [3, 3] and not {*tokens[0]} & {*tokens[1]}
        rounds[int(walk.s.round_no)] = tokens
    assert len({str(tokens) for tokens in rounds.values()}) >= 3
    assert places(walk.s.log.game.tokens_morning) == rounds[0][0]
    assert places(walk.s.log.game.tokens_evening) == rounds[0][1]
    first = Position({"blocking": "random"}).s  # the first draw is the same
    assert (places(first.block_morning), places(first.block_evening)) == rounds[0]


def test_without_tokens():
    """RO-2.7 blocking = none: nothing is blocked."""
    position = Position({"blocking": "none"})
    assert position.legal() == moves(" ".join(WORKERS), " ".join(ORDINARY))


def test_default_layout_ignores_the_number_of_tokens():
    """RO-2.7 blocking_tokens is for random layouts only."""
    assert Position({"blocking_tokens": 1}).legal() == Position().legal()


def test_cards_are_dealt():
    """RO-2.8 off by default; n rounds of dealing, one card to each seat, face up."""
    assert [Position(seats=4).cards(seat) for seat in range(4)] == [[]] * 4
    for seats in (2, 3, 4):
        position = Position({"special_location_cards": 2, "special_worker_cards": 1}, seats)
        for seat in range(seats):
            kinds = [card <= 12 for card in position.cards(seat)]
            assert kinds == [True, True, False]


def test_incomplete_rounds_of_dealing():
    """RO-2.8 T22: three location cards each, one worker card each; nobody gets more than another."""
    position = Position({"special_location_cards": 3, "special_worker_cards": 2}, 4)
    for seat in range(4):
        assert [card <= 12 for card in position.cards(seat)] == [True, True, True, False]
    three = Position({"special_worker_cards": 3}, 3)
    assert [len(three.cards(seat)) for seat in range(3)] == [2, 2, 2]
    bans = {f"card_{n}": "out" for n in range(13, 18)}
    assert Position({"special_worker_cards": 1} | bans, 2).cards(0) == []


def test_tokens_and_deals_are_independent():
    """RO-2.7 the draw of tokens says nothing of the location cards dealt."""
    both = sum(
        bool(position.s.block_morning & 1) and 1 in position.cards(0) + position.cards(1)
        for position in starts()
    )
    assert abs(both - 240 * 3 / 10 * 2 / 12) < 11


def test_deals_are_uniform():
    """RO-2.8 every card comes to every seat as often."""
    counts = Counter()
    for position in starts():
        counts.update((card, seat) for seat in range(2) for card in position.cards(seat))
    assert len(counts) == 36
    assert all((6 if card <= 12 else 20) < n < (36 if card <= 12 else 62) for (card, _), n in counts.items())


def test_choice_of_cards():
    """RO-2.9 T23: two location cards to choose from for each seat, a worker card each without a decision."""
    options = {
        "special_location_choice": 3, "special_worker_choice": 2, "card_1": "out", "card_13": "seat_2",
    }  # fmt: skip
    position = Position(options, 4)
    dealt = [[int(card) for card in row if card] for row in position.s.dealt[:4]]
    assert [len(row) for row in dealt] == [2, 2, 2, 2]
    assert len({card for row in dealt for card in row}) == 8 and all(1 < c <= 12 for r in dealt for c in r)
    for seat in range(4):
        position.then(decision="card_keep", seat=seat, legal=sorted(card - 1 for card in dealt[seat]))
        position.when(seat, f"keep {max(dealt[seat])}")
    position.then(decision="move", seat=0)
    for seat in range(4):
        own = position.cards(seat)
        assert own[0] == max(dealt[seat]) and len(own) == 2 + (seat == 2) and own[-1] > 12
    assert 13 in position.cards(2)


def test_order_of_choice():
    """RO-2.9 last_to_first: K-1..0; location cards are kept before worker cards are dealt."""
    options = {"special_location_choice": 2, "special_worker_choice": 2}
    decided = {}
    for order in ("first_to_last", "last_to_first"):
        walk = Walk(options | {"card_choice_order": order}, 3)
        decided[order] = [
            (seat, ids[0] >= 12, len(ids))
            for kind, seat, ids, _ in takewhile(lambda step: step[0] == "card_keep", walk.steps())
        ]
    forth = [(seat, worker, 2) for worker in (False, True) for seat in range(3)]
    back = [(seat, worker, 2) for worker in (False, True) for seat in (2, 1, 0)]
    assert decided == {"first_to_last": forth, "last_to_first": back}


def test_choice_replaces_the_deal():
    """RO-2.9 special_location_cards has no effect then; what is not kept is out; h = 0 gives none."""
    options = {"special_location_choice": 2, "special_location_cards": 3}
    walk = Walk(options, 2)
    assert [kind for kind, *_ in takewhile(lambda step: step[0] != "move", walk.steps())] == ["card_keep"] * 2
    assert [len(walk.cards(seat)) for seat in range(2)] == [1, 1]
    bans = {f"card_{n}": "out" for n in range(13, 18)}
    assert Position({"special_worker_choice": 3} | bans).then(decision="move").cards(0) == []


def test_rulesets():
    """RO-2.10 three presets; explicit values win over them."""
    names = ["blocking", "special_location_cards", "special_worker_cards"]

    def resolved(**given):
        result = game.resolve(given)
        return [result[name] for name in names]

    assert resolved() == resolved(ruleset="first_games") == ["default", 0, 0]
    assert resolved(ruleset="random_tokens") == ["random", 0, 0]
    assert resolved(ruleset="full_game") == ["random", 1, 1]
    assert resolved(ruleset="full_game", blocking="none") == ["none", 1, 1]


def test_full_game_without_worker_cards():
    """RO-2.10 T32: random tokens, one location card each."""
    position = Position({"ruleset": "full_game", "special_worker_cards": 0}, 4)
    assert all(len(position.cards(seat)) == 1 and position.cards(seat)[0] <= 12 for seat in range(4))
    result = {Position({"ruleset": "full_game"}, deal=deal).s.block_morning for deal in range(8)}
    assert len(result) > 4


def test_cards_out_and_given():
    """RO-2.11 out: not in the game; seat_i: owned besides what is dealt; i beyond the seats: out."""
    options = {
        "card_4": "out", "card_7": "seat_0", "card_18": "seat_1", "card_13": "seat_3",
        "special_location_cards": 3, "special_worker_cards": 2,
    }  # fmt: skip
    for deal in range(20):
        position = Position(options, 2, deal)
        own = [position.cards(seat) for seat in range(2)]
        assert 7 in own[0] and 18 in own[1] and not {4, 13} & {*own[0], *own[1]}
        assert [len(cards) for cards in own] == [6, 6]
    assert Position({f"card_{n}": "seat_0" for n in range(1, 19)}).cards(0) == list(range(1, 19))


def test_compensation():
    """RO-2.12 VP and crystals by seat, added to those of all."""
    options = {"seat_vp_1": 3, "seat_crystals_2": 2, "start_vp": 4, "start_crystals": 2}
    Position(options, 3).then(vp=[4, 7, 4], crystals=[2, 2, 4], supply=16)
    Position({"seat_vp_3": 20, "seat_crystals_3": 5}, 2).then(vp=[5, 5], crystals=[1, 1])


OTHERS = [
    {"blocking": "random"}, {"special_location_cards": 2}, {"special_worker_cards": 1}, {"rounds": 4},
    {"card_3": "out", "special_location_cards": 1},
]  # fmt: skip


@pytest.mark.parametrize("options", OTHERS, ids=str)
def test_luck_is_apart(options):
    """RO-2.13 one option shifts no other luck: decks, tokens and cards of a deal are the same."""
    for deal in range(5):
        first, other = Position(deal=deal), Position(options, deal=deal)
        assert first.s.lake_deck.tolist() == other.s.lake_deck.tolist()
        assert first.s.ship_deck.tolist() == other.s.ship_deck.tolist()
        if "blocking" not in options:
            tokens = [
                Position(more | {"blocking": "random"}, deal=deal).s.block_morning for more in ({}, options)
            ]
            assert tokens[0] == tokens[1]
        if "special_worker_cards" not in options:
            cards = [
                Position(more | {"special_worker_cards": 2}, deal=deal).s.card_owner[12:].tolist()
                for more in ({}, options)
            ]
            assert cards[0] == cards[1]


def test_cards_and_tokens_have_luck_of_their_own():
    """RO-2.13 the location cards of a deal are the same with any tokens."""
    for deal in range(4):
        owners = [
            Position({"blocking": how, "special_location_cards": 1}, 3, deal).s.card_owner.tolist()
            for how in ("default", "random", "none")
        ]
        assert owners[0] == owners[1] == owners[2]


def test_streams_of_luck():
    """RO-2.13 streams for each deck, the tokens, the cards, and the reshuffles of each deck."""
    names = {"lake", "spaceship", "tokens", "location_cards", "worker_cards"}
    assert {name for name in game.streams if name.startswith("deal/")} == {f"deal/{name}" for name in names}
    assert len([name for name in game.streams if name.startswith("nature/")]) == 2


def test_phases_begin_with_the_morning():
    """RO-2.4 the first phase is the Morning of round 1."""
    assert [Position(seats=k).facts()["phase"] for k in (2, 3, 4)] == [PHASES[0]] * 3
