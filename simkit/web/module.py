"""Modules of games: made from the kernel and strategies of a game, and cached beside their machine code.

The layout is what a page must know of a module to set options, choose strategies and read results. It is
plain data for JSON:

game, seats   name; fewest and most seats
sides         whether two sides play against each other
blocks        name -> "address" in the memory, "shape", and the type of the elements (see below). What players
              have learned is written to "learned", once; "nets" and "net_sizes" have, for entry k of the
              lineup, the address and the size of its own at 2k
strategies    list: name, label, meaning and weights of each; "index", the number to write to `lineup`;
              "other", where another function decides unless a weight has its default: its "index", and
              "weight", the number of this weight; "fixed", the number of a weight that must have its default,
              as the module lacks this other function
person        what to write to `lineup` for a person, whose `answers` `sit` reads
faults        words for the numbers in `place`

The type of elements is "type", such as "i4" in the notation of NumPy, and "size" in bytes; a record has
"size" and "fields": name -> type, "offset" in bytes, "shape" and "meaning". Those of "replayed", a state,
also have "axes", their names; "firsts", the numbers that name the first seat; "names" of numbers; and
"kind" and "of", what the numbers stand for. All is little-endian and not aligned: read it with a DataView.
"""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.alternatives import valuer
from simkit.engine.fields import Field
from simkit.engine.game import Game
from simkit.engine.kernel import FAULT_MESSAGES, build
from simkit.engine.options import to_words
from simkit.engine.sights import sights
from simkit.engine.stepper import tracer
from simkit.engine.strategy import NamedChoice, NumericWeight, Strategy
from simkit.engine.table import Player
from simkit.errors import UsageError, WebError, brief
from simkit.web import glue, llvm
from simkit.web.linker import Linked, link

# Functions of the glue that strategies call.
RUNTIME = {"NRT_MemInfo_alloc_aligned", "numba_attempt_nocopy_reshape"}
DECIDE = "decide"  # symbol of a strategy in its own LLVM code
NOT_COMPILED = "is not compiled yet"
SEARCHES = "plays on with a policy, which takes a page too long"
IMPROVES = "players of {0} improve on different strategies, and a page has room for one of them"
NUMBER = 2  # bytes of a number that a player has learned
JsonObject = dict[str, Any]


class StrategyFunction(NamedTuple):
    """Function of a strategy in a module."""

    strategy: Strategy
    player: Player
    unless_default: str = ""  # weight for whose values other than the default it decides


class WebModule(NamedTuple):
    """WebAssembly module of a game, with all that a page must know to use it."""

    module: bytes
    layout: dict[str, Any]  # for JSON, see above
    refused: dict[str, str]  # strategies that the module lacks -> why
    nets: dict[bytes, int]  # what players have learned -> place of its first number in `learned`
    traces: bool = True  # whether it has `trace`
    judges: bool = False  # whether it has `value`, which needs what a player has learned
    sits: bool = False  # whether it has `sit`, with which a person plays


class _Content(NamedTuple):
    """Linked module as it is cached, with the reasons why it lacks some of the functions."""

    linked: Linked
    reasons: dict[int, str]  # number of the function -> why the module lacks it


def make(
    game: Game,
    strategies: Iterable[Strategy],
    compiles: bool = True,
    played: Iterable[tuple[str, Player]] = (),
    seat: bool = False,
) -> WebModule:
    """Return the module of a game with these strategies, from the cache if it is there.

    Args:
        game: the game.
        strategies: those among which the page chooses. One that WebAssembly cannot play is left out.
        compiles: whether to compile what is not compiled yet; else such strategies, such functions for other
            values of a weight, and the trace are left out.
        played: players, with the names of their strategies, whose functions are compiled all the same, and
            with them the rules of the game. There is room for what they have learned.
        seat: whether to compile what shows a person in a seat what this seat sees; else it is left out where
            it is not compiled yet.

    Raises WebError, with the reason in one line, if the game or all of its strategies cannot be played.
    """
    try:
        return _make(game, list(strategies), compiles, list(played), seat or compiles)
    except WebError as error:
        raise WebError(f"{game.name}: {error}") from error
    except Exception as error:  # LLVM raises errors of many types; a report is written all the same
        raise WebError(f"{game.name}: {brief(error)}") from error


def _make(
    game: Game, strategies: list[Strategy], compiles: bool, played: list[tuple[str, Player]], seat: bool
) -> WebModule:
    refused = {strategy.name: SEARCHES for strategy in strategies if strategy.searches}
    own = {s: [player for name, player in played if name == s.name] for s in strategies if not s.searches}
    functions = [f for strategy, players in own.items() for f in _functions(game, strategy, players)]
    needed = {player.decide for _, player in played}
    nets = _places(player.net for players in own.values() for player in players if player.net.size)
    if not compiles:
        if not needed and not build(game).ready:
            raise WebError(NOT_COMPILED)
        names = {f.strategy.name for f in functions}
        functions = [f for f in functions if f.player.decide in needed or f.player.decide.ready]
        refused |= dict.fromkeys(names - {f.strategy.name for f in functions}, NOT_COMPILED)
    traced = compiles or tracer(game).ready
    learned = sum(map(len, nets)) // NUMBER
    judged = traced and learned > 0 and (compiles or valuer(game).ready)
    sits = seat or sights(game).ready
    cached = _load_or_link(game, functions, learned, traced, judged, sits)
    refused |= {functions[i].strategy.name: reason for i, reason in cached.reasons.items()}
    usable = [function for i, function in enumerate(functions) if i not in cached.reasons]
    described = layout(game, usable, learned, cached.linked.addresses)
    return WebModule(cached.linked.module, described, refused, nets, traced, judged, sits)


def _places(nets: Iterable[np.ndarray]) -> dict[bytes, int]:
    """Return nets as bytes, equal ones once, with the places at which they stand one after the other."""
    contents = list(dict.fromkeys(net.tobytes() for net in nets))
    ends = accumulate(len(content) // NUMBER for content in contents)
    return dict(zip(contents, [0, *ends], strict=False))


def _functions(game: Game, strategy: Strategy, players: list[Player]) -> list[StrategyFunction]:
    """Return the function of a strategy, and the one that decides if a weight has another value.

    `players` are those of the run that play it. If they have learned, the function is theirs, since it
    contains the strategy that they improve on.
    """
    if any(player.net.size for player in players):
        labels = {player.label for player in players}
        ways = {(player.label, player.weights.tobytes()) for player in players}  # at all numbers of seats
        if len({player.decide for player in players}) > 1 or len(ways) > len(labels):
            raise WebError(IMPROVES.format(strategy.name))
        return [StrategyFunction(strategy, max(players, key=lambda player: player.room))]
    functions = [StrategyFunction(strategy, strategy.player(game))]
    if strategy.at_default:
        name = strategy.at_default[0]
        functions.append(
            StrategyFunction(strategy, strategy.player(game, {name: _other(strategy, name)}), name)
        )
    return functions


def _other(strategy: Strategy, name: str) -> str:
    """Return a value of a weight, as text, that is not its default."""
    weight: Any = strategy.weights[name]
    if isinstance(weight, NamedChoice):
        return next(m.name for m in type(weight.default) if m is not weight.default)
    return str(weight.low if weight.low != weight.default else weight.high)


def _load_or_link(
    game: Game, functions: list[StrategyFunction], learned: int, traced: bool, judged: bool, sits: bool
) -> _Content:
    """Return the module from its file in the cache; make and save it if there is none."""
    kernel, others = build(game), [tracer(game)] if traced else []
    others += [valuer(game)] if judged else []
    others += [sights(game)] if sits else []
    others += [entry] if (entry := glue.filler(game)) else []
    entries = [kernel, *(function.player.decide for function in functions), *others]
    memory = glue.blocks(game, [function.player for function in functions], learned).values()
    shapes = " ".join(f"{block.name} {block.shape}" for block in memory)
    stamp = _digest([_sources(), shapes, *(entry.stamp for entry in entries)])
    strategies = _digest([entry.who for entry in entries])[:8]  # modules of other ones stay in the cache
    file = kernel.code_file(f"web-{strategies}", stamp)
    if content := file.load():
        return _unpack(content)
    result = _link_module(game, functions, learned, traced, judged, sits)
    file.save(_pack(result))
    return result


def _pack(content: _Content) -> bytes:
    """Return the bytes of a cached module: a line of JSON with what belongs to it, then the module."""
    module, addresses, memory = content.linked
    return json.dumps([addresses, memory, list(content.reasons.items())]).encode() + b"\n" + module


def _unpack(packed: bytes) -> _Content:
    """Return the module of `_packed`."""
    head, _, module = packed.partition(b"\n")
    addresses, memory, reasons = json.loads(head)
    return _Content(Linked(module, addresses, memory), dict(reasons))


def _link_module(
    game: Game, functions: list[StrategyFunction], learned: int, traced: bool, judged: bool, sits: bool
) -> _Content:
    """Return the linked module of the kernel and all functions that WebAssembly can play."""
    codes, refused = dict[int, Any](), dict[str, str]()
    for i, function in enumerate(functions):
        try:
            codes[i] = _code(function)
        except (WebError, UsageError) as error:
            refused[function.strategy.name] = str(error)
    reasons = {i: refused[f.strategy.name] for i, f in enumerate(functions) if f.strategy.name in refused}
    usable = [i for i in codes if i not in reasons]  # a strategy has all of its functions or none
    if not usable:
        raise WebError("; ".join(refused.values()) or "there is no strategy that is compiled")
    parts, players = {glue.KERNEL: llvm.code(build(game), glue.KERNEL)}, list[Player]()
    for i in usable:
        name = glue.strategy_name(len(players))
        codes[i].get_function(DECIDE).name = name
        parts[name] = codes[i]
        players.append(functions[i].player)
    exports = [glue.PLAY]
    if traced:
        parts[glue.TRACER] = llvm.code(tracer(game), glue.TRACER)
        exports.append(glue.TRACE)
    if judged:
        parts[glue.VALUER] = llvm.code(valuer(game), glue.VALUER)
        exports += [glue.RETRACE, glue.VALUE, glue.WORTH]
    if sits:
        parts[glue.SEER] = llvm.code(sights(game), glue.SEER)
        exports.append(glue.SIT)
    if entry := glue.filler(game):
        parts[glue.FILLER] = llvm.code(entry, glue.FILLER)
        exports.append(glue.FILL)
    arguments = llvm.arguments(parts[glue.strategy_name(0)], glue.strategy_name(0))
    text = glue.text(game, players, learned, arguments, traced, judged, sits)
    symbols = {*exports, glue.PRODUCT, *glue.PUBLIC}
    return _Content(link(llvm.assemble(llvm.parse(text), parts, symbols), exports), reasons)


def _code(function: StrategyFunction) -> Any:
    """Return the LLVM code of a strategy; WebError if it calls what a page does not have."""
    code = llvm.code(function.player.decide, DECIDE)
    if missing := set(llvm.missing_symbols(code)) - RUNTIME:
        raise WebError(f"{function.strategy.name} calls {', '.join(sorted(missing))}, which pages lack")
    return code


@cache
def _sources() -> str:
    """Return the digest of the sources of this folder."""
    paths = [path for path in Path(__file__).parent.glob("*") if path.suffix in (".py", ".ll")]
    return _digest(path.read_text(encoding="utf-8") for path in sorted(paths))


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def layout(
    game: Game, functions: list[StrategyFunction], learned: int, addresses: dict[str, int]
) -> JsonObject:
    """Return the layout of the module of a game with these functions of strategies."""
    memory = glue.blocks(game, [f.player for f in functions], learned)
    blocks = {name: _block(memory[name], addresses[name]) for name in glue.PUBLIC}
    for field in game.fields:
        blocks["replayed"]["fields"][field.name] |= _content(field)
    for name in ("views", "futures"):  # states as well
        del blocks[name]["fields"]
    faults = {int(fault): text.format(action="", **vars(game)) for fault, text in FAULT_MESSAGES.items()}
    return {
        "game": game.name,
        "seats": list(game.seats),
        "sides": bool(game.rival_sides),
        "blocks": blocks,
        "strategies": _strategies(functions),
        "person": len(functions),
        "faults": faults,
    }


def _block(block: glue.MemoryBlock, address: int) -> JsonObject:
    return {"address": address, "shape": list(block.shape), **_type(block.kind)}


def _type(kind: np.dtype) -> JsonObject:
    """Return a type of NumPy as plain data."""
    if kind.fields is None:
        return {"type": kind.str.lstrip("<|"), "size": kind.itemsize}
    fields = {name: _field(*kind.fields[name]) for name in kind.names or ()}
    return {"size": kind.itemsize, "fields": fields}


def _field(kind: np.dtype, offset: int, meaning: str = "") -> JsonObject:
    return {"offset": offset, "shape": list(kind.shape), "meaning": meaning, **_type(kind.base)}


def _content(field: Field) -> JsonObject:
    """Return what the numbers of a field of the state stand for."""
    members: Any = field.kind if isinstance(field.kind, type) else ()
    names = {int(member): to_words(member.name) for member in members}
    content = field.content
    numbers = {"kind": content.kind, "of": content.of, "firsts": list(content.firsts), "names": names}
    return {"meaning": field.words, "axes": field.axes, **numbers}


def _strategies(functions: list[StrategyFunction]) -> list[JsonObject]:
    """Return the strategies; one with a function for the default of a weight may have another."""
    entries = dict[str, JsonObject]()
    for index, (strategy, _, unless_default) in enumerate(functions):
        names = list(strategy.weights)
        if unless_default and strategy.name in entries:
            entries[strategy.name]["other"] = {"index": index, "weight": names.index(unless_default)}
            entries[strategy.name].pop("fixed")
            continue
        numeric = {n: weight for n, weight in strategy.weights.items() if isinstance(weight, NumericWeight)}
        weights = {name: _weight(weight) for name, weight in numeric.items()}
        texts = {"name": strategy.name, "label": strategy.label, "meaning": strategy.meaning}
        entries[strategy.name] = {**texts, "index": index, "weights": weights}
        if strategy.at_default and not unless_default:
            entries[strategy.name]["fixed"] = names.index(strategy.at_default[0])
    return list(entries.values())


def _weight(weight: NumericWeight) -> JsonObject:
    record = {"default": float(weight.default), "label": weight.label, "meaning": weight.meaning}
    if isinstance(weight, NamedChoice):
        return record | {"names": {m.name: int(m) for m in type(weight.default)}}
    return record | {"low": weight.low, "high": weight.high, "whole": isinstance(weight.default, int)}
