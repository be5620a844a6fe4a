"""The cache on disk: nothing stale is ever served, nothing fresh is compiled again."""

import os
import random
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest
from numba import types

from simkit.engine.compile import jit
from simkit.engine.compile.fingerprint import fingerprint
from simkit.errors import UsageError
from simkit.games.pig import End

ROOT = Path(__file__).parents[2]

PLAY = """
import hashlib, time, numpy as np
from simkit.games.pig import game
from simkit.engine.table import GameTable
from simkit.content.strategies.pig import hold_at
began = time.perf_counter()
player = hold_at.player(game)
states = GameTable(game, game.rules()).play([player, player], 1, np.arange(40), np.zeros(40, int))
print(hashlib.sha256(states.tobytes()).hexdigest())
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A scratch copy of the sources."""
    folder = tmp_path_factory.mktemp("copy")
    for part in ("simkit", "strategies"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def warm(copy):
    """What is played in the copy as it is."""
    return played(copy)


def started(folder, limited=None, **flags):
    """The process that has played in a copy."""
    environment = (
        {k: v for k, v in os.environ.items() if not k.startswith("NUMBA")}
        | flags
        | {"PYTHONPATH": str(folder)}
    )
    words = [sys.executable, "-B", "-c", PLAY]
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, preexec_fn=limited
    )


def played(folder, **flags):
    done = started(folder, **flags)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def cached(folder):
    return {path.name for path in folder.rglob("*.nbc")}


def edit(path, old, new):
    """Change a file so that its size and time stay as they were: only its meaning tells."""
    text, before = path.read_text(), path.stat()
    assert text.count(old) == 1 and len(old) == len(new)
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


EDITS = [
    ("a rule", "simkit/games/pig.py", "s.log.game.rolls += 1", "s.log.game.rolls += 3"),
    ("a constant of another module", "simkit/engine/rng.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17"),
    ("a strategy", "strategies/pig.py", "view.turn_total >= w.threshold", "view.turn_total >  w.threshold"),
]


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_an_edit_is_never_answered_from_the_cache(copy, warm):
    seen = [warm]
    for what, file, old, new in EDITS:
        edit(copy / file, old, new)
        after = played(copy)
        assert after not in seen, f"{what} was edited, the old binary was served"
        assert after == played(copy, NUMBA_DISABLE_JIT="1")
        seen.append(after)
    for _, file, old, new in EDITS:
        edit(copy / file, new, old)
    assert played(copy) == warm


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_an_edit_of_how_functions_are_compiled_compiles_anew(copy, warm):
    times = {path: path.stat().st_mtime_ns for path in copy.rglob("*.nbc")}
    edit(
        copy / "simkit/engine/compile/numba_hooks.py",
        '"nopython": True, "nogil": True',
        '"nopython": True, "nogil": None',
    )
    try:
        assert played(copy) == warm
        assert not any(
            path.exists() and path.stat().st_mtime_ns == time
            for path, time in times.items()
            if "-bounds" not in path.name
        )
    finally:
        edit(
            copy / "simkit/engine/compile/numba_hooks.py",
            '"nopython": True, "nogil": None',
            '"nopython": True, "nogil": True',
        )


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_a_flag_has_its_own_binaries(copy, warm):
    names = cached(copy)
    assert played(copy, NUMBA_BOUNDSCHECK="1") == warm
    assert cached(copy) > names, "bounds checking was answered with the unchecked binaries"


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_nothing_is_compiled_twice(copy):
    played(copy)
    times = {path: path.stat().st_mtime_ns for path in copy.rglob("*.nbc")}
    played(copy)
    assert times == {path: path.stat().st_mtime_ns for path in copy.rglob("*.nbc")}


ALIKE = """
import sys
from numba import types
from simkit.engine.compile import jit
from simkit.errors import UsageError

def adder(number):
    @jit.rule
    def add(i):
        x = i
        for k in range(i, i + 40):  # long enough not to be inlined
            x = (x * 7 + k * number) % 1000003 ^ (x >> 3)
        return x

    @jit.rule
    def call(i):
        return add(i) + add(i + 1)

    return jit.EntryPoint(lambda i: call(i), types.int64(types.int64), f"adder {number}")

print([adder(int(number))(5) for number in sys.argv[1:]])
"""


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_functions_of_one_name_compiled_in_different_processes_are_not_taken_for_each_other(copy):
    """The linker goes by name; closures of one name and type, cached by two processes, must keep their own
    code in a third.
    """
    (copy / "alike.py").write_text(ALIKE)

    def values(*numbers):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("NUMBA")} | {
            "PYTHONPATH": str(copy)
        }
        done = subprocess.run(
            [sys.executable, "alike.py", *numbers], cwd=copy, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    first, two = values("3"), values("4")
    assert first != two
    assert values("3", "4") == f"{first[:-1]}, {two[1:]}"


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_a_damaged_cache_file_is_compiled_again(copy, warm):
    files = [
        path for path in copy.rglob("*.nb[ci]") if "-bounds" not in path.name and "alike" not in path.name
    ]
    for path in files:
        path.write_bytes(path.read_bytes()[:40])
    assert played(copy) == warm
    assert min(path.stat().st_size for path in files) > 40


def flip(path, luck):
    """Change one bit of a file."""
    content = bytearray(path.read_bytes())
    content[luck.randrange(len(content))] ^= 1 << luck.randrange(8)
    path.write_bytes(content)


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_games_are_right_after_any_bit_of_their_cache_files_has_flipped(copy, warm):
    luck = random.Random(25)
    for _ in range(15):
        files = sorted(
            path for path in copy.rglob("*.nb[ic]") if "pig" in path.name and "-bounds" not in path.name
        )
        damaged = luck.choice(files)
        flip(damaged, luck)
        content = damaged.read_bytes()
        assert played(copy) == warm, damaged
        assert damaged.read_bytes() != content, "the damaged file is replaced"


@pytest.mark.skipif(not jit.COMPILED, reason="without the compiler nothing is cached")
def test_machine_code_is_compiled_again_after_any_bit_of_its_file_has_flipped():
    def entry():
        return jit.EntryPoint(lambda i: 3 * i + 1, types.int64(types.int64), "flipped")

    assert entry()(5) == 16
    luck, path = random.Random(25), entry()._program._file.path
    whole = path.read_bytes()
    for _ in range(12):
        flip(path, luck)
        assert entry()(5) == 16
        assert path.read_bytes() != whole, "numbered anew: it was compiled again"
        whole = path.read_bytes()


@pytest.mark.posix
@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_a_full_disk_plays_uncached_and_says_so_in_one_line(copy, tmp_path):
    import resource

    done = started(
        copy,
        NUMBA_CACHE_DIR=str(tmp_path / "cache"),
        limited=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000)),
    )
    assert done.returncode == 0 and done.stdout.strip() == played(copy)
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"simkit: compiled code cannot be cached in {tmp_path}"), line
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_an_added_strategy_compiles_only_itself(copy):
    played(copy)
    times = {path: path.stat().st_mtime_ns for path in copy.rglob("*.nbc")}
    path = copy / "strategies/pig.py"
    text = path.read_text()
    path.write_text(
        text
        + '\n\n@strategy(game)\ndef never(view, rules, legal, w, rng, scratch, memo):\n    """Hold at once."""\n    return HOLD\n'
    )
    try:
        played(copy)
    finally:
        path.write_text(text)
    assert times == {path: path.stat().st_mtime_ns for path in copy.rglob("*.nbc")}


TABLE = np.arange(5)
NUMBER = 3


def reads_table(i):
    return TABLE[i]


def reads_number(i):
    return i + NUMBER


def calls(i):
    return reads_number(i)


def test_a_fingerprint_sees_data_constants_callees_and_closures(monkeypatch):
    before = [fingerprint(f) for f in (reads_table, reads_number, calls)]
    monkeypatch.setitem(globals(), "TABLE", np.arange(1, 6))
    monkeypatch.setitem(globals(), "NUMBER", 4)
    after = [fingerprint(f) for f in (reads_table, reads_number, calls)]
    assert all(a != b for a, b in zip(before, after, strict=True))

    def closing(value):
        return lambda: value

    assert fingerprint(closing(1)) != fingerprint(closing(2))
    assert fingerprint(closing(1)) == fingerprint(closing(1))


def test_a_fingerprint_sees_how_a_rule_is_compiled(monkeypatch):
    monkeypatch.setitem(globals(), "reads_number", jit.rule(reads_number))
    plain = fingerprint(calls)
    for option in ("bounds", "allocates"):
        monkeypatch.setitem(globals(), "reads_number", jit.rule(reads_number.py_func, **{option: True}))
        assert fingerprint(calls) != plain


@pytest.mark.skipif(not jit.COMPILED, reason="without the compiler nothing is cached")
def test_the_stamp_of_a_function_changes_with_the_order_of_its_named_arguments():
    def difference(pair):
        return pair.high - pair.low

    stamps = set()
    for names in ("high low", "low high"):
        pair = types.NamedTuple([types.int64, types.int64], namedtuple("Pair", names))
        stamps.add(jit.EntryPoint(difference, types.int64(pair), "difference").stamp)
    assert len(stamps) == 2


def test_a_global_whose_changes_could_not_be_seen_is_refused(monkeypatch):
    monkeypatch.setitem(globals(), "NUMBER", {"a": "dict"})
    with pytest.raises(UsageError, match=rf"{__file__}:\d+: reads_number\(\): .* NUMBER of type dict"):
        fingerprint(reads_number)


def test_no_record_array_is_allocated_in_compiled_code():
    """A record does not keep its array alive: such an array would be freed under it."""
    for folder in ("simkit/games", "strategies"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text()
            assert "state_dtype" not in text and "np.recarray" not in text, f"{path} handles record arrays"


def test_bits():
    count = jit.EntryPoint(lambda i: jit.bit_count(i), types.int64(types.int64), "bit count")
    lowest = jit.EntryPoint(lambda i: jit.lowest_bit(i), types.int64(types.int64), "lowest bit")
    for bits in (1, 2, 12, 63, 1 << 35, (1 << 36) - 1):
        assert count(bits) == bin(bits).count("1") == jit.bit_count(bits)
        assert lowest(bits) == len(bin(bits)) - len(bin(bits).rstrip("0")) == jit.lowest_bit(bits)


@jit.rule
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@jit.rule(allocates=True)
def checked(n):
    if n > 20:
        raise ValueError(f"too many: {n}")
    return factorial(n)


def test_a_rule_is_plain_python_from_python_and_may_call_itself():
    compiled = jit.EntryPoint(lambda n: factorial(n), types.int64(types.int64), "factorial")
    assert [compiled(n) for n in range(9)] == [factorial(n) for n in range(9)]
    assert isinstance(factorial(25), int) and factorial(25) > 2**64


@pytest.mark.slow
@pytest.mark.proof("engine", "games.pig", "strategies.pig")
def test_a_rule_called_by_a_rule_raises_what_it_says():
    """Also in the process that has just compiled it."""
    compiled = jit.EntryPoint(lambda n: checked(n), types.int64(types.int64), f"checked {os.getpid()}")
    for function in (compiled, checked):
        with pytest.raises(ValueError, match="too many: 21"):
            function(21)
    assert compiled(20) == checked(20)


def test_a_rule_is_compiled_once_for_all_widths_and_constants():
    @jit.rule
    def twice(n):
        return 2 * n

    calls = jit.EntryPoint(
        lambda n, s: twice(n) + twice(3) + twice(s[0]) + twice(n=End.goal),
        types.int64(types.int64, types.Array(types.int8, 1, "C")),
        f"calls {os.getpid()}",
    )
    assert calls(5, np.full(1, 100, np.int8)) == 10 + 6 + 200 + 2 * End.goal
    if jit.COMPILED:
        assert len(twice.signatures) == 1
