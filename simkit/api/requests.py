"""Requests: the arguments of questions as plain values, and the experiments and studies they ask for."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, TypedDict, get_args, get_type_hints

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, ValidationError, create_model

from simkit.engine import limits, registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.engine.strategy import Strategy
from simkit.errors import UsageError, suggestion
from simkit.runs import experiment
from simkit.runs.experiment import Experiment, with_players
from simkit.runs.plan import Plan, read_files

STUDY_KEYS = ("options", "files", "target", "keep_going")  # of experiments that a study passes on
EMPTY: tuple[Any, ...] = (None, "", [], {})


def _list(value: Any) -> Any:
    """Return a list; a text is its only entry."""
    if not isinstance(value, str | list):
        raise ValueError("must be a list")
    return [value] if isinstance(value, str) else value


def _pair(value: Any) -> Any:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("must be two values")
    return tuple(value)


def _lineup(value: Any) -> str:
    return ", ".join(map(str, _list(value)))


# Types of arguments; `arguments` checks them after values have been made plain.
Count = Annotated[int, Field(ge=0)]
Deal = Annotated[int, Field(ge=0, lt=limits.DEALS["le"])]  # number of a deal
Seats = Annotated[int, Field(ge=1, le=100)]
Location = Annotated[str | Path, AfterValidator(os.path.expanduser)]
Texts = Annotated[Sequence[str], BeforeValidator(_list)]
Values = Annotated[Iterable[Any], PlainValidator(_list)]  # of a rule option
Pair = Annotated[tuple[Any, Any], BeforeValidator(_pair)]
Range = Annotated[tuple[int, int], BeforeValidator(_pair)]
Lineup = Annotated[str | Sequence[str], PlainValidator(_lineup)]  # "greedy, random" or ["greedy", "random"]


class How(TypedDict, total=False):
    """Where and how games are played; none of it changes a result."""

    out: Location  # run folder or address; by default one below runs/ that is named by the question
    jobs: int  # workers; −1, the default, is one per processor
    backend: str  # of joblib: "threading" (the default), "loky", "dask" or "ray"
    scheduler: str  # address of a cluster of dask or ray
    batch_timeout: Annotated[float, Field(ge=1)]  # seconds until a batch of games (0.2 s, or one game) fails
    progress: bool  # whether to show progress; True by default


class Common(How, total=False):
    """What all questions take besides their own arguments."""

    seed: int  # of all luck; 1 by default
    options: Mapping[str, Any]  # rule options that hold in all cells; "players" is the number of seats
    files: Mapping[str, Location]  # table of components -> your own CSV file: {"cards": "mine.csv"}
    margin: float  # shares this close to fair count as fair; 0.02 by default
    target: float  # win rate that a co-operative game aims at
    keep_going: bool  # count failed games as losses of the strategy that failed


class Keywords(Common, total=False):
    """What questions take that do not choose the lineups themselves."""

    lineups: Annotated[Sequence[Lineup], BeforeValidator(_list)]  # by default the game's reference strategy


class Logging(Keywords, total=False):
    """What questions take whose games can be logged more closely."""

    trace: int  # deals of each cell that are logged turn by turn
    beginners: Annotated[Sequence[float], BeforeValidator(_list)]  # error rates of a beginner in a side run
    kingmaking: int  # deals whose late decisions are varied


class Stopping(Logging, total=False):
    """What questions take whose cells can stop by themselves."""

    until_width: float  # stop a cell when its intervals are this wide
    until_verdict: bool  # stop a cell at its verdict
    confirm: bool  # whether to check the settings nearest to fair on fresh deals


class Changes(Stopping, total=False):
    """What replaces keys of an experiment file."""

    deals: int


def arguments(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call, the `locals()` of the function, as plain values of the right types.

    They are in the order of the signature; common keywords that are None or empty are left out. TypeError for
    a keyword that the function does not have, UsageError for a value of another type or out of range.
    """
    form, keywords = form_of(function), given.get("keywords", {})
    fields = form.model_fields
    if unknown := sorted(keywords.keys() - fields.keys()):
        problem = f"{function.__name__}() got an unexpected keyword argument '{unknown[0]}'"
        raise TypeError(f"{problem}{suggestion(unknown[0], fields)}; known: {', '.join(fields)}")
    common = {name: value for name, entry in keywords.items() if (value := plain(entry)) not in EMPTY}
    values = {name: plain(value) for name, value in given.items() if name in fields} | common
    try:
        checked = form.model_validate(values)
    except ValidationError as error:
        fault = error.errors()[0]
        name, *inside = fault["loc"]
        where = ".".join(map(str, [name, *inside[:1]] if isinstance(values[str(name)], dict) else [name]))
        problem = fault["msg"].removeprefix("Input ").removeprefix("Value error, ")
        raise UsageError(f"{where}: {problem}, not {limits.one_line(repr(fault['input']), 80)}") from None
    return {name: getattr(checked, name) for name in fields if name in values}


@cache
def form_of(function: Callable[..., Any]) -> Any:
    """Return a model of the parameters of a function, with the keywords of its TypedDict."""
    hints, fields = get_type_hints(function, include_extras=True), dict[str, Any]()
    for name, parameter in signature(function).parameters.items():
        kind: Any = hints[name]
        if parameter.kind is Parameter.VAR_KEYWORD:
            common = get_type_hints(get_args(kind)[0], include_extras=True)
            fields |= {key: (hint, None) for key, hint in common.items()}
        else:
            fields[name] = (list[kind] if parameter.kind is Parameter.VAR_POSITIONAL else kind, None)
    return create_model(function.__name__, __config__={"strict": True}, **fields)


def plain(value: Any) -> Any:
    """Return a value as a file would state it: numbers and texts, in lists and dictionaries.

    UsageError for a game or strategy, which workers, manifests and replays know by its name.
    """
    if isinstance(value, Experiment):
        return value.keys()
    if isinstance(value, Game | Strategy):
        why = "simkit finds games and strategies by name, in the folders games and strategies of a project"
        raise UsageError(f"give the name '{value.name}' in place of the object; {why}")
    if isinstance(value, Mapping):
        return {plain(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, str | Path):
        return str(value)
    if hasattr(value, "tolist"):  # of NumPy
        return value.tolist()
    entries = sorted(value) if isinstance(value, set | frozenset) else value
    return [plain(entry) for entry in entries] if isinstance(entries, Iterable) else value


def spoken(function: Callable[..., Any], values: Mapping[str, Any]) -> str:
    """Return a call as a person would write it, without arguments that are at their defaults."""
    words, parameters = list[str](), signature(function).parameters
    for name, value in values.items():
        parameter = parameters.get(name)
        if parameter and parameter.kind is Parameter.VAR_POSITIONAL:
            words += map(repr, value)
        elif value not in (*EMPTY, parameter.default if parameter else None):
            by_name = not parameter or parameter.kind is Parameter.KEYWORD_ONLY
            words.append(f"{name}={value!r}" if by_name else repr(value))
    return f"{function.__name__}({', '.join(words)})"


def ask(game: str, question: str, keys: Mapping[str, Any]) -> Experiment:
    """Return the experiment that keys of it describe; without lineups it has the game's usual one."""
    front = {"question": question, "game": game}
    return experiment.parse(front | dict(keys) | {"lineups": lineups_of(game, keys.get("lineups", ()))})


def lineups_of(game: str, lineups: Sequence[str | Sequence[str]]) -> list[list[str]]:
    """Return lineups by seat; the default is the game's reference, its first own strategy, or random."""
    if lineups:
        return [[str(named) for named in parse_lineup(_lineup(lineup))] for lineup in lineups]
    definition = registry.game(game)
    own = [name for name, strategy in registry.strategies(definition).items() if strategy.game is not None]
    name = "reference_greedy" if "reference_greedy" in own else own[0] if own else "random"
    return [[name] * definition.default_seats]


def seated(
    game: str, keys: Mapping[str, Any], sweep: Mapping[str, list[Any]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return keys and sweep with the number of players, if they have one, turned into lineups."""
    lineups = lineups_of(game, keys.get("lineups", ()))
    front = {"game": game, "lineups": lineups, "options": keys.get("options", {})}
    full = with_players(front | {"sweep": dict(sweep)})
    return {**keys, "lineups": full["lineups"], "options": full["options"]}, full["sweep"]


def study_keys(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that all studies have."""
    keys, _ = seated(keys["game"], keys, {})
    more = {name: keys[name] for name in STUDY_KEYS if keys.get(name)}
    front = {name: keys[name] for name in ("game", "lineups", "deals")} | {"more": more}
    return front | {"seed": keys.get("seed", 1), "margin": keys.get("margin", 0.02)}


def say_files(plan: Plan, say: Callable[[str], None]) -> None:
    """Report what was read from the designer's files; faults of the experiment come first."""
    if plan.experiment.every_file():
        plan.check()
        read = [read_files(plan.experiment, cell.varied).values() for cell in plan.cells]
        for line in dict.fromkeys(table.summary for tables in read for table in tables):
            say(line)
