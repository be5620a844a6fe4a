"""Components with names that are too strong, too weak or never used, from piece events of traced games."""

from functools import cached_property
from typing import Any

import polars as pl

from simkit.runs.folder import Run
from simkit.runs.run_metadata import PieceWords
from simkit.stats.comparisons import difference_p_value, holm
from simkit.stats.ratios import slope_from_sums
from simkit.tables.findings import Findings, as_text, cells_to_look_at, finding
from simkit.tables.reading import COUNT, SumsRow, reals, text_columns, whole

BANDS = 5  # bands of turns, and bands of standings within each
MOST_GAMES = 10_000  # traced games analysed per cell
ALIKE = ["seat", "strategy", "when", "standing"]
PLAY_SEAT = ["play", "seat"]
START = pl.lit(0, pl.Int64)
COUNTS = ["available", "taken", "played", "left"]
SIDE_GAMES = ["with_games", "without_games"]
DIFFERENCE_ENDS: list[str] = ["difference", "difference_low", "difference_high"]
LEAST_ROWS = 30  # rows per side; values with fewer are not compared


class PieceLog:
    """Pieces of a cell, events of its traced games, turns of the seats, and shares won.

    A moment is a turn in which a seat took some piece while this piece was on offer and the seat did not have
    it yet: the seat took it, or took others instead (a seat that took nothing did something else with its
    turn: no fair comparison). The start is a moment, too, for pieces that some seats have before they can
    choose. Moments are similar in the same seat, with the same strategy, in the same band of turns (`when`)
    and of standings within it (`standing`): the score less the best other score at the end of the turn
    before, for a team its score. The start is a band of its own, 0.
    """

    def __init__(self, findings: Findings, cell: int, named: list[PieceWords]) -> None:
        self.cell, self.named, run = cell, named, findings.run.only([cell])
        self.played = run.words.played  # whether pieces are taken first and played later
        deals, rotations = run.cells[0].deals, run.cells[0].rotations
        most = min(run.experiment.trace, deals, max(1, MOST_GAMES // rotations))
        inside, part = (pl.col("cell") == cell) & (pl.col("deal") < most), run.between(0, most)
        events = ["play", "deal", as_text("piece"), as_text("event"), "seat", "turn", "last", "copies"]
        seat_columns = ["play", "deal", "seat", as_text("strategy"), "share"]
        self.team, self.deals, self.games = run.team, most, most * rotations
        traced_events = part.pieces().filter(inside).select(events).collect()
        self.owned = bool(traced_events.select(pl.col("event").is_in(["taken", "given"]).any()).item())
        self.events = pl.concat([traced_events, _had_when_played(traced_events, self.owned)])
        self.seats = part.seats().filter(inside).select(seat_columns).collect()
        self.turns = part.turns().filter(inside).collect()

    def only(self, *events: str) -> pl.DataFrame:
        """Return the rows of some kinds of events."""
        return self.events.filter(pl.col("event").is_in(events))

    @cached_property
    def had(self) -> pl.DataFrame:
        """Return per piece and seat of a game that had it the turn in which it first did."""
        return self.only("taken", "given").group_by("piece", *PLAY_SEAT).agg(first=pl.col("turn").min())

    @cached_property
    def moments(self) -> pl.DataFrame:
        """Return one row per moment: piece, ALIKE, deal, got (the seat took it in that turn), share won."""
        return pl.concat([self._choices(), self._starts()]).join(self.seats, on=PLAY_SEAT)

    def _choices(self) -> pl.DataFrame:
        """Return the moments of turns in which a seat took a piece."""
        spells = self.only("offered").select("play", "piece", turn=pl.int_ranges("turn", pl.col("last") + 1))
        offers = spells.explode("turn").with_columns(pl.col("turn").cast(pl.Int64)).unique()
        chances = offers.join(self._taking(), on=["play", "turn"])
        chances = chances.join(self.had, on=["piece", *PLAY_SEAT], how="left")
        turn, first = pl.col("turn"), pl.col("first")
        open_yet = chances.filter(first.is_null() | (turn <= first))
        return open_yet.select("piece", *PLAY_SEAT, "when", "standing", got=(turn == first).fill_null(False))

    def _starts(self) -> pl.DataFrame:
        """Return the moments of the start."""
        given = self.only("given").filter(pl.col("turn") <= 1).select("piece", *PLAY_SEAT, got=True).unique()
        every = given.select("piece").unique().join(self.seats.select(PLAY_SEAT), how="cross")
        rows = every.join(given, on=["piece", *PLAY_SEAT], how="left")
        start = [START.alias("when"), START.alias("standing")]
        return rows.select("piece", *PLAY_SEAT, *start, got=pl.col("got").fill_null(False))

    def _taking(self) -> pl.DataFrame:
        """Return the turns in which each seat took something, with their bands."""
        score = pl.col("score").cast(pl.Int64)
        best, second = score.max().over("play", "turn"), score.top_k(2).min().over("play", "turn")
        lead = score if self.team else score - pl.when(score == best).then(second).otherwise(best)
        turns = self.turns.with_columns(pl.col("turn").cast(pl.Int64), lead=lead)
        before = turns.select(*PLAY_SEAT, pl.col("turn") + 1, "lead")
        taking = self.only("taken").select(*PLAY_SEAT, pl.col("turn").cast(pl.Int64)).unique()
        rows = taking.join(before, on=[*PLAY_SEAT, "turn"], how="left")
        return (
            rows.with_columns(when=band("turn"))
            .with_columns(standing=band("lead").over("when").fill_null(0))
            .drop("lead")
        )


def _had_when_played(events: pl.DataFrame, owned: bool) -> pl.DataFrame:
    """Return an event of having a piece for each play of one that its seat did not have before.

    Where seats own no pieces, a piece is taken when it is played. Elsewhere it came and went in one action,
    as a card that is drawn and played at once: it was given, since nobody chose it.
    """
    plays, key = events.filter(event="played"), ["piece", *PLAY_SEAT]
    if not owned:
        return plays.with_columns(event=pl.lit("taken"))
    had = events.filter(pl.col("event").is_in(["taken", "given"]))
    before = had.group_by(key).agg(first=pl.col("turn").min())
    sudden = plays.join(before, on=key, how="left").filter(
        pl.col("first").is_null() | (pl.col("first") > pl.col("turn"))
    )
    return sudden.drop("first").with_columns(event=pl.lit("given"))


def band(column: str) -> pl.Expr:
    """Return the band, 1 to BANDS, of each value: bands of about equal size; equal values share a band."""
    value = pl.col(column)
    return (value.rank("average") * BANDS / value.count()).ceil().clip(1, BANDS).cast(pl.Int64)


def treatment_differences(rows: pl.DataFrame, column: str, group: list[str]) -> pl.DataFrame:
    """Return per value of `column`: difference with 95 % interval, p_adjusted (Holm, over all values), deals.

    rows: `column`, the columns of `group`, deal, got (treated or not), share. with_games, without_games: rows
    in groups that have both. Left out: values with fewer than LEAST_ROWS rows on either side.

    Formula: within groups g of similar rows, with n₁ treated rows, n₀ untreated ones, p₁ and p₀ the shares
    that they won, w_g = n₁n₀/(n₁ + n₀): difference = Σ w_g (p₁ − p₀) / Σ w_g (Mantel-Haenszel). Interval:
    clustered by deal, with u_d = Σ (z − z̄_g)(y − ȳ_g − difference · (z − z̄_g)), as of
    `simkit.tables.components.Divided`. Source: Mantel & Haenszel 1959, J. Natl. Cancer Inst. 22, 719-748;
    Greenland & Robins 1985, Biometrics 41, 55-68; Liang & Zeger 1986, Biometrika 73, 13-22.
    """
    strata = _strata_of_groups(rows, [column, *group])
    w, gap = pl.col("w"), pl.col("p1") - pl.col("p0")
    counts = {"with_games": pl.col("n1").sum(), "without_games": pl.col("n0").sum()}
    sums = strata.group_by(column).agg(w.sum(), (w * gap).sum().alias("wgap"), **counts)
    sums = sums.filter(pl.min_horizontal(*counts) >= LEAST_ROWS)
    scores = _score_sums(rows, strata, sums, [column, *group])
    each = [_slope(row) for row in sums.join(scores, on=column).rows(named=True)]
    kinds = text_columns(column) | whole("deals", *SIDE_GAMES) | reals(*DIFFERENCE_ENDS, "p")
    table = pl.DataFrame([row | {column: str(row[column])} for row in each], schema=kinds).sort(column)
    return table.with_columns(p_adjusted=pl.Series(holm(table["p"]), dtype=pl.Float64)).drop("p")


def _strata_of_groups(rows: pl.DataFrame, group: list[str]) -> pl.DataFrame:
    """Return per group with both sides: n1, p1 (treated), n0, p0 (untreated), and the weight w."""
    share, got = pl.col("share"), pl.col("got")
    sides = {"n1": got.sum().cast(pl.Int64), "n0": (~got).sum().cast(pl.Int64)}
    sides |= {"p1": share.filter(got).mean(), "p0": share.filter(~got).mean()}
    both = rows.group_by(group).agg(**sides).filter((pl.col("n1") > 0) & (pl.col("n0") > 0)).sort(group)
    n1, n0 = pl.col("n1"), pl.col("n0")
    return both.with_columns(w=n1 * n0 / (n1 + n0))


def _score_sums(
    rows: pl.DataFrame, strata: pl.DataFrame, sums: pl.DataFrame, group: list[str]
) -> pl.DataFrame:
    """Return per value Σ u_d² over deals, and the number of deals with any row."""
    column, n1, n0 = group[0], pl.col("n1"), pl.col("n0")
    expected = strata.join(sums.select(column, gap=pl.col("wgap") / pl.col("w")), on=column)
    part = n1 / (n1 + n0)
    expected = expected.with_columns(part=part, middle=part * pl.col("p1") + (1 - part) * pl.col("p0"))
    away = pl.col("got").cast(pl.Float64) - pl.col("part")
    u = away * (pl.col("share") - pl.col("middle") - pl.col("gap") * away)
    joined = rows.join(expected.select(*group, "part", "middle", "gap"), on=group)
    each = joined.group_by(column, "deal").agg(u=u.sum())
    return each.group_by(column).agg(deals=COUNT, scores=(pl.col("u") ** 2).sum())


def _slope(row: SumsRow) -> dict[str, Any]:
    deals = row["deals"]
    estimate = slope_from_sums(row["w"], row["wgap"], row["scores"], deals)
    columns = {name: value for name, value in row.items() if name not in ("w", "wgap", "scores")}
    if deals < 2:
        return columns | dict.fromkeys(DIFFERENCE_ENDS[1:]) | {"difference": estimate.slope, "p": 1.0}
    spread = deals**2 / (deals - 1) * row["scores"] / row["w"] ** 2  # per deal: slope variance × deals
    p = difference_p_value(estimate.slope, spread, deals)
    ends = dict(
        zip(DIFFERENCE_ENDS, (estimate.slope, max(-1.0, estimate.low), min(1.0, estimate.high)), strict=True)
    )
    return columns | ends | {"p": p}


@finding
def pieces(findings: Findings) -> pl.DataFrame:
    """Per cell to look at and named component: how often it is available, taken and played, and share won.

    Counts are per traced game. available: fraction of the games in which a seat could take it or had it;
    taken, played: copies that seats had, and plays; left: copies on offer at the end, or with a seat and
    unplayed; used: fraction of the games with it available in which it was played, or taken / (taken + left)
    where pieces serve at once; users: share of the seats that played it, or took it where pieces serve at
    once; never: what never happened to it; chances: deals in which it was available, or
    all deals if it never was. with_games, without_games: moments at which it was taken and was not;
    difference: share won after the former less after the latter, at equal standing, with 95 % interval
    clustered by deal; p_adjusted: for no difference, over all pieces of the cell (Holm); raw: share won by
    the seats that had it less that of seats that had not, in the same seat with the same strategy, at any
    standing. Association, not cause.

    Comparison at equal standing: games of a seat that takes a piece against games of a seat that could take
    it in such a turn and took others instead. Similar moments: `PieceLog`; formula: `treatment_differences`.
    Source: Li, Propert & Rosenbaum 2001, J. Am. Stat. Assoc. 96, 870-882 (comparison with units at risk);
    Cochran 1968, Biometrics 24, 295 (five bands).
    """
    parts = []
    for traced in findings.cached(_traced_pieces):
        own = [(part.label, part.label, part.copies) for part in traced.named]
        table = _pieces_table(traced, own, treatment_differences(traced.moments, "piece", ALIKE))
        raw = _raw(traced)
        parts.append(table.join(raw, left_on="of", right_on="piece", how="left", maintain_order="left"))
    return findings.with_cells(pl.concat(parts).rename({"of": "piece"})) if parts else pl.DataFrame()


@finding
def piece_kinds(findings: Findings) -> pl.DataFrame:
    """Per cell to look at and kind of piece (`kind` colour, `of` blue): `pieces` for all pieces of the kind.

    Moments are compared within each piece, so that the result is about what the pieces of a kind have in
    common; p_adjusted: over the kinds of one sort in the cell; copies: of all its pieces combined.
    """
    parts = []
    for traced in findings.cached(_traced_pieces):
        for kind in dict.fromkeys(name for part in traced.named for name in part.kinds):
            own = [(part.label, part.kinds[kind], part.copies) for part in traced.named if kind in part.kinds]
            kind_of_piece = pl.DataFrame(
                [row[:2] for row in own], schema=text_columns("piece", "of"), orient="row"
            )
            rows = traced.moments.join(kind_of_piece, on="piece")
            table = _pieces_table(traced, own, treatment_differences(rows, "of", [*ALIKE, "piece"]))
            parts.append(table.with_columns(kind=pl.lit(kind)))
    return findings.with_cells(pl.concat(parts)) if parts else pl.DataFrame()


def _traced_pieces(findings: Findings) -> list[PieceLog]:
    """Return the traced pieces of the cells to look at; none without a trace of pieces."""
    run = findings.run
    if not (run.experiment.trace and run.has_pieces and run.words.pieces):
        return []
    return [PieceLog(findings, cell, named) for cell, named in _pieces_of_shown_cells(run).items()]


def _pieces_of_shown_cells(run: Run) -> dict[int, list[PieceWords]]:
    """Return the pieces of the cells to look at, or of the first setting with pieces if these have none."""
    pieces_of = {
        cell.index: [p for p in run.words.pieces if not p.cells or cell.index in p.cells]
        for cell in run.cells
    }
    baseline = {cell: pieces_of[cell] for cell in cells_to_look_at(run) if pieces_of[cell]}
    cells = [cell for cell in run.cells if pieces_of[cell.index]]
    return baseline or {cell.index: pieces_of[cell.index] for cell in cells if cell.varied == cells[0].varied}


def _pieces_table(traced: PieceLog, own: list[tuple[str, str, int]], compared: pl.DataFrame) -> pl.DataFrame:
    """Return counts and comparison by `of`; rows of `own`: piece, the `of` it belongs to, and its copies."""
    named = pl.DataFrame(own, schema=text_columns("piece", "of") | whole("copies"), orient="row")
    every = named.group_by("of", maintain_order=True).agg(pl.col("copies").sum())
    counts = _event_counts(traced, named.select("piece", "of"))
    table = every.join(counts, on="of", how="left", maintain_order="left")
    first = compared.columns[0]
    table = table.join(compared, left_on="of", right_on=first, how="left", maintain_order="left")
    table = table.with_columns(pl.col(*COUNTS, "users").fill_null(0.0))
    games, every_deal = (pl.lit(count, pl.Int64) for count in (traced.games, traced.deals))
    chances, never = pl.col("chances").fill_null(every_deal), _never(traced.played, traced.owned)
    return table.with_columns(cell=pl.lit(traced.cell, pl.Int64), games=games, never=never, chances=chances)


def _never(played: bool, owned: bool) -> pl.Expr:
    """Return the first of available, taken and played that never happened to a piece; null if all did."""
    available, taken, used = (pl.col(name) == 0 for name in COUNTS[:3])
    had = pl.lit("taken" if owned else "played")
    never = pl.when(available).then(pl.lit("available")).when(taken).then(had)
    return never.when(pl.lit(played) & used).then(pl.lit("played"))


def _event_counts(log: PieceLog, named: pl.DataFrame) -> pl.DataFrame:
    """Return counts of events per game, by `of`."""
    copies, event, each = pl.col("copies").cast(pl.Int64), pl.col("event"), pl.struct("play", "piece")
    left = event.is_in(["unsold", "kept"] if log.played else ["unsold"])
    seen, use = event.is_in(["offered", "taken", "given"]), event == "played"
    sums = {"taken": event.is_in(["taken", "given"]), "played": use, "left": left}
    counts = {name: copies.filter(events).sum() / log.games for name, events in sums.items()}
    games = {name: each.filter(events).n_unique() for name, events in {"seen": seen, "use": use}.items()}
    counts |= games | {"available": pl.col("play").filter(seen).n_unique() / log.games}
    deals = pl.col("deal").filter(seen).n_unique().cast(pl.Int64)
    users = pl.struct("play", "seat").filter(use if log.played else sums["taken"]).n_unique()
    counts |= {"chances": pl.when(deals > 0).then(deals), "users": users / log.seats.height}
    table = log.events.join(named, on="piece").group_by("of").agg(**counts)
    used, total = ("use", pl.col("seen")) if log.played else ("taken", pl.col("taken") + pl.col("left"))
    return table.with_columns(used=pl.when(total > 0).then(pl.col(used) / total)).drop("seen", "use")


def _raw(log: PieceLog) -> pl.DataFrame:
    """Return owners less non-owners by piece, with the weights of `treatment_differences`."""
    group, sums = ["seat", "strategy"], {"n": pl.len().cast(pl.Int64), "y": pl.col("share").sum()}
    every = log.seats.group_by(group).agg(**sums)
    own = log.had.join(log.seats, on=PLAY_SEAT).group_by("piece", *group).agg(**sums)
    both = own.join(every, on=group, suffix="_every").sort("piece", *group)
    n1, n0 = pl.col("n"), pl.col("n_every") - pl.col("n")
    w = (n1 * n0 / (n1 + n0)).alias("w")
    gap = pl.col("y") / n1 - (pl.col("y_every") - pl.col("y")) / n0
    strata = both.with_columns(w, gap.alias("gap")).filter(n0 > 0)
    return strata.group_by("piece").agg(raw=(pl.col("w") * pl.col("gap")).sum() / pl.col("w").sum())
