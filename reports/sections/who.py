"""Who played: each strategy in one line, in the words of its own file, and what the game calls its seats."""

from typing import Any

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, labels_of, table
from simkit.reporting.text import seat_name
from simkit.reporting.text.labels import lowered, plain
from simkit.reporting.text.phrases import listed

TEXT, ALONE = "Each plays in its own fixed way.", "It plays in its own fixed way, in every seat."
KIN = "are one program with different weights: that they agree proves less."


def section(findings: Findings) -> Section | None:
    """Nothing where the run does not know what its strategies mean."""
    labels, named = labels_of(findings), {str(one): one for cell in findings.run.cells for one in cell.lineup}
    words = findings.run.words
    if not words.strategies:
        return None
    rows = [_row(label, one, words.strategies[one.name]) for label, one in named.items()]
    weights = "weights" if any(row["weights"] not in (None, "as usual") for row in rows) else ""
    also = "name" if any(labels.strategy(label) != label for label in named) else ""
    players = table(findings, pl.DataFrame(rows), f"strategy {also} meaning {weights}", "Strategies")
    seats = ", ".join(f"the {seat_name(seat)} is {name}" for seat, name in enumerate(words.seats))
    called = [f"In the words of the game {seats}."] if seats else []
    kin = [f"{listed(alike)} {KIN}" for alike in labels.kin()]
    many = counted(len(rows), "program")
    return Section(
        f"{many} at the table, no people", [TEXT if len(rows) > 1 else ALONE, *kin, *called], tables=[players]
    )


def _row(label: str, named: Any, known: Any) -> dict[str, str | None]:
    given = []
    for name, value in named.weights.items():
        weight = known.weights[name]
        given.append(f"{weight.label} = {value} (usually {weight.usual}): {lowered(plain(weight.meaning))}")
    weights = "; ".join(given) or ("as usual" if known.has_own_weights else None)
    return {"strategy": label, "name": label, "meaning": plain(known.meaning), "weights": weights}
