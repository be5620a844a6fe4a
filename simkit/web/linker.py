"""Linker: turns one relocatable WebAssembly object without undefined symbols into a module.

The object is complete, so that its types, functions and table keep their numbers. What is left is to place
the data segments in memory, write the addresses into code and data (relocations), and add the memory, the
table, the stack and the exports. Format of objects: WebAssembly tool conventions, "WebAssembly Object File
Linking", https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md. Anything in an object that
this linker does not know is refused by name. The memory from address 0 on:

    stack      grows downwards, so that an overflow traps instead of overwriting data
    data       segments with content
    zeros      segments without content, which take no room in the module
"""

import enum
from typing import NamedTuple

from simkit.errors import WebError
from simkit.web import wasm_format as wasm
from simkit.web.wasm_format import Kind, Reader, Section

STACK = 1 << 16  # bytes
PAGE = 1 << 16  # bytes
LINKING_VERSION = 2
UNDEFINED, HAS_NAME, ABSOLUTE = 0x10, 0x40, 0x200  # flags of a symbol
IGNORED = {"producers", "target_features", "name"}  # custom sections that linking does not change


class Part(enum.IntEnum):
    """Part of the "linking" section."""

    segments, functions_at_start, groups, symbols = 5, 6, 7, 8


class Symbol(enum.IntEnum):
    """Kind of a symbol."""

    function, data, global_, section, tag, table = range(6)


class Relocation(enum.IntEnum):
    """Type of a relocation: what is written, and how."""

    function_index_leb, table_index_sleb, table_index_i32 = 0, 1, 2
    memory_addr_leb, memory_addr_sleb, memory_addr_i32 = 3, 4, 5
    type_index_leb, global_index_leb, table_number_leb = 6, 7, 20


UNCHANGED = {  # indices that the object has right, as nothing is added in front of anything
    *(Relocation.function_index_leb, Relocation.type_index_leb),
    *(Relocation.global_index_leb, Relocation.table_number_leb),
}
HAS_ADDEND = {Relocation.memory_addr_leb, Relocation.memory_addr_sleb, Relocation.memory_addr_i32}
TABLE_INDICES = {Relocation.table_index_sleb, Relocation.table_index_i32}
IN_FOUR_BYTES = {Relocation.memory_addr_i32, Relocation.table_index_i32}
SIGNED = {Relocation.memory_addr_sleb, Relocation.table_index_sleb}


class Linked(NamedTuple):
    """Module with the addresses of its data symbols by name, and the bytes of memory that it uses."""

    module: bytes
    addresses: dict[str, int]
    memory: int


class _Segment:
    """Data segment of the object."""

    def __init__(self, content: bytes, start: int) -> None:
        self.content = bytearray(content)
        self.start = start  # of the content in the data section, where relocations count from
        self.alignment = 1
        self.address = 0


class _Place(NamedTuple):
    """Meaning of a symbol: a function, or an offset in a data segment."""

    name: str
    kind: Symbol
    index: int  # of the function or segment
    offset: int = 0


class _Object:
    """Relocatable object, read."""

    def __init__(self, file: bytes) -> None:
        self.raw: dict[Section, bytes] = {}
        self.order: list[int] = []
        self.segments: list[_Segment] = []
        self.symbols: list[_Place] = []
        self.undefined: list[str] = []
        self.relocations: list[tuple[Section, Reader]] = []
        self.has_stack = self.has_table = False
        for section in wasm.sections(file):
            self._read(section)

    def _read(self, section: wasm.RawSection) -> None:
        if section.id not in list(Section) or section.id in (Section.start, Section.export):
            raise WebError(f"the linker does not know section {section.id} in an object")
        self.order.append(section.id)
        reader = Reader(section.content)
        if section.id == Section.custom:
            self._read_custom(reader.name(), reader)
        elif section.id == Section.import_:
            self._read_imports(reader)
        elif section.id == Section.data:
            self._read_data(reader)
        else:
            self.raw[Section(section.id)] = section.content

    def _read_custom(self, name: str, reader: Reader) -> None:
        if name == "linking":
            self._read_linking(reader)
        elif name.startswith("reloc."):
            section = self.order[reader.unsigned()]
            if section not in (Section.code, Section.data):
                raise WebError(f"the linker does not know relocations of section {section}")
            self.relocations.append((Section(section), reader))
        elif name not in IGNORED:
            raise WebError(f"the linker does not know section '{name}'")

    def _read_imports(self, reader: Reader) -> None:
        for _ in reader.times():
            name = [reader.name(), reader.name()][1]
            kind = reader.byte()
            if kind == Kind.function:
                self.undefined.append(name)
                reader.unsigned()
            elif kind == Kind.global_ and name == "__stack_pointer":
                self.has_stack = True
                reader.take(2)
            elif kind == Kind.memory and name == "__linear_memory":
                _skip_limits(reader)
            elif kind == Kind.table and name == "__indirect_function_table":
                self.has_table = True
                reader.byte()
                _skip_limits(reader)
            else:
                self.undefined.append(name)
                break

    def _read_data(self, reader: Reader) -> None:
        for _ in reader.times():
            if flags := reader.unsigned():
                raise WebError(f"the linker does not know data segments with flags {flags}")
            _read_offset(reader)
            size = reader.unsigned()
            start = reader.at
            self.segments.append(_Segment(reader.take(size), start))

    def _read_linking(self, reader: Reader) -> None:
        if (version := reader.unsigned()) != LINKING_VERSION:
            raise WebError(f"the linker knows version {LINKING_VERSION} of objects, not {version}")
        while reader:
            part, content = reader.byte(), Reader(reader.take(reader.unsigned()))
            if part == Part.segments:
                self._read_segments(content)
            elif part == Part.symbols:
                self.symbols = [self._read_symbol(content) for _ in content.times()]
            else:
                raise WebError(f"the linker does not know part {part} of the section 'linking'")

    def _read_segments(self, reader: Reader) -> None:
        for i in reader.times():
            reader.name()
            self.segments[i].alignment = 1 << reader.unsigned()
            if flags := reader.unsigned():
                raise WebError(f"the linker does not know data segments with flags {flags}")

    def _read_symbol(self, reader: Reader) -> _Place:
        kind, flags = reader.byte(), reader.unsigned()
        if kind == Symbol.data:
            return self._read_data_symbol(reader, flags)
        if kind not in (Symbol.function, Symbol.global_, Symbol.table):
            raise WebError(f"the linker does not know symbols of kind {kind}")
        index = reader.unsigned()
        name = reader.name() if flags & HAS_NAME or not flags & UNDEFINED else ""
        return _Place(name, Symbol(kind), index)

    def _read_data_symbol(self, reader: Reader, flags: int) -> _Place:
        name = reader.name()
        if flags & UNDEFINED:
            self.undefined.append(name)
            return _Place(name, Symbol.data, 0)
        if flags & ABSOLUTE:
            raise WebError(f"the linker does not know the absolute symbol '{name}'")
        index, offset = reader.unsigned(), reader.unsigned()
        reader.unsigned()  # its size
        return _Place(name, Symbol.data, index, offset)


def link(file: bytes, exports: list[str]) -> Linked:
    """Return the module of a relocatable object; it exports its memory and these functions.

    WebError for undefined symbols, and for anything that the linker does not know.
    """
    unlinked = _Object(file)
    if unlinked.undefined:
        raise WebError(f"WebAssembly lacks {', '.join(sorted(set(unlinked.undefined)))}")
    size = _place(unlinked.segments)
    code = bytearray(unlinked.raw[Section.code])
    for section, reader in unlinked.relocations:
        _relocate(unlinked, section, reader, code)
    functions = {place.name: place.index for place in unlinked.symbols if place.kind == Symbol.function}
    if missing := [name for name in exports if name not in functions]:
        raise WebError(f"there is no function {missing[0]} to export")
    contents = unlinked.raw | {
        Section.code: bytes(code),
        Section.table: _table(unlinked),
        Section.memory: wasm.vector([b"\0" + wasm.unsigned(-(-size // PAGE))]),
        Section.global_: _stack_pointer() if unlinked.has_stack else b"",
        Section.export: _exports({name: functions[name] for name in exports}),
        **_data(unlinked.segments),
    }
    symbols = (place for place in unlinked.symbols if place.kind == Symbol.data)
    addresses = {place.name: _address(unlinked, place) for place in symbols}
    return Linked(wasm.module(contents), addresses, size)


def _skip_limits(reader: Reader) -> None:
    """Skip the least, and with flag 1 the largest, size of a memory or table."""
    for _ in range(1 + (reader.unsigned() & 1)):
        reader.unsigned()


def _read_offset(reader: Reader) -> int:
    """Read the expression for an offset, a constant."""
    opcode, offset, end = reader.take(1), reader.signed(), reader.take(1)
    if opcode != wasm.I32_CONST or end != wasm.END:
        raise WebError("the linker knows constant offsets only")
    return offset


def _place(segments: list[_Segment]) -> int:
    """Give the segments their addresses, those without content last; return the bytes of memory used."""
    size = STACK
    for segment in sorted(segments, key=lambda segment: not any(segment.content)):
        segment.address = -(-size // segment.alignment) * segment.alignment
        size = segment.address + len(segment.content)
    return size


def _address(unlinked: _Object, place: _Place) -> int:
    return unlinked.segments[place.index].address + place.offset


def _relocate(unlinked: _Object, section: Section, reader: Reader, code: bytearray) -> None:
    """Write the values of the relocations of a section."""
    slots = _table_slots(unlinked)
    for _ in reader.times():
        kind = reader.byte()
        if kind not in list(Relocation):
            raise WebError(f"the linker does not know relocations of type {kind}")
        offset, index = reader.unsigned(), reader.unsigned()
        addend = reader.signed() if kind in HAS_ADDEND else 0
        if kind in UNCHANGED:
            continue
        place = unlinked.symbols[index]
        value = slots[place.index] if kind in TABLE_INDICES else _address(unlinked, place) + addend
        target = code
        if section == Section.data:
            segment = next(s for s in unlinked.segments if 0 <= offset - s.start < len(s.content))
            target, offset = segment.content, offset - segment.start
        written = _written(Relocation(kind), value)
        target[offset : offset + len(written)] = written


def _written(kind: Relocation, value: int) -> bytes:
    if kind in IN_FOUR_BYTES:
        return value.to_bytes(4, "little")
    return (wasm.signed if kind in SIGNED else wasm.unsigned)(value, wasm.PADDED)


def _table_slots(unlinked: _Object) -> dict[int, int]:
    """Return the slot of each function in the table, by its index."""
    slots, reader = dict[int, int](), Reader(unlinked.raw.get(Section.element, b"\0"))
    for _ in reader.times():
        if flags := reader.unsigned():
            raise WebError(f"the linker does not know elements with flags {flags}")
        first = _read_offset(reader)
        slots |= {reader.unsigned(): first + i for i in reader.times()}
    return slots


def _table(unlinked: _Object) -> bytes:
    if not unlinked.has_table:
        return b""
    size = 1 + max(_table_slots(unlinked).values(), default=0)
    return wasm.vector([bytes([wasm.FUNCTIONS, 0]) + wasm.unsigned(size)])


def _stack_pointer() -> bytes:
    """Return the only global: the address of the top of the stack, which starts at its end."""
    is_variable = b"\1"
    return wasm.vector([bytes([wasm.I32]) + is_variable + wasm.I32_CONST + wasm.signed(STACK) + wasm.END])


def _exports(functions: dict[str, int]) -> bytes:
    entries = [("memory", Kind.memory, 0)] + [(name, Kind.function, i) for name, i in functions.items()]
    return wasm.vector(wasm.text(name) + bytes([kind]) + wasm.unsigned(i) for name, kind, i in entries)


def _data(segments: list[_Segment]) -> dict[Section, bytes]:
    """Return the section with the segments that have content, and the section with their number."""
    filled = [
        b"\0" + wasm.I32_CONST + wasm.signed(segment.address) + wasm.END + _sized(bytes(segment.content))
        for segment in segments
        if any(segment.content)
    ]
    return {Section.data: wasm.vector(filled), Section.data_count: wasm.unsigned(len(filled))}


def _sized(content: bytes) -> bytes:
    return wasm.unsigned(len(content)) + content
