"""Rule sets on the same deals: what is measured, its differences from the baseline, its means by deal."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from simkit.engine.game import SIDE, SIDE_SEATS
from simkit.errors import UsageError, unknown
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.stats.comparisons import difference_p_value, holm, holm_level
from simkit.stats.deals import difference_from_moments
from simkit.tables.course import trace_blocks, traced_games
from simkit.tables.findings import (
    Axis,
    Findings,
    as_text,
    axes,
    cells,
    cells_by,
    finding,
    lineup_words,
    written_value,
)
from simkit.tables.reading import (
    LOG,
    Block,
    SumsRow,
    added_up,
    moment,
    reals,
    sums_of_deals,
    text_columns,
    whole,
)
from simkit.tables.seats import nobody_wins

KEYS = {"play", "cell", "deal", "rotation", "seat", "seats"}  # columns that identify a row, not measures
Bases = Mapping[int, int]  # base cell of each cell to compare
OF_TEAM: dict[str, dict[str, Any]] = {
    "share": {"measure": "team_wins", "seat": None},
    "score": {"seat": None},
}
OF_SEATS = ("fpa", "draw")  # measures that a team does not have
SIDE_WINS = "side_wins"  # share of the first of two sides, or of the role that is judged
PRIMARY: tuple[str, ...] = ("fpa", "team_wins", SIDE_WINS)  # measures of the main outcome of a comparison
TESTED = ("p_adjusted", "confidence")
EFFECT = pl.col("difference").abs() / pl.col("spread")  # in standard deviations, comparable between measures


class Measure(NamedTuple):
    """A number per deal: the mean of an expression over the rows of a table."""

    measure: str  # share, score, draw, turns, decisions, or the request for a log column
    seat: int | None  # None for the games table
    unit: str  # "share", or the name of the measure
    mean: pl.Expr
    bound: float  # the largest possible difference between two rule sets, 0 if unknown
    rows: pl.Expr | None = None  # number of rows behind the mean, where some deals have none

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


def side_wins(side: str) -> Measure:
    """Return the measure for the share of a side, half where nobody wins."""
    games, share = (pl.col("seat") == 0).sum(), pl.col("share") / pl.col(SIDE_SEATS)
    own = (share * (as_text(SIDE) == side)).sum() + (games - share.sum()) / 2
    return Measure(SIDE_WINS, 0, "share", own / games, True)


def judged_wins(cell: Cell) -> Measure:
    """Return the measure for the share of the side or role that is judged."""
    if cell.side:
        return side_wins(cell.side)
    games, share = (pl.col("seat") == 0).sum(), pl.col("share")
    nobody = (games - share.sum()) / games / cell.seats
    return role_share(cell.role_column, cell.role, SIDE_WINS, nobody)


def role_excess(column: str, role: str) -> Measure:
    """Return the measure for what the seats with a role win above the mean of all seats."""
    return role_share(column, role, f"{column} {role}", -pl.col("share").mean())


def role_share(column: str, role: str, name: str = "share", more: float | pl.Expr = 0.0) -> Measure:
    """Return the measure for the share of the seats with a role; `more` is added to it."""
    has_role = as_text(column) == role
    own = pl.col("share").filter(has_role).mean() + more
    return Measure(name, 0, "share", own, True, has_role.sum().cast(pl.Float64))


def shares_won(run: Run, seats: int) -> list[Measure]:
    """Return the share of each of the first seats, or of the side or role that is judged, called share."""
    if run.one_side:
        return [judged_wins(run.cells[0])._replace(measure="share")]
    return usual_measures(seats)[:seats]


def strategy_share(strategy: str) -> Measure:
    """Return the measure for the share of a strategy, by its label, over the seats where it sits."""
    own = pl.col("share").filter(as_text("strategy") == strategy)
    return Measure(f"share of {strategy}", 0, "share", own.mean(), True)  # seat 0: of the seats table


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


def wins(run: Run) -> pl.Expr:
    """Return a filter of the `comparisons` rows on the wins of the first player, team or first side."""
    measure, seat = pl.col("measure"), pl.col("seat")
    if run.one_side:
        return measure == SIDE_WINS
    return measure == "team_wins" if run.team else (measure == "share") & (seat == 0)


def bases(findings: Findings) -> Bases:
    """Return for each cell off the baseline the baseline cell with the same lineup."""
    base = {tuple(cell.labels): cell.index for cell in findings.run.cells if cell.baseline}
    others = [cell for cell in findings.run.cells if not cell.baseline and tuple(cell.labels) in base]
    return {cell.index: base[tuple(cell.labels)] for cell in others}


def measures_to_compare(findings: Findings) -> list[Measure]:
    """Return the measures to compare, each once: the usual ones and the requested columns."""
    run, seats = findings.run, max(cell.seats for cell in findings.run.cells)
    shares = 1 if run.team else seats
    columns = run.manifest.asked_columns
    logged = (measure for name in columns for measure in logged_measures(run, seats, name))
    every, usual = dict[str, Measure](), usual_measures(shares)
    first = [judged_wins(run.cells[0])] if run.one_side else [*usual[:shares], lead()]
    rest = usual_measures(0) if run.one_side else usual[shares:]
    for measure in (*first, *rest, *logged):
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
    rows, deals = block.seats, block.games
    if findings.run.role:  # it may be missing in a deal
        of_role = block.judged.select("cell", "deal")
        rows, deals = (part.join(of_role, on=["cell", "deal"], how="semi") for part in (rows, deals))
    both = paired(deals, base_of, games).drop("deals", "rows")
    return paired(rows, base_of, seats).join(both, on="cell")


def paired(rows: pl.LazyFrame, base_of: Bases, every: list[Measure]) -> pl.LazyFrame:
    """Return `differences` for the measures of one table of the log."""
    names, cells = [measure.name for measure in every], [*base_of, *base_of.values()]
    chosen = rows.filter(pl.col("cell").is_in(cells)).group_by("cell", "deal")
    means = chosen.agg(measure.mean.alias(f"a {measure.name}") for measure in every)
    means = means.drop_nulls([f"a {measure.name}" for measure in every if measure.rows is not None])
    on_base = means.select("deal", *(pl.col(f"a {name}").alias(f"b {name}") for name in names), base="cell")
    base = pl.col("cell").replace_strict(base_of, default=None, return_dtype=pl.Int32)
    both = means.with_columns(base=base, rows=1).join(on_base, on=["base", "deal"])
    gaps = {f"d {name}": pl.col(f"a {name}") - pl.col(f"b {name}") for name in names}
    every_part = [f"{part} {name}" for name in names for part in "abd"]
    return sums_of_deals(both.with_columns(**gaps), ["cell"], every_part)


STORIES = [
    Measure(name, None, unit, pl.col(name).cast(pl.Float64).mean(), bound)
    for name, unit, bound in (("lead_changes", "lead_changes", 0), ("decided", "share", 1))
]


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
    base_of, cell_at = findings.cached(bases), {cell.index: cell for cell in findings.run.cells}
    if not base_of:
        return pl.DataFrame()
    sums = {row["cell"]: row for row in differences(findings).rows(named=True)}
    lost, every = bool(findings.cached(nobody_wins)), findings.cached(measures_to_compare)
    traced = bool(findings.run.experiment.trace) and not findings.run.team
    stories = story_differences(findings).rows(named=True) if traced else []
    rows = [
        {"base": base, "cell": cell} | row
        for base, cell in sorted((base, cell) for cell, base in base_of.items())
        for row in _cell_comparisons(sums[cell], stories, every, cell_at[base], cell_at[cell], lost)
    ]
    kinds = whole("base", "cell", "seat", "deals", "plays") | reals("low", "high", "factor")
    table = pl.DataFrame(rows, schema_overrides=kinds, infer_schema_length=None)
    front = cells(findings).select("cell", "setting", "lineup", "seats")
    return _with_intervals(_add_adjusted_p(front.join(table, on="cell", maintain_order="right"), lost))


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
    if base.side or base.role:
        return rows
    if base.team:
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
    p_value = difference_p_value(gap, d, sums["deals"], measure.bound, plays)
    comparison = {"base_value": base, "value": value, "difference": gap, "low": None, "high": None}
    spread = {"deals": sums["deals"], "factor": None, "variance": d, "spread": math.sqrt((a + b) / 2)}
    inputs = {"own": a + b, "bound": float(measure.bound), "plays": plays}
    return {**front, **comparison, **spread, "p_value": p_value, **inputs}


def _add_adjusted_p(table: pl.DataFrame, lost: bool) -> pl.DataFrame:
    """Add primary, p_adjusted and confidence, adjusted within each family; equivalent rows are one test.

    Equivalent are the advantage, the share of the first player and the last share of two, unless `lost`.
    """
    measure, seat = pl.col("measure"), pl.col("seat")
    first = (seat == 0) | ((pl.col("seats") == 2) & (seat == 1))
    twin = pl.lit(not lost) & (measure == "share") & first
    marked = table.with_row_index("row").with_columns(twin=twin, primary=twin | measure.is_in(PRIMARY))
    tested = []
    for family in marked.filter(~pl.col("twin")).partition_by("primary"):
        p_adjusted = holm(family["p_value"].to_numpy())
        level = pl.lit(holm_level(p_adjusted)).alias("confidence")
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


@finding
def one_step(findings: Findings) -> pl.DataFrame:
    """Per comparison one step of one option away from the baseline: its rows, with `axis` and `step`.

    One step is the next smaller or greater value in the sweep of a whole number, or any other value of a
    choice or flag.
    """
    if not comparisons(findings).width:
        return pl.DataFrame()
    run, swept = findings.run, axes(findings.run)
    base = next(cell for cell in run.cells if cell.baseline)
    steps = [(cell.index, *step) for cell in run.cells if (step := _step(cell, base, swept)) is not None]
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
    before, after = (" / ".join(map(written_value, value)) for value in (old, new))
    return axis.label, f"{axis.label} {before} → {after}"


# Means of measures by deal and setting, for runs whose settings share their deals.


def means_by_deal(run: Run, every: Sequence[Measure]) -> dict[tuple[str, str], np.ndarray]:
    """Return by lineup and measure name the mean of each deal [setting, deal], in the order of the cells.

    Of measures that some deals lack, a deal has R + (y − R n)/n̄, with y the sum over its n rows and R = ȳ/n̄,
    whose mean is R and whose variance is that of the ratio (Cochran 1977, Sampling Techniques, section 2.11).
    Raises UsageError if a measure has no number in some games.
    """
    own_cells = pl.col("cell").is_in([cell.index for cell in run.cells])
    seated = _means(_by_turn(run).filter(own_cells), [m for m in every if m.seat is not None])
    games = _means(run.games().filter(own_cells), [m for m in every if m.seat is None])
    means = seated.join(games, on=["cell", "deal"])
    in_order = means.sort("cell", "deal").collect(engine="streaming")
    values: dict[tuple[str, str], np.ndarray] = {}
    for group in cells_by(run.cells, lambda cell: lineup_words(cell.labels)):
        rows = in_order.filter(pl.col("cell").is_in([cell.index for cell in group]))
        for measure in every:
            own = rows[measure.name].to_numpy().reshape(len(group), -1)
            if measure.rows is not None:
                own = _ratios(own, rows[_rows_name(measure)].to_numpy().reshape(len(group), -1))
            if np.isnan(own).any():
                raise UsageError(f"column {measure.measure}: some games have no number there; choose another")
            values[lineup_words(group[0].labels), measure.name] = own
    return values


def _by_turn(run: Run) -> pl.LazyFrame:
    """Return the seats table with seats counted from the first mover, which an option may change."""
    seats, moves = run.cells[0].seats, run.games().select("play", "first")
    place = (pl.col("seat") - pl.col("first") + seats) % seats
    return run.seats().join(moves, on="play").with_columns(seat=place)


def _means(rows: pl.LazyFrame, chosen: Sequence[Measure]) -> pl.LazyFrame:
    """Return the measures of each cell and deal, and the rows behind those that some deals lack."""
    counts = {_rows_name(measure): measure.rows for measure in chosen if measure.rows is not None}
    means = (measure.mean.alias(measure.name) for measure in chosen)
    return rows.group_by("cell", "deal").agg(*means, **counts)


def _rows_name(measure: Measure) -> str:
    return f"rows of {measure.name}"


def _ratios(means: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return for each deal a number whose mean and variance are those of the ratio of all deals."""
    sums = np.where(rows > 0, np.nan_to_num(means) * rows, 0.0)
    ratio = sums.sum(axis=1, keepdims=True) / rows.sum(axis=1, keepdims=True)
    return np.asarray(ratio + (sums - ratio * rows) / rows.mean(axis=1, keepdims=True))
