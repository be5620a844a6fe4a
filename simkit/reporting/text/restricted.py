"""Headline on restricted play: what is worth more than its price, as going without it costs wins."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.phrases import Row, capital, fair_of_100, listed, whole
from simkit.stats.verdicts import NOT_SETTLED

KINDS = {"less": "worth more than its price", "more": "worth less than its price", "not settled": NOT_SETTLED}


def restricted_said(findings: Findings) -> str:
    """Return how often a player without each thing wins, by what that says of its price."""
    rows = findings.restricted.filter(pl.col("cell").is_in(cells_to_look_at(findings.run))).sort("share")
    fair, texts = fair_of_100(rows["fair"][0]), list[str]()
    for kind, text in KINDS.items():
        if parts := rows.filter(result=kind).rows(named=True):
            things = listed(f"{thing(findings, row)} ({whole(row['share'])})" for row in parts)
            texts.append(f"{text}: {things}")
    how = f"In brackets: the games of 100 that a player without it wins; {fair} is even"
    return f"{capital('; '.join(texts))}. {how}."


def thing(findings: Findings, row: Row) -> str:
    """Return what the odd player goes without: the values of its own weights."""
    cell = next(cell for cell in findings.run.cells if cell.index == row["cell"])
    own = next(named.weights for named in cell.lineup if str(named) == row["strategy"])
    rest = next(named.weights for named in cell.lineup if str(named) != row["strategy"])
    values = [str(value).replace("_", " ") for name, value in own.items() if rest.get(name) != value]
    return " ".join(values) or labels_of(findings).strategy(row["strategy"])
