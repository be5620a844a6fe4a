"""Components with names that are too strong, too weak or never used, from piece events of traced games.

Comparison at equal standing: games of a seat that takes a piece against games of a seat that could take it
in such a turn and took others instead. Similar moments: `simkit.analysis.piecelog`; formula:
`simkit.analysis.matched`. Source: Li, Propert & Rosenbaum 2001, J. Am. Stat. Assoc. 96, 870-882 (comparison
with units at risk); Cochran 1968, Biometrics 24, 295 (five bands). An association, not an effect.
"""

import polars as pl

from simkit.analysis.deals import texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.analysis.matched import compared
from simkit.analysis.piecelog import ALIKE, PLAY_SEAT, PieceLog
from simkit.analysis.table import cells_to_look_at
from simkit.runs.folder import Run
from simkit.runs.run_metadata import PieceWords

COUNTS = ["available", "taken", "played", "left"]


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
    """
    parts = []
    for traced in findings.cached(_traced_pieces):
        own = [(part.label, part.label, part.copies) for part in traced.named]
        table = _pieces_table(traced, own, compared(traced.moments, "piece", ALIKE))
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
            kind_of_piece = pl.DataFrame([row[:2] for row in own], schema=texts("piece", "of"), orient="row")
            rows = traced.moments.join(kind_of_piece, on="piece")
            table = _pieces_table(traced, own, compared(rows, "of", [*ALIKE, "piece"]))
            parts.append(table.with_columns(kind=pl.lit(kind)))
    return findings.with_cells(pl.concat(parts)) if parts else pl.DataFrame()


def _traced_pieces(findings: Findings) -> list[PieceLog]:
    """Return the traced pieces of the cells to look at; none without a trace of pieces."""
    run = findings.run
    if not (run.experiment.trace and run.has_pieces and run.words.pieces):
        return []
    return [PieceLog(findings, cell, named) for cell, named in _looked(run).items()]


def _looked(run: Run) -> dict[int, list[PieceWords]]:
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
    named = pl.DataFrame(own, schema=texts("piece", "of") | whole("copies"), orient="row")
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
    """Return owners less non-owners by piece, with the weights of `simkit.analysis.matched`."""
    group, sums = ["seat", "strategy"], {"n": pl.len().cast(pl.Int64), "y": pl.col("share").sum()}
    every = log.seats.group_by(group).agg(**sums)
    own = log.had.join(log.seats, on=PLAY_SEAT).group_by("piece", *group).agg(**sums)
    both = own.join(every, on=group, suffix="_every").sort("piece", *group)
    n1, n0 = pl.col("n"), pl.col("n_every") - pl.col("n")
    w = (n1 * n0 / (n1 + n0)).alias("w")
    gap = pl.col("y") / n1 - (pl.col("y_every") - pl.col("y")) / n0
    strata = both.with_columns(w, gap.alias("gap")).filter(n0 > 0)
    return strata.group_by("piece").agg(raw=(pl.col("w") * pl.col("gap")).sum() / pl.col("w").sum())
