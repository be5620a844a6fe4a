"""The players: each strategy in one line, as its own file describes it, and the game's names of its seats."""

from collections.abc import Mapping

import polars as pl

from simkit.reporting.pages import Findings, Section, labels_of, table
from simkit.reporting.text import seat_name
from simkit.reporting.text.labels import lower_first, plain
from simkit.reporting.text.phrases import join_names
from simkit.runs.run_metadata import StrategyWords

PROGRAMS_NOTE = "The players are programs, no people: each plays in its own fixed way."
SAME_PROGRAM = "are one program with different weights: that they agree proves less."


def who(findings: Findings) -> Section | None:
    """Return the strategies with their meanings, or None for a run that did not record them."""
    labels, words = labels_of(findings), findings.run.words
    named = {str(strategy): strategy for cell in findings.run.cells for strategy in cell.lineup}
    if not words.strategies:
        return None
    rows = [
        _player_row(label, words.preset_weights.get(label, strategy.weights), words.strategies[strategy.name])
        for label, strategy in named.items()
    ]
    weights = "weights" if any(row["weights"] not in (None, "as usual") for row in rows) else ""
    also = "name" if any(labels.strategy(label) != label for label in named) else ""
    players = table(findings, pl.DataFrame(rows), f"strategy {also} meaning {weights}", "Strategies")
    seats = ", ".join(f"the {seat_name(seat)} is {name}" for seat, name in enumerate(words.seats))
    kin = [f"{join_names(family)} {SAME_PROGRAM}" for family in labels.kin()]
    texts = [PROGRAMS_NOTE, *kin, *([f"In the words of the game {seats}."] if seats else [])]
    return Section("Who plays", texts, tables=[players])


def _player_row(label: str, weights: Mapping[str, str], words: StrategyWords) -> dict[str, str | None]:
    weight_texts = []
    for name, value in weights.items():
        weight = words.weights[name]
        meaning = lower_first(plain(weight.meaning))
        weight_texts.append(f"{weight.label} = {value} (usually {weight.usual}): {meaning}")
    text = "; ".join(weight_texts) or ("as usual" if words.has_own_weights else None)
    return {"strategy": label, "name": label, "meaning": plain(words.meaning), "weights": text}
