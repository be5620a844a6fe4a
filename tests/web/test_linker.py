"""The linker places data, writes addresses, and refuses by name what it does not know."""

from __future__ import annotations

import struct

import pytest
import wasmtime

from simkit.errors import WebError
from simkit.web import llvm, wasm_format
from simkit.web.linker import STACK, Linked, link
from simkit.web.wasm_format import Reader, Section

FUNCTIONS_AND_DATA = """
@numbers = global [3 x i32] [i32 5, i32 7, i32 11], align 64
@pointer = global ptr getelementptr (i8, ptr @numbers, i32 8)
@zeros = global [1000 x i8] zeroinitializer, align 64
@table = global [2 x ptr] [ptr @double, ptr @negate]
@state = global i32 3

define i32 @double(i32 %x) { %y = mul i32 %x, 2  ret i32 %y }
define i32 @negate(i32 %x) { %y = sub i32 0, %x  ret i32 %y }

define i32 @third() {
  %there = load ptr, ptr @pointer
  %number = load i32, ptr %there
  ret i32 %number
}
define i32 @through_table(i32 %which, i32 %x) {
  %slot = getelementptr ptr, ptr @table, i32 %which
  %function = load ptr, ptr %slot
  %y = call i32 %function(i32 %x)
  ret i32 %y
}
define i32 @on_the_stack(i32 %x) {
  %room = alloca [100 x i32]
  %end = getelementptr i32, ptr %room, i32 99
  store volatile i32 %x, ptr %end
  %y = load volatile i32, ptr %end
  ret i32 %y
}
define i32 @deep(i32 %x) {
  %room = alloca [5000 x i32]
  store volatile i32 %x, ptr %room
  %y = call i32 @deep(i32 %x)
  %z = load volatile i32, ptr %room
  %sum = add i32 %y, %z
  ret i32 %sum
}
"""
UNDEFINED = """
declare double @exp(double)
@table_of_elsewhere = external global i32
define double @play(double %x) { %y = call double @exp(double %x)  ret double %y }
define i32 @look() { %y = load i32, ptr @table_of_elsewhere  ret i32 %y }
"""


def object_of(text: str) -> bytes:
    module = llvm.parse(f'target triple = "{llvm.TRIPLE}"\n{text}')
    return bytes(llvm.machine().emit_object(module))


class Instance:
    def __init__(self, linked: Linked) -> None:
        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        instance = wasmtime.Instance(self.store, wasmtime.Module(engine, linked.module), [])
        self.exports = instance.exports(self.store)

    def call(self, name: str, *numbers: int) -> int:
        return int(self.exports[name](self.store, *numbers))

    def memory(self, start: int, size: int) -> bytes:
        return bytes(self.exports["memory"].read(self.store, start, start + size))


NAMES = ["third", "through_table", "on_the_stack", "deep"]


@pytest.fixture(scope="module")
def linked() -> Linked:
    return link(object_of(FUNCTIONS_AND_DATA), NAMES)


def test_data_lie_aligned_behind_the_stack_at_the_addresses_that_are_returned(linked: Linked) -> None:
    numbers, zeros = linked.addresses["numbers"], linked.addresses["zeros"]
    assert struct.unpack("<3i", Instance(linked).memory(numbers, 12)) == (5, 7, 11)
    assert min(linked.addresses.values()) >= STACK and numbers % 64 == zeros % 64 == 0
    assert linked.memory >= zeros + 1000 > max(linked.addresses["state"], numbers), "zeros come last"


def test_zeros_take_no_room_in_the_module(linked: Linked) -> None:
    longer = link(object_of(FUNCTIONS_AND_DATA.replace("[1000 x i8]", "[1000000 x i8]")), NAMES)
    assert abs(len(longer.module) - len(linked.module)) < 10
    assert longer.memory - linked.memory == pytest.approx(999_000, abs=64)


def test_addresses_of_data_and_functions_are_written_into_code_and_data(linked: Linked) -> None:
    instance = Instance(linked)
    assert instance.call("third") == 11
    assert [instance.call("through_table", which, 21) for which in (0, 1)] == [42, -21]
    assert instance.call("on_the_stack", 17) == 17


def test_an_overflow_of_the_stack_traps_and_changes_no_data(linked: Linked) -> None:
    instance = Instance(linked)
    with pytest.raises(wasmtime.Trap, match="out of bounds"):
        instance.call("deep", -1)
    assert instance.call("third") == 11


def test_undefined_functions_and_data_are_refused_by_name() -> None:
    with pytest.raises(WebError, match="WebAssembly lacks exp, table_of_elsewhere"):
        link(object_of(UNDEFINED), ["play"])


def test_an_export_that_does_not_exist_is_refused_by_name() -> None:
    with pytest.raises(WebError, match="there is no function plays"):
        link(object_of(FUNCTIONS_AND_DATA), ["plays"])


def test_an_unknown_section_is_refused_by_number_or_name() -> None:
    file = object_of(FUNCTIONS_AND_DATA)
    with pytest.raises(WebError, match="does not know section 42"):
        link(file + bytes([42, 0]), NAMES)
    named = wasm_format.text("dylink.0")
    with pytest.raises(WebError, match=r"does not know section 'dylink\.0'"):
        link(file + bytes([0, len(named)]) + named, NAMES)


def test_an_unknown_relocation_is_refused_by_type() -> None:
    with pytest.raises(WebError, match="does not know relocations of type 9"):
        link(changed(object_of(FUNCTIONS_AND_DATA), "reloc.CODE", {2: 9}), NAMES)


def test_an_unknown_version_and_part_of_the_symbols_are_refused() -> None:
    file = object_of(FUNCTIONS_AND_DATA)
    with pytest.raises(WebError, match="knows objects of version 2 only, not 3"):
        link(changed(file, "linking", {0: 3}), NAMES)
    with pytest.raises(WebError, match="does not know part 77"):
        link(changed(file, "linking", {1: 77}), NAMES)


def changed(file: bytes, name: str, new: dict[int, int]) -> bytes:
    """Return an object with other bytes at offsets of a custom section, counted from behind its name."""
    parts = [wasm_format.HEADER]
    for section, whole in wasm_format.sections(file):
        content, reader = bytearray(whole), Reader(whole)
        if section == Section.custom and reader.name() == name:
            for offset, byte in new.items():
                content[reader.at + offset] = byte
        parts.append(bytes([section]) + wasm_format.unsigned(len(content)) + content)
    return b"".join(parts)
