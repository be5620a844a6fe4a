"""Shared options of the commands, the parsing of their texts, and the record of their values."""

import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

import click
from click import option

from simkit.cli import completion
from simkit.cli.execution import execution_of
from simkit.engine import limits
from simkit.engine.limits import WHOLE_NUMBER, Range, one_line
from simkit.errors import UsageError

Value = bool | int | str
MOST_VALUES = 10_000
MOST_DIGITS = 30  # of a whole number
Texts = tuple[str, ...]
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


# Fields of `Given` that belong to the question; the others say how it is played and shown.
QUESTION_KEYS = ["lineups", "deals", "seed", "files", "trace", "beginners", "kingmaking"]
QUESTION_KEYS += ["until_width", "until_verdict", "margin", "target", "keep_going"]


@dataclass(frozen=True)
class Given:
    """Values of the options that several commands share."""

    lineups: Texts = ()
    deals: int | None = None
    seed: int | None = 1
    settings: dict[str, Any] = field(default_factory=dict)  # rule options
    files: dict[str, str] = field(default_factory=dict)
    trace: int | None = None
    until_width: float | None = None
    until_verdict: bool | None = None
    margin: float | None = None
    target: float | None = None
    beginners: list[float] | None = None
    kingmaking: int | None = None
    no_confirm: bool = False
    out: str | None = None
    into: str | None = None
    keep_going: bool | None = None
    jobs: int = -1
    backend: str = "threading"
    scheduler: str = ""
    batch_timeout: float | None = None
    brief: bool = False
    board: bool = False
    as_json: bool = False
    whole: bool = False  # all rows, not a screen of them

    def keywords(self) -> dict[str, Any]:
        """Return what was given of the question and how to play it, as keywords of the API."""
        keys = {name: getattr(self, name) for name in QUESTION_KEYS}
        keys |= {"options": self.settings, "confirm": False if self.no_confirm else None}
        given = {name: value for name, value in keys.items() if value not in (None, {}, ())}
        return given | {"execution": execution_of(self)}


def _cards(context: click.Context, parameter: click.Parameter, texts: Texts) -> dict[str, str]:
    """Return files by table from texts `FILE` or `TABLE=FILE`."""
    named = (text if TABLE_NAME.match(text) else f"cards={text}" for text in texts)
    return by_option(named, "given")


def _settings(context: click.Context, parameter: click.Parameter, texts: Texts) -> dict[str, Any]:
    return settings_of(texts)


def _parts(context: click.Context, parameter: click.Parameter, text: str | None) -> list[float] | None:
    """Return the numbers in a text such as `0.1,0.2`."""
    try:
        return None if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"'{text}' is not a row of numbers such as 0.1,0.2,0.4") from None


def ranged(kind: Any) -> Whole | Within:
    """Return the type of a parameter whose range is that of an annotated argument of the API."""
    number, annotation = get_args(kind)
    bounds = {name: end for bound in annotation.metadata for name, end in asdict(bound).items()}
    return within(bounds, Whole if number is int else Within)


def within(bounds: Range, kind: Any = Whole) -> Whole | Within:
    """Return the type of a parameter with a range of `simkit.engine.limits`."""
    ends = bounds.get("ge", bounds.get("gt")), bounds.get("le", bounds.get("lt"))
    number: Whole | Within = kind(*ends, min_open="gt" in bounds, max_open="lt" in bounds)
    return number


COUNT = Whole(min=0)
DEALS, SEED, TRACE = map(within, (limits.DEALS, limits.SEED, limits.TRACE))
WIDTH = within(limits.WIDTH, Within)
SHARE, PART = within(limits.MARGIN, Within), within(limits.SHARE, Within)
PROJECT = "Folder with your own games and strategies (default: SIMKIT_PROJECT, else the nearest simkit.toml)."
LINEUP = "Strategies by seat: name, name(weight=value), name@preset, name*4. Repeatable."
SET = "Value of a rule option, or players=N. Repeatable."
CARDS = "Your own cards or another table: a CSV, TSV or XLSX file or address. Repeatable."
TABLE_NAME = re.compile("[a-z_]+=")
BEGINNERS = "Also play with one player who errs in these parts of all decisions, such as 0.1,0.2,0.4."
KINGMAKING = "For three or more seats: vary late decisions of the player in last place in N deals."
SCHEDULER = "Address of a cluster of dask or ray, such as tcp://HOST:8786."
LOCAL = "a local cluster of --jobs workers"
BATCH = "Give up when a batch of games (usually 0.2 s, at least one game) takes longer than S seconds."
KEEP_GOING = "Count failed games as losses of the strategy that failed, and continue."
NO_CONFIRM = "Do not check the settings nearest to fair on fresh deals."
BOARD = "With --brief: print the table after every turn, too."
WORKERS: list[Decorator] = [
    option("--jobs", type=int, default=-1, help="Number of workers; -1 for one per processor."),
    option("--backend", default="threading", help="Backend of joblib: threading, loky, dask or ray."),
]
SHARED: dict[str, list[Decorator]] = {
    "lineups": [option("--lineup", "lineups", multiple=True, metavar="A,B,...", help=LINEUP)],
    "deals": [option("--deals", type=DEALS, default=2_000, help="Deals per cell.")],
    "margin": [option("--margin", type=SHARE, default=0.02, help="Shares this close to fair count as fair.")],
    "until": [
        option("--until-width", type=WIDTH, metavar="W", help="Stop a cell when its intervals are W wide."),
        option("--until-verdict", is_flag=True, default=None, help="Stop a cell at its verdict."),
        option("--margin", type=SHARE, metavar="M", help="Shares within M of fair count as fair (0.02)."),
    ],
    "target": [option("--target", type=PART, help="Win rate that a co-operative game aims at (0.5).")],
    "seed": [option("--seed", type=SEED, default=1, help="Seed of all luck.")],
    "set": [option("--set", "settings", multiple=True, metavar="OPTION=VALUE", callback=_settings, help=SET)],
    "files": [option("--cards", "files", multiple=True, metavar="[TABLE=]FILE", callback=_cards, help=CARDS)],
    "workers": WORKERS,
    "play": [
        option("-o", "--out", metavar="DIR", help="Run folder or address (default: a folder under runs/)."),
        option("--into", metavar="DIR", help="Folder to use when --out already holds a different run."),
        *WORKERS,
        option("--scheduler", default="", show_default=LOCAL, metavar="ADDRESS", help=SCHEDULER),
        option("--batch-timeout", type=Within(1), metavar="S", help=BATCH),
        option("--keep-going", is_flag=True, default=None, help=KEEP_GOING),
    ],
    "extras": [
        option("--trace", type=TRACE, metavar="N", help="Log the first N deals of each cell turn by turn."),
        option("--beginners", metavar="P,Q,...", callback=_parts, help=BEGINNERS),
        option("--kingmaking", type=within(limits.KINGMAKING), metavar="N", help=KINGMAKING),
    ],
    "confirm": [option("--no-confirm", is_flag=True, help=NO_CONFIRM)],
    "story": [
        option("--brief", is_flag=True, help="Print a line per turn, and the table at the end."),
        option("--board", is_flag=True, help=BOARD),
    ],
    "table": [option("--table", "whole", is_flag=True, help="Print all rows.")],
    "json": [option("--json", "as_json", is_flag=True, help="Print one JSON document.")],
}


class Command(click.Command):
    """Command with the section of `simkit --help` that lists it."""

    def __init__(self, *arguments: Any, section: str, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.section = section

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


def command(section: str, content: bool = True) -> Callable[[Callable[..., Any]], Command]:
    """Return a decorator that makes a command of a function.

    Args:
        section: Heading of `simkit --help` under which the command is listed.
        content: Whether the command has the option `--project`, and loads games and strategies first.
    """
    keys: dict[str, Any] = {"multiple": True, "expose_value": False, "is_eager": True}
    project = option("--project", metavar="DIR", help=PROJECT, callback=_load_projects, **keys)

    def make(function: Callable[..., Any]) -> Command:
        decorated = project(function) if content else function
        new_command = click.command(cls=Command, section=section)(decorated)
        for parameter in new_command.params:
            if parameter.name in completion.COMPLETED:
                parameter.type = completion.Completed()
        return new_command

    return make


def _load_projects(context: click.Context, parameter: click.Parameter, folders: Texts) -> None:
    """Load the projects given before or after the command, or the default project, and report them."""
    from simkit.engine import projects

    loaded = projects.load([*context.find_root().params.get("projects", ()), *folders])
    if loaded and not context.resilient_parsing:  # in which the shell completes a line
        click.echo(one_line(f"simkit: project {loaded}"), err=True)


def shared(*names: str) -> Decorator:
    """Return a decorator that adds shared options; the command receives their values as one `given`."""

    def wrap(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_given(**values: Any) -> Any:
            names = [entry.name for entry in fields(Given) if entry.name in values]
            return command(Given(**{name: values.pop(name) for name in names}), **values)

        decorated: Callable[..., Any] = with_given
        for add in reversed([add for name in names for add in SHARED[name]]):
            decorated = add(decorated)
        return decorated

    return wrap


def _games(context: click.Context, argument: click.Parameter, name: str | None) -> list[Any]:
    """Return the game with that name, or all games."""
    from simkit.engine import registry

    return [registry.game(name)] if name else list(registry.games().values())


game_or_all = click.argument("games", metavar="[GAME]", required=False, callback=_games)


def by_option(texts: Iterable[str], verb: str) -> dict[str, str]:
    """Return the values in texts `option=value`; raise UsageError for an option that appears twice."""
    values: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise UsageError(f"'{text}' is not of the form option=value")
        if name in values:
            raise UsageError(f"option {name} is {verb} twice")
        values[name] = value
    return values


def value_of(text: str) -> Value:
    """Return a text as a whole number, a flag or a name."""
    if WHOLE_NUMBER.fullmatch(text):
        return int(text)
    return {"true": True, "false": False}.get(text.lower(), text)


def settings_of(texts: Texts) -> dict[str, Any]:
    """Return rule options from `--set` texts; one text may hold several, separated by commas."""
    parts = [part for text in texts for part in text.split(",")]
    return {name: value_of(value) for name, value in by_option(parts, "given").items()}


def sweep_of(texts: Texts) -> dict[str, list[Value]]:
    """Return swept options from texts `option=start:stop:step` (both ends included) or `option=a,b,c`."""
    return {name: _values(name, values) for name, values in by_option(texts, "swept").items()}


def _values(name: str, text: str) -> list[Value]:
    """Return the values in the text of one swept option."""
    if ":" not in text or "://" in text:
        return [value_of(value.strip()) for value in text.split(",")]
    numbers = whole_numbers(text)
    start, stop, step = (*numbers, 1)[:3] if len(numbers) in (2, 3) else (0, 0, 0)
    if step < 1 or stop < start:
        form = "start:stop or start:stop:step in whole numbers, which goes up from start to stop"
        raise UsageError(f"'{name}={text}': a range is {form}")
    if (stop - start) // step >= MOST_VALUES:
        raise UsageError(f"'{name}={text}' has more than {MOST_VALUES} values")
    return list(range(start, stop + 1, step))


def values_of(game: str, texts: Texts) -> dict[str, list[Any]]:
    """Return the values of each option from texts `option=low:high`, `option=low:high:step`, `option=a/b`."""
    from simkit.engine import registry

    options = dict[str, list[Any]]()
    for name, swept in sweep_of(tuple(text.replace("/", ",") for text in texts)).items():
        option = registry.game(game).option(name)
        values = [option.value(option.number(value)) for value in swept]
        options[name] = values if option.names else sorted(values)
    return options


def whole_numbers(text: str) -> list[int]:
    """Return the whole numbers in `1:2:3`; none if any part is not a whole number."""
    parts = [part.strip() for part in text.split(":")]
    return [int(part) for part in parts] if all(WHOLE_NUMBER.fullmatch(part) for part in parts) else []
