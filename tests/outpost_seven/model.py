"""A second, plain account of a repair, written from the specification (O7-5 to O7-7) and not from the code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

PLACE, REMOVE, POP = 1, 2, 3
Bonus = tuple[int, int]  # cell, space


Outcome = tuple[
    dict[int, tuple[int, frozenset[int]]], list[int], list[int]
]  # owner and spaces by cell, population, votes


class Table:
    """Modules with their cubes, population and tokens."""

    def __init__(self, s: Any, rules: Any) -> None:
        self.rules, self.seat = rules, int(s.seat)
        self.rows, self.cols = int(rules.rows), int(rules.cols)
        self.cards = {c: int(s.grid_card[c]) for c in range(self.rows * self.cols) if s.grid_card[c] >= 0}
        self.spaces = {c: {i for i in range(6) if int(s.grid_mask[c]) >> i & 1} for c in self.cards}
        self.owner = {c: int(s.grid_owner[c]) for c in self.cards}
        self.pop = [int(p) for p in s.pop[: self.rows + self.cols]]
        self.votes = [int(v) for v in s.vote[: self.rows + self.cols]]
        self.border = [int(x) for x in s.border_colour[: self.rows + self.cols]]
        self.waiting: list[Bonus] = []
        self.played = -1
        self.count: Counter[str] = Counter()  # O7-17.1

    def outcome(self) -> Outcome:
        """What can be seen on the table."""
        return {c: (self.owner[c], frozenset(self.spaces[c])) for c in self.cards}, self.pop, self.votes

    def kind(self, bonus: Bonus) -> int:
        return int(self.rules.bonus[self.cards[bonus[0]], bonus[1]])

    def value(self, card: int) -> int:
        return int(self.rules.value[card])

    def line(self, index: int) -> list[int]:
        """The cells of a line."""
        if index < self.rows:
            return [index * self.cols + c for c in range(self.cols)]
        return [r * self.cols + index - self.rows for r in range(self.rows)]

    def lines_of(self, cell: int) -> tuple[int, int]:
        return cell // self.cols, self.rows + cell % self.cols

    def cross(self, cell: int) -> list[int]:
        row, column = self.lines_of(cell)
        return self.line(row) + [c for c in self.line(column) if c != cell]

    def lay_cube(self, cell: int) -> bool:
        """One cube on the highest free space, if there is one and the supply lasts."""
        free = [i for i in range(self.value(self.cards[cell])) if i not in self.spaces[cell]]
        on_grid = sum(len(self.spaces[c]) for c in self.cards if self.owner[c] == self.seat)
        if not free or 0 < self.rules.cube_supply <= on_grid:
            return False
        self.spaces[cell].add(free[0])
        self.owner[cell] = self.seat
        if self.kind((cell, free[0])):
            self.waiting.append((cell, free[0]))
        return True

    def use(self, bonus: Bonus) -> None:
        self.waiting.remove(bonus)
        self.count["bonus_" + " ARP"[self.kind(bonus)]] += 1
        self.count["bonus_cascade"] += bonus[0] != self.played
        self.count["chain_max"] += 1
        origin = self.played if self.rules.bonus_origin == 0 else bonus[0]
        {PLACE: self.place, REMOVE: self.remove}.get(self.kind(bonus), lambda o: self.populate(o, bonus[0]))(
            origin
        )

    def place(self, origin: int) -> None:
        reached = [c for c in self.cross(origin) if c in self.cards]
        targets = [
            c
            for c in reached
            if self.owner[c] == self.seat or (self.owner[c] == -1 and self.rules.place_on_neutral)
        ]
        for cell in targets:
            neutral = self.owner[cell] == -1
            if self.lay_cube(cell):
                self.count["cubes_by_place"] += 1
                self.count["neutral_captured"] += neutral

    def remove(self, origin: int) -> None:
        for cell in self.cross(origin):
            if self.owner.get(cell) == 1 - self.seat:
                plain = [i for i in self.spaces[cell] if not self.kind((cell, i))]
                lowest = max(self.spaces[cell])
                if plain and (self.rules.removal_rule == 1 or lowest in plain):
                    self.spaces[cell].remove(max(plain))
                    self.count["cubes_removed"] += 1
                else:
                    self.count["removal_blocked"] += 1
                if not self.spaces[cell]:
                    self.owner[cell] = -1

    def populate(self, origin: int, carrier: int) -> None:
        colour = int(self.rules.colour[self.cards[carrier]])
        for line in self.lines_of(origin):
            cards = [self.cards[c] for c in self.line(line) if c in self.cards]
            same = sum(int(self.rules.colour[card]) == colour for card in cards) + (
                self.border[line] == colour
            )
            self.pop[line] += same * int(self.rules.population_per_card)
            self.count["population_added"] += same * int(self.rules.population_per_card)

    def open_card(self, cells: list[int]) -> bool:
        """An opposing card with cubes, none of them on a bonus space."""
        return any(
            self.owner.get(c) == 1 - self.seat and not any(self.kind((c, i)) for i in self.spaces[c])
            for c in cells
        )

    def vote(self) -> None:
        for line in range(self.rows + self.cols):
            count = [
                sum(len(self.spaces[c]) for c in self.line(line) if self.owner.get(c) == seat)
                for seat in range(2)
            ]
            if count[0] != count[1]:
                self.count["vote_flips"] += self.votes[line] != int(count[1] > count[0])
                self.votes[line] = int(count[1] > count[0])


def paid(rules: Any, module: int, scrap: int) -> int:
    """Cubes of a repair (O7-5.5, O7-5.6)."""
    value = [int(rules.value[c]) for c in (module, scrap)]
    same = rules.colour[module] == rules.colour[scrap]
    n = (
        int(rules.cubes_per_play)
        + int(rules.cubes_same_colour) * same
        + int(rules.cubes_per_overpay) * (value[1] - value[0])
    )
    return min(n, value[0])


def by_procedure(table: Table, answers: list[Bonus | int]) -> Bonus:
    """The next bonus by O7-6.7; questions are answered from the list."""
    pops = [b for b in table.waiting if table.kind(b) == POP]
    if pops:
        return min(pops)
    removes, places = (sorted(b for b in table.waiting if table.kind(b) == kind) for kind in (REMOVE, PLACE))
    if table.rules.bonus_origin == 0:
        if places and removes and table.open_card(table.cross(table.played)):
            return (places, removes)[answers.pop(0)][0]  # type: ignore[index]
    elif len(table.waiting) >= 2 and table.open_card(list(table.cards)):
        return answers.pop(0)  # type: ignore[return-value]
    return (removes or places)[0]


def repair(s: Any, rules: Any, cell: int, choose: Callable[[Table], Bonus]) -> Table:
    """The table after the repair chosen in `s` (decision CELL), carried out to its end."""
    table = Table(s, rules)
    module, scrap = (int(s.hand[s.seat, s[slot]]) for slot in ("sel_module", "sel_scrap"))
    table.cards[cell], table.spaces[cell], table.owner[cell], table.played = module, set(), -1, cell
    for _ in range(paid(rules, module, scrap)):
        table.count["cubes_by_payment"] += table.lay_cube(cell)
    table.count["neutral_plays"] += paid(rules, module, scrap) == 0
    table.count["overpay_points"] += int(rules.value[scrap]) - int(rules.value[module])
    table.count["scrap_same_colour"] += int(rules.colour[scrap] == rules.colour[module])
    while table.waiting:
        table.use(choose(table))
    table.vote()
    return table


def seen(s: Any, rules: Any) -> Outcome:
    """The same facts of a state of the game."""
    return Table(s, rules).outcome()


def at_random(generator: np.random.Generator) -> Callable[[Table], Bonus]:
    """Any pending bonus next."""
    return lambda table: table.waiting[int(generator.integers(len(table.waiting)))]
