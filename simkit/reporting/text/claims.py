"""Results of claims in words: the rows of a gate, and the sentence that sums them up."""

from collections.abc import Sequence

from simkit.analysis.claims import BROKEN, UNKNOWN
from simkit.formatting import counted
from simkit.reporting.text.numbers import number, roughly, span
from simkit.reporting.text.phrases import TableRow
from simkit.runs.schemas.lock import Lock, Result

NOTHING_PLAYED = "No game was played: the lock file has the answers"


def rows(before: Lock, results: Sequence[Result]) -> list[TableRow]:
    """Return a row per claim: its value when the state `before` was accepted, and what holds now."""
    accepted = {result.subject: result for result in before.accepted}
    return [_row(accepted.get(result.subject), result) for result in results]


def _row(accepted: Result | None, now: Result) -> TableRow:
    values = {
        "accepted": _claim_value(accepted) if accepted else "-",
        "now": _claim_value(now),
        "change": "-",
    }
    if now.change is not None and now.change_low is not None and now.change_high is not None:
        ends = span(now.change_low, now.change_high, sign=True)
        values["change"] = f"{number(now.change, sign=True)} ({ends})"
    notes = [f"about {roughly(now.further)} more games"] if now.further else []
    if now.verdict == UNKNOWN and now.is_outside:
        level = f"{100 * now.level:.2g} %"
        notes.insert(0, f"outside at 5 %, not yet at the {level} that the error budget leaves")
    verdict = f"{now.verdict} ({'; '.join(notes)})" if notes else now.verdict
    return {"claim": now.claim, **values, "games": now.games, "verdict": verdict}


def _claim_value(result: Result) -> str:
    piece = f", {result.piece}" if result.piece else ""
    return f"{number(result.value)} ({span(result.low, result.high)}{piece})"


def sentence(results: Sequence[Result], games: int) -> str:
    """Return what a gate says, in two sentences.

    >>> sentence([], 0)
    'All 0 claims hold. No game was played: the lock file has the answers.'
    """
    return f"{state(results)}. {counted(games, 'game') + ' played' if games else NOTHING_PLAYED}."


def state(results: Sequence[Result]) -> str:
    """Return which claims are broken, or whether all hold, as a sentence without its full stop."""
    broken = [result.claim for result in results if result.verdict == BROKEN]
    if broken:
        return f"{len(broken)} of {counted(len(results), 'claim')} broken: {'; '.join(broken)}"
    if unknown := sum(result.verdict == UNKNOWN for result in results):
        return f"No claim is broken; {unknown} of {len(results)} cannot be decided yet"
    return "The claim holds" if len(results) == 1 else f"All {len(results)} claims hold"


def next_step(results: Sequence[Result], file: str, deals: int) -> str:
    """Return what to do after a gate."""
    verdicts = [result.verdict for result in results]
    if BROKEN in verdicts:
        return f'Change the rules, or edit the claim in {file} and give: simkit gate {file} --accept "reason"'
    if UNKNOWN in verdicts:
        return f"For a decision set deals = {4 * deals} in {file} and gate again, or widen the claim."
    return f"Commit {file} with the rules: it records what was tested."
