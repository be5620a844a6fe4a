"""Values of views by a net of integers: the same compiled, uncompiled and in WebAssembly.

A net is one array of int16, made by `pack`. It begins with 64 int64, the header; all that follows is found by
offsets in it. No code here knows a game: tables in the net say which bytes of a view are read, and which rows
of weights stand for what they hold.

    element  a number of the view that the net reads, from the perspective of a seat
    entry    what a value of an element, a member of a set or a scaled number stands for: a row of the
             embedding, a row of the tokens, or both, and the token that the latter belongs to
    sums     of each unit of the embedding and of each token over all entries, in units of 2**-14;
             behind them is the room in which `value` computes

The sums of the view before an action lead to those after it by the entries that differ (`change`), as in the
networks of chess programs (Nasu: "Efficiently updatable neural-network-based evaluation functions for
computer shogi", 2018).
"""

from typing import Any

import numpy as np
from numba import types

from simkit.engine.compile.jit import EntryPoint, lowest_bit, rule
from simkit.engine.learned.blocks import (
    BLOCK,
    add_clipped,
    add_products,
    int8_at,
    int16_at,
    int32_at,
    int64_at,
)
from simkit.engine.rule_helpers import OVER

SCHEMA = 1
SET = 16  # weight of an entry of a value or member, in sixteenths; a scaled number has -WIDEST to WIDEST
WIDEST = 64
MOST = 8191  # largest activation, in units of 2**-8
SHARES = 4096  # numbers in the table of shares by logit, whose middle is logit 0
WIN = 32767  # a sure win

# The header: numbers, then byte offsets, then by axis of tokens, then by seat whose perspective it is.
(VERSION, SEATS, UNITS, AXES, TOKENS, ENTRIES, TEAM, POINTS, HIDDEN_SHIFT, OUT_SHIFT, SAMPLES, CAUTION,
 SUMS, ALWAYS, POINTS_SHIFT) = range(15)  # fmt: skip
ROWS, TOKEN_ROWS, HIDDEN, HIDDEN_BIAS, OUT, OUT_BIAS, SHARE = range(16, 23)
PLACES, PLACE_SHIFT, TABLE = 32, 40, 48
HEADER, MOST_AXES, MOST_SEATS = 64, 8, 16

# The table of a perspective, int32: how many elements of three sorts, words compared, then the elements.
PLAIN, POINTING, OPTIONS, WORDS = range(0, 16, 4)
TABLE_HEAD = 16
PLACE, SIZE, SET_SIZE, LOW, STEP, LAST, MAP, CENTRE, SCALE, NUMBER, ROW, STRIDE, LENGTH, ROW_SIZE, TOKEN = (
    range(0, 60, 4)
)
ELEMENT = 64  # bytes
ABSENT = -(1 << 40)  # where a place points nowhere: below every number


@rule
def head(net, number):  # type: ignore[no-untyped-def]
    """Return a number of the header."""
    return int64_at(net, 8 * number)


@rule
def sums_of(net):  # type: ignore[no-untyped-def]
    """Return how many int32 the sums of a view take."""
    return head(net, SUMS)


def room_of(net: np.ndarray) -> int:
    """Return the int64 that two copies of the sums take, which `begin` and `change` fill."""
    return int(head(net, SUMS))


@rule
def _number_at(record, place, size):  # type: ignore[no-untyped-def]
    """Return the integer of 1, 2, 4 or 8 bytes at a place of a record; sizes below 0 are of unsigned ones."""
    if size == 1:
        return int8_at(record, place)
    if size == 2:
        return int16_at(record, place)
    if size == 4:
        return int32_at(record, place)
    if size == 8:
        return int64_at(record, place)
    if size == -1:
        return int8_at(record, place) & 0xFF
    if size == -2:
        return int16_at(record, place) & 0xFFFF
    return int32_at(record, place) & 0xFFFFFFFF


@rule
def _entry(net, element, number):  # type: ignore[no-untyped-def]
    """Return the entry of a number of an element."""
    step = ((number - int32_at(net, element + LOW)) >> int32_at(net, element + STEP)) + 1
    step = min(max(step, 0), int32_at(net, element + LAST))
    return _entry_at(net, element, int32_at(net, element + MAP) + 8 * step)


@rule
def _entry_at(net, element, place):  # type: ignore[no-untyped-def]
    """Return the entry at a place of the net, with the sums of the element's token if it has none itself."""
    return int64_at(net, place) + (int32_at(net, element + TOKEN) << 32)


@rule
def _scaled_number(net, element, number):  # type: ignore[no-untyped-def]
    """Return a number of an element in sixteenths of its standard deviation."""
    scaled = (number - int32_at(net, element + CENTRE)) * int32_at(net, element + SCALE) >> 16
    return min(max(scaled, -WIDEST), WIDEST)


@rule
def _number_pointed_at(net, element, view):  # type: ignore[no-untyped-def]
    """Return the number at the place to which an element of the view points."""
    place = _number_at(view, int32_at(net, element + PLACE), int32_at(net, element + SIZE))
    if place < 0 or place >= int32_at(net, element + LENGTH):
        return ABSENT
    at = int32_at(net, element + ROW) + place * int32_at(net, element + STRIDE)
    return _number_at(view, at, int32_at(net, element + ROW_SIZE))


def _reading(take: Any) -> Any:
    """Return the rule `read(net, view, rules, seat, target)`: `take` the entries of a view one by one."""

    @rule
    def take_number(net, element, number, target):  # type: ignore[no-untyped-def]
        width = int32_at(net, element + SET_SIZE)
        if width != 0:
            bits = number & ((1 << width) - 1)
            while bits != 0:
                place = int32_at(net, element + MAP) + 8 * lowest_bit(bits)
                take(net, _entry_at(net, element, place), SET, target)
                bits &= bits - 1
            return
        take(net, _entry(net, element, number), SET, target)
        if int32_at(net, element + NUMBER) != 0:
            entry = _entry_at(net, element, int32_at(net, element + NUMBER))
            take(net, entry, _scaled_number(net, element, number), target)

    @rule
    def read(net, view, rules, seat, target):  # type: ignore[no-untyped-def]
        table = head(net, TABLE + seat)
        element = table + TABLE_HEAD
        take(net, head(net, ALWAYS), SET, target)
        for _ in range(int32_at(net, table + PLAIN)):
            place, size = int32_at(net, element + PLACE), int32_at(net, element + SIZE)
            take_number(net, element, _number_at(view, place, size), target)
            element += ELEMENT
        for _ in range(int32_at(net, table + POINTING)):
            take_number(net, element, _number_pointed_at(net, element, view), target)
            element += ELEMENT
        for _ in range(int32_at(net, table + OPTIONS)):
            place, size = int32_at(net, element + PLACE), int32_at(net, element + SIZE)
            take_number(net, element, _number_at(rules, place, size), target)
            element += ELEMENT

    return read


@rule
def _add(net, entry, times, sums):  # type: ignore[no-untyped-def]
    """Add the rows of an entry to the sums."""
    row, units = entry & 0xFFFF, head(net, UNITS)
    if row != 0:
        first = head(net, ROWS) + units * row
        for block in range(0, units, BLOCK):
            add_products(sums, block, net, first + block, times)
    row = (entry >> 16) & 0xFFFF
    if row != 0:
        add_products(sums, entry >> 32, net, head(net, TOKEN_ROWS) + BLOCK * row, times)


_add_all = _reading(_add)


@rule
def begin(net, view, rules, seat, sums):  # type: ignore[no-untyped-def]
    """Write the sums of a view from the perspective of a seat."""
    sums[:] = 0
    _add_all(net, view, rules, seat, sums)


@rule
def change(net, old, new, seat, sums):  # type: ignore[no-untyped-def]
    """Change the sums of a view into those of another view of the same game and seat.

    Only the elements in words of 8 bytes that differ are read; they stand in the order of the record.
    """
    table = head(net, TABLE + seat)
    elements, words = table + TABLE_HEAD, int32_at(net, table + WORDS)
    plain, next_element = int32_at(net, table + PLAIN), 0
    bounds = elements + ELEMENT * (plain + int32_at(net, table + POINTING) + int32_at(net, table + OPTIONS))
    for word in range(words):
        if int64_at(old, 8 * word) == int64_at(new, 8 * word):
            continue
        next_element = max(next_element, int32_at(net, bounds + 8 * word))
        for i in range(next_element, int32_at(net, bounds + 8 * word + 4)):
            element = elements + ELEMENT * i
            place, size = int32_at(net, element + PLACE), int32_at(net, element + SIZE)
            _replace(net, element, _number_at(old, place, size), _number_at(new, place, size), sums)
        next_element = max(next_element, int32_at(net, bounds + 8 * word + 4))
    for i in range(plain, plain + int32_at(net, table + POINTING)):
        element = elements + ELEMENT * i
        _replace(
            net, element, _number_pointed_at(net, element, old), _number_pointed_at(net, element, new), sums
        )


@rule
def _replace(net, element, old, new, sums):  # type: ignore[no-untyped-def]
    """Change the sums for an element whose number changes."""
    if old == new:
        return
    width = int32_at(net, element + SET_SIZE)
    if width != 0:
        bits = (old ^ new) & ((1 << width) - 1)
        while bits != 0:
            place = lowest_bit(bits)
            times = SET if (new >> place) & 1 else -SET
            _add(net, _entry_at(net, element, int32_at(net, element + MAP) + 8 * place), times, sums)
            bits &= bits - 1
        return
    before, after = _entry(net, element, old), _entry(net, element, new)
    if before != after:
        _add(net, before, -SET, sums)
        _add(net, after, SET, sums)
    if int32_at(net, element + NUMBER) != 0:
        times = _scaled_number(net, element, new) - _scaled_number(net, element, old)
        if times != 0:
            _add(net, _entry_at(net, element, int32_at(net, element + NUMBER)), times, sums)


@rule
def _activate(net, sums):  # type: ignore[no-untyped-def]
    """Write the inputs of the hidden layer behind the sums; return the place of the first, and how many."""
    units, token = head(net, UNITS), head(net, UNITS)
    first = units + BLOCK * head(net, TOKENS)
    inputs = units + BLOCK * head(net, AXES)
    room = first + inputs
    sums[first : room + BLOCK] = 0
    for block in range(0, units, BLOCK):
        add_clipped(sums, first + block, block, 6, MOST)
    for axis in range(head(net, AXES)):
        at = first + units + BLOCK * axis
        for _ in range(head(net, PLACES + axis)):
            add_clipped(sums, room, token, 6, MOST)
            token += BLOCK
        add_clipped(sums, at, room, head(net, PLACE_SHIFT + axis), MOST)
        sums[room : room + BLOCK] = 0
    return first, inputs


@rule
def value(net, sums):  # type: ignore[no-untyped-def]
    """Return the share of the win, 0 to WIN, and the margin in 1/256 standard deviations."""
    first, inputs = _activate(net, sums)
    hidden, weights = first + inputs, head(net, HIDDEN)
    for unit in range(BLOCK):
        sums[hidden + unit] = int32_at(net, head(net, HIDDEN_BIAS) + 4 * unit)
    for k in range(inputs):
        times = int(sums[first + k])
        if times != 0:
            add_products(sums, hidden, net, weights + BLOCK * k, times)
    logit, margin = int32_at(net, head(net, OUT_BIAS)), int32_at(net, head(net, OUT_BIAS) + 4)
    out, shift = head(net, OUT), head(net, HIDDEN_SHIFT)
    for unit in range(BLOCK):
        active = min(max(int(sums[hidden + unit]) >> shift, 0), MOST)
        logit += int(net[out + unit]) * active
        margin += int(net[out + BLOCK + unit]) * active
    place = min(max((logit >> head(net, OUT_SHIFT)) + SHARES // 2, 0), SHARES - 1)
    return int(net[head(net, SHARE) + place]), min(max(margin >> head(net, OUT_SHIFT), -WIN), WIN)


@rule
def result(net, s, seat):  # type: ignore[no-untyped-def]
    """Return share and margin of a seat at the end of a game, as `value` does of a view.

    The margin is over the best other seat; of a team it is the score.
    """
    winners, rival = 0, -(1 << 31)
    for other in range(s.seats):
        winners += s.rank[other] == 1
        if other != seat:
            rival = max(rival, int(s.score[other]))
    points = int(s.score[seat])
    if head(net, TEAM):
        winners = 1
    elif s.seats > 1:
        points -= rival
    win = WIN // max(1, winners) if s.rank[seat] == 1 else 0
    return win, min(max(points * head(net, POINTS) >> head(net, POINTS_SHIFT), -WIN), WIN)


@rule
def worth(net, s, seat, sums, mix):  # type: ignore[no-untyped-def]
    """Return the worth of a state to a seat: `mix` / 1024 of the share of the win, the rest of the margin.

    At the end of a game the result counts, and a sooner win or a later loss a trifle more, so that a sure win
    is taken; else the net's value of the sums.
    """
    if s.seat == OVER:
        win, margin = result(net, s, seat)
        turns = int(s.log.game.turns)
        return mix * win + (1024 - mix) * (margin << 7) + (-turns if 2 * win > WIN else turns)
    win, margin = value(net, sums)
    return mix * win + (1024 - mix) * (margin << 7)


@rule
def _note(net, entry, times, target):  # type: ignore[no-untyped-def]
    """Note an entry: target[0] is their number, and two numbers of each follow."""
    if entry != 0 and times != 0:
        n = target[0]
        target[1 + 2 * n], target[2 + 2 * n] = entry, times
        target[0] = n + 1


_note_all = _reading(_note)


@rule
def _sort(net, noted, rows, numbers, counts):  # type: ignore[no-untyped-def]
    """Write the rows of noted entries: those of the embedding, then those of each token."""
    units = head(net, UNITS)
    counts[:] = 0
    n = 0
    for i in range(noted[0]):
        entry = noted[1 + 2 * i]
        if entry & 0xFFFF != 0:
            rows[n], numbers[n] = (entry & 0xFFFF) - 1, noted[2 + 2 * i]
            n += 1
        if (entry >> 16) & 0xFFFF != 0:
            counts[1 + ((entry >> 32) - units) // BLOCK] += 1
    counts[0] = n
    for token in range(1, counts.size):  # first the place after the last row of each token, which moves down
        n += int(counts[token])
        counts[token] = n
    for j in range(noted[0]):
        i = noted[0] - 1 - j
        row = (noted[1 + 2 * i] >> 16) & 0xFFFF
        if row != 0:
            token = 1 + ((noted[1 + 2 * i] >> 32) - units) // BLOCK
            counts[token] -= 1
            rows[counts[token]], numbers[counts[token]] = row - 1, noted[2 + 2 * i]
    for token in range(1, counts.size):
        counts[token] = (counts[token + 1] if token + 1 < counts.size else n) - counts[token]


def _encode(views, rules, seats, net, rows, numbers, counts):  # type: ignore[no-untyped-def]
    noted = np.zeros(1 + 2 * head(net, ENTRIES), np.int64)
    for i in range(seats.size):
        noted[0] = 0
        _note_all(net, views[i], rules, seats[i], noted)
        _sort(net, noted, rows[i], numbers[i], counts[i])


def _values(views, rules, seats, net, wins, margins):  # type: ignore[no-untyped-def]
    sums = np.zeros(sums_of(net), np.int32)
    for i in range(seats.size):
        begin(net, views[i], rules, seats[i], sums)
        wins[i], margins[i] = value(net, sums)


_BYTES, _OPTIONS = types.Array(types.uint8, 2, "C"), types.Array(types.uint8, 1, "C", readonly=True)
_NET, _NUMBERS = types.Array(types.int16, 1, "C", readonly=True), types.Array(types.int64, 1, "C")
_SEEN = (_BYTES, _OPTIONS, _NUMBERS, _NET)  # views as bytes, one record of rules as bytes, seats, the net
_ROWS, _TIMES = types.Array(types.uint16, 2, "C"), types.Array(types.int8, 2, "C")

# encode(views, rules, seats, net, rows, numbers, counts) fills, for each view, rows[i] and numbers[i] (in
# sixteenths) with counts[i, 0] rows of the embedding, then counts[i, 1 + t] rows of the tokens for token t.
encode = EntryPoint(_encode, types.void(*_SEEN, _ROWS, _TIMES, _ROWS), "encode views")
# values(views, rules, seats, net, wins, margins) fills these as `value` returns them.
values = EntryPoint(_values, types.void(*_SEEN, _NUMBERS, _NUMBERS), "values of views")
