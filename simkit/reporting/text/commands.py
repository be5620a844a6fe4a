"""Commands to run next, derived from the command that made the run."""

import shlex
from collections.abc import Mapping
from typing import Any

from simkit.analysis.table import typed
from simkit.engine.rng import sub_seed
from simkit.runs.run import Run

MIN_DEALS = 20_000  # deals that usually settle a margin of 2 percentage points


def command_again(run: Run, *words: str) -> str:
    """Return a simkit command with the project folders of the run's own command."""
    given_words, project = shlex.split(run.manifest.command or "")[1:], list[str]()
    while given_words[:1] == ["--project"]:
        project, given_words = [*project, *given_words[:2]], given_words[2:]
    return shlex.join(["simkit", *project, *words])


def lineups(run: Run) -> list[list[str]]:
    """Return the distinct lineups of a run."""
    return [list(labels) for labels in dict.fromkeys(tuple(cell.labels) for cell in run.cells)]


def game_words(run: Run, lineups: list[list[str]]) -> list[str]:
    """Return the command options that play the same game with these lineups."""
    fixed = [word for text in setting_texts(run.experiment.options) for word in ("--set", text)]
    files = [word for name, path in run.experiment.files.items() for word in (f"--{name}", path)]
    return [*fixed, *files, *(word for lineup in lineups for word in ("--lineup", ",".join(lineup)))]


def setting_texts(varied: Mapping[str, Any]) -> list[str]:
    """Return options as `name=value` words."""
    return [f"{name}={typed(value)}" for name, value in varied.items()]


def target_words(run: Run) -> list[str]:
    """Return the option for the target of a co-operative run, or nothing where it is the default."""
    target = run.experiment.target
    return [] if target is None else ["--target", f"{target:g}"]


def until_verdict(run: Run, deals: int) -> list[str]:
    """Return the options that play fresh deals until a verdict, with a limit of at least `deals` deals."""
    keys = run.experiment
    most, fresh = f"{max(MIN_DEALS, deals)}", f"{sub_seed(keys.seed, 'confirm')}"
    until = ["--until-verdict", "--margin", f"{keys.margin:g}", "--deals", most, "--seed", fresh]
    return [*until, *target_words(run)]
