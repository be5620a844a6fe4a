"""Screening: which of many options matter, alone and together.

One run folder holds all runs of a screening. `side_runs/screen` plays two values of every option in a design
that separates the main effects from pair interactions; each effect is averaged over both values of all other
options. `side_runs/alone` changes one option at a time, because an average over rules far from the rulebook
may hide or create an effect. `side_runs/sobol`, if requested, samples the strongest options over all their
values. The run in the folder itself plays all combinations of the strongest options, with all other options
as in the rulebook. It has deals of its own, because selected options look stronger than they are.
`search.json` records the results of the side runs.
"""

from collections.abc import Callable

from simkit.analysis import factorial
from simkit.analysis.factorial import Row
from simkit.analysis.measures import Measure, check_column
from simkit.engine import registry
from simkit.runs import manifest
from simkit.runs.columns import check_number
from simkit.runs.experiment import Experiment
from simkit.runs.run import SIDE_RUNS, Run, keep_search
from simkit.stats.factorial import balanced, one_by_one, screening_design
from simkit.studies.screening import sobol
from simkit.studies.screening.levels import accepted, screen_of
from simkit.studies.screening.request import Request, Screen

SCREEN, ALONE, SOBOL = "screen", "alone", "sobol"  # names of the side runs
AVERAGED = "averaged"
TOGETHER = ""  # subfolder of the last run: the folder itself
Play = Callable[[Experiment, str], Run]  # carries out a run in that subfolder


def solve(request: Request, play: Play) -> Run:
    """Screen the options, play the strongest in all combinations, and return the run of the folder.

    `play` carries out each experiment in the subfolder that it is given.
    """
    screen = screen_of(request)
    experiments = {SCREEN: request.screen(screen), ALONE: request.alone(screen)}
    runs = {name: play(experiment, f"{SIDE_RUNS}/{name}") for name, experiment in experiments.items()}
    measures = factorial.wanted(runs[ALONE], request.measures)
    margins = factorial.margins(runs[ALONE], measures, request.margin, request.small)
    rows = _effects(screen, runs, measures, margins)
    chosen = _strongest(request, screen, [row for row in rows if row["how"] == ALONE])
    sample = _sobol(request, screen, chosen, measures, play) if request.sobol else []
    together = play(request.together({name: screen.levels[name] for name in chosen}), TOGETHER)
    record = {
        "kind": "screen",
        "rows": len(request.design(screen)),
        "deals": request.deals,
        "alone": experiments[ALONE].deals,
        "notes": screen.notes,
        "levels": {name: list(ends) for name, ends in screen.levels.items()},
        "margins": [{"measure": name, "margin": margin} for name, margin in margins.items()],
        "effects": rows,
        "strongest": chosen,
        "sobol": sample,
        "sample": request.sobol,
        "side_runs": [*experiments, SOBOL] if sample else [*experiments],
    }
    keep_search(together.folder, record)
    return together


def _effects(
    screen: Screen, runs: dict[str, Run], measures: list[Measure], margins: dict[str, float]
) -> list[Row]:
    """Return the effect of each option alone and averaged over the others; the intervals hold jointly."""
    names = [(name,) for name in screen.levels]
    weights = {ALONE: one_by_one(len(names)), SCREEN: balanced(screening_design(len(names)))}
    rows = []
    for name, design in weights.items():
        judged = factorial.judged(factorial.table(runs[name], design, names, measures, len(weights)), margins)
        how = ALONE if name == ALONE else AVERAGED
        rows += [{"how": how} | {key: value for key, value in row.items() if key != "with"} for row in judged]
    return rows


def _sobol(
    request: Request, screen: Screen, chosen: list[str], measures: list[Measure], play: Play
) -> list[Row]:
    """Play the sample of the strongest options and return their Sobol indices."""
    ranges = sobol.ranges_of(request, screen, chosen)
    points = sobol.points(ranges, request.sobol, request.seed)
    run = play(sobol.experiment_of(request, ranges, points), f"{SIDE_RUNS}/{SOBOL}")
    return sobol.indices(run, ranges, points, measures, request.seed)


def _strongest(request: Request, screen: Screen, rows: list[Row]) -> list[str]:
    """Return the options with the largest effects, in margins, whose combinations the game accepts."""
    largest: dict[str, float] = {}
    for row in rows:
        size = abs(row["effect"]) / row["margin"] if row["margin"] else 0.0
        largest[row["option"]] = max(size, largest.get(row["option"], 0.0))
    chosen: list[str] = []
    for name in sorted(largest, key=lambda name: -largest[name]):
        levels = {option: screen.levels[option] for option in [*chosen, name]}
        if len(chosen) < request.strongest and accepted(request, levels):
            chosen.append(name)
    return chosen


def check_measure(request: Request, name: str) -> None:
    """Raise UsageError for a column that the log of the game does not have, or that is no number."""
    check_column(name, manifest.columns_of(request.experiment("?")))
    check_number(registry.game(request.game), name)
