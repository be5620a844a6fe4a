"""Ranking of rule sets by distance from fair, and paired tests of which are closer, deal by deal."""

import itertools

import polars as pl

from simkit.analysis.deals import Row, moment, reals, sums_of_deals, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block, Sums, added_up, log_blocks
from simkit.analysis.seats import even_deals, nobody_wins
from simkit.runs.experiment import Cell
from simkit.stats import comparisons as tests

Pairs = list[tuple[int, int]]  # a cell, and the cell with the same lineup to compare with
FARTHEST = (pl.col("farthest_share") - pl.col("fair")).abs()


@finding
def rule_sets(findings: Findings) -> pl.DataFrame:
    """Per rule set that all lineups played: `off`, distance from fair of its worst player; the best first.

    rank: from 1; least, most: share of the first player (of the team) less the fair share, over the lineups.
    """
    first, gain = findings.first_player_advantage, pl.col("share") - pl.col("fair")
    off = gain.abs() if findings.run.team else FARTHEST
    ends = {"least": gain.min(), "most": gain.max(), "lineups": pl.col("lineup").n_unique()}
    baseline = pl.col("baseline").any()
    each = first.group_by("setting", maintain_order=True).agg(baseline, off=off.max(), **ends)
    played = each.filter(pl.col("lineups") == each["lineups"].max()).drop("lineups")
    return played.sort("off", maintain_order=True).with_row_index("rank", 1)


@finding
def rules_nearer(findings: Findings) -> pl.DataFrame:
    """Per lineup and pair of rule sets: test on common deals of which one is closer to fair.

    cell, than: the closer and the farther one, of a rule set and the baseline, and of the best and the next
    best; p_value: for such a result if it is not closer; p_adjusted: Holm's adjustment, over all rows.
    Formula: with b and a the signed distances from fair of the worst player in `than` and of any in `cell`:
    the greater p-value of b - a = 0 and b + a = 0. Source: Berger 1982, Technometrics 24, 295-300
    (intersection-union).
    """
    pairs = _pairs(findings)
    if not pairs:
        return pl.DataFrame()
    cells, sums = {cell.index: cell for cell in findings.run.cells}, _sums(findings, pairs)
    rows = []
    for cell, than in dict.fromkeys(pairs):
        row = sums.row(by_predicate=(pl.col("cell") == cell) & (pl.col("than") == than), named=True)
        chances = [(_chance(row, *pair, flip), flip) for pair, flip in _ways(cells[cell], cells[than])]
        p_value, flip = min(chances)
        rows.append((*((than, cell) if flip else (cell, than)), p_value))
    table = pl.DataFrame(rows, schema=whole("cell", "than") | reals("p_value"), orient="row")
    adjusted = pl.Series("p_adjusted", tests.holm(table["p_value"].to_numpy()))
    front = findings.cells.select("cell", "setting", "lineup").cast({"cell": pl.Int64})
    return front.join(table.with_columns(adjusted), on="cell", how="right", maintain_order="right")


def _pairs(findings: Findings) -> Pairs:
    """Return the pairs to test, by lineup: each rule set and the baseline, the best and the next best."""
    ranked = findings.rule_sets["setting"].to_list()
    first = findings.first_player_advantage.select(
        pl.col("cell").cast(pl.Int64), "setting", "lineup", "baseline"
    )
    base = first.filter("baseline")["setting"].unique().to_list()
    wanted = [(setting, base[0]) for setting in ranked if base and setting != base[0]]
    wanted += [(ranked[0], ranked[1])] if len(ranked) > 1 else []
    cell = {(row["setting"], row["lineup"]): row["cell"] for row in first.rows(named=True)}
    lineups = first["lineup"].unique(maintain_order=True)
    pairs = [(cell[setting, lineup], cell[than, lineup]) for setting, than in wanted for lineup in lineups]
    return [pair for place, pair in enumerate(pairs) if not {pair, pair[::-1]} & set(pairs[:place])]


def _seats(cell: Cell) -> range:
    """Return the seats whose shares determine all others: one of two, any of a team."""
    return range(1 if cell.target is not None or cell.seats == 2 else cell.seats)


def _sums(findings: Findings, pairs: Pairs) -> pl.DataFrame:
    """Sum over the common deals of each pair the sums and differences of the shares of each two seats.

    Games that nobody won are shared by all seats, so that 1 / seats is fair in both cells.
    """
    cells = {cell.index: cell for cell in findings.run.cells}
    seats = max(len(_seats(cells[cell])) for cell, _ in pairs)
    lost = bool(findings.cached(nobody_wins))
    every = pl.DataFrame(pairs, schema={"cell": pl.Int32, "than": pl.Int32}, orient="row").lazy()

    def of_block(_: Findings, block: Block) -> pl.LazyFrame:
        """Return the sums of one block of deals."""
        shares = [
            pl.col("share").filter(pl.col("seat") == seat).first().alias(f"{seat}") for seat in range(seats)
        ]
        deals = even_deals(block.deals) if lost else block.deals
        wide = deals.group_by("cell", "deal").agg(shares)
        other = wide.rename({f"{seat}": f"than {seat}" for seat in range(seats)} | {"cell": "than"})
        both = every.join(wide, on="cell").join(other, on=["than", "deal"])
        columns = {}
        for b, a in itertools.product(range(seats), repeat=2):
            columns[f"less {b} {a}"] = pl.col(f"than {b}") - pl.col(f"{a}")
            columns[f"more {b} {a}"] = pl.col(f"than {b}") + pl.col(f"{a}")
        one_each = both.select("cell", "than", "deal", rows=pl.lit(1), **columns)
        return sums_of_deals(one_each, ["cell", "than"], list(columns))

    part = findings.only(sorted({cell for pair in pairs for cell in pair}))
    sums = Sums(LOG, ["cell", "than"], of_block)
    return added_up(part, [sums], log_blocks(part.run))[sums]


def _ways(cell: Cell, than: Cell) -> list[tuple[tuple[Cell, Cell], bool]]:
    """Return the two directions of the test: the cell is the closer one, or the farther one."""
    return [((cell, than), False), ((cell, than), True)]


def _chance(row: Row, cell: Cell, than: Cell, flip: bool) -> float:
    """Return the p-value for the first of two cells being closer to fair than the second; `flip`: farther."""
    seats = _seats(cell)
    p_values = [max(_pair(row, cell, than, far, near, flip) for near in seats) for far in seats]
    return min(1.0, len(seats) * min(p_values))


def _pair(row: Row, cell: Cell, than: Cell, far: int, near: int, flip: bool) -> float:
    """Return the p-value for a seat of the farther cell being farther off than a seat of the closer cell."""
    which = f"{near} {far}" if flip else f"{far} {near}"
    plays, p_values, means = min(cell.rotations, than.rotations), [], []
    for name, fair in ((f"less {which}", than.fair - cell.fair), (f"more {which}", than.fair + cell.fair)):
        mean, variance = moment(row, name)
        means.append((mean - fair) * (-1 if flip and name.startswith("less") else 1))
        p_values.append(tests.difference_p_value(mean - fair, variance, row["deals"], 1.0, plays))
    return max(p_values) if means[0] * means[1] > 0 else 1.0
