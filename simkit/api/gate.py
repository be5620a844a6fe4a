"""The balance lock of a game, and the gate that tests the present rules against it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypedDict, Unpack

from simkit.analysis.claims import BROKEN
from simkit.api.execution import Execution, call_of, play_in
from simkit.api.requests import Lineup, Location, Texts, lineups_of
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.errors import UsageError
from simkit.reporting.text import claims as words
from simkit.runs import experiment
from simkit.runs.schemas import lock as locks
from simkit.runs.schemas.lock import Entry, Lock, Result
from simkit.studies.gate import Gate, merged

GIT = "git"  # value of `merge`: both sides of a conflict that Git left in the file


class Playing(TypedDict, total=False):
    """How the games of a gate are played; none of it changes a result."""

    jobs: int  # workers; −1, the default, is one per processor
    backend: str  # of joblib
    progress: bool  # whether to show progress; True by default


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
    deals: int = 20_000,
    seed: int = 1,
    options: Mapping[str, Any] = {},
    files: Mapping[str, Location] = {},
    **keywords: Unpack[Playing],
) -> Gated:
    """Write the lock file of a game: its balance targets, and what they measure now.

    Args:
        game: Name of the game, or an experiment file, whose game, options, files and first lineup count.
        claims: Targets such as "first player wins 48 to 52" or "turns 25 to 35 with PLAYER in OPTION VALUE";
            by default that the first player wins (the team: half of the games) within 2 games in 100 of fair.
        file: Lock file to write; it must not exist yet.
        lineup: Players of claims that name none; by default the game's reference strategy.
        deals: Deals that a test may take.
        seed: Seed of the deals that accepted and changed rules share.
        options: Rule options that hold in all claims.
        files: Table of components -> your own file, relative to the folder of the lock file.
        keywords: jobs, backend and progress.

    Returns:
        The results of the claims; `result.broken` lists those that do not hold.

    Raises:
        UsageError: A claim that cannot be read, or a file that exists.
    """
    how, keys = call_of(lock, locals())
    place = Path(keys.pop("file"))
    if place.exists():
        raise UsageError(f'{place} exists; edit its claims and give: simkit gate {place} --accept "reason"')
    if game.endswith(".toml"):
        request = experiment.load(game)
        keys |= request.model_dump(include={"game", "options", "files"})
        keys["lineup"] = keys["lineup"] or ", ".join(experiment.cells(request)[0].labels)
    keys["lineup"] = keys["lineup"] or ", ".join(lineups_of(keys["game"], ())[0])
    keys["claims"] = list(keys["claims"]) or [_usual_claim(keys["game"], keys["lineup"])]
    return _gated(how, place, locks.checked(place, keys), "first lock")


def gate(
    file: Location = "balance.lock", *, accept: str = "", merge: str = "", **keywords: Unpack[Playing]
) -> Gated:
    """Test the present rules against the claims of a lock file, and note in it what was tested.

    Args:
        file: Lock file.
        accept: Reason for which the present rules become the accepted state: all claims are measured on fresh
            deals, and the history gets a line.
        merge: Lock file of another branch, whose history and budget are joined to this one; "git" takes both
            sides of a conflict that Git left in the file. Nothing is played.
        keywords: jobs, backend and progress.

    Returns:
        The results of the claims; `result.broken` lists those that do not hold.

    Raises:
        UsageError: A file that is no lock, or a claim that cannot be read.
    """
    how, keys = call_of(gate, locals())
    place = Path(keys["file"])
    if keys["merge"]:
        return _merge(place, keys["merge"])
    return _gated(how, place, locks.read(place), keys["accept"])


def _gated(how: Execution, place: Path, before: Lock, reason: str) -> Gated:
    """Gate a lock in a temporary folder, or accept the present rules for a reason, and write the lock."""
    files = {name: str(place.parent / path) for name, path in before.files.items()}
    with TemporaryDirectory(prefix="simkit-gate-") as folder:

        def play(request: experiment.Experiment, name: str) -> Any:
            return play_in(replace(how, command=""), request, Path(folder) / name, place.name)

        session = Gate(before.model_copy(update={"files": files}), play, _entry(place, before, reason))
        after = session.run().model_copy(update={"files": before.files})
    if after != before:
        locks.write(place, after)
    return Gated(place, before, list(session.results.values()), session.games)


def _entry(place: Path, before: Lock, reason: str) -> Entry | None:
    """Return the entry of a state to accept, with the revision of Git, where there is one."""
    if not reason:
        return None
    date, revision = (
        datetime.now(UTC).isoformat(timespec="seconds"),
        _git(place, "rev-parse", "--short", "HEAD"),
    )
    previous = before.history[-1].id if before.history else ""
    return Entry(date=date, reason=reason, revision=revision.strip(), previous=previous)


def _git(place: Path, *words: str) -> str:
    """Return what a command of Git prints in the folder of a file; nothing where it fails."""
    try:
        return subprocess.run(
            ["git", *words], cwd=place.parent, capture_output=True, text=True, check=True
        ).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def _merge(place: Path, other: str) -> Gated:
    """Join the lock of another branch, or both sides of a conflict, and write the result."""
    if other == GIT:
        base, ours, theirs = (_git(place, "show", f":{stage}:./{place.name}") for stage in (1, 2, 3))
        if not (ours and theirs):
            raise UsageError(f"{place}: Git has no conflict in it; name the other file: --merge OTHER.lock")
    else:
        ours, theirs = (locks.text_of(path) for path in (place, other))
        base = theirs  # the targets stay ours
    old, own, others = map(locks.targets_of, (base, ours, theirs))
    if old not in (own, others) and own != others:
        cure = f"take your side of the file (git checkout --ours {place}), and give --merge OTHER.lock"
        raise UsageError(f"{place}: both sides changed the claims; {cure}")
    joined = merged(locks.read(place, ours), locks.read(other, theirs))
    locks.write(place, joined, others if own == old else own)
    return Gated(place, joined, [])


def _usual_claim(game: str, lineup: str) -> str:
    """Return the claim of a lock without claims: fair within 2 games in 100."""
    team = registry.game(game).team
    fair = 50 if team else 100 / len(parse_lineup(lineup))
    return f"{'team' if team else 'first player'} wins {fair - 2:.1f} to {fair + 2:.1f}"
