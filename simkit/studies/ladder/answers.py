"""What the games of a rung say: shares with verdicts, length, lead changes, components, fair value."""

import math
from typing import Any

import numpy as np
import polars as pl

from simkit.analysis import Findings, axes
from simkit.analysis.deals import deal_counts, moments
from simkit.runs.folder import Run
from simkit.runs.schemas.ladder import Answers, Estimate, FairAt, Rung
from simkit.stats import crossing
from simkit.stats.sprt import elo_of_share

MAX_COMPONENTS = 3
EDGE = 0.002  # shares nearer to 0 or 1 are moved there before they become Elo


def with_answers(rung: Rung, mirror: Run, name: str) -> Rung:
    """Return a rung with the answers of its games against itself, a side run of this name."""
    return rung.model_copy(update={"run": name, "answers": _answers(mirror), "fair": _fair(mirror)})


def share_of(match: Run, label: str) -> Estimate:
    """Return the share of a strategy in the only cell of a run; of a team, its win rate."""
    findings = Findings(match)
    rows = findings.seat_shares if match.team else findings.strategy_shares.filter(strategy=label)
    return _estimate(rows.row(0, named=True), "share")


def above(below: Rung | None, share: Estimate, seats: int) -> Estimate:
    """Return the Elo of a rung above the lowest one, from its share against the rung below."""
    value, low, high = (
        elo_of_share(min(max(end, EDGE), 1 - EDGE), seats) for end in (share.value, share.low, share.high)
    )
    start = (below and below.elo) or Estimate(value=0, low=0, high=0)
    total = start.value + value
    return Estimate(
        value=total,
        low=total - math.hypot(start.value - start.low, value - low),
        high=total + math.hypot(start.high - start.value, high - value),
    )


def _answers(mirror: Run) -> list[Answers]:
    return [_answers_of(Findings(mirror.only([cell.index]))) for cell in mirror.cells]


def _answers_of(findings: Findings) -> Answers:
    """Return the answers of the only cell of some findings."""
    (cell,) = findings.run.cells
    (first,) = findings.first_player_advantage.rows(named=True)
    changes = findings.lead_changes.rows(named=True) if not findings.run.team else []
    return Answers(
        setting=cell.varied,
        deals=cell.deals,
        shares=[_estimate(row, "share") for row in findings.seat_shares.rows(named=True)],
        verdict=first["verdict"],
        turns=_estimate(findings.lengths.filter(measure="turns").row(0, named=True), "mean"),
        lead_changes=_estimate(changes[0], "mean") if changes else None,
        components=_components(findings),
    )


def _estimate(row: dict[str, Any], name: str) -> Estimate:
    low, high = (row[name] if row[end] is None else row[end] for end in ("low", "high"))
    return Estimate(value=row[name], low=low, high=high)


def _components(findings: Findings) -> list[str]:
    """Return the columns of the seats table that surely go with winning, the most certain first."""
    table = findings.components
    if table.is_empty():
        return []
    surely = table.filter((pl.col("difference_low") > 0) | (pl.col("difference_high") < 0))
    return surely["column"].head(MAX_COMPONENTS).to_list()


def _fair(mirror: Run) -> FairAt | None:
    """Return where the first player's share is fair, if rivals play and one whole-number option is varied."""
    varied = axes(mirror)
    if mirror.team or len(varied) != 1 or len(varied[0].options) != 1 or not varied[0].whole_numbers:
        return None
    (option,) = varied[0].options
    counts = deal_counts(mirror.seats().filter(seat=0), ["cell"], pl.col("share").mean()).collect()
    rows = {row["cell"]: row for row in moments(counts.sort("cell", "value"), ["cell"]).rows(named=True)}
    cells = sorted(mirror.cells, key=lambda cell: int(cell.varied[option]))
    x, shares = [int(cell.varied[option]) for cell in cells], [rows[cell.index] for cell in cells]
    errors = [row["variance"] / row["deals"] for row in shares]
    line = crossing.polyline(x, [row["mean"] for row in shares], np.diag(errors))
    point = crossing.crossing(line, mirror.cells[0].fair, near=float(np.mean(x)))
    value, low, high = (None if math.isinf(end) else end for end in point) if point else (None, None, None)
    return FairAt(option=option, value=value, low=low, high=high)
