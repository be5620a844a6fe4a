"""Subsets of cards of a total and a number: eight at once tell the same as one by one (O7-2.9, O7-4.2)."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from simkit.games.outpost_seven.cards import pack_all, subsets


@given(
    st.lists(st.integers(1, 6), max_size=8),
    st.integers(-1, 20),
    st.integers(0, 50),
    st.integers(-1, 4),
    st.integers(0, 10),
)
def test_subsets_within_ranges_of_total_and_number_are_those_found_one_by_one(
    values, least, greatest, fewest, most
):
    rules = SimpleNamespace(value=np.array([*values, 0], np.int8))
    cards, out = np.full(8, -1, np.int8), np.zeros(256, np.int64)
    cards[: len(values)] = np.arange(len(values))
    results = []
    for mask in range(1 << len(values)):
        chosen = [value for slot, value in enumerate(values) if mask >> slot & 1]
        if least <= sum(chosen) <= greatest and fewest <= len(chosen) <= most:
            results.append(mask)
    n = subsets(pack_all(rules, cards), len(values), least, greatest, fewest, most, out)
    assert out[:n].tolist() == results
