"""Experiments and sweeps: games at one setting or at several."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from simkit.api.execution import carry_out, execution_of
from simkit.api.requests import Changes, Stopping, Values, ask, keys_of, seated
from simkit.api.results import Result, recorded
from simkit.engine import registry
from simkit.errors import UsageError
from simkit.runs import experiment as experiments
from simkit.runs import table_files
from simkit.runs.experiment import Experiment
from simkit.runs.storage import remote


def run(experiment: str | Path | Experiment | Mapping[str, Any], **changes: Unpack[Changes]) -> Result:
    """Play an experiment, or open its run if it is finished.

    Args:
        experiment: TOML file, name of a shipped experiment, or the keys of one.
        changes: Keys in place of the experiment's; options and files are added to its own.

    Returns:
        The findings of the run, with its answer. Every game is logged in `result.folder`.

    Raises:
        UsageError: The experiment has a mistake; nothing was played.

    Example:
        >>> run("pig_first_seat", deals=200, out="runs/pig").question
        'Is the first seat of Pig favoured, and does it depend on how daring the table is?'
    """
    request, keys = _experiment(experiment), keys_of(changes, Changes)
    for name in ("options", "files"):
        if name in keys:
            keys[name] = getattr(request, name) | keys[name]
    how = execution_of(changes, "run", str(experiment), **keys)
    return recorded(carry_out(how, request.changed(**keys) if keys else request))


def _experiment(given: str | Path | Experiment | Mapping[str, Any]) -> Experiment:
    if isinstance(given, Experiment):
        return given
    return experiments.parse(dict(given)) if isinstance(given, Mapping) else experiments.load(_path(given))


def _path(given: str | Path) -> Path:
    """Return the path of an experiment file, which may be given by the name of a known experiment."""
    text = str(given)
    folder, _, name = text.rpartition("/")
    path = remote.opened(folder) / name if remote.is_address(text) else Path(text)
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
        keywords: Further keywords; the manual of the API has a table.

    Returns:
        The findings of the run; `result.seat_shares` is the share of each seat by setting.

    Raises:
        UsageError: Unknown game, option, strategy, or a value out of range.

    Example:
        >>> result = sweep("pig", {"goal": [50, 100]}, deals=200)
        >>> result.seat_shares.height
        4
    """
    definition, keys = registry.game(game), keys_of(keywords, Stopping)
    if definition.options and not vary:
        names = ", ".join(option.name for option in definition.options)
        raise UsageError(
            f"nothing to sweep: give OPTION=START:STOP or OPTION=A,B,C (options of {game}: {names})"
        )
    how = execution_of(keywords, "sweep", game, dict(vary), deals=deals, **keys)
    along = f" along {', '.join(vary)}" if vary else ""
    question = question or f"How {'hard' if definition.team else 'fair'} is {game}{along}?"
    keys, swept = seated(game, keys, vary)
    defaults = definition.resolve(keys["options"])
    baseline = {
        name: table_files.PRINTED if table_files.is_file(name) else defaults[definition.option(name).name]
        for name in swept
    }
    is_swept = all(value in swept[name] for name, value in baseline.items())
    sets = {"sweep": swept, "baseline": baseline if is_swept else {}}
    return recorded(carry_out(how, ask(game, question, keys | sets | {"deals": deals})))
