"""Positions of Outpost Seven for given / when / then rows.

    given(grid={(2, 2): "20 P.. 2/Y"}, votes="RYYYR|YRYRY", red=[42, 43])
        .when("red repairs module 42 with scrap 43 at (2,3)")
        .then(cells={(2, 3): "2/R"}, votes="RYRYR|YRYRY")

A card on the grid is `id layout cubes/owner`: "20 P.. 2/Y" has its two highest spaces filled by yellow, "29
0+2/Y" the spaces 0 and 2, "22 N" is neutral. The layout may be left out; where it is written it is compared
with the card set. Cards that a position does not name lie in the offer, in the deck and in the discard pile,
lowest id first.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from simkit.games.outpost_seven import game
from simkit.games.outpost_seven.facts import PAIR, Decision, Use
from simkit.games.outpost_seven.tables import LETTERS

from .engine import DRIVE, Play, luck, rules_of

SEATS = {"red": 0, "yellow": 1}
LETTER = {"R": 0, "Y": 1, "-": -1}
SHOWN = {0: "R", 1: "Y", -1: "-"}
STORED = 7  # cards that both players kept at the start, where nothing else follows from the position


UNCONNECTED = "O7-12.9 the modules are not connected"


class Position(Play):
    """A game in the middle, with `when` and `then`."""

    unconnected = False  # a position may lie scattered, to test one thing at a time

    def copy_position(self) -> Position:
        copied = Position(self.states.copy(), self.rules_array, self.rng.copy())
        copied.unconnected = self.unconnected
        return copied

    def problems(self) -> list[str]:
        return [
            problem for problem in super().problems() if not (self.unconnected and problem == UNCONNECTED)
        ]

    def when(self, text: str) -> Position:
        """Find the action that the sentence tells, see that it is legal, carry it out."""
        who, rest = text.split(" ", 1)
        assert int(self.s.seat) == SEATS[who], (
            f"{text!r}: seat {self.s.seat} is to decide ({self.decision.name})"
        )
        for action in self.actions(rest):
            ids = self.legal()
            assert action in ids, (
                f"{text!r}: {action} is not legal in decision {self.decision.name}: {ids}\n{self.drawn()}"
            )
            self.apply(action)
        return self

    def when_first_salvage(self) -> Position:
        """The player on turn takes the first card of the offer."""
        self.apply(1)
        return self

    def actions(self, text: str) -> Any:
        """The action ids of a sentence without its subject, one after the other."""
        s, words = self.s, text.split()
        if match := re.fullmatch(r"repairs module (\d+) with scrap (\d+) at \((\d),(\d)\)", text):
            module, scrap, r, c = map(int, match.groups())
            yield self.pair(module, scrap)
            yield r * int(self.rules.cols) + c
        elif match := re.fullmatch(r"chooses module (\d+) and scrap (\d+)", text):
            yield self.pair(*map(int, match.groups()))
        elif text == "salvages nothing":
            yield 0
        elif words[0] == "salvages":
            yield mask_of(s.offer, words[1:])
        elif words[0] == "keeps":
            yield mask_of(s.dealt[s.seat], [w for w in words[1:] if w != "nothing"])
        elif words[0] == "drafts":
            yield slot_of(s.pool, int(words[1]))
        elif words[0] == "uses":  # PLACE, REMOVE, or one bonus as (row,column,space)
            yield (
                {"PLACE": 0, "REMOVE": 1}[words[1]]
                if words[1].isalpha()
                else self.bonus(*map(int, re.findall(r"\d", words[1])))
            )
        elif match := re.fullmatch(r"adds population to line (\d+)", text):
            yield int(match[1])
        else:
            yield {"stays with the deal": 0, "redraws": 1, "goes first": 0, "goes second": 1}[text]

    def pair(self, module: int, scrap: int) -> int:
        hand = self.s.hand[self.s.seat]
        return PAIR + 10 * slot_of(hand, module) + slot_of(hand, scrap)

    def bonus(self, r: int, c: int, space: int) -> int:
        return Use.bonus + 6 * (r * int(self.rules.cols) + c) + space

    def then(self, **expected: Any) -> Position:
        """Compare what is expected; everything that differs is told at once, with the table."""
        results = [line for name, value in expected.items() for line in self.differences(name, value)]
        if "problems" not in expected:
            results += self.problems()
        assert not results, "\n".join([*results, self.drawn()])
        return self

    def differences(self, name: str, expected: Any) -> list[str]:
        """One line for each thing that is not as expected."""
        s = self.s
        if name == "cells":
            is_now = {cell: self.cell(cell, len(text.split())) for cell, text in expected.items()}
            return [
                f"cell {c}: expected {text!r}, is {is_now[c]!r}"
                for c, text in expected.items()
                if is_now[c] != text
            ]
        if name == "pop" and isinstance(expected, dict):
            return [
                f"population of line {i}: expected {n}, is {s.pop[i]}"
                for i, n in expected.items()
                if s.pop[i] != n
            ]
        if name in ("log", "red_log", "yellow_log"):
            log = {"log": s.log.game, "red_log": s.log.seat[0], "yellow_log": s.log.seat[1]}[name]
            return [f"{name}.{k}: expected {v}, is {log[k]}" for k, v in expected.items() if log[k] != v]
        value = self.fact(name)
        if isinstance(expected, set):
            value = set(value)
        return [] if value == expected else [f"{name}: expected {expected!r}, is {value!r}"]

    def fact(self, name: str) -> Any:
        """A named fact of the position, as a row writes it."""
        s = self.s
        hands = {who: [int(c) for c in s.hand[seat, : s.hand_n[seat]]] for who, seat in SEATS.items()}
        expected = {
            "votes": lambda: self.border([SHOWN[int(v)] for v in s.vote[: self.rules.lines]]),
            "pop": lambda: self.border([str(p) for p in s.pop[: self.rules.lines]]),
            "red": lambda: hands["red"],
            "yellow": lambda: hands["yellow"],
            "offer": lambda: [int(c) for c in s.offer[: s.offer_n]],
            "discard": lambda: [int(c) for c in s.discard[: s.discard_n]],
            "deck": lambda: [int(c) for c in s.deck[s.deck_pos : s.deck_n]],
            "on_turn": lambda: "nobody" if s.seat < 0 else list(SEATS)[int(s.seat)],
            "decision": lambda: self.decision.name,
            "stopped": lambda: [who for who, seat in SEATS.items() if s.stopped[seat]],
            "scores": lambda: [int(x) for x in s.score],
            "ranks": lambda: [int(x) for x in s.rank],
            "legal": self.legal,
            "salvages": lambda: [a for a in self.legal() if a < PAIR],
            "pairs": lambda: [(hands[list(SEATS)[int(s.seat)]][(a - PAIR) // 10], hands[list(SEATS)[int(s.seat)]][(a - PAIR) % 10])
                              for a in self.legal() if a >= PAIR],
            "may_go_to": lambda: [divmod(a, int(self.rules.cols)) for a in self.legal()],
            "end_reason": lambda: game.end_reasons(int(s.log.game.end_reason)).name,
            "decided_by": lambda: ["population", "tie_break", "final_tie", "draw"][int(s.log.game.decided_by)],
            "problems": self.problems,
        }  # fmt: skip
        return expected[name]() if name in expected else int(s[name])

    def border(self, parts: list[str]) -> str:
        rows = int(self.rules.rows)
        space = " " if any(len(p) > 1 for p in parts) else ""
        return space.join(parts[:rows]) + "|" + space.join(parts[rows:])

    def cell(self, place: tuple[int, int], words: int = 1) -> str:
        """A cell as rows write it: with one word only the cubes, with two also the card."""
        cell = place[0] * int(self.rules.cols) + place[1]
        card, mask, owner = (int(self.s[f][cell]) for f in ("grid_card", "grid_mask", "grid_owner"))
        if card < 0:
            return "empty" if not mask and owner < 0 else f"empty with mask {mask} of {owner}"
        spaces = [i for i in range(6) if mask >> i & 1]
        cubes = f"{len(spaces)}" if not mask & (mask + 1) else "+".join(map(str, spaces))
        text = "N" if not mask and owner < 0 else f"{cubes}/{SHOWN[owner]}"
        return text if words == 1 else f"{card} {text}"

    def drawn(self) -> str:
        return "\n" + str(game.show(self.s, self.rules))


def slot_of(cards: Any, card: int) -> int:
    places = [i for i, c in enumerate(cards) if c == card]
    assert len(places) == 1, f"card {card} is not among {[int(c) for c in cards if c >= 0]}"
    return places[0]


def mask_of(cards: Any, wanted: list[str]) -> int:
    return sum(1 << slot_of(cards, int(card)) for card in wanted)


def layout(rules: Any, card: int) -> str:
    """The spaces of a card from top to bottom."""
    return "".join(LETTERS[rules.bonus[card, space]] for space in range(rules.value[card]))


def given(
    grid: dict[tuple[int, int], str] | None = None,
    votes: str | None = None,
    pop: str | None = None,
    red: list[int] | None = None,
    yellow: list[int] | None = None,
    offer: list[int] | None = None,
    deck: list[int] | None = None,
    turn: int = 10,
    on_turn: str = "red",
    first: str = "red",
    stopped: tuple[str, ...] = (),
    passes: int = 0,
    public: tuple[int, ...] = (),
    leader: str | None = None,
    colours: str | None = None,
    options: dict[str, Any] | None = None,
) -> Position:
    """A position in which the player on turn chooses between salvage and repair, consistent in all its parts."""
    rules_array = rules_of(options)
    position = Position(np.zeros(1, game.state_dtype), rules_array, luck(1, 1))
    s, rules = position.s, rules_array[0]
    for name in (
        "hand",
        "dealt",
        "start_cards",
        "pool",
        "offer",
        "discard",
        "deck",
        "grid_card",
        "grid_owner",
        "border_colour",
        "vote",
        "mulliganed",
    ):
        s[name] = -1
    for name in ("keep_total", "played_cell", "sel_module", "sel_scrap"):
        s[name] = -1
    s.seats, s.decision, s.hands_chosen, s.turn, s.passes = 2, Decision.main, 2, turn, passes
    s.seat, s.first, s.leader = SEATS[on_turn], SEATS[first], SEATS[leader] if leader else -1
    for who in stopped:
        s.stopped[SEATS[who]] = 1
    lay_grid(s, rules, grid or {})
    lay_border(s, rules, votes, pop, colours)
    lay_cards(s, rules, [red, yellow], offer, deck, public)
    write_log(s, rules, turn)
    position.unconnected = UNCONNECTED in position.problems()
    assert not position.problems(), f"the position is not consistent: {position.problems()}"
    return position


def lay_grid(s: Any, rules: Any, grid: dict[tuple[int, int], str]) -> None:
    """Modules and cubes, and all that is counted from them."""
    for (r, c), text in grid.items():
        words, cell = text.split(), r * int(rules.cols) + c
        card = int(words[0])
        if len(words) == 3:
            assert layout(rules, card) == words[1], f"card {card} is {layout(rules, card)}, not {words[1]}"
        cubes, _, owner = words[-1].partition("/")
        s.grid_card[cell] = card
        if cubes != "N":
            s.grid_mask[cell] = (
                sum(1 << int(i) for i in cubes.split("+")) if "+" in cubes else (1 << int(cubes)) - 1
            )
            s.grid_owner[cell] = LETTER[owner]
        s.occupied |= 1 << cell
        for line in (rules.row_of[cell], rules.col_of[cell]):
            s.colours[line, rules.colour[card]] += 1
            if s.grid_owner[cell] >= 0:
                s.cubes[s.grid_owner[cell], line] += int(s.grid_mask[cell]).bit_count()
        if s.grid_owner[cell] >= 0:
            s.on_grid[s.grid_owner[cell]] += int(s.grid_mask[cell]).bit_count()
    around = [int(rules.neighbours[cell]) for cell in range(rules.cells) if int(s.occupied) >> cell & 1]
    free = ~int(s.occupied)
    s.frontier = (
        sum({1 << i for bits in around for i in range(36) if bits & free & 1 << i})
        if around
        else int(rules.first_cells)
    )


def lay_border(s: Any, rules: Any, votes: str | None, pop: str | None, colours: str | None) -> None:
    """Population 2 on every line and alternating tokens, unless told; a majority of cubes has its token."""
    lines = int(rules.lines)
    people = (
        [int(p) for p in (pop or "2" * lines).replace("|", "")]
        if " " not in (pop or "")
        else [int(p) for p in pop.replace("|", " ").split()]
    )  # type: ignore[union-attr]
    tokens = [LETTER[x] for x in votes.replace("|", "")] if votes else [i % 2 for i in range(lines)]
    assert len(people) == len(tokens) == lines, (
        f"{lines} lines, {len(people)} populations, {len(tokens)} votes"
    )
    for line in range(lines):
        red, yellow = int(s.cubes[0, line]), int(s.cubes[1, line])
        if votes and red != yellow:
            assert tokens[line] == int(yellow > red), (
                f"line {line} has {red}:{yellow} cubes and cannot vote {SHOWN[tokens[line]]}"
            )
        s.vote[line] = int(yellow > red) if red != yellow else tokens[line]
        s.pop[line] = s.pop_initial[line] = people[line]
        if red and yellow:
            s.contested |= 1 << line
        if s.vote[line] >= 0:
            s.score[s.vote[line]] += people[line]
    for line, letter in enumerate((colours or "").replace("|", "")):
        s.border_colour[line] = "bgp".index(letter)
        s.colours[line, s.border_colour[line]] += 1
    s.pop_initial[0] -= rules.second_bonus_population
    s.lead[0] = s.score[0] - s.score[1]


def lay_cards(
    s: Any,
    rules: Any,
    hands: list[list[int] | None],
    offer: list[int] | None,
    deck: list[int] | None,
    public: Any,
) -> None:
    """Hands, offer and deck as told; what is left fills the rest, the offer last to first."""
    named = [int(c) for c in s.grid_card if c >= 0] + [
        c for part in (*hands, offer, deck) if part for c in part
    ]
    assert len(named) == len(set(named)), f"a card is in two places: {sorted(named)}"
    rest = [card for card in range(rules.cards) if card not in named]
    for seat in range(2):
        cards = hands[seat]
        if cards is None:
            cards = [rest.pop(), rest.pop()]
        put(s.hand[seat], cards)
        s.hand_n[seat] = len(cards)
    size = int(rules.faceup) if deck is None or deck else 0
    offer = [rest.pop() for _ in range(size)] if offer is None else offer
    put(s.offer, offer)
    s.offer_n = len(offer)
    discards = int(rules.initial_discards) + 2 * int(rules.deal_size) - STORED + int(s.occupied).bit_count()
    if deck is None:
        deck = rest[discards:] if s.offer_n == rules.faceup else []
    pile = [card for card in rest if card not in deck]
    put(s.discard, pile)
    s.discard_n = len(pile)
    s.deck_n = rules.cards
    s.deck_pos = int(rules.cards) - len(deck)
    put(s.deck[int(s.deck_pos) :], deck)
    for card in [*pile, *offer, *[int(c) for c in s.grid_card if c >= 0], *public]:
        s.revealed[card] = 1


def put(array: Any, cards: list[int]) -> None:
    array[: len(cards)] = cards


def write_log(s: Any, rules: Any, turn: int) -> None:
    """Counters that fit the position: every cube was paid, every module repaired."""
    s.log.game.turns = turn
    s.log.game.repairs = int(s.occupied).bit_count()
    s.log.game.first_module_cell = s.log.game.deck_empty_turn = -1
    stored = (
        int(rules.initial_discards) + 2 * int(rules.deal_size) + int(s.log.game.repairs) - int(s.discard_n)
    )
    for seat in range(2):
        s.log.seat[seat].stop_turn = -1
        s.log.seat[seat].cubes_by_payment = s.log.seat[seat].cubes_max = s.on_grid[seat]
    s.log.game.cubes_by_payment = s.on_grid.sum()
    s.log.seat[0].kept_cards, s.log.seat[1].kept_cards = stored // 2, stored - stored // 2


def given_deal(
    red: list[int],
    yellow: list[int],
    discards: list[int] | None = None,
    options: dict[str, Any] | None = None,
) -> Position:
    """The moment at which the first player chooses his starting hand (O7-2.8): these cards were dealt, in
    this order.

    It is reached through the game itself: another deal's cards are renamed.
    """
    options = dict(options or {})
    options.setdefault("deal_size", len(red))
    position = Position(np.zeros(1, game.state_dtype), rules_of(options), luck(1, 1))
    start = Play.begin(options | {"start_choice": "player0_chooses"})
    s = start.s
    wanted = [*red, *yellow, *(discards or [])]
    assert len(wanted) == len(set(wanted)), f"a card is dealt twice: {sorted(wanted)}"
    deck = [int(c) for c in s.deck[: s.deck_n]]
    order = wanted + [c for c in deck if c not in wanted]
    rename = dict(zip(deck, order, strict=True))
    for name in ("dealt", "offer", "discard", "deck"):
        flat = s[name].reshape(-1)
        flat[:] = [rename.get(int(c), -1) if c >= 0 else -1 for c in flat]
    s.revealed[:] = 0
    for card in [*s.discard[: s.discard_n], *s.offer[: s.offer_n]]:
        s.revealed[card] = 1
    position.states[:] = start.states
    if rules_of(options)[0].start_choice == 0:
        DRIVE.step(position.states, position.rules_array, position.rng, 0)
    return position
