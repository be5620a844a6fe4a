"""A temporary folder goes away however its process ends."""

import subprocess
import sys
import time

import pytest

from simkit.runs.storage.scratch import scratch_folder

WRITES = """
import time
from simkit.runs.storage.scratch import scratch_folder
with scratch_folder("simkit-test-") as folder:
    (folder / "deep").mkdir()
    (folder / "deep" / "file").write_text("x")
    print(folder, flush=True)
    time.sleep(100)
"""


def goes_away(folder, seconds=15):
    """Whether nothing is left in a folder soon."""
    end = time.monotonic() + seconds
    while any(folder.iterdir()) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(folder.iterdir())


def started(code, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return subprocess.Popen([sys.executable, *code], stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("end", ["kill", "terminate"])
def test_nothing_is_left_behind_by_a_process_that_is_killed(end, tmp_path, monkeypatch):
    with started(["-c", WRITES], tmp_path, monkeypatch) as process:
        assert process.stdout.readline().startswith(str(tmp_path / "simkit-test-"))
        getattr(process, end)()
    assert goes_away(tmp_path)


def test_the_folder_is_gone_after_its_use_and_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), scratch_folder("simkit-test-") as folder:
        (folder / "file").write_text("x")
        raise ZeroDivisionError
    assert not folder.exists()


@pytest.mark.slow
def test_validate_leaves_nothing_behind_when_it_is_killed(tmp_path, monkeypatch):
    words = ["-m", "simkit", "validate", "race_to_six", "--deals", "2000000", "--jobs", "2"]
    with started(words, tmp_path, monkeypatch) as process:
        end = time.monotonic() + 100
        while not list(tmp_path.glob("simkit-validate-*/*/games/*")):
            assert time.monotonic() < end and process.poll() is None
            time.sleep(0.01)
        process.kill()
    assert goes_away(tmp_path, 30)
