"""Experiments and sweeps: games at one setting or at several."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Unpack

from pydantic import Field

from simkit.api.execution import call_of, carry_out
from simkit.api.requests import Changes, Stopping, Values, ask, seated
from simkit.api.results import Result, recorded
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment as experiments
from simkit.runs import table_files
from simkit.runs.experiment import Experiment
from simkit.runs.plan import load
from simkit.runs.storage import remote

Source = Annotated[str | Path | Mapping[str, Any] | Experiment, Field(union_mode="left_to_right")]


def run(experiment: Source, **keywords: Unpack[Changes]) -> Result:
    """Play an experiment, or open its run if it is finished.

    Args:
        experiment: TOML file, name of a shipped experiment, or the keys of one.
        keywords: Keys in place of the experiment's (options and files are added to its own): deals, lineups,
            seed, options, files, margin, target, keep_going, trace, beginners, kingmaking, until_width,
            until_verdict, confirm, out, jobs, backend, scheduler, batch_timeout and progress; the manual of
            the API has a table.

    Returns:
        The findings of the run, with its answer. Every game is logged in `result.folder`.

    Raises:
        UsageError: The experiment has a mistake; nothing was played.

    Example:
        >>> run("pig_first_seat", deals=200, out="runs/pig").question
        'Is the first seat of Pig favoured, and does it depend on how daring the table is?'
    """
    how, keys = call_of(run, locals())
    given = keys.pop("experiment")
    request = experiments.parse(given) if isinstance(given, dict) else load(_path(given))
    for name in keys.keys() & {"options", "files"}:
        keys[name] = getattr(request, name) | keys[name]
    return recorded(carry_out(how, request.with_keys(**keys) if keys else request))


def _path(text: str) -> Path:
    """Return the path of an experiment file, which may be given by the name of a known experiment."""
    folder, _, name = text.rpartition("/")
    path = remote.local_folder(folder) / name if remote.is_address(text) else Path(text)
    experiments_by_name = registry.experiments()
    if path.suffix != ".toml" and not os.path.exists(path) and text in experiments_by_name:
        return experiments_by_name[text]
    if not os.path.isfile(path):
        names = ", ".join(sorted(experiments_by_name))
        raise UsageError(f"experiment file {text} does not exist; experiments known by name: {names}")
    return path


def sweep(
    game: str,
    vary: Mapping[str, Values] = {},
    *,
    deals: int = 2_000,
    question: str = "",
    **keywords: Unpack[Stopping],
) -> Result:
    """Try values of rule options on the same deals.

    Args:
        game: Name of the game.
        vary: Values of each option; several options are crossed. "players" is the number of seats. A game
            without options is played as it is.
        deals: Deals per cell.
        question: Title of the page, in place of "How fair is …?".
        keywords: lineups, seed, options, files, margin, target, keep_going, trace, beginners, kingmaking,
            until_width, until_verdict, confirm, out, jobs, backend, scheduler, batch_timeout and progress;
            the manual of the API has a table.

    Returns:
        The findings of the run; `result.seat_shares` is the share of each seat by setting.

    Raises:
        UsageError: Unknown game, option, strategy, or a value out of range.

    Example:
        >>> result = sweep("pig", {"goal": [50, 100]}, deals=200)
        >>> result.seat_shares.height
        4
    """
    how, keys = call_of(sweep, locals())
    definition, varied = registry.game(game), keys.pop("vary")
    if definition.options and not varied:
        names = ", ".join(option.name for option in definition.options)
        raise UsageError(f"nothing to sweep: name options with their values (options of {game}: {names})")
    along = f" along {', '.join(varied)}" if varied else ""
    question = keys.pop("question") or f"How {'hard' if definition.team else 'fair'} is {game}{along}?"
    keys, swept = seated(game, keys, varied)
    defaults = definition.resolve(keys["options"])
    baseline = {
        name: table_files.PRINTED if table_files.is_file(name) else defaults[definition.option(name).name]
        for name in swept
    }
    is_swept = all(value in swept[name] for name, value in baseline.items())
    sets = {"sweep": swept, "baseline": baseline if is_swept else {}}
    return recorded(carry_out(how, ask(game, question, keys | sets)))
