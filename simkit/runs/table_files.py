"""Designer's own files in place of printed tables, fixed for all cells or swept as `files.TABLE`.

In a sweep the value of `files.TABLE` is `printed` or the path of a file; cells store only the file's name,
and the experiment stores its path.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from simkit.engine.game import Game
from simkit.engine.options import to_words
from simkit.errors import UsageError, look_up
from simkit.runs.run_metadata import OptionWords

HEAD, PRINTED, MAPPING = "files.", "printed", ".columns"
Sweep = Mapping[str, list[Any]]


def is_file(name: str) -> bool:
    """Return whether a key of a sweep names a table that a file may replace."""
    return name.startswith(HEAD)


def mapping_name(name: str, path: str) -> str:
    """Return the key in `files` of the mapping of columns beside a sheet, whose copy stays beside it.

    >>> mapping_name("cards", "mine.csv"), mapping_name("files.cards: mine.csv", "mine.csv")
    ('cards.columns', 'cards/mine.columns')
    """
    of, _, swept_file = name.partition(":")
    return f"{table(of)}/{Path(path).stem}{MAPPING}" if swept_file else f"{name}{MAPPING}"


def has_own_files(varied: Mapping[str, Any]) -> bool:
    """Return whether a designer's file replaces a table of a cell."""
    return any(is_file(name) and value != PRINTED for name, value in varied.items())


def table(name: str) -> str:
    """Return the table that a key `files.TABLE` names."""
    return name.removeprefix(HEAD)


def stored_value(game: Game, name: str, value: Any) -> str:
    """Return the value that a cell stores for a swept file: `printed` or the file's name."""
    look_up(f"table of {game.name} that a file may replace", table(name), game.components.files)
    if not isinstance(value, str) or not value:
        raise UsageError(f"{name}: {value!r} is not the path of a file, nor '{PRINTED}'")
    return Path(value).name


def names_of(key: str) -> list[str]:
    """Return the options and tables that a key of a sweep sets together."""
    return [name.strip() for name in key.split(",")]


def swept_files(sweep: Sweep) -> dict[str, dict[str, str]]:
    """Return the files of a sweep: `files.TABLE` -> file name -> path; two files need two names."""
    paths: dict[str, dict[str, str]] = {}

    def note(name: str, path: str) -> str:
        own, file = paths.setdefault(name, {}), Path(path).name
        for other, other_path in own.items():
            # Their copies in the run folder would be one file where capitals do not count.
            if other.casefold() == file.casefold() and other_path != path:
                raise UsageError(f"{name}: {other_path} and {path} have one name; rename one of them")
        own[file] = path
        return path

    replace_paths({key: values for key, values in sweep.items() if any(map(is_file, names_of(key)))}, note)
    return paths


def replace_paths(sweep: Sweep, new_path: Callable[[str, str], str]) -> dict[str, list[Any]]:
    """Return the sweep with every path replaced by `new_path(files.TABLE, path)`."""

    def replace(name: str, value: Any) -> Any:
        is_path = is_file(name) and isinstance(value, str) and value != PRINTED
        return new_path(name, value) if is_path else value

    result: dict[str, list[Any]] = {}
    for key, values in sweep.items():
        names, changed = names_of(key), list[Any]()
        for value in values:
            if isinstance(value, list):
                changed.append([replace(name, part) for name, part in zip(names, value, strict=False)])
            else:
                changed.append(replace(names[0], value))
        result[key] = changed
    return result


def options_of(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a cell without files, and without options that its files replace."""
    own = {name for name, value in options.items() if is_file(name) and value != PRINTED}
    instead = {option for name in own for option in game.components.files[table(name)].replaced}
    return {name: value for name, value in options.items() if not is_file(name) and name not in instead}


def rows(game: Game, name: str, read: Mapping[str, Any], options: Mapping[str, Any]) -> list[list[str]]:
    """Return a table as text, header first: the one in `read`, else the printed one; [] without text form."""
    component = game.components.files[table(name)]
    if component.printed is None or component.rows is None:
        return []
    content = read[table(name)] if table(name) in read else component.printed(game.resolve(options))
    return component.rows(content)


def words(varied: list[Mapping[str, Any]]) -> dict[str, OptionWords]:
    """Return the option texts of swept tables, by `files.TABLE`."""
    values: dict[str, list[str]] = {}
    for setting in varied:
        for name in filter(is_file, setting):
            values.setdefault(name, [PRINTED]).append(setting[name])
    fixed: dict[str, Any] = {"kind": "choice", "default": PRINTED, "low": 0}
    names = {name: dict(zip(choices, choices, strict=True)) for name, choices in values.items()}
    return {
        name: OptionWords(
            label=to_words(table(name)), meaning=meaning(name), high=len(own) - 1, values=own, **fixed
        )
        for name, own in names.items()
    }


def meaning(name: str) -> str:
    """Return the meaning of a swept table's column."""
    return f"{to_words(table(name)).capitalize()}: as printed, or the designer's own"
