"""What every table is built from: the cells of a run, and sums over deals taken in blocks so that memory stays flat."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from simkit.stats.deals import share_from_moments

if TYPE_CHECKING:
    from simkit.experiment import Cell
    from simkit.runlog import Run

    Rows = pl.LazyFrame | Callable[[Run], pl.LazyFrame]  # rows of a table, or how to get them from a run

OFTEN = (0.0, 0.5, 1.0)  # means over the plays of a deal that shares often have
BLOCK_GAMES = 2_000_000  # games that are in memory at once, about


class Axis(NamedTuple):
    """A key of the sweep: the option it turns, or the options that it ties together, and the values tried."""

    options: tuple[str, ...]
    values: list[tuple[Any, ...]]

    @property
    def label(self) -> str:
        return " / ".join(self.options)

    @property
    def whole_numbers(self) -> bool:
        """Whether the values lie on a line: every tied option a whole number."""
        return all(type(part) is int for value in self.values for part in value)


def axes(run: Run) -> list[Axis]:
    """The keys of the sweep with more than one value, in the order of the experiment."""
    found = []
    for key in run.experiment.sweep:
        names = tuple(name.strip() for name in key.split(","))
        values = list(dict.fromkeys(tuple(cell.varied[name] for name in names) for cell in run.cells))
        if len(values) > 1:
            found.append(Axis(names, values))
    return found


def lineup_words(lineup: list[str]) -> str:
    """A lineup as a person says it.

    >>> lineup_words(["greedy", "greedy"]), lineup_words(["greedy", "random"]), lineup_words(["greedy"] * 3)
    ('greedy mirror', 'greedy, random', 'greedy × 3')
    """
    if len(set(lineup)) > 1:
        return ", ".join(lineup)
    return f"{lineup[0]} mirror" if len(lineup) == 2 else f"{lineup[0]} × {len(lineup)}"


def setting_words(varied: Mapping[str, Any]) -> str:
    """What the sweep sets, in words.

    >>> setting_words({"goal": 50, "faces": 6})
    'goal = 50, faces = 6'
    """
    return ", ".join(
        f"{name} = {str(value).lower() if isinstance(value, bool) else value}"
        for name, value in varied.items()
    )


def cells_table(run: Run) -> pl.DataFrame:
    """One row per cell: cell, the varied options, setting and lineup in words, seats, fair share, baseline, rotated, deals, games."""
    return pl.DataFrame([_cell_row(cell) for cell in run.cells], infer_schema_length=None)


def cells_to_look_at(run: Run) -> list[int]:
    """The cells of the baseline; without one those of the first setting."""
    cells = cells_table(run)
    chosen = (
        cells.filter(pl.col("baseline"))
        if cells["baseline"].any()
        else cells.filter(pl.col("setting") == cells["setting"][0])
    )
    return chosen["cell"].to_list()


def _cell_row(cell: Cell) -> dict[str, Any]:
    return {
        "cell": cell.index,
        **cell.varied,
        "setting": setting_words(cell.varied),
        "lineup": lineup_words(cell.labels),
        "seats": cell.seats,
        "fair": 1 / cell.seats,
        "baseline": cell.baseline,
        "balanced": len(set(cell.labels)) == 1
        or cell.rotations == cell.seats,  # every strategy sat in every seat as often
        "deals": cell.deals,
        "games": cell.plays,
    }


def with_cells(run: Run, table: pl.DataFrame) -> pl.DataFrame:
    """A table by cell with what the cell is in front: the varied options, setting, lineup, seats, fair share, baseline."""
    front = (
        cells_table(run)
        .drop("deals", "games", "balanced")
        .with_columns(pl.col("cell").cast(table.schema["cell"]))
    )
    return front.join(table, on="cell", how="inner", maintain_order="left")


def _rows_between(run: Run, rows: Rows, low: int, high: int) -> pl.LazyFrame:
    """The rows of a range of deals; of a function of the run only the files that hold them are opened."""
    found = rows(run.between(low, high)) if callable(rows) else rows
    return found.filter(pl.col("deal").is_between(low, high, closed="left"))


def deal_sums(run: Run, rows: Rows, by: list[str], values: Mapping[str, pl.Expr]) -> pl.DataFrame:
    """Per group: deals, rows, and for each value its mean over deals `NAME`, the variance of its deal means `NAME_var`, and `NAME_off`, how many
    deals are off the commonest of the means that a share often has (0, 1/2, 1).

    Each value is an expression that gives one number per row; the plays of a deal within a group are averaged first.
    """
    parts = [_block_sums(_rows_between(run, rows, low, high), by, values) for low, high in blocks(run)]
    sums = pl.concat(parts).group_by(by, maintain_order=True).sum().sort(by)
    mean = {name: pl.col(f"{name}_1") / pl.col("deals") for name in values}
    spread = {
        name: (pl.col(f"{name}_2") - pl.col(f"{name}_1") ** 2 / pl.col("deals")).clip(0) for name in values
    }
    freedom = (pl.col("deals") - 1).clip(1)
    return sums.select(
        *by,
        pl.col("deals").cast(pl.Int64),
        pl.col("rows").cast(pl.Int64),
        *(mean[name].alias(name) for name in values),
        *((spread[name] / freedom).alias(f"{name}_var") for name in values),
        *(
            (pl.col("deals") - pl.max_horizontal(_at(name))).cast(pl.Int64).alias(f"{name}_off")
            for name in values
        ),
    )


def deal_counts(run: Run, rows: Rows, by: list[str], value: pl.Expr) -> pl.DataFrame:
    """Per group and value: `deals` whose mean over their rows is that `value`, and their `rows`; small, for values of few kinds."""
    parts = []
    for low, high in blocks(run):
        means = (
            _rows_between(run, rows, low, high)
            .group_by([*by, "deal"])
            .agg(value.cast(pl.Float64).mean().round(9).alias("value"), pl.len().cast(pl.Int64).alias("rows"))
        )
        counts = means.group_by([*by, "value"]).agg(
            pl.len().cast(pl.Int64).alias("deals"), pl.col("rows").sum()
        )
        parts.append(counts.collect(engine="streaming"))
    return pl.concat(parts).group_by([*by, "value"]).agg(pl.col("deals", "rows").sum()).sort([*by, "value"])


def moments(counts: pl.DataFrame, by: list[str], value: str) -> pl.DataFrame:
    """From `deal_counts`: deals, rows, the mean `VALUE`, the variance `VALUE_var` of the deal means, `VALUE_off`: deals off the commonest mean."""
    n, x = pl.col("deals"), pl.col("value")
    mean = (n * x).sum() / n.sum()
    spread = (n * (x - mean) ** 2).sum() / (n.sum() - 1).clip(1)
    off = (n.sum() - n.max()).alias(f"{value}_off")
    return counts.group_by(by, maintain_order=True).agg(
        n.sum(), pl.col("rows").sum(), mean.alias(value), spread.alias(f"{value}_var"), off
    )


def blocks(run: Run, games: int | None = None) -> Iterator[tuple[int, int]]:
    """Ranges of deals, all cells together about `games` (BLOCK_GAMES) games each."""
    most = max(cell.deals for cell in run.cells)
    step = max(1000, (games or BLOCK_GAMES) * most // max(1, sum(cell.plays for cell in run.cells)))
    for low in range(0, most, step):
        yield low, min(low + step, most)


def _block_sums(rows: pl.LazyFrame, by: list[str], values: Mapping[str, pl.Expr]) -> pl.DataFrame:
    """Sums and sums of squares of the deal means in a range of deals."""
    means = [value.cast(pl.Float64).mean().alias(name) for name, value in values.items()]
    deals = rows.group_by([*by, "deal"]).agg(pl.len().alias("rows"), *means)
    sums = [
        expr
        for name in values
        for expr in (pl.col(name).sum().alias(f"{name}_1"), (pl.col(name) ** 2).sum().alias(f"{name}_2"))
    ]
    sums += [
        (pl.col(name) == mean).sum().alias(at)
        for name in values
        for mean, at in zip(OFTEN, _at(name), strict=True)
    ]
    return (
        deals.group_by(by)
        .agg(pl.len().alias("deals"), pl.col("rows").sum(), *sums)
        .collect(engine="streaming")
    )


def _at(name: str) -> list[str]:
    """The columns that count the deals whose mean is one of those that shares often have."""
    return [f"{name}_at_{mean}" for mean in OFTEN]


def share_columns(table: pl.DataFrame, value: str, games: str) -> pl.DataFrame:
    """Replace the sums of a value by games, deals, share, low and high (95 %)."""
    rows = table.select(value, f"{value}_var", "deals", games, f"{value}_off").iter_rows()
    found = [
        share_from_moments(share, variance, deals, plays, off=off)
        for share, variance, deals, plays, off in rows
    ]
    kind = {"games": pl.Int64, "deals": pl.Int64, "share": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    columns = pl.DataFrame(
        [(s.games, s.deals, s.share, s.low, s.high) for s in found], schema=kind, orient="row"
    )
    drop = {value, f"{value}_var", f"{value}_off", "rows", "deals", games} & set(table.columns)
    return table.drop(drop).hstack(columns)


def text(column: str) -> pl.Expr:
    """A column of names as plain text, whatever its encoding in the file."""
    return pl.col(column).cast(pl.String)
