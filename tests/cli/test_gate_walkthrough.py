"""The manual's walk-through of the gate, and the action and the hook, in a scratch repository of Git."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from simkit.ask import lock_file

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
(WALK,) = re.findall(r"```bash\n(.*?)```", (ROOT / "simkit/cli/README.md").read_text("utf-8"), re.DOTALL)
STEPS = WALK.splitlines()
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())


class Repository:
    """A folder under Git, in which commands are typed in bash."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        simkit = folder / "bin/simkit"
        simkit.parent.mkdir()
        simkit.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m simkit "$@"\n')
        simkit.chmod(0o755)
        self.environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "PATH": f"{simkit.parent}:{os.environ['PATH']}",
        }
        assert self.type("git init -q . && echo bin > .gitignore").returncode == 0

    def type(self, line: str, **environment: str) -> Any:
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line]  # as an action does
        environment = self.environment | environment
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=1_800
        )

    def commit(self) -> None:
        done = self.type("git add -A && git -c user.name=a -c user.email=a@example.org commit -qm state")
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repository, dict[str, Any]]:
    """The repository after the walk-through up to the broken gate, and what each step printed."""
    repository, printed = Repository(tmp_path_factory.mktemp("game")), dict[str, Any]()
    for line in STEPS[: STEPS.index(next(step for step in STEPS if "exit code 1" in step)) + 1]:
        printed[line] = repository.type(line)
        if "exit code 1" not in line:
            repository.commit()
    return repository, printed


def later(steps: Any) -> Iterator[str]:
    return (line for line in STEPS if line not in steps[1])


def test_one_number_of_a_card_breaks_the_claim_that_the_manual_names(steps: Any) -> None:
    *before, gate = steps[1].values()
    assert [step.returncode for step in before] == [0] * len(before), before
    assert gate.returncode == 1 and "1 of 3 claims broken: margin 7 to 8.2." in gate.stdout
    verdicts = {test.claim: test.verdict for test in lock_file.read(steps[0].folder / "balance.lock").tests}
    assert verdicts["margin 7 to 8.2"] == "BROKEN"
    (broken,) = [
        test for test in lock_file.read(steps[0].folder / "balance.lock").tests if "margin" in test.claim
    ]
    assert broken.change_low is not None and broken.change_low > 0


def test_the_action_fails_until_the_answer_is_committed_and_then_as_the_gate_or_warns(steps: Any) -> None:
    """The summary has the table in any case."""
    repository, _ = steps
    run = ACTION["runs"]["steps"][-1]
    summary = repository.folder / "bin/summary.md"
    for arguments, code in (("", 2), ("--warn", 2), ("", 1), ("--warn", 0)):
        if code == 1:
            repository.commit()
        summary.write_text("")
        given = {"LOCK": ACTION["inputs"]["lock"]["default"], "ARGUMENTS": arguments}
        assert set(run["env"]) == set(given)
        done = repository.type(run["run"], GITHUB_STEP_SUMMARY=str(summary), **given)
        assert done.returncode == code, done.stderr
        assert ("has no answer for these rules" in done.stdout) == (code == 2)
        assert "BROKEN" in summary.read_text()
    assert "failure" in (repository.folder / "balance.xml").read_text()


def test_the_hook_fails_until_the_rules_are_accepted_and_then_leaves_the_lock_alone(steps: Any) -> None:
    repository, _ = steps
    hook = shlex.join([*shlex.split(HOOK["entry"]), *HOOK["args"]])
    assert repository.type(hook).returncode == 1
    for line in later(steps):
        done = repository.type(line)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
    locked = (repository.folder / "balance.lock").read_bytes()
    assert repository.type(hook).returncode == 0
    assert (repository.folder / "balance.lock").read_bytes() == locked
    accepted = lock_file.read(repository.folder / "balance.lock").history
    assert [entry.reason for entry in accepted] == ["first lock", "a strong population card"]
    assert accepted[1].revision and accepted[1].previous == accepted[0].id
    page = (repository.folder / "balance.html").read_text()
    assert "a strong population card" in page and "margin 7 to 9" in page
