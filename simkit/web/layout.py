"""Layout: what a page must know of a module to set options, choose strategies and read results.

It is plain data for JSON:

game, seats   name; fewest and most seats
blocks        name -> "address" in the memory, "shape", and the type of the elements (see below)
strategies    list: name, label, meaning and weights of each; "index", the number to write to `lineup`;
              "other", where another function decides unless a weight has its default: its "index", and
              "weight", the number of this weight; "fixed", the number of a weight that must have its default,
              as the module lacks this other function
faults        words for the numbers in `place`

The type of elements is "type", such as "i4" in the notation of NumPy, and "size" in bytes; a record has
"size" and "fields": name -> type, "offset" in bytes, "shape" and "meaning". Numbers are little-endian and not
aligned: read them with a DataView.
"""

from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game
from simkit.engine.kernel import FAULT_MESSAGES
from simkit.engine.strategy import AnyWeight, NamedChoice, Policy, Strategy
from simkit.engine.table import Player
from simkit.web import glue

Record = dict[str, Any]


class Function(NamedTuple):
    """Function of a strategy in a module."""

    strategy: Strategy
    player: Player
    unless_default: str = ""  # weight for whose values other than the default it decides


def layout(game: Game, functions: list[Function], addresses: dict[str, int]) -> Record:
    """Return the layout of the module of a game with these functions of strategies."""
    memory = glue.blocks(game, [f.player for f in functions])
    blocks = {name: _block(memory[name], addresses[name]) for name in glue.PUBLIC}
    faults = {int(fault): text.format(action="", **vars(game)) for fault, text in FAULT_MESSAGES.items()}
    return {
        "game": game.name,
        "seats": list(game.seats),
        "blocks": blocks,
        "strategies": _strategies(functions),
        "faults": faults,
    }


def _block(block: glue.Block, address: int) -> Record:
    return {"address": address, "shape": list(block.shape), **_type(block.kind)}


def _type(kind: np.dtype) -> Record:
    """Return a type of NumPy as plain data."""
    if kind.fields is None:
        return {"type": kind.str.lstrip("<|"), "size": kind.itemsize}
    fields = {name: _field(*kind.fields[name]) for name in kind.names or ()}
    return {"size": kind.itemsize, "fields": fields}


def _field(kind: np.dtype, offset: int, meaning: str = "") -> Record:
    return {"offset": offset, "shape": list(kind.shape), "meaning": meaning, **_type(kind.base)}


def _strategies(functions: list[Function]) -> list[Record]:
    """Return the strategies; one with a function for the default of a weight may have another."""
    entries = dict[str, Record]()
    for index, (strategy, _, unless_default) in enumerate(functions):
        names = list(strategy.weights)
        if unless_default and strategy.name in entries:
            entries[strategy.name]["other"] = {"index": index, "weight": names.index(unless_default)}
            entries[strategy.name].pop("fixed")
            continue
        weights = {name: _weight(weight) for name, weight in strategy.weights.items()}
        texts = {"name": strategy.name, "label": strategy.label, "meaning": strategy.meaning}
        entries[strategy.name] = {**texts, "index": index, "weights": weights}
        if strategy.at_default and not unless_default:
            entries[strategy.name]["fixed"] = names.index(strategy.at_default[0])
    return list(entries.values())


def _weight(weight: AnyWeight) -> Record:
    assert not isinstance(weight, Policy), "a strategy that searches is in no module"
    record = {"default": float(weight.default), "label": weight.label, "meaning": weight.meaning}
    if isinstance(weight, NamedChoice):
        return record | {"names": {m.name: int(m) for m in type(weight.default)}}
    return record | {"low": weight.low, "high": weight.high, "whole": isinstance(weight.default, int)}
