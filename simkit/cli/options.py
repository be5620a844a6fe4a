"""Options of commands: made from the declarations of questions; and those that only a shell has."""

import inspect
import math
import types
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import click
from click import option

from simkit.cli import completion
from simkit.engine.limits import Range, one_line

if TYPE_CHECKING:  # pydantic is imported for commands that need it
    from simkit.ask.arguments import Shell

MOST_DIGITS = 30  # of a whole number
MOST_HOURS = 10_000
BOUNDS = ("ge", "gt", "le", "lt")
UNSAID: tuple[Any, ...] = ("", (), {}, None, inspect.Parameter.empty)  # defaults that a help does not name
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Output(click.types.StringParamType):
    """File that a command writes; `Command` compares it with all that the command is given."""


class Within(click.FloatRange):
    """Numbers in a range; refuses "nan", which is neither below nor above the range."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        number = super().convert(value, parameter, context)
        if math.isnan(number):
            self.fail(f"'{value}' is not a number.", parameter, context)
        return number


class Whole(click.IntRange):
    """Whole numbers in a range, in any notation: 10000, 10_000, 1e4."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            number = Decimal(str(value))
        except InvalidOperation:
            number = Decimal("nan")
        if not number.is_finite() or number.adjusted() > MOST_DIGITS or number != int(number):
            self.fail(f"'{value}' is not a whole number such as 10000, 10_000 or 1e4.", parameter, context)
        return super().convert(int(number), parameter, context)


def within(bounds: Range, kind: Any = Whole) -> Whole | Within:
    """Return the type of a parameter with a range of `simkit.engine.limits`."""
    ends = bounds.get("ge", bounds.get("gt")), bounds.get("le", bounds.get("lt"))
    number: Whole | Within = kind(*ends, min_open="gt" in bounds, max_open="lt" in bounds)
    return number


PROJECT = "Folder with your own games and strategies (default: SIMKIT_PROJECT, else the nearest simkit.toml)."
HOURS = "Pause after so many hours; the same command goes on. The results do not depend on it."
PAGE = "Write the report page, too: as soon as the run itself is played, and again at the end."
# Options that only a shell has.
SHELL_OPTIONS: dict[str, Decorator] = {
    "into": option("--into", metavar="DIR", help="Folder to use when --out already holds a different run."),
    "hours": option("--hours", type=Within(0, MOST_HOURS, min_open=True), help=HOURS),
    "page": option("--page", is_flag=True, help=PAGE),
    "table": option("--table", "whole", is_flag=True, help="Print all rows."),
    "json": option("--json", "as_json", is_flag=True, help="Print one JSON document."),
    "brief": option("--brief", is_flag=True, help="Print a line per turn, and the table at the end."),
    "why": option("--why", is_flag=True, help="Say what decisions were worth, against their alternatives."),
    "board": option("--board", is_flag=True, help="With --brief: print the table after every turn, too."),
}


def parameter(name: str, kind: Any, meaning: str, default: Any = None) -> click.Parameter:
    """Return the parameter of a command for an argument of a question.

    Args:
        name: Name of the argument.
        kind: Its type; `Shell` in its annotation says how a shell writes it.
        meaning: Its meaning.
        default: Its default; `inspect.Parameter.empty` if it is required.
    """
    (plain_type, annotations), shell = _unwrap(kind), shell_of(kind)
    usual = default if shell.default is None or callable(shell.default) else shell.default
    keys: dict[str, Any] = {"metavar": shell.metavar, "type": _click_type(plain_type, annotations)}
    keys["required"] = default is inspect.Parameter.empty and shell.default is None
    if usual not in UNSAID:
        keys["default"] = usual
    if shell.output:
        keys["type"] = Output()
    if shell.positional:
        return click.Argument([name], **keys | ({"nargs": -1} if shell.repeatable else {}))
    names = shell.names.split() or [f"--{name.replace('_', '-')}"]
    if plain_type is bool:
        keys = {"is_flag": True, "default": default} | ({"flag_value": False} if _denies(names) else {})
        meaning = _of_flag(meaning, _denies(names))
    keys["help"] = " ".join(filter(None, [meaning, shell.note, "Repeatable." if shell.repeatable else ""]))
    return click.Option([*names, name], multiple=shell.repeatable, **keys)


def shell_of(kind: Any) -> "Shell":
    """Return how a shell writes an argument of a type."""
    from simkit.ask.arguments import Shell

    annotations = _unwrap(kind)[1]
    return next((each for each in reversed(annotations) if isinstance(each, Shell)), Shell())


def _unwrap(kind: Any) -> tuple[Any, list[Any]]:
    """Return a type without None and annotations, and the annotations."""
    if get_origin(kind) is Annotated:
        plain_type, annotations = _unwrap(get_args(kind)[0])
        return plain_type, [*annotations, *kind.__metadata__]
    if get_origin(kind) in (Union, types.UnionType):
        parts = [part for part in get_args(kind) if part is not type(None)]
        if len(parts) == 1:
            return _unwrap(parts[0])
    return kind, []


def _click_type(plain_type: Any, annotations: list[Any]) -> Any:
    """Return the type of click for a type and its bounds."""
    if get_origin(plain_type) is Literal:
        return click.Choice(get_args(plain_type))
    if plain_type not in (int, float):
        return click.STRING
    parts = [part for each in annotations for part in getattr(each, "metadata", [each])]
    bounds = {name: getattr(part, name) for part in parts for name in BOUNDS if hasattr(part, name)}
    if bounds:
        return within(bounds, Whole if plain_type is int else Within)
    return click.INT if plain_type is int else click.FLOAT


def _denies(names: list[str]) -> bool:
    """Return whether an option turns off what a question does by default."""
    return names[0].startswith("--no-")


def _of_flag(meaning: str, denies: bool) -> str:
    """Return the help of a flag.

    >>> _of_flag("Whether to check the best on fresh deals; by default it is so.", denies=True)
    'Do not check the best on fresh deals.'
    """
    action = meaning.removeprefix("Whether to ")
    if denies:
        return f"Do not {action.partition(';')[0].rstrip('.')}."
    return f"{action[0].upper()}{action[1:]}"


def shared_options(*names: str, **defaults: Any) -> Decorator:
    """Return a decorator that adds options which several commands have.

    Args:
        names: Names of SHELL_OPTIONS, or of keywords that questions share.
        defaults: Further keywords, with their defaults.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed([*names, *defaults]):
            add = SHELL_OPTIONS.get(name) or _keyword(name, defaults.get(name))
            function = add(function)
        return function

    return decorate


def _keyword(name: str, default: Any) -> Decorator:
    """Return a decorator that adds the option of a shared keyword, whose value the command gets parsed."""
    from simkit.ask.arguments import Changes, hints_of, shared_meanings

    kind = hints_of(Changes)[name]
    added, parse = parameter(name, kind, shared_meanings()[name], default), shell_of(kind).parse
    if parse:
        added.callback = lambda context, parameter, value: parse(value)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        vars(function).setdefault("__click_params__", []).append(added)
        return function

    return decorate


class Command(click.Command):
    """Command that loads games and strategies first, and never writes over what it reads."""

    def invoke(self, context: click.Context) -> Any:
        """Carry out the command, unless an output would take the place of an input."""
        from simkit.runs.storage import outputs, remote

        written = {str(own.name) for own in self.params if isinstance(own.type, Output)}
        given = {name: list(_texts(value)) for name, value in context.params.items()}
        for name in written:
            others = [text for other, texts in given.items() if other != name for text in texts]
            for path in given[name]:
                if path != "-" and not remote.is_address(path):
                    outputs.check(path, others)
        return super().invoke(context)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in the value of a parameter."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


def command(content: bool = True) -> Callable[[Callable[..., Any]], Command]:
    """Return a decorator that makes a command of a function.

    Args:
        content: Whether the command has the option `--project`, and loads games and strategies first.
    """

    keys: dict[str, Any] = {"multiple": True, "expose_value": False, "is_eager": True}
    project = option("--project", metavar="DIR", help=PROJECT, callback=_load_projects, **keys)

    def make(function: Callable[..., Any]) -> Command:
        new_command = click.command(cls=Command)(project(function) if content else function)
        for each in new_command.params:
            if each.name in completion.COMPLETED and each.type is click.STRING:
                each.type = completion.Completed()
        return new_command

    return make


def _load_projects(context: click.Context, parameter: click.Parameter, folders: tuple[str, ...]) -> None:
    """Load the projects given before or after the command, or the default project, and report them."""
    from simkit.engine import projects

    loaded = projects.load([*context.find_root().params.get("projects", ()), *folders])
    if loaded and not context.resilient_parsing:  # in which the shell completes a line
        click.echo(one_line(f"simkit: project {loaded}"), err=True)


def _games(context: click.Context, argument: click.Parameter, name: str | None) -> list[Any]:
    """Return the game with that name, or all games."""
    from simkit.engine import registry

    return [registry.game(name)] if name else list(registry.games().values())


game_or_all = click.argument("games", metavar="[GAME]", required=False, callback=_games)
