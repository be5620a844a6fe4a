"""Glue: the memory that a game needs, and the exported function that plays batches of games in it.

Each block of memory is one of the arrays that `Table` hands to the kernel, with the same name and shape. The
page writes to the blocks of `SETTINGS` and reads those of `RESULTS`. LLVM's language is written here as text.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from simkit.engine.game import Game
from simkit.engine.kernel import PLACE, SEARCH_STATES, WORK
from simkit.engine.rng import purposes
from simkit.engine.table import Player

STATES = 1 << 21  # bytes for the final states of a batch
HEAP = 1 << 22  # bytes for the arrays that strategies make during one game
SETUP = np.dtype([(name, "i8") for name in ("seed", "seats", "rotations")])


class Block(NamedTuple):
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

    def argument(self, *lengths: str | int, at: str = "") -> str:
        """Return the array as an argument of compiled code; `lengths` replace the first of its shape."""
        shape = [*lengths, *self.shape[len(lengths) :]]
        strides = [self.kind.itemsize * int(np.prod(self.shape[i + 1 :])) for i in range(len(shape))]
        count = shape[0] if len(shape) == 1 else int(np.prod(self.shape))
        numbers = [count, self.kind.itemsize]
        data = [f"ptr {at or f'@{self.name}'}", *_numbers(shape), *_numbers(strides)]
        return ", ".join(["ptr null", "ptr null", *_numbers(numbers), *data])


def constant(name: str, values: Any) -> Block:
    """Return a block that is never written to."""
    array = np.ascontiguousarray(values)
    return Block(name, array.dtype, array.shape, array.tobytes())


def blocks(game: Game, players: Sequence[Player]) -> dict[str, Block]:
    """Return the memory of a module for a game and the players among which the page chooses."""
    most, wide, integer, word, real = game.max_seats, _widest(players), *map(np.dtype, ("i8", "u8", "f8"))
    flag, state = np.dtype("?"), game.state_dtype
    choosing = [_choosing(seats, most) for seats in range(most + 1)]
    listed = [
        Block("setup", SETUP, (1,)),
        Block("rules", game.rules_dtype, (1,)),
        Block("lineup", integer, (most,)),
        Block("weights", real, (most, wide)),
        Block("blunders", real, (most,)),
        Block("states", state, (max(1, STATES // state.itemsize),)),
        Block("place", PLACE, (1,)),
        Block("deals", integer, (1,)),
        Block("shifts", integer, (1,)),
        Block("takes_view", flag, (most,)),
        Block("searching", flag, (most,)),
        Block("search_weights", real, (most, 1)),
        Block("lent", state, (1 + game.scratch + SEARCH_STATES,)),
        Block("rng", game.rng_dtype, (2,)),
        Block("choices", word, (3 * most,)),
        Block("ids", integer, (game.max_actions,)),
        Block("memos", integer, (2 * most, game.memo)),
        Block("work", integer, (WORK,)),
        Block("no_games", integer, (0, 3)),
        Block("no_notes", integer, (0, 4)),
        Block("no_trail", integer, (0,)),
        Block("heap", np.dtype("u1"), (HEAP,)),
        constant("names", purposes(game.purposes)),
        constant("choosing", np.array(choosing)),
        constant("views", np.array([player.takes_view for player in players])),
    ]
    return {block.name: block for block in listed}


def _widest(players: Sequence[Player]) -> int:
    return max(1, *(len(player.weights) for player in players))


def _choosing(seats: int, most: int) -> np.ndarray:
    """Return the purposes of the streams of `seats` seats: their choices, then their random errors."""
    names = purposes([f"{kind}/{seat}" for kind in ("choice", "blunder") for seat in range(seats)])
    return np.pad(names, (0, 2 * (most - seats)))


def text(game: Game, players: Sequence[Player]) -> str:
    """Return the glue for a game and its players: the memory, `play`, and what compiled code calls."""
    memory = blocks(game, players)
    names = [strategy_name(i) for i in range(len(players))]
    definitions = "\n".join(block.definition for block in memory.values())
    declared = "\n".join(f"declare i32 @{name}()" for name in names)
    table = ", ".join(f"ptr @{name}" for name in names)
    return f"""
{definitions}
{declared}
@strategies = constant [{len(names)} x ptr] [{table}]
{_play(game, memory, len(names))}
{RUNTIME}
"""


def strategy_name(index: int) -> str:
    """Return the symbol of a strategy."""
    return f"strategy_{index}"


def _play(game: Game, memory: dict[str, Block], count: int) -> str:
    """Return the function `play`."""
    most, state = game.max_seats, game.state_dtype.itemsize
    row = memory["choosing"].kind.itemsize * memory["choosing"].shape[1]
    chosen = "\n".join(_chosen(seat) for seat in range(most))
    return f"""
declare i32 @kernel({", ".join(_types(_arguments(memory, most)))})
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.umin.i64(i64, i64)

define i32 @play(i32 %first, i32 %deals) {{
entry:
  %result = alloca ptr
  %error = alloca ptr
  %seed = load i64, ptr @setup
  %seats = load i64, ptr getelementptr (i8, ptr @setup, i64 8)
  %rotations = load i64, ptr getelementptr (i8, ptr @setup, i64 16)
  %streams = mul i64 %seats, 2
  %row = mul i64 %seats, {row}
  %choosing = getelementptr i8, ptr @choosing, i64 %row
{chosen}
  %first.deal = sext i32 %first to i64
  %all.deals = zext i32 %deals to i64
  %wanted = mul i64 %all.deals, %rotations
  %games = call i64 @llvm.umin.i64(i64 %wanted, i64 {memory["states"].shape[0]})
  br label %loop
loop:
  %game = phi i64 [ 0, %entry ], [ %next, %ended ]
  %more = icmp ult i64 %game, %games
  br i1 %more, label %begin, label %stop
begin:
  %nth = udiv i64 %game, %rotations
  %shift = urem i64 %game, %rotations
  %deal = add i64 %first.deal, %nth
  store i64 %deal, ptr @deals
  store i64 %shift, ptr @shifts
  store i32 0, ptr @heap_top
  call void @llvm.memset.p0.i64(ptr @place, i8 0, i64 {memory["place"].size}, i1 false)
  %offset = mul i64 %game, {state}
  %state = getelementptr i8, ptr @states, i64 %offset
  call void @llvm.memset.p0.i64(ptr %state, i8 0, i64 {state}, i1 false)
  %status = call i32 @kernel({", ".join(_arguments(memory, most))})
  store i64 %game, ptr getelementptr (i8, ptr @place, i64 {PLACE.fields["game"][1]})
  %fault = load i64, ptr getelementptr (i8, ptr @place, i64 {PLACE.fields["fault"][1]})
  %returned.none = icmp eq i32 %status, -2
  %normal = icmp eq i32 %status, 0
  %returned = or i1 %returned.none, %normal
  %no.fault = icmp eq i64 %fault, 0
  %fine = and i1 %returned, %no.fault
  br i1 %fine, label %ended, label %stop
ended:
  %next = add i64 %game, 1
  br label %loop
stop:
  %played = trunc i64 %game to i32
  ret i32 %played
}}
"""


def _chosen(seat: int) -> str:
    """Return the lines that look up the strategy of one entry of the lineup."""
    return f"""\
  %index.{seat} = load i64, ptr getelementptr (i8, ptr @lineup, i64 {8 * seat})
  %slot.{seat} = getelementptr ptr, ptr @strategies, i64 %index.{seat}
  %decide.{seat} = load ptr, ptr %slot.{seat}
  %view.{seat} = getelementptr i8, ptr @views, i64 %index.{seat}
  %takes.{seat} = load i8, ptr %view.{seat}
  store i8 %takes.{seat}, ptr getelementptr (i8, ptr @takes_view, i64 {seat})"""


def _arguments(memory: dict[str, Block], most: int) -> list[str]:
    """Return the arguments of the kernel, in the order of `Table._attempt`."""
    nobody = ["ptr null, ptr null, ptr null"] * most  # compiled code never calls a search
    players = [f"ptr null, ptr null, ptr %decide.{seat}" for seat in range(most)]
    array = {name: block.argument() for name, block in memory.items()}
    words, streams = memory["rng"], memory["names"].shape[0]
    words = Block("rng", np.dtype("u8"), (2 * streams,))
    state = memory["states"].argument(1, at="%state")
    choosing = Block("choosing", np.dtype("u8"), (1,)).argument("%streams", at="%choosing")
    joined = [
        "ptr %result, ptr %error", "i64 %seed", array["deals"], array["shifts"], "i64 %seats", array["rules"],
        *players, array["weights"], array["blunders"], array["takes_view"], *nobody, array["search_weights"],
        array["searching"], state, array["lent"], array["rng"], words.argument(), array["names"],
        array["choices"], choosing, array["ids"], array["memos"], array["work"], array["no_trail"],
        array["no_games"], array["no_notes"], array["place"],
    ]  # fmt: skip
    return [argument for part in joined for argument in part.split(", ")]


def _types(arguments: Iterable[str]) -> list[str]:
    return [argument.split()[0] for argument in arguments]


def _numbers(values: Iterable[str | int]) -> list[str]:
    return [f"i64 {value}" for value in values]


# What compiled code calls: memory for arrays, handed out in order, as nothing that a strategy makes outlives
# the game; the product of 128-bit numbers; and the first step towards functions that only Python can call,
# of which there are none. The header of an array has the address of its data where this machine and where
# WebAssembly puts it.
RUNTIME = f"""
@heap_top = global i32 0

define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %alignment) {{
  %top = load i32, ptr @heap_top
  %room = trunc i64 %size to i32
  %padded = add i32 %room, 127
  %rounded = and i32 %padded, -64
  %next = add i32 %top, %rounded
  %is.large = icmp ugt i64 %size, {HEAP}
  %is.full = icmp ugt i32 %next, {HEAP}
  %fails = or i1 %is.large, %is.full
  br i1 %fails, label %full, label %fits
full:
  ret ptr null
fits:
  store i32 %next, ptr @heap_top
  %header = getelementptr i8, ptr @heap, i32 %top
  %data = getelementptr i8, ptr %header, i32 64
  %here = getelementptr i8, ptr %header, i32 24
  %there = getelementptr i8, ptr %header, i32 16
  store i64 1, ptr %header
  store ptr %data, ptr %there
  store ptr %data, ptr %here
  ret ptr %header
}}

define void @__multi3(ptr %product, i64 %a, i64 %a.high, i64 %b, i64 %b.high) {{
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %low = mul i64 %a0, %b0
  %low.carry = lshr i64 %low, 32
  %cross.1 = mul i64 %a1, %b0
  %middle = add i64 %cross.1, %low.carry
  %middle.low = and i64 %middle, 4294967295
  %middle.high = lshr i64 %middle, 32
  %cross.2 = mul i64 %a0, %b1
  %upper = add i64 %cross.2, %middle.low
  %upper.carry = lshr i64 %upper, 32
  %top = mul i64 %a1, %b1
  %high.1 = add i64 %top, %middle.high
  %high.2 = add i64 %high.1, %upper.carry
  %mixed.1 = mul i64 %a, %b.high
  %mixed.2 = mul i64 %a.high, %b
  %high.3 = add i64 %high.2, %mixed.1
  %high = add i64 %high.3, %mixed.2
  %whole = mul i64 %a, %b
  %second = getelementptr i8, ptr %product, i32 8
  store i64 %whole, ptr %product
  store i64 %high, ptr %second
  ret void
}}

define void @numba_gil_ensure(ptr %state) {{
  unreachable
}}
"""
