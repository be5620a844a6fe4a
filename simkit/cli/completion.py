"""Shell completion from an index of commands, games and strategies, which is rebuilt when their files change.

Importing Numba takes a second, so a press of the tab key only reads the index.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    split_arg_string,
)

from simkit.cli import commands
from simkit.engine import projects
from simkit.runs.storage.scratch import cache_folder

PACKAGE = Path(__file__).resolve().parents[1]
CONTENT = ("games", "strategies", "experiments")
STRATEGIES, SETTINGS = ("--lineup", "--strategies"), ("--set", "--base", "--to", "--vary", "--sweep")
RANGES = "OPTION=START:STOP[:STEP]|A,B,C ..."  # the argument of `sweep`, which may be repeated
NO_GAME: dict[str, list[str]] = {"strategies": [], "settings": []}
SPLIT = ("=", ":")  # bash hands these over as words of their own


class Complete(ShellComplete):
    """Completion of a command line from the index."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """Return completions, or none if content cannot be loaded; every command reports that."""
        try:
            words = _next_words(args, incomplete)
            return [CompletionItem(word) for word in words if word.startswith(incomplete)]
        except Exception:  # a traceback would end up in the line being typed
            return []


@add_completion_class
class _Bash(Complete, BashComplete):
    """Completion for Bash, which replaces only the text after the last `=` or `:`."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, at = split_arg_string(os.environ["COMP_WORDS"]), int(os.environ["COMP_CWORD"])
        args = list[str]()
        for word in [*words, ""][1 : at + 1]:
            if args and (word.startswith(SPLIT) or args[-1].endswith(SPLIT)):
                args[-1] += word
            else:
                args.append(word)
        return args[:-1], args[-1]

    def format_completion(self, item: CompletionItem) -> str:
        _, typed = self.get_completion_args()
        cut = max(typed.rfind(mark) for mark in SPLIT) + 1
        return f"{item.type},{item.value[cut:]}"


@add_completion_class
class _Zsh(Complete, ZshComplete):
    """Completion for Zsh, which replaces the whole word."""


@add_completion_class
class _Fish(Complete, FishComplete):
    """Completion for fish, which replaces the whole word."""


def _next_words(args: list[str], incomplete: str) -> Any:
    """Return the words that may come next, as a list or as the keys of a table."""
    words = iter(projects.without_projects(args))
    command = next((word for word in words if word in commands()), None)
    if command is None:
        return ["--project", "--help", "--version"] if incomplete.startswith("-") else commands()
    named = [value for option, value in pairwise(args) if option == "--project"]
    named += [word.removeprefix("--project=") for word in args if word.startswith("--project=")]
    index = _index(projects.folders(named))
    takes, arguments = index["commands"][command], list(words)
    if incomplete.startswith("-"):
        return takes["options"]
    game = next((index["games"][word] for word in arguments if word in index["games"]), NO_GAME)
    if args[-1] in STRATEGIES:
        front = incomplete[: incomplete.rfind(",") + 1]
        return [front + name for name in game["strategies"]]
    if args[-1] in SETTINGS:
        return game["settings"]
    if (choices := takes["options"].get(args[-1])) is not None:
        return choices
    names = {"GAME": index["games"], "RUN": _runs(incomplete), "EXPERIMENT.toml": index["experiments"]}
    names |= {"A": game["strategies"], "B": game["strategies"], RANGES: game["settings"]}
    return names.get(_argument(takes, arguments).strip("[]"), ())


def _argument(takes: dict[str, Any], words: list[str]) -> str:
    """Return the name, as in the help, of the argument that comes after these words of a command."""
    rest, names = iter(words), iter(takes["arguments"])
    name = next(names, "")
    for word in rest:
        if takes["options"].get(word) is not None:
            next(rest, "")  # the value of the option
        elif not word.startswith("-") and name != RANGES:
            name = next(names, "")
    return name


def _runs(incomplete: str) -> Iterator[str]:
    """Yield the run folders next to the path that is typed, and those in runs/ there."""
    folder = Path(incomplete).parent if "/" in incomplete else Path()
    for manifest in sorted([*folder.glob("*/manifest.json"), *folder.glob("runs/*/manifest.json")]):
        yield str(manifest.parent)


def _index(projects: list[str]) -> dict[str, Any]:
    """Return the index, from the cache unless files have changed."""
    roots = [PACKAGE, PACKAGE.parent, *(Path(project).resolve() for project in projects)]
    folders = [PACKAGE / "cli", *(root / part for root in roots for part in CONTENT)]
    files = sorted(file for folder in folders for kind in ("*.py", "*.toml") for file in folder.rglob(kind))
    stamp = _digest([(str(file), file.stat().st_mtime_ns) for file in files])
    cache = cache_folder() / f"completion-{_digest(list(map(str, roots)))}.json"
    with suppress(OSError, ValueError):
        index = json.loads(cache.read_text(encoding="utf-8"))
        if isinstance(index, dict) and index.get("stamp") == stamp:
            return index
    index = _build(projects) | {"stamp": stamp}
    with suppress(OSError):  # without a cache it is slower
        cache.parent.mkdir(parents=True, exist_ok=True)
        cache.write_text(json.dumps(index), encoding="utf-8")
    return index


def _digest(value: Any) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def _build(projects: list[str]) -> dict[str, Any]:
    import click

    from simkit.cli import cli
    from simkit.engine import registry

    for folder in projects:
        registry.add_project(folder)
    takes = {name: cli.get_command(click.Context(cli), name).params for name in commands()}
    return {
        "commands": {name: _parameter_index(parameters) for name, parameters in takes.items()},
        "games": {name: _game_index(game) for name, game in registry.games().items()},
        "experiments": sorted(registry.experiments()),
    }


def _parameter_index(parameters: list[Any]) -> dict[str, Any]:
    """Return the arguments of a command, and its options with the choices of each, null for a flag."""
    options = {"--help": None} | {
        name: None if parameter.is_flag else list(getattr(parameter.type, "choices", ()))
        for parameter in parameters
        for name in parameter.opts
        if name.startswith("-")
    }
    arguments = [parameter for parameter in parameters if parameter.param_type_name == "argument"]
    names = [argument.metavar or argument.name.upper() for argument in arguments]
    return {"arguments": names, "options": options}


def _game_index(game: Any) -> dict[str, list[str]]:
    """Return the strategies of a game, and its options with each named value or the default number."""
    from simkit.engine import registry

    settings = [
        f"{option.name}={value}"
        for option in game.options
        for value in option.names or [option.shown(option.default)]
    ]
    return {"strategies": sorted(registry.strategies(game)), "settings": settings}
