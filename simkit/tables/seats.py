"""Win shares by seat, and the first player's advantage."""

import math

import numpy as np
import polars as pl
import polars.selectors as cs

from simkit.errors import UsageError
from simkit.runs import sequential_stopping
from simkit.stats import betting, verdicts
from simkit.stats.deals import joint_level, share_from_moments
from simkit.stats.verdicts import Evidence
from simkit.tables.findings import Findings, finding
from simkit.tables.reading import (
    COUNT,
    LOG,
    MOMENTS,
    Block,
    Reading,
    counts_of_deals,
    deal_counts,
    log_blocks,
    moments,
    reals,
    shares,
    shares_of,
    whole,
)

FIRST_MOVERS = Reading(log_blocks)  # first movers, for runs in which they are not always seat 0
LOST_GAMES = Reading(log_blocks)  # games that nobody won, for runs that have any
SEAT_KEY = ["cell", "seat"]
CLAIMS = tuple(f"log_{test}" for test in Evidence._fields)  # columns
BAR_COLUMNS = ("bar", "bar_unequal")  # columns
MOST_COUNTS = 1 << 20  # approximate number of counts whose evidence is computed at once
MOST_ESTIMATED = 500  # cells with an estimate of the deals to settle, milliseconds each
MOST_FAILED = 0.01  # fraction of a cell's games that may fail without invalidating its verdict


@LOG("cell", "seat", "analysis", "value")
def share_counts(findings: Findings, block: Block) -> pl.LazyFrame:
    """Count the deals by share; analysis: 0-based index of the first interim analysis that includes them."""
    return _share_counts(findings, block.judged)


def _share_counts(findings: Findings, deals: pl.LazyFrame) -> pl.LazyFrame:
    first = pl.lit(pl.Series(findings.run.analyses)).search_sorted(pl.col("deal"), side="right")
    return counts_of_deals(deals.with_columns(value="share", analysis=first), [*SEAT_KEY, "analysis"])


@LOG("cell")
def game_counts(findings: Findings, block: Block) -> pl.LazyFrame:
    """Count the games, those that somebody won, and those in which another seat than seat 0 moved first."""
    moved = (pl.col("first") != 0).sum().cast(pl.Int64)
    games = block.games.group_by("cell").agg(games=COUNT, moved=moved)
    won = block.deals.group_by("cell").agg(won=(pl.col("share") * pl.col("rows")).sum())
    return games.join(won, on="cell")


def nobody_wins(findings: Findings) -> dict[int, float]:
    """Return the fraction of games that nobody won, by cell of a competitive game with such games."""
    lost = game_counts(findings).with_columns(lost=pl.col("games") - pl.col("won"))
    rows = lost.filter(pl.col("lost") > 0.5).rows(named=True)  # less than half a game is rounding
    return {} if findings.run.one_share else {row["cell"]: row["lost"] / row["games"] for row in rows}


@LOST_GAMES("cell", "seat", "analysis", "value")
def even_counts(findings: Findings, block: Block) -> pl.LazyFrame | None:
    """Return `share_counts` with lost games divided among all seats, so that 1 / seats is fair."""
    if not findings.cached(nobody_wins):
        return None
    return _share_counts(findings, even_deals(block.deals))


def even_deals(deals: pl.LazyFrame) -> pl.LazyFrame:
    """Return the shares of deals with lost games divided among all seats."""
    lost = 1 - pl.col("share").sum().over("cell", "deal")
    return deals.with_columns(share=pl.col("share") + lost / (1 + pl.col("seat").max().over("cell")))


@finding
def seat_shares(findings: Findings) -> pl.DataFrame:
    """Per cell and seat: games, deals, share with intervals, and the evidence for and against fairness.

    A co-operative game has seat 0 only, with the share of the team, and `fair` is the target. Of two sides
    the first has the row of seat 0, and the other one wins the rest. low, high: 95 % interval; ever_...: 95 %
    at all interim analyses simultaneously, in agreement with the verdict
    (`verdicts.agreeing_ends`); joint_...: 95 % for all seats of a cell simultaneously. log_...: natural
    logarithms of the e-values of the five tests of `stats.verdicts.Evidence`, at the analysis at which the
    cell had its first claim (the last one if it has none); bar: the threshold for a claim there, for all
    cells combined; bar_unequal: the same for NOT EQUAL. With sequential stopping low and high are ever_low
    and ever_high, and `adjusted` is the share less the stopping bias (null with too many outcomes). fpa...:
    share of seat 0 less the fair share; a team has none. Where games between seats may have no
    winner, the fair share is P(somebody wins) / seats, and evidence and fpa are those of the shares with lost
    games divided among all seats.
    """
    if findings.whole:
        return findings.of_part(seat_shares(findings.whole))
    _check_role(findings)
    table, lost = _seat_shares(findings, share_counts(findings)), findings.cached(nobody_wins)
    if not lost:
        return _agreeing(findings, table)
    even = _seat_shares(findings, even_counts(findings)).select(cs.starts_with("fpa"), *CLAIMS, *BAR_COLUMNS)
    somebody = 1 - pl.col("cell").replace_strict(lost, default=0.0, return_dtype=pl.Float64)
    return _agreeing(findings, table.with_columns(*even, fair=pl.col("fair") * somebody))


def _check_role(findings: Findings) -> None:
    """Raise UsageError where no seat has the role that is judged."""
    run, counts = findings.run, share_counts(findings)
    if run.role and {cell.index for cell in run.cells} - set(counts["cell"]):
        column = run.cells[0].role_column
        why = f"the column {column} of its seats table never has it"
        raise UsageError(f"{run.place}: in some case nobody is the {run.role}: {why}")


def _agreeing(findings: Findings, table: pl.DataFrame) -> pl.DataFrame:
    """Return seat_shares with intervals for all analyses that agree with the verdicts."""
    run, names = findings.run, ["ever_"]
    if not run.judged:
        return table
    if run.experiment.adaptive:
        names += ["", "joint_"] if run.team else ["", "joint_", "fpa_"]
    seat, place = Evidence(*table.select(CLAIMS).to_numpy().T), table["cell"].rle_id().to_numpy()
    cell = Evidence(*(test[place] for test in _of_cells(seat, table["cell"])))
    off, bars = (table["share"] - table["fair"]).to_numpy(), table.select(BAR_COLUMNS).to_numpy().T
    for name in names:
        low, high = (table[f"{name}{end}"].to_numpy() for end in ("low", "high"))
        fair = 0.0 if name.startswith("fpa") else table["fair"].to_numpy()
        ends = verdicts.agreeing_ends(low - fair, high - fair, off, seat, cell, bars, run.experiment.margin)
        columns = {f"{name}{end}": fair + value for end, value in zip(("low", "high"), ends, strict=True)}
        table = table.with_columns(pl.Series(head, column).fill_nan(None) for head, column in columns.items())
    return table


def _seat_shares(findings: Findings, counts: pl.DataFrame) -> pl.DataFrame:
    sums = pl.col("deals", "rows", "total").sum()
    of_all_analyses = (
        counts.group_by(*SEAT_KEY, "value", maintain_order=True).agg(sums).sort(*SEAT_KEY, "value")
    )
    deal_moments = moments(of_all_analyses, SEAT_KEY, often=False)
    table = findings.with_cells(shares(deal_moments))
    sides = [1 if findings.run.one_share else seats for seats in table["seats"]]
    rows = zip(map(joint_level, sides), deal_moments.select(MOMENTS).iter_rows(), strict=True)
    ends = [share_from_moments(m, v, n, k, level, off)[1:3] for level, (m, v, n, k, off) in rows]
    table = table.hstack(pl.DataFrame(ends, schema=reals("joint_low", "joint_high"), orient="row"))
    table = table.join(_evidence(findings, counts), on=SEAT_KEY, maintain_order="left")
    table = _sequential_shares(findings, table) if findings.run.experiment.adaptive else table
    table = table.drop("ever_joint_low", "ever_joint_high")
    if findings.run.team:
        return table
    first, names = pl.when(pl.col("seat") == 0), ("low", "high", "ever_low", "ever_high")
    less = {f"fpa_{name}": first.then(pl.col(name) - pl.col("fair")) for name in names}
    return table.with_columns(fpa=first.then(pl.col("share") - pl.col("fair")), **less)


def _evidence(findings: Findings, counts: pl.DataFrame) -> pl.DataFrame:
    """Return per cell and seat intervals for all analyses, and evidence and bars at the first claim."""
    kinds = [_evidence_of(findings, counts, *kind, cells) for kind, cells in _by_kind(findings).items()]
    table = pl.concat([table for table, _ in kinds]).with_row_index("row").sort(SEAT_KEY)
    tests = np.concatenate([tests for _, tests in kinds], axis=1)[:, table["row"]]  # [test, seat, analysis]
    cells = _of_cells(Evidence(*tests), table["cell"])  # [cell, analysis]
    claims = verdicts.FirstClaims(len(cells.within))
    for analysis in range(cells.within.shape[1]):
        claims.analyse(Evidence(*(test[:, analysis] for test in cells)))
    unequal = cells.unequal[np.arange(len(claims.bars)), claims.decided_at]
    place = table["cell"].rle_id().to_numpy()
    first = tests[:, np.arange(table.height), claims.decided_at[place]]
    columns = dict(zip(CLAIMS, map(pl.Series, first), strict=True))
    bars = pl.Series(claims.bars[place])
    return table.drop("row").with_columns(**columns, bar=bars, bar_unequal=verdicts.threshold(unequal))


def _by_kind(findings: Findings) -> dict[tuple[float, int], list[int]]:
    """Return the cells grouped by fair share and number of seats, whose evidence is computed jointly."""
    kinds: dict[tuple[float, int], list[int]] = {}
    for cell in findings.run.cells:
        kinds.setdefault((cell.fair, cell.seats), []).append(cell.index)
    return kinds


def _evidence_of(
    findings: Findings, counts: pl.DataFrame, fair: float, seats: int, cells: list[int]
) -> tuple[pl.DataFrame, np.ndarray]:
    """Return intervals of cells with equal number of seats, and their evidence [test, seat, analysis]."""
    keys, single = findings.run.experiment, findings.run.one_share
    table, seen, deals = _cumulative_deals(counts, cells)
    each = joint = betting.confidence_sequence(seen, deals[:, -1])
    if keys.adaptive and seats > 2 and not single:
        joint = betting.confidence_sequence(seen, deals[:, -1], joint_level(seats))
    pieces = np.array_split(deals, 1 + deals.size // MOST_COUNTS)
    tests = [np.stack(verdicts.evidence(seen, piece, fair, keys.margin)) for piece in pieces]
    names = ("ever_low", "ever_high", "ever_joint_low", "ever_joint_high")
    ends = dict(zip(names, map(pl.Series, (*each, *joint)), strict=True))
    return table.with_columns(**ends), np.concatenate(tests, axis=1)


def _cumulative_deals(counts: pl.DataFrame, cells: list[int]) -> tuple[pl.DataFrame, np.ndarray, np.ndarray]:
    """Return the seats of some cells, the distinct shares, and cumulative deals [seat, analysis, share]."""
    part, last = counts.filter(pl.col("cell").is_in(cells)), int(max(counts["analysis"]))
    seats, values = part.select(SEAT_KEY).unique().sort(SEAT_KEY), part["value"].unique().sort().to_numpy()
    rows = part.join(seats.with_row_index("row"), on=SEAT_KEY, maintain_order="left")["row"].to_numpy()
    deals = np.zeros((seats.height, last + 1, values.size))
    deals[rows, part["analysis"].to_numpy(), np.searchsorted(values, part["value"])] = part["deals"]
    return seats, values.clip(0, 1), deals.cumsum(axis=1)


def _sequential_shares(findings: Findings, table: pl.DataFrame) -> pl.DataFrame:
    """Return shares under sequential stopping: intervals for all interim analyses, and the adjusted share."""
    bars, rows = dict(table.select("cell", "bar").iter_rows()), []
    for cell in findings.run.cells:
        adjusted = sequential_stopping.adjusted_shares(findings.run, cell, bars[cell.index])
        rows += [(cell.index, seat, share) for seat, share in enumerate(adjusted or [])]
    kinds = {name: table.schema[name] for name in SEAT_KEY} | reals("adjusted")
    estimates = pl.DataFrame(rows, schema=kinds, orient="row")
    ends = [pl.col(f"ever_{end}").alias(end) for end in ("low", "high", "joint_low", "joint_high")]
    return table.join(estimates, on=SEAT_KEY, how="left", maintain_order="left").with_columns(ends)


@finding
def first_player_advantage(findings: Findings) -> pl.DataFrame:
    """Per cell: share of seat 0, its advantage, and the verdict on all seats against the margin.

    near: whether every seat is surely less than 1.5 margins off fair, which FAIR and BORDERLINE imply.
    needed: for NOT SETTLED cells the number of deals that would settle them, as in `deals_to_settle`. A team
    without a target has no verdict. farthest, farthest_share: the seat farthest from the fair share; elo,
    elo_low, elo_high: the first player's lead over the second in Elo, for two seats, or that of the first of
    two sides (null if it won all or none; games that nobody won count half).
    """
    first = seat_shares(findings).filter(pl.col("seat") == 0).drop(*CLAIMS, *BAR_COLUMNS)
    first = first.join(findings.cached(cell_verdicts), on="cell", maintain_order="left")
    needed = deals_to_settle(findings).select("cell", "needed").cast({"cell": first.schema["cell"]})
    first = first.join(needed, on="cell", how="left", maintain_order="left")
    if not findings.run.judged:
        return first.with_columns(verdict=pl.lit(None, pl.String), needed=pl.lit(None, pl.Int64))
    if findings.run.team:
        return first.with_columns(verdict=of_team(pl.col("verdict"), pl.col("share") > pl.col("fair")))
    elo = {}
    for end in ("", "_low", "_high"):
        share = pl.col(f"fpa{end}") + 0.5
        both = (pl.col("seats") == 2) | bool(findings.run.sides)
        two = both & share.is_between(0, 1, closed="none")
        elo[f"elo{end}"] = pl.when(two).then(-400 * (1 / share - 1).log10())
    return first.with_columns(**elo)


def less_bias(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table of shares corrected for the bias of stopping, where `adjusted` is known."""
    return table.with_columns(share=pl.coalesce("adjusted", "share")) if "adjusted" in table else table


def advantage_less_bias(findings: Findings) -> pl.DataFrame:
    """Return `first_player_advantage` with shares corrected for the bias of stopping (`less_bias`)."""
    seats = less_bias(seat_shares(findings)).select("cell", farthest="seat", farthest_share="share")
    first = less_bias(first_player_advantage(findings)).drop("farthest_share")
    return first.join(seats, on=["cell", "farthest"], how="left", maintain_order="left")


def of_team(verdict: pl.Expr, often: pl.Expr) -> pl.Expr:
    """Return the verdict on a co-operative game, where the target replaces the fair share."""
    off = pl.when(often).then(pl.lit(verdicts.EASY)).otherwise(pl.lit(verdicts.HARD))
    on = pl.when(verdict == verdicts.FAIR).then(pl.lit(verdicts.ON_TARGET)).otherwise(verdict)
    return pl.when(verdict == verdicts.UNFAIR).then(off).otherwise(on)


def cell_verdicts(findings: Findings) -> pl.DataFrame:
    """Return verdict, near, e_value, unequal, farthest and farthest_share per cell, for `Findings.cached`.

    near: whether every seat is surely less than OUTER margins off; e_value: of the strongest claim; unequal:
    whether the seats are surely unequal. A cell in which more than MOST_FAILED of the games failed has the
    verdict FAULTY.
    """
    seats, off = seat_shares(findings), (pl.col("share") - pl.col("fair")).abs()
    farthest = {"farthest": "seat", "farthest_share": "share"}
    columns = {head: pl.col(name).sort_by(off).last() for head, name in farthest.items()}
    failed = pl.col("failed") if "failed" in seats.columns else pl.lit(0)
    columns["faulty"] = (failed > MOST_FAILED * pl.col("games")).first()
    table = seats.group_by("cell", maintain_order=True).agg(pl.col(BAR_COLUMNS).first(), **columns)
    evidence = _of_cells(Evidence(*seats.select(CLAIMS).to_numpy().T), seats["cell"])
    words = map(verdicts.verdict, map(Evidence, *evidence), table["bar"])
    strongest = map(math.exp, np.minimum(700.0, evidence.strongest).tolist())
    verdict = pl.Series("verdict", list(words), pl.String)
    off_margin = verdict.is_in([verdicts.BORDERLINE, verdicts.UNFAIR])
    unequal = (pl.Series(evidence.unequal) >= table["bar_unequal"]) | off_margin
    table = table.with_columns(verdict, e_value=pl.Series(list(strongest), dtype=pl.Float64), unequal=unequal)
    near = ~pl.col("faulty") & pl.Series(evidence.within_outer >= table["bar"].to_numpy())
    verdict_or_fault = pl.when("faulty").then(pl.lit(verdicts.FAULTY)).otherwise("verdict")
    return table.with_columns(verdict=verdict_or_fault, near=near).drop(*BAR_COLUMNS, "faulty")


def _of_cells(seats: Evidence, cell: pl.Series) -> Evidence:
    """Return the evidence about cells [cell, ...] from that about seats [row, ...], in order of `cell`."""
    sizes = cell.rle().struct.field("len").to_numpy()
    starts, together = sizes.cumsum() - sizes, np.empty((len(seats), len(sizes), *seats.within.shape[1:]))
    for size in np.unique(sizes):
        rows = starts[sizes == size]
        each = [Evidence(*(test[rows + seat] for test in seats)) for seat in range(size)]
        together[:, sizes == size] = verdicts.evidence_of_cell(each)
    return Evidence(*together)


@FIRST_MOVERS("cell", "value")
def mover_counts(findings: Findings, block: Block) -> pl.LazyFrame:
    """Count the deals by cell and mean share of the seat that moved first."""
    rows = block.seats.join(block.games.select("play", "deal", "first"), on=["play", "deal"])
    return deal_counts(rows.filter(pl.col("seat") == pl.col("first")), ["cell"], pl.col("share").mean())


@finding
def first_movers(findings: Findings) -> pl.DataFrame:
    """Per cell: fraction of games in which seat 0 did not move first (`moved`), and first movers' share."""
    moved = game_counts(findings).select("cell", pl.col("moved") / pl.col("games"))
    if moved["moved"].sum() == 0:
        return pl.DataFrame()
    shares_won = shares_of(mover_counts(findings), ["cell"], findings.always)
    return findings.with_cells(shares_won.join(moved, on="cell"))


@finding
def deals_to_settle(findings: Findings) -> pl.DataFrame:
    """Per NOT SETTLED cell: deals played, and roughly how many would settle it if all shares stay the same.

    Null: no feasible number of deals would settle it; or the cell is not among the MOST_ESTIMATED cells,
    those of the baseline and those closest to fair.
    """
    if findings.whole:
        return findings.of_part(deals_to_settle(findings.whole))
    table, margin = seat_shares(findings), findings.run.experiment.margin
    unsettled = set(findings.cached(cell_verdicts).filter(verdict=verdicts.NOT_SETTLED)["cell"])
    unsettled = unsettled if findings.run.judged else set()
    off = (pl.col("share") - pl.col("fair")).abs().max()
    each = table.filter(pl.col("cell").is_in(unsettled)).group_by("cell", "baseline", maintain_order=True)
    in_order = each.agg(off=off).sort(~pl.col("baseline"), "off", maintain_order=True)["cell"]
    nearest = set(in_order.head(MOST_ESTIMATED))
    bars, needed = dict(table.select("cell", "bar").iter_rows()), dict[int, int | None]()
    played = {cell.index: cell.deals for cell in findings.run.cells}
    estimates = dict[tuple[float, float, bytes], int | None]()
    lost = findings.cached(nobody_wins) if nearest else {}
    counts = even_counts(findings) if lost else share_counts(findings)
    for (fair, _), cells in _by_kind(findings).items():
        estimated = [cell for cell in cells if cell in nearest]
        if not estimated:
            continue
        _, values, deals = _cumulative_deals(counts, estimated)
        for cell, seats in zip(estimated, np.split(deals[:, -1], len(estimated)), strict=True):
            key = fair, bars[cell], seats.tobytes()  # Cells with few deals often have equal results.
            if key not in estimates:
                seen = [(values[seat > 0], seat[seat > 0]) for seat in seats]
                estimates[key] = verdicts.deals_that_do(seen, fair, margin, bars[cell])
            needed[cell] = estimates[key]
            if findings.run.role and (deals_of_role := estimates[key]):  # the role sits in some deals only
                needed[cell] = math.ceil(deals_of_role * played[cell] / seats[0].sum())
    rows = [(c.index, c.deals, needed.get(c.index)) for c in findings.run.cells if c.index in unsettled]
    table = pl.DataFrame(rows, schema=whole("cell", "deals", "needed"), orient="row")
    return table.cast({"cell": pl.Int32})
