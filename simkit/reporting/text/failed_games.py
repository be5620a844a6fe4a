"""Warnings about games that failed: their number, how they count, and how to replay one."""

from collections.abc import Iterator

from simkit.analysis import Findings, open_findings
from simkit.analysis.beginners import beginner_findings
from simkit.reporting.text.commands import command_again
from simkit.reporting.text.phrases import TableRow, prose

MAX_FAULTS_NAMED = 3  # faults


def failures(findings: Findings) -> list[str]:
    """Return warnings about failed games of a run that keeps going, and of the runs inside its folder."""
    run = findings.run
    if not run.experiment.keep_going:
        return []
    runs, beginner_games = [(findings, "games")], findings.cached(beginner_findings)
    runs += [(beginner_games, "games with a player who errs")] if beginner_games else []
    runs += [(open_findings(stage), f"games of the {stage.name} look") for stage in run.search_runs]
    return [warning for run_findings, games in runs for warning in _warning(run_findings, games)]


def _warning(findings: Findings, games: str) -> Iterator[str]:
    kinds = findings.fault_kinds
    if kinds.is_empty():
        return
    failed, total = kinds["games"].sum(), sum(cell.plays for cell in findings.run.cells)
    faults = [_fault(row) for row in kinds.head(MAX_FAULTS_NAMED).iter_rows(named=True)]
    rest = kinds["games"][MAX_FAULTS_NAMED:].sum()
    faults += [f"{rest:,} by other faults"] if rest else []
    lost = "the team" if findings.run.team else "the seat whose strategy failed (by all, where the rules did)"
    command = command_again(findings.run, "replay", findings.run.place, str(kinds["play"][0]))
    yield prose(f"""{failed:,} of {total:,} {games} failed. They count as lost by {lost}, with the turns and
        scores up to there: {"; ".join(faults)}. To replay it up to there: {command}""")


def _fault(row: TableRow) -> str:
    """Return the number of games with a fault, and its first occurrence."""
    line = f" ({row['fault_line']})" if row["fault_line"] else ""
    seat = "" if row["fault_seat"] is None else f", seat {row['fault_seat']}"
    place = f"first in play {row['play']} (deal {row['deal']}{seat})"
    return f"{row['games']:,}, {place}: {row['fault']}{line}"
