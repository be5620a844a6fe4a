"""Workflows of the repository can be read, run what the Makefile has, and let only publishing jobs write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
TARGETS = re.findall(r"^([\w./-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_what_there_is(path: Path) -> None:
    jobs = jobs_of(path)
    commands = [step.get("run", "") for job in jobs.values() for step in job["steps"]]
    assert {target for text in commands for target in re.findall(r"\bmake (\S+)", text)} <= {*TARGETS}
    assert {needed for job in jobs.values() for needed in [job.get("needs")] if needed} <= {*jobs}
    assert {name for name, job in jobs.items() if "permissions" in job} <= {"publish"}


def test_a_release_is_published_after_its_wheel_was_built_and_tested() -> None:
    jobs = jobs_of(ROOT / ".github/workflows/release.yml")
    assert jobs["publish"]["needs"] == "test" and jobs["test"]["needs"] == "build"
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    assert "password" not in str(jobs["publish"])  # trusted publishing needs no secret


def jobs_of(path: Path) -> dict[str, Any]:
    """Return the jobs of a workflow by name."""
    return dict(yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"])
