"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import click

from simkit import catalogue
from simkit.errors import UsageError
from simkit.strategy import parse_lineup

Value = bool | int | str
MOST_VALUES = 10_000
WHOLE_NUMBER = r"[+-]?[0-9]+"

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def together(*decorators: Decorator) -> Decorator:
    """Several click options as one decorator."""

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return wrap


set_option = click.option(
    "--set", "settings", multiple=True, metavar="OPTION=VALUE", help="Rule option; may be repeated."
)
cards_option = click.option(
    "--cards",
    "files",
    metavar="FILE",
    callback=lambda context, option, path: {} if path is None else {"cards": path},
    help="Your own cards (CSV, TSV or the sheet of the card layout software); short for the key files.cards.",
)
lineup_option = click.option(
    "--lineup", metavar="A,B,...", help="Strategies by seat: name, name(weight=value), name*4."
)
lineups_option = click.option(
    "--lineup", "lineups", multiple=True, metavar="A,B,...", help="Strategies by seat; may be repeated."
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of all luck."
)
deals_option = click.option("--deals", type=int, default=2_000, show_default=True, help="Deals per cell.")
trace_option = click.option(
    "--trace",
    type=click.IntRange(min=0),
    metavar="N",
    help="Log the scores of the first N deals of a cell turn by turn.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
out_option = click.option("-o", "--out", metavar="DIR", help="Run folder (default: a folder under runs/).")
until_options = together(
    click.option(
        "--until-width",
        type=float,
        metavar="W",
        help="Stop a cell when the interval of every seat's share is this narrow (0.01 = 1 point).",
    ),
    click.option(
        "--until-verdict",
        is_flag=True,
        help="Stop a cell when it is FAIR or UNFAIR. With either, --deals is the most that a cell plays.",
    ),
    click.option(
        "--margin",
        type=float,
        metavar="M",
        help="A share within M of the fair one is fair (default 0.02 = 2 percentage points).",
    ),
)
workers = together(
    click.option("--jobs", type=int, default=-1, show_default=True, help="Workers; -1 = one per processor."),
    click.option(
        "--backend",
        default="threading",
        show_default=True,
        help="joblib backend: threading, loky or a registered one.",
    ),
)


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
        raise UsageError(
            f"'{text}' is not of the form option=start:stop or option=start:stop:step, in whole numbers"
        )
    start, stop, step = int(parts[0]), int(parts[1]), int(parts[2]) if len(parts) == 3 else 1
    if step < 1 or stop < start:
        raise UsageError(f"'{text}': a range goes up from start to stop in steps of 1 or more")
    if (stop - start) // step >= MOST_VALUES:
        raise UsageError(f"'{text}' has more than {MOST_VALUES} values")
    return list(range(start, stop + 1, step))


def lineups_of(game: str, texts: tuple[str, ...]) -> list[list[str]]:
    """Lineups by seat; without any, the game's usual one."""
    if not texts:
        return [usual_lineup(game)]
    return [[str(named) for named in parse_lineup(text)] for text in texts]


def usual_lineup(game: str) -> list[str]:
    """For every seat the game's reference strategy, or the first of its own, or random."""
    of = catalogue.game(game)
    own = [name for name, one in catalogue.strategies(of).items() if one.game is not None]
    name = "reference_greedy" if "reference_greedy" in own else own[0] if own else "random"
    return [name] * of.seats_unless_told


def until_of(width: float | None, verdict: bool, margin: float | None) -> dict[str, Any]:
    """The keys of an experiment that say when a cell may stop, as far as given."""
    given = {"until_width": width, "until_verdict": verdict or None, "margin": margin}
    return {name: value for name, value in given.items() if value is not None}
