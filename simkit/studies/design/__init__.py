"""Which rules meet several wishes? Bayesian optimisation over options, the best checked on fresh deals.

One run folder: `looks/printed` measures the printed rules, `looks/round1` ... a few settings each on few of
the same deals, `looks/race1` ... those of them that are not clearly worse than the best on all deals. The run
in the folder itself plays the best settings and the printed rules on deals of its own, since what was
selected looks better than it is; `search.json` keeps what the looks said.
"""

from collections.abc import Callable
from typing import Any

from simkit.analysis import goals as wished
from simkit.analysis.goals import Goal, Printed
from simkit.runs.experiment import Experiment
from simkit.runs.run import LOOKS, Run, keep_search
from simkit.studies.design.request import Asked, Setting
from simkit.studies.design.search import Judged, explore

PRINTED, CHECK = "printed", ""  # a look; the part of the folder that is the folder itself
Play = Callable[[Experiment, str], Run]  # carries out a run in that part of the folder


def solve(asked: Asked, play: Play) -> Run:
    """Search for rules that meet the wishes, and check the best on fresh deals. The run of the folder."""
    goals, names = asked.goals(), list[str]()

    def look(settings: list[Setting], deals: int, name: str) -> Run:
        names.append(name)
        return play(asked.look(settings, deals), f"{LOOKS}/{name}")

    base = look([asked.printed()], asked.deals, PRINTED)
    printed = wished.printed_of(base, goals)
    goals = wished.scaled(goals, printed)

    def measure(settings: list[Setting], deals: int, name: str) -> list[Judged]:
        return _judged(asked, goals, printed, look(settings, deals, name), settings)

    (first,) = _judged(asked, goals, printed, base, [asked.printed()])
    tried, refused = explore(asked, first, measure)
    best = _best(asked, tried)
    run = play(asked.check([asked.printed(), *(one.setting for one in best)]), CHECK)
    known: dict[str, Any] = {
        "kind": "design",
        "vary": {name: list(values) for name, values in asked.vary.items()},
        "goals": [goal.keys() for goal in goals],
        "tried": [one.keys(asked) for one in tried],
        "printed": dict(zip(asked.vary, asked.printed(), strict=True)),
        "refused": refused,
        "deals": asked.deals,
        "looks": names,
    }
    keep_search(run.folder, known)
    return run


def _judged(
    asked: Asked, goals: list[Goal], printed: Printed, run: Run, settings: list[Setting]
) -> list[Judged]:
    rows = wished.measured(run, goals, printed)
    found = []
    for place, setting in enumerate(settings):
        own = [row for row in rows if row["setting"] == place]
        loss, hope = (wished.loss(goals, own, hopeful) for hopeful in (False, True))
        found.append(Judged(setting, run.cells[0].deals, loss, hope, own))
    return found


def _best(asked: Asked, tried: list[Judged]) -> list[Judged]:
    """The best settings besides the printed rules, of those that were measured on all deals."""
    whole = [one for one in tried if one.deals == asked.deals and one.setting != asked.printed()]
    return sorted(whole, key=lambda one: one.loss)[: asked.best]
