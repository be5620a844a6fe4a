"""Fair value: the value of a rule option (or of one option per seat) at which the seats are equal.

One run folder holds all runs of a search. `side_runs/wide` covers the whole range (`wide1` ... where that is
too coarse), `side_runs/close` the part where the shares are near fair, `close1` ... the values that are
still open. The close runs together give the fair value. The run in the folder itself checks the
whole-numbered candidates until a verdict, on deals of its own, because selected values look better than they
are. `search.json` records the results of the side runs.

The fair value of one option is the point at which the shares at whole numbers, joined by straight lines, are
fair (`simkit/stats/crossing.py`): only whole numbers can be played, and no curve is assumed between them.
The close runs play every whole number near the fair value; with few deals for a flat curve they play every
second, fourth, ..., and the answer says which. The ends of the interval are values that were played, because
nothing is known between two of them.

Coverage of the 95 % interval (tests/studies/test_fair_coverage.py): one option 96 to 100 % on the measured
curve of Outpost Seven, on kinks, on steps and on flat curves, with 2,000 and with 20,000 deals. One option
per seat: 91 to 98 %, with intervals that are sometimes open or very wide.
"""

from collections.abc import Callable

from simkit.engine.rng import sub_seed
from simkit.runs.experiment import Experiment
from simkit.runs.run import SIDE_RUNS, Run, keep_search
from simkit.studies.fair.many_options import many_options
from simkit.studies.fair.one_option import one_option
from simkit.studies.fair.record import record
from simkit.studies.fair.request import Data, Look, Request, Solution, Value, check_asked, data

MAX_CANDIDATES = 4
CHECK = ""  # subfolder of the check: the folder itself
Play = Callable[[Experiment, str], Run]  # carries out a run in that subfolder


def solve(request: Request, play: Play) -> Run:
    """Find the fair value, check it on fresh deals, and return the run of the folder.

    `play` carries out each experiment in the subfolder that it is given.
    """
    check_asked(request)
    measurements: dict[str, Data] = {}

    def measure(experiment: Experiment, name: str) -> Data:
        measurements[name] = data(request, play(experiment, f"{SIDE_RUNS}/{name}"))
        return measurements[name]

    solution = fair_values(request, measure)
    best = [value.setting for value in reversed(solution.values)]
    candidates = sorted(list(dict.fromkeys(best))[:MAX_CANDIDATES])
    run = play(check_of(request, candidates), CHECK)
    keep_search(run.folder, record(request, solution, measurements))
    return run


def check_of(request: Request, candidates: list[tuple[int, ...]]) -> Experiment:
    """Return the experiment that checks candidates on deals of its own: the run of the folder itself."""
    keys = {"deals": 3 * request.deals, "seed": sub_seed(request.seed, "fair/check"), "until_verdict": True}
    return request.experiment(request.question, candidates, **keys)


def fair_values(request: Request, measure: Look) -> Solution:
    """Return the fair values before their check; `measure` plays an experiment and returns its shares."""
    return (one_option if len(request.vary) == 1 else many_options)(request, measure)
