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

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from simkit.games.red_outpost import game
from simkit.games.red_outpost.facts import Decision, Phase, Stage
from simkit.games.red_outpost.play import go_on
from tests.of_games import position as positions
from tests.of_games import stepping
from tests.of_games.stepping import copied as copied
from tests.of_games.stepping import numbers as numbers

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


def rules_of(options: dict[str, Any] | None = None, files: dict[str, Any] | None = None) -> np.ndarray:
    """The rules record for these options over the defaults, array of length 1."""
    return stepping.rules_of(game, options, files)


def move(worker: str, place: str) -> int:
    """The id of a move."""
    return WORDS[worker][1][place]


def moves(workers: str, places: str) -> list[int]:
    """The ids of all moves of these workers to these places."""
    return sorted(move(w, place) for w in workers.split() for place in places.split())


def luck(seed: int, deal: int) -> np.ndarray:
    return stepping.luck(game, seed, deal)


class Position(positions.Position):
    """A game stepped by hand."""

    game, decisions = game, Decision

    def note(self) -> None:
        """From here on the log is counted, and decisions with more than one legal id."""
        super().note()
        self.decided = 0

    def apply(self, action: int) -> None:
        """One action, then those that are forced."""
        self.decided += len(self.legal()) > 1
        game.apply(self.s, self.rules, action, self.rng[0])
        while not self.over and self.decision != "move" and len(self.legal()) == 1:
            game.apply(self.s, self.rules, self.legal()[0], self.rng[0])

    def when(self, seat: int, *words: str) -> Self:
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

    def finish(self, until: str = "game") -> Self:
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
            "decided": self.decided,
            "lake": int(s.lake_n),
            "lake_discard": [int(x) for x in s.lake_disc],
            "ship": int(s.ship_n),
            "flat": " ".join(name for w, name in enumerate(WORKERS) if s.tired[w]),
        }

    def named_facts(self) -> dict[str, Callable[[Any], Any]]:
        """Facts that are looked at in part: of each thing that is named."""
        s, value = self.s, self.rules.mood_value
        return {
            "at": lambda name: LOCATIONS[s.wloc[WORKERS.index(name)]],
            "moods": lambda name: int(value[s.mood[WORKERS.index(name)]]),
            "store": lambda name: int(s.store[RESOURCES.index(name)]),
            "track": lambda name: int(s.epos[RESOURCES.index(name)]),
            "cards": self.cards,
            "disks": lambda seat: self.portraits("infl", seat),
            "portraits": lambda seat: self.portraits("pcry", seat),
        }

    def cards(self, seat: int) -> list[int]:
        """Special cards of a seat."""
        return [n + 1 for n in range(18) if int(self.s.card_owner[n]) == seat]

    def portraits(self, name: str, seat: int) -> dict[str, int]:
        """Disks (infl) or crystals (pcry) of a seat on portraits."""
        return {worker: int(n) for worker, n in zip(WORKERS, self.s[name][seat], strict=True) if n}


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


class Walk(positions.RandomSteps, Position):
    """A random game, stepped through."""
