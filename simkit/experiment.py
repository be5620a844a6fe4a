"""A question in TOML becomes cells: one combination of rule options and lineup each, played for a number of deals.

question = "Is the first seat of Pig favoured?"
game     = "pig"
deals    = 20_000
lineups  = [["hold_at", "hold_at"], "hold_at(threshold=25), random"]

trace    = 1_000          # turn by turn, the scores of the first 1,000 deals of every cell; true = 1,000, without it none

[sweep]
goal = [50, 100]
"""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from simkit import catalogue
from simkit.errors import UsageError, unknown
from simkit.game import Game
from simkit.strategy import Named, parse_lineup

Value = bool | int | float | str
FIRST_LOOK = 200  # deals: below that no margin worth asking about can be decided
TABLES = ("files", "options", "sweep", "baseline")  # keys that stand last in a file, each under its own head
USUAL_TRACE = 1_000  # deals per cell with `trace = true`


class Experiment(BaseModel):
    """The question and how it is to be answered, as the file says it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    question: str
    game: str
    deals: int = Field(ge=1, le=10**10)
    seed: int = Field(default=1, ge=0, lt=2**63)
    lineups: list[list[str]] = []
    round_robin: list[str] = []
    mirrors: bool = False
    rotate: bool = True
    trace: int = Field(default=0, ge=0, le=10**10)
    files: dict[str, str] = {}  # tables that the designer's own files replace: name of the table -> path
    until_width: float | None = Field(default=None, gt=0, lt=1)
    until_verdict: bool = False
    margin: float = Field(default=0.02, gt=0, lt=0.5)
    options: dict[str, Value] = {}
    sweep: dict[str, list[Value | list[Value]]] = {}
    baseline: dict[str, Value] = {}

    @field_validator("lineups", mode="before")
    @classmethod
    def _lineup_in_one_text(cls, value: Any) -> Any:
        return [[one] if isinstance(one, str) else one for one in value] if isinstance(value, list) else value

    @field_validator("trace", mode="before")
    @classmethod
    def _trace_usual(cls, value: Any) -> Any:
        return USUAL_TRACE * value if isinstance(value, bool) else value

    @property
    def adaptive(self) -> bool:
        """Whether cells stop by themselves; `deals` is then the most that each may play."""
        return self.until_verdict or self.until_width is not None

    def keys(self) -> dict[str, Any]:
        """What differs from the defaults, as a file would say it."""
        return self.model_dump(exclude_defaults=True)

    def changed(self, **keys: Any) -> Experiment:
        """The same experiment with other keys."""
        return parse({**self.keys(), **keys})

    def to_toml(self) -> str:
        """The experiment as a file that `load` reads back."""
        keys = self.keys()
        tables = {name: keys.pop(name) for name in TABLES if name in keys}
        lines = [f"{name} = {_toml(value)}" for name, value in keys.items()]
        for name, table in tables.items():
            lines += [
                "",
                f"[{name}]",
                *(f"{_toml_key(key)} = {_toml(value)}" for key, value in table.items()),
            ]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Cell:
    """One combination of rule options and lineup; names and numbers only, so that a worker can be handed it."""

    index: int
    game: str
    seats: int
    options: dict[str, Any]  # the options given, fixed and swept
    varied: dict[str, Any]  # the swept ones
    lineup: tuple[Named, ...]  # by seat, in rotation 0
    rotations: int
    deals: int
    first_play: int  # the play id of deal 0, rotation 0
    baseline: bool  # whether the others are compared with this cell

    @property
    def labels(self) -> list[str]:
        """The strategies by seat, as written."""
        return [str(named) for named in self.lineup]

    @property
    def plays(self) -> int:
        return self.deals * self.rotations

    def keys(self) -> dict[str, Any]:
        """The cell as a manifest keeps it."""
        return vars(self) | {"lineup": self.labels}

    @classmethod
    def parse(cls, keys: dict[str, Any]) -> Cell:
        """The cell that a manifest keeps."""
        lineup = tuple(named for text in keys["lineup"] for named in parse_lineup(text))
        return cls(**keys | {"lineup": lineup})


def looks(experiment: Experiment) -> list[int]:
    """The numbers of deals at which an adaptive run looks: FIRST_LOOK, each next a quarter more, up to the cap; else the deals asked for."""
    if not experiment.adaptive:
        return [experiment.deals]
    found = [min(FIRST_LOOK, experiment.deals)]
    while found[-1] < experiment.deals:
        found.append(min(experiment.deals, found[-1] * 5 // 4))
    return found


def load(path: str | Path) -> Experiment:
    """Read an experiment file; whatever is wrong with it is told in one line that names the file."""
    path = Path(path)
    keys = _read(path)
    with _named(str(path)):
        experiment = beside(parse(keys), path.parent)
        cells(experiment)
    return experiment


def beside(experiment: Experiment, folder: Path) -> Experiment:
    """The experiment with its files named as seen from here; they are named as seen from `folder`."""
    files = {name: str(folder / path) for name, path in experiment.files.items()}
    return experiment.model_copy(update={"files": files})


def parse(keys: dict[str, Any]) -> Experiment:
    """An experiment from its keys; their shape is checked, the names in it only by `cells`."""
    try:
        return Experiment.model_validate(keys)
    except ValidationError as error:
        raise _one_line(error) from None


def cells(experiment: Experiment) -> list[Cell]:
    """All cells in order: combinations of the sweep outside, lineups inside; names and numbers checked."""
    game = catalogue.game(experiment.game)
    lineups = [_checked(game, lineup) for lineup in _lineups(experiment)]
    combinations, fixed = _combinations(experiment, game), _fixed(experiment, game)
    wanted = _baseline(experiment, game, combinations)
    found: list[Cell] = []
    play = 0
    for varied, lineup in itertools.product(combinations, lineups):
        cell = Cell(
            index=len(found),
            game=game.name,
            seats=len(lineup),
            options=fixed | varied,
            varied=varied,
            lineup=lineup,
            rotations=len(lineup) if experiment.rotate and len({str(n) for n in lineup}) > 1 else 1,
            deals=experiment.deals,
            first_play=play,
            baseline=varied == wanted,
        )
        found.append(cell)
        play += cell.plays
    return found


def check(experiment: Experiment) -> list[Cell]:
    """The cells, with every rules record built and every strategy looked up, so that nothing fails later."""
    game, found = catalogue.game(experiment.game), cells(experiment)
    tables = read_files(game, experiment.files)
    for options in {repr(cell.options): cell.options for cell in found}.values():
        game.rules(options, tables)
    for named in {str(n): n for cell in found for n in cell.lineup}.values():
        catalogue.player(game, named)
    return found


def read_files(game: Game, files: dict[str, str]) -> dict[str, Any]:
    """The designer's files, read by the game's own readers."""
    found = {}
    for name, path in files.items():
        if name not in game.components.files:
            known = ", ".join(game.components.files) or "none"
            raise UsageError(f"{game.name} takes no {name} file (tables that a file may replace: {known})")
        if not Path(path).is_file():
            raise UsageError(f"{name} file {path} does not exist")
        found[name] = game.components.files[name].read(Path(path))
    return found


def _lineups(experiment: Experiment) -> list[tuple[Named, ...]]:
    written = [
        tuple(named for text in lineup for named in parse_lineup(text)) for lineup in experiment.lineups
    ]
    entries = [named for text in experiment.round_robin for named in parse_lineup(text)]
    pair_up = itertools.combinations_with_replacement if experiment.mirrors else itertools.combinations
    found = written + list(pair_up(entries, 2))
    if not found:
        raise UsageError("no lineup: give key 'lineups', or 'round_robin' with two strategies or more")
    for label, times in Counter(", ".join(map(str, lineup)) for lineup in found).items():
        if times > 1:
            raise UsageError(f"lineup '{label}' is given twice")
    return found


def _checked(game: Game, lineup: tuple[Named, ...]) -> tuple[Named, ...]:
    game.check_seats(len(lineup))
    for named in lineup:
        weights = catalogue.strategy(game, named.name).weights
        for name, text in named.weights.items():
            if name not in weights:
                raise unknown(f"weight of {named.name}", name, weights)
            weights[name].number(f"{named.name}({name})", text)
    return lineup


def _fixed(experiment: Experiment, game: Game) -> dict[str, Any]:
    return {name: _shown(game, name, value) for name, value in experiment.options.items()}


def _shown(game: Game, name: str, value: Any) -> Any:
    option = game.option(name)
    return option.shown(option.number(value))


def _combinations(experiment: Experiment, game: Game) -> list[dict[str, Any]]:
    """What each combination of the sweep sets."""
    axes = [_axis(game, key, values) for key, values in experiment.sweep.items()]
    names = [name for axis in axes for name in axis[0]]
    for name in names:
        if names.count(name) > 1 or name in experiment.options:
            raise UsageError(f"option {name} is given twice: once in [options] or [sweep] is enough")
    return [
        {name: value for part in parts for name, value in part.items()} for parts in itertools.product(*axes)
    ]


def _axis(game: Game, key: str, values: list[Any]) -> list[dict[str, Any]]:
    """The settings that one key of the sweep goes through; "a, b" ties two options together."""
    names = [name.strip() for name in key.split(",")]
    settings: dict[str, dict[str, Any]] = {}
    for value in values:
        given = value if isinstance(value, list) else [value]
        if len(given) != len(names):
            raise UsageError(f"[sweep] {key}: {value} has {len(given)} values for {len(names)} options")
        setting = {name: _shown(game, name, one) for name, one in zip(names, given, strict=True)}
        if repr(setting) in settings:
            raise UsageError(f"[sweep] {key}: {value} is given twice")
        settings[repr(setting)] = setting
    if not settings:
        raise UsageError(f"[sweep] {key}: no values")
    return list(settings.values())


def _baseline(
    experiment: Experiment, game: Game, combinations: list[dict[str, Any]]
) -> dict[str, Any] | None:
    """The combination that the others are compared with; options that [baseline] leaves out have the rulebook's value."""
    if not experiment.baseline:
        return None
    for name in experiment.baseline:
        if name not in combinations[0]:
            raise unknown("option in [baseline]", name, combinations[0])
    usual = game.resolve({**experiment.options, **experiment.baseline})
    wanted = {name: usual[name] for name in combinations[0]}
    if wanted not in combinations:
        said = ", ".join(f"{name} = {value}" for name, value in wanted.items())
        raise UsageError(f"[baseline] {said} is not among the combinations of [sweep]")
    return wanted


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: malformed TOML: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "not a text in UTF-8"
        raise UsageError(f"{path}: cannot be read: {said}") from None


@contextmanager
def _named(where: str) -> Iterator[None]:
    """Put the place in front of a usage error."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{where}: {error}") from error


def _one_line(error: ValidationError) -> UsageError:
    """The first thing wrong with the shape of an experiment."""
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"][:2])
    if key == "cards":
        return UsageError(f"key 'cards' is now 'files.cards': write files.cards = {_toml(first['input'])}")
    if first["type"] == "extra_forbidden":
        return unknown("key", key, Experiment.model_fields)
    if first["type"] == "missing":
        return UsageError(f"key '{key}' is missing")
    return UsageError(f"key '{key}': {first['msg'].removeprefix('Input ')}, not {first['input']!r}")


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_toml(one) for one in value)}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _toml(key)
