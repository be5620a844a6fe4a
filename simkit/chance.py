"""Luck: counter-based streams of random numbers, one for each (seed, deal, purpose).

A stream is one unsigned 64-bit word in an array of length 1, so that drawing from it can move it on. Its
start is mix(mix(mix(seed) ^ deal) ^ purpose) with the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast
splittable pseudorandom number generators", OOPSLA 2014); each draw adds the golden gamma and mixes.

A purpose is named by a text ("deal/deck", "nature/die", "choice/0"), so adding a stream never shifts another.
"""

import hashlib
from typing import Any

import numpy as np

from simkit.jit import rule

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S11, _S27, _S30, _S31, _S32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))
_LOW32 = np.uint64(0xFFFFFFFF)
_MASK = 0xFFFFFFFFFFFFFFFF


def purpose(name: str) -> int:
    """The 64-bit number of a purpose, from its name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")


def purposes(names: list[str]) -> np.ndarray:
    """The numbers of several purposes, uint64[len(names)]."""
    return np.array([purpose(name) for name in names], dtype=np.uint64)


def _mix_python(word: Any) -> int:
    z: int = int(word)
    z = ((z ^ (z >> 30)) * int(_FIRST)) & _MASK
    z = ((z ^ (z >> 27)) * int(_SECOND)) & _MASK
    return z ^ (z >> 31)


@rule(python=_mix_python)
def _mix(z):  # type: ignore[no-untyped-def]
    z = (z ^ (z >> _S30)) * _FIRST
    z = (z ^ (z >> _S27)) * _SECOND
    return z ^ (z >> _S31)


def _draw_python(stream: Any) -> int:
    stream[0] = (int(stream[0]) + int(GAMMA)) & _MASK
    return _mix_python(stream[0])


@rule(python=_draw_python)
def draw(stream):  # type: ignore[no-untyped-def]
    """The next 64 random bits of a stream."""
    stream[0] += GAMMA
    return _mix(stream[0])


def _below_python(stream: Any, n: Any) -> int:
    size = int(n)
    product = (_draw_python(stream) >> 32) * size
    if product & 0xFFFFFFFF < size:
        threshold = (2**32 - size) % size
        while product & 0xFFFFFFFF < threshold:
            product = (_draw_python(stream) >> 32) * size
    return product >> 32


@rule(python=_below_python)
def below(stream, n):  # type: ignore[no-untyped-def]
    """A uniform integer 0 <= x < n < 2**32, exactly uniform (Lemire 2019, arXiv:1805.10941, on 32 bits)."""
    size = np.uint64(n)
    product = (draw(stream) >> _S32) * size
    if product & _LOW32 < size:
        threshold = (_LOW32 + np.uint64(1) - size) % size
        while product & _LOW32 < threshold:
            product = (draw(stream) >> _S32) * size
    return np.int64(product >> _S32)


@rule
def uniform(stream):  # type: ignore[no-untyped-def]
    """A uniform number in [0, 1) with 53 random bits."""
    return np.float64(draw(stream) >> _S11) * (1.0 / 9007199254740992.0)


@rule
def start(seed, deal, name):  # type: ignore[no-untyped-def]
    """The first word of the stream (seed, deal, purpose)."""
    return _mix(_mix(_mix(np.uint64(seed)) ^ np.uint64(deal)) ^ name)


@rule
def shuffle(stream, cards, n):  # type: ignore[no-untyped-def]
    """Shuffle the first n elements of an array in place (Fisher-Yates)."""
    for last in range(n - 1, 0, -1):
        other = below(stream, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@rule
def open_streams(words, seed, deal, names):  # type: ignore[no-untyped-def]
    """Set each word of `words` to the start of the stream of the same place in `names`."""
    for i in range(names.size):
        words[i] = start(seed, deal, names[i])
