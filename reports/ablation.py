"""The ablation page: the effect of changing each component, and how it goes with winning."""

from collections.abc import Iterator

from simkit.analysis import Findings
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import Part, brief_document, rows_left_out
from simkit.reporting.text.phrases import TableRow

from .sections.ablation_answer import ablation_answer
from .sections.ablation_effects import ablation_effects
from .sections.length import length
from .sections.seats import seats
from .sections.who import who

MAX_ROWS = 12  # components of a cell on a screen
INTERNAL_COLUMNS = ("setting", "seats", "fair", "baseline")


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[Part]:
    """Yield the effects of components."""
    for listed in brief.tables():
        shown = listed.rows if whole else listed.rows[:MAX_ROWS]
        heads = [column.heading for column in listed.columns]
        yield f"\n{listed.caption}:\n"
        yield [dict(zip(heads, row, strict=True)) for row in shown]
        yield from rows_left_out(len(listed.rows) - len(shown))


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    run, owners = findings.run, findings.ablation_owners
    ablation_words = run.words.ablation
    return brief_document(brief) | {
        "game": run.experiment.game,
        "way": ablation_words.way if ablation_words else "",
        "meaning": ablation_words.meaning if ablation_words else "",
        "rate": ablation_words.rate if ablation_words else 0,
        "seed": run.experiment.seed,
        "confidence": 0.95,
        "effects": findings.ablation.drop(INTERNAL_COLUMNS, strict=False).rows(named=True),
        "owners": owners.drop(INTERNAL_COLUMNS, strict=False).rows(named=True) if owners.width else [],
    }


recipe = Recipe(
    "what its components do",
    brief=[ablation_answer],
    chapters={"What each component does": [ablation_effects], "Players": [who, seats, length]},
    needs="a run of simkit ablate",
    fits=lambda findings: bool(findings.run.words.ablation),
    terminal=terminal,
    document=document,
)
