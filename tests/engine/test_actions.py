"""Actions with parts: packed and unpacked alike in compiled and in plain rules, and put into words."""

from enum import IntEnum

import pytest
from numba import types

import simkit as sk
from simkit.engine.compile.fingerprint import fingerprint
from simkit.engine.compile.jit import EntryPoint

Card = IntEnum("Card", "guard king_of_hearts", start=1)
PLAY = sk.Actions(first=3, card=Card, target=4, named=["nobody", "the king", "the queen"], price=range(2, 4))
IDS = range(3, 3 + 2 * 4 * 3 * 2)


def digits(action):
    """Return the parts as one number, and the id packed from them."""
    card, target, named = PLAY.card(action), PLAY.target(action), PLAY.named(action)
    price = PLAY.price(action)
    return (card * 1000 + target * 100 + named * 10 + price) * 100 + PLAY.pack(card, target, named, price)


PLAIN = sk.rule(digits)  # called from Python, a rule is plain Python
COMPILED = EntryPoint(lambda action: PLAIN(action), types.int64(types.int64), "digits", allocates=False)


def test_every_action_has_its_own_parts_and_they_go_up_with_the_ids() -> None:
    parts = [PLAIN(action) // 100 for action in IDS]
    assert parts == sorted(set(parts)) and parts[0] == 1002 and parts[-1] == 2323
    assert all(PLAY.has(action) for action in IDS)
    assert [PLAIN(action) % 100 for action in IDS] == [*IDS] and IDS.stop == PLAY.stop


def test_compiled_rules_pack_and_unpack_as_plain_python_does() -> None:
    assert [COMPILED(action) for action in IDS] == [PLAIN(action) for action in IDS]


@pytest.mark.parametrize("call", [PLAIN, COMPILED], ids=["plain", "compiled"])
@pytest.mark.parametrize("action", [-1, 2, PLAY.stop])
def test_an_action_that_is_none_of_them_has_no_parts(call, action: int) -> None:
    assert not PLAY.has(action)
    with pytest.raises(ValueError, match=r"ask has\(action\) before its parts"):
        call(action)


def test_a_part_outside_its_range_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"pack\(...\) got a target outside 0 to 3"):
        PLAY.pack(1, 4, 0, 2)


def test_an_action_is_described_by_its_parts_or_in_a_form() -> None:
    last = PLAY.stop - 1
    assert PLAY.words(last) == "card king of hearts, target 3, named the queen, price 3"
    assert PLAY.words(3, "plays a {card}, naming {named}") == "plays a guard, naming nobody"


def test_a_form_names_parts_of_the_action() -> None:
    with pytest.raises(sk.UsageError, match="unknown part of these Actions.*'crad'; did you mean 'card'"):
        PLAY.words(3, "plays a {crad}")


@pytest.mark.parametrize(
    "parts, message",
    [
        ({}, "takes one to 4 parts"),
        (dict.fromkeys("abcde", 2), "takes one to 4 parts, such as card=16, not 5"),
        ({"card": 0}, "card has no values"),
        ({"card": 2.5}, "card has no values.*give their number, a range, an IntEnum or a list"),
        ({"card": range(0, 9, 3)}, "card has no values that go up by 1"),
        ({"card": IntEnum("Gap", {"low": 1, "high": 3})}, "card has no values that go up by 1"),
        ({"pack": 4}, "a part cannot be called 'pack'; rename it"),
    ],
)
def test_parts_that_no_codec_can_have_are_refused(parts: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sk.Actions(**parts)


def reading(codec):
    """Return a rule that unpacks with a codec."""
    return sk.rule(lambda action: codec.target(action))


def test_compiled_code_is_never_that_of_another_codec() -> None:
    three, five = reading(sk.Actions(card=2, target=3)), reading(sk.Actions(card=2, target=5))
    equal = reading(sk.Actions(card=2, target=3))
    assert fingerprint(three) != fingerprint(five)
    assert fingerprint(three) == fingerprint(equal)
