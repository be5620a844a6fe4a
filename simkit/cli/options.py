"""Options that several commands share, how their texts are read, and what was given as one record."""

import functools
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import click

from simkit.errors import UsageError

Value = bool | int | str
MOST_VALUES = 10_000
WHOLE_NUMBER = r"[+-]?[0-9]+"

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True)
class Given:
    """What was given of the options that several commands share."""

    lineups: tuple[str, ...] = ()
    deals: int | None = None
    seed: int | None = 1
    settings: dict[str, Any] = field(default_factory=dict)  # rule options
    files: dict[str, str] = field(default_factory=dict)
    trace: int | None = None
    until_width: float | None = None
    until_verdict: bool | None = None
    margin: float | None = None
    out: str | None = None
    jobs: int = -1
    backend: str = "threading"
    as_json: bool = False

    def keys(self, *names: str) -> dict[str, Any]:
        """Those of the fields that were given, as keys of an experiment."""
        return {name: getattr(self, name) for name in names if getattr(self, name) not in (None, {})}


def _cards(context: click.Context, option: click.Parameter, path: str | None) -> dict[str, str]:
    return {} if path is None else {"cards": path}


def _settings(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, Any]:
    return settings_of(texts)


CARDS = "Your own cards (CSV, TSV or the sheet of the card layout software): the key files.cards."
LINEUP = "Strategies by seat: name, name(weight=value), name*4; may be repeated."
SET = "Rule option; may be repeated."
COUNT = click.IntRange(min=0)
SHARE = click.FloatRange(0, 0.5, min_open=True, max_open=True)
SHARED: dict[str, list[Decorator]] = {
    "lineups": [click.option("--lineup", "lineups", multiple=True, metavar="A,B,...", help=LINEUP)],
    "deals": [click.option("--deals", type=int, default=2_000, help="Deals per cell.")],
    "margin": [
        click.option("--margin", type=SHARE, default=0.02, help="A share this close to fair is fair.")
    ],
    "until": [
        click.option(
            "--until-width", type=float, metavar="W", help="Stop cells at seat intervals this narrow."
        ),
        click.option("--until-verdict", is_flag=True, default=None, help="Stop cells at FAIR or UNFAIR."),
        click.option("--margin", type=float, metavar="M", help="Shares within M of fair are fair (0.02)."),
    ],
    "seed": [click.option("--seed", type=COUNT, default=1, help="Seed of all luck.")],
    "set": [
        click.option("--set", "settings", multiple=True, metavar="OPTION=VALUE", help=SET, callback=_settings)
    ],
    "files": [click.option("--cards", "files", metavar="FILE", callback=_cards, help=CARDS)],
    "out": [click.option("-o", "--out", metavar="DIR", help="Run folder (default: a folder under runs/).")],
    "trace": [click.option("--trace", type=COUNT, metavar="N", help="Log N deals of a cell turn by turn.")],
    "workers": [
        click.option("--jobs", type=int, default=-1, help="Workers; -1: one per processor."),
        click.option("--backend", default="threading", help="joblib backend: threading, loky, ..."),
    ],
    "json": [click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")],
}


def command(step: int) -> Decorator:
    """A command; `simkit --help` lists commands by their step in the order of work, read from the source."""
    return click.command()


def shared(*names: str) -> Decorator:
    """Add shared options; the command gets all of them, and its own of the same kind, as one `given`."""

    def wrap(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_given(**values: Any) -> Any:
            given = Given(**{one.name: values.pop(one.name) for one in fields(Given) if one.name in values})
            return command(given, **values)

        made: Callable[..., Any] = with_given
        for option in reversed([option for name in names for option in SHARED[name]]):
            made = option(made)
        return made

    return wrap


def _games(context: click.Context, argument: click.Parameter, name: str | None) -> list[Any]:
    from simkit import catalogue

    return [catalogue.game(name)] if name else list(catalogue.games().values())


game_or_all = click.argument("games", metavar="[GAME]", required=False, callback=_games)


def setting(text: str) -> tuple[str, str]:
    """`option=value` as name and text."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        raise UsageError(f"'{text}' is not of the form option=value")
    return name, value


def value_of(text: str) -> Value:
    """A number, a flag or a name."""
    if re.fullmatch(WHOLE_NUMBER, text):
        return int(text)
    return {"true": True, "false": False}.get(text.lower(), text)


def settings_of(texts: tuple[str, ...]) -> dict[str, Any]:
    """Rule options from `--set` texts; each once; several may stand in one text, separated by commas."""
    found: dict[str, Any] = {}
    for text in itertools.chain.from_iterable(t.split(",") for t in texts):
        name, value = setting(text)
        if name in found:
            raise UsageError(f"option {name} is given twice")
        found[name] = value_of(value)
    return found


def sweep_of(texts: tuple[str, ...]) -> dict[str, list[Value]]:
    """Swept options from texts `option=start:stop:step` (both ends included) or `option=a,b,c`."""
    found: dict[str, list[Value]] = {}
    for text in texts:
        name, values = setting(text)
        if name in found:
            raise UsageError(f"option {name} is swept twice")
        found[name] = (
            _range(text, values) if ":" in values else [value_of(v.strip()) for v in values.split(",")]
        )
    return found


def _range(text: str, values: str) -> list[Value]:
    parts = values.split(":")
    if len(parts) not in (2, 3) or not all(re.fullmatch(WHOLE_NUMBER, p.strip()) for p in parts):
        form = "option=start:stop or option=start:stop:step"
        raise UsageError(f"'{text}' is not of the form {form}, in whole numbers")
    start, stop, step = int(parts[0]), int(parts[1]), int(parts[2]) if len(parts) == 3 else 1
    if step < 1 or stop < start:
        raise UsageError(f"'{text}': a range goes up from start to stop in steps of 1 or more")
    if (stop - start) // step >= MOST_VALUES:
        raise UsageError(f"'{text}' has more than {MOST_VALUES} values")
    return list(range(start, stop + 1, step))
