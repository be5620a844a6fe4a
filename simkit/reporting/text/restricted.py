"""Restricted play in a headline: what is worth more than its price, since who goes without it wins less."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, fair_of_100, listed, whole

KINDS = {"less": "Worth more than its price", "more": "worth less", "not settled": "not told apart"}


def restricted_said(findings: Findings) -> str:
    """What is worth more and less than its price, with the games of 100 that who goes without wins."""
    rows = findings.restricted.filter(pl.col("cell").is_in(cells_to_look_at(findings.run))).sort("share")
    fair = fair_of_100(rows["fair"][0])
    said = []
    for kind, text in KINDS.items():
        some = [
            f"{thing(findings, row)} ({whole(row['share'])})"
            for row in rows.filter(result=kind).rows(named=True)
        ]
        said += [f"{text}: {listed(some)}"] if some else []
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]} (wins of 100 of the one who goes without; {fair} is even)."


def thing(findings: Findings, row: Row) -> str:
    """What the odd player goes without: the values of the weights that only it has."""
    cell = next(one for one in findings.run.cells if one.index == row["cell"])
    own = next(named.weights for named in cell.lineup if str(named) == row["strategy"])
    rest = next(named.weights for named in cell.lineup if str(named) != row["strategy"])
    apart = [str(value).replace("_", " ") for name, value in own.items() if rest.get(name) != value]
    return " ".join(apart) or labels_of(findings).strategy(row["strategy"])
