"""Memory as nets use it: numbers at any place of a record, and sums over blocks of 16 numbers at once.

The sums become vector instructions where the processor has them. Of loops, LLVM must assume that sums and
weights overlap; they take three times as long.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simkit.engine.compile.jit import rule

BLOCK = 16


def _vector(bits: int) -> Any:
    """Return the type of a block of integers in LLVM."""
    return ir.VectorType(ir.IntType(bits), BLOCK)


def _block(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Return the pointer to a block of an array of integers."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), _vector(kind.dtype.bitwidth).as_pointer())


def _splat(builder: Any, number: Any) -> Any:
    """Return a block of equal numbers, from an int64."""
    first = builder.insert_element(
        ir.Constant(_vector(32), [0] * BLOCK), builder.trunc(number, ir.IntType(32)), cgutils.int32_t(0)
    )
    return builder.shuffle_vector(first, first, ir.Constant(_vector(32), [0] * BLOCK))


def _reading(size: int) -> Any:
    """Return the rule `number_at(memory, place)`: the signed integer of `size` bytes at a place in memory.

    `memory` is a record or an array; the integer is little-endian and need not be aligned.
    """

    @intrinsic
    def load(typingctx, memory, place):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            data = args[0]
            if isinstance(memory, types.Array):
                data = context.make_array(memory)(context, builder, data).data
            first = builder.gep(builder.bitcast(data, cgutils.voidptr_t), [args[1]])
            number = builder.bitcast(first, ir.IntType(8 * size).as_pointer())
            return builder.sext(builder.load(number, align=1), ir.IntType(64))

        return types.int64(memory, types.int64), generate

    def read(memory: Any, place: int) -> int:
        content = np.frombuffer(memory, np.uint8)[place : place + size]
        return int.from_bytes(content.tobytes(), "little", signed=True)

    return rule(lambda memory, place: load(memory, place), python=read)


int8_at, int16_at, int32_at, int64_at = map(_reading, (1, 2, 4, 8))


@intrinsic
def _add_products(typingctx, sums, place, weights, first, times):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        target = _block(context, builder, sums, args[0], args[1])
        source = _block(context, builder, weights, args[2], args[3])
        numbers = builder.sext(builder.load(source, align=2), _vector(32))
        product = builder.mul(numbers, _splat(builder, args[4]))
        builder.store(builder.add(builder.load(target, align=4), product), target, align=4)
        return context.get_dummy_value()

    return types.void(sums, types.int64, weights, types.int64, types.int64), generate


def _add_products_python(sums: Any, place: int, weights: Any, first: int, times: int) -> None:
    sums[place : place + BLOCK] += weights[first : first + BLOCK].astype(np.int32) * np.int32(times)


@rule(python=_add_products_python)
def add_products(sums, place, weights, first, times):  # type: ignore[no-untyped-def]
    """Add a block of int16 weights, each times a number, to a block of int32 sums."""
    _add_products(sums, place, weights, first, times)


@intrinsic
def _add_clipped(typingctx, sums, place, source, shift, most):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        target = _block(context, builder, sums, args[0], args[1])
        numbers = builder.load(_block(context, builder, sums, args[0], args[2]), align=4)
        numbers = builder.ashr(numbers, _splat(builder, args[3]))
        for sign, bound in (("<", ir.Constant(_vector(32), [0] * BLOCK)), (">", _splat(builder, args[4]))):
            numbers = builder.select(builder.icmp_signed(sign, numbers, bound), bound, numbers)
        builder.store(builder.add(builder.load(target, align=4), numbers), target, align=4)
        return context.get_dummy_value()

    return types.void(sums, *[types.int64] * 4), generate


def _add_clipped_python(sums: Any, place: int, source: int, shift: int, most: int) -> None:
    sums[place : place + BLOCK] += np.clip(sums[source : source + BLOCK] >> shift, 0, most)


@rule(python=_add_clipped_python)
def add_clipped(sums, place, source, shift, most):  # type: ignore[no-untyped-def]
    """Add a block of int32 sums, shifted right and clipped to 0 and `most`, to another block of them."""
    _add_clipped(sums, place, source, shift, most)
