"""The screening page: the options that matter, alone, averaged over the others and together."""

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import study_document
from simkit.reporting.text.phrases import TableRow

from .sections.changes import changes
from .sections.screen_answer import screen_answer
from .sections.screen_dials import screen_dials
from .sections.tornado import tornado
from .sections.who import who


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    results = findings.run.screened
    return study_document(findings, brief) | {
        "levels": results.levels,
        "effects": findings.dials.rows(named=True),
        "strongest": results.strongest,
        "alone_again": findings.alone_again.rows(named=True),
        "together": findings.together.rows(named=True),
        "sobol": [index.model_dump() for index in results.sobol],
        "left_out": results.notes,
    }


recipe = Recipe(
    "which options matter",
    brief=[screen_answer],
    chapters={
        "Option by option": [screen_dials],
        "One step from the rulebook, on fresh deals": [tornado, changes],
        "Players": [who],
    },
    needs="a run of simkit screen",
    fits=lambda findings: findings.run.kind == "screen",
    document=document,
)
