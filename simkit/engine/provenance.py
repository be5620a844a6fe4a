"""Where the data of a game come from: read from the `provenance` keys of its component file."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from simkit.engine.options import plain

NO_DATA = (
    "meta",
    "options",
    "component_options",
    "presets",
    "greedy",
)  # tables of a component file that are no components
Provenance = Callable[[Mapping[str, Any], Collection[str]], list[str]]


def sources(data: Mapping[str, Any], replaced: Mapping[str, str] = {}) -> Provenance:
    """A function of the options in force and the names of the designer's files: lines `table: source`.

    A table tells its source under `provenance`, and under `called` its name where the key reads badly; or a
    table `[provenance]` tells it for others by name. Of tables that are the choices of an option only the one
    in force counts. `replaced`: file -> the table it stands for.
    """

    def said(options: Mapping[str, Any], files: Collection[str] = ()) -> list[str]:
        gone = {*NO_DATA, "provenance", *(replaced[name] for name in files if name in replaced)}
        tables = {name: table for name, table in data.items() if name not in gone}
        lines = [
            line for name, table in tables.items() for line in _lines(name, table, set(options.values()))
        ]
        own = {name: text for name, text in data.get("provenance", {}).items() if name not in gone}
        return list(dict.fromkeys([*lines, *(f"{plain(name)}: {text}" for name, text in own.items())]))

    return said


def _lines(name: str, table: Any, chosen: Collection[Any], above: str = "") -> Iterator[str]:
    """The source of a table, then those of the tables in it that differ from it."""
    for part in table if isinstance(table, list) else [table]:
        if not isinstance(part, Mapping):
            continue
        name, source = part.get("called", name), part.get("provenance", above)
        if source and source != above:
            yield f"{plain(name)}: {source}"
        inside = {key: value for key, value in part.items() if isinstance(value, Mapping | list)}
        for key in [key for key in inside if key in chosen] or inside:
            yield from _lines(f"{name} {key}", inside[key], chosen, source)


def by_source(lines: list[str]) -> list[str]:
    """The same told source by source.

    >>> by_source(["mood: rulebook", "wheel: public", "map: rulebook"])
    ['mood, map: rulebook', 'wheel: public']
    """
    tables: dict[str, list[str]] = {}
    for name, _, source in (line.partition(": ") for line in lines):
        tables.setdefault(source, []).append(name)
    return [f"{', '.join(dict.fromkeys(names))}: {source}" for source, names in tables.items()]


def reconstructed(lines: list[str]) -> list[str]:
    """The tables whose source is, at least in part, a reconstruction.

    >>> parts = ["mood: reconstructed", "wheel: public", "map: rulebook+reconstructed", "map: reconstructed"]
    >>> reconstructed(parts)
    ['mood', 'map']
    """
    parts = (line.partition(": ") for line in lines)
    return list(dict.fromkeys(name for name, _, source in parts if "reconstructed" in source))
