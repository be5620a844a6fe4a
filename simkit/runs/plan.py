"""Plan of a run: the cells of an experiment and their rules, and the shards that hold their games.

A plan is made once from an experiment, validates all that it names, and is handed on. A run folder keeps its
cells, layout and analyses, from which the plan of the run is restored.

Shards are the units of work and of storage: plays of some cells, cut by numbers of rows, never by a clock. A
run with sequential stopping is played in interim shards, which end at the interim analyses. When all cells
have stopped, their rows are copied into the shards of a run without analyses of the same deals.
"""

import hashlib
import itertools
import math
import os
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from simkit.engine import ablation, registry
from simkit.engine.game import Game
from simkit.engine.learned.file import file_digests, notes
from simkit.engine.lineups import Named, Seated
from simkit.engine.strategy import RANDOM as RANDOM  # for pages, too
from simkit.engine.strategy import Strategy
from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError, look_up
from simkit.runs import sweeps, table_files
from simkit.runs.experiment import Experiment, Lineup, labels_of, parse, parse_lineups
from simkit.runs.storage.remote import INTERIM

FIRST_ANALYSIS = 200  # deals; fewer cannot decide any margin of interest
BETWEEN_ANALYSES = 50  # deals at least; from 1,000 deals on, 5 % of the deals
BASELINE = "baseline"  # key in [called] that names the setting which others are compared with
# Stopping rules that belong to one kind of question: key of the experiment -> module and class.
STOPPING_RULES = {
    "until_elo": "simkit.questions.match:MatchTest",
    "until_outclassed": "simkit.questions.equilibrium:Outclassed",
}
USUAL_TARGET = 0.5  # default win rate that a team, or the first of two sides, should reach
TABLES = ("seats", "games")  # in the order of writing: the games file completes the shard
TURNS, PIECES = "turns", "pieces"  # the trace, written before the others, if the run has one
QUICK, SLOW = 2_500, 60  # spread of shards, without and with strategies that search
# Limits of the side run of beginners, per number of seats and error rate.
MOST_DEALS, MOST_GAMES = 1_000, 5_000
ERR = "blunder"  # the weight of every strategy that sets its error rate
MOST_ROWS, MOST_BYTES = 100_000, 1 << 24


@dataclass(frozen=True)
class Cell:
    """A combination of rule options and lineup, of plain values: workers receive it, manifests store it."""

    index: int
    game: str
    seats: int
    options: dict[str, Any]  # the options set by the experiment, fixed and swept
    varied: dict[str, Any]  # the swept ones
    lineup: Lineup  # by seat, in rotation 0
    rotations: int  # games per deal
    deals: int
    first_play: int  # the play id of deal 0, rotation 0
    stride: int  # distance of the play ids of consecutive deals: the plays of a deal in all cells
    baseline: bool  # whether other cells are compared with this one
    target: float | None = None  # win rate that a team, the first of two sides, or a role should reach
    side: str = ""  # name of the first side, where two sides play against each other
    role_column: str = ""  # column of the seats table with the role that is judged
    role: str = ""  # its name in the log
    rotation_step: int = 1  # difference between rotations; the seats, where only roles move

    @property
    def fair(self) -> float:
        """The share of a seat that counts as fair; for a team, side or role that is judged its target."""
        return 1 / self.seats if self.target is None else self.target

    @property
    def team(self) -> bool:
        """Whether the seats play together against the game."""
        return self.target is not None and not (self.side or self.role)

    @property
    def parties(self) -> int:
        """The number of sides, or of seats that play for themselves."""
        return 2 if self.side else self.seats

    @property
    def judged_shares(self) -> int:
        """The number of shares that are judged: that of a team, side or role, else one for each seat."""
        return self.seats if self.target is None else 1

    @cached_property
    def labels(self) -> list[str]:
        """The labels of the strategies by seat, in rotation 0."""
        return labels_of(self.lineup)

    @property
    def rotates_lineup(self) -> bool:
        """Whether different strategies are moved round all seats."""
        return len(set(self.labels)) > 1 and self.rotations >= self.seats

    @property
    def turns(self) -> range:
        """The rotations in which each deal is played."""
        return range(0, self.rotations * self.rotation_step, self.rotation_step)

    @property
    def usual_player(self) -> Named | None:
        """The first strategy that is not random, without errors; None if all are random."""
        named = next((named for named in self.lineup if named.name != RANDOM), None)
        return named and _with_errors(named, 0.0)

    @property
    def error_rate(self) -> float:
        """The highest error rate of a player."""
        return max(float(named.weights.get(ERR, 0)) for named in self.lineup)

    @property
    def plays(self) -> int:
        """The number of games of the cell."""
        return self.deals * self.rotations

    def play_of(self, deal: Any, rotation: Any = 0) -> Any:
        """Return the play id of a deal and rotation (numbers or arrays); adding deals changes no id."""
        return self.first_play + deal * self.stride + rotation // self.rotation_step


class Layout(NamedTuple):
    """Size of shards: about sqrt(spread × rows) rows of the seats table, at most `most`."""

    spread: int
    most: int

    def size(self, rows: int) -> int:
        """Return the number of rows of a shard, for a table of `rows` rows."""
        return max(1, min(self.most, math.isqrt(self.spread * rows)))


class Part(NamedTuple):
    """Deals first <= deal < last of a cell; those below `traced` are traced turn by turn."""

    cell: int
    first: int
    traced: int
    last: int
    play: int  # play id of the first game


class Shard(NamedTuple):
    """Parts of cells, in the order of cells and deals."""

    parts: tuple[Part, ...]
    pieces: bool = False  # whether the trace has a table of pieces
    interim: bool = False  # whether it is replaced by other shards when all cells have stopped

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the shard's tables, in the order of writing."""
        if not any(part.traced > part.first for part in self.parts):
            return TABLES
        return (PIECES, TURNS, *TABLES) if self.pieces else (TURNS, *TABLES)

    @property
    def files(self) -> list[str]:
        """The paths of the shard's tables within the run folder, in the order of writing."""
        return [self.path(table) for table in self.tables]

    def path(self, table: str) -> str:
        """Return the path of a table within the run folder."""
        return f"{INTERIM}/{table}/{self.file}" if self.interim else f"{table}/{self.file}"

    @property
    def file(self) -> str:
        """The file name of the shard's tables: the play id of its first game."""
        return f"{self.parts[0].play:014d}.parquet"

    def holds(self, cells: set[int], low: float, high: float) -> bool:
        """Return whether the shard holds deals low <= deal < high of some of the cells."""
        return any(part.cell in cells and part.last > low and part.first < high for part in self.parts)

    def games(self, cells: list[Cell]) -> int:
        """Return the number of games in the shard; `cells` are all cells of the run."""
        return sum((part.last - part.first) * cells[part.cell].rotations for part in self.parts)


@dataclass(frozen=True)
class Plan:
    """All that a run plays, and how its games are cut into shards."""

    experiment: Experiment
    cells: list[Cell]
    layout: Layout
    spans: list[int]  # numbers of deals at which the run is analysed
    pieces: bool  # whether a trace has a table of pieces
    beginners: "Plan | None" = None  # side run in which one player errs

    @property
    def game(self) -> Game:
        """The game of all cells."""
        return registry.game(self.experiment.game)

    @property
    def first_setting(self) -> Cell:
        """The first cell of the baseline setting; without a baseline, the first cell."""
        return next((cell for cell in self.cells if cell.baseline), self.cells[0])

    @cached_property
    def strategies(self) -> list[Strategy]:
        """The strategies of all lineups, in the order in which lineups name them."""
        names = dict.fromkeys(named.name for cell in self.cells for named in cell.lineup)
        return [registry.strategy(self.game, name) for name in names]

    @cached_property
    def players(self) -> tuple[Seated, ...]:
        """All players, each for the number of seats at its tables, sorted."""
        return tuple(sorted({Seated(label, cell.seats) for cell in self.cells for label in cell.labels}))

    @cached_property
    def notes(self) -> list[str]:
        """Where learned players play rules for which they were not trained."""
        every = [
            f"{label}: {note}"
            for cell in self.cells
            for label, named in zip(cell.labels, cell.lineup, strict=True)
            for player in registry.trained_players(self.game, named, cell.seats)
            for note in notes(player, cell.options, file_digests(self.experiment.files_of(cell.varied)))
        ]
        return list(dict.fromkeys(every))

    def rules(self, cell: Cell) -> np.ndarray:
        """Return the rules record of a cell; refuses options that conflict."""
        return self.game.rules(cell.options, read_files(self.experiment, cell.varied))

    def rules_records(self) -> Iterator[np.ndarray]:
        """Yield the rules record of each setting, in the order of the cells."""
        files_of = self.experiment.files_of
        settings = {repr((cell.options, files_of(cell.varied))): cell for cell in self.cells}
        return map(self.rules, settings.values())

    @cached_property
    def rules_digest(self) -> str:
        """The digest of all rules records and, for a trace, of the names of components."""
        game, digest = self.game, hashlib.sha256()
        for record in self.rules_records():
            names = game.pieces.names(record[0]) if game.pieces and self.experiment.trace else []
            digest.update(record.tobytes() + repr(names).encode())
        for name, path in self.experiment.every_file().items():
            existing_file(name.partition(":")[0], path)  # mappings of columns, too
        return digest.hexdigest()

    def check(self) -> Self:
        """Return the plan after building every rules record, so that no later step can fail on them."""
        _ = self.rules_digest
        return self

    def shards(self, interim: bool = False) -> list[Shard]:
        """Return the shards of all cells and deals.

        interim: cut at the interim analyses, as long as not all cells have stopped.
        """
        spans = self.spans[-1:] if self.experiment.adaptive and not interim else self.spans
        every = shards(self.cells, self.layout, spans, self.experiment.trace, self.pieces)
        return [shard._replace(interim=True) for shard in every] if interim else every


def make_plan(experiment: Experiment, layout: Layout | None = None) -> Plan:
    """Return the plan of an experiment, by default with the usual layout; checks names and numbers."""
    cells, game = _cells(experiment), registry.game(experiment.game)
    names = {named.name for cell in cells for named in cell.lineup}
    layout = layout or usual_layout(game, [registry.strategy(game, name) for name in names])
    plan = Plan(experiment, cells, layout, analyses(experiment), bool(game.pieces))
    if experiment.ablate:
        _check_ablation(plan)
    return replace(plan, beginners=_plan_beginners(plan).check()) if experiment.beginners else plan


def load(path: str | Path) -> Experiment:
    """Read and validate an experiment file; raises a UsageError of one line that names the file."""
    keys = read_toml(Path(path))
    try:
        return make_plan(parse(keys, Path(path).parent)).experiment
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from error


def _cells(experiment: Experiment) -> list[Cell]:
    """Return all cells in order, the sweep outside and the lineups inside; checks names and numbers."""
    game, lineups = registry.game(experiment.game), _lineups(experiment)
    if experiment.report is not None:
        look_up("report recipe in key 'report'", experiment.report, registry.recipes())
    check_judged(experiment, game)
    for lineup in lineups:
        game.check_lineup(lineup)
        registry.players(game, lineup)
    _check_stopping(experiment, game, lineups)
    for name in filter(table_files.is_file, experiment.options):
        cure = "name it with --cards FILE or, in an experiment, in [files]"
        raise UsageError(f"{name} is a file, no option: {cure}")
    _check_players(experiment, game, lineups)
    fixed = {name: sweeps.stored_value(game, name, value) for name, value in experiment.options.items()}
    given = [*experiment.options, *(table_files.HEAD + name for name in experiment.files)]
    combinations = sweeps.combinations(game, experiment.sweep, given, len(lineups))
    baseline = sweeps.baseline(game, experiment.baseline, experiment.options, combinations)
    cell_list, play, deals = list[Cell](), 0, experiment.deals
    stride = len(combinations) * sum(len(_turns(experiment, lineup)) for lineup in lineups)
    for place, (varied, lineup) in enumerate(itertools.product(combinations, lineups)):
        seats, options, base = len(lineup), table_files.options_of(game, fixed | varied), varied == baseline
        turns = _turns(experiment, lineup)
        more: dict[str, Any] = {"stride": stride, "baseline": base, "rotation_step": turns.step}
        more |= _judged(experiment, game, seats)
        cell_list.append(
            Cell(place, game.name, seats, options, varied, lineup, len(turns), deals, play, **more)
        )
        play += len(turns)
    played = dict.fromkeys([BASELINE, *(label for cell in cell_list for label in cell.labels)])
    for name in experiment.called:
        look_up("strategy in [called]", name, played)
    return cell_list


def _check_players(experiment: Experiment, game: Game, lineups: list[tuple[Named, ...]]) -> None:
    """Refuse options that do nothing with any number of players of the experiment."""
    needed = {option.name: option.players for option in game.options if option.players}
    swept = (name for key in experiment.sweep for name in table_files.names_of(key))
    for name in needed.keys() & {*experiment.options, *swept}:
        numbers, players = {len(lineup) for lineup in lineups}, needed[name]
        if not numbers & set(players):
            here, only = (" or ".join(map(str, sorted(counts))) for counts in (numbers, set(players)))
            cure = f"say --set players={players[0]}, or leave it out"
            raise UsageError(f"option {name} does nothing with {here} players, only with {only}: {cure}")


def check_judged(experiment: Experiment, game: Game) -> None:
    """Refuse a target or a role that the game does not have, and roles that cannot be moved."""
    together = game.sides
    if experiment.role and together:
        who = "all seats" if game.team else "two sides"
        raise UsageError(f"key 'role': in {game.name} {who} win together: leave it out")
    if experiment.target is not None and not (together or experiment.role):
        why = "is for co-operative games and for two sides"
        cure = "leave it out, or judge a role (key 'role')" if game.roles else "leave it out"
        raise UsageError(f"key 'target' {why}; {game.name} has neither: {cure}")
    if experiment.rotate == "roles" and not game.rotates_roles:
        why = "does not deal its roles by deal_roles" if game.roles else "has no roles"
        raise UsageError(f"rotate roles: {game.name} {why}, so none can be moved: leave it out")


def _judged(experiment: Experiment, game: Game, seats: int) -> dict[str, Any]:
    """Return the keys of a cell that say whose wins are judged; none where every seat is."""
    if experiment.role:
        column, role = game.role_named(experiment.role)
        return {"target": experiment.target or 1 / seats, "role_column": column, "role": role}
    side = game.rival_sides[0].name if game.rival_sides else ""
    return {"target": experiment.target or USUAL_TARGET, "side": side} if game.sides else {}


def _lineups(experiment: Experiment) -> list[tuple[Named, ...]]:
    """Return the lineups of an experiment, those of a round robin last; refuses repeated ones."""
    entries = parse_lineups(experiment.round_robin)
    sweeps.check_many(len(entries) * (len(entries) + 1) // 2)
    pair_up = itertools.combinations_with_replacement if experiment.mirrors else itertools.combinations
    lineups = [*map(parse_lineups, experiment.lineups), *pair_up(entries, 2)]
    if not lineups:
        raise UsageError("no lineup: give key 'lineups', or 'round_robin' with two strategies or more")
    for label, times in Counter(", ".join(map(str, lineup)) for lineup in lineups).items():
        if times > 1:
            raise UsageError(f"lineup '{label}' is given twice")
    return lineups


def _check_stopping(experiment: Experiment, game: Game, lineups: list[tuple[Named, ...]]) -> None:
    """Refuse several stopping rules, and rules for matches or round robins with other lineups."""
    ends, by_cell = experiment.until_elo, experiment.until_verdict or experiment.until_width is not None
    if by_cell + bool(ends) + experiment.until_outclassed > 1:
        rules = "until_elo, until_outclassed, or one or both of until_verdict and until_width"
        raise UsageError(f"a run stops by one rule: give {rules}")
    if experiment.normalized_elo and not ends:
        raise UsageError("key 'normalized_elo': is the scale of until_elo (--elo0, --elo1), which is missing")
    if rule := own_stopping_rule(experiment):
        rule.check(experiment, list(map(labels_of, lineups)), bool(experiment.rotate) and not game.team)


def own_stopping_rule(experiment: Experiment) -> Any:
    """Return the class of the stopping rule that only one kind of question has, if the experiment has one."""
    for key, place in STOPPING_RULES.items():
        if getattr(experiment, key):
            module, _, name = place.partition(":")
            return getattr(import_module(module), name)
    return None


def _check_ablation(plan: Plan) -> None:
    """Refuse components that cannot be changed in some cell, and keys that do not go with [ablate]."""
    keys = plan.experiment
    if keys.kingmaking:
        raise UsageError("key 'kingmaking': games of a run with [ablate] are not played on; leave one out")
    if keys.adaptive:
        raise UsageError("[ablate]: its intervals need a fixed number of deals; leave out until_...")
    for rules in plan.rules_records():
        ablation.check(ablation.ablation_rules(plan.game, rules, keys.ablate, keys.seed), keys.deals)


def _plan_beginners(plan: Plan) -> Plan:
    """Return the plan of the side run: one player errs in a given part of decisions, the others never.

    The rules are those of the baseline (without a baseline, of the first setting). For each number of seats
    all players use the strategy of the first lineup that is not random. A team also plays without errors.
    """
    experiment, setting = plan.experiment, plan.first_setting
    players = {cell.seats: player for cell in reversed(plan.cells) if (player := cell.usual_player)}
    if not players:
        raise UsageError("key 'beginners': random players cannot err; give a lineup of others")
    error_rates = experiment.beginners if not setting.team else [0.0, *experiment.beginners]
    lineups = [
        [str(_with_errors(player, rate)), *[str(player)] * (seats - 1)]
        for seats, player in sorted(players.items())
        for rate in error_rates
    ]
    keys = experiment.model_dump(include={"game", "seed", "target", "role", "keep_going"}, exclude_none=True)
    keys |= {"question": "What are the chances of a player who errs among players who do not?"}
    deals = min(MOST_DEALS, MOST_GAMES // max(players), experiment.deals)
    files = experiment.files_of(setting.varied)
    keys |= {"deals": deals, "lineups": lineups, "files": files, "options": setting.options}
    return make_plan(parse(keys))


def _with_errors(named: Named, error_rate: float) -> Named:
    """Return a strategy with another error rate."""
    weights = {name: text for name, text in named.weights.items() if name != ERR}
    return named._replace(weights=weights | ({ERR: f"{error_rate:g}"} if error_rate else {}))


def _turns(experiment: Experiment, lineup: tuple[Named, ...]) -> range:
    """Return the rotations of a lineup: r % seats moves different strategies, r // seats the roles."""
    seats, of_lineup = len(lineup), bool(experiment.rotate) and len(set(map(str, lineup))) > 1
    of_roles = seats if experiment.rotate == "roles" else 1
    return range(0, seats * of_roles, 1) if of_lineup else range(0, seats * of_roles, seats)


def read_files(experiment: Experiment, varied: Mapping[str, Any] = {}) -> dict[str, Any]:
    """Return the designer's tables of a cell, read by the game's own readers: table -> content."""
    tables, readers = {}, registry.game(experiment.game).components.files
    for name, path in experiment.files_of(varied).items():
        reader = look_up(f"table of {experiment.game} that a file may replace", name, readers)
        tables[name] = reader.read(existing_file(name, path))
    return tables


def existing_file(name: str, path: str) -> Path:
    """Return the path of a designer's file; refuses a path without a file."""
    if not os.path.isfile(path):
        raise UsageError(f"{name} file {path} does not exist")
    return Path(path)


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


def usual_layout(game: Game, strategies: Iterable[Strategy]) -> Layout:
    """Return the default layout of a game: searching strategies and wide logs have more, smaller shards."""
    log = game.state_dtype["log"]
    widest = log["game"].itemsize // game.seats[0] + log["seat"].base.itemsize
    spread = SLOW if any(strategy.searches for strategy in strategies) else QUICK
    return Layout(spread, min(MOST_ROWS, max(1, MOST_BYTES // widest)))


def shards(
    cells: list[Cell], layout: Layout, analyses: list[int], trace: int, pieces: bool = False
) -> list[Shard]:
    """Return all shards of a run; no shard crosses one of the analyses, at which cells may stop."""
    spans = itertools.pairwise([0, *analyses])
    return [shard for span in spans for shard in between_analyses(cells, layout, *span, trace, pieces)]


def between_analyses(
    cells: list[Cell], layout: Layout, low: int, high: int, trace: int, pieces: bool = False
) -> list[Shard]:
    """Return the shards of deals low <= deal < high, by cell; deals below `trace` are traced."""
    going = [cell for cell in cells if cell.deals > low]
    rows = [(min(high, cell.deals) - low) * cell.rotations * cell.seats for cell in going]
    size = layout.size(sum(rows))
    packs, room = list[list[Part]](), 0  # rows that still fit into the last pack
    for cell, count in zip(going, rows, strict=True):
        parts = _cut_deals(cell, low, min(high, cell.deals), -(-count // size), trace)
        if count <= room:
            packs[-1] += parts
        else:
            packs += [[part] for part in parts]
            room = size
        room -= count
    return [Shard(tuple(pack), pieces) for pack in packs]


def _cut_deals(cell: Cell, low: int, high: int, count: int, trace: int) -> list[Part]:
    """Cut deals low <= deal < high of a cell into `count` parts, or one per deal if it has fewer."""
    count = min(count, high - low)
    cuts = itertools.pairwise(low + (high - low) * i // count for i in range(count + 1))
    spans = [(first, max(first, min(last, trace)), last) for first, last in cuts]
    return [Part(cell.index, *span, cell.play_of(span[0])) for span in spans]


def missing_shards(present: Container[str], every: Sequence[Shard]) -> list[Shard]:
    """Return the shards that have a table which is not in `present`."""
    return [shard for shard in every if not all(name in present for name in shard.files)]
