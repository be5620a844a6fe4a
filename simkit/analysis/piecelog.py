"""Piece events of a cell, and the moments at which seats could take pieces.

A moment is a turn in which a seat took some piece while this piece was on offer and the seat did not have it
yet: the seat took it, or took others instead (a seat that took nothing did something else with its turn: no
fair comparison). The start is a moment, too, for pieces that some seats have before they can choose. Moments
are similar in the same seat, with the same strategy, in the same band of turns (`when`) and of standings
within it (`standing`): the score less the best other score at the end of the turn before, for a team its
score. The start is a band of its own, 0.
"""

from functools import cached_property

import polars as pl

from simkit.analysis.findings import Findings
from simkit.analysis.table import text
from simkit.runs.run_metadata import PieceWords

BANDS = 5  # bands of turns, and bands of standings within each
MOST_GAMES = 10_000  # traced games analysed per cell
ALIKE = ["seat", "strategy", "when", "standing"]
PLAY_SEAT = ["play", "seat"]
START = pl.lit(0, pl.Int64)


class PieceLog:
    """Pieces of a cell, events of its traced games, turns of the seats, and shares won."""

    def __init__(self, findings: Findings, cell: int, named: list[PieceWords]) -> None:
        self.cell, self.named, run = cell, named, findings.run.only([cell])
        self.played = run.words.played  # whether pieces are taken first and played later
        deals, rotations = run.cells[0].deals, run.cells[0].rotations
        most = min(run.experiment.trace, deals, max(1, MOST_GAMES // rotations))
        inside, part = (pl.col("cell") == cell) & (pl.col("deal") < most), run.between(0, most)
        events = ["play", "deal", text("piece"), text("event"), "seat", "turn", "last", "copies"]
        seat_columns = ["play", "deal", "seat", text("strategy"), "share"]
        self.team, self.deals, self.games = run.team, most, most * rotations
        traced_events = part.pieces().filter(inside).select(events).collect()
        # Where seats own no pieces, a piece is taken when it is played.
        self.owned = bool(traced_events.select(pl.col("event").is_in(["taken", "given"]).any()).item())
        plays = traced_events.filter(event="played").with_columns(event=pl.lit("taken"))
        self.events = traced_events if self.owned else pl.concat([traced_events, plays])
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


def band(column: str) -> pl.Expr:
    """Return the band, 1 to BANDS, of each value: bands of about equal size; equal values share a band."""
    value = pl.col(column)
    return (value.rank("average") * BANDS / value.count()).ceil().clip(1, BANDS).cast(pl.Int64)
