"""The tune page: whether tuned weights win more on fresh deals."""

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import study_document
from simkit.reporting.text.phrases import TableRow
from simkit.reporting.text.tuning import has_gained, label_opponents

from .sections.seats import seats
from .sections.tune_answer import tune_answer
from .sections.who import who


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    results = findings.run.tuned
    keys = ("strategy", "tuned", "panel", "holdout", "sampler")
    trials = [trial.model_dump(include={"weights", "deals", "gain"}) for trial in results.trials]
    front = results.model_dump(include={*keys}) | {"gained": has_gained(label_opponents(findings))}
    checked = {"checked": findings.tuned.rows(named=True), "trials": trials}
    return study_document(findings, brief) | front | checked


recipe = Recipe(
    "tuned weights",
    brief=[tune_answer],
    chapters={"Players": [who, seats]},
    needs="a search of simkit tune",
    fits=lambda findings: findings.run.kind == "tune",
    document=document,
)
