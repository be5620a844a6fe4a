"""Headline on restricted play: what is worth more than its price, as going without it costs wins."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, fair_of_100, listed, whole

KINDS = {"less": "Worth more than its price", "more": "worth less", "not settled": "not told apart"}


def restricted_said(findings: Findings) -> str:
    """Return what is worth more and less than its price, with the wins of 100 of a player without it."""
    rows = findings.restricted.filter(pl.col("cell").is_in(cells_to_look_at(findings.run))).sort("share")
    fair = fair_of_100(rows["fair"][0])
    parts = []
    for kind, text in KINDS.items():
        things = [
            f"{thing(findings, row)} ({whole(row['share'])})"
            for row in rows.filter(result=kind).rows(named=True)
        ]
        parts += [f"{text}: {listed(things)}"] if things else []
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]} (wins of 100 of the one who goes without; {fair} is even)."


def thing(findings: Findings, row: Row) -> str:
    """Return what the odd player goes without: the values of its own weights."""
    cell = next(cell for cell in findings.run.cells if cell.index == row["cell"])
    own = next(named.weights for named in cell.lineup if str(named) == row["strategy"])
    rest = next(named.weights for named in cell.lineup if str(named) != row["strategy"])
    values = [str(value).replace("_", " ") for name, value in own.items() if rest.get(name) != value]
    return " ".join(values) or labels_of(findings).strategy(row["strategy"])
