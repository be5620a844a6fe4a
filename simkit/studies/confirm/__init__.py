"""Check of the settings nearest to fair on fresh deals, after the run that they were picked from.

A setting that was picked because it looked best looks better than it is. The run in the folder `confirm`
therefore plays the two nearest to fair with the lineups of the baseline, on deals of its own, until each case
has a verdict.
"""

from dataclasses import dataclass
from typing import Any

from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment
from simkit.runs.experiment import Experiment
from simkit.runs.plan import Cell, make_plan
from simkit.runs.table_files import is_file
from simkit.studies.study import Play, Study, tied

MAX_SETTINGS = 2
MAX_GAMES = 60_000  # of a setting with one lineup
PAGES = (None, "sweep", "balance")  # of experiments about fairness; others ask something else
INHERITED = {"options", "files", "target", "keep_going", "rotate", "called"}  # keys of the run that it checks


@dataclass(frozen=True)
class ConfirmStudy(Study):
    """A check; `deals` is the cap of a case."""

    settings: list[dict[str, Any]]  # option -> value

    def check(self) -> None:
        """Raise UsageError for settings that cannot be played."""
        make_plan(self.last_run()).check()

    def last_run(self) -> Experiment:
        """Return the games of the settings, until each case has a verdict."""
        rows = (setting.values() for setting in self.settings)
        question = "Does what looks fair stay fair on fresh deals?"
        return self.experiment(question, "confirm", sweep=tied(self.settings[0], rows), until_verdict=True)

    def search(self, play: Play) -> tuple[Experiment, None]:
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
    searching = any(registry.player(game, named).search for cell in cells for named in cell.lineup)
    return not missing and (request.confirm is True or (request.report in PAGES and not searching))


def _missing(request: Experiment, cells: list[Cell]) -> str:
    """Return why the settings of a run cannot be checked; empty if they can."""
    if cells[0].target is not None and request.target is None:
        return "a check on fresh deals needs the key target in a co-operative game"
    if all(cell.baseline for cell in cells) or not any(cell.baseline for cell in cells):
        return "a check on fresh deals needs options in [sweep] and a [baseline]"
    if files := list(filter(is_file, cells[0].varied)):
        return f"a check on fresh deals varies options, not {files[0]}; leave one of them out"
    if request.ablate or request.until_elo or request.until_outclassed:
        return "a check on fresh deals is for runs about fairness; leave out ablate and until_..."
    return ""
