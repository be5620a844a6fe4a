"""Checks: Test changed rules against the claims of a lock file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Unpack

from simkit.ask import lock_file as locks
from simkit.ask.arguments import How, Location, Shell
from simkit.ask.execution import Execution
from simkit.ask.gate import Gated, judge_lock, merge_sides
from simkit.ask.question import question
from simkit.errors import UsageError


@question()
def gate(
    execution: Execution,
    file: Annotated[Location, Shell(positional=True)] = "balance.lock",
    *,
    accept: Annotated[str, Shell(metavar="REASON")] | None = None,
    merge: bool = False,
    **keywords: Unpack[How],
) -> Gated:
    """Test changed rules against the claims of a lock file.

    You get a verdict for each claim: HOLDS, CHANGED BUT HOLDS, BROKEN or NOT KNOWN YET, with the change since
    the accepted rules. Nothing is played while rules, cards and players are those of the lock file. Of all
    claims called broken on a branch at most 5 % are expected to be false alarms, as long as the lock file,
    which records what was tested, is committed with every change. Every other branch that was gated apart and
    is merged adds at most 5 %. The command exits with 1 if a claim is broken, and with 2 if the question
    cannot be answered.

    Args:
        file: Lock file.
        accept: Accept the present rules, for this reason: measure all claims on fresh deals, and add a line
            to the history.
        merge: Join the histories and budgets of both sides of a conflict that Git left in the file; nothing
            is played.
        out: Folder that keeps the runs.

    Returns:
        The results of the claims; `result.broken` lists those that do not hold.

    Example:
        >>> gate("nowhere.lock")
        Traceback (most recent call last):
        simkit.errors.UsageError: nowhere.lock: cannot be read: No such file or directory

    Command line::

        simkit gate balance.lock
    """
    place = Path(file)
    if accept is not None and not accept.strip():
        raise UsageError('accept needs a reason, such as "a strong population card"; the history keeps it')
    if merge:
        return merge_sides(place)
    return judge_lock(execution, place, locks.read(place), accept or "")
