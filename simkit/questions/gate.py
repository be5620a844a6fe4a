"""Checks: Test changed rules against the claims of a lock file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Unpack

from simkit.ask import lock_file as locks
from simkit.ask.arguments import How, Location, Shell
from simkit.ask.execution import Execution
from simkit.ask.gate import Gated, git_output, judge_lock, merge_locks
from simkit.ask.question import question
from simkit.errors import UsageError

# A conflict as Git marks it; its two groups are the sides.
HUNK = re.compile(r"(?m)^<{7} .*\n((?s:.*?))(?:^\|{7}.*\n(?s:.*?))?^={7}\s*?\n((?s:.*?))^>{7}.*\n?")


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
        return _merge_sides(place)
    return judge_lock(execution, place, locks.read(place), accept or "")


def _merge_sides(place: Path) -> Gated:
    """Join both sides of a conflict that Git left in a lock file, whose claims it has joined already."""
    ours, theirs = (git_output(place, "show", f":{stage}:./{place.name}") for stage in (2, 3))
    if not (ours and theirs):  # of a merge in progress; its marks may have outlived it
        ours, theirs = sides_of(locks.targets_of(place, ""))
    if ours == theirs:
        raise UsageError(f"{place}: there is no conflict in it, so there is nothing to merge")
    if locks.CONFLICT in locks.targets_of(place):
        raise UsageError(f"{place}: both sides changed the lines above the mark; edit these first")
    locks.write(place, merge_locks(*(locks.read(place, side) for side in (ours, theirs))))
    return Gated(place, locks.read(place), [])


def sides_of(text: str) -> tuple[str, str]:
    """Return both sides of the conflicts that Git left in a text.

    >>> sides_of("a\\n<<<<<<< ours\\nb\\n=======\\nc\\n>>>>>>> theirs\\n")
    ('a\\nb\\n', 'a\\nc\\n')
    """
    ours, theirs = (HUNK.sub(side, text) for side in (r"\1", r"\2"))
    return ours, theirs
