"""Lineups as written: strategies inside strategies are read, written the same way, or refused in one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simkit.engine.lineups import Named, parse_lineup, parse_strategy, seats_of
from simkit.errors import UsageError

NAMES = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True)
NUMBERS = st.integers(-100, 100).map(str) | st.floats(0, 1).map(str)


def _with_weights(values: st.SearchStrategy[str]) -> st.SearchStrategy[Named]:
    weights, presets = st.dictionaries(NAMES, values, max_size=3), st.just("") | NAMES
    return st.builds(Named, NAMES, weights, presets)


PLAYERS = st.recursive(
    _with_weights(NUMBERS), lambda inner: _with_weights(NUMBERS | inner.map(str)), max_leaves=4
)


@given(st.lists(PLAYERS, min_size=1, max_size=4))
def test_a_lineup_is_read_as_it_was_written(players: list[Named]) -> None:
    assert parse_lineup(", ".join(map(str, players))) == players
    assert [parse_strategy(str(player)) for player in players] == [[player] for player in players]


def test_commas_inside_parentheses_do_not_split_at_any_depth() -> None:
    text = "search(policy=greedy(card=45, hand=most), budget=8) * 2 ,random"
    first, second, third = parse_lineup(text)
    assert first == second and first.weights == {"policy": "greedy(card=45, hand=most)", "budget": "8"}
    assert str(first) == "search(policy=greedy(card=45, hand=most), budget=8)" and third == Named(
        "random", {}
    )
    assert seats_of([[text], ["random*3"]]) == 3


@pytest.mark.parametrize(
    "text",
    [
        "search(policy=greedy(card=45)",
        "search(policy=greedy(card=45)))",
        "search)(",
        "greedy(a=1)(b=2)",
        "greedy(a=1)b=2)",
        "search(policy=greedy(card=45), random",
        "search(policy=)",
        "search(=greedy)",
        "search(policy=greedy, policy=random)",
        "search(greedy(a=1))",
        "search policy",
        "(greedy)",
        "greedy*0",
        "greedy*101",
        "greedy, , random",
        "",
    ],
)
def test_what_is_no_lineup_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_lineup(text)
    assert "\n" not in str(refused.value) and str(refused.value).startswith("strategy '")
