"""Tools for tests with hostile input: calls in this process, a watch on written files, numbers of examples.

A suite of such tests is a strategy of inputs and a promise: `fuzz(times, inputs, promise)`, with `times` one of
TIMES; where an input costs more than a refusal, `times.few`. A mutator of files (texts, tables, whole folders)
is one more strategy.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simkit import cli

DIGITS = 5_000 * "9"
LONG_NAME = 300 * "x"
NUMBERS = ["nan", "inf", "-inf", "1e-300", "5e-324", "1e300", "0", "-0.0", "-1", "1e-9"]
NUMBERS += ["0x10", "1_000", "٣", "²"]
NUMBERS += [DIGITS, f"-{DIGITS}", str(2**63), str(-(2**63)), "0.9999999999999999", ""]
MARKUP = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style></title></svg><iframe src=//x>",
    "javascript:alert(1)",
    "&lt;b&gt; &#60;b&#62;",
    "](x) `code` | ~~~ # $\\frac{1$ *a* _b_",
    "{0.__class__} {} {:+} %s %(x)s {{ 7 * 7 }} {% raw %}",
    "\u202egnp.exe \u200b\ufeff 🏳️‍🌈 \U0001f9d9",
    "../../../etc/passwd",
]
NAMES = [LONG_NAME, "a/" * 3000, "..", ".", "/", "-", "", "/dev/null", "/proc/self/mem", "~"]
NAMES += ["pig.toml/x", "CON", *MARKUP]
# Text that a command line can hold.
PLAIN = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
NAME = st.sampled_from(NAMES) | PLAIN
# Names within a folder.
BELOW = NAME.filter(lambda name: not os.path.isabs(name) and ".." not in Path(name).parts)
NUMBER = st.sampled_from(NUMBERS) | st.floats().map(str) | st.integers().map(str)


class Times(NamedTuple):
    """Numbers of examples: `cheap` for inputs refused at once, `few` for inputs that take part of a second."""

    cheap: int
    few: int


LONGER = Times(400, 40)  # of tests that are slow anyway
TIMES = [pytest.param(Times(60, 6), id="everyday"), pytest.param(LONGER, id="longer", marks=pytest.mark.slow)]
hostile = pytest.mark.parametrize("times", TIMES)


def fuzz(examples: int, inputs: st.SearchStrategy[Any], promise: Callable[[Any], object]) -> None:
    """Check a promise on so many inputs, the same ones in each run."""

    def check(value: Any) -> None:
        promise(value)

    configure = settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    configure(given(inputs)(check))()


class Heard(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> Heard:
    """Run a command and return its output; check that a refusal is one printable line."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:  # any other error fails the test
        cli.main(list(arguments))
    heard = Heard(int(end.value.code or 0), *capsys.readouterr())
    assert heard.code in (0, 1, 2), heard
    if heard.code == 2:
        *loaded, refusal = re.findall("^simkit: .*$", heard.err, re.MULTILINE)
        assert len(loaded) < 2 and all(line.startswith("simkit: project ") for line in loaded), heard
        assert heard.err.endswith(f"{refusal}\n"), heard
        assert refusal.isprintable() and len(refusal) < 4_100, heard
    return heard


# Paths opened for writing, created, renamed or removed; None outside `writes_only_below`.
_written: list[str] | None = None
# Audit events that write, with the position of the path among their arguments.
_WRITES = {"os.mkdir": 0, "os.rename": 1, "os.remove": 0, "os.rmdir": 0, "os.link": 1, "os.symlink": 1}
_WRITES |= {"os.truncate": 0}


def _watch(event: str, details: tuple[Any, ...]) -> None:
    if _written is None:
        return
    if event in _WRITES:
        _written.append(os.path.abspath(os.fsdecode(details[_WRITES[event]])))
    elif event == "open" and details[2] & (os.O_WRONLY | os.O_RDWR) and not isinstance(details[0], int):
        _written.append(os.path.abspath(os.fsdecode(details[0])))


sys.addaudithook(_watch)


@contextmanager
def writes_only_below(*folders: Path) -> Iterator[None]:
    """Check that nothing outside the folders is written, created or removed, except cached machine code."""
    global _written
    _written = []
    try:
        yield
    finally:
        written, _written = _written, None
    outside = {path for path in written if not any(Path(path).is_relative_to(folder) for folder in folders)}
    caches = ("__pycache__", os.environ.get("NUMBA_CACHE_DIR", "__pycache__"), os.devnull)
    assert not {path for path in outside if not any(cache in path for cache in caches)}
