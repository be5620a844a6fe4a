"""Rules records for a page, which cannot build component tables itself.

The page writes an option into the record, unless tables are built from it: then it needs the record for each
value, which is prepared here as a patch of the record that the page starts from. A page changes only one such
option at a time, as tables for several would be too many.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from simkit.engine.game import Game
from simkit.engine.options import Option
from simkit.errors import UsageError

MAX_BYTES = 300_000  # of all patches
MAX_VALUES = 25  # values of a number that are all prepared; of others those near the default are
GAP = 8  # equal bytes that a patch repeats rather than begin anew
Patch = list[tuple[int, str]]  # offset and bytes in base64
Setting = Mapping[str, Any]  # option -> value


class Prepared:
    """Record that the page starts from, and patches for other values of options that build tables.

    Args:
        game: the game.
        given: options in force at the start.
        files: the designer's own tables.
        first: option -> values that come first, as they were swept.
    """

    def __init__(self, game: Game, given: Setting, files: Mapping[str, Any], first: Mapping[str, list[Any]]):
        self.game, self.given, self.files, self.first = game, given, files, first
        self.patches = dict[str, dict[int, Patch]]()  # option -> number of a value -> patch
        self.refused = dict[str, dict[int, str]]()  # values that the rules do not allow, and why
        self._read, self._size = set[str](), 0  # options that are read to build tables; bytes of all patches
        self.base = self._record({})
        while missing := [option for option in self._ordered() if option.name not in self.patches]:
            for option in missing:
                self._prepare(option)

    def _record(self, changes: Setting) -> bytes:
        """Return the record with some options changed, and note the options that its tables depend on."""
        given = {**self.given, **changes}
        record = self.game.rules(given, self.files).tobytes()
        options = Watched(self.game.resolve(given))
        self.game.components.build(options, dict(self.files))
        self._read |= options.read
        return record

    def _ordered(self) -> Iterator[Option]:
        """Yield the options that change tables, themselves or as a preset, the swept ones first."""
        for option in sorted(self.game.options, key=lambda option: option.name not in self.first):
            sets = self.game.presets.get(option.name, {}).values()
            if option.name in self._read or any(self._read & names.keys() for names in sets):
                yield option

    def _prepare(self, option: Option) -> None:
        patches, refused = dict[int, Patch](), dict[int, str]()
        for value in self._values(option):
            number = option.number(value)
            try:
                patch = _patch(self.base, self._record({option.name: value}))
            except UsageError as error:
                refused[number] = str(error)
                continue
            self._size += len(json.dumps(patch))
            if self._size > MAX_BYTES:
                patches.clear()
                break
            patches[number] = patch
        self.patches[option.name], self.refused[option.name] = patches, refused

    def _values(self, option: Option) -> list[Any]:
        """Return the values to prepare: all, or the swept ones and some near the printed value."""
        if option.names or option.high - option.low >= MAX_VALUES:
            return list(dict.fromkeys([*self.first.get(option.name, []), *option.near]))
        return list(range(option.low, option.high + 1))


class Watched(dict[str, Any]):
    """Options in force, which note the names of those that are read."""

    def __init__(self, options: dict[str, Any]) -> None:
        super().__init__(options)
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of an option."""
        self.read.add(name)
        return super().get(name, default)

    def keys(self) -> Any:
        """Return the names, for a copy."""
        self.read.update(super().keys())
        return super().keys()

    def items(self) -> Any:
        """Return names and values."""
        self.read.update(super().keys())
        return super().items()


def _patch(before: bytes, after: bytes) -> Patch:
    """Return the parts of a record that differ from those of another.

    >>> _patch(b"abc" + bytes(20) + b"x", b"abd" + bytes(20) + b"y")
    [(2, 'ZA=='), (23, 'eQ==')]
    """
    old, new = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
    places = np.flatnonzero(old != new)
    parts = np.split(places, np.flatnonzero(np.diff(places) > GAP) + 1) if places.size else []
    return [(int(p[0]), base64.b64encode(after[p[0] : p[-1] + 1]).decode()) for p in parts]
