"""The ladder of a run: players of rising strength at the settings that the answer of the run is about."""

from simkit.analysis import Findings, axes
from simkit.analysis.table import setting_words
from simkit.errors import UsageError
from simkit.reporting.text.answer import near_fair
from simkit.runs.experiment import Experiment
from simkit.runs.folder import Run
from simkit.runs.plan import Cell, Plan
from simkit.runs.table_files import is_file
from simkit.studies.ladder import LadderStudy
from simkit.studies.study import tied


def check_ladder(plan: Plan) -> None:
    """Raise UsageError for a plan with a ladder that cannot be played, before the run is played."""
    if plan.experiment.skill is None:
        return
    if files := list(filter(is_file, plan.cells[0].varied)):
        raise UsageError(f"key 'skill': a ladder varies options, not {files[0]}; leave one of them out")
    _study(plan.experiment, plan.cells).check()


def ladder_of(run: Run) -> LadderStudy | None:
    """Return the ladder that a run asks for: at the baseline (the first setting) and at settings near fair.

    Along one whole-number option it also has the setting half-way to those, which may be fair to better
    players.
    """
    if run.experiment.skill is None:
        return None
    first = next((cell for cell in run.cells if cell.baseline), run.cells[0])
    every = list(dict.fromkeys(setting_words(cell.varied) for cell in run.cells))
    start, near = every.index(setting_words(first.varied)), [every.index(s) for s in near_fair(Findings(run))]
    chosen = {start, *near}
    if near and len(varied := axes(run)) == 1 and varied[0].whole_numbers:
        chosen.add((start + min(near, key=lambda place: abs(place - start))) // 2)
    settings = {every[place] for place in chosen}
    return _study(run.experiment, [cell for cell in run.cells if setting_words(cell.varied) in settings])


def _study(request: Experiment, cells: list[Cell]) -> LadderStudy:
    """Return the ladder at the settings of some cells, for as many players as the first of them has."""
    assert request.skill is not None
    names, settings = list(cells[0].varied), {setting_words(cell.varied): cell.varied for cell in cells}
    more = request.model_dump(include={"options", "files", "target", "keep_going"}, exclude_defaults=True)
    return LadderStudy(
        game=request.game,
        lineups=[[f"random*{cells[0].seats}"]],
        deals=request.skill.deals,
        seed=request.seed,
        margin=request.margin,
        more=more,
        sweep=tied(names, (varied.values() for varied in settings.values())) if names else {},
        given=request.skill.rungs,
    )
