"""Positions of Red Outpost for given / when / then rows.

    given(at={"fisherman": "lake"}, store={"coal": 2}, wheel=[0, 2], seat=1, phase="morning")
        .when(1, "miner mine")
        .then(store={"coal": 1}, track={"coal": 1}, vp=[5, 10], log={"exports": 1})

Workers, locations, resources and phases are written by name, moods as values of the track, special cards by
number. What is not named is as at the start of a game: workers stand in the Barracks, moods are 0. The phase
is Day 2, as many turns of it are over as workers lie flat, and the seat (0) is to move. Actions are words:

    miner mine                  move                beer farmer, beer nothing   who gains for a crystal
    disk store, release, forgo  cards 6 and 11      worse miner, better miner   who loses, who gains
    alt card, alt normal        cards 1, 4, 8       mood wool, sell wool, buy wool, store nothing
    palace donate, nothing      portrait miner      take 1 farmer, take nothing Administration, then: to miner
    grow fish                   card 3              reshuffle, leave            before or after the lake
    pick coal                   spaceship           draw, fetch 2               card 10: deck, kind discarded
    ship coal, ship nothing     card 7              first, second               lake card
    extra fish, extra nothing   card 16             donate yes, donate no       card 17
    along miner, along nothing  card 15, then:      at mine                     keep 4: CARD_KEEP
    from miner, from nothing    card 12, then: to   down miner, down nothing    card 9

Lists of one legal action are applied without being asked, as in a game (RO-10.1); moves are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import numpy as np

from simkit.chance import open_streams, purposes
from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import Decision, Phase, Stage
from simkit.games.red_outpost.play import go_on

RESOURCES = ["wool", "wheat", "fish", "coal"]
WORKERS = ["shepherd", "farmer", "fisherman", "miner", "commissar", "bureaucrat"]
LOCATIONS = [
    "pasture", "palace", "farm", "beer_house", "storehouse", "administration", "spaceship", "mine",
    "field_kitchen", "lake", "labor_camp", "barracks",
]  # fmt: skip
PHASES = ["morning", "day1", "lunch", "day2", "evening"]
ORDINARY = [name for name in LOCATIONS if name not in ("field_kitchen", "barracks")]

# First word -> kinds of decision, ids of the next word (RO-10.2).
RES = {name: i for i, name in enumerate(RESOURCES)}
MEN = {name: i for i, name in enumerate(WORKERS)}
WORDS: dict[str, tuple[str, dict[str, int]]] = {
    "disk": ("disk", {"normal": 0, "store": 1, "release": 2, "forgo": 3}),
    "alt": ("alt", {"normal": 0, "card": 1}),
    "palace": ("palace", {"nothing": 0, "donate": 1}),
    "portrait": ("palace", {name: 2 + i for name, i in MEN.items()}),
    "grow": ("farm_res", RES),
    "beer": ("beer_gain", {"nothing": 0} | {name: 1 + i for name, i in MEN.items()}),
    "worse": ("beer_lose store_lose", MEN),
    "better": ("store_gain", MEN),
    "store": ("store_opt", {"nothing": 0}),
    "mood": ("store_opt", {name: 1 + i for name, i in RES.items()}),
    "sell": ("store_opt", {name: 5 + i for name, i in RES.items()}),
    "buy": ("store_opt", {name: 9 + i for name, i in RES.items()}),
    "take": (
        "admin_from",
        {"nothing": 0} | {f"{q} {name}": 1 + 6 * q + i for q in range(4) for name, i in MEN.items()},
    ),
    "to": ("admin_to barr_to", MEN),
    "pick": ("ship_res", RES),
    "ship": ("ship_export", {"nothing": 0} | {name: 1 + i for name, i in RES.items()}),
    "leave": ("lake_pre lake_post", {"": 0}),
    "reshuffle": ("lake_pre lake_post", {"": 1}),
    "draw": ("lake_src", {"": 0}),
    "fetch": ("lake_src", {"0": 1, "1": 2, "2": 3}),
    "first": ("lake_pick", {"": 0}),
    "second": ("lake_pick", {"": 1}),
    "extra": ("miner_extra", {"nothing": 0} | {name: 1 + i for name, i in RES.items()}),
    "donate": ("commissar_donate", {"no": 0, "yes": 1}),
    "along": ("fish_worker", {"nothing": 0} | {name: 1 + i for name, i in MEN.items()}),
    "at": ("fish_loc", {name: i for i, name in enumerate(LOCATIONS)}),
    "from": ("barr_from", {"nothing": 0} | {name: 1 + i for name, i in MEN.items()}),
    "down": ("lunch_down", {"nothing": 0} | {name: 1 + i for name, i in MEN.items()}),
    "keep": ("card_keep", {str(n): n - 1 for n in range(1, 19)}),
} | {name: ("move", {place: 12 * i + k for k, place in enumerate(LOCATIONS)}) for name, i in MEN.items()}


Pairs = tuple[tuple[str, Any], ...]


def _pairs(some: dict[str, Any] | None) -> Pairs:
    return tuple(sorted((some or {}).items()))


@cache
def _rules(options: Pairs, files: Pairs) -> np.ndarray:
    return game.rules(dict(options), dict(files))


def rules_of(options: dict[str, Any] | None = None, files: dict[str, Any] | None = None) -> np.ndarray:
    """The rules record for these options over the defaults, array of length 1."""
    return _rules(_pairs(options), _pairs(files))


def move(worker: str, place: str) -> int:
    """The id of a move."""
    return WORDS[worker][1][place]


def moves(workers: str, places: str) -> list[int]:
    """The ids of all moves of these workers to these places."""
    return sorted(move(w, place) for w in workers.split() for place in places.split())


def luck(seed: int, deal: int) -> np.ndarray:
    rng = np.zeros(1, game.rng_dtype)
    open_streams(rng.view(np.uint64), seed, deal, purposes(game.purposes))
    return rng


def copied(states: np.ndarray) -> np.ndarray:
    """A copy (a hundred times faster than field by field)."""
    return np.frombuffer(bytearray(states.tobytes()), game.state_dtype)


@cache
def _start(options: Pairs, files: Pairs, seats: int, deal: int) -> tuple[np.ndarray, np.ndarray]:
    """State and luck at the start of a game; to be copied."""
    states, rng = np.zeros(1, game.state_dtype), luck(1, deal)
    states[0].seats = seats
    game.setup(states[0], _rules(options, files)[0], rng[0])
    return states, rng


def numbers(fields: list[Any], log: Any) -> dict[str, int]:
    """The columns of a log by the names that they have in a table."""
    found = {}
    for field in fields:
        if field.columns:
            found |= dict(zip(field.columns, log[field.name].tolist(), strict=True))
        else:
            found[field.name] = int(log[field.name])
    return found


class Position:
    """A game stepped by hand."""

    def __init__(
        self,
        options: dict[str, Any] | None = None,
        seats: int = 2,
        deal: int = 0,
        files: dict[str, Any] | None = None,
    ) -> None:
        self.rules_array = rules_of(options, files)
        states, rng = _start(_pairs(options), _pairs(files), seats, deal)
        self.states, self.rng = copied(states), rng.copy()
        self.s, self.rules = self.states[0], self.rules_array[0]
        self.ids = np.zeros(game.max_actions, np.int64)
        self.asked = 0  # decisions with more than one legal id
        self.note()

    def note(self) -> None:
        """From here on the log is counted."""
        self.noted = copied(self.states)
        self.asked = 0

    @property
    def seats(self) -> int:
        return int(self.s.seats)

    @property
    def decision(self) -> str:
        return Decision(int(self.s.decision)).name

    @property
    def over(self) -> bool:
        return int(self.s.seat) < 0

    def game_log(self) -> dict[str, int]:
        return numbers(game.game_fields, self.s.log.game)

    def seat_log(self, seat: int) -> dict[str, int]:
        return numbers(game.log.seat, self.s.log.seat[seat])

    def logged(self) -> dict[str, int]:
        """What the log of the game has counted since the position was given."""
        before = numbers(game.game_fields, self.noted[0].log.game)
        return {name: n - before[name] for name, n in self.game_log().items()}

    def seat_logged(self, seat: int) -> dict[str, int]:
        before = numbers(game.log.seat, self.noted[0].log.seat[seat])
        return {name: n - before[name] for name, n in self.seat_log(seat).items()}

    def legal(self) -> list[int]:
        self.ids[:] = -7
        n = game.legal(self.s, self.rules, self.ids)
        found = [int(a) for a in self.ids[:n]]
        assert found == sorted(set(found)) and found, f"{self.decision}: {found}"
        return found

    def apply(self, action: int) -> None:
        """One action, then those that are forced."""
        self.asked += len(self.legal()) > 1
        game.apply(self.s, self.rules, action, self.rng[0])
        while not self.over and self.decision != "move" and len(self.legal()) == 1:
            game.apply(self.s, self.rules, self.legal()[0], self.rng[0])

    def problems(self) -> list[str]:
        return game.problems(self.s, self.rules)

    def when(self, seat: int, *words: str) -> Position:
        """Decisions of a seat, in words; each must be legal."""
        for text in words:
            assert int(self.s.seat) == seat, f"{text!r}: seat {self.s.seat} is to decide ({self.decision})"
            first, _, rest = text.partition(" ")
            kinds, ids = WORDS[first]
            assert self.decision in kinds.split(), f"{text!r}: the decision is {self.decision}"
            action = ids[rest]
            assert action in self.legal(), (
                f"{text!r}: {action} is not legal ({self.decision}): {self.legal()}"
            )
            self.apply(action)
        return self

    def finish(self, until: str = "game") -> Position:
        """Go on to the end of turn, phase, round or game: the lowest move, else the lowest id (nothing)."""
        s = self.s
        at = {
            "turn": lambda: int(s.log.game.turns),
            "phase": lambda: (int(s.round_no), int(s.phase)),
            "round": lambda: int(s.round_no),
            "game": lambda: 0,
        }[until]
        before = at()
        while not self.over and (at() == before or self.decision == "none"):
            self.apply(self.legal()[0])
        return self

    def facts(self) -> dict[str, Any]:
        s, n = self.s, self.seats

        def own(values: Any) -> list[int]:
            return [int(x) for x in values[:n]]

        return {
            "decision": self.decision,
            "seat": int(s.seat),
            "vp": own(s.score),
            "rank": own(s.rank),
            "crystals": own(s.crystals),
            "palace": own(s.palace),
            "reserve": own(s.reserve),
            "wheel": own(s.wheel),
            "card_disk": own(s.card_disk),
            "supply": int(s.crystals_left),
            "round": int(s.round_no),
            "phase": PHASES[int(s.phase)],
            "turn": int(s.turn_no),
            "token": int(s.token),
            "asked": self.asked,
            "lake": int(s.lake_n),
            "lake_discard": [int(x) for x in s.lake_disc],
            "ship": int(s.ship_n),
            "flat": " ".join(name for w, name in enumerate(WORKERS) if s.tired[w]),
        }

    def told(self) -> dict[str, Callable[[], dict[Any, Any]]]:
        """Facts that are looked at in part: of each thing that is named."""
        s, value = self.s, self.rules.mood_value
        return {
            "at": lambda: {
                name: LOCATIONS[place] for name, place in zip(WORKERS, s.wloc.tolist(), strict=True)
            },
            "moods": lambda: {name: int(value[place]) for name, place in zip(WORKERS, s.mood, strict=True)},
            "store": lambda: dict(zip(RESOURCES, s.store.tolist(), strict=True)),
            "track": lambda: dict(zip(RESOURCES, s.epos.tolist(), strict=True)),
            "cards": lambda: {seat: self.cards(seat) for seat in range(self.seats)},
        }

    def cards(self, seat: int) -> list[int]:
        """Special cards of a seat."""
        return [n + 1 for n in range(18) if int(self.s.card_owner[n]) == seat]

    def portraits(self, name: str, seat: int) -> dict[str, int]:
        """Disks (infl) or crystals (pcry) of a seat on portraits."""
        return {worker: int(n) for worker, n in zip(WORKERS, self.s[name][seat], strict=True) if n}

    def then(self, **expected: Any) -> Position:
        """Compare what is expected; no invariant may be broken."""
        found = [
            f"{told}: expected {want!r}, is {now!r}"
            for name, value in expected.items()
            for told, want, now in self._facts(name, value)
            if want != now
        ]
        found += self.problems()
        assert not found, "\n".join(found)
        return self

    def _facts(self, name: str, value: Any) -> Iterator[tuple[str, Any, Any]]:
        if name == "legal":
            yield name, value, self.legal()
        elif name == "log":
            now = self.logged()
            yield from ((f"log {k}", v, now[k]) for k, v in value.items())
        elif name == "seat_log":
            for seat, some in value.items():
                own = self.seat_logged(seat)
                yield from ((f"log {k} of seat {seat}", v, own[k]) for k, v in some.items())
        elif name in ("disks", "portraits"):
            for seat, some in value.items():
                yield f"{name} of {seat}", some, self.portraits({"disks": "infl"}.get(name, "pcry"), seat)
        elif name in self.told():
            now = self.told()[name]()
            yield from ((f"{name} of {k}", v, now[k]) for k, v in value.items())
        else:
            yield name, value, self.facts()[name]


def given(
    at: dict[str, str] | None = None,
    moods: dict[str, int] | None = None,
    flat: str = "",
    disks: dict[int, dict[str, int]] | None = None,
    portraits: dict[int, dict[str, int]] | None = None,
    store: dict[str, int] | None = None,
    put_by: dict[str, list[int]] | None = None,
    track: dict[str, int] | None = None,
    lake: list[int] | None = None,
    ship: list[int] | None = None,
    ship_left: int | None = None,
    cards: dict[int, list[int]] | None = None,
    blocked: tuple[str, str] | None = None,
    crystals: list[int] | None = None,
    palace: list[int] | None = None,
    wheel: list[int] | None = None,
    vp: list[int] | None = None,
    card_disk: list[int] | None = None,
    supply: int | None = None,
    phase: str = "day2",
    round: int = 0,
    turn: int | None = None,
    seat: int = 0,
    seats: int = 2,
    options: dict[str, Any] | None = None,
    files: dict[str, Any] | None = None,
) -> Position:
    """A position in which `seat` is to move. `lake`: the deck in the order of drawing, all other cards are
    discarded; `ship`: the cards on top, the others lie below, or with `ship_left` = 0 in the discard pile;
    `supply`: crystals left (the others are at the Palace of the last seat)."""
    position = Position(options, seats, files=files)
    s, rules = position.s, position.rules
    values = [int(v) for v in rules.mood_value[: int(rules.mood_spaces)]]
    for name, place in (at or {}).items():
        s.wloc[WORKERS.index(name)] = LOCATIONS.index(place)
    for name, value in (moods or {}).items():
        s.mood[WORKERS.index(name)] = values.index(value)
    for name in flat.split():
        s.tired[WORKERS.index(name)] = 1
    for card, owner in ((n, owner) for owner, some in (cards or {}).items() for n in some):
        s.card_owner[card - 1] = owner
    if blocked is not None:
        s.block_morning, s.block_evening = (
            sum(1 << LOCATIONS.index(p) for p in names.split()) for names in blocked
        )
    for name, value in {"crystals": crystals, "palace": palace, "wheel": wheel, "score": vp}.items():
        if value is not None:
            s[name][: len(value)] = value
    if card_disk:
        s.card_disk[: len(card_disk)] = card_disk
    _lay_goods(s, store or {}, put_by or {}, track or {})
    _lay_portraits(s, rules, disks or {}, portraits or {})
    _stack(s, rules, lake, ship, ship_left)
    if int(rules.crystal_supply) > 0:
        held = int(s.crystals.sum() + s.palace.sum() + s.pcry.sum())
        if supply is not None:
            s.palace[seats - 1] += int(rules.crystal_supply) - held - supply
            held = int(rules.crystal_supply) - supply
        s.crystals_left = int(rules.crystal_supply) - held
    else:
        s.crystals_left = -int(s.crystals.sum() + s.palace.sum() + s.pcry.sum())
    s.round_no, s.phase = round, Phase[phase]
    s.turn_no = int(s.tired.sum()) if turn is None else turn
    s.token = (seat - int(s.turn_no)) % seats
    _open_books(s, rules)
    s.stage, s.decision = (Stage.turn, Decision.none)
    go_on(s, rules, position.rng[0])
    position.note()
    assert int(s.seat) == seat, "the phase has no turn for that seat"
    return position


def _lay_goods(s: Any, store: dict[str, int], put_by: dict[str, list[int]], track: dict[str, int]) -> None:
    """Cubes in the storehouse, put there by seat 0 unless told, and on the tracks."""
    for name, n in store.items():
        resource = RESOURCES.index(name)
        s.store[resource] = n
        s.put_by[resource, :n] = put_by.get(name, [0] * n)
    for name, n in track.items():
        s.epos[RESOURCES.index(name)] = n


def _lay_portraits(s: Any, rules: Any, disks: dict[int, Any], portraits: dict[int, Any]) -> None:
    for name, some in (("infl", disks), ("pcry", portraits)):
        for seat, on in some.items():
            for worker, n in on.items():
                s[name][seat, WORKERS.index(worker)] = n
    for seat in range(int(s.seats)):
        s.reserve[seat] = int(rules.disks[s.seats]) - int(s.infl[seat].sum()) - int(s.card_disk[seat])
        assert s.reserve[seat] >= 0, "more disks than a seat has"


def _stack(s: Any, rules: Any, lake: list[int] | None, ship: list[int] | None, left: int | None) -> None:
    if lake is not None:
        s.lake_deck[:] = -1
        s.lake_deck[: len(lake)] = lake[::-1]
        s.lake_n = len(lake)
        s.lake_disc[:] = rules.lake_count - np.bincount(np.array(lake, np.int64), minlength=3)
        assert s.lake_disc.min() >= 0
    if ship is not None:
        rest = rules.ship_count - np.bincount(np.array(ship, np.int64), minlength=11)
        assert rest.min() >= 0
        below = [] if left == 0 else np.repeat(np.arange(11), rest).tolist()
        s.ship_deck[:] = -1
        s.ship_deck[: len(below) + len(ship)] = [*below, *ship[::-1]]
        s.ship_n = len(below) + len(ship)
        s.ship_disc[:] = rest if left == 0 else 0


def _open_books(s: Any, rules: Any) -> None:
    """Log and position agree: the turns that are over, cubes, points of whatever source."""
    n, log = int(s.seats), s.log.game
    day = 6 // n * n if int(rules.day_turns) else 6
    lengths = [n, day, n, day, n]
    log.turns = int(s.round_no) * sum(lengths) + sum(lengths[: int(s.phase)]) + int(s.turn_no)
    log.exports = int(s.epos.sum())
    log.exports_of[:] = s.epos
    log.produced[3] = int(s.wheel.sum())
    missing = int(log.exports) * int(rules.export_threshold) + int(s.store.sum()) - int(s.wheel.sum())
    log.added[3], log.store_to_crystal = max(missing, 0), max(-missing, 0)
    for seat in range(n):
        s.log.seat[seat].vp_wheel = int(s.score[seat]) - int(rules.seat_vp[seat])


class Walk(Position):
    """A random game, stepped through."""

    def __init__(self, options: dict[str, Any] | None = None, seats: int = 2, deal: int = 0) -> None:
        super().__init__(options, seats, deal)
        self.luck = Random(deal)

    def steps(self) -> Iterator[tuple[str, int, list[int], int]]:
        """Every decision, before it is applied: kind, seat, legal ids, the id that will be chosen."""
        while not self.over:
            ids = self.legal()
            action = self.luck.choice(ids)
            yield self.decision, int(self.s.seat), ids, action
            game.apply(self.s, self.rules, action, self.rng[0])

    def to_the_end(self) -> Walk:
        for _ in self.steps():
            pass
        return self
