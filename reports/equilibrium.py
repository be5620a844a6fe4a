"""The equilibrium page: the first player's wins under best choices, the best mixes and every pairing."""

from collections.abc import Iterator

import polars as pl

from simkit.analysis import Findings
from simkit.analysis.deals import ALWAYS
from simkit.reporting.document import Report
from simkit.reporting.pages import Recipe
from simkit.reporting.terminal import Part, study_document
from simkit.reporting.text.labels import Labels, labels_of
from simkit.reporting.text.numbers import percent
from simkit.reporting.text.numbers import whole as whole_number
from simkit.reporting.text.phrases import TableRow, seat_name

from .sections.equilibrium import equilibrium
from .sections.equilibrium_matrix import equilibrium_matrix
from .sections.equilibrium_mixes import equilibrium_mixes
from .sections.mirrors import mirrors
from .sections.who import who


def terminal(findings: Findings, brief: Report, whole: bool) -> Iterator[Part]:
    """Yield the best mixes of both sides."""
    mattered = findings.equilibrium_mixes.filter(pl.col("against").is_not_null())
    cells = dict(findings.cells.select("setting", "cell").iter_rows())
    rows = mattered.rows(named=True)
    yield ""
    yield [_mix_row(labels_of(findings), row, cells[row["setting"]]) for row in rows]


def _mix_row(labels: Labels, row: TableRow, cell: int) -> TableRow:
    front = {"chosen by": seat_name(row["seat"]), "strategy": labels.strategy(row["strategy"])}
    shares = {"in the best mix": f"{whole_number(row['weight'])} %"}
    shares |= {"chosen in halves": f"{whole_number(row['often'])} %"}
    return labels.in_columns(cell) | front | shares | {"wins against the mix": percent(row["against"])}


def document(findings: Findings, brief: Report) -> TableRow:
    """Return the JSON document."""
    return study_document(findings, brief) | {
        "seed": findings.run.experiment.seed,
        "values": findings.equilibrium.drop(ALWAYS, strict=False).rows(named=True),
        "mixes": findings.equilibrium_mixes.rows(named=True),
        "pairings": findings.equilibrium_matrix.drop(ALWAYS, strict=False).rows(named=True),
    }


recipe = Recipe(
    "best choices report",
    brief=[equilibrium],
    chapters={
        "Who is chosen": [equilibrium_mixes],
        "Every pairing": [equilibrium_matrix],
        "What the seats are worth": [mirrors],
        "Players": [who],
    },
    needs="a run of simkit equilibrium",
    fits=lambda findings: findings.equilibrium.width > 0,
    terminal=terminal,
    document=document,
)
