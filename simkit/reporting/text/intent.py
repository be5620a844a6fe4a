"""Effects against a rule's intent: a rule that gives a player something makes this player win less."""

import re
from collections.abc import Iterator
from typing import Any

import polars as pl

from simkit.analysis import Findings
from simkit.reporting.text.confidence import SURE
from simkit.reporting.text.labels import labels_of
from simkit.reporting.text.numbers import games_of_100
from simkit.reporting.text.phrases import ORDINALS, capital, seat_name
from simkit.runs.run_metadata import OptionWords

TAKES = re.compile(r"\b(costs?|fewer|handicap|less|limit|loses?|pays?|penalty|without)\b", re.IGNORECASE)


def favoured_seat(option: OptionWords, value: Any, base: Any) -> int | None:
    """Return the seat to which a value of an option gives more than that of the baseline; None if unknown.

    The option treats this seat alone, and its label, meaning or value names it: a greater number of what it
    has, or a choice that names it.
    """
    if len(option.treats) != 1 or not isinstance(seat := option.treats[0], int) or value == base:
        return None
    named = re.compile(rf"\b{ORDINALS[seat]} (player|seat)\b", re.IGNORECASE)
    if option.kind == "integer":
        text = f"{option.label} {option.meaning}"
        gives = value > base and named.search(text) and not TAKES.search(text)
    else:
        gives = named.search(option.value_label(value)) and not named.search(option.value_label(base))
    return seat if gives else None


def against_intent(findings: Findings) -> Iterator[str]:
    """Yield per option the change that most lowers, beyond luck, the share of the seat that it favours."""
    base = next((cell.varied for cell in findings.run.cells if cell.baseline), None)
    if base is None or findings.run.team or not findings.comparisons.height:
        return
    labels, options, cells = labels_of(findings), findings.run.words.options, findings.run.cells
    varied = {cell.index: cell.varied for cell in cells}
    losing = (pl.col("difference") < 0) & (pl.col("p_adjusted") < SURE)
    rows, greatest = findings.comparisons.filter(losing, measure="share").sort("difference"), set[str]()
    for row in rows.rows(named=True):
        changed = [name for name, value in varied[row["cell"]].items() if value != base[name]]
        if len(changed) != 1 or changed[0] not in options or changed[0] in greatest:
            continue
        (name,), value = changed, varied[row["cell"]][changed[0]]
        if favoured_seat(options[name], value, base[name]) == row["seat"]:
            greatest.add(name)
            lineup = labels.when(row["lineup"]) if rows["lineup"].n_unique() > 1 else ""
            setting, less = capital(labels.setting({name: value})), games_of_100(-row["difference"])
            text = f"{setting} makes the {seat_name(row['seat'])} win {less} less{lineup and f' {lineup}'}"
            yield f"{text}, although the rule gives it something."
