"""Ranking of rule sets by distance from fair, and paired tests of which are closer, deal by deal."""

import itertools

import numpy as np
import polars as pl

from simkit.analysis.deals import SumsRow, moment, reals, sums_of_deals, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.nearest import ranked
from simkit.analysis.reading import Block, summed
from simkit.analysis.seats import even_deals, nobody_wins
from simkit.runs.plan import Cell
from simkit.stats import comparisons as tests

Pair = tuple[Cell, Cell]  # a cell, and the cell with the same lineup to compare with
RULES_KEY = ["setting", "lineup", "cell"]


@finding
def rule_sets(findings: Findings) -> pl.DataFrame:
    """Per rule set that all lineups played: `settings`, those that nobody wins included; the best first.

    rank: from 1.
    """
    return ranked(findings.first_player_advantage).drop("close").with_row_index("rank", 1)


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
        tables = [part.rules_nearer for _, part in sizes]
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
    count = (findings.whole or findings).cells["seats"].n_unique()
    adjusted = pl.Series("p_adjusted", (count * tests.holm(table["p_value"].to_numpy())).clip(max=1.0))
    front = findings.cells.select("cell", "setting", "lineup").cast({"cell": pl.Int64})
    return front.join(table.with_columns(adjusted), on="cell", how="right", maintain_order="right")


def _rule_pairs(findings: Findings) -> list[Pair]:
    """Return the pairs to test, by lineup: each rule set and the baseline."""
    ranked = findings.rule_sets["setting"].to_list()
    first, cells = findings.first_player_advantage, {cell.index: cell for cell in findings.run.cells}
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
