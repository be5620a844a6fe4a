"""A run whose workers or runner are killed at any moment ends with the same tables."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
import torture

from simkit.runs.storage import checksums

pytestmark = [
    pytest.mark.slow,
    pytest.mark.posix,
    pytest.mark.proof(
        "runs", "questions.run", "games.pig", "strategies.pig", "experiments/pig_first_seat.toml"
    ),
]


def test_a_worker_that_is_killed_costs_only_what_it_had_in_hand(tmp_path: Path) -> None:
    quiet, hurt = tmp_path / "quiet", tmp_path / "hurt"
    subprocess.run(torture.command(quiet, 30_000, "threading"), check=True, capture_output=True)
    running = subprocess.Popen(torture.command(hurt, 30_000, "loky"), stdout=subprocess.DEVNULL)
    while len(checksums.read_digests(hurt)) < 4:
        assert running.poll() is None
        time.sleep(0.05)
    os.kill(torture.workers(running.pid)[0], signal.SIGKILL)
    assert running.wait() == 0
    assert torture.alike(quiet, hurt)


@pytest.mark.parametrize("more", [[], ["--until-verdict"]], ids=["fixed", "stops"])
def test_a_run_killed_at_random_moments_ends_with_the_same_tables(tmp_path: Path, more: list[str]) -> None:
    assert torture.torture(tmp_path, 3, 2, 20_000, *more)
