"""The array of numbers that compiled code reads a net from; `net` says what stands where."""

from typing import Any

import numpy as np

from simkit.engine.game import Game
from simkit.engine.learned import layout as columns
from simkit.engine.learned import net
from simkit.engine.learned.layout import OPTION, Array, Layout, from_seat, own_index, read_fields

Element = dict[int, int]  # numbers of the table of elements, by their place in it
_WEIGHTS = {"rows": net.ROWS, "token_rows": net.TOKEN_ROWS, "hidden": net.HIDDEN, "out": net.OUT}
_BIASES = {"hidden_bias": net.HIDDEN_BIAS, "out_bias": net.OUT_BIAS}


class Packing:
    """A net in the making: parts one after the other in words of 8 bytes, equal ones only once."""

    def __init__(self, game: Game, layout: Layout, arrays: dict[str, Array]) -> None:
        self.game, self.layout, self.arrays = game, layout, arrays
        self.fields, self.units = read_fields(game), arrays["rows"].shape[1]
        self.content = bytearray(8 * net.HEADER)
        self.places: dict[bytes, int] = {}
        rows, shared, tokens = layout.entries.astype(np.int64).T
        first_sums = np.where(tokens < 0, 0, self.units + net.BLOCK * tokens)
        self.entries = (rows + 1) | (shared + 1) << 16 | first_sums << 32  # rows count from 1

    def add(self, numbers: Any, kind: str) -> int:
        """Return the place of numbers of this kind in bytes."""
        content = np.asarray(numbers, kind).tobytes()
        if content not in self.places:
            self.places[content] = len(self.content)
            self.content += content + bytes(-len(content) % 8)
        return self.places[content]

    def net(self, head: dict[int, int]) -> Array:
        """Return the net, int16 and read-only, with these further numbers in its header."""
        numbers = self._shape() | head
        for seat in range(self.layout.seats):
            numbers[net.TABLE + seat] = self.add(self._table(seat), "<i4")
        for name, number in _WEIGHTS.items():
            numbers[number] = self.add(self.arrays[name], "<i2") // 2
        numbers[net.ROWS] -= self.units
        numbers[net.TOKEN_ROWS] -= net.BLOCK
        numbers[net.SHARE] = self.add(self.arrays["sigmoid"], "<i2") // 2
        for name, number in _BIASES.items():
            numbers[number] = self.add(self.arrays[name], "<i4")
        header = np.zeros(net.HEADER, "<i8")
        header[list(numbers)] = list(numbers.values())
        self.content[: header.nbytes] = header.tobytes()
        return np.frombuffer(bytes(self.content), np.int16)

    def _shape(self) -> dict[int, int]:
        """Return the numbers of the header that follow from game and layout."""
        layout, inputs = self.layout, self.units + net.BLOCK * len(self.layout.places)
        numbers = {
            net.VERSION: net.SCHEMA, net.SEATS: layout.seats,
            net.UNITS: self.units, net.AXES: len(layout.places), net.TOKENS: layout.tokens,
            net.ENTRIES: layout.most_entries, net.TEAM: int(self.game.team), net.ALWAYS: 1,
            net.SUMS: self.units + net.BLOCK * layout.tokens + inputs + net.BLOCK,
        }  # fmt: skip
        for axis, (places, shift) in enumerate(zip(layout.places.tolist(), layout.shifts, strict=True)):
            numbers |= {net.PLACES + axis: places, net.PLACE_SHIFT + axis: shift}
        return numbers

    def _table(self, seat: int) -> list[int]:
        """Return the table of elements from the perspective of a seat."""
        sorts: list[list[list[int]]] = [[], [], []]  # plain elements, those pointed to, options
        for slot in self.layout.slots.tolist():
            element = self._place(slot, seat) | self._meaning(slot, seat)
            is_option = self.layout.names[slot[columns.NAME]].startswith(OPTION)
            sort = 1 if slot[columns.SORT] == columns.POINTED else 2 if is_option else 0
            sorts[sort].append([element.get(4 * i, 0) for i in range(net.ELEMENT // 4)])
        sorts[0].sort(key=lambda numbers: numbers[net.PLACE // 4])
        bounds = _words(sorts[0])
        numbers = [number for elements in (*sorts, bounds) for element in elements for number in element]
        return [*map(len, sorts), len(bounds), *numbers]

    def _place(self, slot: list[int], seat: int) -> Element:
        """Return where the number of a slot stands in its record."""
        field = self.fields[self.layout.names[slot[columns.NAME]]]
        if field.name.startswith(OPTION):
            option: Any = self.game.rules_dtype.fields
            kind, place = option[field.name.removeprefix(OPTION)][:2]
            return {net.PLACE: place, net.SIZE: _size(kind)}
        place, size = self._start(field.name)
        place += abs(size) * own_index(field, slot[columns.INDEX], seat, self.layout.seats)
        element = {net.PLACE: place, net.SIZE: size}
        if slot[columns.SORT] == columns.POINTED:
            target = self.fields[field.content.of]
            (row, size), length = self._start(target.name), int(np.prod(target.shape))
            if target.axes[:1] == ["seat"]:
                length //= target.shape[0]
                row += seat * length * abs(size)
            element |= {net.ROW: row, net.STRIDE: abs(size), net.LENGTH: length, net.ROW_SIZE: size}
        return element

    def _start(self, name: str) -> tuple[int, int]:
        """Return the place of a field in the state, and the size of one of its numbers."""
        kinds: Any = self.game.state_dtype.fields
        kind, place = kinds[name][:2]
        return int(place), _size(kind.base)

    def _meaning(self, slot: list[int], seat: int) -> Element:
        """Return which entries the numbers of a slot stand for."""
        field, first, count = self._field(slot), slot[columns.FIRST], slot[columns.COUNT]
        token = slot[columns.TOKEN]
        element = {net.TOKEN: self.units + net.BLOCK * token if token >= 0 else 0}
        if slot[columns.SORT] == columns.MEMBERS:
            members = np.arange(count)
            if field.content.of == "seat":
                own = min(count, self.layout.seats)
                members[:own] = (members[:own] - seat) % self.layout.seats
            return element | {net.SET_SIZE: count, net.MAP: self.add(self.entries[first + members], "<i8")}
        low, step = slot[columns.LOW], slot[columns.STEP]
        entries = self.entries[first + self._labels(slot, low + (np.arange(count) << step), seat)]
        bins = slot[columns.BIN_COUNT]
        labels = bins + 1 if bins else count
        below = above = np.zeros(1, np.int64)
        if field.content.kind == "number" and slot[columns.SORT] == columns.VALUES:
            below, above = (self.entries[first + label : first + label + 1] for label in (0, labels - 1))
        steps = self.add(np.concatenate([below, entries, above]), "<i8")
        element |= {net.LOW: low, net.STEP: step, net.LAST: count + 1, net.MAP: steps}
        if slot[columns.IS_NUMBER]:
            number = first + labels
            element |= {net.CENTRE: slot[columns.CENTRE], net.SCALE: slot[columns.SCALE]}
            element |= {net.NUMBER: self.add(self.entries[number : number + 1], "<i8")}
        return element

    def _field(self, slot: list[int]) -> Any:
        """Return the field that says what the numbers of a slot mean."""
        field = self.fields[self.layout.names[slot[columns.NAME]]]
        return self.fields[field.content.of] if slot[columns.SORT] == columns.POINTED else field

    def _labels(self, slot: list[int], values: Array, seat: int) -> Array:
        """Return which of the entries of a slot stand for values."""
        if bins := slot[columns.BIN_COUNT]:
            bounds = self.layout.bins[slot[columns.BIN] : slot[columns.BIN] + bins]
            return np.searchsorted(bounds, values, side="right")
        labels = from_seat(self._field(slot), values, seat, self.layout.seats) - slot[columns.LOW]
        return labels.clip(0, len(values) - 1)  # other seats than those of the game only in a damaged file


def _size(kind: Any) -> int:
    """Return the bytes of an integer, negative for an unsigned one."""
    return -int(kind.itemsize) if kind.kind == "u" and kind.itemsize < 8 else int(kind.itemsize)


def _words(elements: list[list[int]]) -> list[list[int]]:
    """Return for each word of 8 bytes the first element that reaches into it, and the first behind it."""
    first = np.array([element[net.PLACE // 4] for element in elements], int)
    last = first + np.array([abs(element[net.SIZE // 4]) - 1 for element in elements], int)
    words = 8 * np.arange(int(last.max(initial=-1)) // 8 + 1)
    bounds = np.searchsorted(last, words), np.searchsorted(first, words + 8)
    return [[int(low), int(high)] for low, high in zip(*bounds, strict=True)]
