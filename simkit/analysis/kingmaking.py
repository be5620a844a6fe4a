"""Kingmaking: how often the choice of the seat in last place decides who of the others wins."""

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.kingmaking import FILE
from simkit.stats.deals import share_from_moments

FIGURES = {"king": pl.col("decides") & ~pl.col("wins"), "others": pl.col("others"), "wins": pl.col("wins")}
ENDS = [f"{name}{end}" for name in FIGURES for end in ("", "_low", "_high")]


@finding
def kingmaking(found: Findings) -> pl.DataFrame:
    """Per cell of three seats and more, and role: what late choices change; empty unless it was asked for.

    A sample: a decision after two thirds of the turns, by the seat that alone has the least score at the end
    of the last turn (role last) or the best (leader), one of each per deal and game at random. The game is
    played again with the same luck and strategies, once for each other action (of more than three, three at
    random). king: the share of samples in which the seat wins with none of the actions, but which of the
    others win is not the same with all: it makes the king. others: who is best among the others is not the
    same with all. wins: the seat wins with some action. NAME_low, NAME_high: 95 %. choices: legal actions,
    mean. games = deals: samples.
    """
    if not found.run.experiment.kingmaking:
        return pl.DataFrame()
    rows = pl.read_parquet(found.run.folder / FILE)
    groups = rows.sort("cell", "role", descending=[False, True]).partition_by(
        "cell", "role", maintain_order=True
    )
    table = [_row(part) for part in groups]
    kinds = whole("cell") | texts("role") | reals("choices", *ENDS) | whole("games", "deals")
    return found.with_cells(pl.DataFrame(table, schema=kinds, orient="row"))


def _row(part: pl.DataFrame) -> tuple[object, ...]:
    n, ends = part.height, list[float]()
    for share in part.select(**FIGURES).mean().row(0):
        spread = share * (1 - share) * n / max(1, n - 1)
        ends += share_from_moments(share, spread, n, n)[:3]
    return part["cell"][0], part["role"][0], part["choices"].mean(), *ends, n, n
