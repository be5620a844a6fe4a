"""Commands to type next, as the run was made."""

import shlex

from simkit.runlog import Run


def again(run: Run, *words: str) -> str:
    """A simkit command with the project folders that the run was made with."""
    made, given = shlex.split(str(run.manifest.get("command") or ""))[1:], list[str]()
    while made[:1] == ["--project"]:
        given, made = [*given, *made[:2]], made[2:]
    return shlex.join(["simkit", *given, *words])
