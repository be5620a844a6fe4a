"""Binary format of WebAssembly: numbers, names and sections (https://webassembly.github.io/spec/core/binary)."""

import enum
from collections.abc import Iterable, Iterator

HEADER = b"\0asm\1\0\0\0"
PADDED = 5  # bytes of a 32-bit number that a linker may change
I32, FUNCTIONS = 0x7F, 0x70  # types of values and of elements of a table
I32_CONST, END = b"\x41", b"\x0b"


class Section(enum.IntEnum):
    """Identifier of a section."""

    custom, type, import_, function, table, memory, global_, export, start, element, code, data = range(12)
    data_count = 12


# Order in a module: the count of data segments stands before the code that refers to them.
ORDER = [*(s for s in Section if 0 < s < Section.code), Section.data_count, Section.code, Section.data]


class Kind(enum.IntEnum):
    """Kind of an import or export."""

    function, table, memory, global_, tag = range(5)


class Reader:
    """Position in the content of a section, which reading advances."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def __bool__(self) -> bool:
        return self.at < len(self.content)

    def byte(self) -> int:
        """Read a byte."""
        self.at += 1
        return self.content[self.at - 1]

    def take(self, size: int) -> bytes:
        """Read `size` bytes."""
        self.at += size
        return self.content[self.at - size : self.at]

    def unsigned(self) -> int:
        """Read an unsigned number in LEB128."""
        number = shift = 0
        while (byte := self.byte()) & 0x80:
            number |= (byte & 0x7F) << shift
            shift += 7
        return number | byte << shift

    def signed(self) -> int:
        """Read a signed number in LEB128."""
        start, number = self.at, self.unsigned()
        bits = 7 * (self.at - start)
        return number - (1 << bits) if number >> (bits - 1) else number

    def name(self) -> str:
        """Read a text in UTF-8."""
        return self.take(self.unsigned()).decode()

    def times(self) -> range:
        """Read the length of a vector; return the numbers of its elements."""
        return range(self.unsigned())


def sections(file: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield number and content of the sections of a module or relocatable object."""
    reader = Reader(file[len(HEADER) :])
    while reader:
        number = reader.byte()
        yield number, reader.take(reader.unsigned())


def unsigned(number: int, size: int = 0) -> bytes:
    """Return a number in LEB128, of exactly `size` bytes unless `size` is 0.

    >>> unsigned(300).hex(), unsigned(1, 5).hex()
    ('ac02', '8180808000')
    """
    groups = [number & 0x7F]
    while (number := number >> 7) or len(groups) < size:
        groups.append(number & 0x7F)
    return bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])


def signed(number: int, size: int = 0) -> bytes:
    """Return a signed number in LEB128, of exactly `size` bytes unless `size` is 0.

    >>> signed(-1).hex(), signed(64).hex(), signed(-1, 5).hex()
    ('7f', 'c000', 'ffffffff7f')
    """
    shortest = number.bit_length() // 7 + 1  # one bit more than the magnitude, for the sign
    size = size or shortest
    return unsigned(number & ((1 << 7 * size) - 1), size)


def vector(parts: Iterable[bytes]) -> bytes:
    """Return parts with their number in front."""
    listed = list(parts)
    return unsigned(len(listed)) + b"".join(listed)


def text(name: str) -> bytes:
    """Return a text with its length in front."""
    return unsigned(len(name.encode())) + name.encode()


def module(contents: dict[Section, bytes]) -> bytes:
    """Return a module of sections."""
    parts = [(section, contents[section]) for section in ORDER if section in contents]
    return HEADER + b"".join(bytes([number]) + unsigned(len(part)) + part for number, part in parts)
