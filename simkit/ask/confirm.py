"""What is played after a run that asks for it: a check of settings on fresh deals, and a ladder."""

from dataclasses import dataclass
from typing import Any

from simkit.ask.requests import STUDY_KEYS
from simkit.ask.rungs import LadderStudy
from simkit.ask.study import Play, Study, tied_sweep
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.page.advice import MAX_ADVISED, near_fair
from simkit.page.words.skill import settings_of_agreement
from simkit.runs.experiment import Experiment
from simkit.runs.plan import Cell, Plan, make_plan
from simkit.runs.table_files import is_file
from simkit.tables.fairness import candidates
from simkit.tables.findings import Findings, setting_words

MAX_SETTINGS = 2
MAX_GAMES = 60_000  # of a setting with one lineup
PAGES = (None, "sweep", "balance")  # of experiments about fairness; others ask something else
INHERITED = {*STUDY_KEYS, "called"}  # keys of the run that it checks


@dataclass(frozen=True)
class ConfirmStudy(Study):
    """A check on fresh deals of the settings nearest to fair; `deals` is the cap of a case.

    A setting that was picked because it looked best looks better than it is. The run in the folder `confirm`
    therefore plays the two nearest to fair with the lineups of the baseline, on deals of its own, until each
    case has a verdict.
    """

    settings: list[dict[str, Any]]  # option -> value

    def check(self) -> None:
        """Raise UsageError for settings that cannot be played."""
        make_plan(self.last_run()).check()

    def last_run(self) -> Experiment:
        """Return the games of the settings, until each case has a verdict."""
        rows = (setting.values() for setting in self.settings)
        question = "Does what looks fair stay fair on fresh deals?"
        return self.experiment(
            question, "confirm", sweep=tied_sweep(self.settings[0], rows), until_verdict=True
        )

    def carry_out(self, play: Play) -> tuple[Experiment, None]:
        """Return the run that plays the settings: there is nothing to search."""
        return self.last_run(), None


def confirmation(request: Experiment, cells: list[Cell], settings: list[dict[str, Any]]) -> ConfirmStudy:
    """Return the check of some settings of a run with these cells."""
    at_baseline = [cell for cell in cells if cell.baseline]
    return ConfirmStudy(
        game=request.game,
        lineups=[cell.labels for cell in at_baseline],
        deals=MAX_GAMES // max(cell.rotations for cell in at_baseline),
        seed=request.seed,
        margin=request.margin,
        more=request.model_dump(include=INHERITED, exclude_defaults=True),
        settings=settings,
    )


def is_checked(request: Experiment, cells: list[Cell]) -> bool:
    """Return whether a run checks its advice: as its key says, else if it varies rules for fairness.

    Lineups that search play too slowly for a check that nobody asked for.
    """
    if request.confirm is False:
        return False
    missing = _missing(request, cells)
    if request.confirm and missing:
        raise UsageError(f"key 'confirm': {missing}")
    game = registry.game(request.game)
    lineups = (named for cell in cells for named in cell.lineup)
    searching = any(registry.strategy(game, named.name).searches for named in lineups)
    return not missing and (request.confirm is True or (request.report in PAGES and not searching))


def _missing(request: Experiment, cells: list[Cell]) -> str:
    """Return why the settings of a run cannot be checked; empty if they can."""
    if cells[0].team and request.target is None:
        return "a check on fresh deals needs the key target in a co-operative game"
    if all(cell.baseline for cell in cells) or not any(cell.baseline for cell in cells):
        return "a check on fresh deals needs options in [sweep] and a [baseline]"
    if files := list(filter(is_file, cells[0].varied)):
        return f"a check on fresh deals varies options, not {files[0]}; leave one of them out"
    if request.ablate or request.until_elo or request.until_outclassed:
        return "a check on fresh deals is for runs about fairness; leave out ablate and until_..."
    return ""


def check_confirm(plan: Plan) -> None:
    """Raise UsageError for a plan that asks for a check that cannot be played, before it is played."""
    is_checked(plan.experiment, plan.cells)


def confirmation_of(findings: Findings) -> ConfirmStudy | None:
    """Return the check that a run asks for; None without settings that its ladder, too, may find fair."""
    run = findings.run
    if not is_checked(run.experiment, run.cells):
        return None
    settings = settings_of_agreement(findings, candidates(findings))[:MAX_SETTINGS]
    varied = {setting_words(cell.varied): cell.varied for cell in run.cells}
    chosen = [setting for name, setting in varied.items() if name in settings]
    return confirmation(run.experiment, run.cells, chosen) if chosen else None


# The ladder of a run: players of rising strength at the settings that the answer of the run is about.


def check_ladder(plan: Plan) -> None:
    """Raise UsageError for a plan with a ladder that cannot be played, before the run is played."""
    if plan.experiment.skill is None:
        return
    if files := list(filter(is_file, plan.cells[0].varied)):
        raise UsageError(f"key 'skill': a ladder varies options, not {files[0]}; leave one of them out")
    _study(plan.experiment, plan.cells).check()


def ladder_of(findings: Findings) -> LadderStudy | None:
    """Return the ladder that a run asks for: at the baseline (the first) and near fair.

    No other setting is checked or advised, so that all advice rests on the players of the ladder, too.
    """
    run = findings.run
    if run.experiment.skill is None:
        return None
    first = next((cell for cell in run.cells if cell.baseline), run.cells[0])
    nearest = list(dict.fromkeys([*near_fair(findings), *candidates(findings)]))[:MAX_ADVISED]
    settings = {setting_words(first.varied), *nearest}
    return _study(run.experiment, [cell for cell in run.cells if setting_words(cell.varied) in settings])


def _study(request: Experiment, cells: list[Cell]) -> LadderStudy:
    """Return the ladder at the settings of some cells, for as many players as the first of them has."""
    assert request.skill is not None
    names, settings = list(cells[0].varied), {setting_words(cell.varied): cell.varied for cell in cells}
    more = request.model_dump(include={*STUDY_KEYS}, exclude_defaults=True)
    return LadderStudy(
        game=request.game,
        lineups=[[f"random*{cells[0].seats}"]],
        deals=request.skill.deals,
        seed=request.seed,
        margin=request.margin,
        more=more,
        sweep=tied_sweep(names, (varied.values() for varied in settings.values())) if names else {},
        given=request.skill.rungs,
    )
