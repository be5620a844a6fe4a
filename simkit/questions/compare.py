"""Questions: Compare rule sets on the same deals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, Unpack

from simkit.ask import texts
from simkit.ask.arguments import Logging, Shell, Texts, Word
from simkit.ask.execution import Execution, carry_out
from simkit.ask.question import question
from simkit.ask.requests import ask, with_seats
from simkit.ask.results import Result, record
from simkit.ask.study import tied
from simkit.engine import registry
from simkit.engine.game import Game
from simkit.errors import UsageError, look_up
from simkit.runs import manifest, table_files
from simkit.runs.experiment import Deals, Setting
from simkit.tables.compare import check_column, comparisons

OTHERS = Shell("--to", metavar="OPTION=VALUE,...", parse=texts.rule_sets, repeatable=True)
BASE = Shell(metavar="OPTION=VALUE", parse=texts.settings, repeatable=True)


@question(shell=("table",))
def compare(
    execution: Execution,
    game: Word,
    *others: Annotated[Mapping[str, Any], OTHERS],
    base: Annotated[Mapping[str, Any], BASE] = {},
    columns: Annotated[Texts, Shell("--column", metavar="NAME|NAME=VALUE", repeatable=True)] = (),
    deals: Deals = 2_000,
    **keywords: Unpack[Logging],
) -> Result:
    """Compare rule sets on the same deals.

    You get what each rule set changes in who wins, in the length of games and in other columns of the log, as
    differences with intervals. Rules of `options` hold in all rule sets; players=2:4 there
    plays all of them with two to four players.

    Args:
        game: Name of the game.
        others: Rule set to compare, as the options that differ; without one, the cards of `files` are
            compared with the printed ones.
        base: Options of the rule set to compare with, if it is not the usual one.
        columns: Further column of the log to compare, or NAME=VALUE: how often it has this value.
        deals: Deals per cell.

    Returns:
        The findings of the run; `result.comparisons` has the differences, with intervals.

    Raises:
        UsageError: Unknown options, or two rule sets that are the same.

    Example:
        >>> result = compare("pig", {"goal": 60}, deals=200)
        >>> result.comparisons["measure"].unique(maintain_order=True).to_list()[:2]
        ['share', 'fpa']

    Command line::

        simkit compare pig --to goal=60 --to goal=80,faces=8
    """
    keys, _ = with_seats(game, {**keywords, "deals": deals}, {})
    what, rules = "other rules", [dict(other) for other in others]
    if not rules and keys.get("files"):
        what = f"{' and '.join(keys['files'])} of your own"
        rules = [{f"{table_files.HEAD}{name}": path for name, path in keys.pop("files").items()}]
    if not rules:
        raise UsageError("name a rule set to compare, or files with cards of your own")
    sets = rule_sets(game, dict(base), rules, keys["options"])
    title = f"What do {what} change in {registry.game(game).title}?"
    experiment = ask(game, title, keys | {"report": "compare"} | sets)
    for name in columns:
        check_column(name, manifest.columns_of(experiment))
    run = carry_out(execution, experiment)
    result = Result(replace(run, manifest=run.manifest.model_copy(update={"asked_columns": columns})))
    if comparisons(result).height:  # the columns can be compared
        manifest.ask(run.folder, tuple(columns))
    return record(result)


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
