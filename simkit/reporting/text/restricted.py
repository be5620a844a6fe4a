"""Restricted play: what is worth more than its price, as going without it costs wins."""

import polars as pl

from simkit.analysis import Findings, cells_to_look_at
from simkit.reporting.document import Show
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import fair_of_100, whole
from simkit.reporting.text.phrases import Row, capital, listed
from simkit.stats.verdicts import NOT_SETTLED

KINDS = {"less": "worth more than its price", "more": "worth less than its price", "not settled": NOT_SETTLED}
HEADS = {"thing": "goes without", "share": Show("wins", "{:.1%}"), "result": "than a fair share"}


def with_things(findings: Findings, rows: pl.DataFrame) -> pl.DataFrame:
    """Add `thing`: what the player of each row of `restricted` goes without."""
    things = [_thing(findings, row) for row in rows.rows(named=True)]
    return rows.with_columns(pl.Series("thing", things, dtype=pl.String))


def things_looked_at(findings: Findings) -> pl.DataFrame:
    """Return the things at the setting in view, the most valuable first."""
    looked = pl.col("cell").is_in(cells_to_look_at(findings.run))
    return with_things(findings, findings.restricted.filter(looked).sort("share"))


def restricted_said(rows: pl.DataFrame) -> str:
    """Return how often a player without each thing wins, by what that says of its price."""
    texts = list[str]()
    for kind, text in KINDS.items():
        if parts := rows.filter(result=kind).rows(named=True):
            things = listed(f"{row['thing']} ({whole(row['share'])})" for row in parts)
            texts.append(f"{text}: {things}")
    fair = fair_of_100(rows["fair"][0])
    how = f"In brackets: the games of 100 that a player without it wins; {fair} is even"
    return f"{capital('; '.join(texts))}. {how}."


def _thing(findings: Findings, row: Row) -> str:
    """Return what the odd player goes without: the values of its own weights."""
    cell = next(cell for cell in findings.run.cells if cell.index == row["cell"])
    own = next(named.weights for named in cell.lineup if str(named) == row["strategy"])
    rest = next(named.weights for named in cell.lineup if str(named) != row["strategy"])
    values = [str(value).replace("_", " ") for name, value in own.items() if rest.get(name) != value]
    return " ".join(values) or labels_of(findings).strategy(row["strategy"])
