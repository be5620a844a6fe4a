"""Which options matter? Many at once in few runs, each by itself, then the strongest in all combinations.

One run folder: `looks/screen` has two values of every option in a design in which what each does is clear of
what pairs do together, averaged over both values of all others; `looks/alone` turns each by itself, since an
average over rules far from the rulebook may hide, or make, what it does there; `looks/sobol`, if asked for,
has the strongest over all their values. The run in the folder itself plays all combinations of the strongest,
all others as in the rulebook, on deals of its own, since what was selected looks stronger than it is;
`search.json` keeps what the looks said.
"""

from collections.abc import Callable

from simkit.analysis import factorial as measured
from simkit.analysis import measures as columns
from simkit.analysis.factorial import Row
from simkit.analysis.measures import Measure
from simkit.engine import registry
from simkit.runs import manifest
from simkit.runs.columns import check_number
from simkit.runs.experiment import Experiment
from simkit.runs.run import LOOKS, Run, keep_search
from simkit.stats.factorial import balanced, one_by_one, screening_design
from simkit.studies.screening import sobol
from simkit.studies.screening.levels import accepted, screen_of
from simkit.studies.screening.request import Asked, Screen

SCREEN, ALONE, SOBOL = "screen", "alone", "sobol"  # the looks
AVERAGED = "averaged"
TOGETHER = ""  # the part of the folder that is the folder itself
Play = Callable[[Experiment, str], Run]  # carries out a run in that part of the folder


def solve(asked: Asked, play: Play) -> Run:
    """Screen the options, then play the strongest together; `play` carries out the runs. The folder's run."""
    screen = screen_of(asked)
    looks = {SCREEN: asked.screen(screen), ALONE: asked.alone(screen)}
    runs = {name: play(wanted, f"{LOOKS}/{name}") for name, wanted in looks.items()}
    measures = measured.wanted(runs[ALONE], asked.measures)
    margins = measured.margins(runs[ALONE], measures, asked.margin, asked.small)
    rows = _effects(screen, runs, measures, margins)
    chosen = _strongest(asked, screen, [row for row in rows if row["how"] == ALONE])
    sample = _sobol(asked, screen, chosen, measures, play) if asked.sobol else []
    together = play(asked.together({name: screen.levels[name] for name in chosen}), TOGETHER)
    known = {
        "kind": "screen",
        "rows": len(asked.design(screen)),
        "deals": asked.deals,
        "alone": looks[ALONE].deals,
        "told": screen.told,
        "levels": {name: list(ends) for name, ends in screen.levels.items()},
        "margins": [{"measure": name, "margin": margin} for name, margin in margins.items()],
        "effects": rows,
        "strongest": chosen,
        "sobol": sample,
        "sample": asked.sobol,
        "looks": [*looks, *[SOBOL] * bool(sample)],
    }
    keep_search(together.folder, known)
    return together


def _effects(
    screen: Screen, runs: dict[str, Run], measures: list[Measure], margins: dict[str, float]
) -> list[Row]:
    """What each option does alone, and averaged over the others; all intervals hold together."""
    names = [(name,) for name in screen.levels]
    weights = {ALONE: one_by_one(len(names)), SCREEN: balanced(screening_design(len(names)))}
    rows = []
    for look, by in weights.items():
        found = measured.judged(measured.table(runs[look], by, names, measures, len(weights)), margins)
        how = ALONE if look == ALONE else AVERAGED
        rows += [{"how": how} | {key: value for key, value in row.items() if key != "with"} for row in found]
    return rows


def _sobol(asked: Asked, screen: Screen, chosen: list[str], measures: list[Measure], play: Play) -> list[Row]:
    wanted = sobol.ranges_of(asked, screen, chosen)
    points = sobol.points(wanted, asked.sobol, asked.seed)
    run = play(sobol.experiment_of(asked, wanted, points), f"{LOOKS}/{SOBOL}")
    return sobol.indices(run, wanted, points, measures, asked.seed)


def _strongest(asked: Asked, screen: Screen, rows: list[Row]) -> list[str]:
    """The options that change some measure most, in margins, as far as the game takes all combinations."""
    most: dict[str, float] = {}
    for row in rows:
        size = abs(row["effect"]) / row["margin"] if row["margin"] else 0.0
        most[row["option"]] = max(size, most.get(row["option"], 0.0))
    chosen: list[str] = []
    for name in sorted(most, key=lambda name: -most[name]):
        levels = {one: screen.levels[one] for one in [*chosen, name]}
        if len(chosen) < asked.strongest and accepted(asked, levels):
            chosen.append(name)
    return chosen


def check_measure(asked: Asked, name: str) -> None:
    """Refuse a column that the log of the game would not have."""
    columns.check_column(name, manifest.columns_of(asked.experiment("?")))
    check_number(registry.game(asked.game), name)
