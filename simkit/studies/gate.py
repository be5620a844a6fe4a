"""The gate: present rules against the claims of a lock file, on fresh deals, within one error budget.

Claims with the same players and options are a case and share their games. A case plays its fresh deals in
stages that double; a claim is settled when its confidence sequence lies in its range, or e-LOND rejects it.
Its change since the accepted state is estimated on the deals that both states share.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from simkit.analysis import claims
from simkit.analysis.claims import BROKEN, CHANGED, HOLDS, UNKNOWN, Change, Claim, Estimate
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.rng import sub_seed
from simkit.errors import UsageError
from simkit.runs import experiment, source_digests
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run
from simkit.runs.schemas.lock import Budget, Entry, Lock, Result, pack, unpack
from simkit.stats import online_testing

FIRST_STAGE = 500  # fresh deals; each stage has twice as many
SHARED_DEALS = 2_000  # on which the change since the accepted state is estimated
MAX_EVIDENCE = 1e6  # logarithm, as a file holds it
CHANGE = ("change", "change_low", "change_high")
Play = Callable[[Experiment, str], Run]  # carries out an experiment in that subfolder


class Case(NamedTuple):
    """Claims that share their games, the experiment on the shared deals, and the digests of its sources."""

    experiment: Experiment
    sources: dict[str, str]
    claims: list[Claim]


def cases(lock: Lock) -> list[Case]:
    """Return the cases of a lock file; UsageError for a claim that cannot be tested."""
    grouped: dict[str, Case] = {}
    for text in dict.fromkeys(lock.claims):
        claim = claims.parse(text, registry.game(lock.game))
        try:
            request = _request(lock, claim)
            cells = experiment.check(request)
        except UsageError as error:
            raise UsageError(f"claim '{text}': {error}") from None
        if (key := request.to_toml()) not in grouped:
            digests = source_digests.digests(request, cells)
            grouped[key] = Case(request, {name: digest[:16] for name, digest in digests.items()}, [])
        grouped[key].claims.append(claim)
    return list(grouped.values())


def _request(lock: Lock, claim: Claim) -> Experiment:
    """Return the experiment that a claim is about, on the shared deals."""
    lineup = claim.players or lock.lineup
    if claim.players and len(parse_lineup(lineup)) == 1:
        lineup = f"{lineup}*{registry.game(lock.game).default_seats}"
    keys = {"question": "balance", "game": lock.game, "seed": lock.seed, "lineups": [[lineup]]}
    keys |= {"deals": min(SHARED_DEALS, lock.deals), "trace": lock.deals * claim.is_worth}
    return experiment.parse(keys | {"files": lock.files, "options": lock.options | dict(claim.settings)})


@dataclass
class Gate:
    """One gating of a lock: claims are answered from the lock, or tested on fresh deals."""

    lock: Lock
    play: Play
    entry: Entry | None = None  # state to accept, in which every claim is tested
    results: dict[str, Result] = field(default_factory=dict)  # of the present rules, by claim
    tested: dict[str, Result] = field(default_factory=dict)  # those of them that were played, by id
    outcomes: dict[str, str] = field(default_factory=dict)
    games: int = 0

    def run(self) -> Lock:
        """Answer or test every claim; return the lock with all that was tested."""
        for case in cases(self.lock):
            stored = {} if self.entry else _stored(self.lock, case)
            self.results |= {result.claim: result for result in stored.values()}
            if left := [
                claim for claim in case.claims if claim not in stored or self._is_open(stored[claim])
            ]:
                self._test(case, left)
        self.results = {claim: self.results[claim] for claim in self.lock.claims}
        rejections = sum(result.verdict == BROKEN for result in self.tested.values())
        ids = dict.fromkeys([*self.lock.budget.tests, *self.tested])
        budget = Budget(tests=list(ids), rejections=self.lock.budget.rejections + rejections)
        if self.entry:
            entry = self.entry.model_copy(update={"results": list(self.results.values())})
            changes = {"history": [*self.lock.history, entry], "tests": [], "outcomes": self.outcomes}
        else:
            changes = {"tests": list(({test.id: test for test in self.lock.tests} | self.tested).values())}
        return self.lock.model_copy(update=changes | {"budget": budget})

    def _is_open(self, result: Result) -> bool:
        """Return whether a test may go on: the lock allows more deals than it has played."""
        return result.verdict == UNKNOWN and result.deals < self.lock.deals

    def _test(self, case: Case, left: list[Claim]) -> None:
        """Test claims of a case on fresh deals; a test that goes on keeps its seed and its level."""
        changes, groups = self._changes(case, left), dict[int, dict[Claim, float]]()
        seed, number = self._new_seed(case), len(self.lock.budget.tests) + len(self.tested)
        for claim in left:
            number += 1
            before, level = (
                self.results.get(claim.text),
                online_testing.level(number, self.lock.budget.rejections),
            )
            own_seed, own_level = (before.seed, before.level) if before else (seed, level)
            groups.setdefault(own_seed, {})[claim] = own_level
        for own_seed, levels in groups.items():
            for result in self._measured(case, own_seed, levels, changes):
                self.results[result.claim] = self.tested[result.id] = result

    def _new_seed(self, case: Case) -> int:
        """Return the seed of new tests: a hash of the history, of the number of tests and of the rules."""
        parts = [_last(self.lock), self.entry.reason if self.entry else "", len(self.lock.budget.tests)]
        return sub_seed(self.lock.seed, "/".join(map(str, [*parts, source_digests.short(case.sources)])))

    def _changes(self, case: Case, left: list[Claim]) -> dict[Claim, Change]:
        """Return the changes since the accepted state; play the shared deals if they are needed."""
        stored, changes = self.lock.outcomes, dict[Claim, Change]()
        if not self.entry and not any(claim.subject in stored for claim in left):
            return changes
        run = self._played(case, case.experiment)
        for claim in left:
            now, _ = claims.outcomes(run, claim)
            self.outcomes[claim.subject] = pack(now)
            if claim.subject in stored and (change := claims.change(now, unpack(stored[claim.subject]))):
                changes[claim] = change
        return changes

    def _played(self, case: Case, request: Experiment, before: int = 0) -> Run:
        """Play an experiment of a case; `before` of its games were counted when it had fewer deals."""
        run = self.play(request, f"{sub_seed(request.seed, case.claims[0].text)}")
        self.games += run.cells[0].plays - before
        return run

    def _measured(
        self, case: Case, seed: int, levels: dict[Claim, float], changes: dict[Claim, Change]
    ) -> Iterator[Result]:
        """Play the stages of a case until all claims are settled; yield the result of each."""
        left, games = dict(levels), 0
        for deals in stages(self.lock.deals):
            run = self._played(case, case.experiment.changed(seed=seed, deals=deals), games)
            games = run.cells[0].plays
            for claim, level in list(left.items()):
                estimated = claims.estimate(claim, *claims.outcomes(run, claim))
                verdict = claims.verdict(claim, estimated, level, changes.get(claim))
                if verdict != UNKNOWN or deals == self.lock.deals:
                    del left[claim]
                    more: dict[str, Any] = {"verdict": verdict, "level": level, "sources": case.sources}
                    yield _result(run, claim, estimated, changes.get(claim), more)
            if not left:
                return


def stages(deals: int) -> list[int]:
    """Return the numbers of deals after which a test is looked at.

    >>> stages(1800)
    [500, 1000, 1800]
    """
    stage = [min(FIRST_STAGE, deals)]
    while stage[-1] < deals:
        stage.append(min(2 * stage[-1], deals))
    return stage


def _stored(lock: Lock, case: Case) -> dict[Claim, Result]:
    """Return the results that a lock has for the claims of a case under the same rules."""
    accepted = [_unchanged(result) for result in lock.history[-1].results] if lock.history else []
    stored = {test.claim: test for test in [*accepted, *lock.tests] if test.sources == case.sources}
    return {claim: stored[claim.text] for claim in case.claims if claim.text in stored}


def _unchanged(result: Result) -> Result:
    """Return an accepted result as that of the same rules today."""
    verdict = HOLDS if result.verdict == CHANGED else result.verdict
    return result.model_copy(update=dict.fromkeys(CHANGE) | {"verdict": verdict})


def _result(
    run: Run, claim: Claim, estimated: Estimate, change: Change | None, more: dict[str, Any]
) -> Result:
    (cell,), ends = run.cells, (round(number, 4) for number in (*estimated[:3], *(change or ())))
    more |= dict(zip(("value", "low", "high", *CHANGE), ends, strict=False))
    more |= {"claim": claim.text, "piece": estimated.piece, "games": cell.plays, "deals": cell.deals}
    more |= {"lineup": ", ".join(cell.labels), "seed": run.experiment.seed}
    more["evidence"] = round(min(max(estimated.evidence, -MAX_EVIDENCE), MAX_EVIDENCE), 3)
    deals = claims.further_deals(claim, estimated, cell.deals) if more["verdict"] == UNKNOWN else None
    return Result(**more, further=deals and deals * cell.rotations)


def merged(ours: Lock, theirs: Lock) -> Lock:
    """Return our lock with the history and the budget of both sides.

    The budget has every test of either side once, and the fewer rejections, so that no later level is above
    that of either side: what a side has spent stays spent, and its own tests and all later ones together keep
    the promise of e-LOND. Results of tests stay where they are about the state that is accepted last.
    """
    own, other = ([entry.id for entry in side.history] for side in (ours, theirs))
    both = [entry for entry in ours.history if entry.id in other]
    both += [entry for entry in theirs.history if entry.id not in own]
    both += [entry for entry in ours.history if entry.id not in other]
    last = next(side for side in (ours, theirs) if _last(side) == (both[-1].id if both else ""))
    tests = {test.id: test for side in (ours, theirs) if _last(side) == _last(last) for test in side.tests}
    budget = Budget(
        tests=list(dict.fromkeys([*ours.budget.tests, *theirs.budget.tests])),
        rejections=min(ours.budget.rejections, theirs.budget.rejections),
    )
    changes = {"history": both, "tests": list(tests.values()), "budget": budget, "outcomes": last.outcomes}
    return ours.model_copy(update=changes)


def _last(lock: Lock) -> str:
    return lock.history[-1].id if lock.history else ""
