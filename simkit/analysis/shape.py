"""Course of games: lengths, end reasons, draws, scores."""

import polars as pl

from simkit.analysis import deals
from simkit.analysis.deals import COUNT, deal_counts, row_counts, shares_of
from simkit.analysis.findings import Findings, finding
from simkit.analysis.reading import LOG, Block
from simkit.analysis.table import columns_of_names, text

MEASURES = ["turns", "decisions"]
MAX_BARS = 40  # maximum bars of a histogram
ROUNDING = 1e-12  # relative, of sums of weights; less than one deal of the largest possible cell
OF_CELL = pl.col("games") / pl.col("games").sum().over("cell")  # share of the games counted
LONG = 0.001  # fraction of a cell's games that histograms leave out at either end


def _lengths(games: pl.LazyFrame) -> pl.LazyFrame:
    rows = games.select("cell", "deal", pl.col(MEASURES).cast(pl.Int64))
    return rows.unpivot(MEASURES, index=["cell", "deal"], variable_name="measure")


@LOG("cell", "measure", "value")
def game_lengths(findings: Findings, block: Block) -> pl.LazyFrame:
    """Count the games by cell, measure (turns, decisions) and value."""
    return row_counts(_lengths(block.games), ["cell", "measure"], "value")


@LOG("cell", "measure")
def length_sums(findings: Findings, block: Block) -> pl.LazyFrame:
    """Sum over deals the turns and decisions of games, by cell and measure."""
    return deals.deal_sums(_lengths(block.games), ["cell", "measure"], {"value": pl.col("value").mean()})


@finding
def length_bars(findings: Findings) -> pl.DataFrame:
    """Per cell: share of the games with `low` up to below `high` turns, in bars of equal integer width.

    From the shortest to the longest game, except one in a thousand games of a cell at either end.
    """
    counts = without_ends(game_lengths(findings).filter(measure="turns"))
    start, end = counts.select(pl.col("value").min(), pl.col("value").max().alias("end")).row(0)
    width = max(1, -(-(end - start + 1) // MAX_BARS))
    low = start + (pl.col("value") - start) // width * width
    bars = counts.group_by("cell", low.alias("low")).agg(pl.col("games").sum())
    lows = pl.DataFrame({"low": range(start, end + 1, width)}, schema=deals.whole("low"))
    every = counts.select("cell").unique(maintain_order=True).join(lows, how="cross")
    full = every.join(bars, on=["cell", "low"], how="left", maintain_order="left").fill_null(0)
    return findings.with_cells(full.with_columns(high=pl.col("low") + width, share=OF_CELL))


def without_ends(counts: pl.DataFrame) -> pl.DataFrame:
    """Return the counts without the extreme values, up to a fraction LONG of the games at either end."""
    games = pl.col("games")
    up_to, every = games.cum_sum().over("cell"), games.sum().over("cell")
    inside = (up_to > LONG * every) & (up_to - games < (1 - LONG) * every)
    return counts.sort("cell", "value").filter(inside)


@finding
def lengths(findings: Findings) -> pl.DataFrame:
    """Per cell and measure (turns, decisions): mean, low, high (95 %), sd, p5, p50, p95, games."""
    key, sums = ["cell", "measure"], length_sums(findings)
    ends = sums.select(key).hstack(deals.means(sums, "value", findings.always).drop("mean"))
    table = spread_of(game_lengths(findings), key, (0.05, 0.5, 0.95)).join(ends, on=key)
    return findings.with_cells(table.sort("cell", pl.col("measure") == "decisions"))


def spread_of(counts: pl.DataFrame, by: list[str], parts: tuple[float, ...]) -> pl.DataFrame:
    """Return per group mean, sd, games and quantiles p5, p50 ... of `value`, counted by `games`.

    Games may be weights: cumulative shares that differ only by rounding count as equal.
    """
    games, value = pl.col("games"), pl.col("value")
    centre = (games * value).sum() / games.sum()
    square = (games * (value - centre) ** 2).sum() / (games.sum() - 1).clip(1)
    every = (1 - ROUNDING) * games.sum()
    reached = {f"p{round(100 * part)}": games.cum_sum() >= part * every for part in parts}
    ends = {name: value.filter(far).first() for name, far in reached.items()}
    ordered = counts.sort(*by, "value").group_by(by, maintain_order=True)
    return ordered.agg(games.sum(), mean=centre, sd=square.sqrt(), **ends)


NOT_OWN = {"game", "lineup", "end_reason", "fault", "fault_line"}  # columns of names that every game has


@LOG("cell", "end_reason", "value")
def end_counts(findings: Findings, block: Block) -> pl.LazyFrame:
    """Count the deals by cell, end reason and number of plays with that reason."""
    return deal_counts(block.games.with_columns(text("end_reason")), ["cell", "end_reason"], pl.len())


@finding
def end_reasons(findings: Findings) -> pl.DataFrame:
    """Per cell and end reason that occurred in the run: games (of the cell), deals, share, low, high."""
    return _shares_of_names(findings, end_counts(findings), ["cell", "end_reason"])


@LOG("cell", "end_reason")
def loss_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count a team's lost games by cell and end reason."""
    if not findings.run.team:
        return None
    key = ["cell", "deal", "rotation"]
    lost = block.seats.filter((pl.col("seat") == 0) & (pl.col("share") == 0)).select(key)
    return block.games.join(lost, on=key).group_by("cell", text("end_reason")).agg(games=COUNT)


@finding
def losses(findings: Findings) -> pl.DataFrame:
    """Per cell of a team and end reason of lost games: number of lost games, and share of all lost games."""
    counted = loss_counts(findings)
    if not counted.width:
        return counted
    return findings.with_cells(counted.with_columns(share=OF_CELL).sort("cell", "end_reason"))


def outcome_columns(findings: Findings) -> list[str]:
    """Return a team's own columns of names in the games table."""
    if not findings.run.team:
        return []
    varied = {name for cell in findings.run.cells for name in cell.varied}
    return [name for name in columns_of_names(findings.run.games()) if name not in {*NOT_OWN, *varied}]


@LOG("cell", "column", "name", "value")
def name_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Count the deals by cell, own column of names, name and number of plays with the name."""
    parts = []
    for column in findings.cached(outcome_columns):
        named = block.games.select("cell", "deal", column=pl.lit(column), name=text(column))
        parts.append(deal_counts(named, ["cell", "column", "name"], pl.len()))
    return pl.concat(parts) if parts else None


@finding
def outcomes(findings: Findings) -> pl.DataFrame:
    """Per cell of a team, own column of names in the games table and name: games, share, low, high."""
    counted = name_counts(findings)
    return _shares_of_names(findings, counted, ["cell", "column", "name"]) if counted.width else counted


def _shares_of_names(findings: Findings, counted: pl.DataFrame, key: list[str]) -> pl.DataFrame:
    """Return the share of a cell's games with each name, from the number of plays of each deal with it."""
    count = pl.col("deals")
    cell = pl.col("cell").cast(counted.schema["cell"])
    cells = findings.cells.select(cell, all="deals", plays=pl.col("games") // count)
    every = cells.join(counted.select(key[1:]).unique(), how="cross")
    ended = every.join(counted.group_by(key).agg(count.sum()), on=key, how="left").fill_null(0)
    never = ended.select(*key, "plays", deals=pl.col("all") - count, value=pl.lit(0.0), total=pl.lit(0.0))
    parts = pl.col("value", "total") / pl.col("plays")
    observed = counted.join(cells, on="cell").select(*key, "plays", count, parts)
    rows = pl.concat([observed, never]).with_columns(rows=count * pl.col("plays"))
    return findings.with_cells(shares_of(rows.sort(key), key, findings.always))


@LOG("cell", "value")
def draw_counts(findings: Findings, block: Block) -> pl.LazyFrame:
    """Count the deals by cell and fraction of plays drawn."""
    return deal_counts(block.games, ["cell"], pl.col("draw").mean())


@finding
def draws(findings: Findings) -> pl.DataFrame:
    """Per cell: share of games with a shared win."""
    return findings.with_cells(shares_of(draw_counts(findings), ["cell"], findings.always))


@LOG("cell", "end_reason", "winner", "value")
def winner_counts(findings: Findings, block: Block) -> pl.LazyFrame:
    """Count the deals by cell, end reason, winner (-1: no single winner) and number of plays so ended."""
    ended = block.games.select("cell", "deal", text("end_reason"), pl.col("winner").fill_null(-1))
    return deal_counts(ended, ["cell", "end_reason", "winner"], pl.len())


@finding
def end_winners(findings: Findings) -> pl.DataFrame:
    """Per cell, end reason and winning seat (-1: no single winner): their share of all games, low, high."""
    return _shares_of_names(findings, winner_counts(findings), ["cell", "end_reason", "winner"])


@LOG("cell", "seat")
def score_sums(findings: Findings, block: Block) -> pl.LazyFrame:
    """Sum over deals the scores and squared scores by cell and seat."""
    return deals.sums_of_deals(block.deals, ["cell", "seat"], ["score", "square"])


@finding
def scores(findings: Findings) -> pl.DataFrame:
    """Per cell and seat: mean score with its interval, and standard deviation over games."""
    sums, games = score_sums(findings), pl.col("rows")
    score, square = (pl.col(name) / pl.col("deals") for name in ("score", "square"))
    deviation = ((square - score**2).clip(0) * games / (games - 1).clip(1)).sqrt()
    table = sums.select("cell", "seat", "deals", games=games, sd=deviation)
    return findings.with_cells(table.hstack(deals.means(sums, "score", findings.always)))
