"""The lock file: the balance targets of a game, what was measured, its history and its error budget.

A designer writes what is above MARK. Below are `[[history]]`, the accepted states with `[[history.results]]`
of the claims; `[[tests]]`, the results of other rules since the last accepted state; `[budget]`; and
`[outcomes]` of the shared deals under the accepted rules. Values are in the unit of the claim: games in 100
for shares, else the unit of the column.
"""

import base64
import hashlib
import json
import zlib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simkit.errors import UsageError
from simkit.runs.experiment import Seed, Value, read_toml, toml_lines, toml_text, wrong
from simkit.runs.storage import atomic

MARK = "# Written by simkit lock and simkit gate. The lines above are yours; leave those below as they are.\n"
DealsOfTest = Annotated[int, Field(ge=1_000, le=10**8)]
CONFLICT = "<<<<<<< "  # begins a conflict that Git left in a file


class Record(BaseModel):
    """A part of a lock file, without keys that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Result(Record):
    """The measurement of a claim under some rules, on fresh deals, and its verdict."""

    claim: str
    verdict: str  # HOLDS, BROKEN, CHANGED BUT HOLDS or NOT KNOWN YET
    value: float
    low: float  # interval of the value that holds at every interim analysis (95 %)
    high: float
    games: int
    deals: int
    lineup: str
    seed: int  # of the fresh deals
    sources: dict[str, str]  # rules, options and tables, players, engine -> digest
    level: float  # of the test by e-LOND
    piece: str = ""  # component that the value is about
    further: int | None = None  # games that would probably settle what is not known yet
    change: float | None = None  # from the accepted rules, on the shared deals; None where there was nothing
    change_low: float | None = None
    change_high: float | None = None

    @property
    def id(self) -> str:
        """The identity of the test: the same seed and claim are the same test."""
        return hashlib.sha256(f"{self.seed}/{self.claim}".encode()).hexdigest()[:8]


class Entry(Record):
    """An accepted state of the game."""

    date: str  # UTC, ISO format
    reason: str
    revision: str = ""  # of Git, where there is one
    previous: str = ""  # id of the entry before
    results: list[Result] = []

    @property
    def id(self) -> str:
        """Digest of the entry, from which the seeds of later tests follow."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]


class Budget(Record):
    """The error budget: ids of all tests ever begun, and the rejections that raise later levels."""

    rejections: int = 0
    tests: list[str] = []


class Lock(Record):
    """A lock file."""

    game: str
    seed: Seed = 1  # of the deals that the accepted and the present rules share
    deals: DealsOfTest = 20_000  # at most, for a test
    lineup: str  # of claims that name no players
    claims: list[str] = Field(min_length=1)
    options: dict[str, Value] = {}
    files: dict[str, str] = {}  # table -> path, relative to the folder of the lock file
    history: list[Entry] = []
    tests: list[Result] = []
    budget: Budget = Budget()
    outcomes: dict[str, str] = {}

    @property
    def accepted(self) -> list[Result]:
        """The results of the last accepted state."""
        return self.history[-1].results if self.history else []


def pack(outcomes: Any) -> str:
    """Return plain values as compressed text.

    >>> unpack(pack([1, 0.5])), len(pack([0, 1] * 1000)) < 100
    ([1, 0.5], True)
    """
    return base64.b64encode(zlib.compress(json.dumps(outcomes).encode(), 9)).decode()


def unpack(text: str) -> Any:
    """Return the plain values of a compressed text; UsageError if it is damaged."""
    try:
        return json.loads(zlib.decompress(base64.b64decode(text)))
    except (ValueError, zlib.error):
        raise UsageError("[outcomes] of the lock file was changed or damaged; restore it from Git") from None


def read(path: str | Path, text: str = "") -> Lock:
    """Read a lock file, or its text; raises a UsageError of one line that names the file."""
    if not text and CONFLICT in targets_of(path, ""):
        raise UsageError(f"{path}: holds a conflict of Git; resolve it with: simkit gate {path} --merge")
    return checked(path, read_toml(Path(path), text))


def checked(path: str | Path, keys: dict[str, Any]) -> Lock:
    """Return the lock with these keys; raises a UsageError of one line that names the file."""
    try:
        return Lock.model_validate(keys)
    except ValidationError as error:
        raise UsageError(f"{path}: {wrong(error.errors()[0], Lock.model_fields)}") from None


def targets_of(path: str | Path, end: str = MARK) -> str:
    """Return the text of a lock file up to `end`, by default the designer's part; "" without a file."""
    text = Path(path).read_text("utf-8", errors="replace") if Path(path).is_file() else ""
    return (text.partition(end)[0] if end else text).rstrip()


def write(path: str | Path, lock: Lock) -> None:
    """Write a lock file atomically; the designer's part of a file that exists stays as it is."""
    parts = [_table("history", entry, "results") for entry in lock.history]
    parts += [_table("tests", test) for test in lock.tests]
    parts.append(f"[budget]\n{toml_lines(lock.budget.model_dump())}\n[outcomes]\n{toml_lines(lock.outcomes)}")
    own = targets_of(path) or _targets(lock)
    atomic.put(Path(path), "\n".join([own, "", MARK, *parts]).encode())


def _targets(lock: Lock) -> str:
    """Return the designer's part of a new file."""
    keys: dict[str, Any] = lock.model_dump(include={"game", "seed", "deals", "lineup"})
    claims = "".join(f"    {toml_text(claim)},\n" for claim in lock.claims)
    tables = lock.model_dump(include={"options", "files"}).items()
    parts = [f"\n[{name}]\n{toml_lines(table)}" for name, table in tables if table]
    head = "# Balance targets: edit the claims as you like.\n"
    return "".join([head, toml_lines(keys), f"claims = [\n{claims}]\n", *parts]).rstrip()


def _table(head: str, content: Entry | Result, inner: str = "sources") -> str:
    """Return an entry, or a result, with its inner tables."""
    text = f"[[{head}]]\n{toml_lines(content.model_dump(exclude={inner}, exclude_defaults=True))}"
    if isinstance(content, Result):
        return f"{text}[{head}.sources]\n{toml_lines(content.sources)}"
    return "\n".join([text, *(_table(f"{head}.results", result) for result in content.results)])
