"""Provenance of the data of a game, read from the `provenance` keys of its component file."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from simkit.engine.options import plain

# Tables of a component file that hold no components.
NO_DATA = ("meta", "options", "component_options", "presets", "greedy")
Provenance = Callable[[Mapping[str, Any], Collection[str]], list[str]]


def sources(data: Mapping[str, Any], replaced: Mapping[str, str] = {}) -> Provenance:
    """Return a function of the options in force and the designer's files that lists lines `table: source`.

    A table gives its source under `provenance` and, where its key reads badly, its name under `called`; a
    table `[provenance]` gives sources of other tables by name. Of tables that are choices of an option only
    the one in force counts. `replaced` maps a designer's file to the table that it replaces.
    """

    def source_lines(options: Mapping[str, Any], files: Collection[str] = ()) -> list[str]:
        excluded = {*NO_DATA, "provenance", *(replaced[name] for name in files if name in replaced)}
        tables = {name: table for name, table in data.items() if name not in excluded}
        lines = [
            line for name, table in tables.items() for line in _lines(name, table, set(options.values()))
        ]
        central = {name: text for name, text in data.get("provenance", {}).items() if name not in excluded}
        return list(dict.fromkeys([*lines, *(f"{plain(name)}: {text}" for name, text in central.items())]))

    return source_lines


def _lines(name: str, table: Any, chosen: Collection[Any], above: str = "") -> Iterator[str]:
    """Yield the source of a table, then the differing sources of the tables in it."""
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
    """Return the lines grouped by source.

    >>> by_source(["mood: rulebook", "wheel: public", "map: rulebook"])
    ['mood, map: rulebook', 'wheel: public']
    """
    tables: dict[str, list[str]] = {}
    for name, _, source in (line.partition(": ") for line in lines):
        tables.setdefault(source, []).append(name)
    return [f"{', '.join(dict.fromkeys(names))}: {source}" for source, names in tables.items()]


def reconstructed(lines: list[str]) -> list[str]:
    """Return the tables whose source is, at least in part, a reconstruction.

    >>> parts = ["mood: reconstructed", "wheel: public", "map: rulebook+reconstructed", "map: reconstructed"]
    >>> reconstructed(parts)
    ['mood', 'map']
    """
    parts = (line.partition(": ") for line in lines)
    return list(dict.fromkeys(name for name, _, source in parts if "reconstructed" in source))
