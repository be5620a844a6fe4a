"""Win rate of a player who makes random errors, from the side run of a run."""

import polars as pl

from simkit.analysis.deals import reals, texts, whole
from simkit.analysis.findings import Findings, finding
from simkit.runs.experiment import Cell
from simkit.runs.extras.beginners import FOLDER, errors_of, player
from simkit.runs.run import open_run

KINDS = whole("seats") | texts("strategy") | reals("errs", "share", "low", "high", "fair")
KINDS |= whole("games", "deals")


def beginner_findings(findings: Findings) -> Findings | None:
    """Return the findings of the side run with errors; None if the experiment did not request it."""
    if not findings.run.experiment.beginners:
        return None
    whole = findings.whole or findings
    return whole.cached(_opened)


def _opened(findings: Findings) -> Findings:
    return Findings(open_run(findings.run.folder / FOLDER))


@finding
def beginners(findings: Findings) -> pl.DataFrame:
    """Per number of seats and error rate of one player (errs): the share that this player wins.

    strategy: the strategy of all players. An error is a random legal action. The player with errors sits in
    every seat equally often. fair: the share without errors, 1 / seats where every game has a winner. For a
    team: the share of the team; errs = 0, and fair, is its share without errors. Rules and seats:
    `simkit.runs.extras.beginners`.
    """
    small = findings.cached(beginner_findings)
    if small is None:
        return pl.DataFrame()
    shares = small.seat_shares if small.run.team else small.strategy_shares
    parts = [_row(small, shares, cell) for cell in small.run.cells]
    return pl.DataFrame(parts, schema=KINDS, orient="row").sort("seats", "errs")


def _row(small: Findings, shares: pl.DataFrame, cell: Cell) -> tuple[object, ...]:
    rows = shares.filter(cell=cell.index)
    team = small.run.team
    row = (rows if team else rows.filter(strategy=cell.labels[0])).row(0, named=True)
    fair = _without_errors(small, cell) if team else _fair(small, cell)
    ends = row["share"], row["low"], row["high"], fair
    return cell.seats, str(player(cell)), errors_of(cell), *ends, row["games"], row["deals"]


def _fair(small: Findings, cell: Cell) -> float:
    return float(small.seat_shares.filter(cell=cell.index)["fair"][0])


def _without_errors(small: Findings, cell: Cell) -> float:
    """Return the share won by a team with the same number of seats and no errors."""
    cells = [other for other in small.run.cells if other.seats == cell.seats]
    (steady,) = (other.index for other in cells if not errors_of(other))
    return float(small.seat_shares.filter(cell=steady)["share"][0])
