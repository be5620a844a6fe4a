"""Who played: each strategy in one line, in the words of its own file, and what the game calls its seats."""

from __future__ import annotations

from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.pages import Section, table
from simkit.words import seat_name
from simkit.words.labels import Labels, lowered, plain
from simkit.words.said import listed


def section(found: Findings) -> Section | None:
    """Each strategy on the page; nothing where the run does not know what they mean."""
    labels, named = Labels(found.run), {str(one): one for cell in found.run.cells for one in cell.lineup}
    if not found.run.words.strategies:
        return None
    rows = [_row(label, one, found.run.words.strategies[one.name]) for label, one in named.items()]
    weights = "weights" if any(row["weights"] for row in rows) else ""
    also = "name" if any(labels.strategy(label) != label for label in named) else ""
    listed_ = table(found, pl.DataFrame(rows), f"strategy {also} meaning {weights}", "Strategies")
    text = "Programs sat at the table, not people. Each plays in its own fixed way."
    return Section(
        "Who played",
        [text, *_kin(labels, list(named.values())), *_seats(found.run.words.seats)],
        tables=[listed_],
    )


def _row(label: str, named: Any, known: Any) -> dict[str, str | None]:
    given = [
        f"{known.weights[name].label} = {value}{_weight(known.weights[name])}"
        for name, value in named.weights.items()
    ]
    usual = "as usual" if known.weights else None
    return {
        "strategy": label,
        "name": label,
        "meaning": plain(known.meaning),
        "weights": "; ".join(given) or usual,
    }


def _weight(weight: Any) -> str:
    """What a weight means, and what it usually is."""
    return f" (usually {weight.usual}): {lowered(plain(weight.meaning))}"


def _kin(labels: Labels, played: list[Any]) -> list[str]:
    """Which of them are one program with different weights: their agreement says less than that of different programs."""
    families: dict[str, list[str]] = {}
    for one in played:
        families.setdefault(one.name, []).append(labels.strategy(str(one)))
    kin = "are one program with different weights: that they agree proves less."
    return [f"{listed(alike)} {kin}" for alike in families.values() if len(alike) > 1]


def _seats(names: list[str]) -> list[str]:
    """The game's own names of the seats."""
    said = [f"the {seat_name(seat)} is {name}" for seat, name in enumerate(names)]
    return [f"In the words of the game {', '.join(said)}."] if said else []
