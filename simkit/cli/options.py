"""Shared options of the commands, the parsing of their texts, and the record of their values."""

import functools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from decimal import Decimal, InvalidOperation
from typing import Any

import click
from click import option

from simkit.engine.limits import LEAST_SHARE, MOST_SHARE, WHOLE_NUMBER, shown
from simkit.errors import UsageError

Value = bool | int | str
MOST_VALUES = 10_000
MOST_DIGITS = 30  # of a whole number
Texts = tuple[str, ...]
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class Within(click.FloatRange):
    """Numbers from a range; "nan" is refused, since it is neither below nor above the range."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        number = super().convert(value, parameter, context)
        if math.isnan(number):
            self.fail(f"'{value}' is not a number.", parameter, context)
        return number


class Whole(click.IntRange):
    """Whole numbers from a range in any notation: 10000, 10_000, 1e4."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            number = Decimal(str(value).strip())
        except InvalidOperation:
            number = Decimal("nan")
        if not number.is_finite() or number.adjusted() > MOST_DIGITS or number != int(number):
            self.fail(f"'{value}' is not a whole number such as 10000, 10_000 or 1e4.", parameter, context)
        return super().convert(int(number), parameter, context)


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
    out: str | None = None
    into: str | None = None
    keep_going: bool | None = None
    jobs: int = -1
    backend: str = "threading"
    scheduler: str = ""
    batch_timeout: float | None = None
    as_json: bool = False
    whole: bool = False  # all rows, not a screen of them

    def keys(self, *names: str) -> dict[str, Any]:
        """Return those of the fields that were given, as keys of an experiment."""
        return {name: getattr(self, name) for name in names if getattr(self, name) not in (None, {})}


def _cards(context: click.Context, parameter: click.Parameter, path: str | None) -> dict[str, str]:
    return {} if path is None else {"cards": path}


def _settings(context: click.Context, parameter: click.Parameter, texts: Texts) -> dict[str, Any]:
    return settings_of(texts)


def _parts(context: click.Context, parameter: click.Parameter, text: str | None) -> list[float] | None:
    """Return the numbers in a text such as `0.1,0.2`."""
    try:
        return None if text is None else [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"'{text}' is not a row of numbers such as 0.1,0.2,0.4") from None


PROJECT = "Folder with your own games/, strategies/, … "
PROJECT += "(default: SIMKIT_PROJECT, else the nearest folder with a simkit.toml)."
CARDS = "Your own cards (CSV, TSV or the sheet of the card layout software): the key files.cards."
LINEUP = "Strategies by seat: name, name(weight=value), name*4; may be repeated."
SET = "Rule option; may be repeated."
COUNT = Whole(min=0)
DEALS = Whole(1, 10**10)
WIDTH = Within(0, 1, min_open=True, max_open=True)
SHARE = Within(LEAST_SHARE, 0.5, max_open=True)
PART = Within(LEAST_SHARE, MOST_SHARE)
SCHEDULER = "Where the cluster of dask or ray is (tcp://HOST:8786); without it one begins here, --jobs large."
TARGET = "Co-operative games: how often the team should win (0.5)."
BEGINNERS = "Also the chances of one player who errs in such parts of all decisions: 0.1,0.2,0.4."
KINGS = "Three and more seats: N deals in which late decisions of the last-placed are taken otherwise."
SECONDS = Within(1)
BATCH = "Give up when a batch of games (usually 0.2 s, one game at least) takes more than S seconds."
GOING = "Count games that fail, as lost by whose strategy failed; endless ones are left to --batch-timeout."
SHARED: dict[str, list[Decorator]] = {
    "lineups": [option("--lineup", "lineups", multiple=True, metavar="A,B,...", help=LINEUP)],
    "deals": [option("--deals", type=DEALS, default=2_000, help="Deals per cell.")],
    "margin": [option("--margin", type=SHARE, default=0.02, help="A share this close to fair is fair.")],
    "until": [
        option("--until-width", type=WIDTH, metavar="W", help="Stop cells at seat intervals this narrow."),
        option("--until-verdict", is_flag=True, default=None, help="Stop cells at a verdict."),
        option("--margin", type=SHARE, metavar="M", help="Shares within M of fair are fair (0.02)."),
    ],
    "target": [option("--target", type=PART, help=TARGET)],
    "seed": [option("--seed", type=COUNT, default=1, help="Seed of all luck.")],
    "set": [option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help=SET, callback=_settings)],
    "files": [option("--cards", "files", metavar="FILE", callback=_cards, help=CARDS)],
    "out": [
        option("-o", "--out", metavar="DIR", help="Run folder or address, s3://... (default: under runs/)."),
        option("--into", metavar="DIR", help="Instead of it, if it holds another run."),
    ],
    "trace": [
        option("--trace", type=COUNT, metavar="N", help="Log N deals of a cell turn by turn."),
        option("--beginners", metavar="P,Q,...", callback=_parts, help=BEGINNERS),
        option("--kingmaking", type=COUNT, metavar="N", help=KINGS),
    ],
    "workers": [
        option("--jobs", type=int, default=-1, help="Workers; -1: one per processor."),
        option("--backend", default="threading", help="joblib backend: threading, loky, dask, ray."),
        option("--batch-timeout", type=SECONDS, metavar="S", help=BATCH),
    ],
    "going": [option("--keep-going", is_flag=True, default=None, help=GOING)],
    "cluster": [option("--scheduler", default="", metavar="ADDRESS", help=SCHEDULER)],
    "table": [option("--table", "whole", is_flag=True, help="Print all rows.")],
    "json": [option("--json", "as_json", is_flag=True, help="Print one JSON document.")],
}


def command(step: int, content: bool = True) -> Decorator:
    """Return a decorator that makes a command; `simkit --help` sorts commands by their step.

    The step is read from the source. `content` says whether the command uses the content of projects.
    """
    more: dict[str, Any] = {"multiple": True, "expose_value": False, "is_eager": True}
    project = option("--project", metavar="DIR", help=PROJECT, callback=_load_projects, **more)
    return lambda function: click.command()(project(function) if content else function)


def _load_projects(context: click.Context, parameter: click.Parameter, folders: Texts) -> None:
    """Load the projects given before or after the command, or the default project, and report them."""
    from simkit.engine import projects

    loaded = projects.load([*context.find_root().params.get("projects", ()), *folders])
    if loaded:
        click.echo(shown(f"simkit: project {loaded}"), err=True)


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


def _values(name: str, values: str) -> list[Value]:
    """Return the values in the text of one swept option."""
    if ":" not in values:
        return [value_of(value.strip()) for value in values.split(",")]
    text, numbers = f"{name}={values}", whole_numbers(values)
    if len(numbers) not in (2, 3):
        form = "option=start:stop or option=start:stop:step, in whole numbers"
        raise UsageError(f"'{text}' is not of the form {form}")
    start, stop, step = (*numbers, 1)[:3]
    if step < 1 or stop < start:
        raise UsageError(f"'{text}': a range goes up from start to stop in steps of 1 or more")
    if (stop - start) // step >= MOST_VALUES:
        raise UsageError(f"'{text}' has more than {MOST_VALUES} values")
    return list(range(start, stop + 1, step))


def whole_numbers(text: str) -> list[int]:
    """Return the whole numbers in `1:2:3`; none if any part is not a whole number."""
    parts = [part.strip() for part in text.split(":")]
    return [int(part) for part in parts] if all(WHOLE_NUMBER.fullmatch(part) for part in parts) else []
