"""What `lock` and `gate` share: the test of a lock file against the present rules."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from simkit.ask import claims
from simkit.ask import lock_file as locks
from simkit.ask.claims import BROKEN, UNKNOWN, Claim
from simkit.ask.execution import Execution, play_in
from simkit.ask.lock_file import AcceptedState, Budget, ClaimResult, Lock, Outcomes
from simkit.ask.requests import alone_among, opponents
from simkit.ask.study import Play
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.engine.lineups import parse_lineup, seats_of
from simkit.engine.rng import sub_seed
from simkit.errors import UsageError
from simkit.runs import experiment, log, source_digests
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import make_plan
from simkit.stats import online_testing


@dataclass(frozen=True)
class Gated:
    """What a gate says; `print` shows the answer."""

    file: Path
    before: Lock  # what the file held
    results: list[ClaimResult]  # of the present rules, one per claim
    games: int = 0  # that were played

    @property
    def broken(self) -> list[str]:
        """The claims that are broken."""
        return [result.claim for result in self.results if result.verdict == BROKEN]

    def __repr__(self) -> str:
        return claims.sentence(self.results, self.games)


def judge_lock(execution: Execution, place: Path, before: Lock, reason: str) -> Gated:
    """Gate a lock in a temporary folder, or accept the present rules for a reason, and write the lock."""
    games = dict[str, int]()
    with TemporaryDirectory(prefix="simkit-gate-", ignore_cleanup_errors=True) as folder:

        def play(request: Experiment, name: str) -> Run:
            out, plan = Path(execution.out or folder) / name, make_plan(request)
            run = play_in(replace(execution, command=""), plan, out, place.name)
            games[name] = run.cells[0].plays
            return run

        entry = None
        if reason:
            revision = git_output(place, "rev-parse", "--short", "HEAD").strip()
            previous = before.history[-1].id if before.history else ""
            date = datetime.now(UTC).isoformat(timespec="seconds")
            entry = AcceptedState(date=date, reason=reason, revision=revision, previous=previous)
        after, results = gate(before, place.parent, play, entry)
    if after != before:
        if place.exists() and (present := locks.read(place)) != before:  # another gate wrote meanwhile
            after = merge_locks(after, present)
        locks.write(place, after)
    return Gated(place, before, results, sum(games.values()))


def git_output(place: Path, *words: str) -> str:
    """Return what a command of Git prints in the folder of a file; nothing where it fails."""
    if not shutil.which("git"):
        return ""
    command = ["git", "-C", str(place.parent), *words]
    return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace").stdout


# Cases: claims with the same players and options, which share their games.

FIRST_STAGE = 1_000  # fresh deals; each stage has twice as many
DIGITS = 6  # decimals of recorded numbers; four would be too coarse for rare counts
SHARED_DEALS = 2_000  # on which the change since the accepted state is estimated
CHANGE = ("change", "change_low", "change_high")
NUMBERS = ("value", "low", "high", "test_low", "test_high", *CHANGE)


class Case(NamedTuple):
    """Claims that share their games, their experiment on the shared deals, and what decides its games."""

    name: str  # digest of the sources
    experiment: Experiment
    sources: dict[str, str]
    claims: list[Claim]
    rotations: int  # games of a deal


def cases(lock: Lock, folder: Path) -> list[Case]:
    """Return the cases of a lock file in a folder; UsageError for a claim that cannot be tested."""
    grouped, game = dict[str, Case](), registry.game(lock.game)
    for claim in [claims.parse(text, game) for text in dict.fromkeys(lock.claims)]:
        try:
            request = experiment.parse(_keys(lock, claim, game), folder)
            plan = make_plan(request).check()
            cell = plan.cells[0]
            claims.check(claim, cell.seats, log.describe_columns(game, cell)[1])
        except UsageError as error:
            raise UsageError(f"claim '{claim.text}': {error}") from None
        digests = source_digests.digests(plan) | {"lineup": ", ".join(cell.labels)}
        digests |= {"rotate": lock.rotate} if lock.rotate else {}
        sources = {name: digest if name == "lineup" else digest[:16] for name, digest in digests.items()}
        case = Case(source_digests.short(sources)[:8], request, sources, [], cell.rotations)
        grouped.setdefault(case.name, case).claims.append(claim)
    return list(grouped.values())


def _keys(lock: Lock, claim: Claim, game: Game) -> dict[str, Any]:
    """Return the keys of the experiment of a claim on the shared deals, with as many seats as the lock.

    A claim about the better player seats it alone at a table of the other, whose size follows from a lineup
    of the other alone; as the two differ, all rotations are played.
    """
    lineup = claim.sides[-1] if claim.sides else claim.players or lock.lineup
    if claim.players and len(parse_lineup(lineup)) == 1:
        seats = len(parse_lineup(lock.lineup))
        lineup = f"{lineup}*{seats if seats > 1 else game.default_seats}"
    keys: dict[str, Any] = {"question": "balance", "game": lock.game, "lineups": [[lineup]]}
    keys |= {"seed": lock.seed, "deals": min(SHARED_DEALS, lock.deals), "trace": lock.deals * claim.is_worth}
    keys |= {"files": lock.files, "options": lock.options | dict(claim.settings)}
    keys |= {"rotate": lock.rotate} if lock.rotate else {}
    if claim.sides:
        keys = experiment.with_players(keys)
        seats = seats_of(keys["lineups"])
        better, other = opponents(game, claim.sides[0], claim.sides[1], seats)
        keys["lineups"] = [alone_among(better, other, seats)]
    return keys


def gate(
    lock: Lock, folder: Path, play: Play, entry: AcceptedState | None = None
) -> tuple[Lock, list[ClaimResult]]:
    """Answer every claim from a lock, or test it; return the lock with the tests, and the results.

    A case plays its fresh deals in stages that double, within one error budget; a claim is settled when its
    confidence sequence lies in its range, or e-LOND rejects it. Its change since the accepted state is
    estimated on the deals that both states share.

    folder: of the lock file; entry: a state to accept, in which every claim is tested.
    """
    results, tested, outcomes = dict[str, ClaimResult](), dict[str, ClaimResult](), dict[str, Outcomes]()
    for case in cases(lock, folder):
        stored = {} if entry else _stored_answers(lock, case)
        results |= stored
        if plan := _plan(lock, case, stored, entry, len(tested)):
            now = dict[Claim, Outcomes]()
            if entry or any(claim.subject in lock.outcomes for claim in case.claims):
                run = play(case.experiment, f"{case.name}-shared")
                now = {claim: claims.claim_outcomes(run, claim)[0] for claim in case.claims}
                outcomes |= {claim.subject: numbers for claim, numbers in now.items()}
            for result in _test_stages(lock, case, plan, now, play):
                results[result.claim] = tested[result.id] = result
    ordered = [results[claim] for claim in dict.fromkeys(lock.claims)]
    rejections = lock.budget.rejections + sum(result.verdict == BROKEN for result in tested.values())
    budget = Budget(tests=list(dict.fromkeys([*lock.budget.tests, *tested])), rejections=rejections)
    changes: dict[str, Any] = {"tests": list(({test.id: test for test in lock.tests} | tested).values())}
    if entry:
        history = [*lock.history, entry.model_copy(update={"results": ordered})]
        changes = {"history": history, "tests": [], "outcomes": outcomes}
    return lock.model_copy(update=changes | {"budget": budget}), ordered


def _stored_answers(lock: Lock, case: Case) -> dict[str, ClaimResult]:
    """Return what a lock answers under the rules of a case, by claim.

    Verdicts follow from the recorded numbers and the present range. Tests of that range come first; of
    another, those that decide the present one, or that may go on, which no test does that has rejected its
    own range: it would count twice. Otherwise the claim has no answer.
    """
    accepted = [result.model_copy(update=dict.fromkeys(CHANGE)) for result in lock.accepted]
    same = [result for result in [*lock.tests, *accepted] if result.sources == case.sources]
    # `deals` may have been replaced in the whole file, with that of the designer; `games` was not.
    records = [result.model_copy(update={"deals": result.games // case.rotations}) for result in same]
    answers = dict[str, ClaimResult]()
    for claim in case.claims:
        usable = list[tuple[bool, bool, ClaimResult]]()
        for result in records:
            if result.subject == claim.subject:
                now, own_range = claims.judge(claim, result), (claim.least, claim.high)
                is_other, is_open = (result.range_low, result.range_high) != own_range, now.verdict == UNKNOWN
                is_over = now.deals >= lock.deals or result.verdict == BROKEN
                if not (is_other and is_open and is_over):
                    usable.append((is_other, is_open, now))
        if usable:
            answers[claim.text] = min(usable, key=lambda answer: answer[:2])[2]
    return answers


def _plan(
    lock: Lock, case: Case, stored: Mapping[str, ClaimResult], entry: AcceptedState | None, tested: int
) -> dict[int, dict[Claim, float]]:
    """Return the levels of the tests that are due, by their seed.

    The seed of a new test is a hash of the history, of the number of tests and of the rules. A test that may
    go on, because the lock allows more deals, keeps its seed and its level.
    """
    plan, number = dict[int, dict[Claim, float]](), len(lock.budget.tests) + tested
    reason = entry.reason if entry else ""
    seed = sub_seed(lock.seed, f"{_last(lock)}/{reason}/{len(lock.budget.tests)}/{case.name}")
    for claim in case.claims:
        before = stored.get(claim.text)
        if before is None:
            number += 1
            plan.setdefault(seed, {})[claim] = online_testing.level(number, lock.budget.rejections)
        elif before.verdict == UNKNOWN and before.deals < lock.deals:
            plan.setdefault(before.seed, {})[claim] = before.level
    return plan


def _test_stages(
    lock: Lock, case: Case, plan: dict[int, dict[Claim, float]], now: Mapping[Claim, Outcomes], play: Play
) -> Iterator[ClaimResult]:
    """Play the stages of a case until its claims are settled; yield the result of each."""
    for seed, levels in plan.items():
        for deals in stages(lock.deals):
            if not levels:
                break
            run = play(case.experiment.with_keys(seed=seed, deals=deals), f"{case.name}-{seed}")
            for claim, level in list(levels.items()):
                result = _result(lock, case, run, claim, level, now.get(claim))
                if result.verdict != UNKNOWN or deals == lock.deals:
                    del levels[claim]
                    yield result


def stages(deals: int) -> list[int]:
    """Return the numbers of deals after which a test is looked at.

    >>> stages(1800)
    [1000, 1800]
    """
    return [FIRST_STAGE * 2**k for k in range(deals.bit_length()) if FIRST_STAGE * 2**k < deals] + [deals]


def _result(
    lock: Lock, case: Case, run: Run, claim: Claim, level: float, now: Outcomes | None
) -> ClaimResult:
    (cell,), observed, before = run.cells, claims.claim_outcomes(run, claim), lock.outcomes.get(claim.subject)
    estimated, tested = (claims.estimate(claim, *observed, level=part) for part in (0.95, 1 - level))
    change = None if before is None or now is None else claims.change(now, before, estimated.piece)
    ends = (round(number, DIGITS) for number in (*estimated[:3], *tested[1:3], *(change or ())))
    keys: dict[str, Any] = dict(zip(NUMBERS, ends, strict=False)) | {"claim": claim.text, "verdict": UNKNOWN}
    keys |= {"range_low": claim.least, "range_high": claim.high, "piece": estimated.piece}
    keys |= {"sources": case.sources, "lineup": ", ".join(cell.labels), "level": level}
    keys |= {"games": cell.plays, "deals": cell.deals, "seed": run.experiment.seed}
    result = claims.judge(claim, ClaimResult(**keys))
    deciding = tested if result.is_outside else estimated
    if result.verdict == UNKNOWN and (further := claims.further_deals(claim, deciding, cell.deals)):
        return result.model_copy(update={"further": further * cell.rotations})
    return result


def merge_locks(ours: Lock, theirs: Lock) -> Lock:
    """Return our lock with the history and the budget of both sides.

    The budget has every test of either side once, and the fewer rejections, so that no later level is above
    that of either side: what a side has spent stays spent, and its own tests and all later ones together keep
    the promise of e-LOND; the tests of both sides may together have twice its share of false rejections.
    Results of tests stay where they are about the state that is accepted last.
    """
    own, other = ([entry.id for entry in side.history] for side in (ours, theirs))
    both = [entry for entry in ours.history if entry.id in other]
    both += [entry for entry in theirs.history if entry.id not in own]
    both += [entry for entry in ours.history if entry.id not in other]
    last = next(side for side in (ours, theirs) if _last(side) == (both[-1].id if both else ""))
    every = [test for side in (ours, theirs) if _last(side) == _last(last) for test in side.tests]
    tests = {test.id: test for test in sorted(every, key=lambda test: test.games)}  # the longest one stays
    ids = list(dict.fromkeys([*ours.budget.tests, *theirs.budget.tests]))
    budget = Budget(tests=ids, rejections=min(ours.budget.rejections, theirs.budget.rejections))
    changes = {"history": both, "tests": list(tests.values()), "budget": budget, "outcomes": last.outcomes}
    return ours.model_copy(update=changes)


def _last(lock: Lock) -> str:
    return lock.history[-1].id if lock.history else ""
