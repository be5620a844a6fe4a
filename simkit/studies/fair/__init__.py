"""What would be fair? The value of a rule option (or of one option per seat) that makes the seats equal.

One run folder: `looks/wide` over the whole range (`wide1` ... where too coarse), `looks/close` where the
shares are near fair, `close1` ... at the values that these leave open, which all together give the value. The
run in the folder itself is the check of the whole-numbered candidates until a verdict, on deals of its own,
since what was selected looks better than it is; `search.json` keeps what the looks said.

The fair value of one option is where the shares at whole numbers, joined by straight lines, are fair
(`simkit/stats/crossing.py`): only whole numbers can be played, and no curve is assumed between them. Close
looks play every whole number that may be beside it; with few deals for a flat curve every second, fourth, ...
and the answer says which. The ends of the interval are values that were played: of what lies between two
of them only these two are known.

Coverage of the 95 % interval (tests/studies/test_fair_coverage.py): one option 96 to 100 % on the curve measured of
Outpost Seven, on kinks, on steps and on flat curves, with 2,000 and with 20,000 deals. One per seat 91 to
98 %, at times open or very wide.
"""

from collections.abc import Callable

from simkit.engine.rng import sub_seed
from simkit.runs.experiment import Experiment
from simkit.runs.run import LOOKS, Run, keep_search
from simkit.studies.fair.many_options import many_options
from simkit.studies.fair.one_option import one_option
from simkit.studies.fair.record import record
from simkit.studies.fair.request import Asked, Data, Look, Solution, Value, check_asked, data

MOST_CANDIDATES = 4
CHECK = ""  # the part of the folder that is the folder itself
Play = Callable[[Experiment, str], Run]  # carries out a run in that part of the folder


def solve(asked: Asked, play: Play) -> Run:
    """Find the fair value and check it on fresh deals; `play` carries out the runs. The run of the folder."""
    check_asked(asked)
    looks: dict[str, Data] = {}

    def look(wanted: Experiment, name: str) -> Data:
        looks[name] = data(asked, play(wanted, f"{LOOKS}/{name}"))
        return looks[name]

    solution = fair_values(asked, look)
    best = [value.setting for value in reversed(solution.values)]
    candidates = sorted(list(dict.fromkeys(best))[:MOST_CANDIDATES])
    run = play(check_of(asked, candidates), CHECK)
    keep_search(run.folder, record(asked, solution, looks))
    return run


def check_of(asked: Asked, candidates: list[tuple[int, ...]]) -> Experiment:
    """The experiment that checks candidates on deals of its own: the run of the folder itself."""
    keys = {"deals": 3 * asked.deals, "seed": sub_seed(asked.seed, "fair/check"), "until_verdict": True}
    return asked.experiment(asked.question, candidates, **keys)


def fair_values(asked: Asked, look: Look) -> Solution:
    """The fair values before they are checked, and what to beware of; `look` measures the shares."""
    return (one_option if len(asked.vary) == 1 else many_options)(asked, look)
