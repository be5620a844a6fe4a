"""The balance lock of a game, and the gate that tests the present rules against it."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Unpack

from simkit.analysis.claims import BROKEN
from simkit.api.execution import Execution, call_of, play_in
from simkit.api.requests import Common, How, Lineup, Location, Texts, lineups_of
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError
from simkit.reporting.text import claims as words
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import load, make_plan
from simkit.runs.schemas import lock as locks
from simkit.runs.schemas.lock import DealsOfTest, Entry, Lock, Result
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


def lock(
    game: str,
    claims: Texts = (),
    *,
    file: Location = "balance.lock",
    lineup: Lineup = "",
    deals: DealsOfTest = 20_000,
    **keywords: Unpack[Common],
) -> Gated:
    """Write the lock file of a game: its balance targets, and what they measure now.

    Args:
        game: Name of the game, or an experiment file, whose game, options, files and first lineup count.
        claims: Targets such as "first player wins 48 to 52" or "turns 25 to 35 with PLAYER in OPTION VALUE";
            by default that the first player wins (the team: half of the games) within 2 games in 100 of fair.
        file: Lock file to write; it must not exist yet.
        lineup: Players of claims that name none; by default the game's reference strategy.
        deals: Deals that a test may take.
        keywords: seed (of the deals that accepted and changed rules share), options, files, out (a folder
            that keeps the runs), jobs, backend, scheduler, batch_timeout and progress.

    Returns:
        The results of the claims; `result.broken` lists those that do not hold.

    >>> lock("pig", ["turns 10 to 40"], deals=1000)
    The claim holds. 2,000 games played.
    """
    how, keys = call_of(lock, locals())
    place = Path(keys.pop("file"))
    if place.exists():
        raise UsageError(f'{place} exists; edit its claims and give: simkit gate {place} --accept "reason"')
    options, files = keys.pop("options", {}), keys.pop("files", {})
    if game.endswith(".toml"):
        request = load(game)
        raw = experiment.resolve_files(experiment.experiment_of(read_toml(Path(game))), Path(game).parent)
        keys |= {"game": request.game, "lineup": keys["lineup"] or make_plan(request).cells[0].labels}
        options, files = request.options | options, raw.files | files
    lineup = keys["lineup"] or lineups_of(keys["game"], ())[0]
    keys |= {"lineup": lineup if isinstance(lineup, str) else ", ".join(lineup), "options": options}
    own = {name: path for name, path in files.items() if "://" not in path}
    keys["files"] = files | {name: os.path.relpath(path, place.parent) for name, path in own.items()}
    team = registry.game(keys["game"]).team
    side, fair = ("team", 50.0) if team else ("first player", 100 / len(parse_lineup(keys["lineup"])))
    keys["claims"] = keys["claims"] or [f"{side} wins {fair - 2:.1f} to {fair + 2:.1f}"]
    return _gated(how, place, locks.checked(place, keys), "first lock")


def gate(
    file: Location = "balance.lock",
    *,
    accept: str | None = None,
    merge: bool = False,
    **keywords: Unpack[How],
) -> Gated:
    """Test the present rules against the claims of a lock file, and note in it what was tested.

    Of all claims called broken on a branch at most 5 % are expected to be false alarms; every other branch
    that was gated apart and is merged adds at most 5 %.

    Args:
        file: Lock file.
        accept: Reason for which the present rules become the accepted state: all claims are measured on fresh
            deals, and the history gets a line.
        merge: Join the histories and budgets of both sides of a conflict that Git left in the file; nothing
            is played.
        keywords: out (a folder that keeps the runs), jobs, backend, scheduler, batch_timeout and progress.

    Returns:
        The results of the claims; `result.broken` lists those that do not hold.

    >>> gate("nowhere.lock")
    Traceback (most recent call last):
    simkit.errors.UsageError: nowhere.lock: cannot be read: No such file or directory
    """
    how, keys = call_of(gate, locals())
    place = Path(keys["file"])
    reason = keys["accept"]
    if reason is not None and not reason.strip():
        raise UsageError('accept needs a reason, such as "a strong population card"; the history keeps it')
    if keys["merge"]:
        return _merge(place)
    return _gated(how, place, locks.read(place), reason or "")


def _gated(how: Execution, place: Path, before: Lock, reason: str) -> Gated:
    """Gate a lock in a temporary folder, or accept the present rules for a reason, and write the lock."""
    games = dict[str, int]()
    with TemporaryDirectory(prefix="simkit-gate-") as folder:

        def play(request: Experiment, name: str) -> Run:
            out, plan = Path(how.out or folder) / name, make_plan(request)
            run = play_in(replace(how, command=""), plan, out, place.name)
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


def _merge(place: Path) -> Gated:
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
