"""Luck: counter-based streams of random numbers, one for each (seed, deal, purpose).

A stream is one unsigned 64-bit word in an array of length 1, so that a draw can advance it. Its start is
mix(mix(mix(seed) ^ deal) ^ purpose) with the finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable
pseudorandom number generators", OOPSLA 2014); each draw adds the golden gamma and mixes. A purpose is named
by a text ("deal/deck", "nature/die", "choice/0"), so that a new stream never shifts another.

**Choices are keyed.** If a strategy drew from its stream at every tie, one tie more or less would change its
luck for the rest of the game, and two rule sets on one deal would diverge without a reason. Therefore the
number of a candidate depends on the candidate: `keyed` makes a key from the state of the stream (deal and
seat), the turn and the step, without advancing the stream; `priority` gives each candidate its number under
that key, and the candidate with the highest number is taken. The choice is uniform among any candidates and
independent between keys. Both rule sets take the same candidate unless one that only one of them offers, or
ties, has a higher number. Taking the highest of one hash per candidate is rendezvous hashing (Thaler,
Ravishankar: "Using name-based mappings to increase hit rates", IEEE/ACM Transactions on Networking 6(1),
1998). On keeping common random numbers with the events that they decide: Glasserman, Yao: "Some guidelines
and guarantees for common random numbers", Management Science 38(6), 1992; Law: "Simulation Modeling and
Analysis", 5th ed., 11.2.
"""

import hashlib

import numpy as np

from simkit.engine.compile.jit import rule

# Numba treats these as unsigned 64-bit numbers; in plain Python sums and products are masked to 64 bits.
GAMMA, MULTIPLIER_1, MULTIPLIER_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
MASK = 0xFFFFFFFFFFFFFFFF
MAX_OUTCOMES = 0xFFFFFFFF  # outcomes of `below`
LOW32, _ONE64 = np.uint64(0xFFFFFFFF), np.uint64(1)


def purpose(name: str) -> int:
    """Return the 64-bit number of a purpose, from its name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")


def purposes(names: list[str]) -> np.ndarray:
    """Return the numbers of several purposes, uint64[len(names)]."""
    return np.array([purpose(name) for name in names], dtype=np.uint64)


def sub_seed(seed: int, purpose: str) -> int:
    """Return the seed of a run within a search, 15 digits long: exact in JSON and unlike seeds of people.

    >>> sub_seed(1, "fair/check"), sub_seed(2, "fair/check")
    (793109356337198, 989168850176666)
    """
    digest = hashlib.sha256(f"{seed}/{purpose}".encode()).digest()
    return 10**14 + int.from_bytes(digest[:8], "little") % (9 * 10**14)


@rule(python=int)
def _unsigned(number):  # type: ignore[no-untyped-def]
    return np.uint64(number)


@rule(python=int)
def _signed(number):  # type: ignore[no-untyped-def]
    return np.int64(number)


@rule
def _mix(word):  # type: ignore[no-untyped-def]
    word = (word ^ (word >> 30)) * MULTIPLIER_1 & MASK
    word = (word ^ (word >> 27)) * MULTIPLIER_2 & MASK
    return word ^ (word >> 31)


@rule
def draw(stream):  # type: ignore[no-untyped-def]
    """Return the next 64 random bits of a stream."""
    stream[0] = _unsigned(stream[0]) + GAMMA & MASK
    return _mix(_unsigned(stream[0]))


def _choosable(function):  # type: ignore[no-untyped-def]
    """Make a rule that in plain Python also takes a stream which chooses its outcomes itself."""
    return rule(function, python=lambda rng, n: getattr(type(rng), "below", function)(rng, n))


@_choosable
def below(stream, n):  # type: ignore[no-untyped-def]
    """Return an exactly uniform integer 0 <= x < n < 2**32 (Lemire 2019, arXiv:1805.10941, on 32 bits).

    >>> stream = np.array([7], np.uint64)
    >>> 0 <= below(stream, 6) < 6
    True
    """
    if not 0 < n <= MAX_OUTCOMES:
        raise ValueError("below(rng, n) needs n from 1 to 2**32 - 1")
    size = _unsigned(n)
    product = (draw(stream) >> 32) * size
    if product & LOW32 < size:
        threshold = (LOW32 + _ONE64 - size) % size
        while product & LOW32 < threshold:
            product = (draw(stream) >> 32) * size
    return _signed(product >> 32)


@rule
def uniform(stream):  # type: ignore[no-untyped-def]
    """Return a uniform number in [0, 1) with 53 random bits.

    >>> bool(0 <= uniform(np.array([7], np.uint64)) < 1)
    True
    """
    return np.float64(draw(stream) >> 11) * (1.0 / 9007199254740992.0)


@rule
def start(seed, deal, name):  # type: ignore[no-untyped-def]
    """Return the first word of the stream (seed, deal, purpose)."""
    return _mix(_mix(_mix(_unsigned(seed)) ^ _unsigned(deal)) ^ _unsigned(name))


def uniforms(seed: int, deals: np.ndarray, names: list[str]) -> np.ndarray:
    """Return the first `uniform` of the streams of many deals and purposes, float64[deal, name].

    >>> stream = np.zeros(1, np.uint64)
    >>> open_streams(stream, 7, 3, purposes(["deal/deck"]))
    >>> float(uniform(stream)) == float(uniforms(7, np.array([3]), ["deal/deck"])[0, 0])
    True
    """
    deal_words = _mix(np.uint64(_mix(_unsigned(seed))) ^ deals.astype(np.uint64))
    words = _mix(deal_words[:, np.newaxis] ^ purposes(names))
    values: np.ndarray = (_mix(words + np.uint64(GAMMA)) >> 11) * (1.0 / 9007199254740992.0)
    return values


@rule
def shuffle(stream, cards, n):  # type: ignore[no-untyped-def]
    """Shuffle the first n elements of an array in place (Fisher-Yates).

    >>> cards = np.arange(5)
    >>> shuffle(np.array([7], np.uint64), cards, 5)
    >>> sorted(cards.tolist())
    [0, 1, 2, 3, 4]
    """
    for last in range(n - 1, 0, -1):
        other = below(stream, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@rule
def keyed(rng, turn, step):  # type: ignore[no-untyped-def]
    """Return the key of one choice of a seat: mix(mix(word ^ turn) ^ step). The stream does not advance.

    Args:
        rng: stream of the seat.
        turn: any whole number that differs between the turns of the seat.
        step: number of the decision within the turn. Choices under one key are not independent.

    >>> rng = np.array([7], np.uint64)
    >>> bool(keyed(rng, 3, 0) == keyed(rng, 3, 1))
    False
    """
    return _mix(_mix(_unsigned(rng[0]) ^ _unsigned(turn) & MASK) ^ _unsigned(step) & MASK)


@rule
def priority(key, content):  # type: ignore[no-untyped-def]
    """Return the priority of a candidate under a key, uniform in 0 <= x < 2**63.

    `content` is a whole number that identifies the candidate: the id of an action, a card. Priorities of
    different candidates, and under different keys, are independent.
    """
    return _signed(_mix(_unsigned(key) ^ _unsigned(content) & MASK) >> 1)


@rule
def uniform_of(key, content):  # type: ignore[no-untyped-def]
    """Return the priority of a candidate as a number in [0, 1) with 53 random bits.

    >>> bool(0 <= uniform_of(np.uint64(1), 5) < 1)
    True
    """
    return np.float64(priority(key, content) >> 10) * (1.0 / 9007199254740992.0)


@rule
def open_streams(words, seed, deal, names):  # type: ignore[no-untyped-def]
    """Set each word of `words` to the start of the stream of the purpose with the same index in `names`."""
    for i in range(names.size):
        words[i] = start(seed, deal, names[i])
