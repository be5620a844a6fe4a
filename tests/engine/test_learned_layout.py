"""What a net reads of a view: seats counted from the own one, places that share rows, ranges, options."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from simkit.engine.fields import CATEGORY, DERIVED, SEAT, Field, category, members, place, scalar, seat
from simkit.engine.learned import layout as columns
from simkit.engine.learned import net
from simkit.engine.learned.layout import Layout, observe_values
from simkit.engine.learned.packing import Packing
from simkit.engine.options import integer
from simkit.engine.registry import game
from tests.engine.test_learned_net import random_arrays

VIEWS = 2_000
STATE = [
    Field("gold", "i2", (2,), "Coins [seat]"),
    Field("hand", "i1", (2, 3), "Cards in hand [seat, slot]", value=category("card"), unordered="slot"),
    scalar("chosen", "i1", "Slot chosen, -1 none", place("hand")),
    scalar("leader", "i1", "Seat that leads, -1 none", SEAT),
    scalar("passed", "i1", "Seats that have passed", members("seat")),
    Field("stone", "i1", (6,), "0 none, else seat + 1 [cell]", value=seat(1)),
    Field("height", "i1", (6,), "Stones on a cell [cell]"),
    Field("ground", "i1", (6,), "What a cell is [cell]", value=CATEGORY),
    scalar("marked", "i1", "Cells marked", members("cell")),
    Field("near", "i1", (6,), "Neighbours [cell]", value=DERIVED),
    scalar("pile", "i4", "Cards left"),
    scalar("supply", "u1", "Cubes left"),
    scalar("stopped", "?", "Whether the first player has stopped"),
    scalar("unused", "i1", "Never changes"),
]
LOW = {"chosen": -1, "leader": -1}
HIGH = {"gold": 12, "hand": 9, "chosen": 2, "leader": 1, "passed": 3, "stone": 2, "height": 4, "ground": 5,
        "marked": 63, "near": 5, "pile": 5_000, "supply": 255, "stopped": 1, "unused": 0}  # fmt: skip
OPTIONS = [
    integer("goal", 12, 1, 30, "", "Total"),
    integer("komi", 0, 0, 9, "", "Points for the second player"),
]
GAME = replace(game("tic_tac_toe"), state=STATE, options=OPTIONS)


def settings() -> np.ndarray:
    """Return the rules of three settings of one option."""
    return np.concatenate([GAME.rules({"goal": total}) for total in (12, 16, 20)])


def made_views(n: int = VIEWS) -> tuple[np.ndarray, np.ndarray]:
    """Return views with random numbers, and the seats that see them."""
    rng, views = np.random.default_rng(3), np.zeros(n, GAME.state_dtype)
    views["seats"] = 2
    views["seat"] = rng.integers(2, size=n)
    for field in STATE:
        shape, low = (n, *field.shape), LOW.get(field.name, 0)
        views[field.name] = rng.integers(low, HIGH[field.name], shape, endpoint=True)
    return views, rng.integers(2, size=n)


@pytest.fixture(scope="module")
def layout() -> Layout:
    views, seats = made_views()
    return observe_values(GAME, seats, settings(), views)


def value_of(layout: Layout, view: np.ndarray, seat: int, rules: Any = None, **arrays: np.ndarray) -> Any:
    """Return the sums of a view, and its value, by a net with random weights."""
    own = Packing(GAME, layout, random_arrays(layout) | arrays).net({net.HIDDEN_SHIFT: 6, net.OUT_SHIFT: 8})
    sums = np.zeros(net.sums_of(own), np.int32)
    net.begin(own, view, GAME.rules().view(np.uint8) if rules is None else rules, seat, sums)
    return sums.tolist(), net.value(own, sums)


def mirrored(view: np.ndarray) -> np.ndarray:
    """Return the view with the seats exchanged."""
    other = view.copy()
    for name in ("gold", "hand", "rank", "score"):
        other[name] = view[name][::-1]
    for name in ("leader", "seat", "first"):
        other[name] = {0: 1, 1: 0, -1: -1}[int(view[name])]
    other["stone"] = np.array([0, 2, 1])[view["stone"]]
    other["passed"] = [0, 2, 1, 3][view["passed"]]
    return other


def test_a_position_with_exchanged_seats_is_the_same_to_the_other_seat(layout):
    for view in made_views(20)[0]:
        assert value_of(layout, view, 0) == value_of(layout, mirrored(view), 1)
        assert value_of(layout, view, 0) != value_of(layout, view, 1)


def test_the_order_along_an_unordered_axis_does_not_matter(layout):
    view = made_views(1)[0][0]
    view["hand"], view["chosen"] = [[3, 5, 7], [1, 2, 4]], -1
    other = view.copy()
    other["hand"][0] = [7, 3, 5]
    assert value_of(layout, view, 0) == value_of(layout, other, 0)
    other["hand"][0] = [7, 3, 6]
    assert value_of(layout, view, 0) != value_of(layout, other, 0)


def test_a_place_gives_what_lies_there_to_the_own_seat(layout):
    view = made_views(1)[0][0]
    view["hand"], view["chosen"] = [[3, 5, 7], [1, 2, 4]], 1
    names = [layout.names[name] for name in layout.slots[:, columns.NAME]]
    pointed = [
        slot for slot, name in zip(layout.slots, names, strict=True) if slot[columns.SORT] == columns.POINTED
    ]
    assert len(pointed) == 1
    first, low = pointed[0][columns.FIRST], pointed[0][columns.LOW]
    for own, card in ((0, 5), (1, 2)):
        row = layout.entries[first + card - low][0]
        assert row > 0  # the most common card has none
        other = random_arrays(layout)["rows"]
        other[row] += 100
        now, then = value_of(layout, view, own, rows=other)[0], value_of(layout, view, own)[0]
        assert [a - b for a, b in zip(now, then, strict=True)][:32] == [1600] * 32


def test_elements_that_several_fields_describe_are_tokens(layout):
    assert layout.places.tolist() == [6]
    view, rng = made_views(1)[0][0], np.random.default_rng(4)
    order = rng.permutation(6)
    other = view.copy()
    for name in ("stone", "height", "ground"):
        other[name] = view[name][order]
    other["marked"] = sum(
        int(view["marked"]) >> int(old) & 1 << 0 and 1 << new for new, old in enumerate(order)
    )
    no_rows = np.zeros_like(random_arrays(layout)["rows"])
    first, second = (value_of(layout, each, 0, rows=no_rows)[1] for each in (view, other))
    assert first == second
    assert value_of(layout, view, 0)[1] != value_of(layout, other, 0)[1]


def test_what_never_varies_or_is_derived_is_not_read(layout):
    read = {layout.names[name] for name in layout.slots[:, columns.NAME]}
    varying = {field.name for field in STATE} - {"near", "unused"}
    assert read == varying | {"seat", "first", "rules.goal"}


def test_numbers_with_many_values_have_a_row_for_each_of_32_ranges_and_one_by_size(layout):
    (pile,) = layout.slots[layout.slots[:, columns.NAME] == layout.names.index("pile")]
    assert pile[columns.BIN_COUNT] == columns.BINS - 1
    bounds = layout.bins[pile[columns.BIN] :][: pile[columns.BIN_COUNT]]
    assert (np.abs(bounds - 5_000 * np.arange(1, 32) / 32) < 250).all()
    assert pile[columns.IS_NUMBER] == 1


def test_numbers_beyond_those_that_were_seen_count_as_the_nearest(layout):
    view, values = made_views(1)[0][0], []
    (slot,) = layout.slots[layout.slots[:, columns.NAME] == layout.names.index("pile")]
    rows = np.zeros_like(random_arrays(layout)["rows"])
    for i, row in enumerate(layout.entries[slot[columns.FIRST] :][: columns.BINS, 0]):
        rows[row] = 0 if row < 0 else 1 + i
    for pile in (0, -900, 5_000, 90_000):
        view["pile"] = pile
        values.append(value_of(layout, view, 0, rows=rows)[0][0] // net.SET)
    assert values == [1, 1, columns.BINS, columns.BINS]


def changed_layout(name: str, numbers: Any) -> Layout:
    """Return what follows from views in which only one field varies."""
    views, seats = made_views()
    for field in STATE:
        views[field.name] = 0
    views[name] = numbers(seats)
    return observe_values(GAME, seats, GAME.rules(), views)


def test_a_number_that_is_nearly_always_the_same_has_a_range_for_all_larger_ones():
    layout = changed_layout("pile", lambda seats: np.where(np.arange(seats.size) % 50, 0, 3_000))
    view, values = made_views(1)[0][0], []
    for pile in (0, 2_999, 3_000, 4_000):
        view["pile"] = pile
        values.append(value_of(layout, view, 0)[0])
    assert values[0] != values[2] == values[3]


def test_sets_of_seats_count_from_any_seat_though_only_the_own_one_varies():
    layout = changed_layout("passed", lambda seats: np.arange(seats.size) % 3 // 2 << seats)
    view = made_views(1)[0][0]
    sums = {}
    for own in (0, 1):
        for passed in range(4):
            view["passed"], view["seat"], view["first"] = passed, own, own
            sums[own, passed] = value_of(layout, view, own)[0]
    itself, other = sums[0, 1], sums[0, 2]
    assert itself != other == sums[0, 0]
    assert [sums[1, passed] for passed in (2, 1, 0)] == [itself, other, other]


def test_numbers_without_a_sign_and_flags_are_read(layout):
    view, supplies = made_views(1)[0][0], []
    for supply in (0, 100, 200, 255):
        view["supply"] = supply
        supplies.append(value_of(layout, view, 0)[0])
    assert all(value != following for value, following in pairwise(supplies))
    rows = np.zeros_like(random_arrays(layout)["rows"])
    (slot,) = layout.slots[layout.slots[:, columns.NAME] == layout.names.index("supply")]
    scaled = layout.entries[slot[columns.FIRST] + slot[columns.BIN_COUNT] + 1, 0]
    rows[scaled] = 1
    sums = []
    for supply in (1, 127, 128, 254):
        view["supply"] = supply
        sums.append(value_of(layout, view, 0, rows=rows)[0][0])
    assert sums == sorted(sums) and sums[2] - sums[1] <= 1
    stopped = []
    for view["stopped"] in (False, True):
        stopped.append(value_of(layout, view, 0)[0])
    assert stopped[0] != stopped[1]


def test_an_option_that_varies_is_read(layout):
    view = made_views(1)[0][0]
    twelve, twenty = (GAME.rules({"goal": total}).view(np.uint8) for total in (12, 20))
    assert value_of(layout, view, 0, twelve) != value_of(layout, view, 0, twenty)
    other = GAME.rules({"goal": 12, "komi": 5}).view(np.uint8)
    assert value_of(layout, view, 0, twelve) == value_of(layout, view, 0, other)


def test_rows_that_hardly_any_view_shows_are_left_out():
    views, seats = made_views()
    views["leader"] = 0
    views["leader"][:1] = -1
    few = observe_values(GAME, seats, settings(), views)
    (leader,) = few.slots[few.slots[:, columns.NAME] == few.names.index("leader")]
    entries = few.entries[leader[columns.FIRST] : leader[columns.FIRST] + leader[columns.COUNT]]
    assert entries[0 - leader[columns.LOW] - 1, 0] == -1
    assert (entries[:, 0] > 0).sum() == 1  # own and other seat: the more common one has no row


def test_fields_without_declarations_are_read_as_numbers():
    plain = replace(GAME, state=[Field(f.name, f.kind, f.shape, f.words) for f in STATE])
    views, seats = made_views()
    layout = observe_values(plain, seats, settings(), views.astype(plain.state_dtype))
    assert layout.rows > 100
    assert layout.tokens == 0
    own = Packing(plain, layout, random_arrays(layout)).net({})
    assert net.head(own, net.SEATS) == 2


def test_encoded_rows_add_up_to_the_sums(layout):
    views, seats = made_views(30)
    arrays = random_arrays(layout)
    own = Packing(GAME, layout, arrays).net({})
    content, rules = views.view(np.uint8).reshape(len(views), -1), GAME.rules().view(np.uint8)
    rows, numbers = (
        np.zeros((30, 2 * layout.most_entries), np.uint16),
        np.zeros((30, 2 * layout.most_entries), np.int8),
    )
    counts = np.zeros((30, 1 + layout.tokens), np.uint16)
    net.encode(content, rules, seats.astype(np.int64), own, rows, numbers, counts)
    for i, view in enumerate(views):
        sums, ends = np.zeros(net.sums_of(own), np.int32), np.cumsum(counts[i])
        net.begin(own, view, rules, int(seats[i]), sums)
        of = [slice(0, ends[0]), *map(slice, ends[:-1], ends[1:])]
        table = [arrays["rows"], *[arrays["token_rows"]] * layout.tokens]
        parts = [
            numbers[i][part].astype(int) @ weights[rows[i][part]].astype(int)
            for part, weights in zip(of, table, strict=True)
        ]
        assert np.concatenate(parts).tolist() == sums[: 32 + net.BLOCK * layout.tokens].tolist()
