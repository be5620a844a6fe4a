"""The gate: present rules against the claims of a lock file, on fresh deals, within one error budget.

Claims with the same players and options are a case and share their games. A case plays its fresh deals in
stages that double; a claim is settled when its confidence sequence lies in its range, or e-LOND rejects it.
Its change since the accepted state is estimated on the deals that both states share.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from simkit.analysis import claims
from simkit.analysis.claims import BROKEN, CHANGED, HOLDS, UNKNOWN, Change, Claim, Estimate
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.rng import sub_seed
from simkit.errors import UsageError
from simkit.runs import experiment, source_digests
from simkit.runs.experiment import Cell, Experiment
from simkit.runs.run import Run
from simkit.runs.schemas.lock import Budget, Entry, Lock, Result, pack, unpack
from simkit.stats import online_testing

FIRST_STAGE = 500  # fresh deals; each stage has twice as many
SHARED_DEALS = 2_000  # on which the change since the accepted state is estimated
CHANGE = ("change", "change_low", "change_high")
MAX_EVIDENCE = 1e6  # logarithm that a file holds
Play = Callable[[Experiment, str], Run]  # carries out an experiment in that subfolder


class Case(NamedTuple):
    """Claims that share their games."""

    experiment: Experiment
    cell: Cell
    claims: list[Claim]
    sources: dict[str, str]


def cases(lock: Lock) -> list[Case]:
    """Return the cases of a lock file; UsageError for a claim that cannot be tested."""
    grouped: dict[str, tuple[Experiment, list[Claim]]] = {}
    for text in dict.fromkeys(lock.claims):
        claim = claims.parse(text, registry.game(lock.game))
        request = _experiment(lock, claim)
        grouped.setdefault(request.to_toml(), (request, []))[1].append(claim)
    return [_case(request, members) for request, members in grouped.values()]


def _experiment(lock: Lock, claim: Claim) -> Experiment:
    """Return the experiment that a claim is about, on the shared deals."""
    options, lineup = lock.options | dict(claim.settings), claim.players or lock.lineup
    if claim.players and len(parse_lineup(claim.players)) == 1:
        lineup = f"{claim.players}*{registry.game(lock.game).default_seats}"
    keys = {"question": "balance", "game": lock.game, "seed": lock.seed, "lineups": [[lineup]]}
    keys |= {"deals": min(SHARED_DEALS, lock.deals), "options": options, "files": lock.files}
    try:
        return experiment.parse(keys | {"trace": lock.deals * claim.is_worth})
    except UsageError as error:
        raise UsageError(f"claim '{claim.text}': {error}") from None


def _case(request: Experiment, members: list[Claim]) -> Case:
    cells = experiment.check(request)
    sources = source_digests.digests(request, cells)
    return Case(request, cells[0], members, {name: digest[:16] for name, digest in sources.items()})


class Gate:
    """One gating of a lock: claims are answered from the lock, or tested on fresh deals."""

    def __init__(self, lock: Lock, play: Play, entry: Entry | None = None) -> None:
        """Prepare a gating; `entry` is a state to accept, in which every claim is tested."""
        self.lock, self.play, self.entry = lock, play, entry
        self.results: dict[str, Result] = {}  # of the present rules, by claim
        self.tested: dict[str, Result] = {}  # those of them that were played, by id
        self.outcomes: dict[str, str] = {}
        self.games = 0

    def run(self) -> Lock:
        """Answer or test every claim; return the lock with what was tested."""
        for place, case in enumerate(cases(self.lock)):
            stored = {} if self.entry else self._stored(case)
            self.results |= {claim.text: result for claim, result in stored.items()}
            left = [claim for claim in case.claims if claim not in stored or self._is_open(stored[claim])]
            if left:
                self._test(case, left, f"{place}")
        ids = [test for test in self.tested if test not in self.lock.budget.tests]
        rejections = sum(result.verdict == BROKEN for result in self.tested.values())
        counted = Budget(
            tests=[*self.lock.budget.tests, *ids], rejections=self.lock.budget.rejections + rejections
        )
        changes: dict[str, Any] = {"budget": counted}
        if self.entry:
            results = [self.results[claim] for claim in dict.fromkeys(self.lock.claims)]
            entry = self.entry.model_copy(update={"results": results})
            changes |= {"history": [*self.lock.history, entry], "tests": [], "outcomes": self.outcomes}
        else:
            tests = {result.id: result for result in self.lock.tests} | self.tested
            changes |= {"tests": list(tests.values())}
        return self.lock.model_copy(update=changes)

    def _is_open(self, result: Result) -> bool:
        """Return whether a test may go on: the lock allows more deals than it has played."""
        return result.verdict == UNKNOWN and result.deals < self.lock.deals

    def _stored(self, case: Case) -> dict[Claim, Result]:
        """Return the results that the lock has for the claims of a case under the same rules."""
        accepted = self.lock.history[-1].results if self.lock.history else []
        stored = {result.claim: _unchanged(result) for result in accepted if result.sources == case.sources}
        stored |= {result.claim: result for result in self.lock.tests if result.sources == case.sources}
        return {claim: stored[claim.text] for claim in case.claims if claim.text in stored}

    def _test(self, case: Case, left: list[Claim], place: str) -> None:
        """Test claims of a case on fresh deals; a test that goes on keeps its seed and its level."""
        changes = self._changes(case, left, f"{place}-shared")
        groups: dict[int, dict[Claim, float]] = {}
        seed, number = self._new_seed(case), len(self.lock.budget.tests) + len(self.tested)
        for claim in left:
            if before := self.results.get(claim.text):
                groups.setdefault(before.seed, {})[claim] = before.level
            else:
                number += 1
                level = online_testing.level(number, self.lock.budget.rejections)
                groups.setdefault(seed, {})[claim] = level
        for fresh_seed, levels in groups.items():
            fresh = case._replace(experiment=case.experiment.changed(seed=fresh_seed))
            for result in self._measured(fresh, levels, changes, f"{place}-{fresh_seed}"):
                self.results[result.claim] = self.tested[result.id] = result

    def _new_seed(self, case: Case) -> int:
        """Return the seed of new tests: a hash of the history, of the number of tests and of the rules."""
        last = self.lock.history[-1].id if self.lock.history else ""
        parts = [last, self.entry.reason if self.entry else "", len(self.lock.budget.tests)]
        return sub_seed(self.lock.seed, "/".join(map(str, [*parts, source_digests.short(case.sources)])))

    def _changes(self, case: Case, left: list[Claim], name: str) -> dict[Claim, Change]:
        """Return the changes since the accepted state; play the shared deals if they are needed."""
        before = {
            claim: self.lock.outcomes[claim.subject] for claim in left if claim.subject in self.lock.outcomes
        }
        if not before and not self.entry:
            return {}
        run, changes = self._played(case.experiment, name), dict[Claim, Change]()
        for claim in left:
            now, _ = claims.outcomes(run, claim)
            self.outcomes[claim.subject] = pack(now)
            if claim in before and (change := claims.change(now, unpack(before[claim]))):
                changes[claim] = change
        return changes

    def _played(self, request: Experiment, name: str) -> Run:
        run = self.play(request, name)
        self.games += run.cells[0].plays
        return run

    def _measured(
        self, case: Case, levels: dict[Claim, float], changes: dict[Claim, Change], name: str
    ) -> Iterator[Result]:
        """Play the stages of a case until all claims are settled; yield the result of each."""
        left, games = dict(levels), self.games
        for deals in stages(self.lock.deals):
            self.games = games
            run = self._played(case.experiment.changed(deals=deals), name)
            for claim, level in list(left.items()):
                estimated = claims.estimate(claim, *claims.outcomes(run, claim))
                verdict = claims.verdict(claim, estimated, level, changes.get(claim))
                if verdict != UNKNOWN or deals == self.lock.deals:
                    del left[claim]
                    yield _result(case, run, claim, estimated, verdict, level, changes.get(claim))
            if not left:
                return


def stages(deals: int) -> Iterator[int]:
    """Yield the numbers of deals after which a test is looked at.

    >>> list(stages(1800))
    [500, 1000, 1800]
    """
    stage = FIRST_STAGE
    while stage < deals:
        yield stage
        stage *= 2
    yield deals


def _unchanged(result: Result) -> Result:
    """Return an accepted result as that of the same rules today."""
    verdict = HOLDS if result.verdict == CHANGED else result.verdict
    return result.model_copy(update=dict.fromkeys(CHANGE) | {"verdict": verdict})


def _result(
    case: Case, run: Run, claim: Claim, estimated: Estimate, verdict: str, level: float, change: Change | None
) -> Result:
    (cell,), further = run.cells, None
    if verdict == UNKNOWN and (deals := claims.further_deals(claim, estimated, cell.deals)):
        further = deals * cell.rotations
    value, low, high = (round(number, 4) for number in estimated[:3])
    changes = dict(zip(CHANGE, (round(end, 4) for end in change), strict=True)) if change else {}
    return Result(
        claim=claim.text,
        verdict=verdict,
        value=value,
        low=low,
        high=high,
        games=cell.plays,
        deals=cell.deals,
        lineup=", ".join(cell.labels),
        seed=run.experiment.seed,
        sources=case.sources,
        level=level,
        evidence=round(min(max(estimated.evidence, -MAX_EVIDENCE), MAX_EVIDENCE), 3),
        piece=estimated.piece,
        further=further,
        **changes,
    )


def merged(ours: Lock, theirs: Lock) -> Lock:
    """Return our lock with the history and the budget of both sides.

    The budget has every test of either side once, and the fewer rejections, so that no later level is above
    that of either side: what a side has spent stays spent, and its own tests and all later ones keep e-LOND's
    promise. Results of tests stay where they are about the accepted state of the merged lock.
    """
    common = {entry.id for entry in ours.history} & {entry.id for entry in theirs.history}
    own, other = ([entry for entry in side.history if entry.id not in common] for side in (ours, theirs))
    shared = [entry for entry in ours.history if entry.id in common]
    last = ours if own or not other else theirs
    tests = {test.id: test for side in (ours, theirs) if _last(side) == _last(last) for test in side.tests}
    ids = list(dict.fromkeys([*ours.budget.tests, *theirs.budget.tests]))
    rejections = min(ours.budget.rejections, theirs.budget.rejections)
    changes: dict[str, Any] = {"history": [*shared, *other, *own], "tests": list(tests.values())}
    changes |= {"budget": Budget(tests=ids, rejections=rejections), "outcomes": last.outcomes}
    return ours.model_copy(update=changes)


def _last(lock: Lock) -> str:
    return lock.history[-1].id if lock.history else ""
