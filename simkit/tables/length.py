"""Length, ends and scores of games, decisions and waits at the table; a run among other games."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from simkit.engine.toml_files import read_toml
from simkit.tables.course import CELL, LOAD, TRACE, figure, figures, mean_of_rows, ratio_sums, share_of_rows
from simkit.tables.findings import Findings, as_text, cells, cells_to_look_at, columns_of_names, finding
from simkit.tables.luck import beginners
from simkit.tables.reading import (
    COUNT,
    LOG,
    Block,
    deal_counts,
    deal_sums,
    means,
    reals,
    row_counts,
    shares_of,
    spread_of,
    sums_of_deals,
    text_columns,
    whole,
)

MEASURES = ["turns", "decisions"]
MAX_BARS = 40  # maximum bars of a histogram
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
    return deal_sums(_lengths(block.games), ["cell", "measure"], {"value": pl.col("value").mean()})


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
    lows = pl.DataFrame({"low": range(start, end + 1, width)}, schema=whole("low"))
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
    ends = sums.select(key).hstack(means(sums, "value", findings.always).drop("mean"))
    table = spread_of(game_lengths(findings), key, (0.05, 0.5, 0.95)).join(ends, on=key)
    return findings.with_cells(table.sort("cell", pl.col("measure") == "decisions"))


NOT_OWN = {"game", "lineup", "end_reason", "fault", "fault_line"}  # columns of names that every game has


@LOG("cell", "end_reason", "value")
def end_counts(findings: Findings, block: Block) -> pl.LazyFrame:
    """Count the deals by cell, end reason and number of plays with that reason."""
    return deal_counts(block.games.with_columns(as_text("end_reason")), ["cell", "end_reason"], pl.len())


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
    return block.games.join(lost, on=key).group_by("cell", as_text("end_reason")).agg(games=COUNT)


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
        named = block.games.select("cell", "deal", column=pl.lit(column), name=as_text(column))
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
    played = cells(findings).select(cell, all="deals", plays=pl.col("games") // count)
    every = played.join(counted.select(key[1:]).unique(), how="cross")
    ended = every.join(counted.group_by(key).agg(count.sum()), on=key, how="left").fill_null(0)
    never = ended.select(*key, "plays", deals=pl.col("all") - count, value=pl.lit(0.0), total=pl.lit(0.0))
    parts = pl.col("value", "total") / pl.col("plays")
    observed = counted.join(played, on="cell").select(*key, "plays", count, parts)
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
    ended = block.games.select("cell", "deal", as_text("end_reason"), pl.col("winner").fill_null(-1))
    return deal_counts(ended, ["cell", "end_reason", "winner"], pl.len())


@finding
def end_winners(findings: Findings) -> pl.DataFrame:
    """Per cell, end reason and winning seat (-1: no single winner): their share of all games, low, high."""
    return _shares_of_names(findings, winner_counts(findings), ["cell", "end_reason", "winner"])


@LOG("cell", "seat")
def score_sums(findings: Findings, block: Block) -> pl.LazyFrame:
    """Sum over deals the scores and squared scores by cell and seat."""
    return sums_of_deals(block.deals, ["cell", "seat"], ["score", "square"])


@finding
def scores(findings: Findings) -> pl.DataFrame:
    """Per cell and seat: mean score with its interval, and standard deviation over games."""
    sums, games = score_sums(findings), pl.col("rows")
    score, square = (pl.col(name) / pl.col("deals") for name in ("score", "square"))
    deviation = ((square - score**2).clip(0) * games / (games - 1).clip(1)).sqrt()
    table = sums.select("cell", "seat", "deals", games=games, sd=deviation)
    return findings.with_cells(table.hstack(means(sums, "score", findings.always)))


# Decision load, waiting times and minutes at the table, from the turn trace.

MINUTE = 60.0
LOAD_NUMBERS = {
    "branching": mean_of_rows,
    "choice": share_of_rows,
    "per_turn": mean_of_rows,
    "wait": mean_of_rows,
}


def has_load(findings: Findings) -> bool:
    """Return whether the run has a turn trace that counts decisions."""
    run = findings.run
    return bool(run.experiment.trace) and set(LOAD) <= set(run.turns().collect_schema().names())


def own_turns(standings: pl.LazyFrame) -> pl.LazyFrame:
    """Add own (the turn is the seat's) and others (decisions of the other seats in the turn) to the trace."""
    own = (pl.col("steps") > 0) & (pl.col("steps") == pl.col("steps").max().over("moment"))
    others = pl.col("decisions").sum().over("moment") - pl.col("decisions")
    return standings.with_columns(own=own, others=others)


def waits(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per own turn except the first: decisions of other seats since the previous own turn."""
    own = rows.with_columns(so_far=pl.col("others").cum_sum().over("play", "seat")).filter("own")
    before = pl.col("so_far").shift(1).over("play", "seat")
    return own.with_columns(wait=pl.col("so_far") - pl.col("others") - before).drop_nulls("wait")


@TRACE("cell", "figure")
def load_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame | None:
    """Sum over deals the load of all seats combined."""
    if not findings.cached(has_load):
        return None
    rows, decisions = own_turns(standings), pl.col("decisions")
    parts = {
        "branching": ratio_sums(rows, CELL, pl.col("choices"), decisions.sum()),
        "choice": ratio_sums(rows, CELL, decisions, pl.col("steps").sum()),
        "per_turn": ratio_sums(rows.filter("own"), CELL, decisions),
        "wait": ratio_sums(waits(rows), CELL, pl.col("wait")),
    }
    return figures(parts)


@TRACE("cell", "figure", "value")
def load_counts(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame | None:
    """Count the games by wait in decisions, and by most legal actions of a decision in a turn."""
    if not findings.cached(has_load):
        return None
    wait = row_counts(waits(own_turns(standings)), CELL, "wait")
    return figures({"wait": wait, "most": row_counts(standings, CELL, "most_choices")})


@finding
def load(findings: Findings) -> pl.DataFrame:
    """Per cell: decision load and waiting times; empty without a trace that counts decisions.

    branching: legal actions per decision (two or more); most: their greatest number; choice: share of all
    steps (actions) that were decisions; per_turn: decisions of a seat in a turn in which it acted most often;
    wait: decisions of others between two such turns; wait_p95: 95 % of the waits are at most as long. Means
    with NAME_low and NAME_high; null where a game has no such quantity.
    """
    if not findings.cached(has_load):
        return pl.DataFrame()
    counts, sums = load_counts(findings), load_sums(findings)
    table = figure(counts, "most").group_by(CELL).agg(most=pl.col("value").max()).sort(CELL)
    parts = [
        average(figure(sums, name).filter(pl.col("n") > 0), name) for name, average in LOAD_NUMBERS.items()
    ]
    parts.append(spread_of(figure(counts, "wait"), CELL, (0.95,)).select("cell", wait_p95="p95"))
    for part in [*parts, figure(sums, "choice").select("cell", "games", "deals")]:
        table = table.join(part, on=CELL, how="left", maintain_order="left")
    return findings.with_cells(table)


@finding
def minutes(findings: Findings) -> pl.DataFrame:
    """Per cell: minutes per game at `seconds` per decision (key seconds_per_decision); empty without the key.

    Definition: the decisions of all seats in sequence, each with more than one legal action, times the
    seconds; low, high: 95 % interval of the mean; p5, p50, p95: over games. wait: seconds between two own
    turns, from the turn trace (null without). Setup, chance and forced actions take no time.
    """
    seconds = findings.run.experiment.seconds_per_decision
    if seconds is None:
        return pl.DataFrame()
    rows = lengths(findings).filter(measure="decisions").drop("measure")
    ends = [pl.col(name) * seconds / MINUTE for name in ("mean", "low", "high", "sd", "p5", "p50", "p95")]
    table = rows.with_columns(*ends, seconds=pl.lit(float(seconds)))
    if load(findings).is_empty():
        return table.with_columns(wait=pl.lit(None, pl.Float64))
    waits = load(findings).select(pl.col("cell").cast(table.schema["cell"]), wait=pl.col("wait") * seconds)
    return table.join(waits, on="cell", how="left", maintain_order="left")


# Yardsticks: length, openness, load and leniency of reference games, and the rank of a run among them.

YARDSTICKS_FILE = Path(__file__).with_name("yardsticks.toml")
ERRS = 0.2  # error rate of the beginner whose share is a measure
LATE = 0.9  # progress with a tenth of the game left
BEYOND_OTHERS = 0.05  # minimum distance of unusual values from the others' range, relative to it
ENOUGH = 3  # minimum number of other games for a value to be unusual
MeasureValue = tuple[float, float, float]  # value, low and high (95 %)
# measure -> finding, column, and prefix of the ends of its interval
PLAIN = {
    "per_turn": ("load", "per_turn", "per_turn_"),
    "branching": ("load", "branching", "branching_"),
    "wait": ("load", "wait", "wait_"),
    "lead_changes": ("lead_changes", "mean", ""),
    "decided": ("decided_at", "mean", ""),
    "slope": ("runaway", "slope", ""),
    "draws": ("draws", "share", ""),
}
TEAM_MEASURES = ("decisions", "per_turn", "branching", "wait", "team_beginner")
TRACED = {"load", "lead_changes", "decided_at", "runaway"}
YARDSTICKS_SCHEMA = (
    text_columns("measure")
    | reals("value", "low", "high", "least", "most")
    | whole("others")
    | text_columns("unusual")
)


def yardstick_measures(findings: Findings, cell: int) -> dict[str, MeasureValue]:
    """Return the measures of a cell that the run provides.

    decisions: per player and game. per_turn, branching, wait: as in `load`. lead_changes, decided, slope,
    draws: means of `lead_changes`, `decided_at`, `runaway`, `draws`. late: how often the leader with a tenth
    of the game left does not win. beginner: share of a player with errors in one of five decisions, relative
    to its fair share; team_beginner: share of a team with one such player, relative to the team's. king:
    kingmaking of the last seat.
    """
    values = {name: value for name, value in _measures(findings, cell) if None not in value}
    return {name: values[name] for name in TEAM_MEASURES if name in values} if findings.run.team else values


def _measures(findings: Findings, cell: int) -> Iterator[tuple[str, Any]]:
    seats = int(cells(findings).filter(cell=cell)["seats"][0])
    for row in lengths(findings).filter(cell=cell, measure="decisions").rows(named=True):
        yield "decisions", _scaled_ends(row, "mean", "", seats)
    for name, (table, column, ends) in PLAIN.items():
        if not findings.run.team or name in TEAM_MEASURES:
            yield from (
                (name, _scaled_ends(row, column, ends)) for row in _measure_rows(findings, table, cell)
            )
    late = [] if findings.run.team else _measure_rows(findings, "predictability", cell)
    for row in late:
        if round(row["progress_high"], 2) == LATE:
            yield "late", (1 - row["share"], 1 - row["high"], 1 - row["low"])
    shares = beginners(findings)
    rows = shares.filter(seats=seats, errs=ERRS).rows(named=True) if shares.width else []
    measure = "team_beginner" if findings.run.team else "beginner"
    yield from ((measure, _scaled_ends(row, "share", "", row["fair"])) for row in rows if row["fair"])
    kings = _measure_rows(findings, "kingmaking", cell)
    yield from (("king", _scaled_ends(row, "king", "king_")) for row in kings if row["role"] == "last")


def _measure_rows(findings: Findings, name: str, cell: int) -> list[dict[str, Any]]:
    if (name in TRACED or name == "predictability") and not findings.run.experiment.trace:
        return []
    baseline = findings.at_baseline()  # less of its trace has to be read
    source = baseline if cell in cells(baseline)["cell"] else findings
    table: pl.DataFrame = getattr(source, name)
    return table.filter(cell=cell).rows(named=True) if table.width else []


def _scaled_ends(row: dict[str, Any], column: str, ends: str, by: float = 1) -> tuple[Any, ...]:
    values = row[column], row[f"{ends}low"], row[f"{ends}high"]
    return tuple(None if value is None else value / by for value in values)


@cache
def measured_games() -> list[dict[str, Any]]:
    """Return the reference games by number of seats, as stored in the file."""
    return list(read_toml(YARDSTICKS_FILE)["measured"])


@finding
def yardsticks(findings: Findings) -> pl.DataFrame:
    """Per measure of the first cell to look at: its value, and the range of the other games.

    others: number of other games that have the measure. unusual: "more" where the whole interval lies above
    all others, by a twentieth of their range or more, "less" where below; null where it lies among them or
    fewer than three others have the measure.
    """
    rows = []
    for name, ends in yardstick_measures(findings, cells_to_look_at(findings.run)[0]).items():
        others = [
            row for row in measured_games() if row["game"] != findings.run.experiment.game and name in row
        ]
        games, values = len({row["game"] for row in others}), [row[name][0] for row in others]
        least, most = (min(values), max(values)) if values else (None, None)
        rows.append((name, *ends, least, most, games, _unusual(ends, values) if games >= ENOUGH else None))
    return pl.DataFrame(rows, schema=YARDSTICKS_SCHEMA, orient="row")


def _unusual(ends: MeasureValue, values: list[float]) -> str | None:
    least, most = min(values), max(values)
    if ends[1] > most and ends[0] - most >= BEYOND_OTHERS * (most - least):
        return "more"
    return "less" if ends[2] < least and least - ends[0] >= BEYOND_OTHERS * (most - least) else None
