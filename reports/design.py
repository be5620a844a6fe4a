"""The design page: the settings that meet several wishes, checked on fresh deals."""

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import study_document
from simkit.reporting.text.phrases import TableRow

from .sections.changes import changes
from .sections.design_answer import design_answer
from .sections.seats import seats
from .sections.who import who


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    results, settings = findings.run.designed, {cell.index: cell.varied for cell in findings.run.cells}
    checked = findings.checked_settings.rows(named=True)
    return study_document(findings, brief) | {
        "vary": results.vary,
        "wishes": [goal.model_dump() for goal in results.goals],
        "checked": [{"setting": settings[row["cell"]], **row} for row in checked],
        "measured": findings.wishes.rows(named=True),
        "trials": [trial.model_dump(include={"setting", "deals", "loss"}) for trial in results.trials],
        "refused": results.refused,
    }


recipe = Recipe(
    "rules that meet wishes",
    brief=[design_answer],
    chapters={"The rules checked against the printed ones": [changes], "Who won": [seats], "Players": [who]},
    needs="a search of simkit design",
    fits=lambda findings: findings.run.kind == "design",
    document=document,
)
