"""Nim: take any number from one heap; at random play both seats win equally often."""

from enum import IntEnum

from simkit.engine.actions import Actions
from simkit.engine.compile.jit import rule
from simkit.engine.fields import Field
from simkit.engine.game import Components, Game, KnownAnswer, Tables, Words
from simkit.engine.options import flag, integer
from simkit.engine.rule_helpers import OVER, add, end, next_seat, rank_by_score
from simkit.errors import UsageError

HEAPS, MOST = 4, 20
START = (3, 4, 5, 0)
TAKE = Actions(heap=["1", "2", "3", "4"], objects=range(1, MOST + 1))
OPTIONS = [
    *(integer(f"heap_{i + 1}", START[i], 0, MOST, "NIM-1", f"Objects in heap {i + 1} at the start")
      for i in range(HEAPS)),
    flag("misere", False, "NIM-3", "Whoever takes the last object loses",
         label="whoever takes the last object", values={"false": "wins", "true": "loses"}),
]  # fmt: skip
STATE = [Field("heap", "i2", (HEAPS,), "Objects left [heap]")]
End = IntEnum("End", "unfinished nothing_left", start=0)


@rule
def setup(s, rules, rng):
    """Lay out the heaps; seat 0 begins (NIM-1)."""
    s.heap[0], s.heap[1], s.heap[2], s.heap[3] = rules.heap_1, rules.heap_2, rules.heap_3, rules.heap_4


@rule
def legal(s, rules, out):
    """Write any number of objects from one heap (NIM-2)."""
    n = 0
    for heap in range(HEAPS):
        for objects in range(1, s.heap[heap] + 1):
            n = add(out, n, TAKE.pack(heap, objects))
    return n


@rule
def apply(s, rules, action, rng):
    """Take from a heap (NIM-2); taking the last object decides (NIM-3)."""
    s.heap[TAKE.heap(action)] -= TAKE.objects(action)
    if s.heap.sum() > 0:
        s.seat = next_seat(s)
    else:
        s.score[next_seat(s) if rules.misere else s.seat] = 1
        rank_by_score(s)
        end(s, End.nothing_left)


def tables(options, files) -> Tables:
    """Return no tables; refuse heaps that are all empty."""
    if not any(options[f"heap_{i + 1}"] for i in range(HEAPS)):
        raise UsageError("nim needs an object to take: give one of heap_1 to heap_4 a value above 0 (NIM-1)")
    return {}


def problems(s, rules) -> list[str]:
    """Return broken promises: heaps are not negative; the game ends when they are empty."""
    faults = ["a heap is below zero"] if min(s.heap) < 0 else []
    if any(s.heap) == (s.seat == OVER):
        faults.append("the game does not end with the last object")
    return faults


def show(s, rules) -> str:
    return "heaps " + ", ".join(str(left) for left in s.heap)


def describe(s, rules, action: int, after) -> str:
    return TAKE.words(action, "takes {objects} from heap {heap}")


RULES = """\
NIM-1  The heaps hold `heap_1` to `heap_4` objects; seat 0 begins.
NIM-2  The seats take turns; a turn takes one or more objects from one heap.
NIM-3  Whoever takes the last object wins; with `misere` loses.
"""

HALF = "induction over the positions: uniform random moves from any heap of 2 or more"
STARTS: list[dict[str, int]] = [
    {},
    {"misere": True},
    {"heap_1": 2, "heap_2": 0, "heap_3": 0},
    {"heap_1": 1, "heap_2": 2, "heap_3": 7, "heap_4": 20, "misere": True},
]

game = Game(
    name="nim", title="Nim", seats=(2, 2), summary="take from a heap; at random play exactly fair",
    end_reasons=End, options=OPTIONS, state=STATE, max_actions=TAKE.stop, max_steps=HEAPS * MOST,
    setup=setup, legal=legal, apply=apply, problems=problems, show=show, describe=describe,
    components=Components(build=tables), words=Words(RULES, perfect=1.0),
    known_answers=[KnownAnswer("share", 0.5, HALF, "random*2", seat=0, options=start) for start in STARTS],
)  # fmt: skip
