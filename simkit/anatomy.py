"""What a strategy deals with in a game: the fields of its view, the action ids, the streams of luck."""

import re
from typing import NamedTuple

import numpy as np

from simkit.check.walking import Walk
from simkit.errors import UsageError
from simkit.fields import Field
from simkit.game import Game
from simkit.kernel import Table
from simkit.perspective import Perspective

GAMES, POSITIONS = 3, 200  # random games, and positions of each, at which all seats look
AXES = re.compile(r" ?\[([\w, -]+)\]$")
SEES = {"all": "all seats", "own": "some seats, or each its own part", "none": "nobody"}
DRAWN = {"deal": "when the game is set up", "nature": "during play"}


class FieldSeen(NamedTuple):
    """A field of the state, and who sees it."""

    field: str
    type: str
    shape: list[int]
    axes: list[str]
    meaning: str  # with its unit
    seen_by: str  # a key of SEES

    @property
    def row(self) -> dict[str, str]:
        """The field as a row of a table: `hand  int8[seat 2, slot 10]  its seat  Cards in hand`."""
        sizes = [f"{axis} {size}" for axis, size in zip(self.axes, self.shape, strict=False)] or map(
            str, self.shape
        )
        shape = f"[{', '.join(sizes)}]" if self.shape else ""
        return {
            "field": self.field,
            "type": self.type + shape,
            "seen by": SEES[self.seen_by],
            "meaning": self.meaning,
        }


class Choice(NamedTuple):
    """A legal action at a position."""

    action: int
    meaning: str


class Stream(NamedTuple):
    """A stream of luck, as the rules name it."""

    stream: str
    drawn: str


def fields(game: Game, rules: np.ndarray) -> list[FieldSeen]:
    """The fields of the state but for the log; what is hidden is found out in random games."""
    table, hidden = Table(game, rules), dict[str, set[str]]()
    declared = {field.name: field for field in game.state}
    names = [name for name in game.state_dtype.names or () if name != "log"]
    for deal in range(GAMES):
        walk = Walk(table, compiled=False)
        for _, ids in zip(range(POSITIONS), walk.positions(deal, game.seats_unless_told), strict=False):
            if len(ids):
                for name in names:
                    hidden.setdefault(name, set()).update(_hidden_from(walk, name))
    return [_seen(game, name, declared.get(name), hidden[name]) for name in names]


def _hidden_from(walk: Walk, name: str) -> set[str]:
    """Whether a field is hidden from the seat that decides or from others, apart from the rows of others."""
    found = set[str]()
    for seat in range(walk.s.seats):
        view, true = walk.view(walk.states, seat)[0][name], walk.s[name]
        if view.tobytes() == true.tobytes():
            continue
        rows = np.shape(true)[:1] == (walk.game.max_seats,)
        own = not rows or view[seat].tobytes() != true[seat].tobytes()
        found.add("decider" if own and seat == walk.s.seat else "others")
    return found


def _seen(game: Game, name: str, field: Field | None, hidden: set[str]) -> FieldSeen:
    kind, _, *title = (game.state_dtype.fields or {})[name]
    meaning = str(title[0]) if title else ""
    axes = AXES.search(meaning)
    named = isinstance(field.kind, type) if field else False
    stored = field.kind.__name__ if field and named else kind.base.name
    seen_by = "none" if "decider" in hidden else "own" if hidden else "all"
    return FieldSeen(
        name, stored, list(kind.shape), axes[1].split(", ") if axes else [], AXES.sub("", meaning), seen_by
    )


def streams(game: Game) -> list[Stream]:
    """The streams of luck by component."""
    return [Stream(f"rng.{name.partition('/')[2]}", DRAWN[name.partition("/")[0]]) for name in game.streams]


def choices(game: Game, rules: np.ndarray, seed: int, decision: int) -> tuple[int, list[Choice]]:
    """The seat and its legal actions at the nth decision, counted from 1, of a game of random choices."""
    table, left = Table(game, rules), decision
    walk = Walk(table, compiled=False)
    for ids in walk.positions(seed, game.seats_unless_told):
        left -= len(ids) > 1
        if left == 0:
            return int(walk.s.seat), [Choice(int(one), _described(walk, int(one))) for one in ids]
    raise UsageError(f"the game of seed {seed} ends before its decision {decision}")


def _described(walk: Walk, action: int) -> str:
    """The action, and what comes of it here; a step of a compound decision has no words."""
    eyes, s = Perspective(walk.table, None), walk.s.copy()
    rng = walk.table.rng[0].copy()
    after = s.copy()
    walk.game.apply(after, walk.table.rules[0], action, rng)
    return eyes.describe(s, action, rng, after)[1] or "(a step of a choice that the next steps complete)"
