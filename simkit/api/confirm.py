"""The check of a run: the settings nearest to fair, on fresh deals."""

from simkit.analysis import Findings, setting_words
from simkit.analysis.confirmed import candidates
from simkit.reporting.text.ladder import settings_of_agreement
from simkit.runs.folder import Run
from simkit.runs.plan import Plan
from simkit.studies.confirm import MAX_SETTINGS, ConfirmStudy, confirmation, is_checked


def check_confirm(plan: Plan) -> None:
    """Raise UsageError for a plan that asks for a check that cannot be played, before it is played."""
    is_checked(plan.experiment, plan.cells)


def confirmation_of(run: Run) -> ConfirmStudy | None:
    """Return the check that a run asks for; None without settings that its ladder, too, may find fair."""
    if not is_checked(run.experiment, run.cells):
        return None
    findings = Findings(run)
    settings = settings_of_agreement(findings, candidates(findings))[:MAX_SETTINGS]
    varied = {setting_words(cell.varied): cell.varied for cell in run.cells}
    chosen = [setting for name, setting in varied.items() if name in settings]
    return confirmation(run.experiment, run.cells, chosen) if chosen else None
