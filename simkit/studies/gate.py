"""The gate: present rules against the claims of a lock file, on fresh deals, within one error budget.

Claims with the same players and options are a case and share their games. A case plays its fresh deals in
stages that double; a claim is settled when its confidence sequence lies in its range, or e-LOND rejects it.
Its change since the accepted state is estimated on the deals that both states share.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from simkit.analysis import claims
from simkit.analysis.claims import BROKEN, CHANGED, HOLDS, UNKNOWN, Claim, Outcomes
from simkit.engine import registry
from simkit.engine.lineups import parse_lineup
from simkit.engine.rng import sub_seed
from simkit.errors import UsageError
from simkit.runs import experiment, source_digests
from simkit.runs.experiment import Experiment
from simkit.runs.run import Run
from simkit.runs.schemas.lock import Budget, Entry, Lock, Result, pack, unpack
from simkit.stats import online_testing

FIRST_STAGE = 1_000  # fresh deals; each stage has twice as many
SHARED_DEALS = 2_000  # on which the change since the accepted state is estimated
MAX_EVIDENCE = 1e6  # logarithm, as a file holds it
NUMBERS = ("value", "low", "high", "change", "change_low", "change_high")
Play = Callable[[Experiment, str], Run]  # carries out an experiment in that subfolder


class Case(NamedTuple):
    """Claims that share their games, the experiment on the shared deals, and the digests of its sources."""

    experiment: Experiment
    sources: dict[str, str]
    claims: list[Claim]

    @property
    def name(self) -> str:
        """Name of the folder of its runs."""
        return f"{sub_seed(0, self.claims[0].text)}"


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


def gate(lock: Lock, play: Play, entry: Entry | None = None) -> tuple[Lock, list[Result]]:
    """Answer every claim from a lock, or test it; return the lock with the tests, and the results.

    entry: a state to accept, in which every claim is tested.
    """
    results, tested, outcomes = dict[str, Result](), dict[str, Result](), dict[str, str]()
    for case in cases(lock):
        stored = {} if entry else _stored(lock, case)
        results |= stored
        open_tests = {claim: stored.get(claim.text) for claim in case.claims if _is_open(claim, stored, lock)}
        if not open_tests:
            continue
        now = _shared_outcomes(lock, case, open_tests, play, bool(entry))
        outcomes |= {claim.subject: pack(numbers) for claim, numbers in now.items()}
        first = len(lock.budget.tests) + len(tested) + 1
        seed = _fresh_seed(lock, case, entry)
        for result in _tested(lock, case, _plan(lock, open_tests, seed, first), now, play):
            results[result.claim] = tested[result.id] = result
    ordered = [results[claim] for claim in dict.fromkeys(lock.claims)]
    rejections = lock.budget.rejections + sum(result.verdict == BROKEN for result in tested.values())
    budget = Budget(tests=list(dict.fromkeys([*lock.budget.tests, *tested])), rejections=rejections)
    changes: dict[str, Any] = {"tests": list(({test.id: test for test in lock.tests} | tested).values())}
    if entry:
        history = [*lock.history, entry.model_copy(update={"results": ordered})]
        changes = {"history": history, "tests": [], "outcomes": outcomes}
    return lock.model_copy(update=changes | {"budget": budget}), ordered


def _stored(lock: Lock, case: Case) -> dict[str, Result]:
    """Return the results that a lock has for the claims of a case under the same rules."""
    accepted = lock.history[-1].results if lock.history else []
    unchanged: dict[str, Any] = {"change": None, "change_low": None, "change_high": None}
    verdicts = {CHANGED: HOLDS}  # of an accepted state as that of today
    results = [
        result.model_copy(update=unchanged | {"verdict": verdicts.get(result.verdict, result.verdict)})
        for result in accepted
    ]
    texts = [claim.text for claim in case.claims]
    stored = [result for result in [*results, *lock.tests] if result.sources == case.sources]
    return {result.claim: result for result in stored if result.claim in texts}


def _is_open(claim: Claim, stored: Mapping[str, Result], lock: Lock) -> bool:
    """Return whether a claim has no result yet, or an open one that the lock allows more deals."""
    result = stored.get(claim.text)
    return result is None or (result.verdict == UNKNOWN and result.deals < lock.deals)


def _fresh_seed(lock: Lock, case: Case, entry: Entry | None) -> int:
    """Return the seed of new tests: a hash of the history, of the number of tests and of the rules."""
    parts = [_last(lock), entry.reason if entry else "", len(lock.budget.tests)]
    return sub_seed(lock.seed, "/".join(map(str, [*parts, source_digests.short(case.sources)])))


def _shared_outcomes(
    lock: Lock, case: Case, members: Iterable[Claim], play: Play, always: bool
) -> dict[Claim, Outcomes]:
    """Return the outcomes of the shared deals; nothing where there are none to compare them with."""
    if not always and not any(claim.subject in lock.outcomes for claim in members):
        return {}
    run = play(case.experiment, case.name)
    return {claim: claims.outcomes(run, claim)[0] for claim in members}


def _plan(
    lock: Lock, open_tests: Mapping[Claim, Result | None], seed: int, first: int
) -> dict[int, dict[Claim, float]]:
    """Return the levels of tests by seed; a test that goes on keeps its seed and its level."""
    plan: dict[int, dict[Claim, float]] = {}
    for number, (claim, before) in enumerate(open_tests.items(), first):
        level = before.level if before else online_testing.level(number, lock.budget.rejections)
        plan.setdefault(before.seed if before else seed, {})[claim] = level
    return plan


def _tested(
    lock: Lock, case: Case, plan: dict[int, dict[Claim, float]], now: Mapping[Claim, Outcomes], play: Play
) -> Iterator[Result]:
    """Play the stages of a case until its claims are settled; yield the result of each."""
    for seed, left in plan.items():
        for deals in stages(lock.deals):
            run = play(case.experiment.changed(seed=seed, deals=deals), f"{case.name}-{seed}")
            results = [_result(lock, case, run, claim, left[claim], now.get(claim)) for claim in left]
            done = [result for result in results if result.verdict != UNKNOWN or deals == lock.deals]
            yield from done
            settled = {result.claim for result in done}
            left = {claim: level for claim, level in left.items() if claim.text not in settled}
            if not left:
                break


def stages(deals: int) -> list[int]:
    """Return the numbers of deals after which a test is looked at.

    >>> stages(1800)
    [1000, 1800]
    """
    return [FIRST_STAGE * 2**k for k in range(deals.bit_length()) if FIRST_STAGE * 2**k < deals] + [deals]


def _result(lock: Lock, case: Case, run: Run, claim: Claim, level: float, now: Outcomes | None) -> Result:
    (cell,), estimated = run.cells, claims.estimate(claim, *claims.outcomes(run, claim))
    before = lock.outcomes.get(claim.subject)
    change = claims.change(now, unpack(before)) if before and now is not None else None
    verdict = claims.verdict(claim, estimated, level, change)
    ends = (round(number, 4) for number in (*estimated[:3], *(change or ())))
    keys: dict[str, Any] = dict(zip(NUMBERS, ends, strict=False))
    keys |= {"claim": claim.text, "piece": estimated.piece, "games": cell.plays, "deals": cell.deals}
    keys |= {"lineup": ", ".join(cell.labels), "seed": run.experiment.seed, "sources": case.sources}
    keys |= {"evidence": round(float(np.clip(estimated.evidence, -MAX_EVIDENCE, MAX_EVIDENCE)), 3)}
    if verdict == UNKNOWN and (deals := claims.further_deals(claim, estimated, cell.deals)):
        keys["further"] = deals * cell.rotations
    return Result(**keys, verdict=verdict, level=level)


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
