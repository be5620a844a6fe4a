"""Glue: the memory that a game needs, and the exported functions that play and trace games in it.

Each block of memory is one of the arrays that `GameTable` and `stepper` hand to compiled code. The
language of LLVM is written here, and in `runtime.ll`, as text.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import types

from simkit.engine.alternatives import REDEALS, ROOM, SCRATCH, ByNet
from simkit.engine.compile import jit
from simkit.engine.game import Game, TableFile
from simkit.engine.kernel import PLACE, SEARCH_STATES, WORK, Batch, arrays
from simkit.engine.rng import purposes
from simkit.engine.sights import IMAGINED, LUCKS, Sights
from simkit.engine.stepper import Trails
from simkit.engine.table import Player

STATES = 1 << 21  # bytes for the final states of a batch
HEAP = 1 << 22  # bytes for the arrays that strategies make for one decision
TRAIL = 1 << 12  # actions of a traced game
EVENTS = 1 << 14  # events of the pieces of a traced game
MOST_PIECES = 512
VIEWS = 256  # of a person at the table, one per action since the last decision
SETUP = np.dtype([(name, "i8") for name in ("seed", "seats", "rotations", "pieces")])
RUNTIME = Path(__file__).with_name("runtime.ll")
# Functions of the module, and what they call.
PLAY, TRACE, RETRACE, VALUE, WORTH, FILL, SIT = (
    "play", "trace", "retrace", "value", "worth", "fill", "sit"
)  # fmt: skip
KERNEL, TRACER, VALUER, FILLER, SEER = "kernel", "tracer", "valuer", "filler", "seer"
PUBLIC = (  # blocks of the page: those that it writes, then those that it reads
    *("setup", "rules", "sheet", "lineup", "weights", "blunders", "learned", "nets", "net_sizes", "judge"),
    *(
        "judge_size",
        "earliest",
        "states",
        "place",
        "deal",
        "shift",
        "trail",
        "rows",
        "events",
        "done",
        "replayed",
    ),
    *("alternatives", "values", "answers", "ids", "steps", "views", "futures", "shown"),
)
PRODUCT = "__multi3"  # called by code that LLVM makes of products with overflow
MAX_ROWS = 256  # of a sheet


class MemoryBlock(NamedTuple):
    """Array in the memory of the module; one with `content` is never written to."""

    name: str
    kind: np.dtype
    shape: tuple[int, ...]
    content: bytes = b""

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return self.kind.itemsize * int(np.prod(self.shape))

    @property
    def definition(self) -> str:
        """Definition in LLVM's language."""
        if not self.content:
            return f"@{self.name} = global [{self.size} x i8] zeroinitializer, align 64"
        escaped = "".join(f"\\{byte:02X}" for byte in self.content)
        return f'@{self.name} = constant [{self.size} x i8] c"{escaped}", align 64'

    def __str__(self) -> str:
        """Return the block as an argument of compiled code."""
        return array(f"@{self.name}", self.kind.itemsize, *self.shape)


def array(pointer: str, itemsize: int, *shape: int) -> str:
    """Return an array as an argument of compiled code."""
    strides = [itemsize * int(np.prod(shape[i + 1 :])) for i in range(len(shape))]
    return _header(pointer, int(np.prod(shape)), itemsize, *shape, *strides)


def _header(pointer: str, count: int | str, itemsize: int, *numbers: int | str) -> str:
    """Return an array as an argument: number of elements, their size, the data, lengths and strides."""
    rest = ", ".join(f"i64 {number}" for number in numbers)
    return f"ptr null, ptr null, i64 {count}, i64 {itemsize}, ptr {pointer}, {rest}"


def constant(name: str, values: np.ndarray) -> MemoryBlock:
    """Return a block that is never written to."""
    return MemoryBlock(name, values.dtype, values.shape, values.tobytes())


def blocks(game: Game, players: Sequence[Player], learned: int) -> dict[str, MemoryBlock]:
    """Return the memory of a module for a game and the players among which the page chooses.

    `learned` is how many numbers all players together have learned. The page writes these, so that a module
    does not depend on them, and for each entry of the lineup the address and the size of its own.
    """
    most, integer, word, real, flag = game.max_seats, *map(np.dtype, ("i8", "u8", "f8", "?"))
    weights = max(1, *(len(player.weights) for player in players))
    choosing = [_choice_purposes(seats, most) for seats in range(most + 1)]
    listed = [
        MemoryBlock("setup", SETUP, (1,)),
        MemoryBlock("rules", game.rules_dtype, (1,)),
        MemoryBlock("sheet", integer, (MAX_ROWS, width(game))),
        MemoryBlock("lineup", integer, (most,)),
        MemoryBlock("weights", real, (most, weights)),
        MemoryBlock("blunders", real, (most,)),
        MemoryBlock("learned", np.dtype("i2"), (max(1, learned),)),
        MemoryBlock("states", game.state_dtype, (max(1, STATES // game.state_dtype.itemsize),)),
        MemoryBlock("place", PLACE, (1,)),
        MemoryBlock("deal", integer, (1,)),
        MemoryBlock("shift", integer, (1,)),
        MemoryBlock("trail", integer, (TRAIL,)),
        MemoryBlock("rows", game.turn_dtype, ((TRAIL + 1) * most,)),
        MemoryBlock("events", game.piece_dtype, (EVENTS,)),
        MemoryBlock("done", integer, (4,)),
        MemoryBlock("takes_view", flag, (most,)),
        MemoryBlock("players", integer, (most,)),
        MemoryBlock("searches", integer, (most,)),
        MemoryBlock("searching", flag, (most,)),
        MemoryBlock("search_weights", real, (most, 1)),
        MemoryBlock("nets", integer, (2 * most,)),
        MemoryBlock("net_sizes", integer, (2 * most,)),
        MemoryBlock("lent", game.state_dtype, (1 + game.scratch + SEARCH_STATES,)),
        MemoryBlock("rng", game.rng_dtype, (2,)),
        MemoryBlock("choices", word, (3 * most,)),
        MemoryBlock("ids", integer, (game.max_actions,)),
        MemoryBlock("memos", integer, (2 * most, game.memo)),
        MemoryBlock("work", integer, (max(WORK, *(player.room for player in players)),)),
        MemoryBlock("search_work", integer, (1,)),
        MemoryBlock("replayed", game.state_dtype, (1,)),
        MemoryBlock("judge", integer, (1,)),
        MemoryBlock("judge_size", integer, (1,)),
        MemoryBlock("earliest", integer, (1,)),
        MemoryBlock("imagined", game.state_dtype, (SCRATCH,)),
        MemoryBlock("redeals", word, (1 + most,)),
        MemoryBlock("alternatives", integer, (ROOM, 5)),
        MemoryBlock("values", real, (ROOM, 1 if game.is_certain else REDEALS)),
        MemoryBlock("answers", integer, (TRAIL + 1,)),
        MemoryBlock("steps", integer, (TRAIL, 4)),
        MemoryBlock("views", game.state_dtype, (VIEWS,)),
        MemoryBlock("futures", game.state_dtype, (LUCKS * game.max_actions,)),
        MemoryBlock("shown", integer, (2,)),
        MemoryBlock("load", integer, (most, 4)),
        MemoryBlock("counts", integer, (3, 2 + most, MOST_PIECES)),
        MemoryBlock("heap", np.dtype("u1"), (HEAP,)),
        constant("names", purposes(game.purposes)),
        constant("choosing", np.array(choosing)),
        constant("viewing", np.array([*(player.takes_view for player in players), False])),  # a person last
    ]
    return {block.name: block for block in listed}


def _choice_purposes(seats: int, most: int) -> np.ndarray:
    """Return the purposes of the streams of `seats` seats: their choices, then their random errors."""
    names = purposes([f"{kind}/{seat}" for kind in ("choice", "blunder") for seat in range(seats)])
    return np.pad(names, (0, 2 * (most - seats)))


def sheet_of(game: Game) -> tuple[str, TableFile] | None:
    """Return the first table of a game that a page can edit, with its name; None if there is none."""
    files = game.components.files.items()
    return next(((name, file) for name, file in files if file.fill and file.printed and file.rows), None)


def width(game: Game) -> int:
    """Return how many numbers a row has, at least one."""
    sheet = sheet_of(game)
    return sum(column.width for column in sheet[1].columns) if sheet else 1


@cache
def filler(game: Game) -> jit.EntryPoint | None:
    """Return what writes n rows of a sheet into the rules record; None if the game has no sheet."""
    sheet = sheet_of(game)
    if sheet is None:
        return None
    fill: Any = sheet[1].fill
    _, rules, _ = arrays(game)

    def fill_rules(rules_array, rows, n):  # type: ignore[no-untyped-def]
        return fill(rules_array[0], rows, n)

    signature = types.int64(rules.copy(readonly=False), types.Array(types.int64, 2, "C"), types.int64)
    return jit.EntryPoint(fill_rules, signature, f"sheet {game.name}", allocates=False)


def strategy_name(index: int) -> str:
    """Return the symbol of a strategy."""
    return f"strategy_{index}"


def text(
    game: Game,
    players: Sequence[Player],
    learned: int,
    arguments: list[str],
    traces: bool,
    judges: bool,
    sits: bool,
) -> str:
    """Return the glue of a game and its players: the memory, the functions and what compiled code calls.

    `learned` as for `blocks`. `arguments` are the types of the arguments of every strategy, the places of its
    results in front.
    """
    memory, count = blocks(game, players, learned), len(players)
    strategies = ", ".join(f"ptr @decide_{i}" for i in range(count + sits))
    return "\n".join([
        *(block.definition for block in memory.values()),
        *(_decide_function(i, arguments) for i in range(count)),
        _person_function(count, arguments) if sits else "",
        f"@strategies = constant [{count + sits} x ptr] [{strategies}]",
        _game_function(memory, game.max_seats),
        f"%record = type [{memory['states'].kind.itemsize} x i8]",
        _trace_function(memory, TRACE, _PLAYED) if traces else "",
        _value_functions(memory) if judges else "",
        _fill_function(memory) if sheet_of(game) else "",
        _sit_function(memory) if sits else "",
        _runtime({"CAPACITY": memory["states"].shape[0], "HEAP_SIZE": HEAP}),
    ])  # fmt: skip


def _runtime(numbers: dict[str, int]) -> str:
    """Return the functions that do not depend on the game."""
    code = RUNTIME.read_text(encoding="utf-8")
    for word, number in numbers.items():
        code = code.replace(word, str(number))
    return code


def _decide_function(index: int, types: list[str]) -> str:
    """Return the function that asks a strategy: what it has allocated does not outlive the decision."""
    arguments = ", ".join(f"{kind} %{i}" for i, kind in enumerate(types))
    return f"""
declare i32 @{strategy_name(index)}({", ".join(types)})

define internal i32 @decide_{index}({arguments}) {{
  store i32 0, ptr @heap_top
  %status = call i32 @{strategy_name(index)}({arguments})
  ret i32 %status
}}"""


def _person_function(index: int, types: list[str]) -> str:
    """Return the strategy of a person: the next of the answers; -1 behind the last stops the game."""
    arguments = ", ".join(f"{kind} %{i}" for i, kind in enumerate(types))
    return f"""
@answered = internal global i64 0

define internal i32 @decide_{index}({arguments}) {{
  %at = load i64, ptr @answered
  %slot = getelementptr i64, ptr @answers, i64 %at
  %answer = load i64, ptr %slot
  %next = add i64 %at, 1
  store i64 %next, ptr @answered
  store i64 %answer, ptr %0
  ret i32 0
}}"""


def _types(arguments: str) -> str:
    return ", ".join(argument.split()[0] for argument in arguments.split(", "))


def _address(block: MemoryBlock, field: str) -> str:
    """Return the address of a field of a record."""
    fields: Any = block.kind.fields
    return f"getelementptr (i8, ptr @{block.name}, i64 {fields[field][1]})"


def _game_function(memory: dict[str, MemoryBlock], most: int) -> str:
    """Return the function that plays one game of a deal into a state; it returns whether the game ended."""
    arguments, setup, place = _kernel_arguments(memory), memory["setup"], memory["place"]
    choosing, state = memory["choosing"], memory["states"].kind.itemsize
    return f"""
declare i32 @{KERNEL}({_types(arguments)})
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal i1 @game(i64 %deal, i64 %shift, ptr %state, i64 %actions) {{
  %result = alloca ptr
  %error = alloca ptr
  %seed = load i64, ptr {_address(setup, "seed")}
  %seats = load i64, ptr {_address(setup, "seats")}
  %streams = mul i64 %seats, 2
  %row = mul i64 %seats, {choosing.kind.itemsize * choosing.shape[1]}
  %choosing = getelementptr i8, ptr @choosing, i64 %row
{"".join(_choice_lines(k) for k in range(most))}
  store i64 %deal, ptr @deal
  store i64 %shift, ptr @shift
  call void @llvm.memset.p0.i64(ptr @place, i8 0, i64 {place.size}, i1 false)
  call void @llvm.memset.p0.i64(ptr %state, i8 0, i64 {state}, i1 false)
  %status = call i32 @{KERNEL}({arguments})
  %fault = load i64, ptr {_address(place, "fault")}
  %has.no.fault = icmp eq i64 %fault, 0
  %is.normal = icmp eq i32 %status, 0
  %is.none = icmp eq i32 %status, -2
  %returned = or i1 %is.normal, %is.none
  %ended = and i1 %returned, %has.no.fault
  ret i1 %ended
}}"""


def _choice_lines(k: int) -> str:
    """Return the lines that look up the strategy of entry k of the lineup."""
    return f"""\
  %index.{k} = load i64, ptr getelementptr (i8, ptr @lineup, i64 {8 * k})
  %slot.{k} = getelementptr ptr, ptr @strategies, i64 %index.{k}
  %decide.{k} = load ptr, ptr %slot.{k}
  %address.{k} = ptrtoint ptr %decide.{k} to i64
  store i64 %address.{k}, ptr getelementptr (i8, ptr @players, i64 {8 * k})
  %view.{k} = getelementptr i8, ptr @viewing, i64 %index.{k}
  %takes.{k} = load i8, ptr %view.{k}
  store i8 %takes.{k}, ptr getelementptr (i8, ptr @takes_view, i64 {k})
"""


def _arguments(declaration: Any, memory: dict[str, MemoryBlock], own: dict[str, str]) -> str:
    """Return a declared tuple of arguments, such as `Batch`, as the arguments of its compiled function.

    An argument is the block of its name, unless it is one of `own`. Addresses of results come first.
    """
    parts = [own[name] if name in own else str(memory[name]) for name in declaration._fields]
    return ", ".join(["ptr %result, ptr %error", *parts])


def _words(memory: dict[str, MemoryBlock]) -> str:
    """Return the streams of the game as an array of words."""
    return array("@rng", 8, memory["rng"].size // 8)


def _kernel_arguments(memory: dict[str, MemoryBlock]) -> str:
    """Return the arguments of the kernel; nobody searches."""
    own = {
        "seed": "i64 %seed",
        "deals": str(memory["deal"]),
        "shifts": str(memory["shift"]),
        "seats": "i64 %seats",
        "states": array("%state", memory["states"].kind.itemsize, 1),
        "words": _words(memory),
        "choosing": _header("%choosing", "%streams", 8, "%streams", 8),
        "trail": _header("@trail", "%actions", 8, "%actions", 8),
        "forced": array("@place", 8, 0, 3),
        "notes": array("@place", 8, 0, 4),
    }
    return _arguments(Batch, memory, own)


_PLAYED = f"call i1 @game(i64 %deal, i64 %shift, ptr @states, i64 {TRAIL})"  # whether a game has ended


def _trace_function(memory: dict[str, MemoryBlock], name: str, ended: str) -> str:
    """Return the function that plays a game, if so, and traces it; -1 if it fails or the trace is not whole.

    `ended` is what says whether the trail holds a game.
    """
    arguments, setup = _tracer_arguments(memory), memory["setup"]
    declaration = f"declare i32 @{TRACER}({_types(arguments)})" if name == TRACE else ""
    return f"""
{declaration}
define i32 @{name}(i32 %number, i32 %rotation, i32 %actions) {{
entry:
  %result = alloca ptr
  %error = alloca ptr
  %deal = sext i32 %number to i64
  %shift = zext i32 %rotation to i64
  %most = zext i32 %actions to i64
  %ended = {ended}
  br i1 %ended, label %go, label %fail
go:
  %seed = load i64, ptr {_address(setup, "seed")}
  %seats = load i64, ptr {_address(setup, "seats")}
  %pieces = load i64, ptr {_address(setup, "pieces")}
  %lines = add i64 %seats, 2
  %line = mul i64 %pieces, 8
  %table = mul i64 %line, %lines
  %size = mul i64 %lines, %pieces
  %all = mul i64 %size, 3
  %loads = mul i64 %seats, 4
  %status = call i32 @{TRACER}({arguments})
  %traced = load i64, ptr @done
  %rows = load i64, ptr getelementptr (i8, ptr @done, i64 8)
  %is.whole = icmp eq i64 %traced, 1
  %count = trunc i64 %rows to i32
  %answer = select i1 %is.whole, i32 %count, i32 -1
  ret i32 %answer
fail:
  ret i32 -1
}}"""


def _value_functions(memory: dict[str, MemoryBlock]) -> str:
    """Return the functions that value the decisions of a game, and RETRACE.

    VALUE plays the game first; WORTH takes the first actions of the trail.
    """
    functions = (
        _value_function(memory, VALUE, "", _PLAYED, str(TRAIL)),
        _value_function(memory, WORTH, ", i32 %actions", "icmp eq i32 0, 0", "%most"),
        _trace_function(memory, RETRACE, "icmp eq i32 0, 0"),
    )
    arguments = _valuer_arguments(memory, "")
    return "\n".join([f"declare i32 @{VALUER}({_types(arguments)})", *functions])


def _valuer_arguments(memory: dict[str, MemoryBlock], most: str) -> str:
    """Return the arguments of the valuer, for a trail of at most so many actions."""
    own = {
        "seed": "i64 %seed",
        "deal": "i64 %deal",
        "shift": "i64 %shift",
        "seats": "i64 %seats",
        "state": str(memory["replayed"]),
        "words": _words(memory),
        "trail": _header("@trail", most, 8, most, 8),
    }
    return _arguments(ByNet, memory, own)


def _value_function(memory: dict[str, MemoryBlock], name: str, more: str, ended: str, most: str) -> str:
    """Return a function that values decisions, and returns the number of their alternatives, -1 if it fails.

    `more` is a parameter of it; `ended` is what says whether the trail holds a game, `most` its actions.
    """
    setup, arguments = memory["setup"], _valuer_arguments(memory, most)
    widened = "%most = zext i32 %actions to i64" if more else ""
    return f"""
define i32 @{name}(i32 %number, i32 %rotation{more}) {{
  %result = alloca ptr
  %error = alloca ptr
  %deal = sext i32 %number to i64
  %shift = zext i32 %rotation to i64
  {widened}
  %ended = {ended}
  br i1 %ended, label %go, label %fail
go:
  %seed = load i64, ptr {_address(setup, "seed")}
  %seats = load i64, ptr {_address(setup, "seats")}
  %status = call i32 @{VALUER}({arguments})
  %rows = load i64, ptr @done
  %whole = load i64, ptr getelementptr (i8, ptr @done, i64 8)
  %is.whole = icmp eq i64 %whole, 1
  %count = trunc i64 %rows to i32
  %answer = select i1 %is.whole, i32 %count, i32 -1
  ret i32 %answer
fail:
  ret i32 -1
}}"""


def _sit_function(memory: dict[str, MemoryBlock]) -> str:
    """Return the function that plays a game with a person up to its end, or to where the answers end.

    It returns whether the game has ended, and writes what the person has seen from action `from` on.
    """
    setup, state = memory["setup"], memory["states"].kind.itemsize
    own = {
        "seed": "i64 %seed",
        "deal": "i64 %deal",
        "shift": "i64 0",
        "seats": "i64 %seats",
        "seat": "i64 %seat",
        "first": "i64 %first",
        "words": _words(memory),
        "imagined": array("@imagined", state, IMAGINED),
        "bytes": array("@imagined", 1, IMAGINED * state),
        "truth": array("@states", state, 0),
    }  # fmt: skip
    arguments = _arguments(Sights, memory, own)
    return f"""
declare i32 @{SEER}({_types(arguments)})

define i32 @{SIT}(i32 %number, i32 %own, i32 %from) {{
  %result = alloca ptr
  %error = alloca ptr
  %deal = sext i32 %number to i64
  %seat = zext i32 %own to i64
  %first = zext i32 %from to i64
  store i64 0, ptr @answered
  call void @llvm.memset.p0.i64(ptr @trail, i8 -1, i64 {8 * TRAIL}, i1 false)
  %ended = call i1 @game(i64 %deal, i64 0, ptr @states, i64 {TRAIL})
  %seed = load i64, ptr {_address(setup, "seed")}
  %seats = load i64, ptr {_address(setup, "seats")}
  %status = call i32 @{SEER}({arguments})
  %answer = zext i1 %ended to i32
  ret i32 %answer
}}"""


def _fill_function(memory: dict[str, MemoryBlock]) -> str:
    """Return the function that writes rows of the sheet into the rules; -2 if it raises an exception."""
    parts = ["ptr %result, ptr %error", str(memory["rules"]), str(memory["sheet"]), "i64 %n"]
    arguments = ", ".join(parts)
    return f"""
declare i32 @{FILLER}({_types(arguments)})

define i32 @{FILL}(i32 %rows) {{
  %result = alloca i64
  %error = alloca ptr
  %n = zext i32 %rows to i64
  %status = call i32 @{FILLER}({arguments})
  %place = load i64, ptr %result
  %number = trunc i64 %place to i32
  %is.normal = icmp eq i32 %status, 0
  %answer = select i1 %is.normal, i32 %number, i32 -2
  ret i32 %answer
}}"""


def _tracer_arguments(memory: dict[str, MemoryBlock]) -> str:
    """Return the arguments of the tracer."""
    own = {
        "seed": "i64 %seed",
        "deals": str(memory["deal"]),
        "shifts": str(memory["shift"]),
        "seats": "i64 %seats",
        "states": str(memory["replayed"]),
        "words": _words(memory),
        "trail": _header("@trail", "%most", 8, "%most", 8),
        "load": _header("@load", "%loads", 8, "%seats", 4, 32, 8),
        "counts": _header("@counts", "%all", 8, 3, "%lines", "%pieces", "%table", "%line", 8),
    }
    return _arguments(Trails, memory, own)
