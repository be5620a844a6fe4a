"""Sequential probability ratio test of a match: scores of deals, state of the test, decision."""

from typing import NamedTuple

import polars as pl

from simkit.errors import UsageError
from simkit.formatting import formed
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import Cell
from simkit.runs.stopping.pairings import sides
from simkit.stats import matches, sprt
from simkit.stats.matches import Counts

STRONGER, NOT_STRONGER, OPEN = "H1", "H0", "continue"
Tallied = dict[float, int]  # score of a deal -> deals


class Standing(NamedTuple):
    """A match after some number of deals."""

    seats: int
    games: int
    counts: Counts
    elos: tuple[float, float]  # the two hypotheses, H0 and H1
    normalized: bool

    @property
    def deals(self) -> int:
        """The number of deals."""
        return int(self.counts.deals.sum())

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the test."""
        return matches.llr(self.counts, self.elos, self.seats, self.normalized)

    @property
    def decision(self) -> str:
        """The decision of the test: STRONGER, NOT_STRONGER or OPEN."""
        return sprt.decision(self.llr)

    @property
    def line(self) -> str:
        """The progress line as chess-engine testers write it; its Elo is that of a fixed number of games."""
        low, high = sprt.sprt_bounds()
        interval = matches.fixed(self.counts, self.games)
        value, *ends = (elo_words(sprt.elo_of_score(score, self.seats)) for score in interval)
        counts = ", ".join(map(str, matches.classes(self.counts, self.seats)))
        scale = " normalised" if self.normalized else ""
        return (
            f"LLR {self.llr:.2f} ({low:.2f} to {high:.2f}) [{self.elos[0]:g}, {self.elos[1]:g}]{scale}, "
            f"{self.games:,} games, {100 * self.counts.score:.2f} %, Elo {value} ({' to '.join(ends)}), "
            f"deals by score [{counts}]"
        )


def elo_words(elo: float) -> str:
    """Return an Elo difference as text.

    >>> elo_words(12.34), elo_words(float("inf"))
    ('+12.3', '+∞')
    """
    if abs(elo) == float("inf"):
        return "+∞" if elo > 0 else "-∞"
    return formed("{:+.1f}", elo)


def match_of(run: Run) -> tuple[str, str] | None:
    """Return the two strategies of a match (one setting, all rotations); None if the run is not a match."""
    whole = not run.team and all(cell.rotations == cell.seats for cell in run.cells)
    one_setting = all(cell.varied == run.cells[0].varied for cell in run.cells)
    return sides([cell.labels for cell in run.cells]) if whole and one_setting else None


def deal_scores(seats: pl.LazyFrame, cells: list[Cell]) -> pl.LazyFrame:
    """Return the score of the first strategy in each deal of a match; `seats` are rows of the seats table."""
    first, last = cells[0], cells[-1]
    name = pl.col("strategy").cast(pl.String)
    share = pl.col("share").cast(pl.Float64)
    share_of_first = share.filter((pl.col("cell") == first.index) & (name == first.labels[0])).mean()
    alone = first.labels[1] if len(cells) == 1 else last.labels[0]
    share_of_second = share.filter((pl.col("cell") == last.index) & (name == alone)).mean()
    return seats.group_by("deal").agg(score=(0.5 + (share_of_first - share_of_second) / 2).round(9))


class Test:
    """The stopping rule of a match: its sequential test, updated at each analysis."""

    def __init__(self, run: Run) -> None:
        self.cells, self.experiment = run.cells, run.experiment
        self.tallied: Tallied = {}
        self.progress_line = ""

    @staticmethod
    def check(experiment: Experiment, lineups: list[list[str]], rotated: bool) -> None:
        """Refuse an experiment that is no match; `rotated`: whether all rotations are played."""
        ends = experiment.until_elo
        if len(ends) != 2 or ends[0] >= ends[1]:
            raise UsageError(
                f"key 'until_elo': must be two increasing numbers, for example [0, 10], not {ends}"
            )
        if experiment.sweep or not rotated or sides(lineups) is None:
            match = "a match is one setting of a game that is not co-operative, two strategies"
            match += " in all rotations"
            raise UsageError(f"key 'until_elo': {match} (three seats: a, b, b and b, a, a); see simkit match")

    def enough(self, more: pl.LazyFrame) -> set[int]:
        """Return the cells to stop after the rows of one more analysis: all of them or none."""
        counted = deal_scores(more, self.cells).group_by("score").agg(deals=pl.len()).sort("score")
        for score, deals in counted.collect(engine="streaming").iter_rows():
            self.tallied[score] = self.tallied.get(score, 0) + deals
        now = standing(self.tallied, self.cells, self.experiment)
        self.progress_line = now.line
        return set() if now.decision == OPEN else {cell.index for cell in self.cells}


def standing(tallied: Tallied, cells: list[Cell], experiment: Experiment) -> Standing:
    """Return the state of a match; `tallied` maps scores of deals to numbers of deals."""
    (low, high), normalized = experiment.until_elo, experiment.normalized_elo
    seats, deals = cells[0].seats, sum(tallied.values())
    counts = matches.counted(list(tallied), list(tallied.values()), seats)
    return Standing(seats, deals * sum(cell.rotations for cell in cells), counts, (low, high), normalized)
