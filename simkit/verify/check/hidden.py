"""Hidden information: states redealt from a view against the true state, and against what a seat saw before.

Each game is walked to a random position. `redeal` fills the view of a random seat there several times. Where
play says nothing about the hidden (seats that choose at random do not choose by what they know), the true
state is as likely as a redealt one, so each of the following is a fault:

* a redealt state breaks an invariant of the game (`problems`);
* all redealt states agree on a hidden value, but the true one is another: the seat is certain of what is
  false, such as a card that it was shown and that has been played since;
* what was certain earlier in the game (redealt states agreed on it), and still holds in every game that
  begins as one redealt then, and looks the same to the seat until now, is drawn at random now;
* an open value never occurs together with a hidden one in true states, but often does in redealt ones, or
  the other way round (`Pairs`, with its error rate).
"""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game, no_problems
from simkit.engine.rng import open_streams
from simkit.engine.rule_helpers import OVER
from simkit.engine.table import GameTable
from simkit.errors import PlayError
from simkit.verify.check.walking import GARBAGE, Array, Walk, calling, copy_state, lines_at_most, place

PAIR_GAMES, GAMES = 800, 300  # most games for pairs of values, and for all else
STEPS_A_GAME, LONGEST = 10, 40  # mean and most actions of a game
BUDGET = 20_000_000  # lines of Python; games with long rules get fewer games
QUICK_BUDGET = BUDGET // 2  # less would rarely reach the games that a fault in pairs of values takes
REDEALS, MORE, CONFIRMATIONS = 4, 12, 1_000  # redealt states of each view; more where a fault is suspected
BACK, TRIES, ATTEMPTS = 4, 10, 5  # see `Memory`: actions back, actions tried for a step, attempts for a game
TWINS = 100  # games of a memory that must agree
MEMORIES = 60  # suspicions of a field that are followed
DOUBT = 0.1  # share of redealt states that contradict what a seat knows
SAME, OTHER = "the same", "another"
SMALL, MOST_PAIRS = 32, 20_000  # fields whose places are paired one by one; pairs of one state
ERROR_RATE = 0.002  # right games in which pairs of values raise a false alarm


class Knowledge(NamedTuple):
    """A seat at a position: its view, and states redealt from it as rows of numbers."""

    walk: Walk
    seat: int
    view: Array
    redealt: list[Array]
    numbers: np.ndarray  # int64[redealt state, place]

    @property
    def certain(self) -> np.ndarray:
        """Whether all redealt states have the same number, by place."""
        return np.asarray((self.numbers == self.numbers[0]).all(axis=0))


class Places:
    """The whole numbers of the state as one row; fields that `observe` never writes are left out."""

    def __init__(self, game: Game, unseen: set[str]) -> None:
        kinds = game.state_dtype
        self.fields = [name for name in game.state_fields if kinds[name].base.kind in "iu"]
        self.fields = [name for name in self.fields if name not in unseen]
        self.shapes = {name: kinds[name].shape for name in self.fields}
        places = [(name, place) for name in self.fields for place in np.ndindex(*self.shapes[name])]
        self.of = [name for name, _ in places]
        self.names = [name + "".join(f"[{i}]" for i in place) for name, place in places]  # as `hand[1][3]`
        self.seats = [self._seat(place, self.shapes[name], game.max_seats) for name, place in places]
        self.sizes = [self.of.count(name) for name in self.of]
        self.own = np.isin(self.of, [field.name for field in game.state])

    def numbers(self, states: Array) -> np.ndarray:
        """Return the numbers of a state, int64[place]."""
        return np.concatenate([states[name].ravel() for name in self.fields], dtype=np.int64)

    def _seat(self, place: tuple[int, ...], shape: tuple[int, ...], seats: int) -> int:
        """Return the seat that a place is about, by its last axis as long as there are seats, or −1."""
        return next((i for i, n in zip(place[::-1], shape[::-1], strict=True) if n == seats), -1)


def _unseen_fields(game: Game) -> set[str]:
    """Return the fields that `observe` never writes, to judge by the first position."""
    walk = Walk(GameTable(game, game.rules()))
    next(walk.positions(0, game.seats[0]))
    view = walk.view(walk.states, 0, over=GARBAGE)
    contents = {name: view[name].tobytes() for name in game.state_fields}
    return {name for name, raw in contents.items() if raw == bytes([GARBAGE]) * len(raw)}


class Hidden:
    """Inspection of what a game hides, over many games."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game, self.unseen, self.seed = game, _unseen_fields(game), seed
        self.places, self.pairs = Places(game, self.unseen), Pairs()
        self.looked_at, self.spent, self.memory = 0, 0, 0  # games; lines spent, and lines left for memories
        self.lines: dict[str, int] = {}  # of Python that a call runs, by function
        self.memories = Counter[tuple[str, bool]]()
        self.shown = Counter[tuple[int, int]]()  # places with their numbers in the views chosen for `pairs`

    def faults(self, settings: list[dict[str, Any]], budget: int = BUDGET) -> Iterator[str]:
        """Yield the first problem of a game, else that of all games together."""
        for number in range(PAIR_GAMES):
            history, walk, _, _ = self._history(settings, number)
            if history:
                self._count_pairs(walk, history)
            if self.spent > budget // 3:
                break
        self.memory = budget // 3
        for number in range(PAIR_GAMES, PAIR_GAMES + GAMES):
            if self.spent > budget:
                break
            history, walk, where, luck = self._history(settings, number)
            self.looked_at += 1
            if problem := next(self._look(walk, history, luck), ""):
                yield f"{problem} {where}"
                return
        yield from self.pairs.faults(self.game)

    def _history(
        self, settings: list[dict[str, Any]], number: int
    ) -> tuple[list[tuple[Array, int]], Walk, str, random.Random]:
        """Return states and the actions that led to them, up to a random position of a random game."""
        setting = {} if number % 2 else settings[number // 2 % len(settings)]
        luck = random.Random(f"{self.seed} {number}")
        walk, (low, high) = Walk(GameTable(self.game, self.game.rules(setting))), self.game.seats
        walk.stream[0] = luck.getrandbits(60)
        deal, seats = 100_000 * self.seed + number, low + number // 2 % (high - low + 1)
        steps, history = min(LONGEST, int(luck.expovariate(1 / STEPS_A_GAME))), list[tuple[Array, int]]()
        where = f"({setting or 'rulebook options'}, deal {deal}, {seats} seats)"
        try:
            for _ in walk.positions(deal, seats):
                if walk.s.seat == OVER:
                    break
                history.append((copy_state(walk.states), walk.last[1][0] if history else -1))
                if len(history) > steps:
                    break
        except PlayError as error:
            raise PlayError(f"{error} {where}") from error
        return history, walk, where, luck

    def call(self, walk: Walk, name: str, states: Array, *arguments: Any) -> Any:
        """Call a function of the game, and count its lines."""
        if name not in self.lines:
            with lines_at_most(10**7) as count:
                result = walk.call(name, states, *arguments)
            self.lines[name] = 5 + count()
        else:
            result = walk.call(name, states, *arguments)
        self.spent += self.lines[name]
        return result

    def view(self, walk: Walk, states: Array, seat: int) -> Array:
        """Return what a seat sees."""
        views = np.zeros(1, self.game.state_dtype)
        self.call(walk, "observe", states, seat, views[0])
        return views

    def redealt(self, walk: Walk, view: Array, seat: int) -> Array:
        """Return a state redealt from a view."""
        states = copy_state(view)
        self.call(walk, "redeal", states, seat, walk.stream)
        return states

    def knowledge(self, walk: Walk, states: Array, seat: int, redeals: int = REDEALS) -> Knowledge:
        """Return what a seat sees, and states redealt from it."""
        view = self.view(walk, states, seat)
        redealt = [self.redealt(walk, view, seat) for _ in range(redeals)]
        return Knowledge(walk, seat, view, redealt, np.array([self.places.numbers(s) for s in redealt]))

    def _look(self, walk: Walk, history: list[tuple[Array, int]], luck: random.Random) -> Iterator[str]:
        """Yield the problems of what a random seat sees along a history."""
        if not history:
            return
        seat = luck.randrange(int(history[0][0][0].seats))
        course = [self.knowledge(walk, states, seat) for states, _ in history]
        for now, (states, _) in zip(course, history, strict=True):
            yield from self._broken(now, states)
            yield from self._certain_of_false(now, states)
        for index in range(1, len(history)):
            back = luck.randint(1, min(BACK, index))
            for start, holds in ((index - back, True), (index - 1, False)):
                part = history[start : index + 1]
                yield from self._forgotten(course[start], course[index], part, holds)

    def _count_pairs(self, walk: Walk, history: list[tuple[Array, int]]) -> None:
        """Count pairs at the position and seat whose view shows the rarest numbers so far.

        The view alone selects them, so that the true state remains as likely as a redealt one.
        """
        best, chosen = -1.0, (history[0][0], 0)
        for states, _ in history:
            for seat in range(int(states[0].seats)):
                pairs = enumerate(self.places.numbers(self.view(walk, states, seat)).tolist())
                if (score := max(1 / (1 + self.shown[pair]) for pair in pairs)) >= best:
                    best, chosen = score, (states, seat)
        now = self.knowledge(walk, *chosen)
        self.shown.update(enumerate(self.places.numbers(now.view).tolist()))
        self.pairs.add(self.places, now, self.places.numbers(chosen[0]))

    def _broken(self, now: Knowledge, states: Array) -> Iterator[str]:
        """Yield the first broken invariant of a redealt state, which gets the true log."""
        if self.game.problems is no_problems:
            return
        state = copy_state(now.redealt[0])
        for name in ["log", *self.unseen]:
            if name == "log" or state[name].tobytes() == now.view[name].tobytes():
                state[name] = states[name]
        with calling("problems"):
            problems = list(self.game.problems(state[0], now.walk.table.rules[0]))
        if problems:
            impossible = f"a state redealt from what seat {now.seat} sees is impossible"
            yield f"{impossible}: {problems[0]}{place(self.game.redeal)}"

    def _certain_of_false(self, now: Knowledge, states: Array) -> Iterator[str]:
        """Yield the first place that `redeal` always fills with the same number, but not the true one."""
        truth, view = self.places.numbers(states), self.places.numbers(now.view)
        suspects = now.certain & self.places.own & (now.numbers[0] != truth) & (now.numbers[0] != view)
        if not suspects.any():
            return
        for redeals in (MORE, CONFIRMATIONS):
            suspects &= self.knowledge(now.walk, states, now.seat, redeals).certain
            if not suspects.any():
                return
        for index in np.flatnonzero(suspects):
            if self._matters(now.walk, states, int(index), int(now.numbers[0][index])):
                number = now.numbers[0][index]
                fault = f"seat {now.seat}: redeal always makes {self.places.names[index]} {number}"
                cure = f"draw it at random, or clear the field of the view that still says {number}"
                yield f"{fault}, but it is {truth[index]}: {cure}{place(self.game.redeal)}"
                return

    def _matters(self, walk: Walk, states: Array, index: int, number: int) -> bool:
        """Return whether another number at a place leads to another course of the game in some playout."""
        changed, name = copy_state(states), self.places.of[index]
        flat = changed[name].reshape(-1)
        flat[index - self.places.of.index(name)] = number
        changed[name] = flat.reshape(changed[name].shape)
        return any(_course(walk, states, luck) != _course(walk, changed, luck) for luck in range(6))

    def _forgotten(
        self, before: Knowledge, now: Knowledge, history: list[tuple[Array, int]], holds: bool
    ) -> Iterator[str]:
        """Yield the first place of which the seat was certain, but `redeal` is not, without a reason.

        The earlier value still holds (the view forgets it), or it never does where the view hides it.
        """
        values, truth = before.numbers[0], self.places.numbers(history[-1][0])
        suspects = before.certain & ~now.certain & self.places.own & ((truth == values) == holds)
        for index in np.flatnonzero(suspects):
            suspects[index] = self.memories[self.places.of[index], holds] < MEMORIES
        if not suspects.any() or self.memory < 0:
            return
        begun, walk = self.spent, now.walk
        before, now = (
            self.knowledge(walk, states, now.seat, MORE) for states in (history[0][0], history[-1][0])
        )
        shares = (now.numbers == values).mean(axis=0)
        suspects &= before.certain & (shares <= 1 - DOUBT if holds else shares >= DOUBT)
        if not suspects.any():
            return
        self.memories.update({(self.places.of[index], holds) for index in np.flatnonzero(suspects)})
        memory = Memory(self, now, history)
        count = 0
        for twin in memory.twins():
            suspects &= (self.places.numbers(twin) == values) == holds
            count += 1
            if count == TWINS or not suspects.any():
                break
        self.memory -= self.spent - begun
        if count < TWINS or not (holds or memory.hides_what_is_kept()):
            return
        # A few redealt states may differ by luck alone from what rarely differs; many do not.
        now = self.knowledge(walk, history[-1][0], now.seat, 2 * TWINS)
        shares = (now.numbers == values).mean(axis=0)
        suspects &= shares <= 1 - DOUBT if holds else shares >= DOUBT
        for index in np.flatnonzero(suspects)[:1]:
            earlier = f"seat {now.seat} knew that {self.places.names[index]} was {values[index]}"
            yield f"{earlier}, {self._forgets() if holds else self._leaks()}"

    def _forgets(self) -> str:
        """Return why a seat does not know any more what still holds."""
        draw = f"redeal must use what the view shows of it{place(self.game.redeal)}"
        show = f"observe must still show it, in a field of the state{place(self.game.observe)}"
        return f"which it still is, but redeal draws it at random: {draw}, or {show}"

    def _leaks(self) -> str:
        """Return how hiding a number tells that it has changed."""
        both = "show it in both cases, or hide it in both"
        return f"which its view hides only if it has changed, and so tells: {both}{place(self.game.observe)}"


class Memory:
    """Games that begin as one redealt from an earlier view and look the same to the seat since.

    The other seats choose at random, as they did in the true game, and luck is drawn anew.
    """

    def __init__(self, hidden: Hidden, now: Knowledge, history: list[tuple[Array, int]]) -> None:
        self.hidden, self.walk, self.seat, self.history = hidden, now.walk, now.seat, history
        self.views = [hidden.view(now.walk, states, now.seat).tobytes() for states, _ in history]
        self.luck = random.Random(now.view.tobytes())

    def twins(self) -> Iterator[Array]:
        """Yield the states of such games after the last action, while they are not too rare."""
        twins = 0
        for attempt in range(ATTEMPTS * TWINS):
            if attempt > ATTEMPTS * (4 + twins):
                return
            if (twin := self._twin()) is not None:
                twins += 1
                yield twin

    def hides_what_is_kept(self) -> bool:
        """Return whether another last action leads to this view, but with a number that it blanks."""
        (before, _), (after, _) = self.history[-2:]
        old, new = (self._numbers(states) for states in (before, after))
        blanked = (old >= 0) & (new < 0)
        if not blanked.any() or before[0].seat == self.seat:
            return False
        expected = np.where(blanked, old, new)
        for _ in range(ATTEMPTS):
            states = self.hidden.redealt(self.walk, self.hidden.view(self.walk, before, self.seat), self.seat)
            for action in self.luck.sample(ids := self.walk.legal(states).tolist(), min(TRIES, len(ids))):
                other = self._after(states, action)
                if other is not None and (self._numbers(other) == expected).all():
                    return True
        return False

    def _numbers(self, states: Array) -> np.ndarray:
        """Return the numbers that the seat sees."""
        return self.hidden.places.numbers(self.hidden.view(self.walk, states, self.seat))

    def _twin(self) -> Array | None:
        """Return one such game, None if it does not come to look the same."""
        view = self.hidden.view(self.walk, self.history[0][0], self.seat)
        states: Array | None = self.hidden.redealt(self.walk, view, self.seat)
        steps = zip(self.history, self.history[1:], self.views[1:], strict=False)
        for (before, _), (_, action), view_after in steps:
            if states is None or states[0].seat != before[0].seat:
                return None
            own = before[0].seat == self.seat
            candidates = [action] if own else self._candidates(states, action)
            after = (self._after(states, candidate) for candidate in candidates)
            states = next((s for s in after if s is not None and self._shows(s, view_after)), None)
        return states

    def _candidates(self, states: Array, action: int) -> list[int]:
        """Return actions in random order, with that of the true game among them if it is legal."""
        ids = self.walk.legal(states).tolist()
        if action not in ids:
            return []
        others = self.luck.sample([i for i in ids if i != action], min(TRIES - 1, len(ids) - 1))
        return self.luck.sample([action, *others], len(others) + 1)

    def _after(self, states: Array, action: int) -> Array | None:
        """Return the state after an action with other luck, None where it fails."""
        after, rng = copy_state(states), np.zeros(1, self.hidden.game.rng_dtype)
        open_streams(rng.view(np.uint64), self.luck.getrandbits(60), 0, self.walk.table.names)
        try:
            if action not in self.walk.legal(states):
                return None
            self.hidden.call(self.walk, "apply", after, action, rng[0])
        except PlayError:
            return None
        return after

    def _shows(self, states: Array, view: bytes) -> bool:
        return self.hidden.view(self.walk, states, self.seat).tobytes() == view


def _course(walk: Walk, states: Array, luck: int) -> list[bytes]:
    """Return legal actions, views and result of a random playout, up to an error."""
    twin, course = walk.branch(states), list[bytes]()
    try:
        for ids in twin.onward(random.Random(luck), LONGEST):
            views = [twin.view(twin.states, seat) for seat in range(int(twin.s.seats))]
            course += [ids.tobytes(), *(view.tobytes() for view in views)]
    except PlayError as error:
        course.append(str(error).encode())
    return course


class Pairs:
    """Pairs of an open and a hidden value, counted in true states and in redealt ones: one of each per game.

    If the true state is as likely as a redealt one, a pair that only one of the two has is in either with
    chance 1/2: the exact form of McNemar's test ("Note on the sampling error of the difference between
    correlated proportions", Psychometrika 12, 1947). A pair is a fault only if one side never has it, so that
    what choices say about the hidden does not matter. Tarone's correction ("A modified Bonferroni method for
    discrete data", Biometrics 46, 1990) keeps the chance of a false alarm in a right game below ERROR_RATE:
    pairs too rare to reach significance do not count.
    """

    def __init__(self) -> None:
        self.true, self.redealt = set[Any](), set[Any]()  # pairs that any true, any redealt state has
        self.differ = Counter[Any]()  # games in which one of the two has a pair

    def add(self, places: Places, now: Knowledge, truth: np.ndarray) -> None:
        """Count the pairs of one game."""
        view = places.numbers(now.view)
        others = now.numbers[1:]  # which owe nothing to the state compared with the true one
        drawn = places.own & (others != view).all(axis=0) & (others != others[0]).any(axis=0)
        is_open = places.own & (others == view).all(axis=0)
        if not drawn.any():
            return
        true, redealt = (_pairs(places, view, is_open, drawn, numbers) for numbers in (truth, now.numbers[0]))
        self.true |= true
        self.redealt |= redealt
        self.differ.update(true ^ redealt)

    def faults(self, game: Game) -> Iterator[str]:
        """Yield the most certain pair that only true states, or only redealt ones, ever have."""
        needed, both = _discordant(self.differ.values()), self.true & self.redealt
        pair = max(
            (p for p, n in self.differ.items() if n >= needed and p not in both),
            key=lambda p: (self.differ[p], str(p)),
            default=None,
        )
        if pair is not None:
            shown, value, hidden, number = pair
            fault, count = f"where {shown} shows {value}, {hidden} is {number}", self.differ[pair]
            if pair in self.redealt:
                use, hide = f"redeal must use what {shown} says", f"observe must hide {shown}"
                cure = f"{use}{place(game.redeal)}, or {hide}{place(game.observe)}"
                yield f"{fault} in {count} redealt states, but in no true one: {cure}"
            else:
                cure = f"redeal must be able to deal it{place(game.redeal)}"
                yield f"{fault} in {count} true states, but in no redealt one: {cure}"


def _pairs(
    places: Places, view: np.ndarray, is_open: np.ndarray, drawn: np.ndarray, numbers: np.ndarray
) -> set[Any]:
    """Return the pairs of a state: open value and hidden value, by field and in small fields by place."""
    opened, hidden = set[Any](), set[Any]()
    shown, drawn_places = np.flatnonzero(is_open), np.flatnonzero(drawn)
    for names, chosen, values in ((opened, shown, view), (hidden, drawn_places, numbers)):
        for index in chosen.tolist():
            names.add((places.of[index], int(values[index])))
            if places.sizes[index] <= SMALL:
                names.add((places.names[index], int(values[index])))
    if len(opened) * len(hidden) > MOST_PAIRS:
        return set()
    pairs = {(*of_view, *of_state) for of_view in opened for of_state in hidden}
    for i in shown[view[shown] >= 0].tolist():  # negative numbers are nobody and nothing
        for j in drawn_places.tolist():
            same = SAME if view[i] == numbers[j] else OTHER
            pairs.add((places.of[i], "a number", places.of[j], same))
            if places.seats[i] >= 0 and places.seats[i] == places.seats[j]:
                pairs.add((f"{places.of[i]} of a seat", "a number", f"{places.of[j]} of that seat", same))
            if max(places.sizes[i], places.sizes[j]) <= SMALL:
                pairs.add((places.names[i], "a number", places.names[j], same))
    return pairs


def _discordant(counts: Any) -> int:
    """Return the fewest differing games at which a pair found on one side only is a fault.

    >>> _discordant([30, 30, 2, 2, 2])
    11
    """
    sizes, needed = np.array(sorted(counts)), 1
    while 2 * 0.5**needed * max(1, int((sizes >= needed).sum())) > ERROR_RATE:
        needed += 1
    return needed
