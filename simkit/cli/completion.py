"""Shell completion: click completes commands and options; here are the names that their values may have."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

# Parameters of the commands, by what they take.
GAMES = ("game", "games")
STRATEGIES = ("lineup", "lineups", "strategies", "first", "second", "strategy", "against", "holdout", "rungs")
SETTINGS = ("options", "base", "others", "vary", "sweep")
RUNS = ("run", "run_folder")
COMPLETED = {*GAMES, *STRATEGIES, *SETTINGS, *RUNS, "experiment"}
SPLIT = ("=", ":")  # bash hands these over as words of their own


@add_completion_class
class _Bash(BashComplete):
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


class Completed(click.types.StringParamType):
    """Text of a parameter in COMPLETED."""

    def shell_complete(
        self, context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the values that begin as typed, or none if content cannot be loaded."""
        with suppress(Exception):  # a traceback would end up in the line being typed
            values = _values(context, str(parameter.name), incomplete)
            return [CompletionItem(value) for value in values if value.startswith(incomplete)]
        return []


def _values(context: click.Context, parameter: str, incomplete: str) -> Iterable[str]:
    """Return the values that a parameter may have."""
    from simkit.engine import registry

    if parameter in RUNS:
        return _runs(incomplete)
    if parameter == "experiment":
        return sorted(registry.experiments())
    if parameter in GAMES:
        return registry.games()
    # Where the value of an option is missing, click leaves the arguments in a list.
    game = registry.game(context.params.get("game") or context.args[0])
    if parameter in STRATEGIES:
        front = incomplete[: incomplete.rfind(",") + 1]
        names = sorted(registry.strategies(game))
        presets = [f"{name}@{preset}" for name in names for preset in registry.presets_of(game, name)]
        return [front + name for name in [*names, *presets]]
    return _settings(game)


def _settings(game: Any) -> Iterator[str]:
    """Yield the options of a game, each with its named values or with the default number."""
    for option in game.options:
        for value in option.names or [option.value(option.default)]:
            yield f"{option.name}={value}"


def _runs(incomplete: str) -> Iterator[str]:
    """Yield the run folders next to the path that is typed, and those in runs/ there."""
    folder = Path(incomplete).parent if "/" in incomplete else Path()
    for manifest in sorted([*folder.glob("*/manifest.json"), *folder.glob("runs/*/manifest.json")]):
        yield str(manifest.parent)
