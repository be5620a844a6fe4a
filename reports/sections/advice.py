"""Commands to type next: what to run where a run cannot answer, and what confirms a finding."""

from __future__ import annotations

import shlex
from typing import Any

from simkit import analysis
from simkit.runlog import Run

ENOUGH = 20_000  # deals that settle 2 points


def again(run: Run, *words: str) -> str:
    """A simkit command with the project folders that the run was made with."""
    made = shlex.split(str(run.manifest.get("command") or ""))[1:]
    projects: list[str] = []
    while made[:1] == ["--project"]:
        projects, made = [*projects, *made[:2]], made[2:]
    return shlex.join(["simkit", *projects, *words])


def game_words(run: Run, lineups: list[list[str]]) -> list[str]:
    """The options of a command that play the same game with these lineups."""
    fixed = [
        word for name, value in run.experiment.options.items() for word in ("--set", f"{name}={said(value)}")
    ]
    cards = ["--cards", files["cards"]] if (files := run.experiment.files) else []
    return [*fixed, *cards, *(word for lineup in lineups for word in ("--lineup", ",".join(lineup)))]


def lineups(run: Run) -> list[list[str]]:
    """The lineups played, each once."""
    return [list(labels) for labels in dict.fromkeys(tuple(cell.labels) for cell in run.cells)]


def said(value: Any) -> str:
    """A value of an option as a command takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def setting_texts(varied: dict[str, Any]) -> list[str]:
    """Each option as `name=value`."""
    return [f"{name}={said(value)}" for name, value in varied.items()]


def fair_command(run: Run, lineups: list[list[str]]) -> str | None:
    """The command that finds the fair value of the only swept option, where that is one whole number."""
    if len({len(labels) for labels in lineups}) > 1:
        return None
    swept = analysis.axes(run)
    if len(swept) != 1 or len(swept[0].options) != 1 or not swept[0].whole_numbers:
        return None
    (name,), values = swept[0].options, [value for (value,) in swept[0].values]
    margin = ["--margin", f"{run.experiment.margin:g}"] if run.experiment.margin != 0.02 else []
    vary = ["--vary", f"{name}={min(values)}:{max(values)}"]
    return again(run, "fair", run.experiment.game, *vary, *game_words(run, lineups), *margin)


def confirm_command(run: Run, cell: int) -> str:
    """The command that plays one setting on fresh deals until there is a verdict."""
    one = next(known for known in run.cells if known.index == cell)
    more = [
        "--until-verdict",
        "--margin",
        f"{run.experiment.margin:g}",
        "--deals",
        str(max(ENOUGH, one.deals)),
        "--seed",
        str(fresh(run)),
    ]
    return again(
        run, "sweep", run.experiment.game, *setting_texts(one.varied), *game_words(run, [one.labels]), *more
    )


def settle_command(run: Run, deals: int) -> str:
    """The command that plays the run's cells until each has a verdict, at most so many deals."""
    name = str(run.folder)
    return again(
        run,
        "run",
        f"{name}/experiment.toml",
        "--until-verdict",
        "--deals",
        str(deals),
        "-o",
        f"{name}-settled",
    )


def fresh(run: Run) -> int:
    """A seed that the run has not used."""
    return int(run.manifest.get("seed", run.experiment.seed)) + 1


def written(run: Run, name: str, recipe: str, **keys: Any) -> str:
    """Commands that write an experiment file like that of the run but for some keys, carry it out and report on it."""
    text = run.experiment.changed(**keys).to_toml()
    after = [again(run, "run", f"{name}.toml"), again(run, "report", f"runs/{name}", "--recipe", recipe)]
    return "\n".join([f"cat > {name}.toml << 'END'", text.rstrip("\n"), "END", *after])
