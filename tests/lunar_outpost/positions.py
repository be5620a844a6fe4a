"""Positions of Lunar Outpost for given / when / then rows, in the notation of the specification.

    given("18@(-1,1)/0", buildings={4: "0 barricade"}, slots={0: 2}, troops={0: [0, 2]})
        .when("conflict 0")
        .then(building={0: "0 dome"}, troops={0: [0, 0]}, figures=[5, 5], log={"siege_repelled": 1})

The layout for the number of seats after setup, seat s with its dome on starting tile s; then, in the first
argument, more tiles: T@(q,r)/rho + ... at the next board indices (4, 5, ... with two seats). Buildings are
written "seat type", troops by tile as a list over seats, slots by tile as the number of cubes in building slots
or as a pair (building slots, terrain slots). Events that are active are written event: seat that disclosed it.
What is not named is as at the start of a game. The turn of `seat` (0) begins, its second one; with `phase` it
has come to that step: extract, generate, place (the tile is drawn), spend, move.

Actions are words: the phase and the id, or a name for the id:

    setup_dome 1    intel 5, intel done    conflict 4    remove 2       extract 25, extract done
    store 6         generate 0, generate done            tile 1         place_cell 9     place_rot 2
    spend silo, spend recruit, spend intel, spend relocate, spend done  target 4         reloc_src 4
    pay 8           move 24, move done     discard_intel 1

Decisions with one legal id (LO-3.2) that lie before the one that is named are applied without a word.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Self

import numpy as np

from simkit.games.lunar_outpost import game
from simkit.games.lunar_outpost.conflicts import total_defence
from simkit.games.lunar_outpost.events import set_modifiers
from simkit.games.lunar_outpost.facts import (
    ACTIVE,
    BUILDINGS,
    CUBES,
    FACE_UP,
    IN_DECK,
    IN_HAND,
    End,
    Mod,
    Phase,
)
from simkit.games.lunar_outpost.hexes import put_tile
from simkit.games.lunar_outpost.play import begin_turn, go_on
from simkit.games.lunar_outpost.scoring import score
from simkit.games.lunar_outpost.spending import intel_price, price, relocation_price, troop_price
from simkit.games.lunar_outpost.stores import note_stock, put_cube, spendable
from simkit.games.lunar_outpost.troops import place_troops
from simkit.games.lunar_outpost.works import fill_deposit, lift_building, put_building
from tests.of_games import position as positions
from tests.of_games import stepping
from tests.of_games.stepping import copied as copied

TILE = re.compile(r"(\d+)@\((-?\d+),(-?\d+)\)/(\d)")
DONE = {"intel": 10, "extract": 288, "generate": 48, "spend": 0, "move": 288}  # LO-15
SPEND = {name: 1 + kind for kind, name in enumerate(BUILDINGS)} | {"recruit": 7, "intel": 8, "relocate": 9}


def rules_of(options: dict[str, Any] | None = None) -> np.ndarray:
    """The rules record for these options over the defaults, array of length 1."""
    return stepping.rules_of(game, options)


@cache
def _settled(options: stepping.Pairs, seats: int, deal: int) -> tuple[np.ndarray, np.ndarray]:
    """When the starting domes stand: seat s on tile s; lowest starting cards discarded."""
    rules, (states, rng) = rules_of(dict(options)), stepping.start(game, dict(options), seats, deal)
    s = states[0]
    while s.phase in (Phase.setup_dome, Phase.discard_intel):
        action = int(s.seat) if s.phase == Phase.setup_dome else 0
        game.apply(s, rules[0], action, rng[0])
    return states, rng


def settled_start(
    _: Any, options: Any, seats: int, deal: int, files: Any = None
) -> tuple[np.ndarray, np.ndarray]:
    states, rng = _settled(stepping.pairs(options), seats, deal)
    return copied(states), rng.copy()


class Position(positions.Position):
    """A game stepped by hand; without more it stands at the first decision of a game (LO-2.7, LO-2.8)."""

    game, decisions, asks = game, Phase, "phase"

    def __init__(
        self, options: dict[str, Any] | None = None, seats: int = 2, deal: int = 0, settled: bool = False
    ) -> None:
        super().__init__(options, seats, deal, start=settled_start if settled else stepping.start)

    def note(self) -> None:
        super().note()
        self.last = ("", 0)  # phase and id applied last

    @property
    def phase(self) -> str:
        return self.decision

    def apply(self, action: int) -> None:
        last = self.phase, action
        super().apply(action)
        self.last = last

    def is_past(self, phase: str) -> bool:
        """Whether a step was left out because nothing can be done in it: no own excavator, no own troops."""
        if phase == "extract":
            return self.phase == "generate" and self.last[0] not in ("extract", "store", "generate")
        return phase == "move" and self.last == ("spend", DONE["spend"]) and self.phase != "move"

    def paid(self) -> Self:
        """Pay what is paid without asking (LO-9.3)."""
        while self.phase == "pay" and len(self.legal()) == 1:
            self.apply(self.legal()[0])
        return self

    def when(self, *words: str) -> Self:
        """Decisions in words; each must be legal."""
        for text in words:
            phase, _, name = text.partition(" ")
            past = name == "done" and self.is_past(phase)
            while not self.over and self.phase != phase and not past:
                ids = self.legal()
                assert len(ids) == 1, f"{text!r}: seat {self.s.seat} is asked {self.phase} {ids}"
                self.apply(ids[0])
                past = name == "done" and self.is_past(phase)
            if past:
                continue
            assert not self.over, f"{text!r}: the game is over"
            self.apply(action_of(phase, name))
        return self

    def to(self, phase: str, seat: int | None = None) -> Self:
        """Go on to a phase (of a seat): done, else the lowest legal id; or to the end: `over`."""
        for _ in range(20_000):
            here = self.phase == phase or (phase == "extract" and self.is_past(phase))
            if self.over or (here and seat in (None, int(self.s.seat))):
                break
            ids = self.legal()
            done = DONE.get(self.phase)
            self.apply(done if done is not None else ids[0])
        assert self.over == (phase == "over"), f"{phase} was not reached"
        return self

    def end_turn(self) -> Self:
        """Go on to the next turn (its first step that is a decision), or to the end of the game."""
        turn = int(self.s.turn_no)
        while not self.over and int(self.s.turn_no) == turn:
            done = DONE.get(self.phase)
            self.apply(done if done is not None else self.legal()[0])
        return self

    def facts(self) -> dict[str, Any]:
        """Facts that are compared as a whole."""
        s, rules, n = self.s, self.rules, self.seats

        def own(values: Any) -> list[int]:
            return [int(x) for x in values[:n]]

        return {
            "phase": self.phase,
            "seat": int(s.seat),
            "active": int(s.active),
            "turn": int(s.turn_no),
            "turns": own(s.turns),
            "over": self.over,
            "end": End(int(s.log.game.end_reason)).name if self.over else "",
            "rank": own(s.rank),
            "final": own(s.score),
            "score": [int(score(s, rules, seat)) for seat in range(n)],
            "spendable": [int(spendable(s, rules, seat)) for seat in range(n)],
            "figures": own(s.figures),
            "alive": own(s.alive),
            "fallen_in": own(s.fallen_in),
            "hand_n": own(s.hand_n),
            "pile": int(s.pile),
            "stack_n": int(s.stack_n),
            "event_n": int(s.event_n),
            "n_tiles": int(s.n_tiles),
            "drawn": int(s.drawn),
            "buy_left": int(s.buy_left),
            "decided": self.decided,
            "forced": self.forced,
            "building_prices": [int(price(s, rules, kind)) for kind in range(len(BUILDINGS))],
            "relocation_prices": [int(relocation_price(s, rules, kind)) for kind in range(len(BUILDINGS))],
            "troop_price": int(troop_price(s, rules)),
            "intel_price": int(intel_price(s, rules)),
            "events": {
                int(card): int(s.event_owner[c]) for c, card in enumerate(s.active_event) if card >= 0
            },
            "frontier": [int(name) for name in s.cells[: s.n_cells]],
        }

    def named_facts(self) -> dict[str, Callable[[Any], Any]]:
        """Facts that are looked at in part: of each tile, seat or modifier that is named."""
        s, n = self.s, self.seats
        return {
            "building": lambda t: f"{s.bowner[t]} {BUILDINGS[s.btype[t]]}" if s.btype[t] >= 0 else "",
            "slots": lambda t: (int(s.st_b[t]), int(s.st_t[t])),
            "deposits": lambda t: int(s.cubes[t]),
            "troops": lambda t: s.troops[t, :n].tolist(),
            "defence": lambda t: int(total_defence(s, self.rules, t)),
            "unmoved": lambda t: int(s.unmoved[t]),
            "hands": lambda seat: s.hand[seat, : s.hand_n[seat]].tolist(),
            "supply": lambda seat: s.supply[seat].tolist(),
            "removed": lambda seat: s.removed[seat].tolist(),
            "mod": lambda name: int(s.mod[Mod[name]]),
            "where": lambda card: int(s.event_where[card]),
            "tile": lambda t: (int(s.tile_id[t]), int(s.q[t]), int(s.r[t]), int(s.rot[t])),
            "out": lambda tile: int(s.tile_out[tile]),
        }

    def then(self, **expected: Any) -> Self:
        """Compare what is expected, `extract` also where that step was left out; no invariant may be broken."""
        if expected.get("phase") == "extract" and self.is_past("extract"):
            del expected["phase"]
        return super().then(**expected)

    def compared(self, name: str, value: Any, facts: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        if name == "slots":
            value = {t: cubes if isinstance(cubes, tuple) else (cubes, 0) for t, cubes in value.items()}
        yield from super().compared(name, value, facts)


def action_of(phase: str, name: str) -> int:
    """The id that a word means in a phase (LO-15)."""
    if name == "done":
        return DONE[phase]
    if phase == "spend" and name in SPEND:
        return SPEND[name]
    return int(name)


def given(
    tiles: str = "",
    buildings: dict[int, str] | None = None,
    slots: dict[int, int | tuple[int, int]] | None = None,
    deposits: dict[int, int] | None = None,
    troops: dict[int, list[int]] | None = None,
    hands: dict[int, list[int]] | None = None,
    events: dict[int, int] | None = None,
    domeless: list[int] | None = None,
    lost: dict[int, dict[str, int]] | None = None,
    fallen: dict[int, int] | None = None,
    pile: int | None = None,
    draw: list[int] | None = None,
    stack: int | None = None,
    deck: list[int] | None = None,
    deck_n: int | None = None,
    phase: str = "turn",
    seat: int = 0,
    rounds: int = 1,
    seats: int = 2,
    options: dict[str, Any] | None = None,
    deal: int = 0,
) -> Position:
    """A position in the turn of `seat`. `domeless`: seats without their starting dome (the token is out);
    `lost`: tokens out of the game; `fallen`: turn in which a seat was eliminated; `pile`: cubes in the pile,
    the others lie on the first deposit; `draw`: the next tiles; `stack`: so many tiles are left in it, the
    others were discarded; `deck`: the next events; `deck_n`: so many are left; `rounds`: turns that each seat
    has had (those before `seat`: one more); 0 = the first turn."""
    position = Position(options, seats, deal, settled=True)
    s, rules = position.s, position.rules
    _lay_tiles(s, rules, tiles)
    for who in [*(domeless or []), *(fallen or {})]:
        _raze_dome(s, who)
    for t, text in (buildings or {}).items():
        _build(s, t, text)
    _fill(s, slots or {}, deposits or {})
    for t, row in (troops or {}).items():
        for who, n in enumerate(row):
            place_troops(s, who, t, n)
            s.log.game.recruits += n
            s.log.seat[who].troops_recruited += n
    for who, some in (lost or {}).items():
        for name, n in some.items():
            s.supply[who, BUILDINGS.index(name)] -= n
            s.removed[who, BUILDINGS.index(name)] += n
    _deal_cards(s, rules, hands or {}, events or {}, deck, deck_n)
    for who, turn in (fallen or {}).items():
        s.alive[who], s.fallen_in[who] = 0, turn
        s.log.game.eliminated += 1
        s.log.seat[who].eliminated = 1
    _stack_tiles(s, draw or [], stack)
    _count_pile(s, pile)
    _begin(position, phase, seat, rounds)
    return position


def _lay_tiles(s: Any, rules: Any, tiles: str) -> None:
    """Tiles of the notation come out of the stack, deposits with their cubes."""
    for tile, q, r, rotation in ([int(x) for x in result] for result in TILE.findall(tiles)):
        rest = [int(x) for x in s.stack[: s.stack_n] if x != tile]
        s.stack_n = len(rest)
        s.stack[:] = -1
        s.stack[: len(rest)] = rest
        t = put_tile(s, rules, tile, q, r, rotation)
        s.log.game.tiles_placed += 1
        before = int(s.pile)
        fill_deposit(s, rules, t, 0)
        s.log.game.deposits_placed += int(s.pile) < before


def _raze_dome(s: Any, seat: int) -> None:
    """A seat has lost its starting dome."""
    t = int(s.log.seat[seat].start_tile)
    s.pile += s.st_b[t]
    s.st_b[t] = 0
    lift_building(s, t)
    s.removed[seat, 0] += 1
    s.log.game.razed += 1
    s.log.game.razed_of[0] += 1
    s.log.game.siege_equal += 1
    s.log.seat[seat].buildings_lost += 1
    s.log.seat[(seat + 1) % int(s.seats)].buildings_razed += 1


def _build(s: Any, t: int, text: str) -> None:
    who, name = text.split()
    seat, kind = int(who), BUILDINGS.index(name)
    assert int(s.sites) >> t & 1, f"tile {t} has no unoccupied location"
    put_building(s, seat, kind, t)
    s.supply[seat, kind] -= 1
    assert s.supply[seat, kind] >= 0, f"no token of a {name} left"
    s.log.game.build[kind] += 1
    s.log.seat[seat].built += 1
    s.log.seat[seat].built_of[kind] += 1


def _fill(s: Any, slots: dict[int, Any], deposits: dict[int, int]) -> None:
    """Cubes in slots and on deposits."""
    for t, cubes in slots.items():
        s.st_b[t] = s.st_t[t] = 0
        note_stock(s, t)
        for kind, n in enumerate(cubes if isinstance(cubes, tuple) else (cubes, 0)):
            for _ in range(n):
                put_cube(s, t, kind)
    for t, cubes in deposits.items():
        s.cubes[t] = cubes
        s.live = int(s.live) & ~(1 << t) | (cubes > 0) << t


def _count_pile(s: Any, pile: int | None) -> None:
    """The pile has what lies nowhere else, or so many cubes and the first deposit has the others."""
    rest = CUBES - sum(int(part.sum(dtype=int)) for part in (s.cubes, s.st_b, s.st_t))
    if pile is not None:
        s.cubes[int(s.seats)] += rest - pile
        s.live = int(s.live) | 1 << int(s.seats)
        rest = pile
    s.pile = rest


def _deal_cards(
    s: Any, rules: Any, hands: dict[int, Any], events: dict[int, int], deck: list[int] | None, n: int | None
) -> None:
    """Hands in order of purchase, active events, and the deck with the next cards on top."""
    for seat, cards in hands.items():
        for card in cards:
            s.hand[seat, s.hand_n[seat]] = card
            s.hand_n[seat] += 1
            s.event_where[card] = IN_HAND + seat
            s.log.game.intel_bought += 1
            s.log.seat[seat].intel_bought += 1
    for card, owner in events.items():
        category = int(rules.event_category[card])
        assert s.active_event[category] < 0, "two active events of a category"
        s.active_event[category], s.event_owner[category] = card, owner
        s.event_where[card] = ACTIVE
        s.disclosed_vp[owner] += rules.event_points[card]
        s.log.game.disclosed += 1
        s.log.seat[owner].disclosed += 1
    left = [int(card) for card in s.event_deck[: s.event_n] if s.event_where[card] == IN_DECK]
    left = [card for card in left if card not in (deck or [])] + (deck or [])[::-1]
    for card in left[: 0 if n is None else len(left) - n]:
        s.event_where[card] = FACE_UP
    left = left[0 if n is None else len(left) - n :]
    s.event_deck[:] = -1
    s.event_deck[: len(left)] = left
    s.event_n = len(left)
    set_modifiers(s, rules)


def _stack_tiles(s: Any, draw: list[int], n: int | None) -> None:
    """The stack with the next tiles on top; tiles that are too many have been discarded face up."""
    left = [int(tile) for tile in s.stack[: s.stack_n] if tile not in draw]
    assert len(left) + len(draw) == s.stack_n, f"{draw} are not all in the stack"
    left += draw[::-1]
    for tile in left[: 0 if n is None else len(left) - n]:
        s.tile_out[tile] = 1
        s.log.game.tiles_discarded += 1
    left = left[0 if n is None else len(left) - n :]
    s.stack[:] = -1
    s.stack[: len(left)] = left
    s.stack_n = len(left)


def _begin(position: Position, phase: str, seat: int, rounds: int) -> None:
    """The turn begins and comes to its phase; from here on the log is counted."""
    s, rules = position.s, position.rules
    for who in range(position.seats):
        s.turns[who] = s.log.seat[who].turns = rounds + (who < seat)
    s.turn_no = s.log.game.turns = int(s.turns.sum())
    s.active = seat
    s.phase = Phase.none
    steps = {"extract": Phase.extract, "generate": Phase.generate, "place": Phase.generate}
    if phase == "turn":
        go_on(s, rules)
    else:
        begin_turn(s)
        s.phase = steps.get(phase, Phase.spend)
    if phase in ("place", "move"):
        game.apply(s, rules, DONE["generate" if phase == "place" else "spend"], position.rng[0])
    position.note()
    if phase == "move":
        position.last = "spend", DONE["spend"]
    broken = position.problems()
    assert not broken, "\n".join(broken)


class Walk(positions.RandomSteps, Position):
    """A random game, stepped through."""
