"""The lock file: the designer's part survives every write, and the record round-trips."""

from pathlib import Path

import pytest

from simkit.errors import UsageError
from simkit.runs.schemas import lock
from simkit.runs.schemas.lock import Budget, Entry, Lock, Result

EXAMPLE = Path(__file__).with_name("example.lock")


def result(claim: str, value: float, **changes: object) -> Result:
    keys = {"claim": claim, "verdict": "HOLDS", "value": value, "low": value - 1, "high": value + 1}
    keys |= {"games": 8000, "deals": 8000, "lineup": "hold_at*2", "seed": 7, "level": 0.018}
    return Result.model_validate(keys | {"sources": {"the rules of pig": "12ab"}} | changes)


def test_a_lock_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    claims = ["first player wins 52 to 58", 'turns "x" 8 to 12']
    entry = Entry(
        date="2026-01-31T10:00:00+00:00", reason='a "quoted"\nreason', results=[result(claims[0], 55.1)]
    )
    later = Entry(date="2026-02-01T10:00:00+00:00", reason="later", revision="1a2b3c4", previous=entry.id)
    changed = result(claims[1], 9.5, change=0.25, change_low=-0.5, change_high=1.0, further=1200)
    budget = Budget(rejections=1, tests=[changed.id])
    keys = {
        "game": "pig",
        "lineup": "hold_at*2",
        "claims": claims,
        "options": {"goal": 60},
        "files": {"cards": "ö.csv"},
    }
    written = Lock.model_validate(
        keys
        | {
            "history": [entry, later],
            "tests": [changed],
            "budget": budget,
            "outcomes": {claims[0]: lock.pack([1, 0])},
        }
    )
    lock.write(tmp_path / "a.lock", written)
    assert lock.read(tmp_path / "a.lock") == written
    assert lock.read(tmp_path / "a.lock").history[1].previous == lock.read(tmp_path / "a.lock").history[0].id


def test_comments_and_order_of_the_designer_survive_a_new_record(tmp_path: Path) -> None:
    file = tmp_path / "balance.lock"
    own = '# why\nclaims = [ # two\n  "turns 1 to 2", # short\n  "first player wins 40 to 60" ]\ngame="pig"\nlineup="a"\n'
    file.write_text(own)
    lock.write(file, lock.read(file).model_copy(update={"budget": Budget(tests=["1"])}))
    lock.write(file, lock.read(file))
    assert file.read_text().startswith(f"{own}\n{lock.MARK}")
    assert lock.read(file).budget.tests == ["1"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('game = "pig"\nlineup = "a"', "key 'claims' is missing"),
        ('game = "pig"\nlineup = "a"\nclaims = ["a"]\ndeal = 3', "unknown key 'deal'; did you mean 'deals'?"),
        ('game = "pig"\nlineup = "a"\nclaims = []', "key 'claims': List should have at least 1 item"),
        ('game = "pig', "malformed TOML"),
        ("<<<<<<< HEAD\n", "holds a conflict of Git; resolve it with: simkit gate"),
    ],
)
def test_a_faulty_file_is_refused_in_a_line_that_names_the_file_and_the_key(
    tmp_path: Path, text: str, problem: str
) -> None:
    file = tmp_path / "balance.lock"
    file.write_text(text)
    with pytest.raises(UsageError) as error:
        lock.read(file)
    assert str(error.value).startswith(str(file))
    assert problem in str(error.value)


def test_damaged_outcomes_are_refused() -> None:
    with pytest.raises(UsageError, match="damaged"):
        lock.unpack("no outcomes")


def test_the_example_can_be_read() -> None:
    assert [entry.reason for entry in lock.read(EXAMPLE).history] == ["first lock", "dearer reserves"]
