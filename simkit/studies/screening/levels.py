"""Two values for each option, and options that the game does not take together left out."""

import itertools
from typing import Any

from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.options import Option
from simkit.engine.strategy import seats_of
from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.stats.factorial import screening_design
from simkit.studies.screening.request import Asked, Levels, Screen, Value

PART = 4  # the usual second value of a number lies this part of its range from the usual one


def screen_of(asked: Asked) -> Screen:
    """The options with their two values, as far as the game takes every run of the design."""
    _check(asked)
    game = registry.game(asked.game)
    told: list[str] = []
    levels: Levels = {}
    usual = asked.usual()
    for name in asked.options or [option.name for option in game.options if option.name not in asked.fixed]:
        given = asked.options.get(name)
        if not asked.options and name in game.presets:
            told.append(f"{name} is left out: it sets other options (name it in --options to turn it)")
        elif given is not None:
            levels[name] = given
        elif (found := _other(asked, game.option(name), usual[name], told)) is not None:
            levels[name] = (usual[name], found)
    if not asked.options:
        levels = _without_idle(game, levels, usual, told)
    levels = _without_refused(asked, levels, told)
    if not levels:
        raise UsageError(f"{asked.game}: no option is left to screen: {'; '.join(told) or 'it has none'}")
    return Screen(levels, told)


def _check(asked: Asked) -> None:
    game = registry.game(asked.game)
    seats_of(asked.lineups)
    for name, ends in asked.options.items():
        option = game.option(name)
        if name in asked.fixed:
            raise UsageError(f"option {name} is given with --set and with --options; once is enough")
        if ends is not None and option.number(ends[0]) == option.number(ends[1]):
            raise UsageError(f"--options {name}: two different values are needed, not {ends[0]} twice")


def second_value(option: Option, usual: Value) -> Value:
    """The value that the usual one is held against.

    Of a number a quarter of the range (1 at least) towards its farther end, of a flag the other one, of a
    choice the first other one.

    >>> from simkit.engine.options import integer
    >>> second_value(integer("keep", 16, 0, 48, "X-1", "Cards kept"), 16)
    28
    """
    if option.names:
        return next(
            option.shown(option.number(one))
            for one in option.names
            if option.shown(option.number(one)) != usual
        )
    step = max(1, round((option.high - option.low) / PART))
    up = option.high - usual >= usual - option.low
    return min(usual + step, option.high) if up else max(usual - step, option.low)


def _other(asked: Asked, option: Option, usual: Value, told: list[str]) -> Value | None:
    """The second value of an option, moved on where the game refuses it; None where nothing is taken."""
    if option.low == option.high:
        told.append(f"{option.name} is left out: it has one value only")
        return None
    wanted = second_value(option, usual)
    end = option.high if not option.names and wanted > usual else option.low
    tries = [wanted, *_next(option, wanted, end, usual)]
    for value in tries:
        if accepted(asked, {option.name: (usual, value)}):
            if value != wanted:
                told.append(f"{option.name} = {value}: the game refuses {wanted}")
            return value
    told.append(f"{option.name} is left out: the game refuses every other value tried by itself")
    return None


def _next(option: Option, wanted: Value, end: int, usual: Value) -> list[Value]:
    """Further values: of a number on to the end of its range, then back; of a choice the other ones."""
    if option.names:
        named = [option.shown(option.number(one)) for one in option.names]
        return [one for one in named if one not in (wanted, usual)]
    step = 1 if end > wanted else -1
    back = range(wanted - step, usual, -step)
    return [*range(wanted + step, end + step, step), *back]


def _without_idle(game: Game, levels: Levels, usual: dict[str, Value], told: list[str]) -> Levels:
    """Without options that do nothing at the values that others have here."""
    for name in list(levels):
        for other, values in game.option(name).needs.items():
            at = values if isinstance(values, list | tuple) else [values]
            if not set(levels.get(other, (usual[other],))) & set(at):
                told.append(
                    f"{name} is left out: it does something only where {other} is {' or '.join(map(str, at))}"
                )
                levels = {one: ends for one, ends in levels.items() if one != name}
                break
    return levels


def _without_refused(asked: Asked, levels: Levels, told: list[str]) -> Levels:
    """Without options whose second values the game refuses beside those of others: the later ones go."""
    while levels and (refused := _refused(asked, levels)):
        setting, why = refused
        culprits = _culprits(asked, levels, setting)
        last = culprits[-1] if culprits else list(levels)[-1]
        beside = "".join(f", {one} = {setting[one]}" for one in culprits if one != last)
        told.append(f"{last} is left out: the game refuses {last} = {setting[last]}{beside} ({why})")
        levels = {name: ends for name, ends in levels.items() if name != last}
    return levels


def _refused(asked: Asked, levels: Levels) -> tuple[dict[str, Value], str] | None:
    """A run of the design that the game refuses, or two second values; and why."""
    names = list(levels)
    pairs = [[name in pair for name in names] for pair in itertools.combinations(names, 2)]
    for high in [*(screening_design(len(names)) > 0).tolist(), *pairs]:
        setting = {name: levels[name][int(up)] for name, up in zip(names, high, strict=True)}
        if why := _why(asked, setting):
            return setting, why
    return None


def _culprits(asked: Asked, levels: Levels, setting: dict[str, Value]) -> list[str]:
    """A smallest set of options that are refused together: the others may go back to their first values."""
    left = dict(setting)
    for name, (low, _) in levels.items():
        if _why(asked, left | {name: low}):
            left[name] = low
    return [name for name, (low, _) in levels.items() if left[name] != low]


def accepted(asked: Asked, levels: Levels) -> bool:
    """Whether the game takes all combinations of the values."""
    settings = (dict(zip(levels, one, strict=True)) for one in itertools.product(*levels.values()))
    return not any(_why(asked, setting) for setting in settings)


def _why(asked: Asked, setting: dict[str, Any]) -> str:
    """Why the game refuses a setting; nothing where it takes it."""
    one = asked.experiment("?", deals=1, options=asked.fixed | setting)
    try:
        registry.game(asked.game).rules(one.options, experiment.read_files(one))
    except UsageError as error:
        return str(error)
    return ""
