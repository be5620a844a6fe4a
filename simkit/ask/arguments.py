"""Arguments of questions: types that several share, keywords that all take, and how declarations are read.

The type of an argument says what values it may have, in Python and in a shell: pydantic checks these bounds,
and `Shell` says how a shell writes it where that is not an option `--name VALUE`.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypedDict, get_args, get_type_hints

from annotated_types import Ge
from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator

from simkit.ask import texts
from simkit.engine import limits
from simkit.runs import experiment as keys


@dataclass(frozen=True)
class Shell:
    """How a shell writes an argument."""

    names: str = ""  # of its option, such as "-o --out"; by default "--" and the argument's name
    metavar: str | None = None
    parse: Callable[..., Any] | None = None  # makes the value of the text, or of all texts of the option
    note: str = ""  # the form of the text, where the metavar does not show it
    of_game: bool = False  # `parse` takes the name of the game, too
    repeatable: bool = False  # the option may be repeated
    positional: bool = False  # a word without the name of an option
    output: bool = False  # a file that is written: it must not be one that is read
    hidden: bool = False  # a shell has no such option
    default: Any = None  # if it is not that of Python


def _list(value: Any) -> Any:
    """Return a list; a text is its only entry."""
    if not isinstance(value, str | list):
        raise ValueError("must be a list")
    return [value] if isinstance(value, str) else value


def pair(value: Any) -> Any:
    """Return a list of two values as a tuple."""
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("must be two values")
    return tuple(value)


def lineup_text(value: Any) -> str:
    """Return a lineup as one text."""
    return ", ".join(map(str, _list(value)))


# Types for pydantic
Count = Annotated[int, Field(ge=0)]
Deal = Annotated[int, Field(ge=0, lt=limits.DEALS["le"])]  # number of a deal
Location = Annotated[str | Path, AfterValidator(os.path.expanduser)]
Texts = Annotated[Sequence[str], BeforeValidator(_list)]
Values = Annotated[Iterable[Any], PlainValidator(_list)]  # of a rule option
Pair = Annotated[tuple[Any, Any], BeforeValidator(pair)]
Lineup = Annotated[str | Sequence[str], PlainValidator(lineup_text)]  # one text, or a list by seat

# Types with their form in a shell
Word = Annotated[str, Shell(positional=True)]
Seats = Annotated[int, Field(ge=1, le=100)]
Strategies = Annotated[Texts, Shell(metavar="A,B,...", parse=texts.strategies)]
Trace = Annotated[keys.Trace, Shell(metavar="N")]


class How(TypedDict, total=False):
    """Where and how games are played; none of it changes a result.

    Args:
        out: Run folder or address; by default a folder below runs/ that is named by the question.
        jobs: Number of workers; by default one per processor (-1).
        backend: Backend of joblib: threading (the default), loky, dask or ray.
        scheduler: Address of a cluster of dask or ray, such as tcp://HOST:8786; by default a local cluster
            of `jobs` workers.
        batch_timeout: Seconds after which a batch of games (usually 0.2 s, at least one game) is given up.
        progress: Whether to show progress; by default it is shown.
    """

    out: Annotated[Location, Shell("-o --out", metavar="DIR")]
    jobs: int
    backend: str
    scheduler: Annotated[str, Shell(metavar="ADDRESS")]
    batch_timeout: Annotated[float, Ge(1), Shell(metavar="S")]
    progress: Annotated[bool, Shell(hidden=True)]


class Basics(How, total=False):
    """What all questions take that play.

    Args:
        seed: Seed of all luck; 1 by default.
        options: Values of rule options that hold in all games; "players" is the number of seats.
        files: Your own cards or other tables of components, each a CSV, TSV or XLSX file or address.
    """

    seed: keys.Seed
    options: Annotated[
        Mapping[str, Any], Shell("--set", metavar="OPTION=VALUE", parse=texts.settings, repeatable=True)
    ]
    files: Annotated[
        Mapping[str, Location], Shell("--cards", metavar="[TABLE=]FILE", parse=texts.files, repeatable=True)
    ]


class Common(Basics, total=False):
    """What questions take besides their own arguments.

    Args:
        margin: Shares this close to fair count as fair; 0.02 by default.
        target: Win rate that a co-operative game, whose runs and sweeps have a verdict only with it, or the
            first of two sides aims at; 0.5 by default.
        keep_going: Count failed games as losses of the strategy that failed, and continue.
    """

    margin: keys.Margin
    target: keys.Share
    keep_going: bool


class Keywords(Common, total=False):
    """What questions take that do not choose the lineups themselves.

    Args:
        lineups: Strategies by seat, each name, name(weight=value), name@preset or name*4; by default the
            game's reference strategy in all seats.
        role: Name of a role, such as a faction: verdicts are about what it wins, against
            its fair share or the target.
        rotate: "roles": play each deal once for each place of its roles round the table.
    """

    lineups: Annotated[
        Sequence[Lineup], BeforeValidator(_list), Shell("--lineup", metavar="A,B,...", repeatable=True)
    ]
    role: str
    rotate: Literal["roles"]


class Logging(Keywords, total=False):
    """What questions take whose games can be logged more closely.

    Args:
        trace: Number of deals of each cell to log turn by turn.
        beginners: Also play with one player who errs in these parts of all decisions, such as 0.1, 0.2 and
            0.4.
        kingmaking: For three or more seats: vary late decisions of the player in last place in this
            number of deals.
    """

    trace: Trace
    beginners: Annotated[
        Sequence[float], BeforeValidator(_list), Shell(metavar="P,Q,...", parse=texts.numbers)
    ]
    kingmaking: Annotated[keys.Kingmaking, Shell(metavar="N")]


class Stopping(Logging, total=False):
    """What questions take whose cells can stop by themselves.

    Args:
        until_width: Stop a cell when its intervals are this wide.
        until_verdict: Stop a cell at its verdict.
        confirm: Whether to check the settings nearest to fair on fresh deals; by default where the question
            is about fairness.
    """

    until_width: Annotated[keys.Width, Shell(metavar="W")]
    until_verdict: bool
    confirm: Annotated[bool, Shell("--no-confirm")]


class Changes(Stopping, total=False):
    """What replaces keys of an experiment file.

    Args:
        deals: Deals per cell.
    """

    deals: keys.Deals


SHARED = (How, Basics, Common, Keywords, Logging, Stopping, Changes)


# Reading declarations: the signature and the docstring of a question, or of its keywords.

SECTION = re.compile(r"^(Args|Returns|Raises|Example|Command line:):\n", re.MULTILINE)
ENTRY = re.compile(r"^    (\w+): (.*(?:\n     +.*)*)", re.MULTILINE)  # an argument and its meaning


class DocstringParts(NamedTuple):
    """The parts of a docstring that a command shows."""

    about: str  # what comes before the sections
    meanings: dict[str, str]  # of the arguments, by name
    examples: str  # of the command


def hints_of(function: Any) -> dict[str, Any]:
    """Return the types of the arguments of a function, or of the keys of a TypedDict."""
    return get_type_hints(function, include_extras=True)


def keywords_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the shared keywords that a function takes, with their types."""
    return hints_of(get_args(hints_of(function)["keywords"])[0]) if "keywords" in hints_of(function) else {}


def texts_of(documented: Any) -> DocstringParts:
    """Return the parts of the docstring of a function or a TypedDict."""
    about, *parts = SECTION.split(inspect.getdoc(documented) or "")
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    meanings = {name: " ".join(text.split()) for name, text in ENTRY.findall(sections.get("Args", ""))}
    return DocstringParts(about.strip(), meanings, inspect.cleandoc(sections.get("Command line:", "")))


@cache
def shared_meanings() -> dict[str, str]:
    """Return the meanings of the keywords that questions share."""
    return {name: text for keywords in SHARED for name, text in texts_of(keywords).meanings.items()}
