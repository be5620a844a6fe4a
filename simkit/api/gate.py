"""What `lock` and `gate` share: the test of a lock file against the present rules."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from simkit.analysis.claims import BROKEN
from simkit.api.execution import Execution, play_in
from simkit.errors import UsageError
from simkit.reporting.text import claims as words
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import make_plan
from simkit.runs.schemas import lock as locks
from simkit.runs.schemas.lock import Entry, Lock, Result
from simkit.studies import gate as studies


@dataclass(frozen=True)
class Gated:
    """What a gate says; `print` shows the answer."""

    file: Path
    before: Lock  # what the file held
    results: list[Result]  # of the present rules, one per claim
    games: int = 0  # that were played

    @property
    def broken(self) -> list[str]:
        """The claims that are broken."""
        return [result.claim for result in self.results if result.verdict == BROKEN]

    def __repr__(self) -> str:
        return words.sentence(self.results, self.games)


def test_lock(execution: Execution, place: Path, before: Lock, reason: str) -> Gated:
    """Gate a lock in a temporary folder, or accept the present rules for a reason, and write the lock."""
    games = dict[str, int]()
    with TemporaryDirectory(prefix="simkit-gate-") as folder:

        def play(request: Experiment, name: str) -> Run:
            out, plan = Path(execution.out or folder) / name, make_plan(request)
            run = play_in(replace(execution, command=""), plan, out, place.name)
            games[name] = run.cells[0].plays
            return run

        entry = None
        if reason:
            revision = _git(place, "rev-parse", "--short", "HEAD").strip()
            previous = before.history[-1].id if before.history else ""
            date = datetime.now(UTC).isoformat(timespec="seconds")
            entry = Entry(date=date, reason=reason, revision=revision, previous=previous)
        after, results = studies.gate(before, place.parent, play, entry)
    if after != before:
        if place.exists() and (present := locks.read(place)) != before:  # another gate wrote meanwhile
            after = studies.merged(after, present)
        locks.write(place, after)
    return Gated(place, before, results, sum(games.values()))


def _git(place: Path, *words: str) -> str:
    """Return what a command of Git prints in the folder of a file; nothing where it fails."""
    if not shutil.which("git"):
        return ""
    return subprocess.run(["git", "-C", place.parent, *words], capture_output=True, text=True).stdout


def merge_sides(place: Path) -> Gated:
    """Join both sides of a conflict that Git left in a lock file, whose claims it has joined already."""
    ours, theirs = (_git(place, "show", f":{stage}:./{place.name}") for stage in (2, 3))
    if not (ours and theirs):  # of a merge in progress; its marks may have outlived it
        ours, theirs = locks.sides_of(locks.targets_of(place, ""))
    if ours == theirs:
        raise UsageError(f"{place}: there is no conflict in it, so there is nothing to merge")
    if locks.CONFLICT in locks.targets_of(place):
        raise UsageError(f"{place}: both sides changed the lines above the mark; edit these first")
    locks.write(place, studies.merged(*(locks.read(place, side) for side in (ours, theirs))))
    return Gated(place, locks.read(place), [])
