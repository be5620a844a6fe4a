"""Effects of components, from a run in which one coin per component decided whether to change it.

The coins (`engine.ablation`) decide nothing else, so the difference between the two sides of a coin is an
effect of the change, whereas the tables of components and pieces show associations with winning only. The
unit is the block of deals with the same coins; formulas and sources: `simkit.stats.coins`.
"""

from typing import Any

import numpy as np
import polars as pl

from simkit.analysis.deals import COUNT, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.analysis.table import text
from simkit.engine.ablation import BLOCK, coins
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.stats.coins import Effects, false_discoveries, main_effects

OF_BLOCK = (pl.col("deal") // BLOCK).alias("block")
BLOCKS = [pl.col("cell").cast(pl.Int64), OF_BLOCK]
SHARE, TURNS, STRATEGY = "share", "turns", "strategy"  # measures
Columns = dict[str, Any]


def parts_of(run: Run, cell: int) -> list[str]:
    """Return the labels of the components that were changed in a cell."""
    study = run.words.ablation
    return [part.label for part in study.parts if not part.cells or cell in part.cells] if study else []


def thrown(run: Run, cell: int, blocks: np.ndarray) -> np.ndarray:
    """Return the coins of blocks of deals, bool[block, component]; true where the component was changed."""
    study = run.words.ablation
    return coins(run.experiment.seed, blocks, parts_of(run, cell), study.rate if study else 0.0)


def strategies_of(cell: Cell) -> list[str]:
    """Return the strategies of a cell whose shares are analysed.

    No strategy of a mirror or a team, the first of two (the other share follows), else all.
    """
    names = list(dict.fromkeys(cell.labels))
    return [] if len(names) == 1 or cell.target is not None else names[:1] if len(names) == 2 else names


@LOG("cell", "block")
def block_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum per block the games, their turns, and the shares won by seat 0."""
    if findings.run.words.ablation is None:
        return None
    games = block.games.group_by(BLOCKS).agg(games=COUNT, turns=pl.col("turns").cast(pl.Float64).sum())
    first = block.seats.filter(pl.col("seat") == 0).group_by(BLOCKS).agg(share=pl.col("share").sum())
    return pl.concat([games, first], how="diagonal")


@LOG("cell", "block", "strategy")
def strategy_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum per block the seats of each strategy, and the shares that they won."""
    if findings.run.words.ablation is None:
        return None
    return block.seats.group_by(*BLOCKS, text("strategy")).agg(seats=COUNT, share=pl.col("share").sum())


@finding
def ablation(findings: Findings) -> pl.DataFrame:
    """Per cell, measure and component: effect of changing the component; only for runs with `ablate`.

    measure: share (of the first player, or of a team), turns (of a game), strategy (share of `strategy`).
    mean: over all games; changed: deals in which the component was changed; effect: mean with the component
    changed less as printed, averaged over the coins of the other components; low, high: 95 % interval;
    joint_low, joint_high: interval among all components, which excludes 0 where p_adjusted is below 0.05
    (`simkit.stats.coins.false_coverage`); p_adjusted: false discovery rate among the components of this
    measure and cell (Benjamini and Hochberg). Sorted by significance, then by absolute effect.
    """
    if findings.run.words.ablation is None:
        return pl.DataFrame()
    tables = [_effects(findings, cell) for cell in findings.run.cells if parts_of(findings.run, cell.index)]
    return findings.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _effects(findings: Findings, cell: Cell) -> pl.DataFrame:
    """Return the rows of `ablation` for one cell."""
    sums = block_sums(findings).filter(cell=cell.index)
    flips, games = thrown(findings.run, cell.index, sums["block"].to_numpy()), sums["games"]
    measures: list[tuple[str, str | None, pl.Series, pl.Series]]
    measures = [(SHARE, None, sums["share"], games), (TURNS, None, sums["turns"], games)]
    for name in strategies_of(cell):
        own = strategy_sums(findings).filter(cell=cell.index, strategy=name)
        measures.append((STRATEGY, name, own["share"], own["seats"]))
    changed = flips.T.astype(np.int64) @ (games // cell.rotations).to_numpy()
    tables = []
    for measure, strategy, total, counts in measures:
        effects = main_effects(flips, (total / counts).to_numpy(), counts.to_numpy())
        front: Columns = {"cell": cell.index, "measure": measure, "strategy": strategy}
        own_columns: Columns = {"component": parts_of(findings.run, cell.index), "changed": changed}
        mean = float(total.sum()) / float(counts.sum())
        tables.append(effects_table(front | {"mean": mean} | own_columns, effects))
    return pl.concat(tables)


def effects_table(columns: Columns, effects: Effects) -> pl.DataFrame:
    """Return columns and effects by component, the most significant and greatest first; nan becomes null."""
    values = effects._asdict() | {"p_adjusted": false_discoveries(effects.p)}
    columns = columns | {name: pl.Series(value).fill_nan(None) for name, value in values.items()}
    keys = ["p_adjusted", pl.col("effect").abs()]
    table = pl.DataFrame(columns, schema_overrides=whole("cell") | texts("strategy"))
    return table.sort(keys, descending=[False, True], nulls_last=True, maintain_order=True)
