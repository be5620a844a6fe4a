"""Games that failed: how many, what they count as, and how to see one."""

from collections.abc import Iterator

from simkit.analysis import Findings, open_findings
from simkit.analysis.beginners import beside
from simkit.reporting.text.commands import again
from simkit.reporting.text.phrases import Row, prose

MOST_TOLD = 3  # faults


def failures(found: Findings) -> list[str]:
    """What to beware of where games failed, in a run that keeps going and in those in its folder."""
    run = found.run
    if not run.experiment.keep_going:
        return []
    runs, small = [(found, "games")], found.kept(beside)
    runs += [(small, "games with a player who errs")] if small else []
    runs += [(open_findings(one), f"games of the {one.name} look") for one in run.looks]
    return [said for of, games in runs for said in _of(of, games)]


def _of(findings: Findings, games: str) -> Iterator[str]:
    kinds = findings.fault_kinds
    if kinds.is_empty():
        return
    failed, every = kinds["games"].sum(), sum(cell.plays for cell in findings.run.cells)
    told = [_fault(row) for row in kinds.head(MOST_TOLD).iter_rows(named=True)]
    rest = kinds["games"][MOST_TOLD:].sum()
    told += [f"{rest:,} by other faults"] if rest else []
    lost = "the team" if findings.run.team else "the seat whose strategy failed (by all, where the rules did)"
    command = again(findings.run, "replay", findings.run.place, str(kinds["play"][0]))
    yield prose(f"""{failed:,} of {every:,} {games} failed. They count as lost by {lost}, with the turns and
        scores up to there: {"; ".join(told)}. Told up to there: {command}""")


def _fault(row: Row) -> str:
    """How many games failed by what, and which one first."""
    line = f" ({row['fault_line']})" if row["fault_line"] else ""
    seat = "" if row["fault_seat"] is None else f", seat {row['fault_seat']}"
    place = f"first in play {row['play']} (deal {row['deal']}{seat})"
    return f"{row['games']:,}, {place}: {row['fault']}{line}"
