"""Experiments in TOML (see experiments/README.md) and their cells, combinations of options and lineup."""

import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationError,
)

from simkit.engine import ablation, limits, registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_lineup
from simkit.engine.sheet_files import mapping_file
from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError, look_up, unknown
from simkit.runs import sweeps, table_files
from simkit.runs.player_counts import with_players
from simkit.runs.stopping import pairings
from simkit.runs.storage.downloads import local_copy

Value = bool | int | float | str
Setting = dict[str, Any]  # option -> value
Elo = Annotated[float, Field(ge=-pairings.MOST_ELO, le=pairings.MOST_ELO)]
Deals = Annotated[int, Field(**limits.DEALS)]
Seed = Annotated[int, Field(**limits.SEED)]
Trace = Annotated[int, Field(**limits.TRACE)]
Kingmaking = Annotated[int, Field(**limits.KINGMAKING)]
Width = Annotated[float, Field(**limits.WIDTH)]
Seconds = Annotated[float, Field(gt=0, le=3600)]
Margin = Annotated[float, Field(**limits.MARGIN)]
Share = Annotated[float, Field(**limits.SHARE)]
FIRST_ANALYSIS = 200  # deals; fewer cannot decide any margin of interest
BETWEEN_ANALYSES = 50  # deals at least; from 1,000 deals on, 5 % of the deals
# The keys that come last in a file, each as a table with its own header.
TABLES = ("ablate", "skill", "files", "options", "sweep", "baseline", "called")
BASELINE = "baseline"  # key in [called] that names the setting which others are compared with
USUAL_TRACE = 1_000  # deals per cell with `trace = true`
USUAL_TARGET = 0.5  # default win rate that a team should reach


def _split(lineups: Any) -> Any:
    """Return lineups as lists of texts; a lineup may be given as one text."""
    several = [lineups] if isinstance(lineups, str) else lineups if isinstance(lineups, list) else []
    return [[lineup] if isinstance(lineup, str) else lineup for lineup in several] or lineups


def _usual(trace: Any) -> Any:
    return USUAL_TRACE * trace if isinstance(trace, bool) else trace


def _entries(texts: list[str]) -> tuple[Named, ...]:
    return tuple(named for text in texts for named in parse_lineup(text))


def _labels(lineup: tuple[Named, ...]) -> list[str]:
    return [str(named) for named in lineup]


Lineup = Annotated[tuple[Named, ...], PlainValidator(_entries), PlainSerializer(_labels)]


class Ablate(BaseModel):
    """Components to change, each by its own coin for every BLOCK deals (`simkit.engine.ablation`)."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    how: str = ""  # name of one of the game's ways to ablate; empty: its default
    components: list[str] = []  # names or kinds; empty: all
    # The part of the deals in which each component is changed.
    rate: Share | None = None


class Skill(BaseModel):
    """Ladder of players that is played after the run, at the settings that its answer is about."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    rungs: list[str] = []  # the weakest first; empty: the usual ones
    deals: int = Field(default=20_000, ge=100, le=10**9)  # of a rung that does not search


def _skill(value: Any) -> Any:
    return {} if value == "ladder" else value


class Experiment(BaseModel):
    """A question and how to answer it, as its file states it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    question: str
    game: str
    deals: Deals
    seed: Seed = 1
    lineups: Annotated[list[list[str]], BeforeValidator(_split)] = []
    round_robin: list[str] = []
    mirrors: bool = False
    rotate: bool = True
    trace: Annotated[Trace, BeforeValidator(_usual)] = 0
    files: dict[str, str] = {}  # table to replace -> path of the designer's own file
    until_width: Width | None = None
    until_verdict: bool = False
    until_elo: list[Elo] = []  # a match ends when its test rejects one of these two differences
    normalized_elo: bool = False  # whether `until_elo` is in normalised, not logistic, Elo
    until_outclassed: bool = False  # round robin: stop pairings that the best mixes do not depend on
    margin: Margin = 0.02
    target: Share | None = None  # how often a team should win
    beginners: list[Annotated[float, Field(gt=0, le=1)]] = []  # error rates of the side run
    kingmaking: Kingmaking = 0  # deals whose late decisions are replayed
    keep_going: bool = False  # whether to count games that fail instead of ending the run
    ablate: Ablate | None = None
    skill: Annotated[Skill | None, BeforeValidator(_skill)] = None
    confirm: bool | None = (
        None  # whether to check the advice on fresh deals; None: where it is about fairness
    )
    report: str | None = None  # recipe of the page, if not the one that suits the experiment
    seconds_per_decision: Seconds | None = None  # for the duration at the table
    options: dict[str, Value] = {}
    sweep: dict[str, list[Value | list[Value]]] = {}
    baseline: dict[str, Value] = {}
    called: dict[str, str] = {}  # strategy, or "baseline" -> its name for readers

    @property
    def adaptive(self) -> bool:
        """Whether cells stop early; `deals` is then the most that a cell may play."""
        by_cell = self.until_verdict or self.until_width is not None
        return by_cell or bool(self.until_elo) or self.until_outclassed

    def keys(self) -> dict[str, Any]:
        """Return the keys that differ from their defaults, as a file would state them."""
        return self.model_dump(exclude_defaults=True)

    def files_of(self, varied: Mapping[str, Any]) -> dict[str, str]:
        """Return the designer's files of a cell: table -> path."""
        paths = table_files.swept(self.sweep)
        own = {name: value for name, value in varied.items() if value in paths.get(name, {})}
        fixed = {name: path for name, path in self.files.items() if not name.endswith(table_files.MAPPING)}
        return fixed | {table_files.table(name): paths[name][value] for name, value in own.items()}

    def every_file(self) -> dict[str, str]:
        """Return the paths of all files and mappings, by `table`; those of a sweep by `table: file name`."""
        paths = table_files.swept(self.sweep)
        swept_paths = {f"{key}: {name}": path for key, files in paths.items() for name, path in files.items()}
        return self.files | swept_paths

    def changed(self, **keys: Any) -> "Experiment":
        """Return the experiment with some keys replaced, validated."""
        return parse({**self.keys(), **keys})

    def to_toml(self) -> str:
        """Return the experiment as the text of a file that `load` can read."""
        keys = self.keys()
        tables = [f"[{name}]\n{toml_lines(keys.pop(name))}" for name in TABLES if name in keys]
        return "\n".join([toml_lines(keys), *tables])


@dataclass(frozen=True)
class Cell:
    """A combination of rule options and lineup, of plain values: workers receive it, manifests store it."""

    index: int
    game: str
    seats: int
    options: dict[str, Any]  # the options set by the experiment, fixed and swept
    varied: dict[str, Any]  # the swept ones
    lineup: Lineup  # by seat, in rotation 0
    rotations: int
    deals: int
    first_play: int  # the play id of deal 0, rotation 0
    stride: int  # distance of the play ids of consecutive deals: the plays of a deal in all cells
    baseline: bool  # whether other cells are compared with this one
    target: float | None = None  # of a co-operative game: win rate that the team should reach

    @property
    def fair(self) -> float:
        """The share of a seat that counts as fair; for a team its target."""
        return 1 / self.seats if self.target is None else self.target

    @cached_property
    def labels(self) -> list[str]:
        """The labels of the strategies by seat, in rotation 0."""
        return _labels(self.lineup)

    @property
    def plays(self) -> int:
        """The number of games of the cell."""
        return self.deals * self.rotations

    def play_of(self, deal: Any, rotation: Any = 0) -> Any:
        """Return the play id of a deal and rotation (numbers or arrays); adding deals changes no id."""
        return self.first_play + deal * self.stride + rotation


def analyses(experiment: Experiment) -> list[int]:
    """Return the numbers of deals after which a run is analysed: `schedule` if it may stop early."""
    return schedule(experiment.deals) if experiment.adaptive else [experiment.deals]


def schedule(max_deals: int) -> list[int]:
    """Return the numbers of deals of the interim analyses, which do not depend on batches, workers or clocks.

    The first is FIRST_ANALYSIS; each later one is 5 % above the last and at least BETWEEN_ANALYSES from it;
    the final analysis is at `max_deals`.
    """
    ends = [min(FIRST_ANALYSIS, max_deals)]
    while (deals := ends[-1]) < max_deals:
        ends.append(min(max_deals, max(deals + BETWEEN_ANALYSES, deals * 21 // 20)))
    return ends


def load(path: str | Path) -> Experiment:
    """Read and validate an experiment file; raises a UsageError of one line that names the file."""
    keys = read_toml(Path(path))
    try:
        experiment = parse(keys, Path(path).parent)
        cells(experiment)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error
    return experiment


def resolve_files(experiment: Experiment, folder: Path) -> Experiment:
    """Return the experiment with the paths of its files, relative to `folder`, resolved against it."""
    return moved(experiment, lambda _, path: path if "://" in path else str(folder / path))


def _with_sheets(experiment: Experiment) -> Experiment:
    """Return the experiment with local copies of sheets at addresses, and the mappings beside its sheets."""
    local = moved(experiment, lambda _, path: local_copy(path))
    files = {table_files.mapping_name(*file): mapping_file(file[1]) for file in local.every_file().items()}
    mappings = {name: str(path) for name, path in files.items() if os.path.isfile(path)}
    return local.model_copy(update={"files": local.files | mappings})


def moved(experiment: Experiment, new_path: Callable[[str, str], str]) -> Experiment:
    """Return the experiment with other paths of its files: `new_path(table or files.TABLE, path)`."""
    files = {name: new_path(name, path) for name, path in experiment.files.items()}
    sweep = table_files.moved(experiment.sweep, new_path)
    rows = table_files.moved({name: [value] for name, value in experiment.baseline.items()}, new_path)
    baseline = {name: value for name, (value,) in rows.items()}
    return experiment.model_copy(update={"files": files, "sweep": sweep, "baseline": baseline})


def parse(keys: dict[str, Any], folder: Path = Path()) -> Experiment:
    """Return the experiment that `keys` describes, with local copies of its sheets at addresses."""
    return _with_sheets(resolve_files(stored(keys), folder))


def stored(keys: dict[str, Any]) -> Experiment:
    """Return the experiment that `keys` describes; checks types and ranges, while `cells` checks names."""
    for key, value in keys.items():
        if why := limits.value_problem(key) or limits.value_problem(value):
            raise UsageError(f"key '{key}': {why}")
    try:
        return Experiment.model_validate(with_players(keys))
    except ValidationError as error:
        raise wrong(error.errors()[0], Experiment.model_fields) from None


def cells(experiment: Experiment) -> list[Cell]:
    """Return all cells in order, the sweep outside and the lineups inside; checks names and numbers."""
    game, lineups = registry.game(experiment.game), lineups_of(experiment)
    if experiment.report is not None:
        look_up("report recipe in key 'report'", experiment.report, registry.recipes())
    if experiment.target is not None and not game.team:
        raise UsageError(f"key 'target' is for co-operative games; {game.name} is none: leave it out")
    target = experiment.target or USUAL_TARGET if game.team else None
    for lineup in lineups:
        game.check_lineup(lineup)
        for named in lineup:
            registry.player(game, named)
    _check_stopping(experiment, game, lineups)
    for name in filter(table_files.is_file, experiment.options):
        cure = "name it with --cards FILE or, in an experiment, in [files]"
        raise UsageError(f"{name} is a file, no option: {cure}")
    fixed = {name: sweeps.stored(game, name, value) for name, value in experiment.options.items()}
    given = [*experiment.options, *(table_files.HEAD + name for name in experiment.files)]
    combinations = sweeps.combinations(game, experiment.sweep, given, len(lineups))
    baseline = sweeps.baseline(game, experiment.baseline, experiment.options, combinations)
    cell_list, play, deals = list[Cell](), 0, experiment.deals
    stride = len(combinations) * sum(_rotations(experiment, lineup) for lineup in lineups)
    for place, (varied, lineup) in enumerate(itertools.product(combinations, lineups)):
        seats, options, base = len(lineup), table_files.options_of(game, fixed | varied), varied == baseline
        rotations = _rotations(experiment, lineup)
        ids = play, stride, base, target
        cell_list.append(Cell(place, game.name, seats, options, varied, lineup, rotations, deals, *ids))
        play += rotations
    if experiment.ablate:
        _check_ablation(experiment, cell_list)
    played = dict.fromkeys([BASELINE, *(label for cell in cell_list for label in cell.labels)])
    for name in experiment.called:
        look_up("strategy in [called]", name, played)
    return cell_list


def _check_stopping(experiment: Experiment, game: Game, lineups: list[tuple[Named, ...]]) -> None:
    """Refuse several stopping rules, and rules for matches or round robins with other lineups."""
    ends, by_cell = experiment.until_elo, experiment.until_verdict or experiment.until_width is not None
    if by_cell + bool(ends) + experiment.until_outclassed > 1:
        rules = "until_elo, until_outclassed, or one or both of until_verdict and until_width"
        raise UsageError(f"a run stops by one rule: give {rules}")
    if experiment.normalized_elo and not ends:
        raise UsageError("key 'normalized_elo': is the scale of until_elo (--elo0, --elo1), which is missing")
    if ends and (len(ends) != 2 or ends[0] >= ends[1]):
        raise UsageError(f"key 'until_elo': must be two increasing numbers, for example [0, 10], not {ends}")
    labels, rotated = list(map(_labels, lineups)), experiment.rotate and not game.team
    if ends and (experiment.sweep or not rotated or pairings.sides(labels) is None):
        match = "a match is one setting of a game that is not co-operative, two strategies in all rotations"
        raise UsageError(f"key 'until_elo': {match} (three seats: a, b, b and b, a, a); see simkit match")
    if experiment.until_outclassed and (not rotated or pairings.everybody(labels) is None):
        requirement = "every strategy has to meet every one, itself too, in both of two seats"
        raise UsageError(f"key 'until_outclassed': {requirement}: give round_robin with mirrors = true")


def _check_ablation(experiment: Experiment, cells: list[Cell]) -> None:
    """Refuse components that cannot be changed in some cell, and keys that do not go with [ablate]."""
    if experiment.kingmaking:
        raise UsageError("key 'kingmaking': games of a run with [ablate] are not played on; leave one out")
    if experiment.adaptive:
        raise UsageError("[ablate]: its intervals need a fixed number of deals; leave out until_...")
    game = registry.game(experiment.game)
    for rules in rules_records(experiment, cells):
        ablation.check(
            ablation.ablation_rules(game, rules, experiment.ablate, experiment.seed), experiment.deals
        )


def _rotations(experiment: Experiment, lineup: tuple[Named, ...]) -> int:
    return len(lineup) if experiment.rotate and len(set(map(str, lineup))) > 1 else 1


def check(experiment: Experiment) -> list[Cell]:
    """Return the cells after building every rules record, so that no later step can fail on them."""
    cell_list = cells(experiment)
    for _ in rules_records(experiment, cell_list):
        pass
    return cell_list


def rules_records(experiment: Experiment, played: Iterable[Cell]) -> Iterator[np.ndarray]:
    """Yield the rules record of each setting, in the order of the cells; refuses options that conflict."""
    settings = {repr((cell.options, experiment.files_of(cell.varied))): cell for cell in played}
    for cell in settings.values():
        yield registry.game(experiment.game).rules(cell.options, read_files(experiment, cell.varied))


def read_files(experiment: Experiment, varied: Mapping[str, Any] = {}) -> dict[str, Any]:
    """Return the designer's tables of a cell, read by the game's own readers: table -> content."""
    tables, readers = {}, registry.game(experiment.game).components.files
    for name, path in experiment.files_of(varied).items():
        reader = look_up(f"table of {experiment.game} that a file may replace", name, readers)
        tables[name] = reader.read(there(name, path))
    return tables


def there(name: str, path: str) -> Path:
    """Return the path of a designer's file; refuses a path without a file."""
    if not os.path.isfile(path):
        raise UsageError(f"{name} file {path} does not exist")
    return Path(path)


def lineups_of(experiment: Experiment) -> list[tuple[Named, ...]]:
    """Return the lineups of an experiment, those of a round robin last; refuses repeated ones."""
    entries = _entries(experiment.round_robin)
    sweeps.check_many(len(entries) * (len(entries) + 1) // 2)
    pair_up = itertools.combinations_with_replacement if experiment.mirrors else itertools.combinations
    lineups = [*map(_entries, experiment.lineups), *pair_up(entries, 2)]
    if not lineups:
        raise UsageError("no lineup: give key 'lineups', or 'round_robin' with two strategies or more")
    for label, times in Counter(", ".join(map(str, lineup)) for lineup in lineups).items():
        if times > 1:
            raise UsageError(f"lineup '{label}' is given twice")
    return lineups


def wrong(fault: Any, fields: Iterable[str]) -> UsageError:
    """Return the error for a fault that pydantic reports in the keys of a file with these fields."""
    key = ".".join(str(part) for part in fault["loc"][:2])
    if fault["type"] == "extra_forbidden":
        return unknown("key", key, fields)
    if fault["type"] == "missing":
        return UsageError(f"key '{key}' is missing")
    return UsageError(f"key '{key}': {fault['msg'].removeprefix('Input ')}, not {fault['input']!r}")


def toml_text(value: Any) -> str:
    """Return a plain value, or a list of them, as TOML."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_lines(table: dict[str, Any]) -> str:
    """Return plain values, and lists of them, as lines of a TOML file."""
    keys = {key: key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_text(key) for key in table}
    return "".join(f"{keys[key]} = {toml_text(value)}\n" for key, value in table.items())
