"""Positions of Exoplanet Colony for given / when / then rows, in the notation of the specification.

    given(hands={0: [14, 7], 1: [11]}, deck=[20], base="16@(0,1) 7@(1,0)", loss={1: "water"}, pawns={0: 1})
        .when("move S", "take", "card 11")
        .then(hands={0: [7, 11, 14], 1: []}, left=2, prod=[-2, -1, 0, -3], log={"takes": 1})

Vectors are [oxygen, water, food, energy]. Modules are written card@(x,y) in the order deployed (slots 1, 2,
...), the Hub is slot 0 at (0,0). What is not named: a game of scenario 1 without characters in which nobody
holds a card, all pawns stand on the Hub, the productions are those of the scenario and the base, the supplies
those of the scenario, and player cards that lie nowhere else are in the deck in the order of the deal. The
turn of `seat` (0) has come to its first action; with `at` to its start (the window before the allowance),
to its update (the window before it) or to its event.

Actions are ids, or words for them (EX-11.1):

    pass  draw  move N  give  take  deploy  generate  repair  switch  recover  ability  item  plan
    dir N  seat 1  res water  token water  token emergency  card 7  slot 2  perm 120  perm 10  heal flu

Decisions with one legal id are applied without a word, before a word and after it (EX-11.1).
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np

from simkit.games.exoplanet_colony import game
from simkit.games.exoplanet_colony.base import put_module
from simkit.games.exoplanet_colony.cards import hand_limit
from simkit.games.exoplanet_colony.facts import (
    COLOUR,
    FIRST_CRITICAL,
    STEP_X,
    STEP_Y,
    Character,
    Decision,
    Defeat,
    End,
    Issue,
    Stage,
    Step,
)
from simkit.games.exoplanet_colony.life import look_at_level
from simkit.games.exoplanet_colony.scoring import deficit
from simkit.games.exoplanet_colony.turn import allow_actions, go_on
from tests.of_games import position as positions
from tests.of_games import stepping
from tests.of_games.stepping import copied as copied

MODULE = re.compile(r"(\d+)@\((-?\d+),(-?\d+)\)")
RESOURCE = ["oxygen", "water", "food", "energy"]
CHARACTERS = [
    "medic", "engineer", "architect", "pilot", "scientist", "comms_officer", "biochemist", "quartermaster",
]  # fmt: skip
ISSUES = ["ankle", "flu", "insomnia", "anxiety", "migraine", "infection", "acute"]
ISSUE_EVENTS = [25, 26, 27, 28, 29, 30, 53]  # the event that brings each issue (EX-7.2)
MAIN_WORDS = [
    "pass", "draw", "move N", "move E", "move S", "move W", "give", "take", "deploy", "generate", "repair",
    "switch", "recover", "ability", "item", "plan",
]  # fmt: skip
IDS = (
    {name: i for i, name in enumerate(MAIN_WORDS)}
    | {f"dir {d}": 16 + i for i, d in enumerate("NESW")}
    | {f"seat {i}": 20 + i for i in range(5)}
    | {f"res {name}": 25 + i for i, name in enumerate(RESOURCE)}
    | {f"token {name}": 29 + i for i, name in enumerate([*RESOURCE, "emergency"])}
    | {f"card {i}": 34 + i for i in range(36)}
    | {f"slot {i}": 70 + i for i in range(29)}
    | {f"perm {order}": 99 + i for i, order in enumerate(["012", "021", "102", "120", "201", "210"])}
    | {"perm 01": 99, "perm 10": 100}
    | {f"heal {name}": 105 + i for i, name in enumerate(ISSUES)}
)
NO_CHARACTERS = {"characters": "none"}


def id_of(word: str | int) -> int:
    """The id that a word means."""
    return word if isinstance(word, int) else IDS[word]


def rules_of(options: dict[str, Any] | None = None) -> np.ndarray:
    """The rules record for these options over the defaults, array of length 1."""
    return stepping.rules_of(game, options)


def luck(seed: int, deal: int) -> np.ndarray:
    return stepping.luck(game, seed, deal)


def members(number: int) -> list[int]:
    """The set that a number means."""
    return [i for i in range(64) if int(number) >> i & 1]


class Position(positions.Position):
    """A game stepped by hand; without more it stands at the first decision of a game."""

    game, decisions = game, Decision

    def note(self) -> None:
        super().note()
        self.told_of = 0  # so many of the forced decisions were told of

    def when(self, *words: str | int) -> Self:
        """Decisions in words; each must be legal, or the one that was applied without asking."""
        for word in words:
            wanted, forced = id_of(word), self.forced[self.told_of :]
            if wanted in [action for _, _, action in forced] and (self.over or wanted not in self.legal()):
                self.told_of += 1 + [action for _, _, action in forced].index(wanted)
                continue
            assert not self.over, f"{word!r}: the game is over"
            self.told_of = len(self.forced)
            self.apply(wanted)
            self.skip()
        return self

    def passing(self) -> None:
        """One decision by the lowest legal id, which is PASS where somebody may pass."""
        self.apply(self.legal()[0])

    def settle(self) -> Self:
        """Carry the choice in progress to its end (a MAIN decision, a window, the end) by lowest ids."""
        while not self.over and self.decision not in ("main", "plan_window"):
            self.passing()
        return self

    def to(self, decision: str, seat: int | None = None) -> Self:
        """Go on by passing to a decision (of a seat)."""
        for _ in range(2_000):
            if self.over or (self.decision == decision and seat in (None, int(self.s.seat))):
                break
            self.passing()
        assert not self.over, f"{decision} was not reached"
        return self

    def end_actions(self) -> Self:
        """Go on by passing until step 1 is over."""
        turn = int(self.s.turn_no)
        while not self.over and int(self.s.turn_no) == turn and int(self.s.step) == Step.actions:
            self.passing()
        return self

    def end_turn(self, turns: int = 1) -> Self:
        """Go on by passing to the first action of the next turn, or to the end of the game."""
        last = int(self.s.turn_no) + turns
        while not self.over and (int(self.s.turn_no) < last or self.decision != "main"):
            self.passing()
        return self

    def to_the_end(self) -> Self:
        while not self.over:
            self.passing()
        return self

    def view(self, seat: int = 0) -> np.ndarray:
        """What a seat sees at its first look."""
        views = np.zeros(1, game.state_dtype)
        game.observe(self.s, self.rules, seat, views[0])
        return views

    def facts(self) -> dict[str, Any]:
        """Facts that are compared as a whole."""
        s, n = self.s, self.seats
        slots = int(s.slots)
        return {
            "decision": self.decision if not self.over else "",
            "seat": int(s.seat),
            "active": int(s.active),
            "first": int(s.first),
            "turn": int(s.turn_no),
            "step": Step(int(s.step)).name,
            "over": self.over,
            "end": End(int(s.log.game.end_reason)).name if self.over else "",
            "defeat": Defeat(int(s.log.game.defeat)).name if self.over else "",
            "rank": [int(x) for x in s.rank[:n]],
            "score": [int(x) for x in s.score[:n]],
            "prod": [int(x) for x in s.production],
            "supply": [int(x) for x in s.supply],
            "level": int(s.level),
            "left": int(s.actions_left),
            "deck": [int(card) for card in s.deck[: s.deck_n][::-1]],
            "deck_n": int(s.deck_n),
            "pile": [int(card) for card in s.discard[: s.discard_n]],
            "pile_n": int(s.discard_n),
            "events": [int(event) for event in s.events[: s.events_n][::-1]],
            "events_n": int(s.events_n),
            "known_events": int(s.events_known),
            "event_pile": self.event_pile(),
            "cells": [(int(s.slot_x[t]), int(s.slot_y[t])) for t in range(slots)],
            "modules": [int(s.slot_card[t]) for t in range(1, slots)],
            "off": members(s.off),
            "alarms": [t for t in range(slots) for _ in range(int(s.slot_emerg[t]))],
            "loss_left": [int(x) for x in s.loss_left],
            "shut_left": int(s.shut_left),
            "emerg_left": int(s.emerg_left),
            "sizes": [len(members(hand)) for hand in s.hand[:n]],
            "limits": [int(hand_limit(s, self.rules, seat)) for seat in range(n)],
            "decided": self.decided,
            "forced": self.forced,
        }

    def event_pile(self) -> list[int]:
        """The event discard pile, ascending: what was revealed, is done with and lies before nobody."""
        held = {ISSUE_EVENTS[i] for issues in self.s.issues for i in members(issues)}
        busy = {int(self.s.event)} if not self.over else set()
        return [event for event in members(self.s.seen) if event not in held | busy]

    def named_facts(self) -> dict[str, Callable[[Any], Any]]:
        """Facts that are looked at in part: of each slot or seat that is named."""
        s = self.s
        return {
            "hands": lambda seat: members(s.hand[seat]),
            "issues": lambda seat: " ".join(ISSUES[i] for i in members(s.issues[seat])),
            "pawns": lambda seat: int(s.pawn[seat]),
            "characters": lambda seat: Character(int(s.character[seat])).name,
            "loss": lambda slot: " ".join(RESOURCE[r] for r in range(4) for _ in range(s.slot_loss[slot, r])),
        }

    def compared(self, name: str, value: Any, facts: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        if name == "legal":
            yield name, sorted(id_of(word) for word in value), self.legal()
        elif name in ("can", "cannot"):
            ids = self.legal()
            yield from ((f"legal {word}", name == "can", id_of(word) in ids) for word in value)
        elif name == "top":
            yield name, value, facts["deck"][: len(value)]
        elif name == "next_events":
            yield name, value, facts["events"][: len(value)]
        else:
            yield from super().compared(name, value, facts)


def given(
    hands: dict[int, list[int]] | None = None,
    base: str = "",
    *,
    deck: list[int] | None = None,
    deck_n: int | None = None,
    pile: list[int] | None = None,
    pile_n: int | None = None,
    prod: list[int] | None = None,
    supply: list[int] | None = None,
    loss: dict[int, str] | None = None,
    alarms: list[int] | None = None,
    off: list[int] | None = None,
    pawns: dict[int, int] | None = None,
    characters: dict[int, str] | None = None,
    issues: dict[int, str] | None = None,
    events: list[int] | None = None,
    events_n: int | None = None,
    known_events: int = 0,
    seat: int = 0,
    turn: int | None = None,
    left: int | None = None,
    at: str = "main",
    seats: int = 2,
    options: dict[str, Any] | None = None,
    deal: int = 0,
) -> Position:
    """A position in the turn of `seat`. `deck`: the next player cards, the others follow; `deck_n`: so many in
    all, the rest has left the game; `pile`: the discard pile, the top card last; `pile_n`: so many cards in
    it, others below those named; `prod`: the productions as they are (the scenario is made to fit); `loss`:
    words by slot ("water water food"); `alarms`: a slot for each Emergency token; `off`: slots; `issues`: words by
    seat; `events`: the next events, the others follow; `events_n`: so many left; `known_events`: so many of them known by
    a Forecast; `left`: actions left; `at`: start, main, update or event."""
    position = Position(NO_CHARACTERS | (options or {}), seats, deal)
    s, rules = position.s, position.rules
    _lay_base(s, base)
    _set_levels(s, rules, prod, supply, loss or {}, alarms or [], off or [])
    for who, slot in (pawns or {}).items():
        assert slot < s.slots, f"there is no slot {slot}"
        s.pawn[who] = slot
    for who, name in (characters or {}).items():
        s.character[who] = s.log.seat[who].character = Character[name]
    for who, text in (issues or {}).items():
        for name in text.split():
            s.issues[who] |= 1 << Issue[name]
            s.log.game.health_drawn += 1
    _deal_cards(s, hands or {}, deck or [], deck_n, pile or [], pile_n)
    _stack_events(s, rules, events or [], events_n, known_events)
    _begin(position, seat, turn, left, at)
    return position


def _lay_base(s: Any, base: str) -> None:
    """Modules of the notation, each next to one that lies there."""
    for card, x, y in ([int(n) for n in result] for result in MODULE.findall(base)):
        near = [
            (slot, d)
            for slot in range(s.slots)
            for d in range(4)
            if (s.slot_x[slot] + STEP_X[d], s.slot_y[slot] + STEP_Y[d]) == (x, y)
        ]
        assert near, f"nothing lies next to ({x},{y})"
        put_module(s, card, *near[0])
        s.log.game.deploys += 1
        s.log.game.deploy_of[COLOUR[card]] += 1
        s.log.seat[0].deploys += 1


def _set_levels(s: Any, rules: Any, prod: Any, supply: Any, loss: Any, alarms: list[int], off: Any) -> None:
    """Tokens on the base, productions, supplies and the log that belongs to them."""
    s.since[:] = 0
    for slot, text in loss.items():
        for name in text.split():
            r = RESOURCE.index(name)
            s.slot_loss[slot, r] += 1
            s.loss_left[r] -= 1
            s.damaged[r] |= 1 << slot
            s.log.game.loss_placed += 1
    for slot in alarms:
        s.slot_emerg[slot] += 1
        s.emerg_left -= 1
        s.alarmed |= 1 << slot
        s.log.game.emergencies_placed += 1
    for slot in off:
        s.off |= 1 << slot
        s.shut_left -= 1
        s.log.game.switch_off += 1
    on = [int(s.slot_card[slot]) for slot in range(1, s.slots) if slot not in off]
    working = rules.effect[on].sum(axis=0, dtype=int) - s.slot_loss.sum(axis=0, dtype=int)
    if prod is not None:
        rules.start_production[:] = np.subtract(prod, working)
    start = sum(max(0, int(rules.win_production) - int(p)) for p in rules.start_production)
    s.production[:] = rules.start_production + working
    s.supply[:] = rules.start_supply if supply is None else supply
    missing = deficit(s, rules)
    s.log.game.deficit_cut = s.log.seat[0].deficit_cut = start - missing
    s.log.game.deficit_low = missing
    s.log.game.supply_low = int(s.supply.min())
    s.log.game.depletions = int((s.supply == 0).sum())
    s.score[: s.seats] = -missing


def _deal_cards(s: Any, hands: dict[int, Any], deck: list[int], n: int | None, pile: Any, m: Any) -> None:
    """Hands, discard pile, deck; the rest of the deal under the next cards, or out of the game."""
    order = [int(card) for card in s.deck[: s.deck_n][::-1]]
    order += [card for hand in s.hand for card in members(hand)]
    base = [int(card) for card in s.slot_card[1 : s.slots]]
    s.hand[:] = 0
    for seat, cards in hands.items():
        s.hand[seat] = sum(1 << card for card in set(cards))
    placed = [*base, *pile, *deck, *(card for cards in hands.values() for card in cards)]
    assert len(set(placed)) == len(placed), f"cards named twice: {sorted(placed)}"
    missing = members(s.removed)
    assert not set(placed) & set(missing), f"{set(placed) & set(missing)} left the game"
    rest = [card for card in order if card not in placed]
    more = 0 if m is None else m - len(pile)
    pile, rest = [*rest[:more], *pile], rest[more:]
    if n is not None:
        rest, out = rest[: n - len(deck)], rest[n - len(deck) :]
        s.removed |= sum(1 << card for card in out)
    whole = [*deck, *rest]
    assert n in (None, len(whole)) and m in (None, len(pile)), "there are not so many cards"
    s.deck[:] = s.discard[:] = -1
    s.deck_n, s.discard_n = len(whole), len(pile)
    s.deck[: len(whole)] = whole[::-1]
    s.discard[: len(pile)] = pile


def _stack_events(s: Any, rules: Any, named: list[int], n: int | None, known_events: int) -> None:
    """The next events on top, those revealed gone; piles stay as they were stacked as far as that can be."""
    deck = [int(event) for event in s.events[: s.events_n][::-1]]  # the next one first
    held = [ISSUE_EVENTS[i] for issues in s.issues for i in members(issues)]
    revealed = len(held) if n is None else len(deck) - n
    assert revealed >= len(held), "issues before players were revealed"
    assert revealed + len(named) <= len(deck), "there are not so many events"
    block = int(rules.normals_per_pile + rules.criticals_per_pile)
    for place, event in enumerate([*held, *[-1] * (revealed - len(held)), *named]):
        if event >= 0:
            _put_event(deck, place, event, block, fixed=[*held, *named])
    s.seen = sum(1 << event for event in deck[:revealed])
    s.log.game.critical_events = sum(event >= FIRST_CRITICAL for event in deck[:revealed])
    s.log.game.normal_events = revealed - s.log.game.critical_events
    left = deck[revealed:]
    assert known_events <= len(left), "there are not so many events"
    s.events[:] = -1
    s.events[: len(left)] = left[::-1]
    s.events_n, s.events_known = len(left), known_events


def _put_event(deck: list[int], place: int, event: int, block: int, fixed: list[int]) -> None:
    """An event comes to a place; what lies there goes where it was, or to where its kind is asked for."""
    if event not in deck:  # takes the place of one of its kind, of the same pile where there is one
        kind = [
            p
            for p, other in enumerate(deck)
            if (other >= FIRST_CRITICAL) == (event >= FIRST_CRITICAL) and other not in fixed
        ]
        assert kind, f"no room for event {event}"
        deck[min(kind, key=lambda p: (p != place, p // block != place // block, p))] = event
    here = deck.index(event)
    other = deck[place]
    alike = [p for p in range(len(deck)) if (deck[p] >= FIRST_CRITICAL) == (event >= FIRST_CRITICAL)]
    if (other >= FIRST_CRITICAL) != (event >= FIRST_CRITICAL):
        near = [p for p in alike if p // block == place // block and p > place and deck[p] not in fixed]
        if near and here // block != place // block:  # first change places within the pile
            deck[place], deck[near[0]] = deck[near[0]], deck[place]
    here = deck.index(event)
    deck[place], deck[here] = event, deck[place]


def _begin(position: Position, seat: int, turn: int | None, left: int | None, at: str) -> None:
    """The turn has come to a step; from here on the log is counted."""
    s, rules = position.s, position.rules
    seats, first = position.seats, int(s.first)
    earliest = 1 + _revealed(s) if turn is None else turn
    s.turn_no = earliest + (seat - first - earliest + 1) % seats
    if turn is None and s.turn_no > _most_turns(position):
        s.turn_no -= seats
    assert turn in (None, int(s.turn_no)), f"turn {turn} is not that of seat {seat}"
    s.active = seat
    for who in range(seats):
        before = [t for t in range(1, int(s.turn_no)) if (first + t - 1) % seats == who]
        s.log.seat[who].turns = len(before)
    s.log.game.turns = int(s.turn_no) - 1
    s.over = s.event = s.key = -1
    s.seats_asked = s.skip_update = s.cancelled = s.actions_left = s.price = 0
    s.decision, s.step, s.seat = Decision.none, Step.actions, seat
    if at == "start":
        s.turn_no -= 1
        s.stage = Stage.begin
    else:
        s.log.seat[seat].turns += 1
        _allow(s, rules, left, at)
    look_at_level(s, rules)
    assert int(s.seat) == seat, "the game is lost here"
    position.note()
    go_on(s, rules, position.rng[0])
    position.skip()
    broken = position.problems()
    assert not broken, "\n".join(broken)


def _revealed(s: Any) -> int:
    return len(members(s.seen))


def _most_turns(position: Position) -> int:
    """EX-6.2."""
    rules = position.rules
    return int(rules.grace_turns + (rules.event_cards + 1) * (position.seats if rules.event_per else 1))


def _allow(s: Any, rules: Any, left: int | None, at: str) -> None:
    """The allowance of the turn, of which some has been spent."""
    s.level = (s.supply == 0).sum() + s.slot_emerg.sum()
    allow_actions(s, rules)
    if at == "main":
        allowed = int(s.actions_left)
        s.actions_left = allowed if left is None else left
        s.log.game.allowance = max(allowed, int(s.actions_left))
        spent = int(s.log.game.allowance) - int(s.actions_left)
        s.log.game.actions = s.log.seat[int(s.active)].actions = spent
        return
    spent = int(s.log.game.allowance)
    s.log.game.actions = s.log.seat[int(s.active)].actions = spent
    s.actions_left = 0
    s.step, s.stage = (Step.update, Stage.update) if at == "update" else (Step.event, Stage.reveal)


class Walk(positions.RandomSteps, Position):
    """A random game, stepped through."""
