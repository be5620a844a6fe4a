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
FIRST = "first lock"  # reason of the first entry of a history


class Playing(TypedDict, total=False):
    """How the games of a gate are played; none of it changes a result."""

    jobs: int  # workers; −1, the default, is one per processor
    backend: str  # of joblib
    progress: bool  # whether to show progress; True by default


@dataclass(frozen=True)
class Gated:
    """What a gate says: a result per claim, in `results`; `print` shows the answer.

    Attributes:
        file: The lock file.
        before: What it held before.
        results: The present result of each claim.
        games: Games that were played.
    """

    file: Path
    before: Lock
    results: list[Result]
    games: int

    @property
    def broken(self) -> list[str]:
        """The claims that are broken."""
        return [result.claim for result in self.results if result.verdict == BROKEN]

    @property
    def answer(self) -> str:
        """The answer in a sentence or two."""
        return words.sentence(self.results, self.games)

    def __repr__(self) -> str:
        return self.answer


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
        game: Name of the game, or an experiment file whose game, options, files, seed and first lineup count.
        claims: Targets such as "first player wins 48 to 52" or "turns 25 to 35 with PLAYER in OPTION VALUE";
            by default that the first player wins (the team: half of the games) within 2 games in 100 of fair.
        file: Lock file to write; it must not exist yet.
        lineup: Players of claims that name none; by default the game's reference strategy in all seats.
        deals: Deals that a test may take.
        seed: Seed of the deals that accepted and changed rules share.
        options: Rule options that hold in all claims.
        files: Table of components -> your own file, relative to the current folder.
        keywords: jobs, backend and progress.

    Returns:
        The results of the claims; `result.broken` lists those that do not hold.

    Raises:
        UsageError: A claim that cannot be read, or a file that exists.
    """
    how, keys = call_of(lock, locals())
    place = Path(keys.pop("file"))
    if place.exists():
        raise UsageError(f'{place}: exists; edit its claims and give: simkit gate {place} --accept "reason"')
    keys |= _experiment_keys(game) if game.endswith(".toml") else {}
    keys["lineup"] = keys["lineup"] or ", ".join(lineups_of(keys["game"], ())[0])
    keys["claims"] = list(keys["claims"]) or [_usual_claim(keys["game"], keys["lineup"])]
    return _gated(how, place, Lock.model_validate(keys), _entry(place, FIRST))


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
    return _gated(how, place, locks.read(place), _entry(place, keys["accept"]) if keys["accept"] else None)


def _gated(how: Execution, place: Path, before: Lock, entry: Entry | None) -> Gated:
    """Gate a lock in a temporary folder, and write it."""
    previous = before.history[-1].id if before.history else ""
    entry = entry and entry.model_copy(update={"previous": previous})
    files = {name: str(place.parent / path) for name, path in before.files.items()}
    with TemporaryDirectory(prefix="simkit-gate-") as folder, how.session():

        def play(request: experiment.Experiment, name: str) -> Any:
            return play_in(replace(how, command=""), request, Path(folder) / name, place.name)

        session = Gate(before.model_copy(update={"files": files}), play, entry)
        after = session.run()
    if after.model_copy(update={"files": before.files}) != before:
        locks.write(place, after.model_copy(update={"files": before.files}))
    return Gated(
        place, before, [session.results[claim] for claim in dict.fromkeys(before.claims)], session.games
    )


def _entry(place: Path, reason: str) -> Entry:
    """Return the entry of a state to accept, with the revision of Git, where there is one."""
    revision = _git(place, "rev-parse", "--short", "HEAD").strip()
    return Entry(date=datetime.now(UTC).isoformat(timespec="seconds"), reason=reason, revision=revision)


def _git(place: Path, *words: str) -> str:
    """Return what a command of Git prints in the folder of a file; nothing where it fails."""
    try:
        run = subprocess.run(
            ["git", *words], cwd=place.parent, capture_output=True, text=True, encoding="utf-8"
        )
    except OSError:
        return ""
    return run.stdout if run.returncode == 0 else ""


def _merge(place: Path, other: str) -> Gated:
    """Join the lock of another branch, or both sides of a conflict, and write the result."""
    if other == GIT:
        base, ours, theirs = (_git(place, "show", f":{stage}:./{place.name}") for stage in (1, 2, 3))
        if not (ours and theirs):
            raise UsageError(
                f"{place}: Git has no conflict in it; name the other lock file: --merge OTHER.lock"
            )
    else:
        ours, theirs = (Path(path).read_text("utf-8") for path in (place, other))
        base = theirs  # the targets stay ours
    targets = {side: locks.targets_of(side) for side in (base, ours, theirs)}
    if targets[ours] not in (targets[base], targets[theirs]) and targets[base] != targets[theirs]:
        cure = f"write the lines above the mark as they should be into {place}, and give --merge OTHER.lock"
        raise UsageError(f"{place}: both sides changed the claims; {cure}")
    joined = merged(locks.read(place, ours), locks.read(other if other != GIT else place, theirs))
    locks.write(place, joined, targets[theirs] if targets[ours] == targets[base] else targets[ours])
    return Gated(place, joined, [], 0)


def _experiment_keys(path: str) -> dict[str, Any]:
    request = experiment.load(path)
    keys = request.model_dump(include={"game", "seed", "options", "files"})
    return keys | {"lineup": ", ".join(experiment.cells(request)[0].labels)}


def _usual_claim(game: str, lineup: str) -> str:
    """Return the claim of a lock without claims: fair within 2 games in 100."""
    definition = registry.game(game)
    fair = 50 if definition.team else 100 / len(parse_lineup(lineup))
    return f"{'team' if definition.team else 'first player'} wins {fair - 2:.1f} to {fair + 2:.1f}"
