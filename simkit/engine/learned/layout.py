"""What a net reads of a view: which numbers, and the entries that their values stand for.

It follows from views of played games (`observe_values`), from the perspective of the seat that sees each:
arrays by seat begin with it, and numbers of seats count from it. A number that never varies is left out. An
entry has a row of the embedding, a row of the tokens, or both:

- Along an unordered axis all places share their rows, as the cards of a hand do.
- Things that several fields describe, such as the cells of a board, are tokens: each field has rows that are
  the same for all of them, and besides them rows of its own for each, unless their order means nothing.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from simkit.engine.fields import CATEGORY, NUMBER, Field, scalar
from simkit.engine.game import Game
from simkit.engine.learned.net import ABSENT, MOST_AXES

MOST_ROWS = 5_500  # of the embedding, which keeps the file of a player below 400 kB
MOST_VALUES = 128  # a number with more values has a row for each of BINS ranges of values
BINS, STEPS = 32, 1_024  # ranges, and steps of the table that leads from values to them
LEAST = 1_000  # a row is for what at least one view in that many shows
# Least places of an axis whose elements are tokens, and how many fields must have it, and begin with it.
TOKEN_PLACES, TOKEN_FIELDS, FIRST_FIELDS = 4, 3, 2
TOO_LARGE = 1 << 31

VALUES, MEMBERS, POINTED = range(3)  # sorts of slots
# Columns of `Layout.slots`: number of the name, flat index in the field (seats counted from the own one),
# sort, token (-1 none), first entry, least value, binary logarithm of the step, number of steps or members,
# first of `bins` and their number (0 = an entry for each step), centre and scale of the number, and 1 where
# the last entry is that of the scaled number.
NAME, INDEX, SORT, TOKEN, FIRST, LOW, STEP, COUNT, BIN, BIN_COUNT, CENTRE, SCALE, IS_NUMBER = range(13)
COLUMNS = 13
NO_ROWS = None, None, -1  # keys of an entry that changes nothing
OPTION = "rules."  # before the name of an option

Array = np.ndarray
Axis = tuple[str, int]  # name and length


@dataclass(frozen=True)
class Layout:
    """What a net reads: its slots, and for each entry the rows, -1 for none."""

    seats: int
    names: list[str]  # fields of the state, and options as "rules.NAME"
    slots: Array  # int32[slot, column]
    bins: Array  # int32: least values of the second and later ranges
    entries: Array  # int16[entry, (row of the embedding, row of the tokens, token if not that of the slot)]
    places: Array  # int32[axis]: number of tokens

    @property
    def read(self) -> set[str]:
        """Names of the fields and options that the net reads."""
        return {self.names[name] for name in self.slots[:, NAME].tolist()}

    @property
    def rows(self) -> int:
        """Rows of the embedding; row 0 is always added."""
        return max(1, int(self.entries[:, 0].max(initial=0)) + 1)

    @property
    def token_rows(self) -> int:
        """Rows of the tokens."""
        return int(self.entries[:, 1].max(initial=-1)) + 1

    @property
    def tokens(self) -> int:
        """Number of tokens."""
        return int(self.places.sum())

    @property
    def shifts(self) -> list[int]:
        """Binary logarithm by axis of what the sum over its tokens is divided by."""
        return [round(np.log2(places) / 2) for places in self.places.tolist()]

    @property
    def most_entries(self) -> int:
        """Most entries of a view."""
        sets = self.slots[:, SORT] == MEMBERS
        return 1 + int(np.where(sets, self.slots[:, COUNT], 2).sum())

    def arrays(self) -> dict[str, Array]:
        """Return the arrays of the layout by name, as a file holds them."""
        names = np.array(self.names, np.str_)
        return {
            "names": names, "slots": self.slots, "bins": self.bins, "entries": self.entries,
            "places": self.places,
        }  # fmt: skip

    @classmethod
    def of_arrays(cls, seats: int, arrays: dict[str, Array]) -> "Layout":
        """Return the layout with these arrays."""
        own = {name: arrays[name] for name in ("slots", "bins", "entries", "places")}
        return cls(seats, arrays["names"].tolist(), **own)


def read_fields(game: Game) -> dict[str, Field]:
    """Return what a net may read, by name: fields of whole numbers that do not repeat others, and options."""
    kinds: Any = game.state_dtype.fields
    fields = {
        f.name: f for f in game.fields if f.value.kind != "derived" and kinds[f.name][0].base.kind in "iub"
    }
    options = [
        scalar(OPTION + o.name, o.storage, o.meaning, CATEGORY if o.names else NUMBER) for o in game.options
    ]
    return fields | {option.name: option for option in options}


def digest(game: Game, seats: int, names: Iterable[str]) -> str:
    """Return a digest of what fields and options with these names say of themselves."""
    fields = read_fields(game)
    declared = [
        [f.name, str(np.dtype(f.storage)), list(f.shape), f.axes, f.unordered, list(f.content)]
        for name in names
        if (f := fields.get(name))
    ]
    return hashlib.sha256(json.dumps([game.name, seats, declared]).encode()).hexdigest()


def own_index(field: Field, index: int, seat: int, seats: int) -> int:
    """Return the flat index in the record of a flat index that counts seats from a seat."""
    if not field.axes:
        return index
    places = zip(field.axes, np.unravel_index(index, field.shape), strict=True)
    own = [(int(i) + seat) % seats if name == "seat" else int(i) for name, i in places]
    return int(np.ravel_multi_index(own, field.shape))


def from_seat(field: Field, numbers: Array, seat: int, seats: int) -> Array:
    """Return numbers of a field with the seats that they name, or have as members, counted from a seat."""
    value = field.content
    if value.kind == "members" and value.of == "seat":
        return members_from_seat(numbers, seat, seats)
    turned = numbers.copy()
    for first in value.firsts if value.kind == "seat" else ():
        named = (numbers >= first) & (numbers < first + seats)
        turned[named] = first + (numbers[named].astype(int) - first - seat) % seats
    return turned


def members_from_seat(numbers: Array, seat: int, seats: int) -> Array:
    """Return sets of seats counted from a seat."""
    sets = numbers.astype(np.int64)
    turned = sets >> seats << seats
    for member in range(seats):
        turned |= (sets >> (seat + member) % seats & 1) << member
    return turned


def observe_values(game: Game, seats: Array, rules: Array, views: Array) -> Layout:
    """Return the layout that follows from the values in views.

    Args:
        game: Their game.
        seats: Seat that sees each view.
        rules: Records of all settings; options that differ between them are read.
        views: Views of games with the same number of seats, some 20,000 from many games.
    """
    fields, count = read_fields(game), int(views["seats"][0])
    numbers = {f.name: _numbers(f, seats, rules, views, count) for f in fields.values()}
    builder = _Builder(count, fields, len(views), _token_axes(fields, numbers))
    for name, f in fields.items():
        builder.add_field(f, numbers[name])
        if f.content.kind == "place" and f.content.of in fields:
            target = fields[f.content.of]
            builder.add_pointed(f, _numbers_pointed_at(numbers[name], target, numbers[target.name]))
    return builder.layout()


def _numbers(field: Field, seats: Array, rules: Array, views: Array, count: int) -> Array:
    """Return the numbers of a field as the seats see them, or of an option by setting: [view, index...]."""
    if field.name.startswith(OPTION):
        return np.array(rules[field.name.removeprefix(OPTION)]).astype(np.int64)
    numbers: Array = np.empty(0)
    for seat in range(count):
        seen = views[field.name][seats == seat]
        if seen.dtype == bool:
            seen = seen.view(np.int8)
        for axis, name in enumerate(field.axes, 1):
            if name == "seat":
                seen = np.take(seen, (seat + np.arange(count)) % count, axis)
        seen = from_seat(field, seen, seat, count)
        numbers = np.concatenate([numbers, seen]) if seat else seen
    return numbers


def _varies(numbers: Array) -> bool:
    return len(numbers) > 0 and bool((numbers != numbers[0]).any())


def _token_axes(fields: dict[str, Field], numbers: dict[str, Array]) -> list[Axis]:
    """Return the axes whose elements are tokens, the longest first.

    The places of hands, which are mostly [seat, slot], are no things: two fields must begin with the axis.
    """
    varying = [f for name, f in fields.items() if f.axes and _varies(numbers[name])]
    times = Counter(axis for f in varying for axis in zip(f.axes, f.shape, strict=True))
    first = Counter((f.axes[0], f.shape[0]) for f in varying if f.axes[0] != "seat")
    axes = [
        axis
        for axis, n in times.items()
        if n >= TOKEN_FIELDS and first[axis] >= FIRST_FIELDS and axis[1] >= TOKEN_PLACES
    ]
    return sorted(axes, key=lambda axis: -axis[1])[:MOST_AXES]


def _numbers_pointed_at(places: Array, target: Field, numbers: Array) -> Array:
    """Return the numbers at the places to which a field points, ABSENT where it points nowhere."""
    row = numbers[:, 0] if target.axes[:1] == ["seat"] else numbers
    row = row.reshape(len(row), -1)
    flat = places.reshape(len(places), -1).astype(np.int64)
    inside = (flat >= 0) & (flat < row.shape[1])
    there = np.take_along_axis(row.astype(np.int64), np.where(inside, flat, 0), axis=1)
    return np.where(inside, there, ABSENT).reshape(places.shape)


@dataclass
class _Builder:
    """The layout in the making."""

    seats: int
    fields: dict[str, Field]
    views: int
    axes: list[Axis]
    slots: list[list[int]] = field(default_factory=list)
    bins: list[int] = field(default_factory=list)
    entries: list[tuple[Any, Any, int]] = field(default_factory=list)  # keys of the rows, and the token
    first_of: dict[Any, int] = field(default_factory=dict)  # first entry by the keys of entries
    weight: Counter[Any] = field(default_factory=Counter)  # views that show what has a row, by its key

    def token(self, axis: Axis) -> int:
        """Return the first token of an axis."""
        return sum(length for _, length in self.axes[: self.axes.index(axis)])

    def add_field(self, f: Field, numbers: Array) -> None:
        """Add the slots of a field; places that share rows also share steps, centre and scale."""
        of_field = [axis for axis in self.axes if axis in zip(f.axes, f.shape, strict=False)]
        for columns in self._groups(f, numbers, of_field[:1]):
            if f.content.kind == "members":
                self._add_members(f, columns, of_field[:1])
            else:
                self._add_values(f, columns, of_field[:1], VALUES)

    def add_pointed(self, f: Field, numbers: Array) -> None:
        """Add the slots of what lies at the places to which a field points."""
        target = self.fields[f.content.of]
        for columns in self._groups(f, numbers, []):
            self._add_values(f, columns, [], POINTED, target)

    def _groups(self, f: Field, numbers: Array, axes: list[Axis]) -> Iterable[dict[tuple[int, ...], Array]]:
        """Return the numbers that vary by index, in groups of indices that share rows."""
        groups: dict[Any, dict[tuple[int, ...], Array]] = {}
        for index in np.ndindex(*numbers.shape[1:]):
            column = numbers[(slice(None), *index)]
            if _varies(column):
                groups.setdefault(self._without(f, index, axes), {})[index] = column
        return groups.values()

    def _without(self, f: Field, index: tuple[int, ...], axes: list[Axis]) -> tuple[int, ...]:
        """Return an index without its places along axes and along the unordered one."""
        shared = [f.unordered, *(name for name, _ in axes)]
        return tuple(-1 if name in shared else i for i, name in zip(index, f.axes or index, strict=True))

    def _add_values(
        self, f: Field, columns: dict[tuple[int, ...], Array], axes: list[Axis], sort: int, target: Any = None
    ) -> None:
        """Add slots with an entry for each value or range of values, and for the scaled number."""
        meaning = target or f
        pooled = np.concatenate(list(columns.values())).astype(np.int64)
        pooled = np.sort(pooled[pooled != ABSENT])
        if not len(pooled) or pooled[0] <= -TOO_LARGE or pooled[-1] >= TOO_LARGE:
            return
        firsts = meaning.content.firsts
        low = min([int(pooled[0]), *firsts])
        high = max([int(pooled[-1]), *(first + self.seats - 1 for first in firsts)])
        is_number, step, bounds = meaning.content == NUMBER, 0, np.zeros(0, np.int64)
        values, times = np.unique(pooled, return_counts=True)
        if high - low >= STEPS or (is_number and len(values) > MOST_VALUES):
            bounds, low, high = _ranges(pooled)
            step = max(0, int(high - low).bit_length() - STEPS.bit_length() + 1)
        count = (high - low >> step) + 1
        scale = _scale(pooled) if is_number and sort == VALUES and len(values) > 2 else (0, 0)
        label = partial(np.searchsorted, bounds, side="right") if len(bounds) else partial(np.add, -low)
        usual = int(label(values[times.argmax()]))
        labels = len(bounds) + 1 if len(bounds) else count
        for place, column in columns.items():
            here = label(column[column != ABSENT])
            shown = np.bincount(here, minlength=labels) * self.views // len(column)  # of an option: settings
            keys = [
                self._key(f, place, axes, (sort, i), int(shown[i]), self._flag(f, i + low))
                if i != usual
                else NO_ROWS
                for i in range(labels)
            ]
            if scale[1]:
                keys.append(self._key(f, place, axes, (sort, "scaled"), self.views))
            bins = (len(self.bins), len(bounds)) if len(bounds) else (0, 0)
            self._add_slot(f, place, sort, axes, keys, (low, step, count, *bins, *scale, int(scale[1] != 0)))
        self.bins += bounds.tolist()

    def _add_members(self, f: Field, columns: dict[tuple[int, ...], Array], axes: list[Axis]) -> None:
        """Add slots with an entry for each member that is not always, or never, in the set."""
        members = np.arange(63)
        shown = {place: (column.astype(np.int64)[:, np.newaxis] >> members & 1).sum(axis=0)
                 for place, column in columns.items()}  # fmt: skip
        varying = {place: (times > 0) & (times < len(columns[place])) for place, times in shown.items()}
        count = int(np.flatnonzero(np.any(list(varying.values()), axis=0)).max(initial=-1)) + 1
        if count and f.content.of == "seat":
            count = max(count, self.seats)  # any seat may be counted from
        for place, times in shown.items() if count else ():
            keys = [
                self._key(f, place, axes, (MEMBERS, i), int(times[i]), self._flag(f, i))
                if varying[place][i]
                else NO_ROWS
                for i in range(count)
            ]
            self._add_slot(f, place, MEMBERS, axes, keys, (0, 0, count, 0, 0, 0, 0, 0))

    def _flag(self, f: Field, element: int) -> int:
        """Return the token of an element that a field names, -1 for none."""
        axis = self._named_axis(f)
        return self.token(axis) + element if axis and 0 <= element < axis[1] else -1

    def _named_axis(self, f: Field) -> Axis | None:
        """Return the axis of tokens whose elements a field names, as members or as a place, or None."""
        if f.content.kind == "members":
            return next((axis for axis in self.axes if axis[0] == f.content.of), None)
        target = self.fields.get(f.content.of) if f.content.kind == "place" else None
        own = zip(target.axes, target.shape, strict=False) if target else ()
        axis = next((axis for axis in own if axis[0] != "seat"), None)
        return axis if axis in self.axes else None

    def _is_unordered(self, axis: Axis | None) -> bool:
        """Return whether the order along an axis of tokens means nothing."""
        return axis is not None and any(
            f.axes[:1] == [axis[0]] == [f.unordered] for f in self.fields.values()
        )

    def _key(
        self, f: Field, place: tuple[int, ...], axes: list[Axis], label: Any, times: int, flag: int = -1
    ) -> tuple[Any, Any, int]:
        """Return the keys of the rows of an entry, and its token if it is not that of the slot."""
        own: Any = f.name, self._without(f, place, []), label
        shared: Any = None
        if axes:
            shared, flag = (f.name, self._without(f, place, axes), label), -1
            own = None if f.unordered == axes[0][0] else own
        elif flag >= 0:
            shared = f.name, self._without(f, place, []), label[0]
            own = None if self._is_unordered(self._named_axis(f)) else own
        self.weight.update({key: times for key in (own, shared) if key})
        return own, shared, flag

    def _add_slot(
        self,
        f: Field,
        place: tuple[int, ...],
        sort: int,
        axes: list[Axis],
        keys: list[Any],
        rest: Iterable[int],
    ) -> None:
        """Add a slot and its entries, which slots with the same rows share."""
        same = tuple(keys)
        if same not in self.first_of:
            self.first_of[same] = len(self.entries)
            self.entries += keys
        index = int(np.ravel_multi_index(place, f.shape)) if place else 0
        token = self.token(axes[0]) + place[f.axes.index(axes[0][0])] if axes else -1
        self.slots.append([list(self.fields).index(f.name), index, sort, token, self.first_of[same], *rest])

    def layout(self) -> Layout:
        """Return the layout; what too few views show, or has no room, gets no row."""
        keys = [list(dict.fromkeys(entry[i] for entry in self.entries if entry[i])) for i in range(2)]
        likely = sorted(keys[0], key=lambda key: -self.weight[key])[: MOST_ROWS - 1]
        seen = {key for key in [*likely, *keys[1]] if self.weight[key] * LEAST >= self.views}
        rows = [
            {key: i for i, key in enumerate([k for k in of if k in seen], 1 - j)} for j, of in enumerate(keys)
        ]
        entries = [
            [rows[0].get(own, -1), rows[1].get(shared, -1), token] for own, shared, token in self.entries
        ]
        return Layout(
            seats=self.seats,
            names=list(self.fields),
            slots=np.array(self.slots, np.int32).reshape(-1, COLUMNS),
            bins=np.array(self.bins, np.int32),
            entries=np.array(entries, np.int16).reshape(-1, 3),
            places=np.array([length for _, length in self.axes], np.int32),
        )


def _ranges(pooled: Array) -> tuple[Array, int, int]:
    """Return the least values of all ranges but the first, and the values between which nearly all lie."""
    n = len(pooled)
    bounds = np.unique(pooled[n * np.arange(1, BINS) // BINS])
    bounds, tail = bounds[bounds > pooled[0]], n // 1000
    if not len(bounds):  # nearly all are the least value
        bounds = pooled[pooled > pooled[0]][:1]
    return bounds, int(pooled[tail]), int(pooled[-1 - tail])


def _scale(pooled: Array) -> tuple[int, int]:
    """Return the centre and scale that lead from numbers to sixteenths of a standard deviation."""
    return round(float(pooled.mean())), min(TOO_LARGE - 1, round(16 * 65_536 / float(pooled.std())))
