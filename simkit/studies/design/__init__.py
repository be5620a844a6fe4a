"""Rule design: Bayesian optimisation over options for several wishes, with the best checked on fresh deals.

One run folder holds all runs of a search. `side_runs/printed` measures the printed rules; `side_runs/round1`
... play a few settings each on few of the same deals; `side_runs/race1` ... play on all deals the settings
that are not clearly worse than the best. The run in the folder itself plays the best settings and the
printed rules on deals of its own, because selected settings look better than they are. `search.json` records
the results of the side runs.
"""

from collections.abc import Callable
from typing import Any

from simkit.analysis import goals as goal_analysis
from simkit.analysis.goals import Goal, Printed
from simkit.runs.experiment import Experiment
from simkit.runs.run import SIDE_RUNS, Run, keep_search
from simkit.studies.design.request import Request, Setting
from simkit.studies.design.search import Judged, explore

PRINTED, CHECK = "printed", ""  # name of the first side run; subfolder of the check: the folder itself
Play = Callable[[Experiment, str], Run]  # carries out a run in that subfolder


def solve(request: Request, play: Play) -> Run:
    """Search for rules that meet the wishes, check the best on fresh deals, and return the folder's run."""
    goals, names = request.goals(), list[str]()

    def run_settings(settings: list[Setting], deals: int, name: str) -> Run:
        names.append(name)
        return play(request.look(settings, deals), f"{SIDE_RUNS}/{name}")

    base = run_settings([request.printed()], request.deals, PRINTED)
    printed = goal_analysis.printed_of(base, goals)
    goals = goal_analysis.scaled(goals, printed)

    def measure(settings: list[Setting], deals: int, name: str) -> list[Judged]:
        return _judged(request, goals, printed, run_settings(settings, deals, name), settings)

    (printed_judged,) = _judged(request, goals, printed, base, [request.printed()])
    judged, refused = explore(request, printed_judged, measure)
    best = _best(request, judged)
    run = play(request.check([request.printed(), *(candidate.setting for candidate in best)]), CHECK)
    record: dict[str, Any] = {
        "kind": "design",
        "vary": {name: list(values) for name, values in request.vary.items()},
        "goals": [goal.keys() for goal in goals],
        "trials": [candidate.keys(request) for candidate in judged],
        "printed": dict(zip(request.vary, request.printed(), strict=True)),
        "refused": refused,
        "deals": request.deals,
        "side_runs": names,
    }
    keep_search(run.folder, record)
    return run


def _judged(
    request: Request, goals: list[Goal], printed: Printed, run: Run, settings: list[Setting]
) -> list[Judged]:
    """Return each setting with its loss, from the cells of its run."""
    rows = goal_analysis.measured(run, goals, printed)
    judged = []
    for place, setting in enumerate(settings):
        setting_rows = [row for row in rows if row["setting"] == place]
        loss, hope = (goal_analysis.loss(goals, setting_rows, hopeful) for hopeful in (False, True))
        judged.append(Judged(setting, run.cells[0].deals, loss, hope, setting_rows))
    return judged


def _best(request: Request, judged: list[Judged]) -> list[Judged]:
    """Return the best settings other than the printed rules, of those that were measured on all deals."""
    printed = request.printed()
    full = [candidate for candidate in judged if candidate.deals == request.deals]
    ranked = sorted(full, key=lambda candidate: candidate.loss)
    return [candidate for candidate in ranked if candidate.setting != printed][: request.best]
