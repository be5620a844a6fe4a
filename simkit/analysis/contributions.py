"""Contribution of each seat of a team: its share of actions, of progress made, of tokens repaired."""

import polars as pl

from simkit.analysis.deals import SumsRow, every_pair, products, reals, sums_of_deals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import OWN, Block, looked_at
from simkit.stats import ratios
from simkit.stats.deals import mean_from_moments

CONTRIBUTION_KEY = ["cell", "seat", "column"]
TURNS_COLUMN = "turns"
CONTRIBUTION_SUMS = ["own", "all", "own_turns", "all_turns"]
MIN_CONTRIBUTION_DEALS = 10  # deals with a non-zero column below which its parts have no interval
MORE = ["more", "more_low", "more_high"]
CONTRIBUTIONS_SCHEMA = whole("cell", "seat") | texts("column") | reals("per_game", "part", "low", "high")
CONTRIBUTIONS_SCHEMA |= reals(*MORE) | whole("games", "deals")


def parts(findings: Findings) -> list[str]:
    """Return the seats columns that the game names as contributions, as far as they are logged."""
    logged = findings.run.seats().collect_schema()
    return [name for name in findings.run.words.parts if name in logged]


@OWN(*CONTRIBUTION_KEY)
def contribution_sums(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Sum over deals a seat's amount of each column, the amount of all seats, and the same for turns."""
    names = findings.cached(parts)
    if not names:
        return None
    rows = looked_at(findings, block.seats)
    turns = TURNS_COLUMN if TURNS_COLUMN in findings.run.seats().collect_schema() else names[0]
    values = {name: pl.col(name).cast(pl.Float64).sum() for name in dict.fromkeys([*names, turns])}
    deals = rows.group_by("cell", "deal", "seat").agg(rows=pl.len().cast(pl.Int64), **values)
    sums = []
    for name in names:
        columns = {"own": pl.col(name), "own_turns": pl.col(turns)}
        columns |= {f"all{part[3:]}": value.sum().over("cell", "deal") for part, value in columns.items()}
        nonzero = pl.col(name).ne(0).any().over("cell", "deal").cast(pl.Float64)
        each = deals.select("cell", "deal", "seat", "rows", column=pl.lit(name), some=nonzero, **columns)
        sums.append(
            sums_of_deals(each, CONTRIBUTION_KEY, [*CONTRIBUTION_SUMS, "some"], every_pair(CONTRIBUTION_SUMS))
        )
    return pl.concat(sums)


@finding
def contributions(findings: Findings) -> pl.DataFrame:
    """Per cell to look at, seat and column that the game names: the seat's part of the total of all seats.

    per_game: mean of the seat; part: its sum over all games divided by that of all seats (a ratio of sums);
    more: part less the seat's part of the turns, 0 if all seats contribute equally per turn; null where the
    game logs no `turns` of seats. Formula and source: `simkit.stats.ratios`; no interval with fewer than
    LEAST_DEALS deals in which the total is not 0. Columns without a total above 0 are left out.
    """
    sums = contribution_sums(findings)
    if not sums.width:
        return pl.DataFrame()
    rows = [_contribution_row(row) for row in sums.filter(pl.col("all") > 0).rows(named=True)]
    table = pl.DataFrame(rows, schema=CONTRIBUTIONS_SCHEMA, orient="row")
    place = pl.col("column").cast(pl.Enum(findings.cached(parts)))
    if TURNS_COLUMN not in findings.run.seats().collect_schema():
        table = table.with_columns(pl.lit(None, pl.Float64).alias(name) for name in MORE)
    return findings.with_cells(table.sort("cell", place, "seat", maintain_order=True))


def _contribution_row(row: SumsRow) -> tuple[object, ...]:
    """Return the values of one row of `contributions`."""
    deals, of_all = row["deals"], products(row, CONTRIBUTION_SUMS)
    sums = row["own"], row["all"], of_all[0, 0], of_all[0, 1], of_all[1, 1]
    part = mean_from_moments(*ratios.ratio_from_sums(*sums, deals))
    more = ratios.ratio_difference([row[name] for name in CONTRIBUTION_SUMS], of_all, deals)
    ends = [
        (*estimate[1:3],) if row["some"] >= MIN_CONTRIBUTION_DEALS else (None, None)
        for estimate in (part, more)
    ]
    estimates = part.mean, *ends[0], more.mean, *ends[1]
    return *(row[name] for name in CONTRIBUTION_KEY), row["own"] / row["rows"], *estimates, row["rows"], deals
