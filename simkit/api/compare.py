"""Comparison of rule sets on the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from simkit.analysis import measures
from simkit.api.execution import call_of, carry_out
from simkit.api.requests import Logging, Texts, ask, seated
from simkit.api.results import Result, recorded
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.errors import UsageError, look_up
from simkit.runs import manifest, table_files
from simkit.runs.experiment import Setting
from simkit.studies.study import tied


def compare(
    game: str,
    *others: Mapping[str, Any],
    base: Mapping[str, Any] = {},
    columns: Texts = (),
    deals: int = 2_000,
    **keywords: Unpack[Logging],
) -> Result:
    """Compare rule sets on the same deals.

    Args:
        game: Name of the game.
        others: Rule sets, each as the options that differ; without one, `files` are compared with the
            printed components.
        base: Options of the rule set to compare with, if it is not the usual one.
        columns: Further columns of the log to compare, "NAME" or "NAME=VALUE".
        deals: Deals per cell.
        keywords: lineups, seed, options, files, margin, target, keep_going, trace, beginners, kingmaking,
            out, jobs, backend, scheduler, batch_timeout and progress; the manual of the API has a table.

    Returns:
        The findings of the run; `result.comparisons` has the differences, with intervals.

    Raises:
        UsageError: Unknown options, or two rule sets that are the same.

    Example:
        >>> result = compare("pig", {"goal": 60}, deals=200)
        >>> result.comparisons["measure"].unique(maintain_order=True).to_list()[:2]
        ['share', 'fpa']
    """
    how, keys = call_of(compare, locals())
    rules, usual, names = map(keys.pop, ("others", "base", "columns"))
    keys, _ = seated(game, keys, {})
    what = "other rules"
    if not rules and keys.get("files"):
        what = f"{' and '.join(keys['files'])} of your own"
        rules = [{f"{table_files.HEAD}{name}": path for name, path in keys.pop("files").items()}]
    if not rules:
        raise UsageError("name a rule set to compare, or files with cards of your own")
    sets = rule_sets(game, usual, rules, keys["options"])
    question = f"What do {what} change in {registry.game(game).title}?"
    experiment = ask(game, question, keys | {"report": "compare"} | sets)
    for name in names:
        measures.check_column(name, manifest.columns_of(experiment))
    run = carry_out(how, experiment)
    own_columns = run.manifest.model_copy(update={"asked_columns": names})
    result = Result(replace(run, manifest=own_columns))
    if result.comparisons.height:  # the columns can be compared
        manifest.ask(run.folder, tuple(names))
    return recorded(result)


def rule_sets(game: str, base: Setting, others: list[Setting], fixed: Setting) -> dict[str, Any]:
    """Return the keys of an experiment whose cells are the base rule set and the others."""
    definition = registry.game(game)
    for rule_set in [base, *others]:
        _check(definition, rule_set)
    names = list(dict.fromkeys(name for rule_set in [base, *others] for name in rule_set))
    if twice := sorted(set(names) & set(fixed)):
        raise UsageError(f"option {twice[0]} is given for all rule sets and for some of them; once is enough")
    in_force = [_in_force(definition, fixed | base | rule_set) for rule_set in [{}, *others]]
    rows = [[values[name] for name in names] for values in in_force]
    if any(rows.count(row) > 1 for row in rows):
        raise UsageError("two rule sets are the same: each must differ from the base and from the others")
    return {"sweep": tied(names, rows), "baseline": dict(zip(names, rows[0], strict=True))}


def _in_force(game: Game, given: Setting) -> Setting:
    """Return the values of all options, and the files that replace tables of the game."""
    files = {table_files.HEAD + name: table_files.PRINTED for name in game.components.files}
    files |= {name: value for name, value in given.items() if table_files.is_file(name)}
    return files | game.resolve({name: value for name, value in given.items() if name not in files})


def _check(game: Game, given: Setting) -> None:
    """Raise UsageError for an unknown option or table, or for a file beside the option that it replaces."""
    for name in given:
        if not table_files.is_file(name):
            game.option(name)
            continue
        table = name.removeprefix(table_files.HEAD)
        file = look_up(f"table of {game.name} that a file may replace", table, game.components.files)
        file.refuse_replaced(name, given)
