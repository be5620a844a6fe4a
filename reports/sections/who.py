"""The players: each strategy in one line, as its own file describes it, and the game's names of its seats."""

from collections.abc import Mapping

import polars as pl

from simkit.formatting import counted
from simkit.reporting.pages import Findings, Section, labels_of, table
from simkit.reporting.text import seat_name
from simkit.reporting.text.labels import lowered, plain
from simkit.reporting.text.phrases import listed
from simkit.runs.run_metadata import StrategyWords

PLAYERS_NOTE = "Each plays in its own fixed way."
PLAYER_NOTE = "It plays in its own fixed way, in every seat."
SAME_PROGRAM = "are one program with different weights: that they agree proves less."


def section(findings: Findings) -> Section | None:
    """Return the strategies with their meanings, or None for a run that did not record them."""
    labels = labels_of(findings)
    named = {str(strategy): strategy for cell in findings.run.cells for strategy in cell.lineup}
    words = findings.run.words
    if not words.strategies:
        return None
    rows = [
        _row(label, words.preset_weights.get(label, strategy.weights), words.strategies[strategy.name])
        for label, strategy in named.items()
    ]
    weights = "weights" if any(row["weights"] not in (None, "as usual") for row in rows) else ""
    also = "name" if any(labels.strategy(label) != label for label in named) else ""
    players = table(findings, pl.DataFrame(rows), f"strategy {also} meaning {weights}", "Strategies")
    seats = ", ".join(f"the {seat_name(seat)} is {name}" for seat, name in enumerate(words.seats))
    seat_names = [f"In the words of the game {seats}."] if seats else []
    kin = [f"{listed(family)} {SAME_PROGRAM}" for family in labels.kin()]
    count = counted(len(rows), "program")
    return Section(
        f"{count} at the table, no people",
        [PLAYERS_NOTE if len(rows) > 1 else PLAYER_NOTE, *kin, *seat_names],
        tables=[players],
    )


def _row(label: str, weights: Mapping[str, str], words: StrategyWords) -> dict[str, str | None]:
    weight_texts = []
    for name, value in weights.items():
        weight = words.weights[name]
        meaning = lowered(plain(weight.meaning))
        weight_texts.append(f"{weight.label} = {value} (usually {weight.usual}): {meaning}")
    text = "; ".join(weight_texts) or ("as usual" if words.has_own_weights else None)
    return {"strategy": label, "name": label, "meaning": plain(words.meaning), "weights": text}
