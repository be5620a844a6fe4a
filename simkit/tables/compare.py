"""Measures for comparisons: shares, scores, lengths and draws, and any column of the log by name."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.errors import UsageError, unknown
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.stats import comparisons as tests
from simkit.stats.deals import difference_from_moments
from simkit.stats.quantiles import normal
from simkit.tables import findings as findings_tables
from simkit.tables.course import trace_blocks, traced_games
from simkit.tables.findings import Axis, Findings, as_text, axes, cells, finding, typed
from simkit.tables.reading import (
    LOG,
    Block,
    SumsRow,
    added_up,
    moment,
    reals,
    summed,
    sums_of_deals,
    text_columns,
    whole,
)
from simkit.tables.seats import even_deals, first_player_advantage, nobody_wins

KEYS = {"play", "cell", "deal", "rotation", "seat", "seats"}  # columns that identify a row, not measures


class Measure(NamedTuple):
    """A number per deal: the mean of an expression over the rows of a table."""

    measure: str  # share, score, draw, turns, decisions, or the request for a log column
    seat: int | None  # None for the games table
    unit: str  # "share", or the name of the measure
    mean: pl.Expr
    bound: float  # the largest possible difference between two rule sets, 0 if unknown

    @property
    def name(self) -> str:
        """Measure and seat, as a column name."""
        return f"{self.measure} {self.seat}"


def usual_measures(seats: int) -> list[Measure]:
    """Return the standard measures: share and score of each seat, draws, turns and decisions."""
    places = [(name, seat) for name in ("share", "score") for seat in range(seats)]
    rows = [*places, *((name, None) for name in ("draw", "turns", "decisions"))]
    parts = {"share": "share", "draw": "share"}
    return [
        _make_measure(name, seat, parts.get(name, name), pl.col(name), name in parts) for name, seat in rows
    ]


def lead() -> Measure:
    """Return the measure for the share of seat 0 less the fair share, the mean share over all seats."""
    in_seat = pl.col("seat") == 0
    ahead = (pl.col("share") * in_seat).sum() / in_seat.sum() - pl.col("share").mean()
    return Measure("fpa", 0, "share", ahead, True)


def logged_measures(run: Run, seats: int, request: str) -> list[Measure]:
    """Return the measures of a log column: its mean, for each seat where seats differ.

    request: COLUMN, or COLUMN=VALUE for how often the column has the value. Raises UsageError for an unknown
    column, and for names without a value.
    """
    column, equals, value = (part.strip() for part in request.partition("="))
    tables = {"games": run.games(), "seats": run.seats()}
    for table, rows in tables.items():
        kind = rows.collect_schema().get(column)
        if kind is not None and column not in KEYS:
            part = bool(equals) or kind == pl.Boolean
            number = as_text(column) == value if equals else _number(rows, column)
            places = [None] if table == "games" else range(seats)
            return [
                _make_measure(request, seat, "share" if part else column, number, part) for seat in places
            ]
    raise _unknown(column, tables["games"].collect_schema(), tables["seats"].collect_schema())


def check_column(request: str, columns: Mapping[str, Iterable[str]]) -> None:
    """Raise UsageError if no table of the log would have the requested column; columns: by table."""
    column = request.partition("=")[0].strip()
    if column in KEYS or not any(column in columns[table] for table in ("games", "seats")):
        raise _unknown(column, columns["games"], columns["seats"])


def _unknown(column: str, *tables: Iterable[str]) -> UsageError:
    return unknown("column of the log", column, set().union(*tables) - KEYS)


def _make_measure(name: str, seat: int | None, unit: str, value: pl.Expr, bound: float) -> Measure:
    number = value.cast(pl.Float64)
    if seat is None:
        return Measure(name, seat, unit, number.mean(), bound)
    in_seat = pl.col("seat") == seat
    return Measure(name, seat, unit, (number * in_seat).sum() / in_seat.sum(), bound)


def _number(rows: pl.LazyFrame, column: str) -> pl.Expr:
    kind = rows.collect_schema()[column]
    if kind.is_numeric() or kind == pl.Boolean:
        return pl.col(column)
    values = rows.select(as_text(column).unique()).collect(engine="streaming").to_series().sort().to_list()
    advice = f"say which to count: {column}={values[0]} (in this run: {', '.join(map(str, values))})"
    raise UsageError(f"column {column} holds names; {advice}")


# Comparisons of rule sets on the same deals: paired differences, and the variance reduction by pairing.

Bases = Mapping[int, int]  # base cell of each cell to compare
OF_TEAM: dict[str, dict[str, Any]] = {
    "share": {"measure": "team_wins", "seat": None},
    "score": {"seat": None},
}
OF_SEATS = ("fpa", "draw")  # measures that a team does not have
PRIMARY: tuple[str, ...] = ("fpa", "team_wins")  # measures of the main outcome of a comparison
TESTED = ("p_adjusted", "confidence")
STORIES = [
    Measure(name, None, unit, pl.col(name).cast(pl.Float64).mean(), bound)
    for name, unit, bound in (("lead_changes", "lead_changes", 0), ("decided", "share", 1))
]
EFFECT = pl.col("difference").abs() / pl.col("spread")  # in standard deviations, comparable between measures


def wins(run: Run) -> pl.Expr:
    """Return a filter of the `comparisons` rows on the win share of the first player or the team."""
    measure, seat = pl.col("measure"), pl.col("seat")
    return measure == "team_wins" if run.team else (measure == "share") & (seat == 0)


def bases(findings: Findings) -> Bases:
    """Return for each cell off the baseline the baseline cell with the same lineup."""
    base = {tuple(cell.labels): cell.index for cell in findings.run.cells if cell.baseline}
    others = [cell for cell in findings.run.cells if not cell.baseline and tuple(cell.labels) in base]
    return {cell.index: base[tuple(cell.labels)] for cell in others}


def measures_to_compare(findings: Findings) -> list[Measure]:
    """Return the measures to compare, each once: the usual ones and the requested columns."""
    run, seats = findings.run, max(cell.seats for cell in findings.run.cells)
    sides = 1 if run.team else seats
    columns = run.manifest.asked_columns
    logged = (measure for name in columns for measure in logged_measures(run, seats, name))
    every = dict[str, Measure]()
    usual = usual_measures(sides)
    for measure in (*usual[:sides], lead(), *usual[sides:], *logged):
        every.setdefault(measure.name, measure)
    return list(every.values())


@LOG("cell")
def differences(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum each measure over the deals common to a cell and its base: a (cell), b (base) and d = a − b."""
    base_of, every = findings.cached(bases), findings.cached(measures_to_compare)
    if not base_of:
        return None
    seats = [measure for measure in every if measure.seat is not None]
    games = [measure for measure in every if measure.seat is None]
    both = paired(block.games, base_of, games).drop("deals", "rows")
    return paired(block.seats, base_of, seats).join(both, on="cell")


def paired(rows: pl.LazyFrame, base_of: Bases, every: list[Measure]) -> pl.LazyFrame:
    """Return `differences` for the measures of one table of the log."""
    names, cells = [measure.name for measure in every], [*base_of, *base_of.values()]
    chosen = rows.filter(pl.col("cell").is_in(cells)).group_by("cell", "deal")
    means = chosen.agg(measure.mean.alias(f"a {measure.name}") for measure in every)
    on_base = means.select("deal", *(pl.col(f"a {name}").alias(f"b {name}") for name in names), base="cell")
    base = pl.col("cell").replace_strict(base_of, default=None, return_dtype=pl.Int32)
    both = means.with_columns(base=base, rows=1).join(on_base, on=["base", "deal"])
    gaps = {f"d {name}": pl.col(f"a {name}") - pl.col(f"b {name}") for name in names}
    every_part = [f"{part} {name}" for name in names for part in "abd"]
    return sums_of_deals(both.with_columns(**gaps), ["cell"], every_part)


def story_differences(findings: Findings) -> pl.DataFrame:
    """Return the sums of `differences` over the traced deals, by cell and measure of STORIES."""

    def part(_: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
        games, base_of = traced_games(standings), findings.cached(bases)
        named = {measure.measure: measure for measure in STORIES}
        parts = [paired(games.drop_nulls(name), base_of, [measure]) for name, measure in named.items()]
        tables = (table.with_columns(measure=pl.lit(name)) for name, table in zip(named, parts, strict=True))
        return pl.concat(tables, how="diagonal")

    return added_up(findings, {part: ["cell", "measure"]}, trace_blocks(findings.run))[part]


@finding
def comparisons(findings: Findings) -> pl.DataFrame:
    """Per rule set and lineup: paired comparison with the baseline on common deals; empty without a baseline.

    measure: share, fpa, score, draw, turns, decisions, or a column requested on the command line; in traced
    deals lead_changes and decided (`traced_games`); for a co-operative game team_wins in place of share, fpa,
    draw and those of the trace. seat: null for the game or the team;
    difference: value − base_value; factor: variance on independent deals ÷ variance on common deals;
    variance: of the difference; spread: standard deviation of single deals under one of the two rule sets.

    primary: rows about the main outcome of a comparison, the first-player advantage (for a team its wins),
    and the shares where they are equivalent to it because every game has a winner. p_adjusted: Holm's
    adjustment over the primary measure of all cells, and separately over all other rows. low, high: at the
    level `confidence` of the family (`stats.comparisons.holm_level`), so that an interval excludes 0 exactly
    where p_adjusted is below 0.05.
    """
    base_of, cells = findings.cached(bases), {cell.index: cell for cell in findings.run.cells}
    if not base_of:
        return pl.DataFrame()
    sums = {row["cell"]: row for row in differences(findings).rows(named=True)}
    lost, every = bool(findings.cached(nobody_wins)), findings.cached(measures_to_compare)
    traced = bool(findings.run.experiment.trace) and not findings.run.team
    stories = story_differences(findings).rows(named=True) if traced else []
    rows = [
        {"base": base, "cell": cell} | row
        for base, cell in sorted((base, cell) for cell, base in base_of.items())
        for row in _cell_comparisons(sums[cell], stories, every, cells[base], cells[cell], lost)
    ]
    kinds = whole("base", "cell", "seat", "deals", "plays") | reals("low", "high", "factor")
    table = pl.DataFrame(rows, schema_overrides=kinds, infer_schema_length=None)
    front = findings_tables.cells(findings).select("cell", "setting", "lineup", "seats")
    return _with_intervals(_adjusted(front.join(table, on="cell", maintain_order="right"), lost))


def _cell_comparisons(
    sums: SumsRow, stories: Sequence[SumsRow], every: list[Measure], base: Cell, other: Cell, lost: bool
) -> list[dict[str, Any]]:
    """Return the comparisons of one cell.

    The difference in advantage is that of the first share, unless nobody won some games of the run (`lost`).
    """
    plays, seats = min(base.rotations, other.rotations), base.seats
    rows = [
        _comparison_row(measure, sums, plays)
        for measure in every
        if measure.seat is None or measure.seat < seats
    ]
    if base.target is not None:
        return [row | OF_TEAM.get(row["measure"], {}) for row in rows if row["measure"] not in OF_SEATS]
    if not lost:
        less = {key: rows[0][key] - base.fair for key in ("base_value", "value")}
        rows[seats] = rows[0] | {"measure": "fpa"} | less
    own = {row["measure"]: row for row in stories if row["cell"] == other.index}
    traced = [measure for measure in STORIES if measure.measure in own]
    return rows + [_comparison_row(measure, own[measure.measure], plays) for measure in traced]


def _comparison_row(measure: Measure, sums: SumsRow, plays: int) -> dict[str, Any]:
    """Return the paired comparison of one measure, without its interval."""
    (value, a), (base, b), (gap, d) = (moment(sums, f"{part} {measure.name}") for part in "abd")
    front = {"measure": measure.measure, "seat": measure.seat, "unit": measure.unit}
    p_value = tests.difference_p_value(gap, d, sums["deals"], measure.bound, plays)
    comparison = {"base_value": base, "value": value, "difference": gap, "low": None, "high": None}
    spread = {"deals": sums["deals"], "factor": None, "variance": d, "spread": math.sqrt((a + b) / 2)}
    inputs = {"own": a + b, "bound": float(measure.bound), "plays": plays}
    return {**front, **comparison, **spread, "p_value": p_value, **inputs}


def _adjusted(table: pl.DataFrame, lost: bool) -> pl.DataFrame:
    """Add primary, p_adjusted and confidence, adjusted within each family; equivalent rows are one test.

    Equivalent are the advantage, the share of the first player and the last share of two, unless `lost`.
    """
    measure, seat = pl.col("measure"), pl.col("seat")
    first = (seat == 0) | ((pl.col("seats") == 2) & (seat == 1))
    twin = pl.lit(not lost) & (measure == "share") & first
    marked = table.with_row_index("row").with_columns(twin=twin, primary=twin | measure.is_in(PRIMARY))
    tested = []
    for family in marked.filter(~pl.col("twin")).partition_by("primary"):
        p_adjusted = tests.holm(family["p_value"].to_numpy())
        level = pl.lit(tests.holm_level(p_adjusted)).alias("confidence")
        tested.append(family.select("row", level, p_adjusted=pl.Series(p_adjusted)))
    joined = marked.join(pl.concat(tested), on="row", how="left", maintain_order="left")
    alike = [pl.col(name).fill_null(pl.col(name).max().over("cell", "primary")) for name in TESTED]
    return joined.with_columns(alike).drop("row", "twin")


def _with_intervals(table: pl.DataFrame) -> pl.DataFrame:
    """Add low and high at the level `confidence`, and factor; drop the columns behind them."""
    moments = table.select("difference", "variance", "own", "deals", "bound", "confidence", "plays").rows()
    ends = [(each.low, each.high, each.factor) for each in (difference_from_moments(*row) for row in moments)]
    new = pl.DataFrame(ends, schema=reals("low", "high", "factor"), orient="row")
    return table.with_columns(new).drop("own", "bound", "plays")


def same_share(findings: Findings, base: int, other: int) -> float:
    """Return the p-value, over common deals, for the first player winning equally often in two cells."""
    share = usual_measures(1)[0]
    plays = min(cell.rotations for cell in findings.only([base, other]).run.cells)
    row = summed(
        findings, [base, other], ["cell"], lambda _, block: paired(block.seats, {other: base}, [share])
    )
    sums = row.row(0, named=True)
    return tests.difference_p_value(*moment(sums, f"d {share.name}"), sums["deals"], share.bound, plays)


@finding
def one_step(findings: Findings) -> pl.DataFrame:
    """Per comparison one step of one option away from the baseline: its rows, with `axis` and `step`.

    One step is the next smaller or greater value in the sweep of a whole number, or any other value of a
    choice or flag.
    """
    if not comparisons(findings).width:
        return pl.DataFrame()
    cells, swept = findings.run.cells, axes(findings.run)
    base = next(cell for cell in cells if cell.baseline)
    steps = [(cell.index, *step) for cell in cells if (step := _step(cell, base, swept)) is not None]
    taken = pl.DataFrame(steps, schema=whole("cell") | text_columns("axis", "step"), orient="row")
    return comparisons(findings).join(taken, on="cell", maintain_order="left")


def _step(cell: Cell, base: Cell, sweep: list[Axis]) -> tuple[str, str] | None:
    """Return the option and the step in words if a cell is one step from the baseline, else None."""
    moved = [axis for axis in sweep if any(cell.varied[name] != base.varied[name] for name in axis.options)]
    if len(moved) != 1:
        return None
    (axis,) = moved
    old, new = (tuple(end.varied[name] for name in axis.options) for end in (base, cell))
    if axis.whole_numbers and len(axis.options) == 1:
        ordered = sorted(axis.values)
        if abs(ordered.index(new) - ordered.index(old)) > 1:
            return None
    before, after = (" / ".join(map(typed, value)) for value in (old, new))
    return axis.label, f"{axis.label} {before} → {after}"


# Cells that answer the question of a run: the baseline, and the setting closest to fair.

NEAREST_LEVEL = 0.95
# Distance from fair of the farthest seat. It ranks settings, so it is rounded: the last digits of a mean
# depend on the order in which threads add up.
OFF_FAIR = (pl.col("farthest_share") - pl.col("fair")).abs().round(12)


def _won(first: pl.DataFrame) -> pl.DataFrame:
    """Return the cells in which games are won at all, if every lineup has such cells; else all cells."""
    winnable = first.filter(pl.col("fair") > 0)
    return winnable if winnable["lineup"].n_unique() == first["lineup"].n_unique() else first


@finding
def answered(findings: Findings) -> pl.DataFrame:
    """Per lineup: the cells of the baseline, else the cell farthest from fair, the farthest first.

    Rows of `first_player_advantage`, and chosen: whether the cell was selected from several settings.
    """
    first = first_player_advantage(findings)
    if first["baseline"].any():
        return first.filter("baseline").with_columns(chosen=False)
    farthest = first.sort(OFF_FAIR, descending=True, maintain_order=True)
    one_each = farthest.unique("lineup", keep="first", maintain_order=True)
    return one_each.with_columns(chosen=first["setting"].n_unique() > 1)


@finding
def nearest(findings: Findings) -> pl.DataFrame:
    """Per lineup: `first_player_advantage` at the setting where all seats are closest to their fair share."""
    ordered = _won(first_player_advantage(findings)).sort(OFF_FAIR, maintain_order=True)
    return ordered.unique("lineup", keep="first", maintain_order=True).sort("cell")


@finding
def settings(findings: Findings) -> pl.DataFrame:
    """Per setting that all lineups played: distance from fair of the worst lineup, closest to fair first.

    off: for the worst lineup; least, most: share less fair, over the lineups; close: whether the games do not
    distinguish it from the first (as if on independent deals; Bonferroni).
    """
    return ranked(_won(first_player_advantage(findings)))


def ranked(first: pl.DataFrame) -> pl.DataFrame:
    """Return `settings` of the given rows of `first_player_advantage`."""
    gain = pl.col("share") - pl.col("fair")
    wider = normal(1 - (1 - NEAREST_LEVEL) / max(1, first["setting"].n_unique() - 1)) / normal(NEAREST_LEVEL)
    noise = ((pl.col("high") - pl.col("low")) / 2).max() * math.sqrt(2) * wider
    columns = {
        "off": OFF_FAIR.max(),
        "least": gain.min(),
        "most": gain.max(),
        "noise": noise,
        "lineups": pl.len(),
    }
    each = first.group_by("setting", maintain_order=True).agg(pl.col("baseline").any(), **columns)
    played = each.filter(pl.col("lineups") == first["lineup"].n_unique()).sort("off", maintain_order=True)
    close = pl.col("off") < (pl.col("off") + pl.col("noise")).first()
    return played.with_columns(close=close).drop("noise", "lineups")


@finding
def lineups_apart(findings: Findings) -> pl.DataFrame:
    """Per setting that is closest to fair for a lineup: whether lineups differ beyond luck, deal by deal.

    base, cell: the lineups with the smallest and the greatest share; p_adjusted: Bonferroni over the pairs of
    lineups and all settings. Empty where one setting is closest for all, or numbers of seats differ.
    """
    best, first = nearest(findings), first_player_advantage(findings)
    tests = first["setting"].n_unique() * math.comb(best.height, 2)
    settings, rows = best["setting"].unique(maintain_order=True), []
    for setting in settings if len(settings) > 1 and best["fair"].n_unique() == 1 else ():
        cells = first.filter(setting=setting).sort("share", maintain_order=True)["cell"]
        p_value = same_share(findings, cells[0], cells[-1])
        rows.append((setting, cells[0], cells[-1], p_value, min(1.0, p_value * tests)))
    kinds = text_columns("setting") | whole("base", "cell") | reals("p_value", "p_adjusted")
    return pl.DataFrame(rows, schema=kinds, orient="row")


# Ranking of rule sets by distance from fair, and paired tests of which are closer, deal by deal.

Pair = tuple[Cell, Cell]  # a cell, and the cell with the same lineup to compare with
RULES_KEY = ["setting", "lineup", "cell"]


@finding
def rule_sets(findings: Findings) -> pl.DataFrame:
    """Per rule set that all lineups played: `settings`, those that nobody wins included; the best first.

    rank: from 1.
    """
    return ranked(first_player_advantage(findings)).drop("close").with_row_index("rank", 1)


@finding
def rules_nearer(findings: Findings) -> pl.DataFrame:
    """Per lineup and pair of rule sets: test on common deals of which one is closer to fair.

    cell, than: the closer and the farther one, of a rule set and the baseline; p_value: for such a result if
    it is not closer; p_adjusted: Holm's adjustment over the rows of a table size, times the number of sizes.
    Formula: with b and a the signed distances from fair of the worst player in `than` and of any in `cell`:
    the greater p-value of b - a = 0 and b + a = 0. Source: Berger 1982, Technometrics 24, 295-300
    (intersection-union).
    """
    if len(sizes := findings.by_size()) > 1:
        tables = [rules_nearer(part) for _, part in sizes]
        return pl.concat([table for table in tables if table.width] or tables)
    pairs = _rule_pairs(findings)
    if not pairs:
        return pl.DataFrame()
    sums = {(row["cell"], row["than"]): row for row in _sums(findings, pairs).rows(named=True)}
    rows = []
    for cell, than in pairs:
        closer, farther = _p_values(sums[cell.index, than.index], cell, than)
        order = (than, cell) if farther < closer else (cell, than)
        rows.append((*(side.index for side in order), min(closer, farther)))
    table = pl.DataFrame(rows, schema=whole("cell", "than") | reals("p_value"), orient="row")
    count = cells(findings.whole or findings)["seats"].n_unique()
    adjusted = pl.Series("p_adjusted", (count * tests.holm(table["p_value"].to_numpy())).clip(max=1.0))
    front = cells(findings).select("cell", "setting", "lineup").cast({"cell": pl.Int64})
    return front.join(table.with_columns(adjusted), on="cell", how="right", maintain_order="right")


def _rule_pairs(findings: Findings) -> list[Pair]:
    """Return the pairs to test, by lineup: each rule set and the baseline."""
    ranked = rule_sets(findings)["setting"].to_list()
    first, cells = first_player_advantage(findings), {cell.index: cell for cell in findings.run.cells}
    base = next(iter(first.filter("baseline")["setting"]), None)
    wanted = [(setting, base) for setting in ranked if base and setting != base]
    cell_at = {
        (setting, lineup): cells[cell] for setting, lineup, cell in first.select(RULES_KEY).iter_rows()
    }
    lineups = first["lineup"].unique(maintain_order=True)
    return [
        (cell_at[setting, lineup], cell_at[than, lineup]) for setting, than in wanted for lineup in lineups
    ]


def _seats(cell: Cell) -> range:
    """Return the seats whose shares determine all others: one of two, any of a team."""
    return range(1 if cell.target is not None or cell.seats == 2 else cell.seats)


def _sums(findings: Findings, pairs: list[Pair]) -> pl.DataFrame:
    """Sum over the common deals of each pair the sums and differences of the shares of each two seats.

    Games that nobody won are shared by all seats, so that 1 / seats is fair in both cells.
    """
    seats = range(max(len(_seats(cell)) for cell, _ in pairs))
    lost = bool(findings.cached(nobody_wins))
    indices = [(cell.index, than.index) for cell, than in pairs]
    every = pl.LazyFrame(indices, schema={"cell": pl.Int32, "than": pl.Int32}, orient="row")

    def of_block(_: Findings, block: Block) -> pl.LazyFrame:
        """Return the sums of one block of deals."""
        deals = even_deals(block.deals) if lost else block.deals
        shares = {f"{seat}": pl.col("share").filter(pl.col("seat") == seat).first() for seat in seats}
        wide = deals.group_by("cell", "deal").agg(**shares)
        other = wide.rename({f"{seat}": f"than {seat}" for seat in seats} | {"cell": "than"})
        both = every.join(wide, on="cell").join(other, on=["than", "deal"])
        columns = {}
        for b, a in itertools.product(seats, repeat=2):
            columns[f"less {b} {a}"] = pl.col(f"than {b}") - pl.col(f"{a}")
            columns[f"more {b} {a}"] = pl.col(f"than {b}") + pl.col(f"{a}")
        single_deals = both.select("cell", "than", "deal", rows=pl.lit(1), **columns)
        return sums_of_deals(single_deals, ["cell", "than"], list(columns))

    return summed(findings, [index for pair in indices for index in pair], ["cell", "than"], of_block)


def _p_values(row: SumsRow, cell: Cell, than: Cell) -> tuple[float, float]:
    """Return the p-values for `cell` being closer to fair than `than`, and for it being farther.

    b, a: signed distances from fair of a seat in `than` and in `cell`; b is the greater one where b - a and
    b + a have the same sign.
    """
    seats, plays = _seats(cell), min(cell.rotations, than.rotations)
    closer, farther = np.ones((2, len(seats), len(seats)))  # [seat in than, seat in cell]
    for at in itertools.product(seats, repeat=2):
        less, less_variance = moment(row, "less {} {}".format(*at))
        more, more_variance = moment(row, "more {} {}".format(*at))
        less, more = less - (than.fair - cell.fair), more - (than.fair + cell.fair)
        of_less = tests.difference_p_value(less, less_variance, row["deals"], 1.0, plays)
        of_more = tests.difference_p_value(more, more_variance, row["deals"], 1.0, plays)
        if less * more != 0:
            (closer if less * more > 0 else farther)[at] = max(of_less, of_more)
    chances = closer.max(axis=1).min(), farther.max(axis=0).min()
    return min(1.0, len(seats) * float(chances[0])), min(1.0, len(seats) * float(chances[1]))
