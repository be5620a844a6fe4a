"""The lock file: the balance targets of a game, what was measured, its history and its error budget.

A designer writes what is above MARK. Below are `[[history]]`, the accepted states with `[[history.results]]`
of the claims; `[[tests]]`, the results of other rules since the last accepted state; `[budget]`; and
`[outcomes]` of the shared deals under the accepted rules. Values are in the unit of the claim: games in 100
for shares, else the unit of the column.
"""

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from numpy import format_float_positional
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)

from simkit.engine import limits
from simkit.engine.toml_files import read_toml
from simkit.errors import UsageError
from simkit.runs.experiment import Value, toml_lines, toml_text, wrong
from simkit.runs.storage import atomic

MARK = "# Written by simkit lock and simkit gate. The lines above are yours; leave those below as they are.\n"
DealsOfTest = Annotated[int, Field(ge=1_000, le=10**8)]
CONFLICT = "<<<<<<< "  # begins a conflict that Git left in a file
NUMBER = r"-?\d+(?:\.\d+)?"
RANGE = re.compile(rf" (?:(?P<low>{NUMBER}) to (?P<high>{NUMBER})|more than (?P<most>{NUMBER}) games in 100)")
Seed = Annotated[int, Field(**limits.SEED, strict=True)]
Count = Annotated[int, Field(ge=0, strict=True)]
Verdict = Literal["HOLDS", "BROKEN", "CHANGED BUT HOLDS", "NOT KNOWN YET"]


def pack(outcomes: Any) -> str:
    """Return plain values as compressed text.

    >>> unpack(pack([1, 0.5])), len(pack([0, 1] * 1000)) < 100
    ([1, 0.5], True)
    """
    return base64.b64encode(zlib.compress(json.dumps(outcomes).encode(), 9)).decode()


def unpack(text: Any) -> Any:
    """Return the plain values of a compressed text; UsageError if it is damaged."""
    try:
        return json.loads(zlib.decompress(base64.b64decode(text))) if isinstance(text, str) else text
    except (ValueError, zlib.error):
        raise UsageError("[outcomes] of the lock file was changed or damaged; restore it from Git") from None


# A number per deal, None where it has none; of worth: component -> worth, standard error, deals.
Outcomes = list[float | None] | dict[str, tuple[float, float, float]]
Packed = Annotated[Outcomes, BeforeValidator(unpack), PlainSerializer(pack)]


class Record(BaseModel):
    """A part of a lock file, without keys that it does not know; numbers are finite."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ClaimResult(Record):
    """The measurement of a claim under some rules, on fresh deals, and its verdict at that time.

    What it says about the present range of the claim is computed from the numbers: `simkit.ask.claims.judge`.
    """

    claim: str  # its text at the time of the test
    range_low: float | None = None  # of the claim; None for worth
    range_high: float
    verdict: Verdict
    value: float
    low: float  # interval of the value that holds at every interim analysis (95 %)
    high: float
    test_low: float  # interval at the level of the test
    test_high: float
    games: Count
    deals: Count
    lineup: str
    seed: Seed  # of the fresh deals
    sources: dict[str, str]  # rules, options and tables, players, engine -> digest
    level: float = Field(gt=0, lt=1)  # of the test by e-LOND
    piece: str = ""  # component that the value is about
    further: Count | None = None  # games that would probably settle what is not known yet
    change: float | None = None  # from the accepted rules, on the shared deals; None where there was nothing
    change_low: float | None = None
    change_high: float | None = None

    @model_validator(mode="before")
    @classmethod
    def _with_own_range(cls, keys: Any) -> Any:
        """Return the keys with the range that was tested, even if its text was replaced in the whole file."""
        text = keys.get("claim") if isinstance(keys, dict) else None
        if isinstance(text, str) and (match := RANGE.search(text)):
            low, high = keys.get("range_low"), keys.get("range_high")
            numbers = isinstance(low, int | float | None) and isinstance(high, int | float)
            if numbers and range_of(match) != (low, high):
                least, most = (format_float_positional(end or 0, trim="-") for end in (low, high))
                own = f" more than {most} games in 100" if low is None else f" {least} to {most}"
                return keys | {"claim": text[: match.start()] + own + text[match.end() :]}
        return keys

    @model_validator(mode="after")
    def _check_order(self) -> Self:
        if not (self.low <= self.value <= self.high and self.test_low <= self.value <= self.test_high):
            raise ValueError(f"the value of '{self.claim}' should be inside its intervals")
        if self.range_low is not None and self.range_low >= self.range_high:
            raise ValueError(f"the range of '{self.claim}' should go up")
        return self

    @property
    def is_outside(self) -> bool:
        """Whether the 95 % interval lies outside the range."""
        return self.low > self.range_high or (self.range_low is not None and self.high < self.range_low)

    @property
    def subject(self) -> str:
        """The claim without its range."""
        return RANGE.sub("", self.claim, count=1)

    @property
    def id(self) -> str:
        """The identity of the test, whatever becomes of the range of the claim."""
        return hashlib.sha256(f"{self.seed}/{self.level}/{self.subject}".encode()).hexdigest()[:8]


def range_of(match: re.Match[str]) -> tuple[float | None, float]:
    """Return the range in the text of a claim, whose lower end is None for worth."""
    return (None, float(match["most"])) if match["most"] else (float(match["low"]), float(match["high"]))


class AcceptedState(Record):
    """An accepted state of the game."""

    date: str  # UTC, ISO format
    reason: str
    revision: str = ""  # of Git, where there is one
    previous: str = ""  # id of the entry before
    results: list[ClaimResult] = []

    @property
    def id(self) -> str:
        """Digest of the entry, from which the seeds of later tests follow."""
        parts = [self.date, self.reason, self.revision, self.previous, *(own.id for own in self.results)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


class Budget(Record):
    """The error budget: ids of all tests ever begun, and the rejections that raise later levels."""

    rejections: Count = 0
    tests: list[str] = []

    @model_validator(mode="after")
    def _check_rejections(self) -> Self:
        if self.rejections > len(self.tests):
            raise ValueError(f"rejections should not outnumber the {len(self.tests)} tests")
        return self


class Lock(Record):
    """A lock file."""

    game: str
    seed: Seed = 1  # of the deals that the accepted and the present rules share
    deals: DealsOfTest = 20_000  # at most, for a test
    lineup: str  # of claims that name no players
    rotate: Literal["", "roles"] = ""  # whether each deal is played once for each place of its roles, too
    claims: list[str] = Field(min_length=1)
    options: dict[str, Value] = {}
    files: dict[str, str] = {}  # table -> path, relative to the folder of the lock file
    history: list[AcceptedState] = []
    tests: list[ClaimResult] = []
    budget: Budget = Budget()
    outcomes: dict[str, Packed] = {}

    @property
    def accepted(self) -> list[ClaimResult]:
        """The results of the last accepted state."""
        return self.history[-1].results if self.history else []


def read(path: str | Path, text: str = "") -> Lock:
    """Read a lock file, or its text; raises a UsageError of one line that names the file."""
    if not text and CONFLICT in targets_of(path, ""):
        raise UsageError(f"{path}: holds a conflict of Git; resolve it with: simkit gate {path} --merge")
    return lock_from_keys(path, read_toml(Path(path), text))


def lock_from_keys(path: str | Path, keys: dict[str, Any]) -> Lock:
    """Return the lock with these keys; raises a UsageError of one line that names the file."""
    try:
        return Lock.model_validate(keys)
    except ValidationError as error:
        fault = error.errors()[0]
        parts = fault["loc"] if fault["loc"][0] in ("history", "tests") else fault["loc"][:2]
        place = ".".join(map(str, parts))
        if fault["type"] == "value_error":  # about a whole table, whose values are left out
            raise UsageError(f"{path}: '{place}': {fault['ctx']['error']}") from None
        raise UsageError(f"{path}: {wrong(fault | {'loc': (place,)}, Lock.model_fields)}") from None


def targets_of(path: str | Path, end: str = MARK) -> str:
    """Return the text of a lock file up to `end`, by default the designer's part; "" without a file."""
    text = Path(path).read_text("utf-8", errors="replace") if Path(path).is_file() else ""
    return (text.partition(end)[0] if end else text).rstrip()


def write(path: str | Path, lock: Lock) -> None:
    """Write a lock file atomically; the designer's part of a file that exists stays as it is."""
    parts = [_table("history", entry, "results") for entry in lock.history]
    parts += [_table("tests", test) for test in lock.tests]
    parts.append(f"[budget]\n{toml_lines(lock.budget.model_dump())}")
    parts.append(f"[outcomes]\n{toml_lines(lock.model_dump()['outcomes'])}")
    own = targets_of(path) or _targets(lock)
    atomic.put(Path(path), "\n".join([own, "", MARK, *parts]).encode())


def _targets(lock: Lock) -> str:
    """Return the designer's part of a new file."""
    keys: dict[str, Any] = lock.model_dump(include={"game", "seed", "deals", "lineup"})
    keys |= {"rotate": lock.rotate} if lock.rotate else {}
    claims = "".join(f"    {toml_text(claim)},\n" for claim in lock.claims)
    tables = lock.model_dump(include={"options", "files"}).items()
    parts = [f"\n[{name}]\n{toml_lines(table)}" for name, table in tables if table]
    head = "# Balance targets: edit the claims as you like.\n"
    return "".join([head, toml_lines(keys), f"claims = [\n{claims}]\n", *parts]).rstrip()


def _table(head: str, content: AcceptedState | ClaimResult, inner: str = "sources") -> str:
    """Return an entry, or a result, with its inner tables."""
    text = f"[[{head}]]\n{toml_lines(content.model_dump(exclude={inner}, exclude_defaults=True))}"
    if isinstance(content, ClaimResult):
        return f"{text}[{head}.sources]\n{toml_lines(content.sources)}"
    return "\n".join([text, *(_table(f"{head}.results", result) for result in content.results)])
