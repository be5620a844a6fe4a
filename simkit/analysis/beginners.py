"""Win rate of a player who makes random errors, from the side run of a run."""

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.runs.folder import BEGINNERS, open_run
from simkit.runs.plan import Cell

BEGINNERS_SCHEMA = whole("seats") | texts("strategy") | reals("errs", "share", "low", "high", "fair")
BEGINNERS_SCHEMA |= whole("games", "deals")


def beginner_findings(findings: Findings) -> Findings | None:
    """Return the findings of the side run with errors; None if the experiment did not request it."""
    if not findings.run.experiment.beginners:
        return None
    if findings.whole:
        return findings.whole.cached(beginner_findings)
    return Findings(open_run(findings.run.folder / BEGINNERS))


@finding
def beginners(findings: Findings) -> pl.DataFrame:
    """Per number of seats and error rate of one player (errs): the share that this player wins.

    strategy: the strategy of all players. An error is a random legal action. The player with errors sits in
    every seat equally often. fair: the share without errors, 1 / seats where every game has a winner. For a
    team: the share of the team; errs = 0, and fair, is its share without errors. Rules and seats:
    `simkit.runs.plan`.
    """
    small = findings.cached(beginner_findings)
    if small is None:
        return pl.DataFrame()
    parts = [_beginner_row(small, cell) for cell in small.run.cells]
    return pl.DataFrame(parts, schema=BEGINNERS_SCHEMA, orient="row").sort("seats", "errs")


def _beginner_row(small: Findings, cell: Cell) -> tuple[object, ...]:
    seats = small.seat_shares
    if small.run.team:
        row, steady = seats.filter(cell=cell.index).row(0, named=True), _without_errors(small, cell)
        fair = seats.filter(cell=steady.index)["share"][0]
    else:
        shares = small.strategy_shares
        row = shares.filter(cell=cell.index, strategy=cell.labels[0]).row(0, named=True)
        fair = seats.filter(cell=cell.index)["fair"][0]
    ends = row["share"], row["low"], row["high"], fair, row["games"], row["deals"]
    return cell.seats, str(cell.usual_player), cell.error_rate, *ends


def _without_errors(small: Findings, cell: Cell) -> Cell:
    """Return the cell with the same number of seats and no errors."""
    return next(other for other in small.run.cells if other.seats == cell.seats and not other.error_rate)
