"""Linker: turns one relocatable WebAssembly object without undefined symbols into a module.

The object lacks nothing, so its types, functions and table entries keep their numbers. The linker places
the data segments in memory, writes their addresses into code and data (relocations), and adds the memory, the
table, the stack and the exports. Format of objects: WebAssembly tool conventions, "WebAssembly Object File
Linking", https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md. Anything in an object that
this linker does not know is refused by name. The memory from address 0 on:

    stack      grows downwards, so that an overflow traps instead of overwriting data
    data       segments with content
    zeros      segments without content, which take no room in the module
"""

import enum
from dataclasses import dataclass
from typing import NamedTuple

from simkit.errors import WebError
from simkit.web import wasm_format as wasm
from simkit.web.wasm_format import Kind, Reader, Section

STACK = PAGE = 1 << 16  # bytes
VERSION = 2  # of the section "linking"
SEGMENTS, SYMBOLS = 5, 8  # parts of the section "linking"
STRINGS = 1  # flag of a segment of texts, which a linker may store once
UNDEFINED, HAS_NAME, ABSOLUTE = 0x10, 0x40, 0x200  # flags of a symbol
IGNORED = {"producers", "target_features"}  # custom sections that linking does not change
OF_LLVM = {
    "__stack_pointer",
    "__linear_memory",
    "__indirect_function_table",
}  # imports that the linker defines


class Symbol(enum.IntEnum):
    """Kind of a symbol."""

    function, data, global_, section, tag, table = range(6)


class Relocation(enum.IntEnum):
    """Type of a relocation: what is written, and how."""

    function_index_leb, table_index_sleb, table_index_i32 = 0, 1, 2
    memory_addr_leb, memory_addr_sleb, memory_addr_i32 = 3, 4, 5
    type_index_leb, global_index_leb, table_number_leb = 6, 7, 20

    @property
    def is_address(self) -> bool:
        """Whether an address is written, with an addend; else it is a number of something."""
        return self.name.startswith("memory")

    @property
    def is_slot(self) -> bool:
        """Whether the slot of a function in the table is written; all other numbers stay as they are."""
        return self.name.startswith("table_index")

    def written(self, value: int) -> bytes:
        """Return a value as it is written."""
        if self.name.endswith("i32"):
            return value.to_bytes(4, "little")
        return (wasm.signed if self.name.endswith("sleb") else wasm.unsigned)(value, wasm.PADDED)


class Linked(NamedTuple):
    """Module with the addresses of its data symbols by name, and the bytes of memory that it uses."""

    module: bytes
    addresses: dict[str, int]
    memory: int


@dataclass
class _Segment:
    """Data segment of the object."""

    content: bytearray
    start: int  # of the content in the data section, from where relocations count
    alignment: int = 1
    address: int = 0


class _Object:
    """Relocatable object: sections to copy, segments, relocations, and symbols."""

    def __init__(self, file: bytes) -> None:
        self.sections, self.order = dict[Section, bytes](), list[int]()
        self.segments, self.relocations = list[_Segment](), list[tuple[int, Reader]]()
        self.imports, self.undefined = set[str](), set[str]()
        self.symbols: list[tuple[str, int, int]] = []  # name, index of function or segment, offset in this
        self.functions, self.data = dict[str, int](), dict[str, int]()  # numbers of their symbols
        read = {Section.custom: self._custom, Section.import_: self._imports, Section.data: self._data}
        for number, content in wasm.sections(file):
            if number not in list(Section) or number in (Section.start, Section.export):
                raise WebError(f"the linker does not know section {number} in an object")
            section = Section(number)
            self.order.append(section)
            if section in read:
                read[section](Reader(content))
            else:
                self.sections[section] = content

    def _custom(self, reader: Reader) -> None:
        name = reader.name()
        if name == "linking":
            self._linking(reader)
        elif name in ("reloc.CODE", "reloc.DATA"):
            self.relocations.append((self.order[reader.unsigned()], reader))
        elif name not in IGNORED:
            raise WebError(f"the linker does not know section '{name}'")

    def _imports(self, reader: Reader) -> None:
        for _ in reader.times():
            name, kind = (reader.name(), reader.name())[1], reader.byte()
            (self.imports if name in OF_LLVM else self.undefined).add(name)
            reader.take({Kind.global_: 2, Kind.table: 1}.get(Kind(kind), 0))  # types
            if kind == Kind.function:
                reader.unsigned()
            elif kind in (Kind.memory, Kind.table):
                for _ in range(1 + (reader.unsigned() & 1)):  # least size, and with flag 1 the largest
                    reader.unsigned()

    def _data(self, reader: Reader) -> None:
        for _ in reader.times():
            _expect(reader.unsigned(), 0, "data segments with flags")
            _offset(reader)
            size = reader.unsigned()
            self.segments.append(_Segment(bytearray(reader.take(size)), reader.at - size))

    def _linking(self, reader: Reader) -> None:
        _expect(reader.unsigned(), VERSION, "objects of version")
        while reader:
            part, content = reader.byte(), Reader(reader.take(reader.unsigned()))
            if part not in (SEGMENTS, SYMBOLS):
                raise WebError(f"the linker does not know part {part} of the section 'linking'")
            for i in content.times():
                (self._segment if part == SEGMENTS else self._symbol)(content, i)

    def _segment(self, reader: Reader, i: int) -> None:
        reader.name()
        self.segments[i].alignment = 1 << reader.unsigned()
        _expect(reader.unsigned() & ~STRINGS, 0, "data segments with flags")

    def _symbol(self, reader: Reader, i: int) -> None:
        kind, flags, name, index, offset = reader.byte(), reader.unsigned(), "", 0, 0
        if kind == Symbol.data:
            name = reader.name()
            if flags & (UNDEFINED | ABSOLUTE):
                self.undefined.add(name)
            else:
                index, offset, _ = reader.unsigned(), reader.unsigned(), reader.unsigned()
                self.data[name] = i
        elif kind in (Symbol.function, Symbol.global_, Symbol.table):
            index = reader.unsigned()
            name = reader.name() if flags & HAS_NAME or not flags & UNDEFINED else ""
            if kind == Symbol.function:
                self.functions[name] = index
        else:
            raise WebError(f"the linker does not know symbols of kind {kind}")
        self.symbols.append((name, index, offset))

    def address(self, symbol: int) -> int:
        """Return the address of a data symbol."""
        _, index, offset = self.symbols[symbol]
        return self.segments[index].address + offset

    def slots(self) -> dict[int, int]:
        """Return the slot of each function in the table, by its index."""
        slots, reader = dict[int, int](), Reader(self.sections.get(Section.element, b"\0"))
        for _ in reader.times():
            _expect(reader.unsigned(), 0, "elements with flags")
            first = _offset(reader)
            slots |= {reader.unsigned(): first + i for i in reader.times()}
        return slots


def link(file: bytes, exports: list[str]) -> Linked:
    """Return the module of a relocatable object; it exports its memory and these functions.

    WebError for undefined symbols, and for anything that the linker does not know.
    """
    unlinked = _Object(file)
    if unlinked.undefined:
        raise WebError(f"WebAssembly lacks {', '.join(sorted(unlinked.undefined))}")
    if missing := set(exports) - unlinked.functions.keys():
        raise WebError(f"there is no function {', '.join(sorted(missing))}")
    memory, slots = _place(unlinked.segments), unlinked.slots()
    code = bytearray(unlinked.sections[Section.code])
    for section, reader in unlinked.relocations:
        _relocate(unlinked, section, reader, code, slots)
    table = bytes([wasm.FUNCTIONS, 0]) + wasm.unsigned(1 + max(slots.values(), default=0))
    stack = bytes([wasm.I32, 1]) + wasm.I32_CONST + wasm.signed(STACK) + wasm.END  # 1: it changes
    filled = [_content(segment) for segment in unlinked.segments if not _is_zero(segment)]
    contents = unlinked.sections | {
        Section.table: wasm.vector([table] if "__indirect_function_table" in unlinked.imports else []),
        Section.memory: wasm.vector([b"\0" + wasm.unsigned(-(-memory // PAGE))]),
        Section.global_: wasm.vector([stack] if "__stack_pointer" in unlinked.imports else []),
        Section.export: _exports({name: unlinked.functions[name] for name in exports}),
        Section.data_count: wasm.unsigned(len(filled)),
        Section.code: bytes(code),
        Section.data: wasm.vector(filled),
    }
    addresses = {name: unlinked.address(symbol) for name, symbol in unlinked.data.items()}
    return Linked(wasm.module(contents), addresses, memory)


def _expect(number: int, usual: int, what: str) -> None:
    if number != usual:
        raise WebError(f"the linker knows {what} {usual} only, not {number}")


def _offset(reader: Reader) -> int:
    """Read the expression for an offset, a constant."""
    opcode, offset, end = reader.take(1), reader.signed(), reader.take(1)
    if opcode != wasm.I32_CONST or end != wasm.END:
        raise WebError("the linker knows constant offsets only")
    return offset


def _is_zero(segment: _Segment) -> bool:
    return segment.content.count(0) == len(segment.content)


def _place(segments: list[_Segment]) -> int:
    """Give the segments their addresses, those without content last; return the bytes of memory used."""
    size = STACK
    for segment in sorted(segments, key=_is_zero):
        segment.address = -(-size // segment.alignment) * segment.alignment
        size = segment.address + len(segment.content)
    return size


def _relocate(
    unlinked: _Object, section: int, reader: Reader, code: bytearray, slots: dict[int, int]
) -> None:
    """Write the values of the relocations of a section."""
    for _ in reader.times():
        number = reader.byte()
        if number not in list(Relocation):
            raise WebError(f"the linker does not know relocations of type {number}")
        kind, offset, symbol = Relocation(number), reader.unsigned(), reader.unsigned()
        if kind.is_address:
            value = unlinked.address(symbol) + reader.signed()
        elif kind.is_slot:
            value = slots[unlinked.symbols[symbol][1]]
        else:
            continue
        target = code
        if section == Section.data:
            ends = ((s, s.start + len(s.content)) for s in unlinked.segments)
            segment = next(segment for segment, end in ends if offset < end)
            target, offset = segment.content, offset - segment.start
        written = kind.written(value)
        target[offset : offset + len(written)] = written


def _exports(functions: dict[str, int]) -> bytes:
    entries = [("memory", Kind.memory, 0), *((name, Kind.function, i) for name, i in functions.items())]
    return wasm.vector(wasm.text(name) + bytes([kind]) + wasm.unsigned(i) for name, kind, i in entries)


def _content(segment: _Segment) -> bytes:
    """Return a segment as it stands in a module."""
    offset = wasm.I32_CONST + wasm.signed(segment.address) + wasm.END
    return b"\0" + offset + wasm.unsigned(len(segment.content)) + bytes(segment.content)
