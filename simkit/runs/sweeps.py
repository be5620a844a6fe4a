"""Sweeps of an experiment: their combinations, and the baseline among them."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from simkit.engine.game import Game
from simkit.engine.limits import MOST_CELLS
from simkit.errors import UsageError, look_up
from simkit.runs import table_files
from simkit.runs.run_metadata import Setting


def stored_value(game: Game, name: str, value: Any) -> Any:
    """Return the value of an option or swept file as cells store it; refuses one that is out of range."""
    if table_files.is_file(name):
        return table_files.stored_value(game, name, value)
    option = game.option(name)
    return option.value(option.number(value))


def check_many(cells: int) -> None:
    """Refuse more cells than an experiment may have."""
    if cells > MOST_CELLS:
        raise UsageError(f"{cells:,} cells; an experiment has at most {MOST_CELLS:,}")


def combinations(game: Game, sweep: table_files.Sweep, fixed: Sequence[str], lineups: int) -> list[Setting]:
    """Return the settings of a sweep, the last key fastest; `fixed` names what is set for all cells."""
    table_files.swept_files(sweep)  # refuses two files with the same name
    axes = [_axis(game, key, values) for key, values in sweep.items()]
    swept = [name for key in sweep for name in table_files.names_of(key)]
    for name, times in Counter([*fixed, *swept]).items():
        if times > 1:
            kind, where = ("", "[files]") if table_files.is_file(name) else ("option ", "[options]")
            raise UsageError(f"{kind}{name} is given twice: once in {where} or [sweep] is enough")
    check_many(math.prod(map(len, axes)) * lineups)
    return [dict(item for part in parts for item in part.items()) for parts in itertools.product(*axes)]


def _axis(game: Game, key: str, values: list[Any]) -> list[Setting]:
    """Return the settings of one key of the sweep, in order; a key "a, b" sets two options together."""
    names, settings = table_files.names_of(key), dict[str, Setting]()
    for value in values:
        given = value if isinstance(value, list) else [value]
        if len(given) != len(names):
            raise UsageError(f"[sweep] {key}: {value} has {len(given)} values for {len(names)} options")
        setting = {name: stored_value(game, name, entry) for name, entry in zip(names, given, strict=True)}
        if repr(setting) in settings:
            raise UsageError(f"[sweep] {key}: {value} is given twice")
        settings[repr(setting)] = setting
    if not settings:
        raise UsageError(f"[sweep] {key}: no values")
    return list(settings.values())


def baseline(
    game: Game, given: Mapping[str, Any], options: Mapping[str, Any], combinations: list[Setting]
) -> Setting | None:
    """Return the setting to compare with; options missing in [baseline] are as in the rulebook."""
    if not given:
        return None
    for name in given:
        look_up("option in [baseline]", name, combinations[0])
    usual = dict.fromkeys(filter(table_files.is_file, combinations[0]), table_files.PRINTED)
    usual |= game.resolve({**options, **{name: given[name] for name in given if name not in usual}})
    usual |= {name: stored_value(game, name, value) for name, value in given.items()}
    setting = {name: usual[name] for name in combinations[0]}
    if setting not in combinations:
        text = ", ".join(f"{name} = {value}" for name, value in setting.items())
        raise UsageError(f"[baseline] {text} is not among the combinations of [sweep]")
    return setting
