"""Those who plan sets of modules, in plain Python, straight from the specification (EX-17, no. 8 and 10)."""

from itertools import combinations
from typing import Any

from .plain_greedy import ALL, MODULES, Plain, best


class PlainBrinkman(Plain):
    """Feeds a supply only if the update would bring the level to the edge."""

    edge = 0

    def urgent(self, amount: int) -> int | None:
        level = sum(self.supply[r] + self.prod[r] <= 0 for r in ALL)
        level += sum(self.s.slot_emerg[: self.s.slots])
        track = [int(self.rules[f"track_{n}"]) for n in range(8)]
        skull = track.index(0) if 0 in track else 8
        return super().urgent(amount) if level >= (self.edge or skull) else None


class PlainPlanner(PlainBrinkman):
    card = 2

    def together(self, cards: tuple[int, ...]) -> list[int]:
        return [sum(self.effect(c)[r] for c in cards) for r in ALL]

    def worth(self, p: int, hand: list[int], cards: tuple[int, ...]) -> int:
        delta = self.together(cards)
        total = sum(
            self.missing(self.sub(p), [h for h in hand if h == c or h not in cards], c) for c in cards
        )
        return self.gain(delta) - 2 * self.card * total + (2000 if self.wins(delta) else 0)

    def best_set(self, p: int, hand: list[int]) -> tuple[int, ...]:
        modules = sorted(c for c in hand if c in MODULES)
        sets = [cards for n in (1, 2, 3) for cards in combinations(modules, n)]
        sets = [cards for cards in sets if self.within(self.together(cards))]
        worths = {cards: self.worth(p, hand, cards) for cards in sets}
        sets = [cards for cards in sets if worths[cards] >= 2]
        return min(sets, key=lambda cards: (-worths[cards], len(cards), cards), default=())

    def target(self, p: int, hand: list[int]) -> int | None:
        def order(c: int) -> tuple[int, int, int]:
            return self.missing(self.sub(p), hand, c), -self.gain(self.effect(c)), c

        return min(self.fitting(self.best_set(p, hand)), key=order, default=None)

    def best_deploy(self, sub: int) -> int | None:
        usual = super().best_deploy(sub)
        if usual is None or self.wins(self.effect(usual)):
            return usual
        members = [
            c
            for c in self.fitting(self.best_set(self.me, self.hand))
            if self.missing(sub, self.hand, c) == 0 and self.gain(self.effect(c)) >= 2
        ]
        return best(members, self.score) if members else usual


def brinkman(view: Any, rules: Any, legal: list[int]) -> int:
    return PlainBrinkman(view, rules, legal).choose()


def set_planner(view: Any, rules: Any, legal: list[int]) -> int:
    return PlainPlanner(view, rules, legal).choose()
