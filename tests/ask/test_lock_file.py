"""The lock file: the designer's part survives every write, and the record round-trips."""

import errno
import os
from pathlib import Path

import pytest

from simkit.ask import lock_file
from simkit.ask.lock_file import AcceptedState, Budget, ClaimResult, Lock
from simkit.errors import UsageError

EXAMPLE = Path(__file__).parents[1] / "runs/example.lock"


def result(claim: str, value: float, **changes: object) -> ClaimResult:
    low, high = (float(number) for number in claim.split()[-3::2])
    keys = {"claim": claim, "range_low": low, "range_high": high, "verdict": "HOLDS", "value": value}
    keys |= {"low": value - 1, "high": value + 1, "test_low": value - 2, "test_high": value + 2}
    keys |= {"games": 8000, "deals": 8000, "lineup": "hold_at*2", "seed": 7, "level": 0.018}
    return ClaimResult.model_validate(keys | {"sources": {"the rules of pig": "12ab"}} | changes)


def test_a_lock_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    claims = ["first player wins 52 to 58", 'turns "x" 8 to 12']
    entry = AcceptedState(
        date="2026-01-31T10:00:00+00:00", reason='a "quoted"\nreason', results=[result(claims[0], 55.1)]
    )
    later = AcceptedState(
        date="2026-02-01T10:00:00+00:00", reason="later", revision="1a2b3c4", previous=entry.id
    )
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
            "outcomes": {claims[0]: [1, None, 0], "worth": {"Reactor": (1, 0.5, 2000)}},
        }
    )
    lock_file.write(tmp_path / "a.lock", written)
    assert lock_file.read(tmp_path / "a.lock") == written
    assert (
        lock_file.read(tmp_path / "a.lock").history[1].previous
        == lock_file.read(tmp_path / "a.lock").history[0].id
    )


def test_comments_and_order_of_the_designer_survive_a_new_record(tmp_path: Path) -> None:
    file = tmp_path / "balance.lock"
    own = '# why\nclaims = [ # two\n  "turns 1 to 2", # short\n  "first player wins 40 to 60" ]\ngame="pig"\nlineup="a"\n'
    file.write_text(own)
    lock_file.write(file, lock_file.read(file).model_copy(update={"budget": Budget(tests=["1"])}))
    lock_file.write(file, lock_file.read(file))
    assert file.read_text().startswith(f"{own}\n{lock_file.MARK}")
    assert lock_file.read(file).budget.tests == ["1"]


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
        lock_file.read(file)
    assert str(error.value).startswith(str(file))
    assert problem in str(error.value)


SECOND = "history.1.results.0"  # the first of the last accepted state
FAULTS = [
    ("rejections = 1", "rejections = -1", "key 'budget.rejections': should be greater than or equal to 0, not -1"),
    ("rejections = 1", "rejections = true", "key 'budget.rejections': should be a valid integer, not True"),
    ("range_low = 48.0", "range_low = 52", "'history.0.results.0': the range of 'first player wins 52 to 52"),
    ("rejections = 1", "rejections = 8", "'budget': rejections should not outnumber the 7 tests"),
    ("\nlow = 48.2", "\nlow = inf", f"key '{SECOND}.low': should be a finite number, not inf"),
    ("value = 49.9", "value = nan", f"key '{SECOND}.value': should be a finite number, not nan"),
    ("value = 49.9", "value = 60.0", f"'{SECOND}': the value of 'first player wins 48 to 52"),
    ('verdict = "BROKEN"', 'verdict = "FINE"', "key 'tests.0.verdict': should be 'HOLDS', 'BROKEN'"),
    ("seed = 3", "seed = -3", "key 'tests.0.seed': should be greater than or equal to 0"),
    ("level = 0.0123", "level = 0", "key 'history.0.results.0.level': should be greater than 0, not 0"),
    ("deals = 20000", "deals = 10", "key 'deals': should be greater than or equal to 1000, not 10"),
    ("games = 8000", "games = 0.5", "key 'history.0.results.0.games': should be a valid integer"),
    ('= "eNq', '= "eN', "[outcomes] of the lock file was changed or damaged; restore it from Git"),
]  # fmt: skip


@pytest.mark.parametrize(("was", "now", "problem"), FAULTS)
def test_a_recorded_value_that_cannot_be_is_refused_by_its_place(
    tmp_path: Path, was: str, now: str, problem: str
) -> None:
    text = EXAMPLE.read_text()
    assert was in text
    (tmp_path / "b.lock").write_text(text.replace(was, now, 1))
    with pytest.raises(UsageError) as error:
        lock_file.read(tmp_path / "b.lock")
    assert problem in str(error.value) and "\n" not in str(error.value)


def test_a_record_keeps_its_range_when_the_text_of_a_claim_is_replaced_in_the_whole_file(
    tmp_path: Path,
) -> None:
    before, file = lock_file.read(EXAMPLE), tmp_path / "b.lock"
    file.write_text(EXAMPLE.read_text().replace("turns 25 to 35", "turns 10 to 15"))
    after = lock_file.read(file)
    assert (before.claims[1], after.claims[1]) == ("turns 25 to 35", "turns 10 to 15")
    assert [result.claim for result in after.accepted] == [
        before.claims[0],
        "turns 25 to 35",
        before.claims[2],
    ]
    assert [entry.id for entry in after.history] == [entry.id for entry in before.history]


@pytest.mark.posix
@pytest.mark.parametrize("name", ["/dev/zero", "/dev/full"])
def test_a_device_is_no_lock_file(name: str) -> None:
    with pytest.raises(UsageError, match=f"{name}: is larger than 50 MB"):
        lock_file.read(name)


def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "b.lock"
    file.write_text(EXAMPLE.read_text())
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        lock_file.write(file, lock_file.read(file).model_copy(update={"budget": Budget()}))
    assert list(tmp_path.iterdir()) == [file] and file.read_text() == EXAMPLE.read_text()


def test_damaged_outcomes_are_refused() -> None:
    with pytest.raises(UsageError, match="damaged"):
        lock_file.unpack("no outcomes")


def test_the_example_can_be_read() -> None:
    assert [entry.reason for entry in lock_file.read(EXAMPLE).history] == ["first lock", "dearer reserves"]
