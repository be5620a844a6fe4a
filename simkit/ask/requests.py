"""Requests: the arguments of questions as plain values, and the experiments and studies they ask for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from simkit.ask.arguments import lineup_text
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup
from simkit.engine.options import PLAYERS
from simkit.engine.strategy import RANDOM, Strategy
from simkit.errors import UsageError
from simkit.page.words.numbers import join_names
from simkit.runs import experiment
from simkit.runs.experiment import USUAL_MARGIN, USUAL_SEED, Experiment, with_players
from simkit.runs.plan import Plan, read_files

# Keys of experiments that a study passes on.
STUDY_KEYS = ("options", "files", "target", "role", "rotate", "keep_going")
EMPTY: tuple[Any, ...] = (None, "", [], {})


def plain(value: Any) -> Any:
    """Return a value as a file would state it: numbers and texts, in lists and dictionaries.

    Workers, manifests and pages know a game or strategy by its name. UsageError for one that is in no file.
    """
    if isinstance(value, Experiment):
        return value.keys()
    if isinstance(value, Game | Strategy):
        return _name(value)
    if isinstance(value, Mapping):
        return {plain(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, str | Path):
        return str(value)
    if hasattr(value, "tolist"):  # of NumPy
        return value.tolist()
    entries = sorted(value) if isinstance(value, set | frozenset) else value
    return [plain(entry) for entry in entries] if isinstance(entries, Iterable) else value


def _name(value: Game | Strategy) -> str:
    """Return the name of a game or strategy; UsageError, with the way to save it, if it is in no file."""
    with suppress(UsageError):
        if value in _in_files(value):
            return value.name
    file = f"mine/{'games' if isinstance(value, Game) else 'strategies'}/{value.name}.py"
    cure = f"write it to {file} (%%writefile {file} in a notebook), then say sk.add_project('mine')"
    raise UsageError(f"'{value.name}' is in no file of a project, where workers and pages find it: {cure}")


def _in_files(value: Game | Strategy) -> list[Game | Strategy]:
    """Return what files say to be the game or strategy of this name."""
    if isinstance(value, Game):
        return [registry.game(value.name)]
    owners = [value.game] if value.game else list(registry.games().values())
    return [registry.strategy(owner, value.name) for owner in owners[:1]]


def ask(game: str, question: str, keys: Mapping[str, Any]) -> Experiment:
    """Return the experiment that keys of it describe; without lineups it has the game's usual one."""
    front = {"question": question, "game": game}
    return experiment.parse(front | dict(keys) | {"lineups": lineups_of(game, keys.get("lineups", ()))})


def along(game: Game, swept: Mapping[str, Iterable[Any]]) -> str:
    """Return the end of a question that names the options of a sweep as readers do.

    >>> along(registry.game("pig"), {"goal, faces": [[50, 6]], "players": [2, 3, 4]})
    ' along points that win and faces of the die with 2 to 4 players'
    >>> along(registry.game("pig"), {"players": [2, 4]}), along(registry.game("pig"), {})
    (' with 2 and 4 players', '')
    """
    labels = {option.name: option.label for option in game.options}
    keys = [name.strip() for key in swept for name in key.split(",")]
    names = [labels.get(name, name) for name in keys if name not in PLAYERS]
    counts = [count for key in PLAYERS for count in swept.get(key, ())]
    options = f" along {join_names(names)}" if names else ""
    if not counts:
        return options
    size = join_names(map(str, counts))
    if len(counts) > 2 and counts == list(range(counts[0], counts[0] + len(counts))):
        size = f"{counts[0]} to {counts[-1]}"
    return f"{options} with {size} player{'' if size == '1' else 's'}"


def lineups_of(game: str, lineups: Sequence[str | Sequence[str]]) -> list[list[str]]:
    """Return lineups by seat; the default is the game's reference, its first own strategy, or random."""
    if lineups:
        return [[str(named) for named in parse_lineup(lineup_text(lineup))] for lineup in lineups]
    definition = registry.game(game)
    own = [name for name, strategy in registry.strategies(definition).items() if strategy.game is not None]
    name = "reference_greedy" if "reference_greedy" in own else own[0] if own else RANDOM
    return [[name] * definition.default_seats]


def opponents(game: Game, first: str, second: str, seats: int) -> tuple[str, str]:
    """Return the labels of two strategies that play against each other; UsageError if they cannot."""
    if game.team:
        raise UsageError(f"{game.name} is co-operative: strategies cannot play against each other in it")
    for text in (first, second):
        if (count := len(parse_lineup(text))) != 1:
            raise UsageError(f"'{text}' is {count} strategies; give one strategy against one other")
    sides = parse_lineup(f"{first}, {second}")
    if registry.same_player(game, sides[0], sides[1], seats):
        raise UsageError(f"'{first}' and '{second}' are the same strategy; give two that differ")
    return str(sides[0]), str(sides[1])


def alone_among(strategy: str, others: str, seats: int) -> list[str]:
    """Return the lineup of a strategy alone at a table of another.

    >>> alone_among("a", "b", 3)
    ['a', 'b', 'b']
    """
    return [strategy, *[others] * (seats - 1)]


def table_of(game: str, seats: int | None, options: Mapping[str, Any]) -> str:
    """Return a lineup of as many seats as are asked for; UsageError for two different numbers of players.

    Who sits there is not known yet.
    """
    for name in PLAYERS:
        if seats and options.get(name, seats) != seats:
            raise UsageError(f"seats {seats} and {name} = {options[name]}: give the number of players once")
    return f"{RANDOM}*{seats or registry.game(game).default_seats}"


def with_seats(
    game: str, keys: Mapping[str, Any], sweep: Mapping[str, list[Any]]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return keys and sweep with the number of players, if they have one, turned into lineups."""
    lineups = lineups_of(game, keys.get("lineups", ()))
    front = {"game": game, "lineups": lineups, "options": keys.get("options", {})}
    full = with_players(front | {"sweep": dict(sweep)})
    return {**keys, "lineups": full["lineups"], "options": full["options"]}, full["sweep"]


def study_keys(game: str, deals: int, keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that all studies have."""
    keys, _ = with_seats(game, keywords, {})
    more = {name: keys[name] for name in STUDY_KEYS if keys.get(name)}
    front = {"game": game, "lineups": keys["lineups"], "deals": deals, "more": more}
    return front | {"seed": keys.get("seed", USUAL_SEED), "margin": keys.get("margin", USUAL_MARGIN)}


def say_inputs(plan: Plan, say: Callable[[str], None]) -> None:
    """Report what was read from the designer's files, and rules that learned players were not trained for.

    Faults of the experiment come first.
    """
    if plan.experiment.every_file():
        plan.check()
        read = [read_files(plan.experiment, cell.varied).values() for cell in plan.cells]
        for line in dict.fromkeys(table.summary for tables in read for table in tables):
            say(line)
    for note in plan.notes:
        say(note)
