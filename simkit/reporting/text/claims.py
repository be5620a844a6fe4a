"""Results of claims in words: the rows of a gate, and the sentence that sums them up."""

from collections.abc import Sequence

from simkit.analysis.claims import BROKEN, UNKNOWN
from simkit.formatting import counted
from simkit.reporting.text.phrases import Row
from simkit.runs.schemas.lock import Lock, Result

MAX_NAMED = 3  # claims in a sentence


def rows(before: Lock, results: Sequence[Result]) -> list[Row]:
    """Return a row per claim: its value when the state `before` was accepted, and what holds now."""
    return [_row(before.accepted(result.claim), result) for result in results]


def _row(accepted: Result | None, now: Result) -> Row:
    values = {"accepted": value(accepted) if accepted else "-", "now": value(now)}
    further = f" (about {now.further:,} more games)" if now.further else ""
    return {
        "claim": now.claim,
        **values,
        "change": change(now),
        "games": now.games,
        "verdict": now.verdict + further,
    }


def value(result: Result) -> str:
    """Return a value with its interval, and the component that it is about."""
    piece = f", {result.piece}" if result.piece else ""
    return f"{result.value:.1f} ({result.low:.1f} to {result.high:.1f}{piece})"


def change(result: Result) -> str:
    """Return the change since the accepted state with its interval, or a dash."""
    if result.change is None:
        return "-"
    return f"{result.change:+.1f} ({result.change_low:+.1f} to {result.change_high:+.1f})"


def sentence(results: Sequence[Result], games: int) -> str:
    """Return what a gate says, in a sentence or two.

    >>> sentence([], 0)
    'All 0 claims hold. No game was played: the lock file has the answers.'
    """
    broken = [result.claim for result in results if result.verdict == BROKEN]
    unknown = [result for result in results if result.verdict == UNKNOWN]
    effort = (
        f"{counted(games, 'game')} were played."
        if games
        else "No game was played: the lock file has the answers."
    )
    if broken:
        names = "; ".join(broken[:MAX_NAMED]) + ("; ..." if len(broken) > MAX_NAMED else "")
        return f"{len(broken)} of {counted(len(results), 'claim')} broken: {names}. {effort}"
    if unknown:
        return f"No claim is broken; {len(unknown)} of {len(results)} cannot be decided yet. {effort}"
    return f"All {counted(len(results), 'claim')} hold. {effort}"


def next_step(results: Sequence[Result], file: str, deals: int) -> str:
    """Return what to do after a gate."""
    if any(result.verdict == BROKEN for result in results):
        return f'Change the rules back, or edit the claim in {file} and give: simkit gate {file} --accept "reason"'
    if any(result.verdict == UNKNOWN for result in results):
        return f"For a decision set deals = {4 * deals} in {file} and gate again, or widen the range of the claim."
    return f"Commit {file} with the rules: it records what was tested."
