"""The course of games, from the turn trace: leads, when games are decided, how leads grow, games to replay.

x_t(s): the score of seat s at the end of turn t of T; a seat leads if its score is the best and no other's.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import polars as pl

from simkit.engine.game import SIDE
from simkit.errors import UsageError
from simkit.runs.folder import Run
from simkit.stats import deals, ratios
from simkit.tables.findings import Findings, as_text, cells, cells_to_look_at, finding
from simkit.tables.reading import COUNT, Reading, deal_sums, every_pair, reals

BLOCK_ROWS = 1_000_000  # approximate number of trace rows in memory
LOAD = ["decisions", "choices", "most_choices", "steps"]  # counts that a trace may have besides scores


def trace_blocks(run: Run) -> Iterator[pl.LazyFrame]:
    """Yield the standings of blocks of deals, about BLOCK_ROWS rows each."""
    rows, deals = run.turns().select(pl.len(), pl.col("deal").max() + 1).collect(engine="streaming").row(0)
    step = max(1, BLOCK_ROWS * (deals or 1) // max(1, rows))
    for low in range(0, deals or 0, step):
        yield standings(run, pl.col("deal").is_between(low, low + step, closed="left")).collect().lazy()


TRACE: Reading[pl.LazyFrame] = Reading(trace_blocks, shared=False)
SECOND_TRACE = Reading(trace_blocks, shared=False)  # second pass, which needs the sums of the first


def standings(run: Run, inside: pl.Expr) -> pl.LazyFrame:
    """Return one row per game, turn and seat of some deals of the trace, in this order.

    share, winner: of the game; turns: T; moment: index of play and turn; best: the best score; leads: whether
    the seat alone has it.
    """
    traced, part = run.turns(), run.between(0, run.experiment.trace)
    counted = [pl.col(name).cast(pl.Int64) for name in LOAD if name in traced.collect_schema()]
    columns = [pl.col("cell", "turn", "score").cast(pl.Int64), "deal", "play", "seat", *counted]
    seats = part.seats().filter(inside).select("play", "seat", as_text("strategy"), "share")
    winner = pl.lit(None, pl.Int32) if run.sides else pl.col("winner")  # a side wins, whoever leads
    games = part.games().filter(inside).select("play", winner=winner)
    table = traced.filter(inside).select(columns).join(seats.join(games, on="play"), on=["play", "seat"])
    # Windows over a single key of play and turn take a third of the time.
    moment, score = pl.struct("play", "turn").rle_id(), pl.col("score")
    table = table.sort("play", "turn", "seat")
    table = table.with_columns(turns=pl.col("turn").max().over("play"), moment=moment)
    table = table.with_columns(best=score.max().over("moment"))
    alone = (score == pl.col("best")).sum().over("moment") == 1
    return table.with_columns(leads=(score == pl.col("best")) & alone)


def ratio_sums(rows: pl.LazyFrame, by: list[str], value: pl.Expr, n: pl.Expr = COUNT) -> pl.LazyFrame:
    """Return per group deals, games, and sums over deals of a value y, its denominator n and products."""
    values = {"n": n, "y": value.cast(pl.Float64).sum(), "games": pl.col("play").n_unique()}
    sums = deal_sums(rows, by, values, every_pair(["n", "y"]))
    return sums.drop("rows").with_columns(pl.col("games").cast(pl.Int64))


def figures(parts: Mapping[str, pl.LazyFrame]) -> pl.LazyFrame:
    """Return the tables concatenated, with their names in the column `figure`."""
    return pl.concat(part.with_columns(figure=pl.lit(name)) for name, part in parts.items())


def figure(table: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return one of the tables of `figures`."""
    return table.filter(figure=name).drop("figure")


def share_of_rows(sums: pl.DataFrame, name: str = "") -> pl.DataFrame:
    """Return `ratio_sums` as share, low, high (95 %), observations (n), games, deals.

    With a name: as NAME, NAME_low, NAME_high.
    """
    ends = [deals.share_from_moments(*ratio, round(n)) for ratio, n in _ratios(sums)]
    table = _with_ends(sums, name, "share", ends)
    return table if name else table.with_columns(observations=sums["n"].cast(pl.Int64))


def mean_of_rows(sums: pl.DataFrame, name: str = "") -> pl.DataFrame:
    """Return `ratio_sums` as mean, low, high (95 %), games, deals.

    With a name: as NAME, NAME_low, NAME_high.
    """
    return _with_ends(sums, name, "mean", [deals.mean_from_moments(*ratio) for ratio, _ in _ratios(sums)])


def _ratios(sums: pl.DataFrame) -> Iterator[tuple[ratios.Ratio, float]]:
    """Yield the ratio of each row, with its denominator."""
    for y, n, yy, ny, nn, count in sums.select("y", "n", "y*y", "n*y", "n*n", "deals").iter_rows():
        yield ratios.ratio_from_sums(y, n, yy, ny, nn, int(count)), n


def _with_ends(sums: pl.DataFrame, name: str, usual: str, rows: Sequence[tuple[Any, ...]]) -> pl.DataFrame:
    heads = [name, f"{name}_low", f"{name}_high"] if name else [usual, "low", "high"]
    ends = pl.DataFrame([row[:3] for row in rows], schema=reals(*heads), orient="row").fill_nan(None)
    return sums.drop("n", "y", "n*n", "n*y", "y*y", *(["games", "deals"] if name else [])).hstack(ends)


# Leads, and when games are decided.

LEAD_BANDS = 10  # bands of progress for leaders
CELL = ["cell"]


def traced_games(standings: pl.LazyFrame) -> pl.LazyFrame:
    """Return one row per traced game: cell, deal, play, turns (T), winner, lead_changes, decided.

    winner, decided: null if no seat won alone. lead_changes: number of times that the lead passes from one
    seat to another; a tie is no change. decided: smallest t/T such that the winner leads from t on; 1 if the
    winner does not lead at T (a win by tie-break or handicap).
    """
    games = standings.group_by("play").agg(pl.col("cell", "deal", "turns", "winner").first())
    # The first leader has no predecessor: null, not counted.
    passed = (pl.col("seat") != pl.col("seat").shift(1)).sum().cast(pl.Int64)
    changes = standings.filter("leads").group_by("play", maintain_order=True).agg(lead_changes=passed)
    waiting = standings.filter((pl.col("seat") == pl.col("winner")) & ~pl.col("leads"))
    not_yet = waiting.group_by("play").agg(not_yet=pl.col("turn").max())
    table = games.join(changes, on="play", how="left").join(not_yet, on="play", how="left")
    table = table.with_columns(pl.col("lead_changes", "not_yet").fill_null(0)).sort("play")
    turn, single = pl.min_horizontal(pl.col("not_yet") + 1, "turns"), pl.col("winner").is_not_null()
    return table.with_columns(decided=pl.when(single).then(turn / pl.col("turns"))).drop("not_yet")


@TRACE("cell", "figure")
def story_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Sum over deals the lead changes and decision times of games, one figure per quantity."""
    games, changes, decided = traced_games(standings), pl.col("lead_changes"), pl.col("decided")
    single = games.drop_nulls("decided")
    parts = {"changes": ratio_sums(games, CELL, changes), "none": ratio_sums(games, CELL, changes == 0)}
    parts |= {"decided": ratio_sums(single, CELL, decided), "early": ratio_sums(single, CELL, decided < 0.5)}
    return figures(parts)


@finding
def lead_changes(findings: Findings) -> pl.DataFrame:
    """Per cell: mean lead changes per game; none...: share of games without a change."""
    sums = story_sums(findings)
    none = share_of_rows(figure(sums, "none"), "none")
    return findings.with_cells(mean_of_rows(figure(sums, "changes")).join(none, on="cell"))


@finding
def decided_at(findings: Findings) -> pl.DataFrame:
    """Per cell: mean progress at which the winner takes the lead for good (`decided` of `traced_games`).

    games: all traced games; single, deals: those with a single winner; early...: share of these games that
    are decided before half of the game.
    """
    sums = story_sums(findings)
    table = mean_of_rows(figure(sums, "decided")).rename({"games": "single"})
    table = table.join(share_of_rows(figure(sums, "early"), "early"), on="cell")
    games = figure(sums, "changes").select("cell", "games").join(table, on="cell", how="left")
    return findings.with_cells(games.with_columns(pl.col("single").fill_null(0)))


@TRACE("cell", "band")
def leader_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Sum over deals the mean final share of the leaders at each game's last turn in a band of progress."""
    # Band b = 1, 2, … of a turn t: (b − 1)/bands < t/T <= b/bands.
    band = (pl.col("turn") * LEAD_BANDS + pl.col("turns") - 1) // pl.col("turns")
    lead = standings.filter(pl.col("score") == pl.col("best")).with_columns(band=band.cast(pl.Int64))
    last = lead.filter(pl.col("turn") == pl.col("turn").max().over("play", "band"))
    leaders = last.group_by("cell", "deal", "play", "band").agg(pl.col("share").mean())
    return ratio_sums(leaders, ["cell", "band"], pl.col("share"))


@finding
def predictability(findings: Findings) -> pl.DataFrame:
    """Per cell and tenth of the game: share of games that the current leader goes on to win.

    Definition: the mean final share of the seats with the best score at the last turn of the band of t/T. A
    game counts once in each band into which one of its turns falls.
    """
    ends = {"progress_low": (pl.col("band") - 1) / LEAD_BANDS, "progress_high": pl.col("band") / LEAD_BANDS}
    table = share_of_rows(leader_sums(findings)).select(pl.exclude("observations"), **ends)
    return findings.with_cells(table.select(*ends, pl.exclude("band", *ends)))


# Growth of leads.

LEAD_KEY = ["cell", "seat", "strategy", "phase"]


def later(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Return d of each seat at a turn (x) and one round of the table later (y)."""
    d = pl.col("score") - pl.col("score").mean().over("moment")
    now = standings.with_columns(x=d).join(cells(findings).lazy().select("cell", lag="seats"), on="cell")
    then = now.select("play", "seat", pl.col("turn") - pl.col("lag"), y="x")
    return now.with_columns(phase=pl.col("turn") % pl.col("lag")).join(then, on=["play", "seat", "turn"])


@TRACE(*LEAD_KEY)
def lead_sums(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Sum n, x, y, x² and xy by cell, seat, strategy and phase."""
    x, y = pl.col("x"), pl.col("y")
    parts = {"n": COUNT, "sx": x.sum(), "sy": y.sum(), "xx": (x * x).sum(), "xy": (x * y).sum()}
    return later(findings, standings).group_by(LEAD_KEY).agg(**parts)


def lines(findings: Findings) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return means and slope b per group, and Σx̃², Σx̃y, pairs and b per cell."""
    n, sx, mean_x, mean_y = (pl.col(name) for name in ("n", "sx", "mean_x", "mean_y"))
    groups = lead_sums(findings).with_columns(mean_x=sx / n, mean_y=pl.col("sy") / n)
    parts = {"xx": pl.col("xx") - sx * mean_x, "xy": pl.col("xy") - sx * mean_y, "pairs": n}
    slopes = groups.group_by("cell").agg(**{name: part.sum() for name, part in parts.items()})
    slopes = slopes.with_columns(b=pl.when(pl.col("xx") > 1e-9).then(pl.col("xy") / pl.col("xx")))
    return groups.select(*LEAD_KEY, "mean_x", "mean_y").join(slopes.select("cell", "b"), on="cell"), slopes


@SECOND_TRACE("cell")
def lead_scores(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Sum over deals u = Σ x̃e, with the residuals e."""
    x = pl.col("x") - pl.col("mean_x")
    residual = pl.col("y") - pl.col("mean_y") - pl.col("b") * x
    pairs = later(findings, standings).join(findings.cached(lines)[0].lazy(), on=LEAD_KEY)
    values = {"u": (x * residual).sum(), "games": pl.col("play").n_unique()}
    return deal_sums(pairs, ["cell"], values, [("u", "u")]).with_columns(pl.col("games").cast(pl.Int64))


@finding
def runaway(findings: Findings) -> pl.DataFrame:
    """Per cell: slope of later leads on present ones (whether being ahead helps to get further ahead).

    Definition (simkit's own): d_t(s) = x_t(s) − mean over seats of x_t. The slope is that of the
    least-squares line of d_{t+lag}(s) on d_t(s) over all games, seats and 1 <= t <= T − lag, with lag the
    number of seats (one round of the table) and an intercept for each seat, strategy and t mod lag, so that
    neither a steady gain nor the gain of the seat that has just moved counts as a runaway. 1: gains do not
    depend on the standing; above 1: leads grow (snowball); below 1: trailing seats catch up. Interval:
    clustered by deal. Where reaching a score ends the game, the gains that end it are missing, which lowers
    the slope of pure luck slightly below 1 (to 0.98 in Pig, both holding at 20). Null where no d varies.
    """
    table = findings.cached(lines)[1].join(lead_scores(findings), on="cell")
    rows = table.select("b", "xx", "xy", "u*u", "deals").iter_rows()
    ends = [(None,) * 3 if b is None else ratios.slope_from_sums(*sums)[:3] for b, *sums in rows]
    slopes = pl.DataFrame(ends, schema=reals("slope", "low", "high"), orient="row").fill_nan(None)
    estimates = table.select("cell", "pairs", "games", "deals").hstack(slopes)
    every = cells(findings).select(pl.col("cell").cast(estimates.schema["cell"]))
    return findings.with_cells(every.join(estimates, on="cell", how="left", maintain_order="left"))


# Turning points of a game: lasting leads and the largest swings, from the scores at the end of each turn.

Scores = Sequence[Sequence[float]]  # [turn][seat], at the end of each turn
MOST_LEADS, MOST_SWINGS = 3, 2


class TurningPoint(NamedTuple):
    """A decisive turn: a seat takes a lasting lead, or gains most on the others."""

    turn: int  # 1-based
    seat: int
    kind: str  # "lead" or "swing"
    turns: int  # turns until another seat leads, this one included; 0 for a swing
    gain: float  # points gained in the turn on the mean of the other seats
    for_good: bool  # whether the seat leads alone at every turn from here to the end
    alone: int = 0  # number of consecutive turns for which it leads alone


def turning_points(scores: Scores) -> list[TurningPoint]:
    """Return at most MOST_LEADS lasting changes of the lead and MOST_SWINGS swings, in order of the turns.

    Definition (simkit's own): a seat leads if its score is the best and no other's; a tie does not change the
    lead. A lead lasts if it is held for as many turns as there are seats (one round of the table), or to the
    end; the first lead is no change. Of more leads the last one counts, and the longest. The gain of a seat
    in a turn is that of its score less the mean score of the others; a swing is one of the turns with the
    largest gains, each at least twice the mean over turns of the largest gain in a turn.

    >>> [(point.turn, point.seat, point.kind) for point in
    ...  turning_points([(1, 0), (2, 0), (2, 9), (2, 9), (4, 9), (4, 10)])]
    [(3, 1, 'lead')]
    """
    if not scores or len({len(row) for row in scores}) != 1 or len(scores[0]) < 2:
        raise UsageError("turning points need the scores of two seats or more, the same seats at every turn")
    changes = _leads(scores)[1:]
    lasting = [lead for lead in changes[:-1] if lead[2] >= len(scores[0])]
    chosen = sorted(lasting, key=lambda lead: -lead[2])[: MOST_LEADS - 1] + changes[-1:]
    leads = [_lead(scores, *lead) for lead in chosen]
    return sorted([*leads, *_swings(scores, {turn for turn, _, _ in chosen})])


def _leads(scores: Scores) -> list[tuple[int, int, int]]:
    """Return every lead: the turn in which it is taken, the seat, and for how many turns it is held."""
    taken: list[tuple[int, int]] = []
    for turn, row in enumerate(scores, 1):
        best = [seat for seat, score in enumerate(row) if score == max(row)]
        if len(best) == 1 and (not taken or taken[-1][1] != best[0]):
            taken.append((turn, best[0]))
    ends = [turn for turn, _ in taken[1:]] + [len(scores) + 1]
    return [(turn, seat, end - turn) for (turn, seat), end in zip(taken, ends, strict=True)]


def _lead(scores: Scores, turn: int, seat: int, turns: int) -> TurningPoint:
    rows = scores[turn - 1 : turn - 1 + turns]
    alone = len(list(takewhile(lambda row: row[seat] > max(_others(row, seat)), rows)))
    for_good = turn - 1 + alone == len(scores)
    return TurningPoint(turn, seat, "lead", turns, _gain(scores, turn, seat), for_good, alone)


def _others(row: Sequence[float], seat: int) -> list[float]:
    return [score for place, score in enumerate(row) if place != seat]


def _gain(scores: Scores, turn: int, seat: int) -> float:
    def ahead(row: Sequence[float]) -> float:
        return row[seat] - (sum(row) - row[seat]) / (len(row) - 1)

    return ahead(scores[turn - 1]) - ahead(scores[turn - 2]) if turn > 1 else 0.0


def _swings(scores: Scores, lead_turns: set[int]) -> list[TurningPoint]:
    """Return the turns with the largest gains, except turns in which a listed lead is taken."""
    turns, seats = range(2, len(scores) + 1), range(len(scores[0]))
    gains = [max((_gain(scores, turn, seat), -seat) for seat in seats) for turn in turns]
    usual = sum(gain for gain, _ in gains) / max(1, len(gains))
    swings = [
        (-gain, turn, -seat)
        for turn, (gain, seat) in zip(turns, gains, strict=True)
        if gain >= 2 * usual > 0 and turn not in lead_turns
    ]
    largest = sorted(swings)[:MOST_SWINGS]
    return [TurningPoint(turn, seat, "swing", 0, -gain, False) for gain, turn, seat in largest]


# Interesting games: which plays to replay.

MOST_DEALS = 20_000  # deals per cell among which games are chosen
COURSE_NUMBERS = ("turns", "lead_changes", "margin")
COLUMNS = ["kind", "play", "deal", "rotation", "turns", "lead_changes", "decided", "margin", "winner"]
COLUMNS += ["end_reason"]


@TRACE("play", "lead_changes", "decided")
def stories(findings: Findings, standings: pl.LazyFrame) -> pl.LazyFrame:
    """Return the lead changes and decision time of each traced game of the cells to look at."""
    inside = pl.col("cell").is_in(cells_to_look_at(findings.run)) & (pl.col("deal") < MOST_DEALS)
    return traced_games(standings.filter(inside)).select("play", "lead_changes", "decided")


@finding
def interesting_games(findings: Findings) -> pl.DataFrame:
    """Per cell to look at: a typical and the wildest game, chosen reproducibly.

    Definition (simkit's own), among the cell's first MOST_DEALS deals, or the traced ones if there are any:
    typical: nearest to the medians of turns, lead changes and margin (sum of distances in standard
    deviations); wildest: most lead changes, then latest decision, then smallest margin; ties go to the first
    play. margin: best score less the second best. lead_changes, decided: as in `traced_games`; without a
    trace as logged, or null. For a team, whose margin is its score: typical (of wins or defeats, whichever
    are more frequent, nearest to the median length, then margin), and the narrowest of the others (smallest
    margin, then the longest). side: the side that wins, where sides win together.
    """
    run, looked_at = findings.run, cells_to_look_at(findings.run)
    games = pl.concat([_games(findings, cell) for cell in looked_at])
    if run.experiment.trace and run.team:
        games = games.filter(pl.col("deal") < run.experiment.trace)
    elif run.experiment.trace:
        logged = games.drop("lead_changes", "decided")
        games = logged.join(stories(findings), on="play", maintain_order="left")
    choose = _chosen_of_team if run.team else _choose_games
    parts = games.partition_by("cell", maintain_order=True)
    return findings.with_cells(pl.concat(_first_of_each_kind(choose(part), part.height) for part in parts))


def _first_of_each_kind(kinds: dict[str, pl.DataFrame], count: int) -> pl.DataFrame:
    """Return the first game of each kind, out of `count` games."""
    rows = pl.concat(games.head(1).with_columns(kind=pl.lit(kind)) for kind, games in kinds.items())
    columns = ["cell", *COLUMNS, "won", *(name for name in (SIDE,) if name in rows.columns)]
    return rows.select(columns, games=pl.lit(count, pl.Int64))


def _games(findings: Findings, cell: int) -> pl.DataFrame:
    inside = (pl.col("cell") == cell) & (pl.col("deal") < MOST_DEALS)
    part = findings.run.only([cell]).between(0, MOST_DEALS)
    score, games = pl.col("score").cast(pl.Int64), part.games().filter(inside)
    margin = (score.max() - score.top_k(2).min()).alias("margin")
    changes = pl.col("lead_changes") if "lead_changes" in games.collect_schema() else pl.lit(None)
    unknown = {"lead_changes": changes.cast(pl.Int64), "decided": pl.lit(None, pl.Float64)}
    rows = games.select(
        "cell", "play", "deal", "rotation", "turns", "winner", as_text("end_reason"), **unknown
    )
    if findings.run.team:
        margin = score.first().alias("margin")
    columns = {"won": pl.col("share").first() > 0}
    if findings.run.sides:
        columns["side"] = as_text(SIDE).filter(pl.col("share") > 0).unique().sort().str.join(" and ")
    margins = part.seats().filter(inside).group_by("play").agg(margin, **columns)
    return rows.join(margins, on="play").sort("play").collect(engine="streaming")


def _choose_games(games: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the games, the most typical first and the wildest first."""
    gaps = {name: (pl.col(name) - pl.col(name).quantile(0.5, "lower")).abs() for name in COURSE_NUMBERS}
    spread = {name: pl.col(name).std(ddof=0) for name in COURSE_NUMBERS}
    total = pl.sum_horizontal(
        pl.when(spread[name] > 0).then(gaps[name] / spread[name]) for name in COURSE_NUMBERS
    )
    wildest = -pl.col("lead_changes"), -pl.col("decided").fill_null(0), pl.col("margin")
    return {"typical": games.sort(total, "play"), "wildest": games.sort(*wildest, "play")}


def _chosen_of_team(games: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return wins or defeats, the most typical first, and the others, the narrowest first."""
    near, turns = pl.col("margin").abs(), pl.col("turns")
    usual = 2 * int(games["won"].sum()) > games.height
    alike, others = games.filter(pl.col("won") == usual), games.filter(pl.col("won") != usual)
    return {
        "typical": alike.sort((turns - turns.median()).abs(), (near - near.median()).abs(), "play"),
        f"narrowest {'defeat' if usual else 'win'}": others.sort(near, -turns, "play"),
    }
