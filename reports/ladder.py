"""The page of a ladder: how the answers change as players get better."""

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import study_document
from simkit.reporting.text.phrases import TableRow

from .sections.components import components
from .sections.ladder_answer import ladder_answer
from .sections.length import length
from .sections.luck import luck
from .sections.rungs import rungs
from .sections.seats import seats
from .sections.who import who


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    ladder = findings.run.ladder.model_dump(include={"vary", "rungs"})
    for rung, milliseconds in zip(ladder["rungs"], findings.rungs["milliseconds"], strict=True):
        rung["milliseconds"] = milliseconds
    return study_document(findings, brief) | ladder


recipe = Recipe(
    "how the answers change with skill",
    brief=[ladder_answer],
    chapters={
        "Rung by rung": [rungs],
        "The highest rung": [seats, length, components],
        "Players": [who, luck],
    },
    needs="a run of simkit ladder",
    fits=lambda findings: findings.run.kind == "ladder",
    document=document,
)
