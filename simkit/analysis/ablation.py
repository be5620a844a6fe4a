"""Effects of components, from a run in which one coin per component decided whether to change it.

The coins (`engine.ablation`) decide nothing else, so the difference between the two sides of a coin is an
effect of the change, whereas the tables of components and pieces show associations with winning only. The
unit is the block of deals with the same coins; formulas and sources: `simkit.stats.coins`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl

from simkit.analysis.deals import COUNT, reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.analysis.table import text
from simkit.engine.ablation import BLOCK, coins
from simkit.runs.experiment import Cell
from simkit.runs.run import Run
from simkit.stats.coins import Effects, false_discoveries, main_effects

OF_BLOCK = pl.col("deal") // BLOCK
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
    """Sum per block the games, and each measure over the games or over the seats of a strategy."""
    if findings.run.words.ablation is None:
        return None
    by = [pl.col("cell").cast(pl.Int64), OF_BLOCK.alias("block")]
    games = block.games.group_by(by).agg(games=COUNT, turns=pl.col("turns").cast(pl.Float64).sum())
    first = block.seats.filter(pl.col("seat") == 0).group_by(by).agg(share=pl.col("share").sum())
    return pl.concat([games, first, *_by_strategy(findings.run, block.seats)], how="diagonal")


def _by_strategy(run: Run, seats: pl.LazyFrame) -> Iterator[pl.LazyFrame]:
    """Yield per block the shares won and the number of seats of each analysed strategy, by place."""
    rows = [(cell.index, *numbered) for cell in run.cells for numbered in enumerate(strategies_of(cell))]
    if not rows:
        return
    kinds = whole("cell", "place") | texts("strategy")
    named = pl.DataFrame(rows, schema=kinds, orient="row").lazy()
    columns = [pl.col("cell").cast(pl.Int64), text("strategy"), OF_BLOCK.alias("block"), "share"]
    share, place = pl.col("share"), pl.col("place")
    sums: dict[str, pl.Expr] = {}
    for number in sorted({row[1] for row in rows}):
        sums[f"won_{number}"] = share.filter(place == number).sum()
        sums[f"sat_{number}"] = share.filter(place == number).count().cast(pl.Float64)
    yield seats.select(columns).join(named, on=["cell", "strategy"]).group_by("cell", "block").agg(**sums)


@finding
def ablation(findings: Findings) -> pl.DataFrame:
    """Per cell, measure and component: effect of changing the component; only for runs with `ablate`.

    measure: share (of the first player, or of a team), turns (of a game), strategy (share of `strategy`).
    mean: over all games; changed: deals in which the component was changed; effect: mean with the component
    changed less as printed, averaged over the coins of the other components; low, high: 95 % interval;
    p_adjusted: false discovery rate among the components of this measure and cell (Benjamini and Hochberg).
    Sorted by significance, then by absolute effect.
    """
    if findings.run.words.ablation is None:
        return pl.DataFrame()
    tables = [_effects(findings, cell) for cell in findings.run.cells if parts_of(findings.run, cell.index)]
    return findings.with_cells(pl.concat(tables)) if tables else pl.DataFrame()


def _effects(findings: Findings, cell: Cell) -> pl.DataFrame:
    """Return the rows of `ablation` for one cell."""
    sums = block_sums(findings).filter(cell=cell.index)
    coin_sides, games = thrown(findings.run, cell.index, sums["block"].to_numpy()), sums["games"]
    measures: dict[str, tuple[pl.Series, pl.Series, str | None]] = {}
    measures |= {SHARE: (sums["share"], games, None), TURNS: (sums["turns"], games, None)}
    for place, name in enumerate(strategies_of(cell)):
        measures[f"{STRATEGY} {place}"] = (sums[f"won_{place}"], sums[f"sat_{place}"], name)
    changed = coin_sides.T.astype(np.int64) @ (games // cell.rotations).to_numpy()
    tables = []
    for measure, (total, counts, strategy) in measures.items():
        effects = main_effects(coin_sides, (total / counts).to_numpy(), counts.to_numpy())
        front: Columns = {"cell": cell.index, "measure": measure.partition(" ")[0], "strategy": strategy}
        own: Columns = {"component": parts_of(findings.run, cell.index), "changed": changed}
        mean = {"mean": float(total.sum()) / float(counts.sum())}
        tables.append(effects_table(front | mean, own, effects, "effect", "low", "high"))
    return pl.concat(tables)


def effects_table(front: Columns, own: Columns, effects: Effects, *names: str) -> pl.DataFrame:
    """Return a table of component effects, the most significant and greatest first; nan becomes null.

    Args: constant columns (`front`), columns by component (`own`), the effects, and the names of effect, low
    and high.
    """
    values = dict(zip(names, effects[:3], strict=True)) | {
        "p": effects.p, "p_adjusted": false_discoveries(effects.p)
    }  # fmt: skip
    columns = {name: pl.Series(value).fill_nan(None) for name, value in values.items()}
    kinds = {name: kind for name, kind in KINDS.items() if name in front}
    table = pl.DataFrame(own | columns).select(
        *(pl.lit(value, kinds.get(name)).alias(name) for name, value in front.items()), pl.all()
    )
    keys = ["p_adjusted", pl.col(names[0]).abs()]
    return table.sort(keys, descending=[False, True], nulls_last=True, maintain_order=True)


KINDS: dict[str, pl.DataType] = whole("cell") | texts("measure", "strategy") | reals("mean")
