"""Commands to type next, as the run was made."""

import shlex
from collections.abc import Mapping
from typing import Any

from simkit.analysis.table import typed
from simkit.engine.rng import sub_seed
from simkit.runs.run import Run

ENOUGH = 20_000  # deals that settle 2 points


def again(run: Run, *words: str) -> str:
    """A simkit command with the project folders that the run was made with."""
    made, given = shlex.split(str(run.manifest.get("command") or ""))[1:], list[str]()
    while made[:1] == ["--project"]:
        given, made = [*given, *made[:2]], made[2:]
    return shlex.join(["simkit", *given, *words])


def lineups(run: Run) -> list[list[str]]:
    """Return the lineups of a run, each once."""
    return [list(labels) for labels in dict.fromkeys(tuple(cell.labels) for cell in run.cells)]


def game_words(run: Run, lineups: list[list[str]]) -> list[str]:
    """The options of a command that play the same game with these lineups."""
    fixed = [word for text in setting_texts(run.experiment.options) for word in ("--set", text)]
    files = [word for name, path in run.experiment.files.items() for word in (f"--{name}", path)]
    return [*fixed, *files, *(word for lineup in lineups for word in ("--lineup", ",".join(lineup)))]


def setting_texts(varied: Mapping[str, Any]) -> list[str]:
    return [f"{name}={typed(value)}" for name, value in varied.items()]


def target_words(run: Run) -> list[str]:
    """Return the option for the target of a co-operative run, or nothing where it is the default."""
    target = run.experiment.target
    return [] if target is None else ["--target", f"{target:g}"]


def until_verdict(run: Run, deals: int) -> list[str]:
    """The options of a command that plays on fresh deals until a verdict, at least so many deals at most."""
    keys = run.experiment
    most, fresh = f"{max(ENOUGH, deals)}", f"{sub_seed(keys.seed, 'confirm')}"
    until = ["--until-verdict", "--margin", f"{keys.margin:g}", "--deals", most, "--seed", fresh]
    return [*until, *target_words(run)]
