"""The reference player once more, in plain Python, straight from the specification (RO-12.2): slow and short."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

from simkit.games.red_outpost.facts import Decision

VISIT = {  # location -> mood of the visitor; of the exceptions below
    0: -1, 1: 1, 2: -1, 3: 2, 4: 0, 5: 0, 6: -1, 7: -2, 8: 1, 9: -1, 10: -2, 11: 1,
}  # fmt: skip
EXCEPT = {(0, 0): 0, (1, 4): 0, (2, 1): 0, (3, 4): -1, (7, 3): 0, (9, 2): 0}
HOST = {1: 4, 5: 5}
MAKES = {0: [0], 2: [1], 7: [3], 10: [1, 0, 2]}
TRACKS = [[4, 3, 3, 2], [4, 3, 3, 2], [5, 4, 3, 2], [3, 3, 2, 2]]
PALACE = [4, 2, 1, 0]


class Plain:
    """The part of a position that matters, with the effects of RO-4 and RO-5 (default numbers)."""

    def __init__(self, s: Any) -> None:
        self.n, self.me = int(s.seats), int(s.seat)
        self.data = SimpleNamespace(
            vp=s.score.tolist(), crystals=s.crystals.tolist(), wheel=s.wheel.tolist(), palace=s.palace.tolist(),
            mood=[int(m) - 5 for m in s.mood], disks=s.infl.tolist(), pcry=s.pcry.tolist(),
            store=s.store.tolist(), epos=s.epos.tolist(), left=int(s.crystals_left), reserve=s.reserve.tolist(),
        )  # fmt: skip

    def value(self, q: int) -> int:
        d = self.data
        worth = 4 * d.vp[q] + 2 * d.crystals[q] + 2 * d.wheel[q]
        for w in range(6):
            influence = [d.disks[p][w] + d.pcry[p][w] for p in range(self.n)]
            if influence[q] > 0 and influence[q] == max(influence):
                worth += 4 * d.mood[w]
        if d.palace[q] > 0:
            worth += 4 * PALACE[sum(d.palace[p] > d.palace[q] for p in range(self.n))]
        return worth

    def m(self) -> int:
        others = sum(self.value(q) for q in range(self.n) if q != self.me)
        return (self.n - 1) * self.value(self.me) - others

    def shift(self, w: int, steps: int) -> None:
        self.data.mood[w] = max(-5, min(5, self.data.mood[w] + steps))

    def crystals(self, n: int) -> None:
        got = min(n, self.data.left)
        self.data.crystals[self.me] += got
        self.data.left -= got

    def pay(self) -> None:
        self.data.crystals[self.me] -= 1
        self.data.left += 1

    def turn(self, n: int) -> None:
        for _ in range(n):
            self.data.wheel[self.me] = (self.data.wheel[self.me] + 1) % 4
            if self.data.wheel[self.me] == 0:
                self.data.vp[self.me] += 2
                self.crystals(1)

    def export(self, t: int) -> None:
        self.data.vp[self.me] += TRACKS[t][self.data.epos[t]]
        self.data.epos[t] = min(3, self.data.epos[t] + 1)

    def add(self, t: int) -> None:
        self.data.store[t] += 1
        if self.data.store[t] == 3:
            self.data.store[t] = 0
            self.export(t)

    def produce(self, t: int) -> None:
        self.add(t)
        self.turn(1)

    def normal(self, w: int, location: int) -> None:
        self.shift(w, EXCEPT.get((location, w), VISIT[location]))
        if location in HOST and HOST[location] != w:
            self.shift(HOST[location], 1)
        for t in MAKES.get(location, []) * (2 if (location, w) == (7, 3) else 1):
            self.produce(t)
        if (location, w) == (5, 5):
            self.crystals(1)

    def swap(self, gains: int, loses: int) -> None:
        self.shift(gains, 1)
        self.shift(loses, -1)

    def disk(self, q: int, source: int, target: int) -> None:
        self.data.disks[q][source] -= 1
        self.data.disks[q][target] += 1


def bonus(plain: Plain, w: int, location: int) -> int:
    if location == 9:
        return 8 if w == 2 else 5
    rich = plain.data.crystals[plain.me] > 0
    return {6: 5, 3: rich, 1: 2 * rich, 4: 2, 5: 2 * (w != 5)}.get(location, 0)


def after(s: Any, *effects: Callable[[Plain], None]) -> int:
    plain = Plain(s)
    for effect in effects:
        effect(plain)
    return plain.m()


def best(ids: Iterable[Any], score: Callable[[Any], int]) -> Any:
    ids = list(ids)
    return max(ids, key=lambda a: (score(a), -ids.index(a)))


def pairs() -> list[tuple[int, int]]:
    return [(g, x) for g in range(6) for x in range(6) if g != x]


def plain_greedy(s: Any, legal: list[int]) -> int:
    """The action of the reference player."""
    kind, me, w = Decision(int(s.decision)), int(s.seat), int(s.cur_w)
    now = after(s)
    if kind is Decision.move:
        return int(best(legal, lambda a: moved(s, a)))
    if kind is Decision.disk:
        return 2 if 2 in legal else 3 if 3 in legal else 0
    if kind is Decision.lake_src:
        return 3 if 3 in legal else 2 if 2 in legal else 0
    if kind in (Decision.lake_pre, Decision.lake_post, Decision.fish_worker, Decision.lunch_down):
        return 0
    if kind in (Decision.beer_gain, Decision.store_gain):
        paid = [Plain.pay] if kind is Decision.beer_gain else []
        pair = best(pairs(), lambda p: after(s, *paid, lambda plain: plain.swap(*p)))
        if not paid:
            return int(pair[0])
        return 1 + int(pair[0]) if after(s, Plain.pay, lambda plain: plain.swap(*pair)) > now else 0
    if kind in (Decision.beer_lose, Decision.store_lose):
        return int(best(legal, lambda a: after(s, lambda plain: plain.swap(int(s.gain_w), a))))
    if kind is Decision.store_opt:
        return int(best(legal, lambda a: stored(s, a)))
    if kind in (Decision.admin_from, Decision.barr_from):
        asleep = {x for x in range(6) if s.wloc[x] == 11}
        may = asleep if kind is Decision.barr_from else set(range(6)) - {w}
        results = [(a, t) for a in legal if a > 0 for t in sorted(may - {(a - 1) % 6})]
        owner = (lambda a: me) if kind is Decision.barr_from else (lambda a: (a - 1) // 6)

        def gain(p: tuple[int, int]) -> int:
            return after(s, lambda plain: plain.disk(owner(p[0]), (p[0] - 1) % 6, p[1]))

        pair = best(results, gain) if results else (0, 0)
        return int(pair[0]) if results and gain(pair) > now else 0
    if kind in (Decision.admin_to, Decision.barr_to):
        q = int(s.adm_q) if kind is Decision.admin_to else me
        return int(best(legal, lambda a: after(s, lambda plain: plain.disk(q, int(s.adm_w), a))))
    return int(best(legal, lambda a: after(s, lambda plain: chosen(plain, s, kind, a))))


def moved(s: Any, action: int) -> int:
    w, location = divmod(action, 12)
    plain = Plain(s)
    b = bonus(plain, w, location)
    if plain.data.reserve[plain.me] > 0:
        plain.data.disks[plain.me][w] += 1
    plain.normal(w, location)
    return plain.m() + (plain.n - 1) * b


def stored(s: Any, action: int) -> int:
    if action == 0:
        return after(s)
    if action < 5:
        return max(after(s, lambda plain, p=p: plain.swap(*p)) for p in pairs())
    if action < 9:
        return after(s, lambda plain: plain.crystals(1))
    return after(s, Plain.pay, lambda plain: plain.add(action - 9))


def chosen(plain: Plain, s: Any, kind: Decision, action: int) -> None:
    d, me, w, location = plain.data, plain.me, int(s.cur_w), int(s.cur_loc)
    if kind is Decision.alt and action == 0:
        plain.normal(w, location)
    elif kind is Decision.alt:
        if location == 7:
            plain.turn(3)
            plain.shift(w, -1)
        else:
            plain.shift(w, 2 if location == 0 else 0)
            plain.crystals(2 if location == 3 else 0)
    elif kind is Decision.palace and action > 0:
        d.crystals[me] -= 1
        if action == 1:
            d.palace[me] += 1
        else:
            d.pcry[me][action - 2] += 1
    elif kind is Decision.farm_res:
        plain.produce(action)
    elif kind is Decision.ship_res:
        plain.add(action)
    elif kind is Decision.ship_export and action > 0:
        d.store = [n - 1 for n in d.store]
        plain.export(action - 1)
    elif kind is Decision.miner_extra and action > 0:
        plain.produce(action - 1)
        plain.shift(3, -1)
    elif kind is Decision.lake_pick:
        card = int(s.lake_held[action])
        for _ in range(card):
            plain.produce(2)
        plain.shift(w, 1 if card == 2 else 0)
    elif kind is Decision.commissar_donate and action > 0:
        d.crystals[me] -= 1
        d.palace[me] += 1
