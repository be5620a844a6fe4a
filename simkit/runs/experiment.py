"""Experiments: a question and how to answer it, as a TOML file states it (see experiments/README.md)."""

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationError,
)

from simkit.engine import limits, registry
from simkit.engine.game import Game
from simkit.engine.lineups import Named, parse_lineup
from simkit.engine.options import PLAYERS, check_varied
from simkit.engine.sheet_files import mapping_file
from simkit.errors import UsageError, unknown
from simkit.runs import table_files
from simkit.runs.storage.downloads import local_copy
from simkit.runs.table_files import names_of

Value = bool | int | float | str
MOST_ELO = 2_000.0
Elo = Annotated[float, Field(ge=-MOST_ELO, le=MOST_ELO)]
Deals = Annotated[int, Field(**limits.DEALS)]
Seed = Annotated[int, Field(**limits.SEED)]
Trace = Annotated[int, Field(**limits.TRACE)]
Kingmaking = Annotated[int, Field(**limits.KINGMAKING)]
Width = Annotated[float, Field(**limits.WIDTH)]
Seconds = Annotated[float, Field(gt=0, le=3600)]
Margin = Annotated[float, Field(**limits.MARGIN)]
Share = Annotated[float, Field(**limits.SHARE)]
# The keys that come last in a file, each as a table with its own header.
TABLES = ("ablate", "skill", "files", "options", "sweep", "baseline", "called")
# Where a number of players may stand.
PLAYERS_TABLES = ("options", "sweep", "baseline")
RANGE = re.compile(r"\s*(\d{1,3})\s*:\s*(\d{1,3})\s*")  # as `--set players=2:4` gives it
USUAL_TRACE = 1_000  # deals per cell with `trace = true`
USUAL_SEED, USUAL_MARGIN = 1, 0.02


def _split_lineups(lineups: Any) -> Any:
    """Return lineups as lists of texts; a lineup may be given as one text."""
    several = [lineups] if isinstance(lineups, str) else lineups if isinstance(lineups, list) else []
    return [[lineup] if isinstance(lineup, str) else lineup for lineup in several] or lineups


def _usual(trace: Any) -> Any:
    return USUAL_TRACE * trace if isinstance(trace, bool) else trace


def parse_lineups(texts: list[str]) -> tuple[Named, ...]:
    """Return the strategies by seat; `name*4` stands for four of them."""
    return tuple(named for text in texts for named in parse_lineup(text))


def labels_of(lineup: tuple[Named, ...]) -> list[str]:
    """Return the labels of strategies, as written in a lineup."""
    return [str(named) for named in lineup]


Lineup = Annotated[tuple[Named, ...], PlainValidator(parse_lineups), PlainSerializer(labels_of)]


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
    seed: Seed = USUAL_SEED
    lineups: Annotated[list[list[str]], BeforeValidator(_split_lineups)] = []
    round_robin: list[str] = []
    mirrors: bool = False
    rotate: Literal[True, False, "roles"] = True  # whether to move the lineup, and roles, round the seats
    trace: Annotated[Trace, BeforeValidator(_usual)] = 0
    files: dict[str, str] = {}  # table to replace -> path of the designer's own file
    until_width: Width | None = None
    until_verdict: bool = False
    until_elo: list[Elo] = []  # a match ends when its test rejects one of these two differences
    normalized_elo: bool = False  # whether `until_elo` is in normalised, not logistic, Elo
    until_outclassed: bool = False  # round robin: stop pairings that the best mixes do not depend on
    margin: Margin = USUAL_MARGIN
    target: Share | None = None  # how often a team, the first of two sides, or the role should win
    role: str = ""  # name of the role whose wins are judged, in place of those of the seats
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
        paths = table_files.swept_files(self.sweep)
        own = {name: value for name, value in varied.items() if value in paths.get(name, {})}
        fixed = {name: path for name, path in self.files.items() if not name.endswith(table_files.MAPPING)}
        return fixed | {table_files.table(name): paths[name][value] for name, value in own.items()}

    def every_file(self) -> dict[str, str]:
        """Return the paths of all files and mappings, by `table`; those of a sweep by `table: file name`."""
        paths = table_files.swept_files(self.sweep)
        swept_paths = {f"{key}: {name}": path for key, files in paths.items() for name, path in files.items()}
        return self.files | swept_paths

    def with_keys(self, **keys: Any) -> "Experiment":
        """Return the experiment with some keys replaced, validated."""
        return parse({**self.keys(), **keys})

    def to_toml(self) -> str:
        """Return the experiment as the text of a file that `load` can read."""
        keys = self.keys()
        tables = [f"[{name}]\n{toml_lines(keys.pop(name))}" for name in TABLES if name in keys]
        return "\n".join([toml_lines(keys), *tables])


def resolve_files(experiment: Experiment, folder: Path) -> Experiment:
    """Return the experiment with the paths of its files, relative to `folder`, resolved against it."""
    return replace_paths(experiment, lambda _, path: path if "://" in path else str(folder / path))


def _with_sheets(experiment: Experiment) -> Experiment:
    """Return the experiment with local copies of sheets at addresses, and the mappings beside its sheets."""
    local = replace_paths(experiment, lambda _, path: local_copy(path))
    files = {table_files.mapping_name(*file): mapping_file(file[1]) for file in local.every_file().items()}
    mappings = {name: str(path) for name, path in files.items() if os.path.isfile(path)}
    return local.model_copy(update={"files": local.files | mappings})


def replace_paths(experiment: Experiment, new_path: Callable[[str, str], str]) -> Experiment:
    """Return the experiment with other paths of its files: `new_path(table or files.TABLE, path)`."""
    files = {name: new_path(name, path) for name, path in experiment.files.items()}
    sweep = table_files.replace_paths(experiment.sweep, new_path)
    rows = table_files.replace_paths({name: [value] for name, value in experiment.baseline.items()}, new_path)
    baseline = {name: value for name, (value,) in rows.items()}
    return experiment.model_copy(update={"files": files, "sweep": sweep, "baseline": baseline})


def parse(keys: dict[str, Any], folder: Path = Path()) -> Experiment:
    """Return the experiment that `keys` describes, with local copies of its sheets at addresses."""
    return _with_sheets(resolve_files(experiment_of(keys), folder))


def experiment_of(keys: dict[str, Any]) -> Experiment:
    """Return the experiment that `keys` describes; checks types and ranges, `make_plan` names."""
    for key, value in keys.items():
        if why := limits.value_problem(key) or limits.value_problem(value):
            raise UsageError(f"key '{key}': {why}")
    try:
        return Experiment.model_validate(with_players(keys))
    except ValidationError as error:
        raise wrong(error.errors()[0], Experiment.model_fields) from None


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


def with_players(keys: dict[str, Any]) -> dict[str, Any]:
    """Return the keys of an experiment with its number of players, if given, turned into lineups.

    The number of players is an axis of every game: `players = 4` in [options], `players = [2, 3, 4]` in
    [sweep]. A cell seats as many players as its lineup has strategies, so everything else only knows lineups
    of several sizes.
    """
    tables = {name: keys[name] for name in PLAYERS_TABLES if isinstance(keys.get(name), dict)}
    given = [(table, key) for table in tables for key in tables[table] if set(names_of(key)) & set(PLAYERS)]
    if not given or not isinstance(keys.get("game"), str):
        return keys
    game, ((table, key), *others) = registry.game(keys["game"]), given
    if others or table == "baseline":
        cure = "give them once, in [options] or [sweep]; every number of players has its own baseline"
        raise UsageError(f"key '{others[0][1] if others else key}': {cure}")
    if key not in PLAYERS:
        raise UsageError(f"[{table}] {key}: players are varied by themselves, not tied to other options")
    rest = {name: value for name, value in tables[table].items() if name != key}
    lineups = _lineups_by_size(game, keys, _counts(game, key, tables[table][key]))
    return keys | {table: rest, "lineups": lineups}


def _counts(game: Game, key: str, value: Any) -> list[int]:
    """Return the numbers of players in a value: a whole number, several, or a range such as "2:4"."""
    counts = value if isinstance(value, list) else [value]
    if text := RANGE.fullmatch(str(value)):
        counts = list(range(int(text[1]), int(text[2]) + 1))
    if not counts or not all(type(count) is int for count in counts):
        raise UsageError(f"{key} = {value!r}: give a number of players, or a range such as 2:4")
    low, high = game.seats
    outside = [count for count in counts if not low <= count <= high]
    if outside:
        check_varied(game.name, game.seats, key)
        raise UsageError(f"{game.name} has {low} to {high} players, so {key} cannot be {outside[0]}")
    return counts


def _lineups_by_size(game: Game, keys: dict[str, Any], counts: list[int]) -> list[list[str]]:
    """Return each lineup for each number of players; one of several strategies has its own number only."""
    if keys.get("round_robin"):
        raise UsageError("players cannot be varied with round_robin, whose games have two players")
    given, lineups = keys.get("lineups", []), list[list[str]]()
    for lineup in [given] if isinstance(given, str) else given:
        texts = [lineup] if isinstance(lineup, str) else lineup
        strategies = list(dict.fromkeys(str(named) for text in texts for named in parse_lineup(text)))
        if len(strategies) > 1 and counts == [sum(len(parse_lineup(text)) for text in texts)]:
            lineups.append(list(texts))
            continue
        if len(strategies) > 1:
            cure = f"give lineups of one strategy, such as {strategies[0]}, or as many players as it seats"
            raise UsageError(
                f"lineup '{', '.join(texts)}' says who sits where, so players cannot be varied; {cure}"
            )
        lineups += [[f"{strategies[0]}*{count}"] for count in counts]
    return [list(lineup) for lineup in dict.fromkeys(map(tuple, lineups))]
