"""Two values for each option of a screening, without the options that the game cannot combine."""

import itertools
from typing import Any

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.options import Option
from simkit.errors import UsageError
from simkit.runs.plan import read_files
from simkit.stats.factorial import screening_design
from simkit.studies.screening.request import Levels, Request, Screen
from simkit.studies.study import Value

RANGE_DIVISOR = 4  # the second value of a number lies a quarter of its range from the usual one


def screen_of(request: Request) -> Screen:
    """Return the options with their two values, limited to those that the game accepts in every run."""
    game, notes = registry.game(request.game), list[str]()
    names = [option.name for option in game.options]
    usual, levels = dict(zip(names, request.usual(names), strict=True)), dict[str, tuple[Value, Value]]()
    for name in request.options or [name for name in names if name not in request.fixed]:
        option = game.option(name)
        if not request.options and name in game.presets:
            notes.append(f"{name} is left out: it sets other options (name it to turn it)")
        elif option.low == option.high:
            notes.append(f"{name} is left out: it has one value only")
        else:
            levels[name] = request.options.get(name) or (usual[name], second_value(option, usual[name]))
    if not request.options:
        levels = _without_idle(game, levels, usual, notes)
    levels = _without_refused(request, levels, notes)
    if not levels:
        raise UsageError(f"{request.game}: no option is left to screen: {'; '.join(notes) or 'it has none'}")
    return Screen(levels, notes)


def second_value(option: Option, usual: Value) -> Value:
    """Return the value with which the usual value of an option is compared.

    For a number it lies a quarter of the range (1 at least) from the usual value, towards the farther end;
    for a flag or a choice it is the first other value.

    >>> from simkit.engine.options import integer
    >>> second_value(integer("keep", 16, 0, 48, "X-1", "Cards kept"), 16)
    28
    """
    if option.names:
        values = [option.value(option.number(name)) for name in option.names]
        return next(value for value in values if value != usual)
    step = max(1, round((option.high - option.low) / RANGE_DIVISOR))
    up = option.high - usual >= usual - option.low
    return min(usual + step, option.high) if up else max(usual - step, option.low)


def _without_idle(game: Game, levels: Levels, usual: dict[str, Value], notes: list[str]) -> Levels:
    """Drop options that have no effect at any screened value of the options that they depend on."""
    for name in list(levels):
        for other, values in game.option(name).needs.items():
            needed = values if isinstance(values, list | tuple) else [values]
            if not set(levels.get(other, (usual[other],))) & set(needed):
                condition = f"{other} is {' or '.join(map(str, needed))}"
                notes.append(f"{name} is left out: it does something only where {condition}")
                levels = {option: ends for option, ends in levels.items() if option != name}
                break
    return levels


def _without_refused(request: Request, levels: Levels, notes: list[str]) -> Levels:
    """Drop the last option of every combination of second values that the game refuses."""
    while levels and (refused := _refused_setting(request, levels)):
        setting, reason = refused
        culprits = _culprits(request, levels, setting)
        last = culprits[-1] if culprits else list(levels)[-1]
        others = "".join(f", {option} = {setting[option]}" for option in culprits if option != last)
        notes.append(f"{last} is left out: the game refuses {last} = {setting[last]}{others} ({reason})")
        levels = {name: ends for name, ends in levels.items() if name != last}
    return levels


def _refused_setting(request: Request, levels: Levels) -> tuple[dict[str, Value], str] | None:
    """Return a setting that the game refuses, with the reason: a run of the design, or one or two changes."""
    names = list(levels)
    pairs = itertools.combinations_with_replacement(names, 2)
    changes = [[name in pair for name in names] for pair in pairs]
    for high in [*(screening_design(len(names)) > 0).tolist(), *changes]:
        setting = {name: levels[name][int(is_high)] for name, is_high in zip(names, high, strict=True)}
        if reason := _refusal(request, setting):
            return setting, reason
    return None


def _culprits(request: Request, levels: Levels, setting: dict[str, Value]) -> list[str]:
    """Return a smallest set of options whose second values are refused together."""
    reduced = dict(setting)
    for name, (low, _) in levels.items():
        if _refusal(request, reduced | {name: low}):
            reduced[name] = low
    return [name for name, (low, _) in levels.items() if reduced[name] != low]


def accepted(request: Request, levels: Levels) -> bool:
    """Return whether the game accepts all combinations of the values."""
    settings = (dict(zip(levels, values, strict=True)) for values in itertools.product(*levels.values()))
    return not any(_refusal(request, setting) for setting in settings)


def _refusal(request: Request, setting: dict[str, Any]) -> str:
    """Return the reason for which the game refuses a setting; empty where it accepts the setting."""
    trial = request.experiment("?", deals=1, options=request.fixed | setting)
    try:
        registry.game(request.game).rules(trial.options, read_files(trial))
    except UsageError as error:
        return str(error)
    return ""
